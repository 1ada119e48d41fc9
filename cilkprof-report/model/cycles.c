/* Cycles of the call graph: Tarjan's strongly connected components, with a stack of its own, because call graphs can be
   deeper than a C stack.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/support.h"

/* What the search knows of a function.  */
struct visit {
  size_t order, low; /* 0: not yet visited */
  size_t next;       /* arc to follow */
  bool on_stack;
};

struct search {
  struct model *model;
  struct visit *visits;     /* by function number */
  struct function **path;   /* from the root to the function that is visited */
  struct function **stack;  /* visited, but in no cycle yet */
  struct function **placed; /* members of the cycles so far */
  size_t path_length, stack_size, placed_count, visited;
};

static void enter(struct search *search, struct function *function) {
  struct visit *visit = &search->visits[function->number];
  visit->order = visit->low = ++search->visited;
  visit->on_stack = true;
  search->path[search->path_length++] = function;
  search->stack[search->stack_size++] = function;
}

/* FUNCTION is the first visited of its cycle; all above it on the stack are its other members.  */
static void make_cycle(struct search *search, struct function *function) {
  struct cycle *cycle = &search->model->cycles[search->model->cycle_count++];
  struct function *member;
  cycle->members = search->placed + search->placed_count;
  do {
    member = search->stack[--search->stack_size];
    search->visits[member->number].on_stack = false;
    member->cycle = cycle;
    search->placed[search->placed_count++] = member;
    cycle->member_count++;
  } while (member != function);
}

static void leave(struct search *search, struct function *function) {
  struct visit *visit = &search->visits[function->number];
  if (visit->low == visit->order)
    make_cycle(search, function);
  search->path_length--;
  if (search->path_length > 0) {
    struct visit *caller = &search->visits[search->path[search->path_length - 1]->number];
    if (visit->low < caller->low)
      caller->low = visit->low;
  }
}

static void visit_from(struct search *search, struct function *root) {
  enter(search, root);
  while (search->path_length > 0) {
    struct function *function = search->path[search->path_length - 1];
    struct visit *visit = &search->visits[function->number];
    if (visit->next == function->callee_count) {
      leave(search, function);
      continue;
    }
    const struct arc *arc = function->callees[visit->next++];
    if (arc_calls(arc) == 0)
      continue; /* a call that was never made closes no cycle */
    struct function *callee = arc->callee;
    const struct visit *reached = &search->visits[callee->number];
    if (reached->order == 0)
      enter(search, callee);
    else if (reached->on_stack && reached->order < visit->low)
      visit->low = reached->order;
  }
}

void cycles_find(struct model *model) {
  size_t count = model->functions.count;
  struct search search = {
      .model = model,
      .visits = allocate(count, sizeof *search.visits),
      .path = allocate(count, sizeof *search.path),
      .stack = allocate(count, sizeof *search.stack),
      .placed = allocate(count, sizeof *search.placed),
  };
  model->cycles = allocate(count, sizeof *model->cycles);
  for (size_t i = 0; i < count; i++)
    if (search.visits[i].order == 0)
      visit_from(&search, model->functions.list[i]);
  free(search.visits);
  free(search.path);
  free(search.stack);
}
