/* Calls that the program itself times, between two reads of a clock: the descriptions of their sites name the clock.
   SPDX-License-Identifier: GPL-3.0-or-later

   What a benchmark does before that is often of no interest.  The reads are taken in pairs, in the order in which
   control reaches them: the first one begins a timed part, the next one ends it.  Where a read is conditional, as
   behind an iteration that warms up, what follows may or may not be timed, and counts as timed.  */

#include "back.h"

static hash_map<gimple *, const char *> clocks_around_calls; /* of the function that is being instrumented */

/* Whether code is timed where control may come from several places: OUTSIDE of a timed part, INSIDE, or both.  */
enum { OUTSIDE = 1, INSIDE = 2 };

/* Returns the name, for users, of the clock that STATEMENT reads; NULL: it reads none.  The report sees by itself where
   omp_get_wtime is called, which is a site.  */
static const char *clock_read_by_statement(gimple *statement) {
  static const struct {
    const char *symbol, *name;
  } clocks[] = {
      {"clock_gettime", "clock_gettime"},
      {"gettimeofday", "gettimeofday"},
      {"_ZNSt6chrono3_V212steady_clock3nowEv", "std::chrono"},
      {"_ZNSt6chrono3_V212system_clock3nowEv", "std::chrono"},
  };
  tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (!callee || !TREE_PUBLIC(callee) || !HAS_DECL_ASSEMBLER_NAME_P(callee))
    return NULL;
  for (const auto &clock : clocks)
    if (id_equal(DECL_ASSEMBLER_NAME(callee), clock.symbol))
      return clock.name;
  return NULL;
}

/* Returns the state behind a read of a clock that is reached in STATE.  */
static int state_behind_clock_read(int state) {
  return state & INSIDE ? OUTSIDE : INSIDE;
}

/* Returns the state at the end of BB, which is reached in STATE.  If NOTED, notes the calls of it that are timed.
   *CLOCK is the clock that was read last.  */
static int follow_clock_reads(basic_block bb, int state, const char **clock, bool noted) {
  for (gimple_stmt_iterator at = gsi_start_bb(bb); state && !gsi_end_p(at); gsi_next(&at))
    if (const char *read = clock_read_by_statement(gsi_stmt(at))) {
      *clock = read;
      state = state_behind_clock_read(state);
    } else if (noted && state & INSIDE && is_gimple_call(gsi_stmt(at)))
      clocks_around_calls.put(gsi_stmt(at), *clock);
  return state;
}

/* Returns how often FUN has a read of a clock in its code.  */
static int count_clock_reads(function *fun) {
  int reads = 0;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      reads += clock_read_by_statement(gsi_stmt(at)) != NULL;
  return reads;
}

/* Returns the state in which BB is reached, by those at the ends of the blocks before it, which are in AT_END.  */
static int state_before_block(basic_block bb, hash_map<basic_block, int> *at_end) {
  int state = 0;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->preds)
    if (e->src->index == ENTRY_BLOCK)
      state |= OUTSIDE;
    else if (int *known = at_end->get(e->src))
      state |= *known;
  return state;
}

/* Finds the calls and loops of FUN that it times itself.  A function that may return in a timed part only begins or
   ends one, and another function does the rest: nothing is known of it.  */
void find_clocks_around_calls(function *fun) {
  enum { ROUNDS = 20 }; /* more than nested loops need */
  clocks_around_calls.empty();
  if (count_clock_reads(fun) < 2)
    return;
  hash_map<basic_block, int> at_end;
  const char *clock = NULL;
  basic_block bb;
  bool changed = true;
  for (int round = 0; changed && round < ROUNDS; round++) {
    changed = false;
    FOR_EACH_BB_FN (bb, fun) {
      int state = follow_clock_reads(bb, state_before_block(bb, &at_end), &clock, false);
      int &before = at_end.get_or_insert(bb);
      changed |= state != before;
      before = state;
    }
  }
  if (changed || state_before_block(EXIT_BLOCK_PTR_FOR_FN(fun), &at_end) & INSIDE)
    return;
  FOR_EACH_BB_FN (bb, fun)
    follow_clock_reads(bb, state_before_block(bb, &at_end), &clock, true);
}

/* Returns the name of the clock by which the program times CALL, a call or a marker; empty: it does not.  */
const char *clock_around_call(gimple *call) {
  const char **clock = clocks_around_calls.get(call);
  return clock ? *clock : "";
}
