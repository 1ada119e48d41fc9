/* The oracle: what a profile must say, from a trace of the same run.
   SPDX-License-Identifier: MIT

     oracle TRACED-PROGRAM TRACE [PROFILE]

   Without a profile, prints the measurements.  With one, prints every difference and fails if there is any.  As the
   engine does, it takes the burden and the number of workers from CILKPROF_BURDEN and CILKPROF_LOOP_WORKERS, what to
   make faster from CILKPROF_WHATIF, and computes calling contexts where CILKPROF_CONTEXTS asks for them.  It shares no
   code with the engine, and no algorithm: it has the whole dag in memory.  */

#include <stdio.h>
#include <stdlib.h>

#include "test/oracle/measure.h"

static uint64_t from_environment(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

int main(int argc, char *argv[]) {
  if (argc != 3 && argc != 4)
    fail("usage: oracle TRACED-PROGRAM TRACE [PROFILE]");
  FILE *trace = fopen(argv[2], "r");
  if (!trace)
    fail("%s: cannot be opened", argv[2]);
  struct run run = {0};
  struct table wanted = {0}, got = {0};
  int differences = 0;
  run_read(&run, trace, from_environment("CILKPROF_LOOP_WORKERS", 128));
  fclose(trace);
  measure(&wanted, &run, argv[1], from_environment("CILKPROF_BURDEN", 15000),
          from_environment("CILKPROF_CONTEXTS", 0) != 0);
  measure_whatifs(&wanted, &run);
  table_sort(&wanted);
  if (argc == 4) {
    profile_read(&got, argv[3]);
    table_sort(&got);
    if (run.openmp) {
      table_keep_path(&wanted);
      table_keep_path(&got);
    }
    differences = table_compare(&wanted, &got);
  } else
    table_print(&wanted);
  table_free(&wanted);
  table_free(&got);
  run_free(&run);
  return differences != 0;
}
