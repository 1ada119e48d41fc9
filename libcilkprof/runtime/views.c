/* Views of reducers.  Each strand has a hash table of the views that it used, by the address of the reducer.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>

#include "libcilkprof/runtime/runtime.h"

struct view {
  void *reducer; /* NULL if the entry is free */
  void *view, *leftmost;
  const struct __cilkprof_r_monoid *monoid;
};

struct view_table {
  unsigned long size, used; /* SIZE is a power of 2, and at least twice USED */
  struct view views[];
};

/* Returns the index in TABLE at which the search for the view of REDUCER begins: a hash of its address.  */
static unsigned long reducer_view_place(const struct view_table *table, const void *reducer) {
  return (((uintptr_t)reducer >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (table->size - 1);
}

/* Returns the entry of REDUCER in TABLE, or the free one where it would be.  */
static struct view *find_reducer_entry(struct view_table *table, const void *reducer) {
  unsigned long at = reducer_view_place(table, reducer);
  while (table->views[at].reducer && table->views[at].reducer != reducer)
    at = (at + 1) & (table->size - 1);
  return &table->views[at];
}

/* Returns the entry of REDUCER among the VIEWS of a strand; NULL if the strand has no view of it.  */
static struct view *find_reducer_view(const struct __cilkprof_r_views *views, const void *reducer) {
  struct view *v = views->table ? find_reducer_entry(views->table, reducer) : NULL;
  return v && v->reducer ? v : NULL;
}

/* Adds the view ADDED, of a reducer that has none there yet, to the VIEWS of a strand.  The table grows if it is half
   full.  */
static void add_reducer_view(struct __cilkprof_r_views *views, struct view added) {
  struct view_table *old = views->table, *table = old;
  if (!old || (old->used + 1) * 2 > old->size) {
    unsigned long size = old ? old->size * 2 : 4;
    if (!(table = calloc(1, sizeof *table + size * sizeof *table->views)))
      __cilkprof_r_no_memory();
    table->size = size;
    table->used = old ? old->used : 0;
    for (unsigned long i = 0; old && i < old->size; i++)
      if (old->views[i].reducer)
        *find_reducer_entry(table, old->views[i].reducer) = old->views[i];
    free(old);
    views->table = table;
  }
  *find_reducer_entry(table, added.reducer) = added;
  table->used++;
}

/* Removes the entry V from TABLE.  Later entries move up, so that no search meets a hole.  */
static void remove_reducer_view(struct view_table *table, struct view *v) {
  unsigned long mask = table->size - 1, hole = (unsigned long)(v - table->views);
  for (unsigned long at = (hole + 1) & mask; table->views[at].reducer; at = (at + 1) & mask)
    if (((at - reducer_view_place(table, table->views[at].reducer)) & mask) >= ((at - hole) & mask)) {
      table->views[hole] = table->views[at];
      hole = at;
    }
  table->views[hole].reducer = NULL;
  table->used--;
}

EXPORTED void (*__cilkprof_r_unrecorded)(void (*function)(void *), void *data);

/* Calls FUNCTION(DATA), which calls functions of a reducer.  If the workers are profiled, nothing of it is recorded:
   how often it happens depends on the schedule.  */
void __cilkprof_r_call_for_views(void (*function)(void *), void *data) {
  if (__cilkprof_r_unrecorded)
    __cilkprof_r_unrecorded(function, data);
  else
    function(data);
}

/* What the program's functions for a view get and return.  */
struct view_call {
  const struct __cilkprof_r_monoid *monoid;
  void *reducer, *left, *view;
};

/* Reduces the view of the call DATA into the left one, and destroys it.  */
static void call_to_reduce_view(void *data) {
  const struct view_call *call = data;
  call->monoid->reduce(call->reducer, call->left, call->view);
  call->monoid->destroy(call->reducer, call->view);
}

/* Makes the view of the call DATA.  */
static void call_to_make_view(void *data) {
  struct view_call *call = data;
  call->view = call->monoid->identity(call->reducer);
}

/* Reduces the view RIGHT into the view LEFT of the same reducer, by the program's function, and destroys RIGHT.  Does
   nothing if both are the same view.  */
static void reduce_reducer_view(void *left, struct view *right) {
  struct view_call call = {right->monoid, right->reducer, left, right->view};
  if (left != right->view)
    __cilkprof_r_call_for_views(call_to_reduce_view, &call);
}

/* Appends the views of the strand RIGHT to those of LEFT, the strand before it, and empties RIGHT.  LEFT is NULL if all
   of its views are leftmost.  The reduce functions are the program's, and may use reducers: LEFT is searched again for
   each view.  */
void __cilkprof_r_merge(struct __cilkprof_r_views *left, struct __cilkprof_r_views *right) {
  struct view_table *table = right->table;
  if (__builtin_expect(!table, 1))
    return;
  right->table = NULL;
  if (left && !left->table) {
    left->table = table;
    return;
  }
  for (unsigned long i = 0; i < table->size; i++) {
    struct view *v = &table->views[i];
    if (!v->reducer)
      continue;
    if (!left) {
      if (v->view != v->leftmost)
        reduce_reducer_view(v->leftmost, v);
      continue;
    }
    struct view *l = find_reducer_view(left, v->reducer);
    if (l)
      reduce_reducer_view(l->view, v);
    else
      add_reducer_view(left, *v);
  }
  free(table);
}

/* Returns the current strand's view of REDUCER; NULL if it has none yet.  The strand must have a table of views.  */
void *__cilkprof_r_find_view(const void *reducer) {
  struct view *v = find_reducer_view(__cilkprof_r_views, reducer);
  return v ? v->view : NULL;
}

/* Adds VIEW as the current strand's view of REDUCER, and returns it.  LEFTMOST is the view in the reducer itself.
   Aborts the program if VIEW is NULL, which means that there is no memory.  */
void *__cilkprof_r_add_view(void *reducer, void *leftmost, void *view, const struct __cilkprof_r_monoid *monoid) {
  if (!view)
    __cilkprof_r_no_memory();
  add_reducer_view(__cilkprof_r_views, (struct view){reducer, view, leftmost, monoid});
  return view;
}

/* Returns the current strand's view of REDUCER.  If there is none yet, makes one by the identity function of MONOID.  A
   strand before which nothing is deferred uses the LEFTMOST view.  */
EXPORTED void *__cilkprof_r_view(void *reducer, void *leftmost, const struct __cilkprof_r_monoid *monoid) {
  if (!__cilkprof_r_views)
    return leftmost;
  void *view = __cilkprof_r_find_view(reducer);
  if (view)
    return view;
  struct view_call call = {monoid, reducer, NULL, NULL};
  __cilkprof_r_call_for_views(call_to_make_view, &call);
  return __cilkprof_r_add_view(reducer, leftmost, call.view, monoid);
}

/* Registers REDUCER, which is constructed in the current strand, with its LEFTMOST view as the strand's own.  */
EXPORTED void __cilkprof_r_reducer_begin(void *reducer, void *leftmost, const struct __cilkprof_r_monoid *monoid) {
  if (__cilkprof_r_views)
    __cilkprof_r_add_view(reducer, leftmost, leftmost, monoid);
}

/* Removes REDUCER, which is destroyed in the current strand, from the strand's views.  A reducer that ends in another
   strand than it began in has a view here that nobody else will see: it is reduced into the leftmost one.  */
EXPORTED void __cilkprof_r_reducer_end(void *reducer) {
  struct view *v = __cilkprof_r_views ? find_reducer_view(__cilkprof_r_views, reducer) : NULL;
  if (!v)
    return;
  struct view ended = *v;
  remove_reducer_view(__cilkprof_r_views->table, v);
  reduce_reducer_view(ended.leftmost, &ended);
}
