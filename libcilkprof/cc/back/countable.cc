/* Countable functions: those that do not spawn themselves, so that most calls of them may be counted and not followed.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function is countable if it has a bare copy and no construct of Cilk or OpenMP.  Whether it spawns then depends on
   what it calls.  Libraries of algorithms have many functions that seldom do: the constructor of a vector divides its
   work only if there are many elements.  The engine learns for each call site whether calls of it spawn
   (libcilkprof/engine/control/counted.c).

   The event before a call of a countable function decides whether the call is counted.  The function itself looks, and
   goes on in its bare copy then (bare.cc), where calls are counted (counting.cc).  Where the bare copy calls a function
   that is not countable, it calls the one with events.  If that happens while a call is counted, the engine goes on as
   with code that has no instrumentation.

   A function that is part of a recursion which spawns is not countable, as it nearly always spawns.  */

#include "back.h"
#include "ipa-utils.h"

static hash_set<tree> *countable;
static hash_map<tree, int> circles; /* functions that call each other, by the number of their circle */

/* Returns true if calls of FUNCTION may be counted: it does not spawn itself.  */
bool countable_function_p(tree function) {
  return countable->contains(function);
}

/* Returns true if calls of FUNCTION, which is called, may be counted.  */
bool countable_callee_p(tree function) {
  cgraph_node *node = cgraph_node::get(function);
  return node && countable_function_p(node->ultimate_alias_target()->decl);
}

/* Returns true if calls of functions may be counted: in hybrid mode, where nothing else must follow all of them.  */
bool counted_calls_enabled_p() {
  return mode == MEASURE_HYBRID && bare_copies_wanted_p() && leaf_functions_enabled_p() && !only_forks_have_events_p();
}

/* Returns true if STATEMENT itself keeps its function from being countable: it is a construct of Cilk or OpenMP, or
   calls the engine, which may let another thread of a team run or begin a region.  Jumps out of the function do not,
   nor do mutexes.  */
bool forbids_counted_calls_p(const gimple *statement) {
  marker which = marker_of_call(statement);
  if (which != NO_MARKER)
    return which != MARK_ENTRY && which != MARK_CALLEE;
  tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return callee && !mutex_event_callee_p(callee) && (cilkprof_function_p(callee) || event_callee_of_api_p(callee));
}

/* Returns true if a statement of FUN keeps it from being countable.  */
static bool has_statement_forbidding_counted_calls_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (forbids_counted_calls_p(gsi_stmt(at)))
        return true;
  return false;
}

/* Returns true if the function of NODE could be counted by its own statements.  Constructors and destructors of the
   unit are not, nor is main: nothing calls them that could count.  */
static bool countable_by_statements_p(cgraph_node *node) {
  function *fun = DECL_STRUCT_FUNCTION(node->decl);
  if (DECL_STATIC_CONSTRUCTOR(node->decl) || DECL_STATIC_DESTRUCTOR(node->decl) || instrumented_start_p(node->decl))
    return false;
  return bare_copy_of(node->decl) && !fun->calls_setjmp && !fun->has_nonlocal_label &&
         !has_statement_forbidding_counted_calls_p(fun);
}

/* Returns the number of the circle of functions that call each other to which that of NODE belongs, while GCC has them
   numbered; 0: it belongs to none that is known.  */
static int circle_of_countable_function(const cgraph_node *node) {
  return node->aux ? static_cast<const ipa_dfs_info *>(node->aux)->scc_no + 1 : 0;
}

/* Returns the number of the circle of functions that call each other to which FUNCTION, or an alias of it, belongs; 0
   if it is not known.  */
static int circle_of_called_function(tree function) {
  cgraph_node *node = cgraph_node::get(function);
  int *circle = node ? circles.get(node->ultimate_alias_target()->decl) : NULL;
  return circle ? *circle : 0;
}

/* Returns true if FUNCTION and OTHER are the same, or call each other.  */
bool in_same_recursion_p(tree function, tree other) {
  int circle = circle_of_called_function(function);
  return circle && circle == circle_of_called_function(other);
}

/* Notes that COPY calls the same functions as ORIGINAL, of which it is a copy.  */
void note_copy_in_recursion(tree copy, tree original) {
  circles.put(copy, circle_of_called_function(original));
}

/* Finds the circles of functions that call each other in which some function has constructs, and adds their numbers to
   FOUND.  */
static void find_spawning_circles(hash_set<int_hash<int, -1>> *found) {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    if (fun && fun->cfg && !node->inlined_to && instrumented_function_p(node->decl) &&
        has_statement_forbidding_counted_calls_p(fun))
      found->add(circle_of_countable_function(node));
  }
}

/* Finds the countable functions of the unit.  Counted code may also enter the bare copies of such functions as cannot
   call them: those with variable arguments, and nested ones.  */
void find_countable_functions() {
  cgraph_node *node;
  countable = new hash_set<tree>;
  if (!counted_calls_enabled_p())
    return;
  auto_vec<cgraph_node *> order;
  hash_set<int_hash<int, -1>> spawning;
  order.safe_grow_cleared(symtab->cgraph_count);
  ipa_reduced_postorder(order.address(), true, NULL);
  find_spawning_circles(&spawning);
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    circles.put(node->decl, circle_of_countable_function(node));
    if (countable_by_statements_p(node) && !spawning.contains(circle_of_countable_function(node))) {
      let_counted_code_enter_copy(node->decl);
      if (can_call_bare_copy_p(node->decl))
        countable->add(node->decl);
    }
  }
  ipa_free_postorder_info();
}
