/* The files that the report writes.
   SPDX-License-Identifier: GPL-3.0-or-later

   A regular file is written to a temporary file in the same folder, which replaces the old file when it is complete.
   Devices, pipes, and files in a folder that is not writable are written directly.  */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/support/kept.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

struct output {
  const char *path;               /* as the user gave it */
  char *target;                   /* PATH without symbolic links */
  const char *volatile temporary; /* the temporary file; NULL: there is none, or it has replaced TARGET */
  FILE *stream;                   /* NULL: closed */
  struct output *next;
};

static struct output *volatile outputs;
static bool finished; /* the report has been printed completely */

static struct output *output_of(const FILE *stream) {
  struct output *output = outputs;
  while (output != NULL && output->stream != stream)
    output = output->next;
  return output;
}

static void remove_temporaries(void) {
  for (const struct output *output = outputs; output != NULL; output = output->next)
    if (output->temporary != NULL)
      unlink(output->temporary);
}

static void end_by_signal(int number) {
  remove_temporaries();
  raise(number); /* SA_RESETHAND has restored the default action */
}

/* Makes signals that end the report remove its temporary files first.  */
static void catch_signals(void) {
  static const int signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
  const struct sigaction action = {.sa_handler = end_by_signal, .sa_flags = (int)SA_RESETHAND};
  struct sigaction before;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
      sigaction(signals[i], &action, NULL);
}

/* Returns the real path of the file, which need not exist; NULL with errno if its folder does not exist.  */
static char *target_of(const char *path) {
  char *target = realpath(path, NULL);
  if (target != NULL || errno != ENOENT)
    return target;
  const char *name = base_name(path);
  if (*name == 0)
    return NULL;
  char *folder = name > path ? format_string("%.*s", (int)(name - path), path) : format_string(".");
  char *real = realpath(folder, NULL);
  if (real != NULL)
    target = format_string("%s/%s", real, name);
  free(folder);
  free(real);
  return target;
}

/* Returns whether this report already writes TARGET.  */
static bool is_output(const char *target) {
  for (const struct output *output = outputs; output != NULL; output = output->next)
    if (strcmp(output->target, target) == 0)
      return true;
  return false;
}

/* Opens a temporary file in the folder of OUTPUT.  Its name does not contain the name of the file, which may already
   have the maximum length.  */
static int open_temporary(struct output *output) {
  static unsigned number;
  int folder = (int)(base_name(output->target) - output->target), file;
  char *name;
  do
    name = format_string("%.*s.cilkprof-report-%d-%u", folder, output->target, (int)getpid(), number++);
  while ((file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) < 0 && errno == EEXIST);
  if (file >= 0)
    output->temporary = name;
  return file;
}

/* Opens the file to write to.  A temporary file gets the permissions of the old file, and a file without write
   permission is not replaced.  A dangling symbolic link is followed.  */
static int open_file(struct output *output) {
  struct stat status, link;
  bool there = stat(output->path, &status) == 0;
  bool regular = there ? S_ISREG(status.st_mode) : lstat(output->path, &link) != 0;
  if (regular && there && access(output->path, W_OK) != 0)
    return -1;
  int file = regular ? open_temporary(output) : -1;
  if (file >= 0 && there && fchmod(file, status.st_mode & 07777) != 0)
    return -1;
  if (file >= 0 || (regular && !(there && (errno == EACCES || errno == EROFS))))
    return file;
  return open(output->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

void output_check(const char *path, bool force) {
  struct stat status;
  if (output_is_standard(path) || stat(path, &status) != 0)
    return;
  const char *kind = force ? NULL : kept_as(path, &status);
  if (kind != NULL)
    fail(path, "it is %s, which is not overwritten; name another file, or add --force", kind);
}

/* Adds PATH to the outputs and opens it.  All files that the report writes are created or truncated here.  */
static int create_output(const char *path, bool force, FILE *stream) {
  struct output *output = allocate(1, sizeof *output);
  output_check(path, force);
  *output =
      (struct output){.path = format_string("%s", path), .target = target_of(path), .next = outputs, .stream = stream};
  if (output->target == NULL)
    fail(path, "%s", strerror(errno));
  struct stat status;
  bool other = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  if (!other && is_output(output->target))
    fail(path, "this report already writes something else to it; name another file");
  if (outputs == NULL)
    catch_signals();
  outputs = output;
  int file = open_file(output);
  if (file < 0)
    fail(path, "%s", strerror(errno));
  return file;
}

/* PATH may be the file that standard output is redirected to, for example /dev/stdout.  Replacing that file would lose
   the output.  */
bool output_is_standard(const char *path) {
  struct stat file, standard;
  if (path == NULL || strcmp(path, "-") == 0)
    return true;
  return stat(path, &file) == 0 && fstat(STDOUT_FILENO, &standard) == 0 && file.st_dev == standard.st_dev &&
         file.st_ino == standard.st_ino;
}

bool output_is_taken(const char *path) {
  char *target = target_of(path);
  bool taken = target != NULL && is_output(target);
  free(target);
  return taken;
}

FILE *output_open(const char *path, bool force) {
  if (output_is_standard(path))
    return stdout;
  int file = create_output(path, force, NULL);
  FILE *stream = fdopen(file, "w");
  if (stream == NULL)
    fail(path, "%s", strerror(errno));
  outputs->stream = stream;
  return stream;
}

/* Replaces the target of a closed OUTPUT by its temporary file.  Returns false with errno on failure.  */
static bool replace_target(struct output *output) {
  output->stream = NULL;
  if (output->temporary != NULL && rename(output->temporary, output->target) != 0)
    return false;
  output->temporary = NULL;
  return true;
}

/* Standard output is closed by check_output.  */
void output_close(FILE *stream) {
  if (stream == stdout)
    return;
  struct output *output = output_of(stream);
  bool wrong = ferror(stream) || fflush(stream) != 0;
  if (fclose(stream) != 0 || wrong || !replace_target(output))
    fail(output->path, "%s", strerror(errno));
}

void output_redirect(const char *path, bool force) {
  if (output_of(stdout) != NULL || output_is_standard(path))
    return;
  int file = create_output(path, force, stdout);
  if (dup2(file, STDOUT_FILENO) < 0)
    fail(path, "%s", strerror(errno));
  close(file);
}

void output_finish(void) {
  finished = true;
}

/* Closes standard output at every exit of the report.  If not everything could be written, for example to a full disk,
   the report fails.  */
static void check_output(void) {
  struct output *output = output_of(stdout);
  bool whole = !ferror(stdout) && fflush(stdout) == 0 && fclose(stdout) == 0;
  if (whole && finished && output != NULL)
    whole = replace_target(output);
  int error = errno;
  remove_temporaries();
  if (whole) {
    pager_wait();
    return;
  }
  fprintf(stderr, "cilkprof-report: %s: %s\n", output != NULL ? output->path : "standard output", strerror(error));
  _exit(1);
}

/* The state is reset because the fuzzer runs the report many times in one process and frees all memory in between.  */
void output_start(void) {
  outputs = NULL;
  finished = false;
  keep_nothing();
  atexit(check_output);
}
