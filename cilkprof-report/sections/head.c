/* The head of a report about a root, not the whole program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

/* Prints the lines above the first section of a report about a root: its name, how often it was invoked, and its share
   of the work.  */
void print_report_head(FILE *out, const struct model *model, const struct options *options) {
  char *name = escape(model->root);
  char *text = format_string(
      " %s invocation%s, %sprofiled as a program of its own, with %.2f%% of the work of the run.",
      model_grouped_number(model->invocations).text, model_plural_ending(model->invocations),
      model->invocations > 1 ? "each " : "", model_percent_of_whole(model->totals.work, model_run_work(model)));
  print_styled(out, options->color, STYLE_TITLE, "Profile of %s:", name);
  print_prose_words(out, text, strlen("Profile of :") + strlen(name), 2, options->terminal_width);
  putc('\n', out);
  free(name);
  free(text);
}
