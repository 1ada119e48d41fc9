/* The bare program: a copy without events of every instrumented function, in the same executable.
   SPDX-License-Identifier: GPL-3.0-or-later

   Events disturb what they measure, and the disturbed run itself does not show by how much.  So cilkprof-run also makes
   a reference run without events.  The copies for it are made after inlining, lose their markers, and are optimised as
   with -fcilkplus alone.  They call each other directly.  A function that other code may call first checks a variable
   of its executable or library, and continues in its copy if that variable is set.

   A function that cannot be copied is instrumented in both runs.  So are its callees, unless they check, too.  */

#include "back.h"
#include "diagnostic.h"

static const char suffix[] = "bare";
static const char variable_name[] = "__cilkprof_bare";

static hash_map<tree, tree> copies;       /* by their originals */
static hash_map<tree, tree> originals_of; /* by their copies */
static hash_set<tree> must_check;         /* functions whose callers may be instrumented in the bare program as well */

/* Returns true if functions get bare copies for a reference run: not in count mode, with callbacks, or with
   -fcilkprof-no-reference.  */
bool bare_copies_wanted_p() {
  return mode != MEASURE_COUNT && !calling_back && !no_reference;
}

/* Returns true if FUNCTION is a bare copy: one without events, for the reference run.  */
bool bare_copy_p(tree function) {
  return lookup_attribute(BARE_ATTRIBUTE, DECL_ATTRIBUTES(function)) != NULL_TREE;
}

/* Returns true if TEXT, the code of an asm statement, seems to define a symbol by a label, .set or .equ.  Numeric
   labels do not count, since an assembler file may have several of the same number.  */
static bool asm_defines_label_p(const char *text) {
  for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
    const char *start = colon;
    while (start > text && (ISIDNUM(start[-1]) || start[-1] == '.' || start[-1] == '$'))
      start--;
    if (start < colon && strspn(start, "0123456789") < (size_t)(colon - start))
      return true;
  }
  return strstr(text, ".set") || strstr(text, ".equ");
}

/* Returns true if an asm statement in FUN defines symbols.  A copy of FUN would define them twice.  */
static bool asms_define_symbols_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (gasm *statement = dyn_cast<gasm *>(gsi_stmt(at)))
        if (asm_defines_label_p(gimple_asm_string(statement)))
          return true;
  return false;
}

/* Returns true if the function of NODE is instrumented, has a body of its own, and can have a bare copy.  */
static bool bare_copy_possible_p(cgraph_node *node) {
  function *fun = DECL_STRUCT_FUNCTION(node->decl);
  return fun && fun->cfg && !node->inlined_to && !node->alias && !node->thunk && instrumented_function_p(node->decl) &&
         !copy_forbidden(fun) && !asms_define_symbols_p(fun);
}

/* Makes COPY, the bare copy of a function that several units may have, as templates, one that the linker keeps once,
   like the function itself.  All units give it the same name.  */
static void share_bare_copy(cgraph_node *copy) {
  tree decl = copy->decl;
  make_decl_one_only(decl, DECL_ASSEMBLER_NAME(decl));
  DECL_COMDAT(decl) = 1;
  DECL_VISIBILITY(decl) = VISIBILITY_HIDDEN;
  DECL_VISIBILITY_SPECIFIED(decl) = 1;
  copy->local = false;
  copy->externally_visible = true;
}

/* Makes a copy of ORIGINAL and marks it as bare.  Returns its declaration, or NULL_TREE if GCC makes none.  The
   attribute "noclone" is ignored, because it is meant for the optimisers, which know nothing of this copy.  */
static tree make_bare_copy(cgraph_node *original) {
  tree attributes = DECL_ATTRIBUTES(original->decl);
  DECL_ATTRIBUTES(original->decl) = remove_attribute("noclone", copy_list(attributes));
  cgraph_node *copy = original->create_version_clone_with_body(vNULL, NULL, NULL, NULL, NULL, suffix);
  DECL_ATTRIBUTES(original->decl) = attributes;
  if (!copy)
    return NULL_TREE;
  for (const char *name : {BARE_ATTRIBUTE, "no_instrument_function", "noclone"})
    DECL_ATTRIBUTES(copy->decl) = tree_cons(get_identifier(name), NULL_TREE, DECL_ATTRIBUTES(copy->decl));
  DECL_NAME(copy->decl) = DECL_NAME(original->decl);
  if (original->get_comdat_group())
    share_bare_copy(copy);
  return copy->decl;
}

/* Returns the bare copy of FUNCTION, or NULL_TREE if there is none.  */
tree bare_copy_of(tree function) {
  tree *copy = copies.get(function);
  return copy ? *copy : NULL_TREE;
}

/* Returns the function of which FUNCTION is the bare copy, or NULL_TREE if it is none.  */
tree original_of_bare_copy(tree function) {
  tree *original = originals_of.get(function);
  return original ? *original : NULL_TREE;
}

/* Returns the bare copy to call instead of FUNCTION, or NULL_TREE if there is none or FUNCTION may be interposed.  */
static tree bare_copy_to_call(tree function) {
  availability available = AVAIL_NOT_AVAILABLE;
  cgraph_node *node = cgraph_node::get(function);
  node = node ? node->ultimate_alias_target(&available) : NULL;
  tree *copy = node && available > AVAIL_INTERPOSABLE ? copies.get(node->decl) : NULL;
  return copy ? *copy : NULL_TREE;
}

/* Removes the marker at AT from a bare copy, and moves AT to the next statement.  A marker with a result only passes on
   its argument, so it becomes an assignment.  */
static void remove_marker_from_copy(gimple_stmt_iterator *at) {
  gimple *mark = gsi_stmt(*at);
  tree result = gimple_call_lhs(mark);
  unlink_stmt_vdef(mark);
  if (result) {
    gsi_replace(at, gimple_build_assign(result, gimple_call_arg(mark, 0)), false);
    gsi_next(at);
    return;
  }
  gsi_remove(at, true);
  release_defs(mark);
}

/* Removes all markers from FUN, a bare copy that is the current function, and makes it call the bare copies of its
   callees.  */
static void strip_bare_copy(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at);) {
      gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
      if (call && marker_of_call(call) != NO_MARKER) {
        remove_marker_from_copy(&at);
        continue;
      }
      tree callee = call ? gimple_call_fndecl(call) : NULL_TREE, copy = callee ? bare_copy_to_call(callee) : NULL_TREE;
      if (copy) {
        gimple_call_set_fndecl(call, copy);
        update_stmt(call);
      }
      gsi_next(&at);
    }
  cgraph_edge::rebuild_edges();
}

/* Returns true if FUNCTION can pass all its parameters on to its bare copy: it has no variable arguments and no static
   chain, and does not return twice.  */
bool can_call_bare_copy_p(tree function) {
  return !stdarg_p(TREE_TYPE(function)) && !DECL_STATIC_CHAIN(function) &&
         !(flags_from_decl_or_type(function) & ECF_RETURNS_TWICE);
}

/* Returns true if the function of NODE is instrumented in the bare program as well, because it has no bare copy, or
   other code may enter it and it cannot call its copy.  */
bool stays_instrumented_p(cgraph_node *node) {
  return bare_copies_wanted_p() &&
         (!copies.get(node->decl) || (enterable_from_outside_p(node) && !can_call_bare_copy_p(node->decl)));
}

/* Finds the callees of functions that stay instrumented in the bare program.  They are called in their instrumented
   versions, so they must check for their bare copies.  */
void find_callees_needing_bare_check() {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (!node->inlined_to && instrumented_function_p(node->decl) && stays_instrumented_p(node))
      for (cgraph_edge *call = node->callees; call; call = call->next_callee)
        must_check.add(call->callee->ultimate_alias_target()->decl);
}

/* Makes a bare copy of every instrumented function of the unit that can have one.  The copies have no markers and call
   each other.  */
void make_bare_copies() {
  auto_vec<cgraph_node *> originals;
  cgraph_node *node;
  if (!bare_copies_wanted_p())
    return;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (bare_copy_possible_p(node))
      originals.safe_push(node);
  for (cgraph_node *original : originals)
    if (tree copy = make_bare_copy(original)) {
      copies.put(original->decl, copy);
      originals_of.put(copy, original->decl);
    }
  for (cgraph_node *original : originals) {
    tree *copy = copies.get(original->decl);
    if (!copy)
      continue;
    push_cfun(DECL_STRUCT_FUNCTION(*copy));
    current_function_decl = *copy;
    strip_bare_copy(cfun);
    pop_cfun();
    current_function_decl = NULL_TREE;
  }
}

/* Returns the variable __cilkprof_bare, which is set in a reference run.  It exists once in the executable or library
   that this unit becomes part of.  Every unit defines it, since libtool links libraries without -fcilkprof, and so
   without libcilkprof/engine/profile/records.c, which sets it.  */
static tree bare_variable() {
  static tree made;
  if (!made) {
    made = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(variable_name), integer_type_node);
    TREE_STATIC(made) = TREE_PUBLIC(made) = TREE_USED(made) = 1;
    DECL_ARTIFICIAL(made) = DECL_IGNORED_P(made) = DECL_PRESERVE_P(made) = 1;
    DECL_VISIBILITY(made) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(made) = DECL_WEAK(made) = 1;
    varpool_node::finalize_decl(made);
  }
  return made;
}

/* Returns the value of PARAMETER at the start of FUN, in the type in which it is passed: a function without a prototype
   is passed a double for a float.  Adds the statements for that to STATEMENTS.  */
static tree parameter_for_bare_copy(function *fun, tree parameter, gimple_seq *statements) {
  tree type = TREE_TYPE(parameter), value = parameter;
  if (!is_gimple_reg_type(type))
    return parameter;
  if (is_gimple_reg(parameter))
    value = get_or_create_ssa_default_def(fun, parameter);
  else {
    value = make_ssa_name(type);
    gimple_seq_add_stmt(statements, gimple_build_assign(value, parameter));
  }
  if (useless_type_conversion_p(DECL_ARG_TYPE(parameter), type))
    return value;
  tree passed = make_ssa_name(DECL_ARG_TYPE(parameter));
  gimple_seq_add_stmt(statements, gimple_build_assign(passed, NOP_EXPR, value));
  return passed;
}

/* Returns where FUN stores the result of its bare copy, or NULL_TREE if there is none.  *RETURNED is the operand of the
   return statement that follows.  */
static tree bare_copy_result_place(function *fun, tree *returned) {
  tree result = DECL_RESULT(fun->decl), type = result ? TREE_TYPE(result) : void_type_node;
  *returned = NULL_TREE;
  if (VOID_TYPE_P(type))
    return NULL_TREE;
  if (DECL_BY_REFERENCE(result)) {
    *returned = get_or_create_ssa_default_def(fun, result);
    return build_simple_mem_ref(*returned);
  }
  if (is_gimple_reg_type(type))
    return *returned = make_ssa_name(type);
  if (aggregate_value_p(result, fun->decl))
    return *returned = result;
  tree variable = create_tmp_var_raw(type, "cilkprof_result");
  DECL_IGNORED_P(variable) = 1;
  DECL_CONTEXT(variable) = fun->decl;
  add_local_decl(fun, variable);
  return *returned = variable;
}

/* Returns statements that call COPY, the bare copy of FUN, with the parameters of FUN, and return its result.  */
static gimple_seq build_bare_copy_call(tree copy, function *fun) {
  gimple_seq statements = NULL;
  auto_vec<tree> arguments;
  for (tree parameter = DECL_ARGUMENTS(fun->decl); parameter; parameter = DECL_CHAIN(parameter))
    arguments.safe_push(parameter_for_bare_copy(fun, parameter, &statements));
  gcall *call = gimple_build_call_vec(copy, arguments);
  if (gimple_call_noreturn_p(call)) {
    gimple_call_set_ctrl_altering(call, true);
    gimple_seq_add_stmt(&statements, call);
    return statements;
  }
  tree returned, place = bare_copy_result_place(fun, &returned);
  if (place) {
    gimple_call_set_lhs(call, place);
    gimple_call_set_return_slot_opt(call, aggregate_value_p(DECL_RESULT(fun->decl), fun->decl));
  }
  gimple_call_set_tail(call, optimize && flag_optimize_sibling_calls);
  gimple_seq_add_stmt(&statements, call);
  gimple_seq_add_stmt(&statements, gimple_build_return(returned));
  return statements;
}

/* Returns true if the function of NODE begins with a check whether it continues in its bare copy: in a reference run,
   or where calls of it are counted.  */
bool checks_for_bare_copy_p(cgraph_node *node) {
  return copies.get(node->decl) && can_call_bare_copy_p(node->decl) &&
         (enterable_from_outside_p(node) || must_check.contains(node->decl) || serial_function_p(node->decl));
}

/* Returns what is not zero if FUN is to continue in its bare copy: THREAD.counting for a serial function, which counted
   code may enter, and else the variable that is set in a reference run.  */
static tree variable_to_check(function *fun) {
  if (!serial_function_p(fun->decl))
    return bare_variable();
  tree thread = engine_thread_variable(), field = engine_record_field(TREE_TYPE(thread), "counting");
  return build3(COMPONENT_REF, TREE_TYPE(field), thread, field, NULL_TREE);
}

/* Inserts a check at the start of FUN, which is the current function, if FUN needs one: in a reference run, or called
   by counted code, it calls its bare copy and returns the result.  */
void insert_bare_check(function *fun) {
  cgraph_node *node = cgraph_node::get(fun->decl);
  if (!checks_for_bare_copy_p(node))
    return;
  tree copy = *copies.get(fun->decl), checked = variable_to_check(fun), now = make_ssa_name(TREE_TYPE(checked));
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  basic_block test = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun))), bare = create_empty_bb(test);
  if (current_loops)
    add_bb_to_loop(bare, test->loop_father);
  edge on = single_succ_edge(test);
  on->flags = (on->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  on->probability = profile_probability::very_likely();
  edge there = make_edge(test, bare, EDGE_TRUE_VALUE);
  there->probability = on->probability.invert();
  bare->count = there->count();
  gimple_stmt_iterator at = gsi_last_bb(test);
  gsi_insert_after(&at, gimple_build_assign(now, checked), GSI_NEW_STMT);
  gsi_insert_after(&at, gimple_build_cond(NE_EXPR, now, build_zero_cst(TREE_TYPE(now)), NULL_TREE, NULL_TREE),
                   GSI_NEW_STMT);
  at = gsi_last_bb(bare);
  gsi_insert_seq_after(&at, build_bare_copy_call(copy, fun), GSI_NEW_STMT);
  if (gimple_code(last_nondebug_stmt(bare)) == GIMPLE_RETURN)
    make_edge(bare, EXIT_BLOCK_PTR_FOR_FN(fun), 0)->probability = profile_probability::always();
  mark_virtual_operands_for_renaming(fun);
  update_ssa(TODO_update_ssa);
  cgraph_edge::rebuild_edges();
}

/* Suppresses warnings for copies, as GCC gives them for the original.  */
static bool inhibited_before;

/* Suppresses warnings if the current function is a bare copy, as GCC gives them for the original.  It is called before
   the passes over a function.  */
void silence_bare_copy_warnings(void *, void *) {
  inhibited_before = gcc_warnings_inhibited();
  if (current_function_decl && bare_copy_p(current_function_decl))
    gcc_warnings_inhibited() = true;
}

/* Lets warnings be given again as before silence_bare_copy_warnings.  It is called after the passes over a
   function.  */
void restore_warnings_after_copy(void *, void *) {
  gcc_warnings_inhibited() = inhibited_before;
}
