/* What-if: work and span as they would be, which the program computed while it ran.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char explanation[] =
    "\n"
    " Every line is the program as it would be if a candidate, a function or a call site with all that it calls, cost\n"
    " nothing or were faster.  These are no estimates: along with the span the program computed what would be the\n"
    " longest path then.  It counted instructions: code without instrumentation, as of libraries, costs nothing here,\n"
    " however long it takes.\n"
    "\n"
    " span       the span of that program, and by how much it is shorter,\n"
    " work       its work,\n"
    " parallel   its parallelism, work / span.\n"
    " speedup    what so many processors can at most reach with it, over the program as it is on one processor.\n"
    " calls      of the candidate, without those below another one of it.\n";

static void print_numbers(FILE *out, const struct model *model, struct whatif_variant variant, bool changed) {
  fprintf(out, "%9s", quantity(model, variant.span, 4, "").text);
  if (changed)
    fprintf(out, " %8.2f%%", percent_less((double)model->totals.span, variant.span));
  else
    fprintf(out, " %9s", "");
  fprintf(out, " %9s", quantity(model, variant.work, 4, "").text);
  if (variant.span > 0)
    fprintf(out, " %9.2f", variant.work / variant.span);
  else
    fprintf(out, " %9s", "-");
  for (unsigned processors = 2; processors <= 128; processors *= 2)
    if (variant.span > 0)
      fprintf(out, " %7.2f", whatif_speedup(model, variant.work, variant.span, processors));
    else
      fprintf(out, " %7s", "-");
}

static void print_table(FILE *out, const struct model *model) {
  struct whatif_variant whole = {(double)model->totals.work, (double)model->totals.span};
  fprintf(out, "%39s  speedup on at most\n", "");
  fputs("     span  falls by      work  parallel       2       4       8      16      32      64     128      calls\n",
        out);
  print_numbers(out, model, whole, false);
  fprintf(out, " %10s  as it is\n", "");
  for (size_t i = 0; i < model->whatif_count; i++) {
    const struct cilkprof_whatif *whatif = &model->whatifs[i];
    char *name = escape(whatif->candidate);
    print_numbers(out, model, whatif_variant(whatif), true);
    fprintf(out, " %10s  ", grouped(whatif->count).text);
    if (whatif->faster == 0)
      fprintf(out, "%s costs nothing\n", name);
    else
      fprintf(out, "%s is %llu times as fast\n", name, (unsigned long long)whatif->faster);
  }
}

void print_whatif(FILE *out, struct model *model, const struct options *options) {
  if (model->whatif_count == 0 || options->whatif_auto) {
    print_estimates(out, model, options);
    return;
  }
  print_styled(out, options->color, STYLE_TITLE, "What if: the program without a candidate, or with a faster one");
  fputs("\n\n", out);
  print_table(out, model);
  putc('\n', out);
  for (size_t i = 0; i < model->whatif_count; i++)
    if (model->whatifs[i].faster == 0) {
      struct finding finding = whatif_judge(model, &model->whatifs[i], options->processors);
      print_finding(out, &finding, options);
    }
  if (!options->brief)
    fputs(explanation, out);
}
