/* Calling contexts, folded at recursion: a tree of call sites.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/support.h"

/* Callback of hash_table_find: returns whether two calling contexts of the model have the same path.  */
static bool is_same_model_context(const void *array, size_t place, const void *key) {
  const struct context *a = (const struct context *)array + place, *b = key;
  return a->parent == b->parent && a->site == b->site;
}

/* Adds CONTEXT to CONTEXTS, or its cost to the context with the same path if there is one.  Returns the number of the
   context.  Fails if there are too many.  */
static uint32_t add_model_context(struct contexts *contexts, const struct context *context) {
  uint64_t hash = hash_add(0, (uint64_t)context->parent << 32 | context->site);
  size_t place =
      hash_table_find(&contexts->table, hash, is_same_model_context, contexts->contexts, context, contexts->count);
  if (place == contexts->count) {
    if (place == NO_CONTEXT)
      fail("profiles", "the profiles have too many calling contexts");
    contexts->contexts = grow_array(contexts->contexts, contexts->count, &contexts->room, sizeof *contexts->contexts);
    contexts->contexts[contexts->count++] = *context;
  } else {
    add_model_measure(&contexts->contexts[place].on_work, &context->on_work);
    add_model_measure(&contexts->contexts[place].on_span, &context->on_span);
  }
  return (uint32_t)place;
}

/* Adds the calling contexts of PROFILE, which was read from PATH.  PLACES[i] is the number in the model of its site
   number i.  If one profile has no contexts, the model has none: those of the other runs would not add up to the
   program.  */
void add_model_contexts(struct contexts *contexts, const struct cilkprof_profile *profile, const uint32_t *places,
                        const char *path) {
  if (profile->context_count == 0 && contexts->missing == NULL) {
    contexts->missing = path;
    contexts->advice = profile->program.flags & CILKPROF_FROM_LIVE
                           ? "a live file never has; let the program finish, or write its profile earlier"
                           : "use cilkprof run --contexts";
  }
  uint32_t *numbers = allocate(profile->context_count, sizeof *numbers);
  for (size_t i = 0; i < profile->context_count; i++) {
    const struct cilkprof_context *from = &profile->contexts[i];
    struct context context = {
        .parent = from->parent == CILKPROF_NO_CONTEXT ? NO_CONTEXT : numbers[from->parent],
        .site = places[from->site],
        .on_work = from->on_work,
        .on_span = from->on_span,
    };
    numbers[i] = add_model_context(contexts, &context);
  }
  free(numbers);
}

/* Fails, with advice for the user, if a profile of the model has no calling contexts.  */
void require_model_contexts(const struct contexts *contexts) {
  if (contexts->missing != NULL)
    fail(contexts->missing, "it has no calling contexts; %s", contexts->advice);
}

/* Callback of qsort: compares two calling contexts by span, then by work.  The smallest comes first, because
   link_model_contexts links in this order, each in front of those before.  */
static int compare_model_contexts(const void *left, const void *right) {
  const struct context *a = *(const struct context *const *)left, *b = *(const struct context *const *)right;
  if (a->on_span.span != b->on_span.span)
    return a->on_span.span < b->on_span.span ? -1 : 1;
  if (a->on_work.work != b->on_work.work)
    return a->on_work.work < b->on_work.work ? -1 : 1;
  return a > b ? -1 : 1;
}

/* Subtracts PART, the cost of a child context, from *WHOLE, that of its parent.  The result is 0 if PART is larger, as
   can happen if a run did not reach its end.  */
static void subtract_model_context_cost(uint64_t *whole, uint64_t part) {
  *whole -= part < *whole ? part : *whole;
}

/* Links the children of every calling context.  Each becomes the head of its parent's list, so the last one in sorted
   order is the first child.  */
static void link_model_contexts(struct contexts *contexts) {
  struct context **sorted = allocate(contexts->count, sizeof *sorted);
  for (size_t i = 0; i < contexts->count; i++)
    sorted[i] = &contexts->contexts[i];
  qsort(sorted, contexts->count, sizeof *sorted, compare_model_contexts);
  for (size_t i = 0; i < contexts->count; i++) {
    uint32_t parent = sorted[i]->parent;
    uint32_t *head = parent == NO_CONTEXT ? &contexts->first : &contexts->contexts[parent].first_child;
    sorted[i]->next_sibling = *head;
    *head = (uint32_t)(sorted[i] - contexts->contexts);
  }
  free(sorted);
}

/* Links and sorts the children of every calling context, counts the contexts below it, and computes its cost without
   its children.  Drops all contexts if a profile has none.  */
void finish_model_contexts(struct contexts *contexts) {
  if (contexts->missing != NULL)
    contexts->count = 0;
  contexts->first = NO_CONTEXT;
  for (size_t i = 0; i < contexts->count; i++) {
    struct context *context = &contexts->contexts[i];
    context->first_child = NO_CONTEXT;
    context->size = 1;
    context->own_work = context->on_work.work;
    context->own_span = context->on_span.span;
  }
  for (size_t i = contexts->count; i-- > 0;) {
    const struct context *context = &contexts->contexts[i];
    if (context->parent == NO_CONTEXT)
      continue;
    struct context *parent = &contexts->contexts[context->parent];
    parent->size += context->size;
    subtract_model_context_cost(&parent->own_work, context->on_work.work);
    subtract_model_context_cost(&parent->own_span, context->on_span.span);
  }
  link_model_contexts(contexts);
}

size_t model_context_path(const struct contexts *contexts, uint32_t context, uint32_t **path, size_t *room) {
  size_t length = 0;
  for (; context != NO_CONTEXT; context = contexts->contexts[context].parent) {
    *path = grow_array(*path, length, room, sizeof **path);
    (*path)[length++] = context;
  }
  return length;
}
