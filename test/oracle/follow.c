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

struct context *top(void) {
  return &stack.contexts[stack.depth - 1];
}

struct context *context_below(const struct context *c) {
  return c == stack.contexts ? NULL : &stack.contexts[c - stack.contexts - 1];
}

size_t context_depth(const struct context *c) {
  return (size_t)(c - stack.contexts);
}

static struct context *push(struct context new) {
  if (stack.depth == stack.room) {
    stack.room = stack.room ? 2 * stack.room : 64;
    stack.contexts = reallocate(stack.contexts, stack.room * sizeof *stack.contexts);
  }
  stack.contexts[stack.depth++] = new;
  return top();
}

static void pop(void) {
  free(top()->children);
  free(top()->grains);
  tasks_free(top()->tasks);
  stack.depth--;
}

/* The running strand ends here.  */
void end_strand(struct context *c, uint64_t work) {
  if (work < c->begun)
    fail("the work of invocation %" PRIu64 " falls", c->frame);
  run->dag.vertices[c->vertex].cost += work - c->begun;
  c->begun = work;
}

/* Another begins, behind vertex PREVIOUS.  */
void begin_strand(struct context *c, uint32_t previous, enum burden burden) {
  c->vertex = dag_vertex(&run->dag, c->invocation, 0);
  dag_edge(&run->dag, previous, c->vertex, burden);
}

static uint32_t new_invocation(uint32_t caller, uint32_t site, bool spawned) {
  if (run->invocation_count == run->invocation_room) {
    run->invocation_room = run->invocation_room ? 2 * run->invocation_room : 1024;
    run->invocations = reallocate(run->invocations, run->invocation_room * sizeof *run->invocations);
  }
  uint32_t new = (uint32_t)run->invocation_count++;
  run->invocations[new] =
      (struct invocation){.caller = caller, .site = site, .first = dag_vertex(&run->dag, new, 0), .spawned = spawned};
  if (spawned)
    run->invocations[caller].spawns++;
  return new;
}

/* The top of the stack invokes a site.  */
struct context *invoke(enum context_kind kind, uint32_t site, bool spawned) {
  uint32_t invocation = new_invocation(top()->invocation, site, spawned), first = run->invocations[invocation].first;
  dag_edge(&run->dag, top()->vertex, first, NO_BURDEN);
  return push((struct context){.kind = kind, .frame = top()->frame, .invocation = invocation, .vertex = first});
}

/* If C was spawned, that was a task: it moves, and not what made it.  */
void mark_task(struct context *c) {
  struct invocation *invocation = &run->invocations[c->invocation];
  if (!invocation->spawned)
    return;
  invocation->task = true;
  run->dag.edges[run->dag.vertices[invocation->first].first_edge].burden = MOVING;
}

void add_child(struct context *c, uint32_t last) {
  if (c->child_count == c->child_room) {
    c->child_room = c->child_room ? 2 * c->child_room : 8;
    c->children = reallocate(c->children, c->child_room * sizeof *c->children);
  }
  c->children[c->child_count++] = last;
  c->joins++;
}

/* The children come first: of equally long paths theirs count, and of theirs the first.  */
uint32_t join_vertex(struct context *c) {
  uint32_t join = dag_vertex(&run->dag, c->invocation, 0);
  for (size_t i = 0; i < c->child_count; i++)
    dag_edge(&run->dag, c->children[i], join, NO_BURDEN);
  dag_edge(&run->dag, c->vertex, join, NO_BURDEN);
  return join;
}

static void sync(struct context *c) {
  if (!c->child_count)
    return;
  c->vertex = join_vertex(c);
  c->child_count = 0;
  c->joins++;
  c->spawned = false;
  run->invocations[c->invocation].syncs++;
}

/* The invocation on top of the stack ends with the strand that is running.  */
static void finish_invocation(void) {
  struct invocation *invocation = &run->invocations[top()->invocation];
  uint32_t last = invocation->last = top()->vertex;
  bool spawned = invocation->spawned, by_cilk = !top()->tasks;
  enum burden going_on = invocation->task ? MAKING : MOVING;
  pop();
  if (spawned) {
    add_child(top(), last);
    top()->spawned |= by_cilk;
    begin_strand(top(), top()->vertex, going_on);
  } else
    begin_strand(top(), last, NO_BURDEN);
}

static void finish_function(void) {
  regions_end(top(), true);
  if (!tasks_leave_function(top()))
    sync(top());
  top()->kind = LEFT;
  if (top()->from_outside)
    finish_invocation();
}

/* Its edge from the tree is drawn when the whole loop is known.  */
void begin_grain(struct context *c) {
  if (c->grain_count == c->grain_room) {
    c->grain_room = c->grain_room ? 2 * c->grain_room : 8;
    c->grains = reallocate(c->grains, c->grain_room * sizeof *c->grains);
  }
  c->vertex = dag_vertex(&run->dag, c->invocation, 0);
  c->grains[c->grain_count++].first = c->vertex;
}

void end_grain(struct context *c) {
  c->grains[c->grain_count - 1].last = c->vertex;
}

/* Iterations that nothing told apart share the loop's work evenly; where that does not divide, the first ones have
   more.  */
static void split_evenly(struct context *c, uint64_t trips) {
  uint64_t grain = is_team_loop(c)  ? team_grain(c, 0)
                   : c->given_grain ? c->given_grain
                                    : loop_grain(trips, loop_workers);
  unsigned __int128 work = run->dag.vertices[c->vertex].cost;
  uint64_t shared = 0;
  for (uint64_t done = 0; done < trips;) {
    done = trips - done < grain ? trips : done + grain;
    uint64_t until = (uint64_t)((work * done + trips - 1) / trips);
    run->dag.vertices[c->vertex].cost = until - shared;
    shared = until;
    end_grain(c);
    if (done < trips)
      begin_grain(c);
    if (is_team_loop(c))
      grain = team_grain(c, c->grain_count - 1);
  }
}

/* A loop that had no iteration is no tree.  */
static void finish_loop(uint64_t trips) {
  struct context *c = top();
  uint32_t entry = run->invocations[c->invocation].first;
  regions_end(c, true);
  sync(c);
  tasks_end_block(c);
  if (c->iterations)
    end_grain(c);
  else if (trips)
    split_evenly(c, trips);
  if (c->iterations || trips)
    c->vertex = (is_team_loop(c) ? team_loop : loop_tree)(run, entry, c->grains, c->grain_count);
  else
    dag_edge(&run->dag, entry, c->grains[0].first, NO_BURDEN);
  bool barrier = tasks_barrier(c);
  finish_invocation();
  if (barrier)
    tasks_wait(top());
}

/* The path goes on; children from before the scope are still to be joined.  */
static void finish_scope(void) {
  regions_end(top(), true);
  tasks_end_block(top());
  sync(top());
  uint32_t vertex = top()->vertex;
  uint64_t begun = top()->begun;
  pop();
  top()->vertex = vertex;
  top()->begun = begun;
}

/* What is on top of the stack syncs and ends.  So does what control has left for good, by exit or longjmp.  */
static void finish(void) {
  switch (top()->kind) {
  case FUNCTION:
    finish_function();
    break;
  case LOOP:
    finish_loop(0);
    break;
  case SCOPE:
    finish_scope();
    break;
  default:
    regions_end(top(), true);
    tasks_end_block(top());
    sync(top());
    finish_invocation();
  }
}

static bool runs(const struct context *c, uint64_t frame) {
  return c->frame == frame && c->kind >= FUNCTION && c->kind != LEFT;
}

/* The part of invocation FRAME that runs.  */
struct context *running(uint64_t frame) {
  if (!runs(top(), frame))
    fail("an event of invocation %" PRIu64 ", while %" PRIu64 " runs", frame, top()->frame);
  return top();
}

void follow_start(struct run *new, uint64_t workers) {
  run = new;
  loop_workers = workers;
  uint32_t program = new_invocation(NONE, NONE, false);
  push((struct context){.kind = PROGRAM, .invocation = program, .vertex = run->invocations[program].first});
}

void follow_end(void) {
  while (stack.depth > 1)
    finish();
  run->invocations[top()->invocation].last = top()->vertex;
  pop();
  free(stack.contexts);
}

void on_resume(uint64_t frame) {
  size_t depth = stack.depth;
  while (depth > 0 && !runs(&stack.contexts[depth - 1], frame))
    depth--;
  if (depth < stack.depth)
    regions_jump(stack.contexts[depth].invocation);
  while (stack.depth > 1 && !runs(top(), frame))
    finish();
}

/* Whoever is on top of the stack called the function.  */
void on_enter(uint64_t frame, uint32_t function, uint32_t outside) {
  struct context *c = top();
  bool itself = c->kind == FOREIGN && c->callee && c->callee == run->addresses[function];
  if (c->kind == CALLED || itself)
    c->kind = FUNCTION;
  else if (c->kind == FOREIGN || c->kind == PROGRAM) {
    if (!outside)
      fail("invocation %" PRIu64 " cannot have been called from outside", frame);
    c->callee = 0;
    c = invoke(FUNCTION, outside, false);
    c->from_outside = true;
  } else
    fail("invocation %" PRIu64 " has no caller", frame);
  c->frame = frame;
  run->invocations[c->invocation].entered = outside;
}

void on_call(uint64_t frame, uint64_t work, uint32_t site, bool spawned) {
  end_strand(running(frame), work);
  invoke(CALLED, site, spawned);
}

void on_foreign_call(uint64_t frame, uint64_t work, uint32_t site, uint64_t callee, bool spawned) {
  end_strand(running(frame), work);
  invoke(FOREIGN, site, spawned)->callee = callee;
}

void on_returned(uint64_t frame, uint32_t site) {
  enum context_kind kind = top()->kind;
  if ((kind != LEFT && kind != FOREIGN) || run->invocations[top()->invocation].site != site)
    fail("a return to invocation %" PRIu64 " from something else", frame);
  finish_invocation();
  running(frame);
}

void on_spawn_returned(uint64_t frame, uint64_t work, uint32_t site) {
  on_returned(frame, site);
  if (top()->begun != work)
    fail("invocation %" PRIu64 " worked while its child did", frame);
}

void on_sync(uint64_t frame, uint64_t work) {
  end_strand(running(frame), work);
  sync(top());
}

void on_leave(uint64_t frame, uint64_t work) {
  end_strand(running(frame), work);
  if (top()->kind != FUNCTION)
    fail("invocation %" PRIu64 " leaves a block open", frame);
  finish_function();
}

void on_block_begin(uint64_t frame, uint64_t work, uint32_t site, uint64_t kind) {
  enum { KIND_LOOP = 1, KIND_SPAWN = 2, KIND_SCOPE = 3, KIND_CALL = 4, KINDS = 7, FLAG_NOWAIT = 16, FLAG_TASK = 32 };
  struct context *c = running(frame);
  uint64_t flags = kind - (kind & KINDS);
  uint32_t around = c->invocation;
  end_strand(c, work);
  switch (kind & KINDS) {
  case KIND_SCOPE:
    push((struct context){
        .kind = SCOPE, .frame = frame, .invocation = c->invocation, .vertex = c->vertex, .begun = c->begun});
    break;
  case KIND_LOOP:
    begin_grain(invoke(LOOP, site, flags & FLAG_NOWAIT && tasks_in_team()));
    if (run->invocations[top()->invocation].spawned) /* a loop is no spawn */
      run->invocations[around].spawns--;
    break;
  default:
    invoke(BLOCK, site, (kind & KINDS) == KIND_SPAWN);
  }
  if (flags || (kind & KINDS) == KIND_CALL)
    tasks_begin_block(top(), flags);
  if (flags & FLAG_TASK)
    mark_task(top());
}

void on_block_end(uint64_t frame, uint64_t work) {
  end_strand(running(frame), work);
  regions_end(top(), false);
  finish();
}

/* WORK is what the function did before the loop, INSIDE what the loop did: a call of something without events.  */
void on_serial_loop(uint64_t frame, uint64_t work, uint32_t site, uint64_t inside) {
  end_strand(running(frame), work);
  invoke(BLOCK, site, false);
  end_strand(top(), inside);
  finish_invocation();
}

/* GRAIN 0: none is given.  */
void on_loop_grains(uint64_t frame, uint64_t grain, uint64_t trips) {
  running(frame)->given_grain = grain;
  top()->grain = grain ? grain : loop_grain(trips, loop_workers);
}

/* Every iteration syncs; a grain has a given number of them.  */
void on_iterate(uint64_t frame, uint64_t work) {
  struct context *c = running(frame);
  end_strand(c, work);
  if (c->iterations) {
    bool ends = c->grain_left == 0;
    if (ends || !is_team_loop(c))
      sync(c);
    if (ends) {
      tasks_next_grain(c);
      end_grain(c);
      begin_grain(c);
      c->grain_left = is_team_loop(c) ? team_grain(c, c->grain_count - 1) : c->grain;
    }
  } else
    c->grain_left = c->grain;
  c->grain_left--;
  c->iterations++;
}

void on_loop_end(uint64_t frame, uint64_t work, uint64_t trips) {
  end_strand(running(frame), work);
  regions_end(top(), false);
  finish_loop(trips);
}
