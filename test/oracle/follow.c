/* From events to the dag: what is open in the run is on a stack, and the strands, grains and joins that it makes.
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

/* Returns the context that was opened last; the next push may move it.  */
struct context *oracle_top(void) {
  return &stack.contexts[stack.depth - 1];
}

/* Returns the context that encloses C: the one below it on the stack, or NULL if there is none.  */
struct context *oracle_context_below(const struct context *c) {
  return c == stack.contexts ? NULL : &stack.contexts[c - stack.contexts - 1];
}

/* Returns how many contexts are below C on the stack.  */
size_t oracle_context_depth(const struct context *c) {
  return (size_t)(c - stack.contexts);
}

/* Puts NEW on top of the stack of open contexts, and returns it there.  */
struct context *oracle_push(struct context new) {
  if (stack.depth == stack.room) {
    stack.room = stack.room ? 2 * stack.room : 64;
    stack.contexts = oracle_reallocate(stack.contexts, stack.room * sizeof *stack.contexts);
  }
  stack.contexts[stack.depth++] = new;
  return oracle_top();
}

/* Removes the top of the stack, and returns it.  What it holds is not freed.  */
struct context oracle_take_top(void) {
  return stack.contexts[--stack.depth];
}

/* Removes the top of the stack, and frees what it holds.  */
static void oracle_pop(void) {
  free(oracle_top()->children);
  free(oracle_top()->grains);
  oracle_tasks_free(oracle_top()->tasks);
  stack.depth--;
}

/* Ends the running strand of C, whose function has done WORK so far.  Fails if that is less than when the strand
   began.  */
void oracle_end_strand(struct context *c, uint64_t work) {
  if (work < c->begun)
    oracle_fail("the work of invocation %" PRIu64 " falls", c->frame);
  run->dag.vertices[c->vertex].cost += work - c->begun;
  c->begun = work;
}

/* Begins a strand of C after vertex PREVIOUS, with an edge of this BURDEN from there.  */
void oracle_begin_strand(struct context *c, uint32_t previous, enum burden burden) {
  c->vertex = oracle_dag_vertex(&run->dag, c->invocation, 0);
  oracle_dag_edge(&run->dag, previous, c->vertex, burden);
}

/* Adds an invocation of SITE by CALLER to the run, with its first strand, and returns its number.  */
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

/* Opens a context of this KIND for an invocation of SITE by what is on top of the stack, and returns it.  */
struct context *oracle_invoke(enum context_kind kind, uint32_t site, bool spawned) {
  uint32_t invocation = oracle_new_invocation(oracle_top()->invocation, site, spawned),
           first = run->invocations[invocation].first;
  oracle_dag_edge(&run->dag, oracle_top()->vertex, first, NO_BURDEN);
  return oracle_push(
      (struct context){.kind = kind, .frame = oracle_top()->frame, .invocation = invocation, .vertex = first});
}

/* Makes C an OpenMP task if it was spawned: then the burden of moving work is on the edge to the task, not on the
   continuation of what created it.  */
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

/* Returns a new vertex after all unjoined children of C and its running strand.  The children's edges come first: of
   equally long paths the one along the first edge counts.  */
uint32_t oracle_join_vertex(struct context *c) {
  uint32_t join = oracle_dag_vertex(&run->dag, c->invocation, 0);
  for (size_t i = 0; i < c->child_count; i++)
    oracle_dag_edge(&run->dag, c->children[i], join, NO_BURDEN);
  oracle_dag_edge(&run->dag, c->vertex, join, NO_BURDEN);
  return join;
}

/* Joins the children of C, if it has any.  */
void oracle_sync(struct context *c) {
  if (!c->child_count)
    return;
  c->vertex = oracle_join_vertex(c);
  c->child_count = 0;
  c->joins++;
  c->spawned = false;
  run->invocations[c->invocation].syncs++;
}

/* Ends the invocation on top of the stack with its running strand.  Its caller goes on after that strand or, if the
   invocation was spawned, beside it.  */
void oracle_finish_invocation(void) {
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

/* Ends the function on top of the stack: its children are joined, or left behind as OpenMP tasks.  */
void oracle_finish_function(void) {
  oracle_regions_end(oracle_top(), true);
  if (!oracle_tasks_leave_function(oracle_top()))
    oracle_sync(oracle_top());
  oracle_top()->kind = LEFT;
  if (oracle_top()->from_outside)
    oracle_finish_invocation();
}

/* Begins a grain of the loop C with a new strand.  The edge to it is added by oracle_finish_loop, which knows how many
   grains there are.  */
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

/* Divides the work of the loop C evenly among its TRIPS iterations, between which there was no event.  If they do not
   divide it, the first ones get more.  */
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

/* Ends the loop on top of the stack, which had TRIPS iterations if it had no event between them: joins the tree of its
   grains.  A loop without iterations has no tree.  */
void oracle_finish_loop(uint64_t trips) {
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

/* Ends the cilk_scope on top of the stack: joins the children that were spawned in it, and goes on in the code around
   it.  */
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

/* Ends what is on top of the stack, and joins its children.  Also for what control has left by exit or longjmp.  */
void oracle_finish(void) {
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

/* Returns whether C belongs to invocation FRAME and has not returned.  */
static bool oracle_runs(const struct context *c, uint64_t frame) {
  return c->frame == frame && c->kind >= FUNCTION && c->kind != LEFT;
}

/* Returns the part of invocation FRAME that is running.  Fails if another invocation is.  */
struct context *oracle_running(uint64_t frame) {
  if (!oracle_runs(oracle_top(), frame))
    oracle_fail("an event of invocation %" PRIu64 ", while %" PRIu64 " runs", frame, oracle_top()->frame);
  return oracle_top();
}

/* Begins to follow a run, which is stored in NEW, with the program on the stack.  Grains of loops are chosen for
   WORKERS.  */
void oracle_follow_start(struct run *new, uint64_t workers) {
  run = new;
  loop_workers = workers;
  uint32_t program = oracle_new_invocation(NONE, NONE, false);
  oracle_push((struct context){.kind = PROGRAM, .invocation = program, .vertex = run->invocations[program].first});
}

/* Ends everything that is still open, as exit does, and frees the stack.  */
void oracle_follow_end(void) {
  while (stack.depth > 1)
    oracle_finish();
  run->invocations[oracle_top()->invocation].last = oracle_top()->vertex;
  oracle_pop();
  free(stack.contexts);
}

/* Event: control is back in invocation FRAME, by longjmp or an exception.  Ends everything that it has left.  */
void oracle_on_resume(uint64_t frame) {
  size_t depth = stack.depth;
  while (depth > 0 && !oracle_runs(&stack.contexts[depth - 1], frame))
    depth--;
  if (depth < stack.depth)
    oracle_regions_jump(stack.contexts[depth].invocation);
  while (stack.depth > 1 && !oracle_runs(oracle_top(), frame))
    oracle_finish();
}
