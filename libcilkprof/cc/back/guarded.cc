/* Guarded functions: those that decide, before they do anything else, whether they spawn.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function that divides its work begins with a test whether there is enough of it:

     if (n <= grain) { ...; return; }
     cilk_spawn ...

   Or a function that it calls spawns, and that calls it in turn.

   Calls of it are counted, too: nothing has been done yet where its bare copy turns out to spawn.  There the copy tells
   the engine, and calls the function with events, which does it all:

     if (n <= grain) { THREAD.in_guard = 0; ...; return; }
     if (THREAD.counting != __CILKPROF_COUNTING_RUN) {
       __cilkprof_o_begin_anew(); function(n); THREAD.began_anew = 1; return;
     }
     MARK_UNCOUNTED_PART ...

   THREAD.in_guard is set if code with events called the function.  Then the engine makes of the counted call one that
   is followed.  In a reference run the copy goes on; in a program for parallel runs it never does.

   A countable function has no constructs, but what it calls may spawn, and often it decides first of all, too, whether
   it calls that at all.  Such a call may spawn or not.  So its copy goes on, unless the engine has found that calls at
   the same site spawn, and has set THREAD.in_guard:

     if (n <= grain) { THREAD.in_guard = 0; ...; return; }
     if (THREAD.in_guard) { __cilkprof_o_begin_anew(); function(n); THREAD.began_anew = 1; return; }
     spawning(n) ...  */

#include "back.h"

/* The edges out of the guard of a function, in its bare copy: to code that leads to constructs, and to other code.  */
struct guard_edges {
  vec<edge> spawning, serial;
};

static hash_map<tree, guard_edges> guarded; /* by their originals */

/* Returns true if FUNCTION, which is called, decides first of all whether it spawns, and is COUNTABLE, or not.  */
static bool callee_with_guard_p(tree function, bool countable) {
  cgraph_node *node = cgraph_node::get(function);
  tree called = node ? node->ultimate_alias_target()->decl : NULL_TREE;
  return called && guarded.get(called) && countable_function_p(called) == countable;
}

/* Returns true if FUNCTION, which is called, is guarded.  */
bool guarded_callee_p(tree function) {
  return callee_with_guard_p(function, false);
}

/* Returns true if FUNCTION, which is called, is countable, but decides first of all if it calls what may spawn.  */
bool guarded_countable_callee_p(tree function) {
  return callee_with_guard_p(function, true);
}

/* Returns true if STATEMENT, an assignment, stores nothing, or only to a variable of the current function: a function
   that begins anew has other ones.  A parameter may be such a variable for GCC, but it is passed on.  */
static bool stores_at_most_to_own_variable_p(gimple *statement) {
  if (!gimple_vdef(statement))
    return true;
  tree variable = get_base_address(gimple_assign_lhs(statement));
  return variable && VAR_P(variable) && auto_var_in_fn_p(variable, cfun->decl);
}

/* Returns true if it makes no difference whether STATEMENT runs once or twice.  */
static bool statement_has_no_effect_before_guard_p(gimple *statement) {
  marker which = marker_of_call(statement);
  if (which == MARK_ENTRY || which == MARK_CALLEE || is_gimple_debug(statement) || gimple_clobber_p(statement))
    return true;
  switch (gimple_code(statement)) {
  case GIMPLE_ASSIGN:
    return stores_at_most_to_own_variable_p(statement) && !gimple_has_volatile_ops(statement) &&
           !stmt_could_throw_p(cfun, statement);
  case GIMPLE_COND:
  case GIMPLE_SWITCH:
    return !stmt_could_throw_p(cfun, statement);
  case GIMPLE_LABEL:
  case GIMPLE_GOTO:
  case GIMPLE_PREDICT:
  case GIMPLE_NOP:
    return true;
  default:
    return false;
  }
}

/* Returns true if all statements of BB have the property HOLDS.  */
static bool guard_block_all_p(basic_block bb, bool (*holds)(gimple *)) {
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
    if (!holds(gsi_stmt(at)))
      return false;
  return true;
}

/* Returns true if STATEMENT, in a bare copy, is no construct of Cilk or OpenMP, and does not call a function of the
   same recursion, which spawns; or, in that of a countable function, if it calls none that may spawn.  */
static bool statement_is_no_guarded_construct_p(gimple *statement) {
  tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  tree original = original_of_bare_copy(cfun->decl);
  if (countable_function_p(original))
    return !call_may_spawn_p(statement);
  return !forbids_counted_calls_p(statement) && !(callee && in_same_recursion_p(original, callee));
}

/* Finds the blocks of the current function from which a path leads to a construct, and adds them to FOUND.  */
static void find_blocks_leading_to_guarded_constructs(hash_set<basic_block> *found) {
  auto_vec<basic_block> work;
  basic_block bb;
  edge e;
  edge_iterator ei;
  FOR_EACH_BB_FN (bb, cfun)
    if (!guard_block_all_p(bb, statement_is_no_guarded_construct_p)) {
      found->add(bb);
      work.safe_push(bb);
    }
  while (!work.is_empty())
    FOR_EACH_EDGE (e, ei, work.pop()->preds)
      if (e->src->index >= NUM_FIXED_BLOCKS && !found->add(e->src))
        work.safe_push(e->src);
}

/* Returns true if BB is part of the guard: nothing in it has an effect, so that the function may begin anew after
   it.  */
static bool part_of_guard_p(basic_block bb) {
  return guard_block_all_p(bb, statement_is_no_guarded_construct_p) &&
         guard_block_all_p(bb, statement_has_no_effect_before_guard_p);
}

/* Finds the edges on which control leaves the guard of the current function, a bare copy that still has its markers.
   Returns true if there are some to code that leads to constructs, and some to code that does not: that makes it a
   guard.  */
static bool find_edges_out_of_guard(guard_edges *found) {
  hash_set<basic_block> leading, inside;
  auto_vec<basic_block> work;
  edge e;
  edge_iterator ei;
  basic_block first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun));
  find_blocks_leading_to_guarded_constructs(&leading);
  if (!leading.contains(first) || !part_of_guard_p(first))
    return false;
  inside.add(first);
  work.safe_push(first);
  while (!work.is_empty())
    FOR_EACH_EDGE (e, ei, work.pop()->succs) {
      if (e->flags & EDGE_COMPLEX)
        return false;
      if (!leading.contains(e->dest))
        found->serial.safe_push(e);
      else if (!part_of_guard_p(e->dest))
        found->spawning.safe_push(e);
      else if (!inside.add(e->dest))
        work.safe_push(e->dest);
    }
  return !found->serial.is_empty();
}

/* Makes LEAVING, statements that call the function with events and return, tell the engine first, and the caller, which
   counts its calls, that this call need not be counted.  */
static void tell_that_function_begins_anew(gimple_seq *leaving) {
  gimple_stmt_iterator call = gsi_start(*leaving), end = gsi_last(*leaving);
  gcall *told = gimple_build_call(engine_function_decl(CALL_o_begin_anew), 0);
  gsi_insert_before_without_update(&call, told, GSI_NEW_STMT);
  gsi_next(&call);
  if (gimple_code(gsi_stmt(end)) != GIMPLE_RETURN)
    return;
  while (!is_gimple_call(gsi_stmt(call)))
    gsi_next(&call);
  gimple_call_set_tail(as_a<gcall *>(gsi_stmt(call)), false);
  tree anew = thread_began_anew_tree();
  gsi_insert_before_without_update(&end, gimple_build_assign(anew, build_one_cst(TREE_TYPE(anew))), GSI_SAME_STMT);
}

/* Makes the current function, a bare copy, begin anew as ORIGINAL, with events, on the edge OUT: unless this is a
   reference run, or, if ORIGINAL is countable, if the engine wants that.  */
static void begin_anew_on_edge_out_of_guard(edge out, tree original) {
  basic_block test = split_edge(out), uncounted = split_edge(single_succ_edge(test));
  gimple_seq leaving = build_call_with_own_parameters(original, cfun);
  tell_that_function_begins_anew(&leaving);
  if (countable_function_p(original)) {
    leave_function_unless_equal(test, thread_in_guard_tree(), 0, leaving, profile_probability::very_unlikely());
    return;
  }
  tree counting = thread_counting_tree();
  leave_function_unless_equal(test, counting, __CILKPROF_COUNTING_RUN, leaving, profile_probability::likely());
  gimple_stmt_iterator at = gsi_last_bb(uncounted);
  gsi_insert_after(&at, build_marker_without_effect(MARK_UNCOUNTED_PART), GSI_NEW_STMT);
}

/* Makes the current function, a bare copy, note on the edge OUT of its guard that it does not spawn.  */
static void leave_guard_on_serial_edge(edge out) {
  tree inside = thread_in_guard_tree();
  gimple_stmt_iterator at = gsi_start_bb(split_edge(out));
  gsi_insert_before(&at, gimple_build_assign(inside, build_zero_cst(TREE_TYPE(inside))), GSI_NEW_STMT);
}

/* Returns true if calls of the function of NODE, which is not countable, may be counted: other functions than those of
   its own recursion make them, or a parallel loop.  */
static bool possibly_called_and_counted_p(cgraph_node *node) {
  for (cgraph_edge *call = node->callers; call; call = call->next_caller) {
    function *caller = DECL_STRUCT_FUNCTION(call->caller->decl);
    if (!in_same_recursion_p(call->caller->decl, node->decl) ||
        (caller && caller->cfg && has_iteration_markers_p(caller)))
      return true;
  }
  return false;
}

/* Returns true if the function of NODE, whose bare copy is COPY, may be guarded, as far as can be seen without looking
   for a guard.  */
static bool possibly_guarded_function_p(cgraph_node *node, tree copy) {
  function *fun = DECL_STRUCT_FUNCTION(copy);
  if (fun->calls_setjmp || fun->has_nonlocal_label || !can_call_bare_copy_p(node->decl))
    return false;
  return countable_function_p(node->decl) ? !serial_instrumented_function_p(node->decl)
                                          : possibly_called_and_counted_p(node);
}

/* Finds the functions of the unit that have a guard.  Their bare copies still have their markers.  */
void find_guarded_functions() {
  cgraph_node *node;
  if (!counted_calls_enabled_p())
    return;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    tree copy = bare_copy_of(node->decl);
    if (!copy || !possibly_guarded_function_p(node, copy))
      continue;
    guard_edges out = {vNULL, vNULL};
    push_cfun(DECL_STRUCT_FUNCTION(copy));
    if (find_edges_out_of_guard(&out)) {
      guarded.put(node->decl, out);
      let_counted_code_enter_copy(node->decl);
    }
    pop_cfun();
  }
}

/* Makes the current function, the bare copy of ORIGINAL, whose guard has the edges OUT, begin anew as that where it is
   about to spawn.  */
static void begin_anew_out_of_guard(tree original, const guard_edges &out) {
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  for (edge each : out.spawning)
    begin_anew_on_edge_out_of_guard(each, original);
  for (edge each : out.serial)
    leave_guard_on_serial_edge(each);
  mark_virtual_operands_for_renaming(cfun);
  update_ssa(TODO_update_ssa);
  cgraph_edge::rebuild_edges();
}

/* Makes the bare copies of all guarded functions, which have lost their markers, begin anew as the functions with
   events where they are about to spawn.  */
void guard_bare_copies() {
  for (auto each : guarded) {
    tree copy = bare_copy_of(each.first);
    push_cfun(DECL_STRUCT_FUNCTION(copy));
    current_function_decl = copy;
    bitmap_obstack_initialize(NULL);
    begin_anew_out_of_guard(each.first, each.second);
    bitmap_obstack_release(NULL);
    pop_cfun();
    current_function_decl = NULL_TREE;
  }
}
