/* The what-if section for a profile without what-ifs: estimates, and the commands for a run that computes them.
   SPDX-License-Identifier: GPL-3.0-or-later

   If a call on the span cost nothing, the span would fall by at most the call's part of it.  It may fall by less, which
   depends on the next longest path.  A profile has no data about that path.  */

#include <stdlib.h>
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

enum { MAX_CANDIDATES = 7 };

static const char explanation[] = "\n Upper limits: the span falls by at most the share of the calls with their "
                                  "callees, and by less where another path is nearly as long.  A build with "
                                  "-fcilkprof=whatif computes it exactly; keep the other options of your build:\n\n";

enum { SPAN, LESS, WORK, PARALLEL, NAME, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [SPAN] = {NULL, "span", 9, 0},         [LESS] = {NULL, "falls by", 9, 0}, [WORK] = {NULL, "work", 9, 1},
    [PARALLEL] = {NULL, "parallel", 9, 0}, [NAME] = {NULL, "", -1, 0},
};
enum { LEAST_ROOM = 36 };

/* Adds the row of a program with WORK and SPAN to the line, without the calls at the source location WHAT, or as it is
   if WHAT is NULL.  */
static void print_whatif_estimate_row(const struct layout *layout, struct line *line, const struct model *model,
                                      double span, double work, const char *what) {
  struct buffer text = {NULL, 0};
  double less = 100 * (1 - span / (double)model->totals.span);
  layout_string_cell(layout, line, SPAN, model_quantity(model, span, 4, "").text);
  layout_string_cell(layout, line, LESS, what != NULL ? buffer_print(&text, "%.2f%%", less) : "");
  layout_string_cell(layout, line, WORK, model_quantity(model, work, 4, "").text);
  layout_string_cell(layout, line, PARALLEL, model_parallelism_text((uint64_t)work, (uint64_t)span).text);
  layout_name_cell(layout, line, what != NULL ? buffer_print(&text, "without the calls at %s", what) : "as it is");
  free(text.text);
}

/* Prints estimates of what the program would gain without some calls, from a profile that has no what-ifs, and the
   commands for a run that finds out.  With --whatif=auto it prints only the commands.  */
void print_whatif_estimates(FILE *out, struct model *model, const struct options *options) {
  struct candidate candidates[MAX_CANDIDATES];
  size_t count = find_whatif_suggestions(model, candidates, MAX_CANDIDATES);
  double work = (double)model->totals.work, span = (double)model->totals.span;
  if (options->whatif_auto && count > 0) {
    print_advised_whatif_commands(out, model, options, candidates, count);
    return;
  }
  print_styled(out, options->color, STYLE_TITLE, "What if: estimates");
  fputs("\n\n", out);
  if (model->program.flags & CILKPROF_NO_ON_SPAN) {
    print_prose(out, "  The critical path was not recorded: the program did not finish, or memory ran out.\n",
                options->terminal_width);
    return;
  }
  if (count == 0) {
    fputs("  No call site has a share of the span that is worth asking about.\n", out);
    return;
  }
  struct layout layout = layout_fit_columns(columns, COLUMNS, options->terminal_width, LEAST_ROOM);
  struct line row = {.out = out};
  layout_print_headings(out, &layout);
  print_whatif_estimate_row(&layout, &row, model, span, work, NULL);
  for (size_t i = 0; i < count; i++) {
    const struct annotation *line = &candidates[i].line;
    print_whatif_estimate_row(&layout, &row, model, span - (double)line->on_span.span,
                              work - (double)line->on_work.work, candidates[i].name);
  }
  line_flush(&row);
  if (options->brief)
    return;
  print_prose(out, explanation, options->terminal_width);
  print_advised_whatif_commands(out, model, options, candidates, count);
}
