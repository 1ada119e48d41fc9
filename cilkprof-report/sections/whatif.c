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
    "\n Each line is the program as it would be if a candidate, a function or call site with its callees, cost nothing "
    "or were faster.  These are not estimates: the program computed the critical path for each case.  It counted "
    "instructions: uninstrumented code, such as libraries, costs nothing here, however long it takes.\n\n span       "
    "\tthe span of that program, and by how much it is shorter,\n work       \tits work,\n parallel   \tits "
    "parallelism, work / span.\n speedup    \tthe largest possible speedup on P processors, over the program as it is "
    "on one.\n calls      \tof the candidate, without recursive ones.\n";

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

/* Adds the row of the program with WHATIF, which has the work and span of VARIANT, to the line; NULL is the unchanged
   program.  */
static void print_whatif_row(const struct layout *layout, struct line *line, const struct model *model,
                             struct judged_whatif_variant variant, const struct cilkprof_whatif *whatif) {
  struct buffer text = {NULL, 0};
  double less = judged_whatif_percent_less((double)model->totals.span, variant.span);
  layout_string_cell(layout, line, SPAN, model_quantity(model, variant.span, 4, "").text);
  layout_string_cell(layout, line, LESS, whatif != NULL ? buffer_print(&text, "%.2f%%", less) : "");
  layout_string_cell(layout, line, WORK, model_quantity(model, variant.work, 4, "").text);
  layout_string_cell(layout, line, PARALLEL,
                     variant.span > 0 ? buffer_print(&text, "%.2f", variant.work / variant.span) : "-");
  for (unsigned i = 0; i < CALLS - SPEEDUP; i++) {
    double faster = variant.span > 0 ? whatif_speedup(model, variant.work, variant.span, 2U << i) : 0;
    layout_string_cell(layout, line, SPEEDUP + i,
                       variant.span > 0 ? buffer_print(&text, "%.*f", faster < 1000 ? 2 : 0, faster) : "-");
  }
  layout_string_cell(layout, line, CALLS, whatif != NULL ? model_grouped_number(whatif->count).text : "");
  char *name = escape(whatif != NULL ? whatif->candidate : "as it is");
  if (whatif == NULL)
    layout_name_cell(layout, line, name);
  else if (whatif->faster == 0)
    layout_branch_cell(layout, line, 0, name, " costs nothing");
  else
    layout_branch_cell(layout, line, 0, name,
                       buffer_print(&text, " is %llu times as fast", (unsigned long long)whatif->faster));
  free(name);
  free(text.text);
}

/* Prints the table of what-ifs, below a row for the unchanged program.  */
static void print_whatif_table(FILE *out, const struct layout *layout, const struct model *model) {
  struct judged_whatif_variant whole = {(double)model->totals.work, (double)model->totals.span};
  struct line line = {.out = out};
  layout_print_headings(out, layout);
  print_whatif_row(layout, &line, model, whole, NULL);
  for (size_t i = 0; i < model->whatif_count; i++)
    print_whatif_row(layout, &line, model, judged_whatif_variant(&model->whatifs[i]), &model->whatifs[i]);
  line_flush(&line);
}

/* Prints the section of --whatif: the program as it would be if candidates were faster, with a finding for each, or
   estimates if the profile has no what-ifs.  */
void print_whatif(FILE *out, struct model *model, const struct options *options) {
  if (model->whatif_count == 0 || options->whatif_auto) {
    print_whatif_estimates(out, model, options);
    return;
  }
  print_styled(out, options->color, STYLE_TITLE, "What if: the program without a candidate, or with a faster one");
  fputs("\n\n", out);
  struct layout layout = layout_fit_columns(columns, COLUMNS, options->terminal_width, LEAST_ROOM);
  print_whatif_table(out, &layout, model);
  putc('\n', out);
  for (size_t i = 0; i < model->whatif_count; i++)
    if (model->whatifs[i].faster == 0) {
      struct finding finding = judge_whatif(model, &model->whatifs[i], options->processors);
      print_verdict_finding(out, &finding, options);
    }
  if (options->brief)
    return;
  print_prose(out, explanation, options->terminal_width);
  explain_omitted_table_columns(out, &layout, options->terminal_width);
}
