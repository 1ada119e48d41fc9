/* The names of the markers, and what they open.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/middle-end.h"
#include "libcilkprof/cc/markers.h"

static const char *const names[MARKERS] = {
    MARKER_PREFIX "spawn",
    MARKER_PREFIX "callee",
    MARKER_PREFIX "entry",
    KEYWORD_MARKER_PREFIX "sync",
    KEYWORD_MARKER_PREFIX "for",
    MARKER_PREFIX "iterate",
    MARKER_PREFIX "loop_end",
    MARKER_PREFIX "ranges",
    KEYWORD_MARKER_PREFIX "spawn",
    MARKER_PREFIX "block_end",
    KEYWORD_MARKER_PREFIX "scope",
    MARKER_PREFIX "scope_end",
    MARKER_PREFIX "arrival",
    MARKER_PREFIX "called",
    MARKER_PREFIX "lock",
    MARKER_PREFIX "task",
    MARKER_PREFIX "task_call",
    MARKER_PREFIX "group",
    MARKER_PREFIX "taskwait",
    MARKER_PREFIX "team",
    MARKER_PREFIX "team_run",
    MARKER_PREFIX "team_loop",
    MARKER_PREFIX "serial_loop",
    MARKER_PREFIX "serial_loop_end",
    MARKER_PREFIX "counted_loop",
    MARKER_PREFIX "counted_left",
    MARKER_PREFIX "counted_body",
    MARKER_PREFIX "calling_loop",
    MARKER_PREFIX "calling_iterate",
    MARKER_PREFIX "calling_loop_end",
    MARKER_PREFIX "uncounted_part",
    MARKER_PREFIX "counted_part",
};

/* Returns the name of the function that the marker WHICH seems to call.  */
const char *marker_name(marker which) {
  return names[which];
}

/* Returns the marker whose function DECL is, or NO_MARKER if it is that of none.  DECL may be NULL_TREE.  */
marker marker_of_decl(tree decl) {
  if (!decl || TREE_CODE(decl) != FUNCTION_DECL || !DECL_NAME(decl))
    return NO_MARKER;
  const char *name = IDENTIFIER_POINTER(DECL_NAME(decl));
  if (!startswith(name, MARKER_PREFIX) && !startswith(name, KEYWORD_MARKER_PREFIX))
    return NO_MARKER;
  for (int i = 0; i < MARKERS; i++)
    if (!strcmp(name, names[i]))
      return (marker)i;
  return NO_MARKER;
}

/* Returns which marker STATEMENT is, or NO_MARKER if it is not a marker.  */
marker marker_of_call(const gimple *statement) {
  return is_gimple_call(statement) ? marker_of_decl(gimple_call_fndecl(statement)) : NO_MARKER;
}

/* Returns 1 if STATEMENT is a marker that opens a block, a loop or a scope, -1 if it closes one, else 0.  */
int blocks_opened_by_marker(const gimple *statement) {
  switch (marker_of_call(statement)) {
  case MARK_LOOP:
  case MARK_BLOCK:
  case MARK_SCOPE:
  case MARK_CALLED:
  case MARK_LOCK:
  case MARK_TASK:
  case MARK_GROUP:
  case MARK_TEAM_LOOP:
    return 1;
  case MARK_LOOP_END:
  case MARK_BLOCK_END:
  case MARK_SCOPE_END:
    return -1;
  default:
    return 0;
  }
}

/* Returns 1 if STATEMENT is a marker that opens a parallel loop, -1 if it closes one, else 0.  */
int loops_opened_by_marker(const gimple *statement) {
  marker which = marker_of_call(statement);
  return which == MARK_LOOP || which == MARK_TEAM_LOOP ? 1 : which == MARK_LOOP_END ? -1 : 0;
}
