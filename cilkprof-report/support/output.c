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

/* Returns the output that is written through STREAM, or NULL if there is none.  */
static struct output *find_output(const FILE *stream) {
  struct output *output = outputs;
  while (output != NULL && output->stream != stream)
    output = output->next;
  return output;
}

/* Deletes the temporary files of all outputs that have not replaced their targets.  It is also called by a signal
   handler.  */
static void remove_temporary_outputs(void) {
  for (const struct output *output = outputs; output != NULL; output = output->next)
    if (output->temporary != NULL)
      unlink(output->temporary);
}

/* Handles a signal that ends the report: deletes its temporary files and then lets signal NUMBER end the process.  */
static void remove_outputs_on_signal(int number) {
  remove_temporary_outputs();
  raise(number); /* SA_RESETHAND has restored the default action */
}

/* Makes signals that end the report delete its temporary files first.  Signals that are ignored stay so.  */
static void catch_output_signals(void) {
  static const int signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
  const struct sigaction action = {.sa_handler = remove_outputs_on_signal, .sa_flags = (int)SA_RESETHAND};
  struct sigaction before;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
      sigaction(signals[i], &action, NULL);
}

/* Returns the real path of an output file at PATH, which need not exist; NULL with errno if its folder does not exist.
   Allocated.  */
static char *output_target_path(const char *path) {
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

/* Returns whether this report already writes the file with the real path TARGET.  */
static bool is_output_target(const char *target) {
  for (const struct output *output = outputs; output != NULL; output = output->next)
    if (strcmp(output->target, target) == 0)
      return true;
  return false;
}

/* Creates a temporary file in the folder of OUTPUT and returns its descriptor, or -1 with errno.  The name does not
   contain the name of the file, which may already have the maximum length.  */
static int open_temporary_output(struct output *output) {
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

/* Opens the file to which OUTPUT is written, a temporary one if possible, and returns its descriptor, or -1 with errno.
   A temporary file gets the permissions of the old file, and a file without write permission is not replaced.  A
   dangling symbolic link is followed.  */
static int open_output_file(struct output *output) {
  struct stat status, link;
  bool there = stat(output->path, &status) == 0;
  bool regular = there ? S_ISREG(status.st_mode) : lstat(output->path, &link) != 0;
  if (regular && there && access(output->path, W_OK) != 0)
    return -1;
  int file = regular ? open_temporary_output(output) : -1;
  if (file >= 0 && there && fchmod(file, status.st_mode & 07777) != 0)
    return -1;
  if (file >= 0 || (regular && !(there && (errno == EACCES || errno == EROFS))))
    return file;
  return open(output->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

/* Returns whether PATH is a symbolic link that some other user has put there, as in a folder that all may write to, and
   not the system.  */
static bool is_link_of_another_user(const char *path) {
  struct stat link;
  return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && link.st_uid != geteuid() && link.st_uid != 0;
}

void output_check(const char *path, bool force) {
  struct stat status;
  if (output_is_standard(path))
    return;
  if (!force && is_link_of_another_user(path))
    fail(path, "it is a symbolic link of another user and is not followed; choose another name, or add --force");
  if (stat(path, &status) != 0)
    return;
  const char *kind = force ? NULL : reason_to_keep_file(path, &status);
  if (kind != NULL)
    fail(path, "it is %s and is not overwritten; choose another name, or add --force", kind);
}

/* Adds PATH to the outputs, opens it and returns its descriptor.  STREAM is the stream through which it is written, or
   NULL if that is not known yet.  All files that the report writes are created or truncated here.  */
static int create_output(const char *path, bool force, FILE *stream) {
  struct output *output = allocate(1, sizeof *output);
  output_check(path, force);
  *output = (struct output){
      .path = format_string("%s", path), .target = output_target_path(path), .next = outputs, .stream = stream};
  if (output->target == NULL)
    fail(path, "%s", strerror(errno));
  struct stat status;
  bool other = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  if (!other && is_output_target(output->target))
    fail(path, "this report already writes something else to it; choose another name");
  if (outputs == NULL)
    catch_output_signals();
  outputs = output;
  int file = open_output_file(output);
  if (file < 0)
    fail(path, "%s", strerror(errno));
  return file;
}

/* Returns whether PATH is standard output: NULL, "-", or the file that standard output is redirected to, for example
   /dev/stdout.  Replacing that file would lose the output.  */
bool output_is_standard(const char *path) {
  struct stat file, standard;
  if (path == NULL || strcmp(path, "-") == 0)
    return true;
  return stat(path, &file) == 0 && fstat(STDOUT_FILENO, &standard) == 0 && file.st_dev == standard.st_dev &&
         file.st_ino == standard.st_ino;
}

bool output_is_taken(const char *path) {
  char *target = output_target_path(path);
  bool taken = target != NULL && is_output_target(target);
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
static bool replace_output_target(struct output *output) {
  output->stream = NULL;
  if (output->temporary != NULL && rename(output->temporary, output->target) != 0)
    return false;
  output->temporary = NULL;
  return true;
}

/* Closes a STREAM of output_open, and lets the new file replace the old one.  Fails if not everything could be written.
   Standard output stays open: check_standard_output closes it.  */
void output_close(FILE *stream) {
  if (stream == stdout)
    return;
  struct output *output = find_output(stream);
  bool wrong = ferror(stream) || fflush(stream) != 0;
  if (fclose(stream) != 0 || wrong || !replace_output_target(output))
    fail(output->path, "%s", strerror(errno));
}

void output_redirect(const char *path, bool force) {
  if (find_output(stdout) != NULL || output_is_standard(path))
    return;
  int file = create_output(path, force, stdout);
  if (dup2(file, STDOUT_FILENO) < 0)
    fail(path, "%s", strerror(errno));
  close(file);
}

void output_finish(void) {
  finished = true;
}

/* Closes standard output at every exit of the report, deletes temporary files and waits for the pager.  If not
   everything could be written, for example to a full disk, the report fails.  */
static void check_standard_output(void) {
  struct output *output = find_output(stdout);
  bool whole = !ferror(stdout) && fflush(stdout) == 0 && fclose(stdout) == 0;
  if (whole && finished && output != NULL)
    whole = replace_output_target(output);
  int error = errno;
  remove_temporary_outputs();
  if (whole) {
    pager_wait();
    return;
  }
  fprintf(stderr, "cilkprof-report: %s: %s\n", output != NULL ? output->path : "standard output", strerror(error));
  _exit(1);
}

/* Arranges that standard output is checked for errors whenever the report exits.  The state is reset because the fuzzer
   runs the report many times in one process and frees all memory in between.  */
void output_start(void) {
  outputs = NULL;
  finished = false;
  forget_kept_files();
  atexit(check_standard_output);
}
