/* The flat profile: gprof's, with the span beside the time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/explanations.h"
#include "cilkprof-report/sections/labels.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

struct cilkprof_measure function_measure(const struct function *function) {
  return function->cycle->member_count == 1 ? function->inclusive : function->entered;
}

/* A function; or, when lines are told apart, a function as one line calls it.  */
struct row {
  const struct function *function;
  const struct arc *arc; /* or NULL */
  uint64_t self, self_on_span, calls;
  double total_per_call; /* below 0: not known */
  struct cilkprof_measure measure;
};

/* The rows in their order, each as the function or arc that it is made from: there may be a million.  */
struct rows {
  struct keyed *sources;
  size_t count;
};

static double per_call(uint64_t work, uint64_t calls) {
  return calls > 0 ? (double)work / (double)calls : 0;
}

static struct row function_row(const struct function *function, const struct options *options) {
  return (struct row){
      .function = function,
      .self = function->self,
      .self_on_span = function->self_on_span,
      .calls = options->gprof_columns ? known_calls(function) : function->calls,
      .total_per_call = per_call(sum_of(function->counted_self, function->children), function->calls),
      .measure = function_measure(function),
  };
}

/* Calls inside a cycle are part of others: what one of them costs with all that it calls was not measured.  */
static struct row arc_row(const struct arc *arc) {
  return (struct row){
      .function = arc->callee,
      .arc = arc,
      .self = arc_self(arc),
      .self_on_span = arc->self_on_span,
      .calls = arc_calls(arc),
      .total_per_call = arc_is_internal(arc) ? -1 : per_call(arc->on_work->top_call_site.work, arc_calls(arc)),
      .measure = *arc_measure(arc),
  };
}

static struct row row_of(const void *source, const struct options *options) {
  return options->by_line ? arc_row(source) : function_row(source, options);
}

/* Of those with the same work.  */
static int compare_rows(const void *left, const void *right, const void *options) {
  struct row a = row_of(left, options), b = row_of(right, options);
  if (a.calls != b.calls)
    return a.calls > b.calls ? -1 : 1;
  int order = strcmp(a.function->name, b.function->name);
  if (order != 0)
    return order;
  if (a.function != b.function)
    return a.function->number < b.function->number ? -1 : 1;
  return a.arc < b.arc ? -1 : a.arc > b.arc;
}

static bool is_shown(const struct function *function, const struct options *options) {
  return function_is_listed(function, options) && filter_admits(&options->filters[FILTER_FLAT], function);
}

static struct rows make_rows(const struct model *model, const struct options *options) {
  size_t most = options->by_line ? model->arc_count : model->function_count;
  struct rows rows = {.sources = allocate(most, sizeof *rows.sources)};
  for (size_t i = 0; i < most; i++) {
    const struct arc *arc = options->by_line ? &model->arcs[i] : NULL;
    const struct function *function = arc != NULL ? arc->callee : model->functions[i];
    if (is_shown(function, options) && arc != NULL)
      rows.sources[rows.count++] = (struct keyed){~arc_self(arc), arc};
    else if (is_shown(function, options))
      rows.sources[rows.count++] = (struct keyed){~function->self, function};
  }
  sort_keyed(rows.sources, rows.count, compare_rows, options);
  return rows;
}

/* gprof scales the columns per call by the function with the largest value in them; for it main has no calls.  */
static struct unit unit_per_call(const struct model *model, const struct rows *rows, const struct options *options) {
  double largest = 0;
  for (size_t i = 0; i < rows->count; i++) {
    struct row row = row_of(rows->sources[i].of, options);
    bool is_root = row.function->parent_count == 1 && row.function->parents[0]->caller == NULL;
    if (!is_root && row.total_per_call > largest)
      largest = row.total_per_call;
  }
  return unit_for(model, largest > 0 ? largest : (double)model->totals.work);
}

/* What every row needs.  */
struct flat {
  struct line *line;
  const struct model *model;
  const struct options *options;
  struct unit unit, per_call;
};

static void print_title(const struct flat *flat) {
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

static void print_header(const struct flat *flat) {
  static const char gprof[] = "%5.5s %10.10s %8.8s %8.8s %8.8s %8.8s", added[] = " %8.8s %6.6s %8.8s";
  const char *per = flat->per_call.per_call;
  bool more = !flat->options->gprof_columns;
  char name[16];
  snprintf(name, sizeof name, "%s ", flat->unit.name);
  fprintf(flat->line->out, gprof, "%  ", "cumulative", "self  ", "", "self  ", "total ");
  if (more)
    fprintf(flat->line->out, added, "on span ", "%  ", "");
  fprintf(flat->line->out, "  %-8.8s\n", "");
  fprintf(flat->line->out, gprof, "time", name, name, "calls", per, per);
  if (more)
    fprintf(flat->line->out, added, "", "span", "parallel");
  fprintf(flat->line->out, "  %-8.8s\n", "name");
}

static void print_costs(const struct flat *flat, const struct row *row, uint64_t cumulative) {
  bool traditional = flat->options->traditional;
  line_fixed(flat->line, traditional ? 5 : 6, traditional ? 1 : 2, percent(row->self, flat->model->totals.work));
  line_character(flat->line, ' ');
  line_fixed(flat->line, traditional ? 10 : 9, 2, (double)cumulative * flat->unit.factor);
  line_character(flat->line, ' ');
  line_fixed(flat->line, 8, 2, (double)row->self * flat->unit.factor);
}

static void print_calls(const struct flat *flat, const struct row *row) {
  if (row->calls == 0) {
    line_string(flat->line, 27, "");
    return;
  }
  line_character(flat->line, ' ');
  line_integer(flat->line, 8, row->calls);
  line_character(flat->line, ' ');
  line_fixed(flat->line, 8, 2, per_call(row->self, row->calls) * flat->per_call.factor);
  line_character(flat->line, ' ');
  if (row->total_per_call >= 0)
    line_fixed(flat->line, 8, 2, row->total_per_call * flat->per_call.factor);
  else
    line_string(flat->line, 8, "");
}

static void print_span(const struct flat *flat, const struct row *row) {
  line_character(flat->line, ' ');
  line_string(flat->line, 8, quantity(flat->model, (double)row->self_on_span, 4, "").text);
  line_character(flat->line, ' ');
  line_fixed(flat->line, 6, 2, percent(row->self_on_span, flat->model->totals.span));
  line_character(flat->line, ' ');
  line_string(flat->line, 8, parallelism(row->measure.work, row->measure.span).text);
}

static void print_row(const struct flat *flat, const struct row *row, uint64_t cumulative) {
  print_costs(flat, row, cumulative);
  print_calls(flat, row);
  if (!flat->options->gprof_columns)
    print_span(flat, row);
  line_string(flat->line, 0, "  ");
  line_function_name(flat->line, row->function, flat->options);
  if (row->arc != NULL)
    line_call_place(flat->line, row->arc, flat->options);
  if (flat->options->traditional && row->function->cycle->number > 0) {
    line_string(flat->line, 0, " <cycle ");
    line_integer(flat->line, 0, row->function->cycle->number);
    line_character(flat->line, '>');
  }
  if (flat->options->traditional && row->function->index > 0) {
    line_string(flat->line, 0, " [");
    line_integer(flat->line, 0, row->function->index);
    line_character(flat->line, ']');
  }
  line_character(flat->line, '\n');
}

void print_flat(FILE *out, struct model *model, const struct options *options) {
  struct rows rows = make_rows(model, options);
  struct line line = {.out = out};
  struct flat flat = {&line, model, options, unit_for_table(model), unit_per_call(model, &rows, options)};
  uint64_t cumulative = 0;
  print_title(&flat);
  print_header(&flat);
  for (size_t i = 0; i < rows.count; i++) {
    struct row row = row_of(rows.sources[i].of, options);
    add(&cumulative, row.self);
    print_row(&flat, &row, cumulative);
  }
  line_print(&line);
  free(rows.sources);
  if (!options->brief)
    explain_flat(out, model, options);
}
