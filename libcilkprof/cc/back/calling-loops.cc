/* Serial loops around calls, which the descriptions of call sites name.
   SPDX-License-Identifier: GPL-3.0-or-later

   A loop that calls functions with events has no event of its own: it would cost too much, and the calls are measured.
   But whoever wants to make such calls parallel changes the loop.  So the compiler tells where it is.  */

#include "back.h"

static hash_map<gimple *, location_t> loops_around_calls; /* of the function that is being instrumented */

/* Returns true if STATEMENT marks something parallel: a loop around it is parallel itself, or has parallel parts.  */
static bool parallel_marker_p(const gimple *statement) {
  marker which = marker_of_call(statement);
  return which != NO_MARKER && which != MARK_ENTRY && which != MARK_CALLEE && which != MARK_SERIAL_LOOP &&
         which != MARK_SERIAL_LOOP_END && which != MARK_LOCK && which != MARK_COUNTED_PART;
}

/* Returns true if nothing in LOOP is parallel.  */
bool serial_loop_p(class loop *loop) {
  return !instrumented_loop_has_statement_p(loop, parallel_marker_p);
}

/* Returns true if a loop around LOOP has something parallel in it.  */
bool loop_in_parallel_code_p(class loop *loop) {
  for (class loop *outer = loop_outer(loop); outer->num; outer = loop_outer(outer))
    if (instrumented_loop_has_statement_p(outer, parallel_marker_p))
      return true;
  return false;
}

/* Returns where LOOP is in the source, or UNKNOWN_LOCATION if that is not known or it has parallel parts.  */
static location_t place_of_serial_loop(class loop *loop) {
  gimple *head = serial_loop_p(loop) ? statement_at_serial_loop_head(loop) : NULL;
  return head && !in_system_header_at(gimple_location(head)) ? LOCATION_LOCUS(gimple_location(head)) : UNKNOWN_LOCATION;
}

/* Finds the innermost loops around the calls of FUN, and around its serial loops.  GCC's loop information is
   initialised.  */
void find_loops_around_calls(function *fun) {
  loops_around_calls.empty();
  hash_map<class loop *, location_t> places;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun) {
    class loop *loop = bb->loop_father;
    for (gimple_stmt_iterator at = gsi_start_bb(bb); loop && loop->num && !gsi_end_p(at); gsi_next(&at)) {
      if (!is_gimple_call(gsi_stmt(at)) || gimple_call_internal_p(gsi_stmt(at)))
        continue;
      bool known;
      location_t &place = places.get_or_insert(loop, &known);
      if (!known)
        place = place_of_serial_loop(loop);
      if (place != UNKNOWN_LOCATION)
        loops_around_calls.put(gsi_stmt(at), place);
    }
  }
}

/* Returns the place of the innermost loop around CALL, a call or the marker of a serial loop's end; UNKNOWN_LOCATION:
   there is none, or it has parallel parts.  */
location_t loop_around_call(gimple *call) {
  location_t *place = loops_around_calls.get(call);
  return place ? *place : UNKNOWN_LOCATION;
}
