/* The process that reads debugging information, through BFD.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define PACKAGE "cilkprof" /* bfd.h wants it */
#include <bfd.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cilkprof-report/objects/debug-info.h"
#include "cilkprof-report/support/support.h"

static void limit(int resource, rlim_t most) {
  struct rlimit limits;
  if (getrlimit(resource, &limits) == 0 && (limits.rlim_cur == RLIM_INFINITY || limits.rlim_cur > most)) {
    limits.rlim_cur = most;
    setrlimit(resource, &limits);
  }
}

/* The memory that this process has now.  */
static rlim_t data_bytes(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file == NULL || fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
    pages = 0;
  if (file != NULL)
    fclose(file);
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* A file of N bytes may take 64 N bytes and 64 MB more, and a second for each MB after the first ten.  */
static void limit_resources(uint64_t size) {
  rlim_t data = data_bytes();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, 10 + size / 1000000);
  if (data > 0)
    limit(RLIMIT_DATA, data + 64 * size + (64 << 20));
}

/* BFD would print what it dislikes in a file, even past a handler of messages.  And a pager waits until nobody can
   print to it any more.  */
static void silence(void) {
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0)
    return;
  dup2(nowhere, STDERR_FILENO);
  dup2(nowhere, STDOUT_FILENO);
}

/* The file may have been replaced since the object was read.  */
static bool is_unchanged(bfd *file, const struct object *object) {
  struct stat status;
  return bfd_stat(file, &status) == 0 && status.st_dev == object->status.st_dev &&
         status.st_ino == object->status.st_ino && status.st_size == object->status.st_size &&
         object_modified_ns(&status) == object_modified_ns(&object->status);
}

static asymbol **read_symbols(bfd *file) {
  long size = bfd_get_symtab_upper_bound(file);
  asymbol **symbols = allocate(1, size > 0 ? (size_t)size : sizeof *symbols);
  if (size > 0)
    bfd_canonicalize_symtab(file, symbols);
  return symbols;
}

static asection *section_at(bfd *file, uint64_t address) {
  for (asection *section = file->sections; section != NULL; section = section->next)
    if ((bfd_section_flags(section) & SEC_CODE) && address >= bfd_section_vma(section) &&
        address - bfd_section_vma(section) < bfd_section_size(section))
      return section;
  return NULL;
}

/* The size of the answer.  */
static size_t find_line(bfd *file, asymbol **symbols, uint64_t address, struct line_answer *answer) {
  asection *section = section_at(file, address);
  const char *name = NULL, *function = NULL;
  unsigned line = 0;
  if (section == NULL ||
      !bfd_find_nearest_line(file, section, symbols, address - bfd_section_vma(section), &name, &function, &line) ||
      name == NULL)
    return offsetof(struct line_answer, file);
  size_t length = strnlen(name, sizeof answer->file);
  memcpy(answer->file, name, length);
  answer->line = line;
  return offsetof(struct line_answer, file) + length;
}

void debug_info_serve(const struct object *object, int socket) {
  static struct line_answer answer;
  uint64_t address;
  limit_resources((uint64_t)object->status.st_size);
  silence();
  bfd_init();
  bfd *file = bfd_openr(object->path, NULL);
  if (file == NULL || !bfd_check_format(file, bfd_object) || !is_unchanged(file, object))
    _exit(1);
  asymbol **symbols = read_symbols(file);
  while (recv(socket, &address, sizeof address, 0) == sizeof address) {
    answer.line = 0;
    errno = 0;
    bfd_set_error(bfd_error_no_error);
    size_t size = find_line(file, symbols, address, &answer);
    if (errno == ENOMEM || bfd_get_error() == bfd_error_no_memory)
      _exit(1); /* what BFD found without the memory may be wrong */
    if (send(socket, &answer, size, MSG_NOSIGNAL) < 0)
      break;
  }
  _exit(0);
}
