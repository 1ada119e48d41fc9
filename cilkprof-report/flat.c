/* The flat profile: gprof's, with the span beside the time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/explanations.h"
#include "cilkprof-report/labels.h"
#include "cilkprof-report/sections.h"
#include "cilkprof-report/support.h"
#include "cilkprof-report/terminal.h"
#include "cilkprof-report/units.h"

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

struct rows {
  struct row *rows;
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
      .total_per_call = per_call(function->counted_self + function->children, function->calls),
      .measure = function_measure(function),
  };
}

/* Calls inside a cycle are part of others: what one of them costs with all that it calls was not measured.  */
static struct row arc_row(const struct arc *arc) {
  return (struct row){
      .function = arc->callee,
      .arc = arc,
      .self = arc->self,
      .self_on_span = arc->self_on_span,
      .calls = arc->count,
      .total_per_call = arc_is_internal(arc) ? -1 : per_call(arc->top_call_site.work, arc->count),
      .measure = *arc_measure(arc),
  };
}

static int compare_rows(const void *left, const void *right) {
  const struct row *a = left, *b = right;
  if (a->self != b->self)
    return a->self > b->self ? -1 : 1;
  if (a->calls != b->calls)
    return a->calls > b->calls ? -1 : 1;
  int order = strcmp(a->function->name, b->function->name);
  if (order != 0)
    return order;
  if (a->function != b->function)
    return a->function->number < b->function->number ? -1 : 1;
  return a->arc < b->arc ? -1 : a->arc > b->arc;
}

static bool is_shown(const struct function *function, const struct options *options) {
  return function_is_listed(function, options) && filter_admits(&options->filters[FILTER_FLAT], function);
}

static struct rows make_rows(const struct model *model, const struct options *options) {
  struct rows rows = {.rows = allocate(model->function_count + model->arc_count, sizeof *rows.rows)};
  for (size_t i = 0; !options->by_line && i < model->function_count; i++)
    if (is_shown(model->functions[i], options))
      rows.rows[rows.count++] = function_row(model->functions[i], options);
  for (size_t i = 0; options->by_line && i < model->arc_count; i++)
    if (is_shown(model->arcs[i].callee, options))
      rows.rows[rows.count++] = arc_row(&model->arcs[i]);
  qsort(rows.rows, rows.count, sizeof *rows.rows, compare_rows);
  return rows;
}

/* gprof scales the columns per call by the function with the largest value in them; for it main has no calls.  */
static struct unit unit_per_call(const struct model *model, const struct rows *rows) {
  double largest = 0;
  for (size_t i = 0; i < rows->count; i++) {
    const struct function *function = rows->rows[i].function;
    bool is_root = function->parent_count == 1 && function->parents[0]->caller == NULL;
    if (!is_root && rows->rows[i].total_per_call > largest)
      largest = rows->rows[i].total_per_call;
  }
  return unit_for(model, largest > 0 ? largest : (double)model->totals.work);
}

/* What every row needs.  */
struct flat {
  FILE *out;
  const struct model *model;
  const struct options *options;
  struct unit unit, per_call;
};

static void print_title(const struct flat *flat) {
  const struct model *model = flat->model;
  if (flat->options->traditional)
    fprintf(flat->out, "\ngranularity: each call site is measured; values in %s\n\n", flat->unit.name);
  else {
    print_styled(flat->out, flat->options->color, STYLE_TITLE, "Flat profile:");
    fprintf(flat->out, "\n\nEach %s counts as %g %s.\n",
            model->run.units_per_second > 0 ? "unit of the timer" : "instruction", flat->unit.factor, flat->unit.name);
  }
  if (model->totals.work == 0)
    fputs(" no time accumulated\n\n", flat->out);
}

static void print_header(const struct flat *flat) {
  static const char gprof[] = "%5.5s %10.10s %8.8s %8.8s %8.8s %8.8s", added[] = " %8.8s %6.6s %8.8s";
  const char *per = flat->per_call.per_call;
  bool more = !flat->options->gprof_columns;
  char name[16];
  snprintf(name, sizeof name, "%s ", flat->unit.name);
  fprintf(flat->out, gprof, "%  ", "cumulative", "self  ", "", "self  ", "total ");
  if (more)
    fprintf(flat->out, added, "on span ", "%  ", "");
  fprintf(flat->out, "  %-8.8s\n", "");
  fprintf(flat->out, gprof, "time", name, name, "calls", per, per);
  if (more)
    fprintf(flat->out, added, "", "span", "parallel");
  fprintf(flat->out, "  %-8.8s\n", "name");
}

static void print_row(const struct flat *flat, const struct row *row, uint64_t cumulative) {
  FILE *out = flat->out;
  fprintf(out, flat->options->traditional ? "%5.1f %10.2f %8.2f" : "%6.2f %9.2f %8.2f",
          percent(row->self, flat->model->totals.work), (double)cumulative * flat->unit.factor,
          (double)row->self * flat->unit.factor);
  if (row->calls == 0)
    fprintf(out, " %8.8s %8.8s %8.8s", "", "", "");
  else
    fprintf(out, " %8llu %8.2f", (unsigned long long)row->calls,
            per_call(row->self, row->calls) * flat->per_call.factor);
  if (row->calls > 0 && row->total_per_call >= 0)
    fprintf(out, " %8.2f", row->total_per_call * flat->per_call.factor);
  else if (row->calls > 0)
    fprintf(out, " %8.8s", "");
  if (!flat->options->gprof_columns)
    fprintf(out, " %8s %6.2f %8s", quantity(flat->model, (double)row->self_on_span, 4, "").text,
            percent(row->self_on_span, flat->model->totals.span),
            parallelism(row->measure.work, row->measure.span).text);
  fputs("  ", out);
  print_function_name(out, row->function, flat->options);
  if (row->arc != NULL)
    print_call_place(out, row->arc, flat->options);
  if (flat->options->traditional && row->function->cycle->number > 0)
    fprintf(out, " <cycle %zu>", row->function->cycle->number);
  if (flat->options->traditional && row->function->index > 0)
    fprintf(out, " [%zu]", row->function->index);
  putc('\n', out);
}

void print_flat(FILE *out, struct model *model, const struct options *options) {
  struct rows rows = make_rows(model, options);
  struct flat flat = {out, model, options, unit_for_table(model), unit_per_call(model, &rows)};
  uint64_t cumulative = 0;
  print_title(&flat);
  print_header(&flat);
  for (size_t i = 0; i < rows.count; i++) {
    cumulative += rows.rows[i].self;
    print_row(&flat, &rows.rows[i], cumulative);
  }
  free(rows.rows);
  if (!options->brief)
    explain_flat(out, model, options);
}
