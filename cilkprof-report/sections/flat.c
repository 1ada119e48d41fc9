/* The flat profile of gprof, with additional columns for the span.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/explanations.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

/* A function or, with --line, the calls of a function from one line.  */
struct row {
  const struct function *function;
  const struct arc *arc; /* or NULL */
  uint64_t self, self_on_span, calls;
  double total_per_call; /* negative: unknown */
  struct cilkprof_measure measure;
};

/* The sorted rows, each as the function or arc from which it is made.  There may be a million.  */
struct flat_rows {
  struct keyed *sources;
  size_t count;
  double most_per_call;
};

/* Returns WORK divided by CALLS, for the columns per call of the flat profile; 0 if there are no calls.  */
static double flat_value_per_call(uint64_t work, uint64_t calls) {
  return calls > 0 ? (double)work / (double)calls : 0;
}

/* Returns the number of calls of FUNCTION that the flat profile shows: with gprof's columns only the calls that gprof
   would know; 0 if it is not known.  */
static uint64_t flat_row_calls(const struct function *function, const struct options *options) {
  if (function->sampled)
    return 0;
  return options->gprof_columns ? labelled_calls_by_known_callers(function) : function->calls;
}

/* Returns the row of FUNCTION in the flat profile.  */
static struct row flat_function_row(const struct function *function, const struct options *options) {
  return (struct row){
      .function = function,
      .self = function->self,
      .self_on_span = function->self_on_span,
      .calls = flat_row_calls(function, options),
      .total_per_call =
          flat_value_per_call(model_saturating_sum(function->counted_self, function->children), function->calls),
      .measure = model_function_measure(function),
  };
}

/* Returns the row of ARC in the flat profile of --line.  The inclusive cost of a call inside a cycle is unknown,
   because it is part of another call.  */
static struct row flat_arc_row(const struct arc *arc) {
  return (struct row){
      .function = arc->callee,
      .arc = arc,
      .self = model_arc_self_work(arc),
      .self_on_span = arc->self_on_span,
      .calls = arc->sampled ? 0 : model_arc_calls(arc),
      .total_per_call =
          model_arc_is_internal(arc) ? -1 : flat_value_per_call(arc->on_work->top_call_site.work, model_arc_calls(arc)),
      .measure = *model_arc_measure(arc),
  };
}

/* Returns the row of the flat profile that is made from SOURCE: an arc with --line, otherwise a function.  */
static struct row flat_row_of(const void *source, const struct options *options) {
  return options->by_line ? flat_arc_row(source) : flat_function_row(source, options);
}

/* Compares two functions with equal work for the flat profile, by calls and then by name.  Fields are read only when
   needed, because the functions are scattered in memory.  */
static int compare_flat_functions(const void *left, const void *right, const void *options) {
  const struct function *a = left, *b = right;
  uint64_t calls = flat_row_calls(a, options), other_calls = flat_row_calls(b, options);
  if (calls != other_calls)
    return calls > other_calls ? -1 : 1;
  int order = strcmp(a->brief_name, b->brief_name);
  return order != 0 ? order : a->number < b->number ? -1 : a->number > b->number;
}

/* Compares two arcs with equal work for the flat profile of --line, by calls and then by the name of the callee.  */
static int compare_flat_arcs(const void *left, const void *right, const void *options) {
  const struct arc *a = left, *b = right;
  (void)options;
  if (model_arc_calls(a) != model_arc_calls(b))
    return model_arc_calls(a) > model_arc_calls(b) ? -1 : 1;
  int order = a->callee != b->callee ? strcmp(a->callee->brief_name, b->callee->brief_name) : 0;
  if (order != 0)
    return order;
  if (a->callee != b->callee)
    return a->callee->number < b->callee->number ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Returns whether FUNCTION is listed and the options admit it to the flat profile.  */
static bool is_in_flat_profile(const struct function *function, const struct options *options) {
  return function_has_table_row(function, options) &&
         filter_admits_model_function(&options->filters[FILTER_FLAT], function);
}

/* Returns the inclusive cost per call of a row of the flat profile.  The largest one determines the unit of the columns
   per call, as in gprof, for which a function like main, called only by code without instrumentation, has no calls.  */
static double flat_cost_per_call(const struct row *row) {
  bool is_root = row->function->parent_count == 1 && row->function->parents[0]->caller == NULL;
  return is_root ? 0 : row->total_per_call;
}

/* Returns the rows of the flat profile, sorted by self cost, the largest first.  The caller frees the array in it.  */
static struct flat_rows make_flat_rows(const struct model *model, const struct options *options) {
  size_t most = options->by_line ? model->arc_count : model->functions.count;
  struct flat_rows rows = {.sources = allocate(most, sizeof *rows.sources)};
  for (size_t i = 0; i < most; i++) {
    const void *source = options->by_line ? (const void *)&model->arcs[i] : model->functions.list[i];
    if (!is_in_flat_profile(options->by_line ? model->arcs[i].callee : model->functions.list[i], options))
      continue;
    struct row row = flat_row_of(source, options);
    rows.sources[rows.count++] = (struct keyed){~row.self, source};
    if (flat_cost_per_call(&row) > rows.most_per_call)
      rows.most_per_call = flat_cost_per_call(&row);
  }
  sort_keyed(rows.sources, rows.count, options->by_line ? compare_flat_arcs : compare_flat_functions, options);
  return rows;
}

/* The columns of gprof, which are always printed, and ours.  */
enum { GPROF, ON_SPAN, SHARE, PARALLEL, NAME, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [GPROF] = {NULL, "", 52, 0},   [ON_SPAN] = {NULL, "", 8, 1}, [SHARE] = {NULL, "", 6, 3},
    [PARALLEL] = {NULL, "", 8, 2}, [NAME] = {NULL, "", -1, 0},
};
static const uint64_t OUR_COLUMNS = 1 << ON_SPAN | 1 << SHARE | 1 << PARALLEL;
enum { LEAST_ROOM = 16 };

/* The data that all rows need.  */
struct flat {
  struct line *line;
  const struct model *model;
  const struct options *options;
  struct unit unit, per_call;
  struct layout layout;
};

/* Prints the title of the flat profile, and the unit of its costs.  */
static void print_flat_title(const struct flat *flat) {
  const struct model *model = flat->model;
  if (flat->options->traditional)
    fprintf(flat->line->out, "\ngranularity: each call site is measured; values in %s\n\n", flat->unit.name);
  else {
    print_styled(flat->line->out, flat->options->color, STYLE_TITLE, "Flat profile:");
    fprintf(flat->line->out, "\n\nEach %s counts as %g %s.\n",
            model->run.units_per_second > 0 ? "unit of the timer" : "instruction", flat->unit.factor, flat->unit.name);
  }
  if (model->totals.work == 0)
    fputs(" no time accumulated\n\n", flat->line->out);
}

/* Prints the end of a line of headings: those of the columns that gprof does not have, from OURS, and NAME.  */
static void print_flat_heading(const struct flat *flat, const char *const ours[COLUMNS], const char *name) {
  struct line line = {.out = flat->line->out};
  for (size_t i = ON_SPAN; i < NAME; i++)
    layout_string_cell(&flat->layout, &line, i, ours[i]);
  line_flush(&line);
  fprintf(line.out, "  %-8.8s\n", name);
}

/* Prints the two lines of headings of the flat profile.  */
static void print_flat_header(const struct flat *flat) {
  static const char gprof[] = "%5.5s %10.10s %8.8s %8.8s %8.8s %8.8s";
  static const char *const above[COLUMNS] = {[ON_SPAN] = "on span ", [SHARE] = "%  ", [PARALLEL] = ""};
  static const char *const below[COLUMNS] = {[ON_SPAN] = "", [SHARE] = "span", [PARALLEL] = "parallel"};
  const char *per = flat->per_call.per_call;
  char name[16];
  snprintf(name, sizeof name, "%s ", flat->unit.name);
  fprintf(flat->line->out, gprof, "%  ", "cumulative", "self  ", "", "self  ", "total ");
  print_flat_heading(flat, above, "");
  fprintf(flat->line->out, gprof, "time", name, name, "calls", per, per);
  print_flat_heading(flat, below, "name");
}

/* Adds the first cells of a row of the flat profile to the line: the percentage of the work, the CUMULATIVE cost and
   the self cost.  */
static void print_flat_costs(const struct flat *flat, const struct row *row, uint64_t cumulative) {
  bool traditional = flat->options->traditional;
  line_add_fixed(flat->line, traditional ? 5 : 6, traditional ? 1 : 2,
                 model_percent_of_whole(row->self, model_run_work(flat->model)));
  line_add_character(flat->line, ' ');
  line_add_fixed(flat->line, traditional ? 10 : 9, 2, (double)cumulative * flat->unit.factor);
  line_add_character(flat->line, ' ');
  line_add_fixed(flat->line, 8, 2, (double)row->self * flat->unit.factor);
}

/* Adds the calls of a row of the flat profile, and its costs per call, to the line; blanks if there are no calls.  */
static void print_flat_calls(const struct flat *flat, const struct row *row) {
  if (row->calls == 0) {
    line_add_string(flat->line, 27, "");
    return;
  }
  line_add_character(flat->line, ' ');
  line_add_integer(flat->line, 8, row->calls);
  line_add_character(flat->line, ' ');
  line_add_fixed(flat->line, 8, 2, flat_value_per_call(row->self, row->calls) * flat->per_call.factor);
  line_add_character(flat->line, ' ');
  if (row->total_per_call >= 0)
    line_add_fixed(flat->line, 8, 2, row->total_per_call * flat->per_call.factor);
  else
    line_add_string(flat->line, 8, "");
}

/* Adds the cells that gprof does not have to the line: the part of the span that the row holds, and its
   parallelism.  */
static void print_flat_span(const struct flat *flat, const struct row *row) {
  const struct layout *layout = &flat->layout;
  if ((layout->gone & OUR_COLUMNS) == OUR_COLUMNS)
    return;
  layout_string_cell(layout, flat->line, ON_SPAN, model_quantity(flat->model, (double)row->self_on_span, 4, "").text);
  layout_fixed_cell(layout, flat->line, SHARE, model_percent_of_whole(row->self_on_span, flat->model->totals.span));
  layout_string_cell(layout, flat->line, PARALLEL, model_parallelism_text(row->measure.work, row->measure.span).text);
}

/* Prints a row of the flat profile.  CUMULATIVE is the self cost of this row and all above it, in units of the
   profile.  */
static void print_flat_row(const struct flat *flat, const struct row *row, uint64_t cumulative) {
  print_flat_costs(flat, row, cumulative);
  print_flat_calls(flat, row);
  print_flat_span(flat, row);
  line_add_string(flat->line, 0, "  ");
  line_function_label(flat->line, row->function, flat->options);
  if (row->arc != NULL)
    line_call_label(flat->line, row->arc, flat->options);
  if (flat->options->traditional && row->function->cycle->number > 0) {
    line_add_string(flat->line, 0, " <cycle ");
    line_add_integer(flat->line, 0, row->function->cycle->number);
    line_add_character(flat->line, '>');
  }
  if (flat->options->traditional && row->function->index > 0) {
    line_add_string(flat->line, 0, " [");
    line_add_integer(flat->line, 0, row->function->index);
    line_add_character(flat->line, ']');
  }
  line_add_character(flat->line, '\n');
}

/* Prints the flat profile: a row for every function or, with --line, for every line that calls it.  */
void print_flat(FILE *out, struct model *model, const struct options *options) {
  struct flat_rows rows = make_flat_rows(model, options);
  struct line line = {.out = out};
  double most_per_call = rows.most_per_call > 0 ? rows.most_per_call : (double)model->totals.work;
  struct flat flat = {&line,
                      model,
                      options,
                      model_unit_for_table(model),
                      model_unit_for_value(model, most_per_call),
                      layout_fit_columns(columns, COLUMNS, options->terminal_width, LEAST_ROOM)};
  flat.layout.gone |= options->gprof_columns ? OUR_COLUMNS : 0;
  uint64_t cumulative = 0;
  print_flat_title(&flat);
  print_flat_header(&flat);
  size_t shown = options->top > 0 && options->top < rows.count ? options->top : rows.count;
  for (size_t i = 0; i < shown; i++) {
    struct row row = flat_row_of(rows.sources[i].of, options);
    model_add_saturating(&cumulative, row.self);
    print_flat_row(&flat, &row, cumulative);
  }
  line_flush(&line);
  print_omitted_table_rows(out, rows.count - shown);
  free(rows.sources);
  if (options->brief)
    return;
  explain_flat_profile(out, model, options);
  if (!options->gprof_columns)
    explain_omitted_table_columns(out, &flat.layout, options->terminal_width);
}
