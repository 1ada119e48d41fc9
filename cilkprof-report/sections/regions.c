/* The regions that the program marked, and the strands that it named.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/model/regions.h"
#include <stdlib.h>
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char region_explanation[] =
    "\n A region is what the program did between cilkprof_start and cilkprof_stop, summed over all times; nested "
    "regions of the same label count as one.  A mutex or OpenMP lock is a region, too: what was done while it was "
    "held.\n\n work       \tits cost on one processor,\n span       \tand on any number of them,\n burdened   \tthe "
    "latter with the cost of moving work between processors.\n parallel   \twork / span.\n speedup    \tthe range on "
    "that many processors, if the program does nothing else meanwhile.\n";

static const char strand_explanation[] =
    "\n"
    " A named strand is part of a function's own code, without callees, from cilkprof_strand on.\n";

/* The speedups on 2, 8, 32 and 128 processors are columns from SPEEDUP on.  */
enum { WORK, SPAN, BURDENED, PARALLEL, SPEEDUP, PASSES = SPEEDUP + 4, NAME, COLUMNS };
static const char speedup[] = "speedup on";
static const struct layout_column columns[COLUMNS] = {
    [WORK] = {NULL, "work", 9, 0},          [SPAN] = {NULL, "span", 9, 0},
    [BURDENED] = {NULL, "burdened", 9, 1},  [PARALLEL] = {NULL, "parallel", 9, 0},
    [SPEEDUP] = {speedup, "2", 15, 3},      [SPEEDUP + 1] = {speedup, "8", 15, 5},
    [SPEEDUP + 2] = {speedup, "32", 15, 4}, [SPEEDUP + 3] = {speedup, "128", 15, 6},
    [PASSES] = {NULL, "passes", 10, 2},     [NAME] = {NULL, "region", -1, 0},
};
enum { STRAND_WORK, STRAND_SHARE, STRAND_PASSES, STRAND_NAME, STRAND_COLUMNS };
static const struct layout_column strand_columns[STRAND_COLUMNS] = {
    [STRAND_WORK] = {NULL, "work", 9, 0},
    [STRAND_SHARE] = {NULL, "of all", 8, 0},
    [STRAND_PASSES] = {NULL, "passes", 10, 1},
    [STRAND_NAME] = {NULL, "strand", -1, 0},
};
enum { LEAST_ROOM = 24 };

/* Adds the label of a region or strand to the line, with a remark if it was not measured every time.  */
static void print_region_label(const struct layout *layout, struct line *line, const struct cilkprof_region *region) {
  char *label = escape(region->label);
  layout_branch_cell(layout, line, 0, label, model_region_is_partial(region) ? " (not measured every time)" : "");
  free(label);
}

/* Adds the bounds of the speedup of a region with cost TOTAL on so many processors to the line, as the cell of column
   PLACE.  */
static void print_region_bounds(const struct layout *layout, struct line *line, size_t place,
                                const struct cilkprof_measure *total, unsigned processors) {
  struct cilkprof_totals totals = {.work = total->work, .span = total->span, .burdened_span = total->burdened_span};
  const struct speedup_limits limits = speedup_bounds_of_totals(&totals);
  struct quantity text = {"-"};
  if (total->span > 0)
    snprintf(text.text, sizeof text.text, "%6.2f - %6.2f", speedup_lower_bound(&limits, processors),
             speedup_upper_bound(&limits, processors));
  layout_string_cell(layout, line, place, text.text);
}

/* Adds the row of a region to the line: work, spans, parallelism, bounds of the speedup and its label.  */
static void print_region_row(const struct layout *layout, struct line *line, const struct model *model,
                             const struct cilkprof_region *region) {
  const struct cilkprof_measure *total = &region->total;
  layout_string_cell(layout, line, WORK, model_quantity(model, (double)total->work, 4, "").text);
  layout_string_cell(layout, line, SPAN, model_quantity(model, (double)total->span, 4, "").text);
  layout_string_cell(layout, line, BURDENED, model_quantity(model, (double)total->burdened_span, 4, "").text);
  layout_string_cell(layout, line, PARALLEL, model_parallelism_text(total->work, total->span).text);
  for (unsigned i = 0; i < PASSES - SPEEDUP; i++)
    print_region_bounds(layout, line, SPEEDUP + i, total, 2U << 2 * i);
  layout_string_cell(layout, line, PASSES, model_grouped_number(total->count).text);
  print_region_label(layout, line, region);
}

/* Adds the row of a named strand to the line: its work, its share of the program's work, and its label.  */
static void print_strand_row(const struct layout *layout, struct line *line, const struct model *model,
                             const struct cilkprof_region *strand) {
  struct quantity share;
  snprintf(share.text, sizeof share.text, "%.2f%%", model_percent_of_whole(strand->total.work, model->totals.work));
  layout_string_cell(layout, line, STRAND_WORK, model_quantity(model, (double)strand->total.work, 4, "").text);
  layout_string_cell(layout, line, STRAND_SHARE, share.text);
  layout_string_cell(layout, line, STRAND_PASSES, model_grouped_number(strand->total.count).text);
  print_region_label(layout, line, strand);
}

/* Prints the table of the regions that the program marked or, if STRANDS is true, of the strands that it named.  */
static void print_region_table(FILE *out, const struct model *model, bool strands, const struct options *options) {
  struct layout layout =
      layout_fit_columns(strands ? strand_columns : columns, strands ? (int)STRAND_COLUMNS : (int)COLUMNS,
                         options->terminal_width, LEAST_ROOM);
  struct line line = {.out = out};
  print_styled(out, options->color, STYLE_TITLE, strands ? "Named strands" : "Regions");
  fputs("\n\n", out);
  layout_print_headings(out, &layout);
  for (size_t i = 0; i < model->regions.count; i++)
    if (model_region_is_strand(&model->regions.regions[i]) == strands)
      (strands ? print_strand_row : print_region_row)(&layout, &line, model, &model->regions.regions[i]);
  line_flush(&line);
  if (options->brief)
    return;
  print_prose(out, strands ? strand_explanation : region_explanation, options->terminal_width);
  explain_omitted_table_columns(out, &layout, options->terminal_width);
}

/* Prints the section of --regions: a table of the marked regions and one of the named strands, or that there are
   none.  */
void print_regions(FILE *out, struct model *model, const struct options *options) {
  size_t strands = 0;
  for (size_t i = 0; i < model->regions.count; i++)
    strands += model_region_is_strand(&model->regions.regions[i]);
  if (strands < model->regions.count)
    print_region_table(out, model, false, options);
  if (strands > 0 && strands < model->regions.count)
    putc('\n', out);
  if (strands > 0)
    print_region_table(out, model, true, options);
  if (model->regions.count == 0)
    fputs("The program marked no regions (cilkprof_start).\n", out);
}
