/* Outlined events: calls whose return can be combined with the next event.
   SPDX-License-Identifier: GPL-3.0-or-later

   The return of a call, or the arrival at a landing pad, mostly needs no event of its own: the next event serves for
   both.  That is not so if there is another call in between, since its callee might run instrumented code against the
   compiler's expectation, and must find the previous call finished.  */

#include "instrumenter.h"

/* What a statement means to the call before it.  */
enum next_thing { NOTHING, AN_EVENT, ANOTHER_CALL };

/* Returns what STATEMENT means to a call before it, whose return waits for the next event: an event, another call, or
   nothing.  LEAF_CALLS are calls whose event comes after them, so each is another call.  */
static next_thing classify_event_after_call(gimple *statement, hash_set<gimple *> *leaf_calls) {
  if (marker_without_event_p(statement))
    return NOTHING;
  if (leaf_calls->contains(statement)) /* its event comes after the call */
    return ANOTHER_CALL;
  if (gimple_code(statement) == GIMPLE_RETURN || statement_gets_event_p(statement))
    return AN_EVENT;
  if (!is_gimple_call(statement) || gimple_call_internal_p(statement) || gimple_call_flags(statement) & ECF_NORETURN)
    return NOTHING;
  tree function = gimple_call_fndecl(statement);
  return function && fndecl_built_in_p(function) && is_inexpensive_builtin(function) ? NOTHING : ANOTHER_CALL;
}

/* Returns what comes first from AT to the end of the block, an event or another call; or NOTHING.  */
static next_thing first_event_or_call_from(gimple_stmt_iterator at, hash_set<gimple *> *leaf_calls) {
  next_thing found = NOTHING;
  for (; !gsi_end_p(at) && found == NOTHING; gsi_next(&at))
    found = classify_event_after_call(gsi_stmt(at), leaf_calls);
  return found;
}

/* Returns true if every path from the end of BB reaches an event before another call.  TO_CALLS has the blocks from
   whose start a path reaches a call first.  A landing pad begins with an event.  */
static bool event_follows_block_p(basic_block bb, hash_set<basic_block> *to_calls) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->succs)
    if (!(e->flags & EDGE_EH) && to_calls->contains(e->dest))
      return false;
  return true;
}

/* Finds the blocks of FUN from whose start a path reaches another call before any event, and adds them to TO_CALLS.  */
static void find_blocks_leading_to_call_events(function *fun, hash_set<gimple *> *leaf_calls,
                                               hash_set<basic_block> *to_calls) {
  for (bool changed = true; changed;) {
    basic_block bb;
    changed = false;
    FOR_EACH_BB_REVERSE_FN(bb, fun) {
      if (to_calls->contains(bb))
        continue;
      next_thing first = first_event_or_call_from(gsi_start_bb(bb), leaf_calls);
      if (first == ANOTHER_CALL || (first == NOTHING && !event_follows_block_p(bb, to_calls)))
        changed |= !to_calls->add(bb);
    }
  }
}

/* Finds the calls of instrumented functions in FUN that an event follows on every path before any other call, and adds
   them to FOUND.  */
static void find_calls_followed_by_event(function *fun, hash_set<gimple *> *leaf_calls, calls_followed *found) {
  hash_set<basic_block> to_calls;
  basic_block bb;
  find_blocks_leading_to_call_events(fun, leaf_calls, &to_calls);
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb), next = at; !gsi_end_p(at); at = next) {
      gsi_next(&next);
      if (classify_call_for_events(gsi_stmt(at)) != CALL_DIRECT)
        continue;
      next_thing first = first_event_or_call_from(next, leaf_calls);
      if (first == AN_EVENT || (first == NOTHING && event_follows_block_p(bb, &to_calls)))
        found->by_event.add(gsi_stmt(at));
    }
}

/* Returns the next event from AT on, if it is a near call: a call of a known function in the same block, which is
   reached sooner than the timer could be read; or else NULL.  LEAF_CALLS are calls whose event comes after them.  */
static gimple *next_near_call_event(gimple_stmt_iterator at, hash_set<gimple *> *leaf_calls) {
  int instructions = 0;
  for (; !gsi_end_p(at) && instructions <= 2 * SHORT_STRAND; gsi_next(&at)) {
    gimple *statement = gsi_stmt(at);
    next_thing what = classify_event_after_call(statement, leaf_calls);
    if (what == ANOTHER_CALL)
      return NULL;
    if (what == AN_EVENT) {
      call_class kind = classify_call_for_events(statement);
      return (kind == CALL_DIRECT || kind == CALL_FOREIGN) && gimple_call_fndecl(statement) &&
                     !profiled_spawn_p(statement) && !profiled_loop_p(statement)
                 ? statement
                 : NULL;
    }
    instructions += estimate_num_insns(statement, &eni_size_weights);
  }
  return NULL;
}

/* Returns the near call that follows the call at AT, if it can be reached from there only; or else NULL.  LEAF_CALLS
   are calls whose event comes after them.  */
static gimple *near_call_event_after_call(gimple_stmt_iterator at, hash_set<gimple *> *leaf_calls) {
  gimple *call = gsi_stmt(at);
  gsi_next(&at);
  if (!stmt_ends_bb_p(call))
    return next_near_call_event(at, leaf_calls);
  edge e = find_fallthru_edge(gimple_bb(call)->succs);
  bool only_way = e && single_pred_p(e->dest) && e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun);
  return only_way ? next_near_call_event(gsi_start_bb(e->dest), leaf_calls) : NULL;
}

/* Returns true if BB begins with the target of a goto out of a nested function, or of __builtin_longjmp.  */
bool jump_receiver_event_block_p(basic_block bb) {
  gimple_stmt_iterator at = gsi_start_bb(bb);
  for (; !gsi_end_p(at) && gimple_code(gsi_stmt(at)) == GIMPLE_LABEL; gsi_next(&at))
    if (DECL_NONLOCAL(gimple_label_label(as_a<glabel *>(gsi_stmt(at)))))
      return true;
  at = gsi_start_nondebug_after_labels_bb(bb);
  return !gsi_end_p(at) && gimple_call_builtin_p(gsi_stmt(at), BUILT_IN_SETJMP_RECEIVER);
}

/* Returns true if control arrives at the start of BB by an exception or a jump, and not only by normal flow.  */
bool landing_pad_event_block_p(basic_block bb) {
  edge e;
  edge_iterator ei;
  if (jump_receiver_event_block_p(bb))
    return true;
  FOR_EACH_EDGE (e, ei, bb->preds)
    if (e->flags & EDGE_EH)
      return true;
  return false;
}

/* Finds foreign calls and landing pads of FUN that a near call follows, and adds them and the near calls to FOUND: the
   event of the near call, a direct call before which little happens, serves for both.  Calls in COUNTED are not taken
   for near ones, nor are those in LEAF_CALLS, whose event comes after the call.  */
static void find_call_events_followed_by_call(function *fun, hash_set<gimple *> *leaf_calls,
                                              hash_set<gimple *> *counted, calls_followed *found) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun) {
    gimple *next = landing_pad_event_block_p(bb) && !jump_receiver_event_block_p(bb)
                       ? next_near_call_event(gsi_after_labels(bb), leaf_calls)
                       : NULL;
    if (next && !counted->contains(next)) {
      found->pads_by_call.add(bb);
      found->passed_frame.add(next);
    }
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (classify_call_for_events(gsi_stmt(at)) == CALL_FOREIGN && !profiled_loop_p(gsi_stmt(at)) &&
          (next = near_call_event_after_call(at, leaf_calls)) && !counted->contains(next)) {
        found->by_call.add(gsi_stmt(at));
        found->passed_frame.add(next);
      }
  }
}

/* Finds the calls of FUN whose return needs no event of its own, since the next event serves for both.  BY_CALLS: the
   event of a near call may be that next event, unless the call is in COUNTED and so has an event of another kind.
   LEAF_CALLS are calls whose event comes after them.  The calls are added to FOUND.  */
void find_calls_sharing_next_event(function *fun, bool by_calls, hash_set<gimple *> *leaf_calls,
                                   hash_set<gimple *> *counted, calls_followed *found) {
  find_calls_followed_by_event(fun, leaf_calls, found);
  if (by_calls)
    find_call_events_followed_by_call(fun, leaf_calls, counted, found);
}
