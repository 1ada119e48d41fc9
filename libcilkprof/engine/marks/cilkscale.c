/* Cilkscale's lines of comma-separated values.  Only these are ever printed to standard output, because the program
   asks for them (wsp_dump of cilk/cilkscale.h).
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/time/clock.h"

extern EXPORT void __cilkprof_api_dump(const char *tag, uint64_t work, uint64_t span, uint64_t burdened_span);

/* Returns the file for Cilkscale's lines: standard output, or the file that CILKSCALE_OUT names.  Prints the header
   before the first line.  */
static FILE *open_cilkscale_output(void) {
  static FILE *output;
  if (output)
    return output;
  const char *name = secure_getenv("CILKSCALE_OUT");
  output = name && *name ? fopen(name, "we") : stdout;
  if (!output) {
    __cilkprof_say(name, strerror(errno), "wsp_dump prints to standard output");
    output = stdout;
  }
  const char *unit = ENGINE.mode == CILKPROF_MODE_COUNT ? "instructions" : "seconds";
  fprintf(output, "tag,work (%s),span (%s),parallelism,burdened_span (%s),burdened_parallelism\n", unit, unit, unit);
  return output;
}

/* Returns WORK divided by SPAN, the parallelism; 0 if SPAN is 0.  */
static double cilkscale_parallelism(uint64_t work, uint64_t span) {
  return span ? (double)work / (double)span : 0;
}

/* Prints a line of Cilkscale's values with TAG: in seconds, or in instructions in count mode.  */
static void print_cilkscale_line(const char *tag, uint64_t work, uint64_t span, uint64_t burdened_span) {
  FILE *output = open_cilkscale_output();
  uint64_t units_per_second = __cilkprof_units_per_second();
  double unit = units_per_second ? 1 / (double)units_per_second : 1;
  fprintf(output, "%s,%.10g,%.10g,%g,%.10g,%g\n", tag, (double)work * unit, (double)span * unit,
          cilkscale_parallelism(work, span), (double)burdened_span * unit, cilkscale_parallelism(work, burdened_span));
  if (output != stdout)
    fflush(output);
}

/* Prints Cilkscale's line for TAG, and adds its values to the region with the label TAG, for wsp_dump of
   cilk/cilkscale.h.  */
void __cilkprof_api_dump(const char *tag, uint64_t work, uint64_t span, uint64_t burdened_span) {
  if (!__cilkprof_api_begins())
    return;
  int error = errno;
  print_cilkscale_line(tag ? tag : "", work, span, burdened_span);
  __cilkprof_region_add(tag, work, span, burdened_span);
  errno = error;
  __cilkprof_api_ends();
}
