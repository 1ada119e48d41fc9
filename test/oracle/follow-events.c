/* The events of Cilk programs, one function each: how they change what is open.
   SPDX-License-Identifier: MIT  */

#include <inttypes.h>

#include "test/oracle/follow.h"

/* Event: FUNCTION is entered as invocation FRAME, by what is on top of the stack.  OUTSIDE is the site for its calls
   from code without instrumentation, or 0 if there are none.  */
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

/* Event: a serial loop at SITE of invocation FRAME has ended.  The function did WORK before the loop, and INSIDE in it.
   The loop is like a call of something without events.  */
void oracle_on_serial_loop(uint64_t frame, uint64_t work, uint32_t site, uint64_t inside) {
  oracle_end_strand(oracle_running(frame), work);
  oracle_invoke(BLOCK, site, false);
  oracle_end_strand(oracle_top(), inside);
  oracle_finish_invocation();
}

/* Event: the loop that begins in invocation FRAME has TRIPS iterations in grains of GRAIN; 0 if the program leaves the
   choice to the compiler.  */
void oracle_on_loop_grains(uint64_t frame, uint64_t grain, uint64_t trips) {
  oracle_running(frame)->given_grain = grain;
  oracle_top()->grain = grain ? grain : oracle_loop_grain(trips, loop_workers);
}

/* Event: an iteration begins in the loop of invocation FRAME.  Ends the one before, which joins its children, and the
   grain if it is full.  */
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

/* Event: a grain begins in the loop of invocation FRAME, which calls its body for each.  Ends the one before, which
   joins its children.  */
void oracle_on_grain(uint64_t frame, uint64_t work) {
  struct context *c = oracle_running(frame);
  oracle_end_strand(c, work);
  if (c->iterations) {
    oracle_sync(c);
    oracle_end_grain(c);
    oracle_begin_grain(c);
  }
  c->grain_left = UINT64_MAX; /* events of iterations end no grain */
  c->iterations++;
}

/* Event: the loop that runs in invocation FRAME ends, with WORK of its own, after TRIPS iterations.  */
void oracle_on_loop_end(uint64_t frame, uint64_t work, uint64_t trips) {
  oracle_end_strand(oracle_running(frame), work);
  oracle_regions_end(oracle_top(), false);
  oracle_finish_loop(trips);
}
