/* Prints the commands that the user can run to have memory modelled.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/emulation/cachegrind.h"
#include "cilkprof-report/emulation/caches.h"

#define MAX_PARTS 1000 /* sections up to which callgrind may write a part for each */

/* Returns whether to advise the user to run callgrind, which writes a part of its file for each section: there must be
   few enough, and the program must tell where they begin.  */
static bool is_callgrind_part_advised(const struct forecasts *forecasts) {
  double times = 0;
  for (size_t i = 0; i < forecasts->uses.count; i++)
    times += forecasts->uses.sections[i].times;
  return times <= MAX_PARTS && !(forecasts->tree->flags & CILKPROF_TREE_OF_CILK);
}

/* Prints the commands that the user can run to have contention for memory included in forecasts: a calibration, or
   valgrind and a report with its file.  */
void print_advised_memory_commands(FILE *out, const struct model *model, const struct forecasts *forecasts,
                                   const struct options *options) {
  struct cache cache = last_level_cache_to_simulate();
  bool parts = is_callgrind_part_advised(forecasts);
  if (forecasts->uses.source == USES_UNKNOWN && !(forecasts->tree->units_per_second > 0))
    return; /* instructions were counted: their time is unknown */
  fputs("\n To include memory contention:\n\n", out);
  if (!is_memory_contention_calibrated(&forecasts->memory))
    fputs("cilkprof report --calibrate\n", out);
  if (forecasts->uses.source != USES_UNKNOWN)
    return;
  fprintf(out, "CILKPROF_OUT=/dev/null valgrind --tool=%s --cache-sim=yes --LL=%zu,%zu,%zu",
          parts ? "callgrind" : "cachegrind", cache.bytes, cache.ways, cache.line);
  if (parts)
    fputs(" --combine-dumps=yes --dump-before=" SECTION_BEGINS " --dump-before=" SECTION_ENDS
          " --callgrind-out-file=callgrind.out",
          out);
  else
    fputs(" --cachegrind-out-file=cachegrind.out", out);
  for (uint32_t i = 0; i < model->program.argc; i++) {
    putc(' ', out);
    print_advised_command_word(out, model->program.argv[i]);
  }
  fprintf(out, "\ncilkprof report --emulate --cachegrind=%s ", parts ? "callgrind.out" : "cachegrind.out");
  print_advised_command_word(out, options->program != NULL ? options->program : model->program_file->object->path);
  putc(' ', out);
  print_advised_command_word(out, options->profiles[0]);
  putc('\n', out);
}
