/* Measures the overheads of a Cilk runtime system on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/emulation/calibrate.h"
#include "cilkprof-report/support/support.h"

__asm__(".pushsection .rodata\n.globl cilk_costs_program\ncilk_costs_program:\n"
        ".incbin \"cilkprof-report/emulation/cilk-costs.txt\"\n.byte 0\n.popsection");
extern const char cilk_costs_program[];

/* Compiles the program that measures overheads of Cilk with the option KIND, and runs it with WHAT as its argument and
   WORKERS in the environment.  Returns its output, or NULL if it cannot be compiled or run.  */
static char *run_cilk_overhead_calibration(const struct outside *outside, const char *compiler, const char *kind,
                                           const char *workers, const char *what) {
  char *said = NULL;
  const char *const compile[] = {compiler, "-O2", kind, "cilk-costs.c", "-o", "cilk-costs", NULL};
  const char *const run[] = {"env", workers, "./cilk-costs", what, NULL};
  return run_emulation_scratch_command(outside, compile, &said) != NULL
             ? run_emulation_scratch_command(outside, run, &said)
             : NULL;
}

/* Returns a line with the cost of a spawn in nanoseconds: the time that the same recursion takes longer with spawns on
   one worker.  The line is empty if it cannot be measured.  */
static char *calibrate_cilk_spawn_overhead(const struct outside *outside, const char *compiler) {
  char *parallel = run_cilk_overhead_calibration(outside, compiler, "-fcilkplus", "CILK_NWORKERS=1", "spawns");
  char *serial = run_cilk_overhead_calibration(outside, compiler, "-fcilkplus=serial", "CILK_NWORKERS=1", "spawns");
  if (parallel == NULL || serial == NULL)
    return format_string("%s", "");
  double more = strtod(parallel, NULL) - strtod(serial, NULL);
  return format_string("spawn %.1f\n", more > 0 ? more : 0);
}

/* Returns a line with name and nanoseconds for each overhead of Cilk that could be measured; nothing if Cilk is not
   installed.  */
char *calibrate_cilk_overheads(const struct outside *outside) {
  char *compiler = emulation_scratch_cilk_compiler(outside);
  if (compiler == NULL)
    return format_string("%s", "");
  write_emulation_scratch_text(outside, "cilk-costs.c", cilk_costs_program);
  char *spawn = calibrate_cilk_spawn_overhead(outside, compiler);
  char *steals = run_cilk_overhead_calibration(outside, compiler, "-fcilkplus", "CILK_NWORKERS=2", "steals");
  return format_string("%s%s", spawn, steals != NULL ? steals : "");
}
