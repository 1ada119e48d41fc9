/* Replaces each marked call by a marker and the plain call.
   SPDX-License-Identifier: GPL-3.0-or-later

   This is done in GIMPLE, where the arguments are evaluated before the call.  */

#include "front.h"

/* Returns a GIMPLE call of the marker WHICH at WHERE.  TEXT, if not NULL, is its argument.  */
static gcall *build_marker_call(marker which, location_t where, const char *text = NULL) {
  tree type = text ? build_function_type_list(void_type_node, const_string_type_node, NULL_TREE)
                   : build_function_type_list(void_type_node, NULL_TREE);
  tree function = build_fn_decl(marker_name(which), type);
  TREE_NOTHROW(function) = 1;
  DECL_IGNORED_P(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  gcall *call = text ? gimple_build_call(function, 1, build_string_literal(strlen(text) + 1, text))
                     : gimple_build_call(function, 0);
  gimple_set_location(call, where);
  return call;
}

/* Returns true if no call is left of FUNCTION, a built-in one or one that must be inlined.  Then the code that replaces
   the call is spawned.  FUNCTION may be NULL_TREE.  */
static bool spawned_callee_vanishes_p(tree function) {
  return function && (fndecl_built_in_p(function) || lookup_attribute("always_inline", DECL_ATTRIBUTES(function)));
}

/* Returns CALL between the markers of a spawned block that has the name of the callee.  */
static gimple_seq lower_to_spawned_block(gcall *call) {
  gimple_seq body = NULL, end = NULL, lowered = NULL;
  gimple_seq_add_stmt(&body, call);
  gimple_seq_add_stmt(&end, build_marker_call(MARK_BLOCK_END, gimple_location(call)));
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(gimple_call_fndecl(call)));
  gimple_seq_add_stmt(&lowered, build_marker_call(MARK_BLOCK, gimple_location(call), name));
  gimple_seq_add_stmt(&lowered, gimple_build_try(body, end, GIMPLE_TRY_FINALLY));
  return lowered;
}

/* Hides the value of the function pointer that CALL goes through, so that the optimisers do not make a direct call and
   inline the callee.  STATEMENTS gets the marker that hides it.  */
static void hide_spawned_callee(gcall *call, gimple_seq *statements) {
  tree callee = gimple_call_fn(call);
  if (TREE_CODE(callee) == OBJ_TYPE_REF)
    callee = OBJ_TYPE_REF_EXPR(callee);
  tree type = TREE_TYPE(callee), hidden = create_tmp_var(type);
  tree function = build_fn_decl(marker_name(MARK_CALLEE), build_function_type_list(type, type, NULL_TREE));
  TREE_NOTHROW(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  gcall *hide = gimple_build_call(function, 1, unshare_expr(callee));
  gimple_call_set_lhs(hide, hidden);
  gimple_seq_add_stmt(statements, hide);
  gimple_call_set_fn(call, hidden);
}

/* Returns CALL, preceded by the marker which says that the next call is spawned.  */
static gimple_seq lower_to_spawned_call(gcall *call) {
  gimple_seq lowered = NULL;
  if (!gimple_call_fndecl(call))
    hide_spawned_callee(call, &lowered);
  gimple_seq_add_stmt(&lowered, build_marker_call(MARK_SPAWN, gimple_location(call)));
  gimple_seq_add_stmt(&lowered, call);
  if (gimple_call_fndecl(call) == current_function_decl) /* keeps tail recursion from becoming a loop */
    gimple_seq_add_stmt(&lowered, build_marker_call(MARK_ENTRY, UNKNOWN_LOCATION));
  return lowered;
}

/* Callback for walk_gimple_seq: replaces a call that is marked as spawned by the plain call, with markers.  */
static tree lower_spawn_marked_call(gimple_stmt_iterator *at, bool *handled, walk_stmt_info *) {
  gimple *statement = gsi_stmt(*at);
  if (!spawn_marked_statement_p(statement))
    return NULL_TREE;
  auto_bitmap mark;
  bitmap_set_bit(mark, gimple_call_num_args(statement) - 1);
  gcall *call = gimple_call_copy_skip_args(as_a<gcall *>(statement), mark);
  gimple_set_location(call, gimple_location(statement));
  copy_warning(call, statement); /* do not repeat warnings of the front end */
  push_gimplify_context();
  gimple_seq lowered =
      spawned_callee_vanishes_p(gimple_call_fndecl(call)) ? lower_to_spawned_block(call) : lower_to_spawned_call(call);
  gbind *scope = gimple_build_bind(NULL_TREE, lowered, NULL_TREE);
  pop_gimplify_context(scope); /* new variables belong here: the function around it may be divided */
  gsi_replace(at, scope, true);
  *handled = true;
  return NULL_TREE;
}

/* Puts a marker at the beginning of BODY, that of a function that some call spawns.  Spawning a function is an effect
   by itself: the marker keeps calls of an empty function from being optimised away.  */
static void mark_spawned_function_entry(gimple_seq body) {
  gbind *bind = as_a<gbind *>(gimple_seq_first_stmt(body));
  gimple_seq inside = gimple_bind_body(bind);
  gimple_stmt_iterator at = gsi_start(inside);
  gsi_insert_before(&at, build_marker_call(MARK_ENTRY, UNKNOWN_LOCATION), GSI_SAME_STMT);
  gimple_bind_set_body(bind, inside);
}

/* Callback for walk_gimple_seq: sets the flag that INFO points to if the statement AT is a marker.  A function with
   markers must not be inlined: it syncs when it returns, and its return would be lost.  */
static tree find_spawn_marker_to_lower(gimple_stmt_iterator *at, bool *handled, walk_stmt_info *info) {
  *handled = false;
  if (marker_of_call(gsi_stmt(*at)) != NO_MARKER)
    *(bool *)info->info = true;
  return NULL_TREE;
}

/* Callback for walk_gimple_seq: reports a keyword in a coroutine.  The trees of coroutines are not rewritten, so they
   still have the markers that the keywords expand to.  A sync is supported there; all else is reported.  */
static tree refuse_keywords_in_coroutine(gimple_stmt_iterator *at, bool *handled, walk_stmt_info *) {
  gimple *statement = gsi_stmt(*at);
  *handled = false;
  if (!is_gimple_call(statement))
    return NULL_TREE;
  marker which = marker_of_call(statement);
  location_t where = gimple_location(statement);
  spawn_keyword *spawn = which == NO_MARKER ? keyword_at_call_location(where) : NULL;
  if (which == MARK_SYNC && !instrumenting)
    gsi_replace(at, gimple_build_nop(), false);
  if (spawn)
    spawn->matched = true; /* report it only once */
  if (which == MARK_LOOP || which == MARK_SCOPE || which == MARK_BLOCK || spawn)
    error_at(spawn ? spawn->where : location_outside_macros(where), "%qs is not supported in a coroutine",
             which == MARK_LOOP    ? "cilk_for"
             : which == MARK_SCOPE ? "cilk_scope"
                                   : "cilk_spawn");
  return NULL_TREE;
}

namespace {

const pass_data lowering_data = {GIMPLE_PASS, "cilkprof_lower", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

/* The pass cilkprof_lower: spawned calls that were marked in the trees get their markers in GIMPLE.  */
class lowering_pass : public gimple_opt_pass {
public:
  /* Makes the pass cilkprof_lower.  */
  lowering_pass() : gimple_opt_pass(lowering_data, g) {}

  /* Lowers the marked calls of FUN, for the profiler or for the parallel runtime.  A function with markers is not
     inlined.  */
  unsigned int execute(function *fun) final override {
    walk_stmt_info info;
    bool found = false;
    memset(&info, 0, sizeof info);
    info.info = &found;
    gimple_seq body = gimple_body(fun->decl);
    if (!parsed_function_p(fun->decl))
      walk_gimple_seq_mod(&body, refuse_keywords_in_coroutine, NULL, &info);
    gimple_set_body(fun->decl, body);
    if (parallel || deferring)
      parallel_hook->lower_spawns(fun);
    if (!instrumenting)
      return 0;
    if (spawned_function_p(fun->decl))
      mark_spawned_function_entry(body);
    walk_gimple_seq_mod(&body, lower_spawn_marked_call, NULL, &info);
    walk_gimple_seq_mod(&body, find_spawn_marker_to_lower, NULL, &info);
    gimple_set_body(fun->decl, body);
    keep_algorithm_calls(fun->decl, body);
    if (found)
      DECL_UNINLINABLE(fun->decl) = 1;
    if (c_dialect_cxx() && flag_modules)
      DECL_ATTRIBUTES(fun->decl) = tree_cons(get_identifier(HEADLESS_ATTRIBUTE), NULL_TREE, DECL_ATTRIBUTES(fun->decl));
    if (!TREE_PUBLIC(fun->decl))
      DECL_ATTRIBUTES(fun->decl) = tree_cons(get_identifier(STATIC_ATTRIBUTE), NULL_TREE, DECL_ATTRIBUTES(fun->decl));
    return 0;
  }
};

} // namespace

/* Returns a new pass cilkprof_lower, which replaces the marks on spawned calls by markers, or has cc/parallel do its
   part.  GCC owns the pass.  */
opt_pass *make_spawn_lowering_pass() {
  return new lowering_pass;
}
