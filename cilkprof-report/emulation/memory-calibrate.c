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

enum { MOST_POINTS = 256 };

/* Reads the output of the benchmark.  Returns the number of points.  */
static size_t read_points(const char *text, struct memory_point points[MOST_POINTS]) {
  size_t count = 0;
  for (const char *at = text; count < MOST_POINTS && *at != 0; at = strchr(at, '\n') + 1) {
    struct memory_point *point = &points[count];
    count += sscanf(at, "%u %u %lf %lf", &point->threads, &point->level, &point->traffic, &point->wait) == 4;
    if (strchr(at, '\n') == NULL)
      break;
  }
  return count;
}

struct memory_machine measure_memory(const struct outside *outside, char **said) {
  struct cache cache = last_level_cache();
  struct memory_point points[MOST_POINTS];
  FILE *file = outside_write(outside, "memory.c");
  fputs(memory_benchmark, file);
  outside_written(file);
  char *bytes = format_string("%zu", cache.bytes), *line = format_string("%zu", cache.line);
  const char *const compile[] = {outside_compiler(), "-O2", "-fopenmp", "memory.c", "-o", "memory", NULL};
  const char *const run[] = {"env", "OMP_PROC_BIND=true", "./memory", bytes, line, NULL};
  char *text = outside_run(outside, compile, said) != NULL ? outside_run(outside, run, said) : NULL;
  struct memory_machine machine = {0};
  if (text != NULL)
    machine = memory_fit(points, read_points(text, points), (double)cache.line);
  free(text);
  free(bytes);
  free(line);
  return machine;
}

void print_memory(FILE *out, const struct memory_machine *machine) {
  if (!memory_machine_known(machine))
    return;
  fprintf(out, "%-10s %8.1f B   what a miss of the last-level cache brings\n", "line", machine->line);
  fprintf(out, "%-10s %g:%.3f:%.0f  ns that a miss waits: the first times MB/s to the power of the second\n", "phi",
          machine->wait, machine->exponent, machine->least);
  for (size_t i = 0; i < machine->fit_count; i++)
    fprintf(out, "psi%-7u %s:%g:%g  MB/s of %u threads together, from those of one\n", machine->fits[i].threads,
            machine->fits[i].logarithmic ? "log" : "linear", machine->fits[i].slope, machine->fits[i].offset,
            machine->fits[i].threads);
}
