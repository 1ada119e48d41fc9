/* What-if: the work and span of the program if a candidate were faster.  The program computed them while it ran.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char explanation[] =
    "\n"
    " Every line is the program as it would be if a candidate, a function or a call site with all that it calls, "
    "cost nothing or were faster.  These are no estimates: along with the span the program computed what would be "
    "the longest path then.  It counted instructions: code without instrumentation, as of libraries, costs nothing "
    "here, however long it takes.\n"
    "\n"
    " span       \tthe span of that program, and by how much it is shorter,\n"
    " work       \tits work,\n"
    " parallel   \tits parallelism, work / span.\n"
    " speedup    \twhat so many processors can at most reach with it, over the program as it is on one processor.\n"
    " calls      \tof the candidate, without those below another one of it.\n";

/* The speedups on 2, 4, ... 128 processors are columns from SPEEDUP on.  */
enum { SPAN, LESS, WORK, PARALLEL, SPEEDUP, CALLS = SPEEDUP + 7, NAME, COLUMNS };
static const char speedup[] = "speedup on at most";
static const struct layout_column columns[COLUMNS] = {
    [SPAN] = {NULL, "span", 9, 0},
    [LESS] = {NULL, "falls by", 9, 0},
    [WORK] = {NULL, "work", 9, 6},
    [PARALLEL] = {NULL, "parallel", 9, 9},
    [SPEEDUP] = {speedup, "2", 7, 2},
    [SPEEDUP + 1] = {speedup, "4", 7, 5},
    [SPEEDUP + 2] = {speedup, "8", 7, 8},
    [SPEEDUP + 3] = {speedup, "16", 7, 4},
    [SPEEDUP + 4] = {speedup, "32", 7, 7},
    [SPEEDUP + 5] = {speedup, "64", 7, 3},
    [SPEEDUP + 6] = {speedup, "128", 7, 10},
    [CALLS] = {NULL, "calls", 10, 1},
    [NAME] = {NULL, "", -1, 0},
};
enum { LEAST_ROOM = 30 };

/* Prints a row for WHATIF, or for the unchanged program if it is NULL.  */
static void print_row(const struct layout *layout, struct line *line, const struct model *model,
                      struct whatif_variant variant, const struct cilkprof_whatif *whatif) {
  struct buffer text = {NULL, 0};
  double less = percent_less((double)model->totals.span, variant.span);
  layout_string(layout, line, SPAN, quantity(model, variant.span, 4, "").text);
  layout_string(layout, line, LESS, whatif != NULL ? buffer_print(&text, "%.2f%%", less) : "");
  layout_string(layout, line, WORK, quantity(model, variant.work, 4, "").text);
  layout_string(layout, line, PARALLEL,
                variant.span > 0 ? buffer_print(&text, "%.2f", variant.work / variant.span) : "-");
  for (unsigned i = 0; i < CALLS - SPEEDUP; i++) {
    double faster = variant.span > 0 ? whatif_speedup(model, variant.work, variant.span, 2U << i) : 0;
    layout_string(layout, line, SPEEDUP + i,
                  variant.span > 0 ? buffer_print(&text, "%.*f", faster < 1000 ? 2 : 0, faster) : "-");
  }
  layout_string(layout, line, CALLS, whatif != NULL ? grouped(whatif->count).text : "");
  char *name = escape(whatif != NULL ? whatif->candidate : "as it is");
  if (whatif == NULL)
    layout_name(layout, line, name);
  else if (whatif->faster == 0)
    layout_branch(layout, line, 0, name, " costs nothing");
  else
    layout_branch(layout, line, 0, name,
                  buffer_print(&text, " is %llu times as fast", (unsigned long long)whatif->faster));
  free(name);
  free(text.text);
}

static void print_table(FILE *out, const struct layout *layout, const struct model *model) {
  struct whatif_variant whole = {(double)model->totals.work, (double)model->totals.span};
  struct line line = {.out = out};
  layout_print_headings(out, layout);
  print_row(layout, &line, model, whole, NULL);
  for (size_t i = 0; i < model->whatif_count; i++)
    print_row(layout, &line, model, whatif_variant(&model->whatifs[i]), &model->whatifs[i]);
  line_print(&line);
}

void print_whatif(FILE *out, struct model *model, const struct options *options) {
  if (model->whatif_count == 0 || options->whatif_auto) {
    print_estimates(out, model, options);
    return;
  }
  print_styled(out, options->color, STYLE_TITLE, "What if: the program without a candidate, or with a faster one");
  fputs("\n\n", out);
  struct layout layout = layout_fit(columns, COLUMNS, options->terminal_width, LEAST_ROOM);
  print_table(out, &layout, model);
  putc('\n', out);
  for (size_t i = 0; i < model->whatif_count; i++)
    if (model->whatifs[i].faster == 0) {
      struct finding finding = whatif_judge(model, &model->whatifs[i], options->processors);
      print_finding(out, &finding, options);
    }
  if (options->brief)
    return;
  print_prose(out, explanation, options->terminal_width);
  layout_explain(out, &layout, options->terminal_width);
}
