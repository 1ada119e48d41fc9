/* Outlined events: calls that are charged to their function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outlined.h"

/* Inserts calls of events at the call at AT, which is charged to this function and may run code of the program.  In
   hybrid mode the strand is timed, and the event at its end detects if the call ran instrumented code.  Returns false
   if the call ends its block.  */
bool outlined_instrumenter::instrument_charged_call(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  if (mode == MEASURE_HYBRID) {
    bool timed_already = timing || plan.timed.blocks.contains(gimple_bb(statement));
    insert_event_before_statement(
        at, timed_already ? build_outlined_event(at, CALL_o_timed_charged_call, {NULL_TREE})
                          : build_outlined_event(
                                at, CALL_o_timing_charged_call,
                                {NULL_TREE, event_address_operand_of(make_timing_point_record(plan.timed.uncounted))}));
    timing = true;
    if (callee_without_forks_p(gimple_call_fndecl(statement))) {
      frame_needed = true;
      gimple_stmt_iterator over =
          insert_event_after_call(*at, statement, build_call_of_engine(CALL_o_charged_over, {frame}));
      if (!stmt_ends_bb_p(statement))
        *at = over;
    }
    return !stmt_ends_bb_p(statement);
  }
  insert_event_before_statement(at, mode == MEASURE_CLOCK
                                        ? build_call_of_engine(CALL_o_charged_call, {build_zero_cst(u64)})
                                        : build_outlined_event(at, CALL_o_charged_call, {NULL_TREE}));
  gimple_stmt_iterator behind =
      insert_event_after_call(*at, statement, build_call_of_engine(CALL_o_charged_returned, {}));
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}
