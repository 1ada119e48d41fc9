/* Decides where inlining events pays, and inlines them.  An inlined event takes some dozens of instructions and makes
   compilation slower.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC's inliner has already run, but can run again on one function: every call of an event gets an inline clone of the
   event's node and is marked as inlined, and optimize_inline_calls does the rest.  */

#include "back.h"

/* Returns true if FUN spawns itself, calls nothing else, and has few events.  In such a function the events can be most
   of the work.  */
static bool only_spawns_itself_with_events_p(function *fun) {
  enum { MANY = 6 };
  int events = 0;
  bool spawns = false;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      gimple *statement = gsi_stmt(at);
      spawns |= spawn_marker_for_event_p(statement);
      events += statement_gets_event_p(statement);
      call_class kind = classify_call_or_spawn_for_events(statement);
      if (kind == CALL_FOREIGN || kind == CALL_OF_API ||
          (kind == CALL_DIRECT &&
           !copies_of_same_instrumented_function_p(called_or_spawned_decl(statement), fun->decl)))
        return false;
    }
  return spawns && events <= MANY;
}

/* Returns true if FUN, the current function, is taken to spend its time in loops: it has a long one, and none of its
   loops has events.  */
static bool spends_time_in_loops_without_events_p(function *fun) {
  enum { SHORT = 8 };
  bool is_long = false, spawns = false;
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  for (class loop *loop = loops_for_fn(fun)->tree_root->inner; loop; loop = loop->next) {
    HOST_WIDE_INT most = get_max_loop_iterations_int(loop);
    is_long |= most < 0 || most > SHORT;
    spawns |= instrumented_loop_has_statement_p(loop, statement_gets_event_p);
  }
  loop_optimizer_finalize();
  return is_long && !spawns;
}

/* Returns true if the events of FUN can be inlined.  In a program for parallel runs there are no such events for a
   spawned call through a pointer or of another unit, nor for a cilk_for.  */
static bool events_inlinable_p(function *fun) {
  basic_block bb;
  if (!all_workers)
    return true;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (profiled_loop_p(gsi_stmt(at)) ||
          (profiled_spawn_p(gsi_stmt(at)) && !spawns_instrumented_function_p(gsi_stmt(at))))
        return false;
  return !range_body_p(fun->decl);
}

/* Returns true if FUN becomes so much faster with inlined events that their space is worth it.  */
bool inlining_events_pays_p(function *fun) {
  if (!opt_for_fn(fun->decl, optimize)) /* inlining would not be faster, and need more stack */
    return false;
  if (!only_spawns_itself_with_events_p(fun) || !events_inlinable_p(fun))
    return false;
  push_cfun(fun);
  bool pays = !spends_time_in_loops_without_events_p(fun);
  pop_cfun();
  return pays;
}

/* The functions for which inlining their events pays; those that do, since tests may ask for another form; and the
   identifiers of originals of which some copy does.  Callers depend on this decision.  */
static hash_set<tree> *paying, *inlining, *some_inlining;

/* Decides for all functions of the unit if their events are inlined, before any of them is instrumented, because
   callers depend on it.  */
void decide_event_inlining() {
  cgraph_node *node;
  paying = new hash_set<tree>;
  inlining = new hash_set<tree>;
  some_inlining = new hash_set<tree>;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    if (!fun || !fun->cfg || node->inlined_to || !instrumented_function_p(node->decl))
      continue;
    bool pays =
        inlining_events_pays_p(fun) && !(only_forks_have_events_p() && enterable_by_uninstrumented_code_p(node));
    if (pays)
      paying->add(node->decl);
    if (unit_has_event_bodies_p() &&
        (calling_back || (always_inline ? events_inlinable_p(fun) : !always_outline && pays))) {
      inlining->add(node->decl);
      some_inlining->add(original_site_symbol_identifier(node->decl));
    }
  }
}

/* Returns true if decide_event_inlining found that inlining the events of FUNCTION pays, whether they are or not.  */
bool events_worth_inlining_p(tree function) {
  return paying->contains(function);
}

/* Returns true if decide_event_inlining chose to inline the events of FUNCTION.  */
bool inlines_events_p(tree function) {
  return inlining->contains(function);
}

/* Returns true if FUNCTION, or another copy of the same original, inlines its events.  */
bool any_copy_inlines_events_p(tree function) {
  return some_inlining->contains(original_site_symbol_identifier(function));
}

/* Copies the functions of all children of the unit that are spawned by functions with inlined events, to inline them
   as well.  */
void copy_children_to_inline() {
  cgraph_node *node;
  basic_block bb;
  auto_vec<cgraph_node *> found;
  if (!all_workers || calling_back)
    return;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    if (!inlines_events_p(node->decl))
      continue;
    FOR_EACH_BB_FN (bb, DECL_STRUCT_FUNCTION(node->decl))
      for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        tree child = profiled_spawn_p(gsi_stmt(at)) ? gimple_call_arg(gsi_stmt(at), 1) : NULL_TREE;
        if (child && TREE_CODE(child) == ADDR_EXPR)
          found.safe_push(cgraph_node::get(TREE_OPERAND(child, 0)));
      }
  }
  for (cgraph_node *each : found)
    copy_child_to_inline(each);
}

/* Inlines CALLS in FUN, of functions that were set aside for it, if the unit has the bodies of events.  Returns what
   GCC has to do afterwards.  */
unsigned inline_prepared_calls(function *fun, const vec<gcall *> &calls) {
  cgraph_node *node = cgraph_node::get(fun->decl);
  for (gcall *call : calls) {
    cgraph_edge *to_event = node->get_edge(call);
    if (!to_event || !unit_has_event_bodies_p())
      continue;
    cgraph_node *clone =
        to_event->callee->create_clone(to_event->callee->decl, to_event->count, false, vNULL, false, node, NULL, NULL);
    to_event->redirect_callee(clone);
    to_event->inline_failed = CIF_OK;
    node->remove_stmt_references(call);
  }
  unsigned properties = fun->curr_properties;
  unsigned todo = optimize_inline_calls(fun->decl);
  fun->curr_properties = properties;
  return todo;
}

/* Inlines the events that FUN calls in CALLS, if the unit has their bodies, and then the children that these call.
   Returns what GCC has to do afterwards.  */
unsigned inline_events(function *fun, const vec<gcall *> &calls) {
  basic_block bb;
  unsigned todo = inline_prepared_calls(fun, calls);
  auto_vec<gcall *> children;
  if (all_workers)
    FOR_EACH_BB_FN (bb, fun)
      for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
        if (calls_child_to_inline_p(gsi_stmt(at)))
          children.safe_push(as_a<gcall *>(gsi_stmt(at)));
  if (children.is_empty())
    return todo;
  update_ssa(TODO_update_ssa);
  cgraph_edge::rebuild_edges();
  return todo | inline_prepared_calls(fun, children);
}
