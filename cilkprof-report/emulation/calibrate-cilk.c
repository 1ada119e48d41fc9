/* Measures the overheads of a Cilk runtime system on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/emulation/calibrate.h"
#include "cilkprof-report/support/support.h"

__asm__(".pushsection .rodata\n.globl cilk_costs_program\ncilk_costs_program:\n"
        ".incbin \"cilkprof-report/emulation/cilk-costs.txt\"\n.byte 0\n.popsection");
extern const char cilk_costs_program[];

/* Compiles and runs the program.  Returns its output, or NULL if it cannot be compiled or run.  */
static char *measure(const struct outside *outside, const char *compiler, const char *kind, const char *workers,
                     const char *what) {
  char *said = NULL;
  const char *const compile[] = {compiler, "-O2", kind, "cilk-costs.c", "-o", "cilk-costs", NULL};
  const char *const run[] = {"env", workers, "./cilk-costs", what, NULL};
  return outside_run(outside, compile, &said) != NULL ? outside_run(outside, run, &said) : NULL;
}

/* Returns a line with the cost of a spawn: the time that the same recursion takes longer with spawns on one worker.  */
static char *measure_spawn(const struct outside *outside, const char *compiler) {
  char *parallel = measure(outside, compiler, "-fcilkplus", "CILK_NWORKERS=1", "spawns");
  char *serial = measure(outside, compiler, "-fcilkplus=serial", "CILK_NWORKERS=1", "spawns");
  if (parallel == NULL || serial == NULL)
    return format_string("%s", "");
  double more = strtod(parallel, NULL) - strtod(serial, NULL);
  return format_string("spawn %.1f\n", more > 0 ? more : 0);
}

char *measure_cilk(const struct outside *outside) {
  char *compiler = outside_cilk_compiler(outside);
  if (compiler == NULL)
    return format_string("%s", "");
  outside_write_text(outside, "cilk-costs.c", cilk_costs_program);
  char *spawn = measure_spawn(outside, compiler);
  char *steals = measure(outside, compiler, "-fcilkplus", "CILK_NWORKERS=2", "steals");
  return format_string("%s%s", spawn, steals != NULL ? steals : "");
}
