/* From events to the dag: the run is followed with everything that is open on a stack.
   SPDX-License-Identifier: MIT  */

#include <inttypes.h>
#include <stdlib.h>

#include "test/oracle/follow.h"

struct run *run;
uint64_t loop_workers;
static struct {
  struct context *contexts;
  size_t depth, room;
} stack;
/* Returns what was opened last; the next push may move it.  */
struct context *oracle_top(void) {
  return &stack.contexts[stack.depth - 1];
}
/* Returns what is around C on the stack; NULL: nothing is.  */
struct context *oracle_context_below(const struct context *c) {
  return c == stack.contexts ? NULL : &stack.contexts[c - stack.contexts - 1];
}
/* Returns how many contexts are below C on the stack.  */
size_t oracle_context_depth(const struct context *c) {
  return (size_t)(c - stack.contexts);
}

/* Puts NEW on top of the stack of what is open.  */
static struct context *oracle_push(struct context new) {
  if (stack.depth == stack.room) {
    stack.room = stack.room ? 2 * stack.room : 64;
    stack.contexts = oracle_reallocate(stack.contexts, stack.room * sizeof *stack.contexts);
  }
  stack.contexts[stack.depth++] = new;
  return oracle_top();
}

/* Takes the top off the stack, and frees what it holds.  */
static void oracle_pop(void) {
  free(oracle_top()->children);
  free(oracle_top()->grains);
  oracle_tasks_free(oracle_top()->tasks);
  stack.depth--;
}

/* The running strand ends here.  */
void oracle_end_strand(struct context *c, uint64_t work) {
  if (work < c->begun)
    oracle_fail("the work of invocation %" PRIu64 " falls", c->frame);
  run->dag.vertices[c->vertex].cost += work - c->begun;
  c->begun = work;
}

/* Another begins, behind vertex PREVIOUS.  */
void oracle_begin_strand(struct context *c, uint32_t previous, enum burden burden) {
  c->vertex = oracle_dag_vertex(&run->dag, c->invocation, 0);
  oracle_dag_edge(&run->dag, previous, c->vertex, burden);
}

/* Adds an invocation of SITE to the run, with its first strand.  */
static uint32_t oracle_new_invocation(uint32_t caller, uint32_t site, bool spawned) {
  if (run->invocation_count == run->invocation_room) {
    run->invocation_room = run->invocation_room ? 2 * run->invocation_room : 1024;
    run->invocations = oracle_reallocate(run->invocations, run->invocation_room * sizeof *run->invocations);
  }
  uint32_t new = (uint32_t)run->invocation_count++;
  run->invocations[new] = (struct invocation){
      .caller = caller, .site = site, .first = oracle_dag_vertex(&run->dag, new, 0), .spawned = spawned};
  if (spawned)
    run->invocations[caller].spawns++;
  return new;
}

/* The top of the stack invokes a site.  */
struct context *oracle_invoke(enum context_kind kind, uint32_t site, bool spawned) {
  uint32_t invocation = oracle_new_invocation(oracle_top()->invocation, site, spawned),
           first = run->invocations[invocation].first;
  oracle_dag_edge(&run->dag, oracle_top()->vertex, first, NO_BURDEN);
  return oracle_push(
      (struct context){.kind = kind, .frame = oracle_top()->frame, .invocation = invocation, .vertex = first});
}

/* If C was spawned, that was a task: it moves, and not what made it.  */
void oracle_mark_task(struct context *c) {
  struct invocation *invocation = &run->invocations[c->invocation];
  if (!invocation->spawned)
    return;
  invocation->task = true;
  run->dag.edges[run->dag.vertices[invocation->first].first_edge].burden = MOVING;
}
/* Adds a child that ended with vertex LAST to those that the next sync of C joins.  */
void oracle_add_child(struct context *c, uint32_t last) {
  if (c->child_count == c->child_room) {
    c->child_room = c->child_room ? 2 * c->child_room : 8;
    c->children = oracle_reallocate(c->children, c->child_room * sizeof *c->children);
  }
  c->children[c->child_count++] = last;
  c->joins++;
}

/* The children come first: of equally long paths theirs count, and of theirs the first.  */
uint32_t oracle_join_vertex(struct context *c) {
  uint32_t join = oracle_dag_vertex(&run->dag, c->invocation, 0);
  for (size_t i = 0; i < c->child_count; i++)
    oracle_dag_edge(&run->dag, c->children[i], join, NO_BURDEN);
  oracle_dag_edge(&run->dag, c->vertex, join, NO_BURDEN);
  return join;
}

/* Joins the children of C, if it has any.  */
static void oracle_sync(struct context *c) {
  if (!c->child_count)
    return;
  c->vertex = oracle_join_vertex(c);
  c->child_count = 0;
  c->joins++;
  c->spawned = false;
  run->invocations[c->invocation].syncs++;
}

/* The invocation on top of the stack ends with the strand that is running.  */
static void oracle_finish_invocation(void) {
  struct invocation *invocation = &run->invocations[oracle_top()->invocation];
  uint32_t last = invocation->last = oracle_top()->vertex;
  bool spawned = invocation->spawned, by_cilk = !oracle_top()->tasks;
  enum burden going_on = invocation->task ? MAKING : MOVING;
  oracle_pop();
  if (spawned) {
    oracle_add_child(oracle_top(), last);
    oracle_top()->spawned |= by_cilk;
    oracle_begin_strand(oracle_top(), oracle_top()->vertex, going_on);
  } else
    oracle_begin_strand(oracle_top(), last, NO_BURDEN);
}

/* The function on top of the stack returns: its children are joined, or left as tasks.  */
static void oracle_finish_function(void) {
  oracle_regions_end(oracle_top(), true);
  if (!oracle_tasks_leave_function(oracle_top()))
    oracle_sync(oracle_top());
  oracle_top()->kind = LEFT;
  if (oracle_top()->from_outside)
    oracle_finish_invocation();
}

/* Its edge from the tree is drawn when the whole loop is known.  */
void oracle_begin_grain(struct context *c) {
  if (c->grain_count == c->grain_room) {
    c->grain_room = c->grain_room ? 2 * c->grain_room : 8;
    c->grains = oracle_reallocate(c->grains, c->grain_room * sizeof *c->grains);
  }
  c->vertex = oracle_dag_vertex(&run->dag, c->invocation, 0);
  c->grains[c->grain_count++].first = c->vertex;
}
/* Ends the open grain of the loop C with the strand that is running.  */
void oracle_end_grain(struct context *c) {
  c->grains[c->grain_count - 1].last = c->vertex;
}

/* Iterations that nothing told apart share the loop's work evenly; where that does not divide, the first ones have
   more.  */
static void oracle_split_evenly(struct context *c, uint64_t trips) {
  uint64_t grain = oracle_is_team_loop(c) ? oracle_team_grain(c, 0)
                   : c->given_grain       ? c->given_grain
                                          : oracle_loop_grain(trips, loop_workers);
  unsigned __int128 work = run->dag.vertices[c->vertex].cost;
  uint64_t shared = 0;
  for (uint64_t done = 0; done < trips;) {
    done = trips - done < grain ? trips : done + grain;
    uint64_t until = (uint64_t)((work * done + trips - 1) / trips);
    run->dag.vertices[c->vertex].cost = until - shared;
    shared = until;
    oracle_end_grain(c);
    if (done < trips)
      oracle_begin_grain(c);
    if (oracle_is_team_loop(c))
      grain = oracle_team_grain(c, c->grain_count - 1);
  }
}

/* A loop that had no iteration is no tree.  */
static void oracle_finish_loop(uint64_t trips) {
  struct context *c = oracle_top();
  uint32_t entry = run->invocations[c->invocation].first;
  oracle_regions_end(c, true);
  oracle_sync(c);
  oracle_tasks_end_block(c);
  if (c->iterations)
    oracle_end_grain(c);
  else if (trips)
    oracle_split_evenly(c, trips);
  if (c->iterations || trips)
    c->vertex = (oracle_is_team_loop(c) ? oracle_team_loop : oracle_loop_tree)(run, entry, c->grains, c->grain_count);
  else
    oracle_dag_edge(&run->dag, entry, c->grains[0].first, NO_BURDEN);
  bool barrier = oracle_tasks_barrier(c);
  oracle_finish_invocation();
  if (barrier)
    oracle_tasks_wait(oracle_top());
}

/* The path goes on; children from before the scope are still to be joined.  */
static void oracle_finish_scope(void) {
  oracle_regions_end(oracle_top(), true);
  oracle_tasks_end_block(oracle_top());
  oracle_sync(oracle_top());
  uint32_t vertex = oracle_top()->vertex;
  uint64_t begun = oracle_top()->begun;
  oracle_pop();
  oracle_top()->vertex = vertex;
  oracle_top()->begun = begun;
}

/* What is on top of the stack syncs and ends.  So does what control has left for good, by exit or longjmp.  */
static void oracle_finish(void) {
  switch (oracle_top()->kind) {
  case FUNCTION:
    oracle_finish_function();
    break;
  case LOOP:
    oracle_finish_loop(0);
    break;
  case SCOPE:
    oracle_finish_scope();
    break;
  default:
    oracle_regions_end(oracle_top(), true);
    oracle_tasks_end_block(oracle_top());
    oracle_sync(oracle_top());
    oracle_finish_invocation();
  }
}

/* Returns whether C is a part of invocation FRAME that has not returned.  */
static bool oracle_runs(const struct context *c, uint64_t frame) {
  return c->frame == frame && c->kind >= FUNCTION && c->kind != LEFT;
}

/* The part of invocation FRAME that runs.  */
struct context *oracle_running(uint64_t frame) {
  if (!oracle_runs(oracle_top(), frame))
    oracle_fail("an event of invocation %" PRIu64 ", while %" PRIu64 " runs", frame, oracle_top()->frame);
  return oracle_top();
}
/* Begins to follow a run, which is stored to NEW, with the program on the stack.  WORKERS decides on grains.  */
void oracle_follow_start(struct run *new, uint64_t workers) {
  run = new;
  loop_workers = workers;
  uint32_t program = oracle_new_invocation(NONE, NONE, false);
  oracle_push((struct context){.kind = PROGRAM, .invocation = program, .vertex = run->invocations[program].first});
}
/* Ends all that is still open, as exit does, and frees the stack.  */
void oracle_follow_end(void) {
  while (stack.depth > 1)
    oracle_finish();
  run->invocations[oracle_top()->invocation].last = oracle_top()->vertex;
  oracle_pop();
  free(stack.contexts);
}
/* Event: control is back in invocation FRAME, by longjmp or an exception.  Ends all that it has left.  */
void oracle_on_resume(uint64_t frame) {
  size_t depth = stack.depth;
  while (depth > 0 && !oracle_runs(&stack.contexts[depth - 1], frame))
    depth--;
  if (depth < stack.depth)
    oracle_regions_jump(stack.contexts[depth].invocation);
  while (stack.depth > 1 && !oracle_runs(oracle_top(), frame))
    oracle_finish();
}

/* Whoever is on top of the stack called the function.  */
void oracle_on_enter(uint64_t frame, uint32_t function, uint32_t outside) {
  struct context *c = oracle_top();
  bool itself = c->kind == FOREIGN && c->callee && c->callee == run->addresses[function];
  if (c->kind == CALLED || itself)
    c->kind = FUNCTION;
  else if (c->kind == FOREIGN || c->kind == PROGRAM) {
    if (!outside)
      oracle_fail("invocation %" PRIu64 " cannot have been called from outside", frame);
    c->callee = 0;
    c = oracle_invoke(FUNCTION, outside, false);
    c->from_outside = true;
  } else
    oracle_fail("invocation %" PRIu64 " has no caller", frame);
  c->frame = frame;
  run->invocations[c->invocation].entered = outside;
}
/* Event: invocation FRAME calls or spawns an instrumented function at SITE.  WORK is its local work so far.  */
void oracle_on_call(uint64_t frame, uint64_t work, uint32_t site, bool spawned) {
  oracle_end_strand(oracle_running(frame), work);
  oracle_invoke(CALLED, site, spawned);
}
/* Event: as oracle_on_call, but the function at address CALLEE may have no instrumentation.  */
void oracle_on_foreign_call(uint64_t frame, uint64_t work, uint32_t site, uint64_t callee, bool spawned) {
  oracle_end_strand(oracle_running(frame), work);
  oracle_invoke(FOREIGN, site, spawned)->callee = callee;
}
/* Event: what SITE called has returned to invocation FRAME.  Fails if something else was running.  */
void oracle_on_returned(uint64_t frame, uint32_t site) {
  enum context_kind kind = oracle_top()->kind;
  if ((kind != LEFT && kind != FOREIGN) || run->invocations[oracle_top()->invocation].site != site)
    oracle_fail("a return to invocation %" PRIu64 " from something else", frame);
  oracle_finish_invocation();
  oracle_running(frame);
}
/* Event: what SITE spawned has returned.  Fails if WORK is not that of invocation FRAME at the spawn.  */
void oracle_on_spawn_returned(uint64_t frame, uint64_t work, uint32_t site) {
  oracle_on_returned(frame, site);
  if (oracle_top()->begun != work)
    oracle_fail("invocation %" PRIu64 " worked while its child did", frame);
}
/* Event: invocation FRAME, with WORK of its own, joins all children.  */
void oracle_on_sync(uint64_t frame, uint64_t work) {
  oracle_end_strand(oracle_running(frame), work);
  oracle_sync(oracle_top());
}
/* Event: the function of invocation FRAME returns, with WORK of its own.  Fails if a block is open in it.  */
void oracle_on_leave(uint64_t frame, uint64_t work) {
  oracle_end_strand(oracle_running(frame), work);
  if (oracle_top()->kind != FUNCTION)
    oracle_fail("invocation %" PRIu64 " leaves a block open", frame);
  oracle_finish_function();
}
/* Event: a block of a KIND, with flags, begins at SITE in invocation FRAME, with WORK of its own before it.  */
void oracle_on_block_begin(uint64_t frame, uint64_t work, uint32_t site, uint64_t kind) {
  enum { KIND_LOOP = 1, KIND_SPAWN = 2, KIND_SCOPE = 3, KIND_CALL = 4, KINDS = 7, FLAG_NOWAIT = 16, FLAG_TASK = 32 };
  struct context *c = oracle_running(frame);
  uint64_t flags = kind - (kind & KINDS);
  uint32_t around = c->invocation;
  oracle_end_strand(c, work);
  switch (kind & KINDS) {
  case KIND_SCOPE:
    oracle_push((struct context){
        .kind = SCOPE, .frame = frame, .invocation = c->invocation, .vertex = c->vertex, .begun = c->begun});
    break;
  case KIND_LOOP:
    oracle_begin_grain(oracle_invoke(LOOP, site, flags & FLAG_NOWAIT && oracle_tasks_in_team()));
    if (run->invocations[oracle_top()->invocation].spawned) /* a loop is no spawn */
      run->invocations[around].spawns--;
    break;
  default:
    oracle_invoke(BLOCK, site, (kind & KINDS) == KIND_SPAWN);
  }
  if (flags || (kind & KINDS) == KIND_CALL)
    oracle_tasks_begin_block(oracle_top(), flags);
  if (flags & FLAG_TASK)
    oracle_mark_task(oracle_top());
}
/* Event: the innermost block of invocation FRAME ends, with WORK of its own.  */
void oracle_on_block_end(uint64_t frame, uint64_t work) {
  oracle_end_strand(oracle_running(frame), work);
  oracle_regions_end(oracle_top(), false);
  oracle_finish();
}

/* WORK is what the function did before the loop, INSIDE what the loop did: a call of something without events.  */
void oracle_on_serial_loop(uint64_t frame, uint64_t work, uint32_t site, uint64_t inside) {
  oracle_end_strand(oracle_running(frame), work);
  oracle_invoke(BLOCK, site, false);
  oracle_end_strand(oracle_top(), inside);
  oracle_finish_invocation();
}

/* GRAIN 0: none is given.  */
void oracle_on_loop_grains(uint64_t frame, uint64_t grain, uint64_t trips) {
  oracle_running(frame)->given_grain = grain;
  oracle_top()->grain = grain ? grain : oracle_loop_grain(trips, loop_workers);
}

/* Every iteration syncs; a grain has a given number of them.  */
void oracle_on_iterate(uint64_t frame, uint64_t work) {
  struct context *c = oracle_running(frame);
  oracle_end_strand(c, work);
  if (c->iterations) {
    bool ends = c->grain_left == 0;
    if (ends || !oracle_is_team_loop(c))
      oracle_sync(c);
    if (ends) {
      oracle_tasks_next_grain(c);
      oracle_end_grain(c);
      oracle_begin_grain(c);
      c->grain_left = oracle_is_team_loop(c) ? oracle_team_grain(c, c->grain_count - 1) : c->grain;
    }
  } else
    c->grain_left = c->grain;
  c->grain_left--;
  c->iterations++;
}
/* Event: the loop that runs in invocation FRAME ends, with WORK of its own, after TRIPS iterations.  */
void oracle_on_loop_end(uint64_t frame, uint64_t work, uint64_t trips) {
  oracle_end_strand(oracle_running(frame), work);
  oracle_regions_end(oracle_top(), false);
  oracle_finish_loop(trips);
}
