/* Files that no output may overwrite: those that cannot be made again or are still needed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/support/kept.h"
#include "cilkprof-report/support/support.h"
#include "fmt/layout.h"

/* Identifies a file independently of its name.  */
struct identity {
  dev_t device;
  ino_t number;
};

static struct {
  struct identity *files;
  size_t count, room;
} inputs;

/* Returns whether the file with STATUS has been registered as an input of this report.  */
static bool is_kept_input(const struct stat *status) {
  for (size_t i = 0; i < inputs.count; i++)
    if (inputs.files[i].device == status->st_dev && inputs.files[i].number == status->st_ino)
      return true;
  return false;
}

/* Registers the file with STATUS as an input of this report, which no output may overwrite.  Pipes and devices are
   ignored.  */
void keep_input_file(const struct stat *status) {
  if (!S_ISREG(status->st_mode) || is_kept_input(status))
    return;
  inputs.files = grow_array(inputs.files, inputs.count, &inputs.room, sizeof *inputs.files);
  inputs.files[inputs.count++] = (struct identity){status->st_dev, status->st_ino};
}

void forget_kept_files(void) {
  memset(&inputs, 0, sizeof inputs);
}

/* Registers the file called PATH as an input of this report, which no output may overwrite.  Does nothing if PATH is
   NULL or there is no such file.  */
void keep_named_file(const char *path) {
  struct stat status;
  if (path != NULL && stat(path, &status) == 0)
    keep_input_file(&status);
}

/* Returns whether PATH ends like the name of a source file or a header in C or C++.  */
static bool has_kept_source_suffix(const char *path) {
  static const char *const suffixes[] = {".c", ".h",   ".cc",  ".hh", ".cpp", ".hpp", ".cxx", ".hxx", ".C",
                                         ".H", ".c++", ".h++", ".cp", ".inl", ".ipp", ".tcc", ".tpp"};
  const char *suffix = strrchr(base_name(path), '.');
  for (size_t i = 0; suffix != NULL && i < sizeof suffixes / sizeof *suffixes; i++)
    if (strcmp(suffix, suffixes[i]) == 0)
      return true;
  return false;
}

static const char profile_kind[] = "a profile";

/* Returns "a profile" or "an executable or object file" if the file at PATH begins with the magic number of one,
   otherwise NULL.  The live file of a run has the magic number of a profile, too.  */
static const char *file_kind_by_content(const char *path) {
  struct stat status;
  char magic[sizeof CILKPROF_FILE_MAGIC - 1] = "";
  int descriptor = open_regular_file(path, &status);
  ssize_t size = descriptor >= 0 ? read(descriptor, magic, sizeof magic) : 0;
  if (descriptor >= 0)
    close(descriptor);
  if (size >= SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0)
    return "an executable or object file";
  return size == sizeof magic && memcmp(magic, CILKPROF_FILE_MAGIC, sizeof magic) == 0 ? profile_kind : NULL;
}

bool is_kept_file_profile(const char *path) {
  return file_kind_by_content(path) == profile_kind;
}

const char *reason_to_keep_file(const char *path, const struct stat *status) {
  if (S_ISBLK(status->st_mode))
    return "a block device";
  if (!S_ISREG(status->st_mode))
    return NULL;
  const char *kind = file_kind_by_content(path);
  char *target = realpath(path, NULL);
  if (kind == NULL && has_kept_source_suffix(target != NULL ? target : path))
    kind = "a source file";
  free(target);
  return kind == NULL && is_kept_input(status) ? "an input of this report" : kind;
}
