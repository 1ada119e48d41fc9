/* Functions that may abandon frames, their own or those of callees: by a jump or an exception instead of a return.
   SPDX-License-Identifier: GPL-3.0-or-later

   Such a function calls code that the compiler does not see, catches what was thrown there, or is a target of jumps.
   All others keep their frames in registers.  */

#include "back.h"

/* Functions that may abandon frames, themselves or in a callee.  */
static hash_set<tree> *abandoning;

/* Returns true if FUN itself may abandon frames: it is a target of jumps, calls code that the compiler does not see, or
   has markers whose events need the frame in memory.  */
static bool abandons_instrumented_frames_itself_p(function *fun) {
  if (fun->calls_setjmp || fun->has_nonlocal_label)
    return true;
  basic_block block;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      if (gimple_call_builtin_p(gsi_stmt(at), BUILT_IN_SETJMP_RECEIVER))
        return true;
      marker which = marker_of_call(gsi_stmt(at));
      bool in_registers = which == NO_MARKER || which == MARK_SPAWN || which == MARK_CALLEE || which == MARK_ENTRY ||
                          which == MARK_SYNC;
      call_class kind = classify_call_or_spawn_for_events(gsi_stmt(at));
      if (kind == CALL_FOREIGN || kind == CALL_OF_API || charged_call_event_p(gsi_stmt(at)) || !in_registers)
        return true;
    }
  return false;
}

/* Returns true if FUN calls an instrumented function of this unit that is known to abandon frames, or whose body is not
   available.  */
static bool calls_instrumented_frame_abandoner_p(function *fun) {
  basic_block block;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      if (classify_call_or_spawn_for_events(gsi_stmt(at)) == CALL_DIRECT) {
        cgraph_node *callee = cgraph_node::get(called_or_spawned_decl(gsi_stmt(at)))->ultimate_alias_target();
        function *body = DECL_STRUCT_FUNCTION(callee->decl);
        if (abandoning->contains(callee->decl) || !body || !body->cfg)
          return true;
      }
  return false;
}

/* Returns true if a jump or an exception in FUN or a callee may leave frames without a return, so that FUN must keep
   its frame in memory.  */
bool may_abandon_instrumented_frames_p(function *fun) {
  return abandoning->contains(fun->decl) || abandons_instrumented_frames_itself_p(fun) ||
         calls_instrumented_frame_abandoner_p(fun);
}

/* Finds all functions of the unit that may abandon frames, themselves or in a callee.  The search is repeated until it
   finds no more of them.  */
void find_instrumented_functions_abandoning_frames() {
  abandoning = new hash_set<tree>;
  for (bool changed = true; changed;) {
    cgraph_node *node;
    changed = false;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
      function *fun = DECL_STRUCT_FUNCTION(node->decl);
      if (!fun || !fun->cfg || node->inlined_to || cilkprof_function_p(node->decl) || abandoning->contains(node->decl))
        continue;
      if (abandons_instrumented_frames_itself_p(fun) || calls_instrumented_frame_abandoner_p(fun)) {
        abandoning->add(node->decl);
        changed = true;
      }
    }
  }
}
