/* The sum of the profiles, written to a file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/sections/sections.h"

/* Writes the sum of the profiles to cilkprof.sum or, if nothing else is requested, to the file of --output.  Nothing is
   printed to OUT.  */
void print_sum(FILE *out, const struct input *input, const struct options *options) {
  bool is_output = options_want_only(options, TAKES_OUTPUT) && options->output != NULL;
  (void)out;
  write_model_sum(input, is_output ? options->output : "cilkprof.sum", options->force);
}
