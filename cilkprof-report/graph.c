/* The call graph: gprof's, with work, span and parallelism of every arc as they were measured.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/entries.h"
#include "cilkprof-report/explanations.h"
#include "cilkprof-report/labels.h"
#include "cilkprof-report/sections.h"
#include "cilkprof-report/support.h"
#include "cilkprof-report/terminal.h"
#include "cilkprof-report/units.h"

/* What every line needs.  */
struct graph {
  FILE *out;
  const struct model *model;
  const struct options *options;
  struct unit unit;
  int children_width;
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
  if (graph->options->gprof_columns)
    return;
  print_value(graph, 8, blank, measure->work);
  fprintf(graph->out, " %8s", blank ? "" : quantity(graph->model, (double)measure->span, 4, "").text);
  fprintf(graph->out, " %8s", blank ? "" : parallelism(measure->work, measure->span).text);
}

static void print_index_number(FILE *out, size_t index, bool in_graph) {
  if (index > 0)
    fprintf(out, in_graph ? " [%zu]" : " (%zu)", index);
  putc('\n', out);
}

/* ARC is the one whose line it is; NULL on a function's own line.  */
static void print_name(const struct graph *graph, const struct function *function, const struct arc *arc) {
  print_function_name(graph->out, function, graph->options);
  if (arc != NULL)
    print_call_place(graph->out, arc, graph->options);
  if (function->cycle->number > 0)
    fprintf(graph->out, " <cycle %zu>", function->cycle->number);
  print_index_number(graph->out, function->index, function->in_graph);
}

static void print_spontaneous(const struct graph *graph) {
  int added = graph->options->gprof_columns ? 0 : 27;
  fprintf(graph->out, "%*s<spontaneous>\n", 38 + graph->children_width - 7 + added + 11, "");
}

/* A caller's or a callee's line; OTHER is the function at the other end, NULL for code without instrumentation.  */
static void print_arc(const struct graph *graph, const struct arc *arc, const struct function *other) {
  struct cilkprof_measure measure = *arc_measure(arc);
  bool internal = arc_is_internal(arc);
  uint64_t self = arc->self;
  if (arc->uncounted)
    self = measure.work = measure.span = 0;
  if (other == NULL && graph->options->gprof_columns) {
    print_spontaneous(graph);
    return;
  }
  fprintf(graph->out, "%6.6s %5.5s", "", "");
  print_value(graph, 7, internal, self);
  print_value(graph, graph->children_width, internal, measure.work > self ? measure.work - self : 0);
  print_measure(graph, &measure);
  if (internal)
    fprintf(graph->out, " %7llu %7.7s     ", (unsigned long long)arc->count, "");
  else
    fprintf(graph->out, " %7llu/%-7llu     ", (unsigned long long)arc->count,
            (unsigned long long)arc->callee->cycle->calls);
  if (other != NULL)
    print_name(graph, other, arc);
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
  fprintf(graph->out, "%-6s %5.1f", text, percent(self + children, graph->model->counted_work));
  print_value(graph, 7, false, self);
  print_value(graph, graph->children_width, false, children);
}

/* The work of a cycle's member is not that of its calls: it has no span, but the parallelism of all of its calls.  */
static void print_function_measure(const struct graph *graph, const struct function *function) {
  struct cilkprof_measure measure = function_measure(function);
  if (function->cycle->member_count == 1 || graph->options->gprof_columns) {
    print_measure(graph, &measure);
    return;
  }
  print_value(graph, 8, false, function->counted_self + function->children);
  fprintf(graph->out, " %8s %8s", "", parallelism(measure.work, measure.span).text);
}

static uint64_t shown_calls(const struct graph *graph, const struct function *function) {
  return graph->options->gprof_columns ? known_calls(function) : function->calls;
}

static void print_function(const struct graph *graph, const struct function *function) {
  if (function->parent_count == 0)
    print_spontaneous(graph);
  for (size_t i = 0; i < function->parent_count; i++)
    print_arc(graph, function->parents[i], function->parents[i]->caller);
  print_primary(graph, function->index, function->counted_self, function->children);
  print_function_measure(graph, function);
  print_calls(graph, shown_calls(graph, function), function->own_calls);
  print_name(graph, function, NULL);
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
    print_value(graph, 7, false, member->counted_self);
    print_value(graph, graph->children_width, false, member->children);
    print_function_measure(graph, member);
    print_calls(graph, shown_calls(graph, member), member->own_calls);
    fputs("    ", graph->out);
    print_name(graph, member, NULL);
  }
}

static void print_header(const struct graph *graph) {
  const struct options *options = graph->options;
  const struct cilkprof_totals *totals = &graph->model->totals;
  if (!options->traditional) {
    fputs(options->brief ? "\t\t\t" : "\t\t     ", graph->out);
    print_styled(graph->out, options->color, STYLE_TITLE,
                 options->brief ? "Call graph" : "Call graph (explanation follows)");
    fputs("\n\n", graph->out);
  }
  fprintf(graph->out, "\ngranularity: each call site is measured; values in %s; the work is %.2f, the span %s\n\n",
          graph->unit.name, (double)totals->work * graph->unit.factor,
          quantity(graph->model, (double)totals->span, 4, "").text);
  if (options->traditional)
    fputs("                                  called/total       parents \n"
          "index  %time    self descendants  called+self    name    \tindex\n"
          "                                  called/total       children\n\n",
          graph->out);
  else if (options->gprof_columns)
    fputs("index % time    self  children    called     name\n", graph->out);
  else
    fputs("index % time    self  children   work     span parallel      called     name\n", graph->out);
}

void print_graph(FILE *out, struct model *model, const struct options *options) {
  struct graph graph = {out, model, options, unit_for_table(model), options->traditional ? 11 : 7};
  struct entries entries = entries_make(model, options);
  print_header(&graph);
  for (size_t i = 0; i < entries.count; i++) {
    const struct entry *entry = &entries.entries[i];
    if (!entry_is_shown(entry))
      continue;
    if (entry->cycle != NULL)
      print_cycle(&graph, entry->cycle);
    else
      print_function(&graph, entry->function);
    fprintf(out, "-----------------------------------------------\n%s", options->traditional ? "\n" : "");
  }
  if (!options->brief)
    explain_graph(out, model, options);
  print_index(out, entries, options->width);
  free(entries.entries);
}
