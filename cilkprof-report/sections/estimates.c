/* What-if of a profile that has none: what is known without a second run, and how to make that run.
   SPDX-License-Identifier: GPL-3.0-or-later

   When a call on the span is made to cost nothing, the span falls by no more than the call's own part of it.  How much
   less depends on the next longest path, of which a profile says nothing.  */

#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/terminal.h"

enum { MOST_CANDIDATES = 7 };

static const char explanation[] =
    "\n"
    " Estimates, at best: the span falls by no more than the calls hold of it, with all that they call, but by less\n"
    " where another path is nearly as long.  A run of the program that was compiled with -fcilkprof=whatif finds out\n"
    " exactly; the options with which the program is compiled otherwise stay as they are:\n"
    "\n";

static void print_row(FILE *out, const struct model *model, double span, double work, const char *what) {
  fprintf(out, "%9s", quantity(model, span, 4, "").text);
  if (what != NULL)
    fprintf(out, " %8.2f%%", 100 * (1 - span / (double)model->totals.span));
  else
    fprintf(out, " %9s", "");
  fprintf(out, " %9s %9s  ", quantity(model, work, 4, "").text, parallelism((uint64_t)work, (uint64_t)span).text);
  if (what != NULL)
    fprintf(out, "without the calls at %s\n", what);
  else
    fputs("as it is\n", out);
}

void print_estimates(FILE *out, struct model *model, const struct options *options) {
  struct candidate candidates[MOST_CANDIDATES];
  size_t count = whatif_candidates(model, candidates, MOST_CANDIDATES);
  double work = (double)model->totals.work, span = (double)model->totals.span;
  if (options->whatif_auto && count > 0) {
    print_whatif_commands(out, model, options, candidates, count);
    return;
  }
  print_styled(out, options->color, STYLE_TITLE, "What if: estimates");
  fputs("\n\n", out);
  if (model->program.flags & CILKPROF_NO_ON_SPAN) {
    fputs("  What is on the span was not recorded: the run did not reach its end, or memory ran out.\n", out);
    return;
  }
  if (count == 0) {
    fputs("  No call site holds a part of the span that it would be worth asking for.\n", out);
    return;
  }
  fputs("     span  falls by      work  parallel\n", out);
  print_row(out, model, span, work, NULL);
  for (size_t i = 0; i < count; i++) {
    const struct annotation *line = &candidates[i].line;
    print_row(out, model, span - (double)line->on_span.span, work - (double)line->on_work.work, candidates[i].name);
  }
  if (options->brief)
    return;
  fputs(explanation, out);
  print_whatif_commands(out, model, options, candidates, count);
}
