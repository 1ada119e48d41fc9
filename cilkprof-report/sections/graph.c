/* The call graph of gprof, with the measured work, span and parallelism of every arc.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/entries.h"
#include "cilkprof-report/sections/explanations.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

/* The columns of gprof, which are always printed, with ours between them.  */
enum { COSTS, WORK, SPAN, PARALLEL, CALLED, NAME, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [COSTS] = {NULL, "", 28, 0},           [WORK] = {NULL, "work", 8, 2},      [SPAN] = {NULL, "span", 8, 1},
    [PARALLEL] = {NULL, "parallel", 8, 3}, [CALLED] = {NULL, "called", 18, 0}, [NAME] = {NULL, "name", -1, 0},
};
static const uint64_t OUR_COLUMNS = 1 << WORK | 1 << SPAN | 1 << PARALLEL;
enum { LEAST_ROOM = 16 };

/* The data that all lines need.  */
struct graph {
  struct line *line;
  const struct model *model;
  const struct options *options;
  struct unit unit;
  int children_width;
  struct layout layout;
};

/* Adds a cost to a line of the call graph, in WIDTH columns, or blanks if BLANK is true.  */
static void print_graph_value(const struct graph *graph, int width, bool blank, uint64_t value) {
  line_add_character(graph->line, ' ');
  if (blank)
    line_add_string(graph->line, width, "");
  else
    line_add_fixed(graph->line, width, 2, (double)value * graph->unit.factor);
}

/* Adds the columns of the call graph that gprof does not have to the line: work, span and parallelism, or blanks if
   there were no calls.  */
static void print_graph_measure(const struct graph *graph, const struct cilkprof_measure *measure) {
  const struct layout *layout = &graph->layout;
  bool blank = measure->count == 0;
  if (layout_has_column(layout, WORK))
    print_graph_value(graph, columns[WORK].width, blank, measure->work);
  if (layout_has_column(layout, SPAN))
    layout_string_cell(layout, graph->line, SPAN,
                       blank ? "" : model_quantity(graph->model, (double)measure->span, 4, "").text);
  if (layout_has_column(layout, PARALLEL))
    layout_string_cell(layout, graph->line, PARALLEL,
                       blank ? "" : model_parallelism_text(measure->work, measure->span).text);
}

/* Ends a line of the call graph with the index of a function or cycle, if it has one: in brackets, or in parentheses if
   it has no entry there.  */
static void print_graph_index_number(struct line *line, size_t index, bool in_graph) {
  if (index > 0) {
    line_add_string(line, 0, in_graph ? " [" : " (");
    line_add_integer(line, 0, index);
    line_add_character(line, in_graph ? ']' : ')');
  }
  line_add_character(line, '\n');
}

/* Adds the number of the cycle of a function to a line of the call graph.  */
static void print_graph_cycle_number(struct line *line, size_t number) {
  line_add_string(line, 0, " <cycle ");
  line_add_integer(line, 0, number);
  line_add_character(line, '>');
}

/* Adds the name of FUNCTION, its cycle and its index to the end of a line of the call graph.  ARC is the arc that the
   line shows; NULL on a function's own line.  */
static void print_graph_name(const struct graph *graph, const struct function *function, const struct arc *arc) {
  line_function_label(graph->line, function, graph->options);
  if (arc != NULL)
    line_call_label(graph->line, arc, graph->options);
  if (function->cycle->number > 0)
    print_graph_cycle_number(graph->line, function->cycle->number);
  print_graph_index_number(graph->line, function->index, function->in_graph);
}

/* Prints the line of a caller that is not known, <spontaneous>, as gprof does, without costs.  */
static void print_graph_spontaneous(const struct graph *graph) {
  int added = layout_width_before(&graph->layout, CALLED) - columns[COSTS].width;
  line_add_string(graph->line, 38 + graph->children_width - 7 + added + 11, "");
  line_add_string(graph->line, 0, "<spontaneous>\n");
}

/* Prints the line of a caller or a callee in the call graph, with the costs of ARC.  OTHER is that function, or NULL
   for code without instrumentation.  */
static void print_graph_arc(const struct graph *graph, const struct arc *arc, const struct function *other) {
  struct cilkprof_measure measure = *model_arc_measure(arc);
  bool internal = model_arc_is_internal(arc);
  uint64_t self = model_arc_self_work(arc);
  if (arc->uncounted)
    self = measure.work = measure.span = 0;
  if (other == NULL && graph->options->gprof_columns) {
    print_graph_spontaneous(graph);
    return;
  }
  line_add_string(graph->line, 12, "");
  print_graph_value(graph, 7, internal, self);
  print_graph_value(graph, graph->children_width, internal, measure.work > self ? measure.work - self : 0);
  print_graph_measure(graph, &measure);
  line_add_character(graph->line, ' ');
  if (arc->sampled)
    line_add_string(graph->line, 7, "");
  else
    line_add_integer(graph->line, 7, model_arc_calls(arc));
  line_add_character(graph->line, internal || arc->callee->sampled ? ' ' : '/');
  if (internal || arc->callee->sampled)
    line_add_string(graph->line, 7, "");
  else
    line_add_integer(graph->line, -7, arc->callee->cycle->calls);
  line_add_string(graph->line, 0, "     ");
  if (other != NULL)
    print_graph_name(graph, other, arc);
  else
    line_add_string(graph->line, 0, "<spontaneous>\n");
}

/* Adds the number of calls from others and, after a plus, of recursive calls to a line of the call graph.  */
static void print_graph_calls(const struct graph *graph, uint64_t calls, uint64_t own_calls) {
  line_add_character(graph->line, ' ');
  if ((calls | own_calls) == 0)
    line_add_string(graph->line, 7, "");
  else
    line_add_integer(graph->line, 7, calls);
  line_add_character(graph->line, own_calls > 0 ? '+' : ' ');
  if (own_calls > 0)
    line_add_integer(graph->line, -7, own_calls);
  else
    line_add_string(graph->line, 7, "");
  line_add_character(graph->line, ' ');
}

/* Adds the first columns of the line of a function or cycle itself: its index, its percentage of the work, and its
   costs.  */
static void print_graph_primary(const struct graph *graph, size_t index, uint64_t self, uint64_t children) {
  char text[24];
  snprintf(text, sizeof text, "[%zu]", index);
  line_add_string(graph->line, -6, text);
  line_add_character(graph->line, ' ');
  line_add_fixed(graph->line, 5, 1,
                 model_percent_of_whole(model_saturating_sum(self, children), graph->model->counted_work));
  print_graph_value(graph, 7, false, self);
  print_graph_value(graph, graph->children_width, false, children);
}

/* Adds the columns that gprof does not have to the line of a function itself.  The work of a member of a cycle is not
   that of its calls, so its span is blank; its parallelism is that of all of its calls.  */
static void print_graph_function_measure(const struct graph *graph, const struct function *function) {
  struct cilkprof_measure measure = model_function_measure(function);
  const struct layout *layout = &graph->layout;
  if (function->cycle->member_count == 1) {
    print_graph_measure(graph, &measure);
    return;
  }
  if (layout_has_column(layout, WORK))
    print_graph_value(graph, columns[WORK].width, false,
                      model_saturating_sum(function->counted_self, function->children));
  layout_string_cell(layout, graph->line, SPAN, "");
  layout_string_cell(layout, graph->line, PARALLEL, model_parallelism_text(measure.work, measure.span).text);
}

/* Returns the number of calls of FUNCTION that the call graph shows: with gprof's columns only the calls that gprof
   would know.  */
static uint64_t graph_function_calls(const struct graph *graph, const struct function *function) {
  return graph->options->gprof_columns ? labelled_calls_by_known_callers(function) : function->calls;
}

/* Prints the entry of FUNCTION in the call graph: its callers, its own line, and its callees.  */
static void print_graph_function(const struct graph *graph, const struct function *function) {
  if (function->parent_count == 0)
    print_graph_spontaneous(graph);
  for (size_t i = 0; i < function->parent_count; i++)
    print_graph_arc(graph, function->parents[i], function->parents[i]->caller);
  print_graph_primary(graph, function->index, function->counted_self, function->children);
  print_graph_function_measure(graph, function);
  if (function->sampled)
    print_graph_calls(graph, 0, 0);
  else
    print_graph_calls(graph, graph_function_calls(graph, function), function->own_calls);
  print_graph_name(graph, function, NULL);
  for (size_t i = 0; i < function->callee_count; i++)
    print_graph_arc(graph, function->callees[i], function->callees[i]->callee);
}

/* Prints the entry of a whole cycle in the call graph: its own line, and its members.  */
static void print_graph_cycle(const struct graph *graph, const struct cycle *cycle) {
  uint64_t work = cycle->inclusive.work;
  print_graph_primary(graph, cycle->index, cycle->self, work > cycle->self ? work - cycle->self : 0);
  print_graph_measure(graph, &cycle->inclusive);
  print_graph_calls(graph, cycle->calls, cycle->internal_calls);
  line_add_string(graph->line, 0, "<cycle ");
  line_add_integer(graph->line, 0, cycle->number);
  line_add_string(graph->line, 0, " as a whole>");
  print_graph_index_number(graph->line, cycle->index, true);
  for (size_t i = 0; i < cycle->member_count; i++) {
    const struct function *member = cycle->members[i];
    line_add_string(graph->line, 12, "");
    print_graph_value(graph, 7, false, member->counted_self);
    print_graph_value(graph, graph->children_width, false, member->children);
    print_graph_function_measure(graph, member);
    print_graph_calls(graph, graph_function_calls(graph, member), member->own_calls);
    line_add_string(graph->line, 0, "    ");
    print_graph_name(graph, member, NULL);
  }
}

/* Prints the headings of the call graph. gprof's heading "children" ends two columns after its column, so the next
   headings are moved closer until they are aligned with their columns again.  */
static void print_graph_headings(const struct graph *graph) {
  enum { CALLED_END = 11 };
  static const char first[] = "index % time    self  children";
  int at = (int)strlen(first);
  fputs(first, graph->line->out);
  for (size_t i = WORK; i <= CALLED; i++) {
    if (!layout_has_column(&graph->layout, i))
      continue;
    int end = i < CALLED ? layout_width_before(&graph->layout, i + 1)
                         : layout_width_before(&graph->layout, i) + CALLED_END + 1;
    int width = (int)strlen(columns[i].heading) + 1;
    width = end - at > width ? end - at : width;
    fprintf(graph->line->out, "%*s", width, columns[i].heading);
    at += width;
  }
  fputs("     name\n", graph->line->out);
}

/* Prints the title of the call graph, the unit of its costs, and its headings.  */
static void print_graph_header(const struct graph *graph) {
  FILE *out = graph->line->out;
  const struct options *options = graph->options;
  const struct cilkprof_totals *totals = &graph->model->totals;
  if (!options->traditional) {
    fputs(options->brief ? "\t\t\t" : "\t\t     ", out);
    print_styled(out, options->color, STYLE_TITLE, options->brief ? "Call graph" : "Call graph (explanation follows)");
    fputs("\n\n", out);
  }
  char *granularity = format_string(
      "granularity: each call site is measured; values in %s; the work is %.2f, the span %s", graph->unit.name,
      (double)totals->work * graph->unit.factor, model_quantity(graph->model, (double)totals->span, 4, "").text);
  putc('\n', out);
  print_prose_field(out, granularity, 0, options->terminal_width);
  putc('\n', out);
  free(granularity);
  if (options->traditional)
    fputs("                                  called/total       parents \n"
          "index  %time    self descendants  called+self    name    \tindex\n"
          "                                  called/total       children\n\n",
          out);
  else
    print_graph_headings(graph);
}

/* Prints the call graph: an entry for every function and cycle, with its callers and callees, and the index.  */
void print_graph(FILE *out, struct model *model, const struct options *options) {
  struct line line = {.out = out};
  struct graph graph = {&line,
                        model,
                        options,
                        model_unit_for_table(model),
                        options->traditional ? 11 : 7,
                        layout_fit_columns(columns, COLUMNS, options->terminal_width, LEAST_ROOM)};
  graph.layout.gone |= options->gprof_columns ? OUR_COLUMNS : 0;
  struct entries entries = make_graph_entries(model, options);
  print_graph_header(&graph);
  for (size_t i = 0; i < entries.count; i++) {
    const struct entry *entry = &entries.entries[i];
    if (!graph_entry_is_shown(entry))
      continue;
    if (entry->cycle != NULL)
      print_graph_cycle(&graph, entry->cycle);
    else
      print_graph_function(&graph, entry->function);
    line_add_string(&line, 0, "-----------------------------------------------\n");
    line_add_string(&line, 0, options->traditional ? "\n" : "");
  }
  line_flush(&line);
  if (!options->brief) {
    explain_call_graph(out, model, options);
    if (!options->gprof_columns)
      explain_omitted_table_columns(out, &graph.layout, options->terminal_width);
  }
  print_graph_index(out, &entries, model, options->width);
  free(entries.entries);
}
