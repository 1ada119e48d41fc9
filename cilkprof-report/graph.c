/* The call graph: gprof's, with work, span and parallelism of every arc as they were measured.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/entries.h"
#include "cilkprof-report/sections.h"
#include "cilkprof-report/support.h"
#include "cilkprof-report/units.h"

static const char explanation[] =
    "\n"
    " This table describes the calls of the program and is sorted by the work of each function with all that it "
    "called.\n"
    " The line with the index at its left is about the function; above it are those that called it, below it those "
    "that\n"
    " it called.  Costs are measured at every call site: nothing is spread over callers by the number of their calls.\n"
    "\n"
    " On the function's own line:\n"
    "     % time   its work, with all that it called, as a percentage of the program's work.\n"
    "     self     the work of the function alone,\n"
    "     children and that of all that it called; both together are its\n"
    "     work.\n"
    "     span     the sum of the spans of its calls, and\n"
    "     parallel their parallelism, work / span.\n"
    "     called   how often others called it, and after a plus how often it called itself.\n"
    "\n"
    " On a caller's line (above): what the function did when this caller called it: alone, with all that it called,\n"
    " and how often, of all calls from outside its cycle.  On a callee's line (below): the same of the callee when it\n"
    " was called from here.  A function that code without instrumentation called has the caller <spontaneous>.\n"
    "\n"
    " Calls inside a cycle and calls of a function by itself are part of the calls that led into it, so that no cost "
    "is\n"
    " counted twice: their self and children are blank; their work, span and parallelism are those of the calls by "
    "the\n"
    " outermost invocation of the caller.  A cycle has an entry of its own with its members below it; the line of a\n"
    " member has the work that leaves the cycle there as children, and no span.\n"
    " A cilk_for is listed as a function; what its iterations call is listed under the function that holds it.\n";

/* What every line needs.  */
struct graph {
  FILE *out;
  const struct model *model;
  struct unit unit;
};

/* A number of WIDTH, or blanks.  */
static void print_value(const struct graph *graph, int width, bool blank, uint64_t value) {
  if (blank)
    fprintf(graph->out, " %*s", width, "");
  else
    fprintf(graph->out, " %*.2f", width, (double)value * graph->unit.factor);
}

/* The columns that gprof does not have.  */
static void print_measure(const struct graph *graph, const struct cilkprof_measure *measure) {
  bool blank = measure->count == 0;
  print_value(graph, 8, blank, measure->work);
  fprintf(graph->out, " %8s", blank ? "" : quantity(graph->model, (double)measure->span, 4, "").text);
  fprintf(graph->out, " %8s", blank ? "" : parallelism(measure->work, measure->span).text);
}

static void print_name(const struct graph *graph, const struct function *function) {
  fputs(function->name, graph->out);
  if (function->cycle->number > 0)
    fprintf(graph->out, " <cycle %zu>", function->cycle->number);
  if (function->index > 0)
    fprintf(graph->out, " [%zu]", function->index);
  putc('\n', graph->out);
}

/* A caller's or a callee's line; OTHER is the function at the other end, NULL for code without instrumentation.  */
static void print_arc(const struct graph *graph, const struct arc *arc, const struct function *other) {
  const struct cilkprof_measure *measure = arc_measure(arc);
  bool internal = arc_is_internal(arc);
  uint64_t children = measure->work > arc->self ? measure->work - arc->self : 0;
  fprintf(graph->out, "%6.6s %5.5s", "", "");
  print_value(graph, 7, internal, arc->self);
  print_value(graph, 7, internal, children);
  print_measure(graph, measure);
  if (internal)
    fprintf(graph->out, " %7llu %7.7s     ", (unsigned long long)arc->count, "");
  else
    fprintf(graph->out, " %7llu/%-7llu     ", (unsigned long long)arc->count,
            (unsigned long long)arc->callee->cycle->calls);
  if (other != NULL)
    print_name(graph, other);
  else
    fputs("<spontaneous>\n", graph->out);
}

static void print_calls(const struct graph *graph, uint64_t calls, uint64_t own_calls) {
  if (calls + own_calls == 0)
    fprintf(graph->out, " %7.7s %7.7s ", "", "");
  else if (own_calls > 0)
    fprintf(graph->out, " %7llu+%-7llu ", (unsigned long long)calls, (unsigned long long)own_calls);
  else
    fprintf(graph->out, " %7llu %7.7s ", (unsigned long long)calls, "");
}

static void print_primary(const struct graph *graph, size_t index, uint64_t self, uint64_t children) {
  char text[24];
  snprintf(text, sizeof text, "[%zu]", index);
  fprintf(graph->out, "%-6s %5.1f", text, percent(self + children, graph->model->totals.work));
  print_value(graph, 7, false, self);
  print_value(graph, 7, false, children);
}

/* The work of a cycle's member is not that of its calls: it has no span, but the parallelism of all of its calls.  */
static void print_function_measure(const struct graph *graph, const struct function *function) {
  struct cilkprof_measure measure = function_measure(function);
  if (function->cycle->member_count == 1) {
    print_measure(graph, &measure);
    return;
  }
  print_value(graph, 8, false, function->self + function->children);
  fprintf(graph->out, " %8s %8s", "", parallelism(measure.work, measure.span).text);
}

static void print_function(const struct graph *graph, const struct function *function) {
  if (function->parent_count == 0)
    fprintf(graph->out, "%6.6s %5.5s %7.7s %7.7s %26.26s %7.7s %7.7s     <spontaneous>\n", "", "", "", "", "", "", "");
  for (size_t i = 0; i < function->parent_count; i++)
    print_arc(graph, function->parents[i], function->parents[i]->caller);
  print_primary(graph, function->index, function->self, function->children);
  print_function_measure(graph, function);
  print_calls(graph, function->calls, function->own_calls);
  print_name(graph, function);
  for (size_t i = 0; i < function->callee_count; i++)
    print_arc(graph, function->callees[i], function->callees[i]->callee);
}

static void print_cycle(const struct graph *graph, const struct cycle *cycle) {
  uint64_t work = cycle->inclusive.work;
  print_primary(graph, cycle->index, cycle->self, work > cycle->self ? work - cycle->self : 0);
  print_measure(graph, &cycle->inclusive);
  print_calls(graph, cycle->calls, cycle->internal_calls);
  fprintf(graph->out, "<cycle %zu as a whole> [%zu]\n", cycle->number, cycle->index);
  for (size_t i = 0; i < cycle->member_count; i++) {
    const struct function *member = cycle->members[i];
    fprintf(graph->out, "%6.6s %5.5s", "", "");
    print_value(graph, 7, false, member->self);
    print_value(graph, 7, false, member->children);
    print_function_measure(graph, member);
    print_calls(graph, member->calls, member->own_calls);
    fputs("    ", graph->out);
    print_name(graph, member);
  }
}

static int compare_names(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  if ((a->cycle == NULL) != (b->cycle == NULL))
    return a->cycle != NULL ? 1 : -1; /* gprof has the cycles last */
  int order = strcmp(entry_name(a), entry_name(b));
  return order != 0 || a->cycle != NULL ? order : a->function->index < b->function->index ? -1 : 1;
}

static void print_index(FILE *out, struct entries entries) {
  enum { COLUMNS = 3, WIDTH = 79 / COLUMNS };
  size_t rows = (entries.count + COLUMNS - 1) / COLUMNS;
  qsort(entries.entries, entries.count, sizeof *entries.entries, compare_names);
  fputs("\f\nIndex by function name\n\n", out);
  for (size_t row = 0; row < rows; row++) {
    for (size_t i = row; i < entries.count; i += rows) {
      const struct entry *entry = &entries.entries[i];
      char index[24], cycle[40];
      snprintf(index, sizeof index, "[%zu]", entry->cycle != NULL ? entry->cycle->index : entry->function->index);
      snprintf(cycle, sizeof cycle, "<cycle %zu>", entry->cycle != NULL ? entry->cycle->number : 0);
      fprintf(out, "%6s %-*s", index, i + rows < entries.count ? WIDTH - 7 : 0,
              entry->cycle != NULL ? cycle : entry->function->name);
    }
    putc('\n', out);
  }
}

void print_graph(FILE *out, struct model *model, const struct options *options) {
  const struct cilkprof_totals *totals = &model->totals;
  struct graph graph = {out, model, unit_for_table(model)};
  struct entries entries = entries_make(model, options);
  fputs(options->brief ? "\t\t\tCall graph\n\n" : "\t\t     Call graph (explanation follows)\n\n", out);
  fprintf(out, "\ngranularity: each call site is measured; values in %s; the work is %.2f, the span %s\n\n",
          graph.unit.name, (double)totals->work * graph.unit.factor, quantity(model, (double)totals->span, 4, "").text);
  fputs("index % time    self  children   work     span parallel      called     name\n", out);
  for (size_t i = 0; i < entries.count; i++) {
    const struct entry *entry = &entries.entries[i];
    if (entry->cycle != NULL)
      print_cycle(&graph, entry->cycle);
    else
      print_function(&graph, entry->function);
    fputs("-----------------------------------------------\n", out);
  }
  if (!options->brief)
    fputs(explanation, out);
  print_index(out, entries);
  free(entries.entries);
}
