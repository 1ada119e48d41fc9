/* Sorts the entries of the call graph: functions and cycles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/sections/entries.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/support/support.h"

/* Returns the name by which ENTRY of the call graph is sorted: the brief name of the function, or "<cycle>".  */
const char *graph_entry_name(const struct entry *entry) {
  return entry->function != NULL ? entry->function->brief_name : "<cycle>";
}

/* Returns whether the options allow ENTRY to be printed in the call graph.  */
bool graph_entry_is_shown(const struct entry *entry) {
  return entry->cycle != NULL ? entry->cycle->in_graph : entry->function->in_graph;
}

/* Returns the work of a function or cycle in the call graph, with all that it called.  */
static uint64_t graph_entry_work(const struct entry *entry) {
  return entry->cycle != NULL ? entry->cycle->inclusive.work
                              : model_saturating_sum(entry->function->counted_self, entry->function->children);
}

/* Returns how often others called a function or cycle in the call graph.  */
static uint64_t graph_entry_calls(const struct entry *entry) {
  return entry->cycle != NULL ? entry->cycle->calls : entry->function->calls;
}

/* Compares two entries of the call graph by work, the largest first, for qsort.  A caller with only one callee may have
   the same work: it comes first if it has fewer calls.  */
static int compare_graph_entries(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  if (graph_entry_work(a) != graph_entry_work(b))
    return graph_entry_work(a) > graph_entry_work(b) ? -1 : 1;
  if ((a->cycle == NULL) != (b->cycle == NULL))
    return a->cycle != NULL ? -1 : 1;
  if (graph_entry_calls(a) != graph_entry_calls(b))
    return graph_entry_calls(a) < graph_entry_calls(b) ? -1 : 1;
  int order = strcmp(graph_entry_name(a), graph_entry_name(b));
  if (order != 0 || a->cycle != NULL)
    return order;
  return a->function->number < b->function->number ? -1 : 1;
}

/* Compares two arcs of the call graph by their distance from the line of the function itself, for qsort: the largest
   are closest, calls inside a cycle are farthest.  */
static int compare_graph_arcs(const void *left, const void *right) {
  const struct arc *a = *(const struct arc *const *)left, *b = *(const struct arc *const *)right;
  if (model_arc_is_internal(a) != model_arc_is_internal(b))
    return model_arc_is_internal(a) ? 1 : -1;
  if (model_arc_measure(a)->work != model_arc_measure(b)->work)
    return model_arc_measure(a)->work > model_arc_measure(b)->work ? -1 : 1;
  if (model_arc_calls(a) != model_arc_calls(b))
    return model_arc_calls(a) > model_arc_calls(b) ? -1 : 1;
  int order = strcmp(a->callee->brief_name, b->callee->brief_name);
  if (order == 0 && a->caller != NULL && b->caller != NULL)
    order = strcmp(a->caller->brief_name, b->caller->brief_name);
  return order != 0 ? order : a < b ? -1 : a > b;
}

/* Compares two arcs from callers, which stand above the line of the function itself, in the reverse order of arcs to
   callees.  */
static int compare_graph_parents(const void *left, const void *right) {
  return -compare_graph_arcs(left, right);
}

/* Compares two members of a cycle in the call graph by work, the largest first, for qsort.  */
static int compare_graph_cycle_members(const void *left, const void *right) {
  struct entry a = {.function = *(struct function *const *)left}, b = {.function = *(struct function *const *)right};
  return compare_graph_entries(&a, &b);
}

/* Sorts the callers and callees of every function, and the members of every cycle, as the call graph shows them.  */
static void sort_graph_arcs(struct model *model) {
  for (size_t i = 0; i < model->functions.count; i++) {
    struct function *function = model->functions.list[i];
    qsort(function->callees, function->callee_count, sizeof *function->callees, compare_graph_arcs);
    qsort(function->parents, function->parent_count, sizeof *function->parents, compare_graph_parents);
  }
  for (size_t i = 0; i < model->cycle_count; i++)
    qsort(model->cycles[i].members, model->cycles[i].member_count, sizeof *model->cycles[i].members,
          compare_graph_cycle_members);
}

struct entries make_graph_entries(struct model *model, const struct options *options) {
  struct entries entries = {.entries = allocate(model->functions.count + model->cycle_count, sizeof(struct entry))};
  size_t number = 0;
  sort_graph_arcs(model);
  for (size_t i = 0; i < model->functions.count; i++)
    if (function_has_table_row(model->functions.list[i], options))
      entries.entries[entries.count++].function = model->functions.list[i];
  for (size_t i = 0; i < model->cycle_count; i++)
    if (model->cycles[i].member_count > 1)
      entries.entries[entries.count++].cycle = &model->cycles[i];
  qsort(entries.entries, entries.count, sizeof *entries.entries, compare_graph_entries);
  for (size_t i = 0; i < entries.count; i++) {
    const struct entry *entry = &entries.entries[i];
    if (entry->cycle != NULL) {
      entry->cycle->number = ++number;
      entry->cycle->index = i + 1;
    } else {
      entry->function->index = i + 1;
    }
  }
  return entries;
}
