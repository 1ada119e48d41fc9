/* Functions with their callers: inverts the tree of calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/samples/callers.h"
#include "cilkprof-report/support/support.h"

/* Callback of hash_table_find: returns whether two nodes of the inverted tree of samples have the same path.  */
static bool is_same_sample_caller(const void *array, size_t place, const void *key) {
  const struct caller *a = (const struct caller *)array + place, *b = key;
  return a->parent == b->parent && a->function == b->function && a->file == b->file && a->line == b->line;
}

/* Returns the number of the node of the inverted tree with the path of CALLER, and adds it if there is none.  TABLE
   finds nodes by path.  */
static uint32_t add_sample_caller(struct callers *callers, struct table *table, const struct caller *caller) {
  uint64_t hash = hash_add(hash_add(0, (uint64_t)caller->parent << 32 | caller->line), (uintptr_t)caller->function);
  size_t place = hash_table_find(table, hash_add(hash, (uintptr_t)caller->file), is_same_sample_caller,
                                 callers->callers, caller, callers->count);
  if (place == callers->count) {
    if (place == NO_CONTEXT)
      fail("profiles", "the profiles have too many calling contexts");
    callers->callers = grow_array(callers->callers, callers->count, &callers->room, sizeof *callers->callers);
    callers->callers[callers->count++] = *caller;
  }
  return (uint32_t)place;
}

/* Callback of qsort: compares two nodes of the inverted tree by idleness, then by effort.  The smallest comes first,
   because link_sample_callers links in this order, each in front of those before.  */
static int compare_sample_callers(const void *left, const void *right) {
  const struct caller *a = *(const struct caller *const *)left, *b = *(const struct caller *const *)right;
  uint64_t one = a->own.of[WASTE_IDLENESS], other = b->own.of[WASTE_IDLENESS];
  if (one != other)
    return one < other ? -1 : 1;
  one = sample_waste_effort(&a->own), other = sample_waste_effort(&b->own);
  return one != other ? one < other ? -1 : 1 : a > b ? -1 : 1;
}

/* Links and sorts the children of every node of the inverted tree: the callers of its function, those with most
   idleness first.  */
static void link_sample_callers(struct callers *callers) {
  struct caller **sorted = allocate(callers->count, sizeof *sorted);
  for (size_t i = 0; i < callers->count; i++) {
    sorted[i] = &callers->callers[i];
    sorted[i]->first_child = NO_CONTEXT;
  }
  if (callers->count > 0)
    qsort(sorted, callers->count, sizeof *sorted, compare_sample_callers);
  callers->first = NO_CONTEXT;
  for (size_t i = 0; i < callers->count; i++) {
    uint32_t *head =
        sorted[i]->parent == NO_CONTEXT ? &callers->first : &callers->callers[sorted[i]->parent].first_child;
    sorted[i]->next_sibling = *head;
    *head = (uint32_t)(sorted[i] - callers->callers);
  }
  free(sorted);
}

/* Returns the inverted tree of SAMPLES: functions with their callers.  Every context that has time of its own adds a
   path from its function upwards.  Paths are cut at a length that nobody reads, because a recursion would have as many
   nodes as the square of its depth.  */
struct callers find_sample_callers(const struct samples *samples) {
  enum { MOST = 64 };
  struct callers callers = {0};
  struct table table = {0};
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    struct caller caller = {.parent = NO_CONTEXT, .function = context->function};
    struct waste own = context->own;
    if (sample_waste_effort(&own) == 0)
      continue;
    for (unsigned length = 0; length < MOST; length++) {
      caller.parent = add_sample_caller(&callers, &table, &caller);
      sample_waste_add(&callers.callers[caller.parent].own, &own);
      if (context->parent == NO_CONTEXT)
        break;
      caller.file = context->file;
      caller.line = context->line;
      context = &samples->contexts[context->parent];
      caller.function = context->function;
    }
  }
  hash_table_free(&table);
  link_sample_callers(&callers);
  return callers;
}
