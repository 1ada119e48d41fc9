/* The samples of all runs of a trial, in one file: their profiles, one after the other.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmt/layout.h"
#include "libcilkprof/launcher/trials.h"

static struct {
  const char *path; /* of the file; NULL: nothing is sampled */
  int file;
  char *run; /* file for the profile of a run */
} samples;

/* Removes the file for the profile of a run, when cilkprof-run exits.  */
static void remove_trial_run_samples(void) {
  unlink(samples.run);
}

/* Fails if there is a file at PATH that holds no profiles, so that it is not replaced.  An empty file may be
   replaced.  */
static void check_trial_samples_replaceable(const char *path) {
  char start[sizeof CILKPROF_FILE_MAGIC] = "";
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  struct stat status;
  ssize_t size = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? read(file, start, sizeof start - 1) : -1;
  close(file);
  if (size != 0 && strcmp(start, CILKPROF_FILE_MAGIC) != 0)
    fail(path, "it exists and is not a file of samples; remove it, or choose another name with --samples=FILE");
}

/* Begins to sample all runs of PROGRAM into the file that OPTIONS name, if they do.  Returns the variable for the
   program's process, without a name if none is needed.  */
struct setting begin_trial_samples(const struct program *program, const struct options *options) {
  if (options->samples == NULL)
    return (struct setting){NULL, NULL};
  struct setting setting = prepare_recording(program, options);
  check_trial_samples_replaceable(options->samples);
  samples.file = open(options->samples, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (samples.file < 0)
    fail(options->samples, "%s", strerror(errno));
  close(open_launcher_temporary(&samples.run));
  unlink(samples.run); /* a run that leaves none is noticed */
  atexit(remove_trial_run_samples);
  if (setenv("CILKPROF_OUT", samples.run, 1) < 0)
    fail_without_memory();
  samples.path = options->samples;
  return setting;
}

/* Adds the profile of the run that has ended to the file.  Fails if the run has left none, or if the file cannot be
   written.  */
void add_trial_samples(const struct program *program) {
  char bytes[1 << 14];
  if (samples.path == NULL)
    return;
  int run = open(samples.run, O_RDONLY | O_CLOEXEC);
  if (run < 0)
    fail(program->name, "a run has left no samples; try a single one: cilkprof-run %s", program->name);
  for (ssize_t size; (size = read(run, bytes, sizeof bytes)) > 0;)
    if (write(samples.file, bytes, (size_t)size) != size)
      fail(samples.path, "%s", strerror(errno));
  close(run);
  unlink(samples.run);
}

/* Returns the file of the samples, or NULL if nothing is sampled.  */
const char *trial_samples_path(void) {
  return samples.path;
}
