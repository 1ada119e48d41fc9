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

static unsigned long place_of(const struct view_table *table, const void *reducer) {
  return (((uintptr_t)reducer >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (table->size - 1);
}

/* The entry of REDUCER, or the free one where it would be.  */
static struct view *find(struct view_table *table, const void *reducer) {
  unsigned long at = place_of(table, reducer);
  while (table->views[at].reducer && table->views[at].reducer != reducer)
    at = (at + 1) & (table->size - 1);
  return &table->views[at];
}

static struct view *present(const struct __cilkprof_r_views *views, const void *reducer) {
  struct view *v = views->table ? find(views->table, reducer) : NULL;
  return v && v->reducer ? v : NULL;
}

static void add(struct __cilkprof_r_views *views, struct view added) {
  struct view_table *old = views->table, *table = old;
  if (!old || (old->used + 1) * 2 > old->size) {
    unsigned long size = old ? old->size * 2 : 4;
    if (!(table = calloc(1, sizeof *table + size * sizeof *table->views)))
      __cilkprof_r_no_memory();
    table->size = size;
    table->used = old ? old->used : 0;
    for (unsigned long i = 0; old && i < old->size; i++)
      if (old->views[i].reducer)
        *find(table, old->views[i].reducer) = old->views[i];
    free(old);
    views->table = table;
  }
  *find(table, added.reducer) = added;
  table->used++;
}

/* Removes V.  Later entries move up, so that no search meets a hole.  */
static void take_out(struct view_table *table, struct view *v) {
  unsigned long mask = table->size - 1, hole = (unsigned long)(v - table->views);
  for (unsigned long at = (hole + 1) & mask; table->views[at].reducer; at = (at + 1) & mask)
    if (((at - place_of(table, table->views[at].reducer)) & mask) >= ((at - hole) & mask)) {
      table->views[hole] = table->views[at];
      hole = at;
    }
  table->views[hole].reducer = NULL;
  table->used--;
}

static void reduce(void *left, struct view *right) {
  if (left == right->view)
    return;
  right->monoid->reduce(right->reducer, left, right->view);
  right->monoid->destroy(right->reducer, right->view);
}

/* Appends the views of RIGHT to those of LEFT, which is NULL if all of them are leftmost.  The reduce functions are
   the program's, and may use reducers: LEFT is searched again for each view.  */
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
        reduce(v->leftmost, v);
      continue;
    }
    struct view *l = present(left, v->reducer);
    if (l)
      reduce(l->view, v);
    else
      add(left, *v);
  }
  free(table);
}

void *__cilkprof_r_find_view(const void *reducer) {
  struct view *v = present(__cilkprof_r_views, reducer);
  return v ? v->view : NULL;
}

void *__cilkprof_r_add_view(void *reducer, void *leftmost, void *view, const struct __cilkprof_r_monoid *monoid) {
  if (!view)
    __cilkprof_r_no_memory();
  add(__cilkprof_r_views, (struct view){reducer, view, leftmost, monoid});
  return view;
}

EXPORTED void *__cilkprof_r_view(void *reducer, void *leftmost, const struct __cilkprof_r_monoid *monoid) {
  if (!__cilkprof_r_views)
    return leftmost;
  void *view = __cilkprof_r_find_view(reducer);
  return view ? view : __cilkprof_r_add_view(reducer, leftmost, monoid->identity(reducer), monoid);
}

EXPORTED void __cilkprof_r_reducer_begin(void *reducer, void *leftmost, const struct __cilkprof_r_monoid *monoid) {
  if (__cilkprof_r_views)
    __cilkprof_r_add_view(reducer, leftmost, leftmost, monoid);
}

/* A reducer that ends in another strand than it began in has a view here that nobody else will see.  */
EXPORTED void __cilkprof_r_reducer_end(void *reducer) {
  struct view *v = __cilkprof_r_views ? present(__cilkprof_r_views, reducer) : NULL;
  if (!v)
    return;
  struct view ended = *v;
  take_out(__cilkprof_r_views->table, v);
  reduce(ended.leftmost, &ended);
}
