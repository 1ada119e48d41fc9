/* Serial functions: those that cannot spawn, so that most calls of them are counted and not followed.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function is serial if it has a bare copy, no construct of Cilk or OpenMP, and calls only serial functions as far as
   this unit shows.  What it calls by pointers and in other units is not known here.  If that spawns after all, the
   engine finds out (libcilkprof/engine/control/counted.c).

   The event before a call of a serial function decides whether the call is counted.  The function itself looks, and
   goes on in its bare copy then (bare.cc), where calls are counted (counting.cc).  */

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

/* Returns true if calls of serial functions may be counted: in hybrid mode, where nothing else must follow all of
   them.  */
bool counted_calls_enabled_p() {
  return mode == MEASURE_HYBRID && bare_copies_wanted_p() && leaf_functions_enabled_p();
}

/* Returns true if STATEMENT itself keeps its function from being serial: it is a construct of Cilk or OpenMP, or
   calls the engine, which may let another thread of a team run.  Jumps out of the function do not.  */
static bool forbids_counted_calls_p(const gimple *statement) {
  marker which = marker_of_call(statement);
  if (which != NO_MARKER)
    return which != MARK_ENTRY && which != MARK_CALLEE;
  tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return callee && cilkprof_function_p(callee);
}

/* Returns true if STATEMENT calls a function of this unit that is instrumented and not serial, as far as is known.  */
static bool calls_uncounted_function_p(const gimple *statement) {
  return classify_call_for_events(statement) == CALL_DIRECT &&
         !serial_instrumented_callee_p(gimple_call_fndecl(statement));
}

/* Returns true if some statement of FUN is one that FORBIDS it to be serial.  */
static bool has_uncounted_statement_p(function *fun, bool (*forbids)(const gimple *)) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (forbids(gsi_stmt(at)))
        return true;
  return false;
}

/* Returns true if the function of NODE may be serial, by its own statements.  Constructors and destructors of the unit
   are not: nothing calls them that could count.  */
static bool serial_by_counted_statements_p(cgraph_node *node) {
  function *fun = DECL_STRUCT_FUNCTION(node->decl);
  if (DECL_STATIC_CONSTRUCTOR(node->decl) || DECL_STATIC_DESTRUCTOR(node->decl))
    return false;
  return bare_copy_of(node->decl) && can_call_bare_copy_p(node->decl) && !fun->calls_setjmp &&
         !fun->has_nonlocal_label && !has_uncounted_statement_p(fun, forbids_counted_calls_p);
}

/* Finds the serial functions of the unit: first those that may be serial by themselves, and then, again and again,
   removes those that call others.  */
void find_serial_instrumented_functions() {
  cgraph_node *node;
  serial = new hash_set<tree>;
  if (!counted_calls_enabled_p())
    return;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (serial_by_counted_statements_p(node))
      serial->add(node->decl);
  for (bool changed = true; changed;) {
    changed = false;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
      if (serial->contains(node->decl) &&
          has_uncounted_statement_p(DECL_STRUCT_FUNCTION(node->decl), calls_uncounted_function_p)) {
        serial->remove(node->decl);
        changed = true;
      }
  }
}

/* Returns true if STATEMENT is a call of a serial function that returns.  */
static bool countable_call_event_p(const gimple *statement) {
  return classify_call_for_events(statement) == CALL_DIRECT && !gimple_call_noreturn_p(statement) &&
         serial_instrumented_callee_p(gimple_call_fndecl(statement));
}

/* Finds the calls of serial functions in FUN that are counted or followed as the engine decides, and adds them to
   FOUND.  Calls in LEAF_CALLS have an event that is as short.  */
void find_counted_calls(function *fun, hash_set<gimple *> *leaf_calls, hash_set<gimple *> *found) {
  basic_block bb;
  if (!counted_calls_enabled_p())
    return;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (countable_call_event_p(gsi_stmt(at)) && !leaf_calls->contains(gsi_stmt(at)))
        found->add(gsi_stmt(at));
}
