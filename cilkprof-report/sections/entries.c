/* Sorts the entries of the call graph: functions and cycles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/sections/entries.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/support/support.h"

const char *entry_name(const struct entry *entry) {
  return entry->function != NULL ? entry->function->brief_name : "<cycle>";
}

bool entry_is_shown(const struct entry *entry) {
  return entry->cycle != NULL ? entry->cycle->in_graph : entry->function->in_graph;
}

static uint64_t entry_work(const struct entry *entry) {
  return entry->cycle != NULL ? entry->cycle->inclusive.work
                              : sum_of(entry->function->counted_self, entry->function->children);
}

static uint64_t entry_calls(const struct entry *entry) {
  return entry->cycle != NULL ? entry->cycle->calls : entry->function->calls;
}

/* Sorts entries by work.  A caller with only one callee may have the same work: it comes first if it has fewer
   calls.  */
static int compare_entries(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  if (entry_work(a) != entry_work(b))
    return entry_work(a) > entry_work(b) ? -1 : 1;
  if ((a->cycle == NULL) != (b->cycle == NULL))
    return a->cycle != NULL ? -1 : 1;
  if (entry_calls(a) != entry_calls(b))
    return entry_calls(a) < entry_calls(b) ? -1 : 1;
  int order = strcmp(entry_name(a), entry_name(b));
  if (order != 0 || a->cycle != NULL)
    return order;
  return a->function->number < b->function->number ? -1 : 1;
}

/* Sorts arcs by their distance from the primary line: the largest are closest, calls inside a cycle are farthest.  */
static int compare_arcs(const void *left, const void *right) {
  const struct arc *a = *(const struct arc *const *)left, *b = *(const struct arc *const *)right;
  if (arc_is_internal(a) != arc_is_internal(b))
    return arc_is_internal(a) ? 1 : -1;
  if (arc_measure(a)->work != arc_measure(b)->work)
    return arc_measure(a)->work > arc_measure(b)->work ? -1 : 1;
  if (arc_calls(a) != arc_calls(b))
    return arc_calls(a) > arc_calls(b) ? -1 : 1;
  int order = strcmp(a->callee->brief_name, b->callee->brief_name);
  if (order == 0 && a->caller != NULL && b->caller != NULL)
    order = strcmp(a->caller->brief_name, b->caller->brief_name);
  return order != 0 ? order : a < b ? -1 : a > b;
}

static int compare_parents(const void *left, const void *right) {
  return -compare_arcs(left, right);
}

/* Sorts the members of a cycle by work.  */
static int compare_members(const void *left, const void *right) {
  struct entry a = {.function = *(struct function *const *)left}, b = {.function = *(struct function *const *)right};
  return compare_entries(&a, &b);
}

static void sort_arcs(struct model *model) {
  for (size_t i = 0; i < model->functions.count; i++) {
    struct function *function = model->functions.list[i];
    qsort(function->callees, function->callee_count, sizeof *function->callees, compare_arcs);
    qsort(function->parents, function->parent_count, sizeof *function->parents, compare_parents);
  }
  for (size_t i = 0; i < model->cycle_count; i++)
    qsort(model->cycles[i].members, model->cycles[i].member_count, sizeof *model->cycles[i].members, compare_members);
}

struct entries entries_make(struct model *model, const struct options *options) {
  struct entries entries = {.entries = allocate(model->functions.count + model->cycle_count, sizeof(struct entry))};
  size_t number = 0;
  sort_arcs(model);
  for (size_t i = 0; i < model->functions.count; i++)
    if (function_is_listed(model->functions.list[i], options))
      entries.entries[entries.count++].function = model->functions.list[i];
  for (size_t i = 0; i < model->cycle_count; i++)
    if (model->cycles[i].member_count > 1)
      entries.entries[entries.count++].cycle = &model->cycles[i];
  qsort(entries.entries, entries.count, sizeof *entries.entries, compare_entries);
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
