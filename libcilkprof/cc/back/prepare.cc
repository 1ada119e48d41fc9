/* The pass over the whole unit, after inlining: it decides what functions must know about each other, and invalidates
   facts about them that events make untrue.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

/* Makes GCC forget what it knows about the reads and writes of NODE.  Every instrumented function writes to the
   engine's memory: it is neither pure nor const.  */
static void forget_memory_facts_before_events(cgraph_node *node) {
  if (fndecl_built_in_p(node->decl))
    return;
  if (node->get_availability() > AVAIL_NOT_AVAILABLE || !(flags_from_decl_or_type(node->decl) & ECF_LEAF))
    TREE_READONLY(node->decl) = DECL_PURE_P(node->decl) = DECL_LOOPING_CONST_OR_PURE_P(node->decl) = 0;
  modref_summary *summary = get_modref_function_summary(node);
  if (!summary)
    return;
  if (summary->loads)
    summary->loads->collapse();
  if (summary->stores)
    summary->stores->collapse();
  gcc_expect_any_effect(summary);
}

/* Inlines into all functions of the unit what GCC has decided to inline, which it would only do when it compiles a
   function.  So every function has its final body now.  Events are left out, since they are yet to be inlined
   themselves.  */
static void finish_inlining_before_events() {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (!node->inlined_to && !cilkprof_function_p(node->decl))
      node->get_body();
}

/* Makes GCC forget what the points-to analysis of the whole program found for calls in FUN, because it did not see the
   events.  */
static void forget_points_to_facts_before_events(function *fun) {
  basic_block block;
  if (!fun->gimple_df->ipa_pta)
    return;
  fun->gimple_df->ipa_pta = false;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      if (gcall *call = dyn_cast<gcall *>(gsi_stmt(at))) {
        pt_solution_reset(gimple_call_use_set(call));
        pt_solution_reset(gimple_call_clobber_set(call));
      }
}

/* Gives virtual operands to calls in FUN of functions that were pure or const before.  */
static void restore_virtual_operands_before_events(function *fun) {
  basic_block block;
  bool changed = false;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      gimple *statement = gsi_stmt(at);
      tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
      if (callee && !fndecl_built_in_p(callee) && !gimple_vdef(statement)) {
        update_stmt(statement);
        changed = true;
      }
    }
  if (changed) {
    mark_virtual_operands_for_renaming(fun);
    update_ssa(TODO_update_ssa_only_virtuals);
  }
}

/* Corrects the bodies of all functions in the unit where events make facts untrue that GCC noted there: points-to sets,
   and calls that have no effect on memory.  */
static void forget_facts_in_bodies_before_events() {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    if (!fun || !fun->cfg || !gimple_in_ssa_p(fun) || node->inlined_to)
      continue;
    push_cfun(fun);
    current_function_decl = node->decl;
    bitmap_obstack_initialize(NULL);
    forget_points_to_facts_before_events(fun);
    restore_virtual_operands_before_events(fun);
    bitmap_obstack_release(NULL);
    pop_cfun();
    current_function_decl = NULL_TREE;
  }
}

/* Excludes the function of NODE and all that it calls from instrumentation, by an attribute.  */
static void exclude_from_instrumentation(cgraph_node *node) {
  if (cilkprof_function_p(node->decl) || lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(node->decl)))
    return;
  DECL_ATTRIBUTES(node->decl) =
      tree_cons(get_identifier("no_instrument_function"), NULL_TREE, DECL_ATTRIBUTES(node->decl));
  for (cgraph_edge *call = node->callees; call; call = call->next_callee)
    exclude_from_instrumentation(call->callee->ultimate_alias_target());
}

/* Excludes resolvers of ifuncs, which run before the program has thread-local memory, naked functions, which are
   assembler code without a stack frame, and the program's own versions of functions that the compiler knows, such as
   malloc: their cost is charged to their callers as usual.  */
static void exclude_special_functions_from_instrumentation() {
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    if (node->ifunc_resolver && node->alias && node->analyzed)
      exclude_from_instrumentation(node->ultimate_alias_target());
    else if (node->definition && !node->inlined_to &&
             (charged_to_instrumented_caller_p(node->decl) || lookup_attribute("naked", DECL_ATTRIBUTES(node->decl))))
      exclude_from_instrumentation(node);
}

namespace {

const pass_data preparing_data = {SIMPLE_IPA_PASS, "cilkprof_prepare", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

/* The pass cilkprof_prepare: see make_preparing_pass.  */
class preparing_pass : public simple_ipa_opt_pass {
public:
  /* Makes the pass "cilkprof_prepare".  */
  preparing_pass() : simple_ipa_opt_pass(preparing_data, g) {}

  /* Prepares the unit for events, in an order in which each step finds what it needs from those before.  */
  unsigned int execute(function *) final override {
    cgraph_node *node;
    finish_inlining_before_events();
    if (!find_event_functions())
      return 0;
    exclude_special_functions_from_instrumentation();
    make_bare_copies();
    insert_mutex_events_in_unit();
    exclude_functions_without_forks();
    find_countable_functions();
    find_serial_instrumented_functions();
    find_guarded_functions();
    insert_mutex_events_in_counted_code();
    strip_bare_copies();
    guard_bare_copies();
    FOR_EACH_FUNCTION (node)
      if (!set_aside_event(node) && !bare_copy_p(node->decl))
        forget_memory_facts_before_events(node);
    forget_facts_in_bodies_before_events();
    find_functions_called_without_events();
    find_callees_needing_bare_check();
    replace_task_call_markers_in_unit();
    copy_recursive_instrumented_functions();
    find_record_enterable_copies();
    find_instrumented_functions_abandoning_frames();
    find_leaf_functions();
    decide_event_inlining();
    copy_children_to_inline();
    make_guarded_parts();
    stop_instrumenting_new_functions();
    return 0;
  }
};

} // namespace

/* Returns the pass "cilkprof_prepare" over the whole unit, which decides what functions must know about each other
   before any is instrumented.  */
opt_pass *make_preparing_pass() {
  return new preparing_pass;
}
