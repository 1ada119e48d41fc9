/* Serial functions: those that cannot spawn, so that the iterations of a loop that calls only them may be counted.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function is serial if it is countable (countable.cc) and calls only serial functions as far as this unit shows.
   What it calls by pointers and in other units is not known here.  If that spawns after all, the engine finds out
   (libcilkprof/engine/control/counted.c).  */

#include "plan.h"

static hash_set<tree> *serial;

/* Returns true if FUNCTION is serial: neither it nor anything that it calls in this unit can spawn.  */
bool serial_instrumented_function_p(tree function) {
  return serial->contains(function);
}

/* Returns true if FUNCTION, which is called, is serial.  */
bool serial_instrumented_callee_p(tree function) {
  cgraph_node *node = cgraph_node::get(function);
  return node && serial_instrumented_function_p(node->ultimate_alias_target()->decl);
}

/* Returns true if FUNCTION, a serial function, looks like a comparison function, as qsort(3) and bsearch(3) take them:
   it has two parameters of type const void *, and perhaps another, and returns int.  */
bool counts_bare_entries_p(tree function) {
  tree first = DECL_ARGUMENTS(function), second = first ? DECL_CHAIN(first) : NULL_TREE;
  if (!serial_instrumented_function_p(function) || !second || TREE_TYPE(TREE_TYPE(function)) != integer_type_node)
    return false;
  for (tree each : {first, second})
    if (!POINTER_TYPE_P(TREE_TYPE(each)) || !VOID_TYPE_P(TREE_TYPE(TREE_TYPE(each))) ||
        !TYPE_READONLY(TREE_TYPE(TREE_TYPE(each))))
      return false;
  return true;
}

/* Returns true if STATEMENT calls a function of this unit that is instrumented and not serial, as far as is known.  */
bool call_may_spawn_p(const gimple *statement) {
  return classify_call_for_events(statement) == CALL_DIRECT &&
         !serial_instrumented_callee_p(gimple_call_fndecl(statement));
}

/* Returns true if FUN calls a function of this unit that is instrumented and not serial, as far as is known.  */
static bool calls_spawning_function_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (call_may_spawn_p(gsi_stmt(at)))
        return true;
  return false;
}

/* Finds the serial functions of the unit: of those that are countable it removes, again and again, those that call
   others.  */
void find_serial_instrumented_functions() {
  cgraph_node *node;
  serial = new hash_set<tree>;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (countable_function_p(node->decl))
      serial->add(node->decl);
  for (bool changed = true; changed;) {
    changed = false;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
      if (serial->contains(node->decl) && calls_spawning_function_p(DECL_STRUCT_FUNCTION(node->decl))) {
        serial->remove(node->decl);
        changed = true;
      }
  }
}
