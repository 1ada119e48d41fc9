/* The samples of all runs of a trial, in one file: their profiles, one after the other.  Those of copies are in another
   one.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmt/layout.h"
#include "libcilkprof/common/protocol.h"
#include "libcilkprof/launcher/trials.h"

static struct {
  const char *path; /* of the file; NULL: nothing is sampled */
  char *copies;     /* of that of copies */
  int file, copies_file;
  char *run; /* beginning of the file names for the profiles of runs, which end in their PIDs */
} samples;

/* Returns the name of the file for the profile of PROCESS, for the caller to free.  */
static char *trial_run_samples_name(pid_t process) {
  char *name = NULL;
  if (asprintf(&name, "%s.%d", samples.run, (int)process) < 0)
    fail_without_memory();
  return name;
}

/* Fails if there is a file at PATH that holds no profiles, so that it is not replaced.  An empty file may be
   replaced.  */
static void check_trial_samples_replaceable(const char *path) {
  char start[sizeof CILKPROF_FILE_MAGIC] = "";
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* opening a pipe would block */
  if (file < 0)
    return;
  struct stat status;
  ssize_t size = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? read(file, start, sizeof start - 1) : -1;
  close(file);
  if (size != 0 && strcmp(start, CILKPROF_FILE_MAGIC) != 0)
    fail(path, "it exists and is not a file of samples; remove it, or choose another name with --samples=FILE");
}

/* Creates the file of samples at PATH, in the place of an earlier one.  Returns its descriptor.  Fails if there is
   anything else.  */
static int create_trial_samples(const char *path) {
  check_trial_samples_replaceable(path);
  unlink(path); /* a link is not followed */
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0)
    fail(path, "%s", strerror(errno));
  return file;
}

/* Begins to sample all runs of PROGRAM into the file that OPTIONS name, if they do.  Returns the variable for the
   program's process, without a name if none is needed.  */
struct setting begin_trial_samples(const struct program *program, const struct options *options) {
  char *pattern = NULL;
  if (options->samples == NULL)
    return (struct setting){NULL, NULL};
  if (is_recorded_with_tbb(program, options))
    fail("--samples", "%s is a program of oneTBB, which can only be sampled in a single run: cilkprof run -j N",
         program->name);
  struct setting setting = prepare_recording(program, options);
  samples.file = create_trial_samples(options->samples);
  if (options->copies) {
    if (asprintf(&samples.copies, "%s.copies", options->samples) < 0)
      fail_without_memory();
    samples.copies_file = create_trial_samples(samples.copies);
  }
  close(open_launcher_temporary(&samples.run));
  unlink(samples.run);
  if (asprintf(&pattern, "%s.%%p", samples.run) < 0)
    fail_without_memory();
  set_for_launched_programs(CILKPROF_OUT_TO, pattern);
  free(pattern);
  samples.path = options->samples;
  return setting;
}

/* Adds the profile of the run that has ended, which was PROCESS, to the file, or to that of copies if it is one.  Fails
   if the run has left none, or if the file cannot be written.  */
void add_trial_samples(const struct program *program, pid_t process, bool is_copy) {
  char bytes[1 << 14];
  if (samples.path == NULL)
    return;
  char *name = trial_run_samples_name(process);
  int run = open(name, O_RDONLY | O_CLOEXEC);
  if (run < 0)
    fail(program->name, "a run has left no samples; try a single one: cilkprof run %s", program->name);
  unlink(name);
  for (ssize_t size; (size = read(run, bytes, sizeof bytes)) > 0;)
    if (write(is_copy ? samples.copies_file : samples.file, bytes, (size_t)size) != size)
      fail(is_copy ? samples.copies : samples.path, "%s", strerror(errno));
  close(run);
  free(name);
}

/* Prints the command that shows what was lost, if the runs were sampled.  */
void print_trial_samples_command(void) {
  if (samples.path == NULL)
    return;
  printf("\nTo see what was lost: cilkprof report --efficiency --waste %s%s%s%s\n",
         samples.copies != NULL ? "--copies=" : "", samples.copies != NULL ? samples.copies : "",
         samples.copies != NULL ? " " : "", samples.path);
}
