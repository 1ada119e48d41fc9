/* The run that is profiled, and whether another one would be better.
   SPDX-License-Identifier: MIT

   A program's work is that of long strands, whose time is known, and of short ones, whose time is counted or learnt.
   Where the sum is not what the reference runs took, it is the short ones that are wrong.  The profile cannot be put
   right afterwards: which path is the longest depends on it.  So the program is run once more with what was found out.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/reference.h"

/* Less than a tenth does not matter, and more than eight times is no correction.  Long strands may be few: where the
   rest is parallel, they are most of the span.  */
enum { PART = 10, MOST = 8, FEW = 10000 };

static bool read_measured(int file, double *all_ns, double *long_ns) {
  char text[64] = "";
  return pread(file, text, sizeof text - 1, 0) > 0 && sscanf(text, "%lf %lf", all_ns, long_ns) == 2;
}

/* What long strands are to be worth beside the short ones, so that all that was measured is what the reference took;
   CILKPROF_TIMED_SCALE: what they took, as it is or no correction is to be had.  */
static uint64_t scale_for(double reference_ns, double all_ns, double long_ns) {
  double short_ns = all_ns - long_ns, factor = (reference_ns - long_ns) / short_ns;
  if (long_ns * FEW < all_ns || short_ns * PART < all_ns || factor * MOST < 1 || factor > MOST ||
      (factor > 1 - 1. / PART && factor < 1 + 1. / PART))
    return CILKPROF_TIMED_SCALE;
  return (uint64_t)(CILKPROF_TIMED_SCALE / factor);
}

static char *setting_value(unsigned runs, const struct cilkprof_usage *best, uint64_t scale, const char *path) {
  char *value = NULL;
  if (asprintf(&value, "%u " CILKPROF_USAGE_WRITE " %" PRIu64 " %s", runs, best->cpu_ns, best->system_ns,
               best->minor_faults, best->major_faults, scale, path) < 0)
    fail("memory", "none is left");
  return value;
}

/* Once more, in silence.  It does not read what can be read only once, or there would be no reference.  */
static void run_again(const struct program *program, const char *value) {
  bool once = input_kind() == INPUT_ONCE;
  struct streams streams = {.input = once ? input_bait() : -1, .silent = true};
  input_rewind();
  run(program, (struct setting){CILKPROF_REFERENCE, value}, &streams);
  if (once)
    input_bait_taken(streams.input);
}

int measured_run(const struct program *program, unsigned runs, const struct cilkprof_usage *best) {
  const struct streams streams = {.input = -1};
  double all_ns, long_ns;
  char *path = NULL;
  if (runs == 0)
    return run(program, (struct setting){0}, &streams);
  int file = make_file(&path);
  char *value = setting_value(runs, best, CILKPROF_TIMED_SCALE, path);
  int status = run(program, (struct setting){CILKPROF_REFERENCE, value}, &streams);
  free(value);
  if (status == 0 && !run_interrupted() && read_measured(file, &all_ns, &long_ns)) {
    uint64_t scale = scale_for((double)best->cpu_ns, all_ns, long_ns);
    value = setting_value(runs, best, scale, path);
    if (scale != CILKPROF_TIMED_SCALE)
      run_again(program, value);
    free(value);
  }
  unlink(path);
  close(file);
  free(path);
  return status;
}
