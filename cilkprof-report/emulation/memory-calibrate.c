/* Measures the memory traffic of threads on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/emulation/caches.h"
#include "cilkprof-report/emulation/calibrate.h"
#include "cilkprof-report/support/support.h"

__asm__(".pushsection .rodata\n.globl memory_benchmark\nmemory_benchmark:\n"
        ".incbin \"cilkprof-report/emulation/memory-benchmark.txt\"\n.byte 0\n.popsection");
extern const char memory_benchmark[];

enum { MAX_POINTS = 256 };

/* Reads POINTS from TEXT, the output of the benchmark that measures contention for memory.  Returns their number.  */
static size_t read_memory_calibration_points(const char *text, struct memory_point points[MAX_POINTS]) {
  size_t count = 0;
  for (const char *at = text; count < MAX_POINTS && *at != 0; at = strchr(at, '\n') + 1) {
    struct memory_point *point = &points[count];
    count += sscanf(at, "%u %u %lf %lf", &point->threads, &point->level, &point->traffic, &point->wait) == 4;
    if (strchr(at, '\n') == NULL)
      break;
  }
  return count;
}

/* Runs the benchmark of memory on this machine, and returns the parameters of contention that fit it.  If that is not
   possible, returns none, and *SAID tells why.  */
struct memory_machine calibrate_memory_contention(const struct outside *outside, char **said) {
  struct cache cache = last_level_cache_to_simulate();
  struct memory_point points[MAX_POINTS];
  FILE *file = create_emulation_scratch_file(outside, "memory.c");
  fputs(memory_benchmark, file);
  close_emulation_scratch_file(file);
  char *bytes = format_string("%zu", cache.bytes), *line = format_string("%zu", cache.line);
  const char *const compile[] = {emulation_scratch_compiler(), "-O2", "-fopenmp", "memory.c", "-o", "memory", NULL};
  const char *const run[] = {"env", "OMP_PROC_BIND=true", "./memory", bytes, line, NULL};
  char *text = run_emulation_scratch_command(outside, compile, said) != NULL
                   ? run_emulation_scratch_command(outside, run, said)
                   : NULL;
  struct memory_machine machine = {0};
  if (text != NULL)
    machine = fit_memory_contention(points, read_memory_calibration_points(text, points), (double)cache.line);
  free(text);
  free(bytes);
  free(line);
  return machine;
}

/* Prints the parameters of contention for memory that --calibrate has measured, with explanations for the user.  Prints
   nothing if they are unknown.  */
void print_memory_calibration(FILE *out, const struct memory_machine *machine) {
  if (!is_memory_contention_calibrated(machine))
    return;
  fprintf(out, "%-10s %8.1f B   what a miss of the last-level cache brings\n", "line", machine->line);
  fprintf(out, "%-10s %g:%.3f:%.0f  ns that a miss waits: the first times MB/s to the power of the second\n", "phi",
          machine->wait, machine->exponent, machine->least);
  for (size_t i = 0; i < machine->fit_count; i++)
    fprintf(out, "psi%-7u %s:%g:%g  MB/s of %u threads together, from those of one\n", machine->fits[i].threads,
            machine->fits[i].logarithmic ? "log" : "linear", machine->fits[i].slope, machine->fits[i].offset,
            machine->fits[i].threads);
}
