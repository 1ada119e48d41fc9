/* Finds the cycles of the call graph: Tarjan's algorithm for strongly connected components, with an explicit stack,
   because call graphs can be deeper than a C stack.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/support.h"

/* State of the search for one function.  */
struct visit {
  size_t order, low; /* in the order of visits; 0: not yet visited */
  size_t next;       /* index of the next arc to follow */
  bool on_stack;
};

struct search {
  struct model *model;
  struct visit *visits;     /* indexed by function number */
  struct function **path;   /* from the start of the search to the current function */
  struct function **stack;  /* functions that are visited, but in no cycle yet */
  struct function **placed; /* members of the cycles found so far */
  size_t path_length, stack_size, placed_count, visited;
};

/* Begins the visit of FUNCTION in the search for cycles, which is Tarjan's algorithm: numbers the function, and puts it
   on the path and on the stack.  */
static void begin_model_cycle_visit(struct search *search, struct function *function) {
  struct visit *visit = &search->visits[function->number];
  visit->order = visit->low = ++search->visited;
  visit->on_stack = true;
  search->path[search->path_length++] = function;
  search->stack[search->stack_size++] = function;
}

/* Makes a cycle of the call graph of FUNCTION, which is the first of its members to be visited, and all functions above
   it on the stack.  */
static void make_model_cycle(struct search *search, struct function *function) {
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

/* Takes FUNCTION, all of whose arcs have been followed, off the path.  Makes a cycle if it was the first member to be
   visited.  */
static void end_model_cycle_visit(struct search *search, struct function *function) {
  struct visit *visit = &search->visits[function->number];
  if (visit->low == visit->order)
    make_model_cycle(search, function);
  search->path_length--;
  if (search->path_length > 0) {
    struct visit *caller = &search->visits[search->path[search->path_length - 1]->number];
    if (visit->low < caller->low)
      caller->low = visit->low;
  }
}

/* Visits all functions that can be reached by calls from ROOT and have not been visited, and makes their cycles.  */
static void visit_model_cycles_from(struct search *search, struct function *root) {
  begin_model_cycle_visit(search, root);
  while (search->path_length > 0) {
    struct function *function = search->path[search->path_length - 1];
    struct visit *visit = &search->visits[function->number];
    if (visit->next == function->callee_count) {
      end_model_cycle_visit(search, function);
      continue;
    }
    const struct arc *arc = function->callees[visit->next++];
    if (model_arc_calls(arc) == 0)
      continue; /* a call that was never made closes no cycle */
    struct function *callee = arc->callee;
    const struct visit *reached = &search->visits[callee->number];
    if (reached->order == 0)
      begin_model_cycle_visit(search, callee);
    else if (reached->on_stack && reached->order < visit->low)
      visit->low = reached->order;
  }
}

/* Finds the cycles of MODEL: the strongly connected components of the arcs whose calls were made.  Callees come before
   their callers.  */
void find_model_cycles(struct model *model) {
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
      visit_model_cycles_from(&search, model->functions.list[i]);
  free(search.visits);
  free(search.path);
  free(search.stack);
}
