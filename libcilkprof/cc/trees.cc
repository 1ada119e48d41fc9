/* cilk_for, cilk_scope and cilk_sync in a function's trees.
   SPDX-License-Identifier: GPL-3.0-or-later

   `for (; mark_loop ();) for (init; condition; step) body' becomes
     { init; mark_loop (&block, grain, trips); for (; condition; step) { trips_done++; mark_iterate (&block); body }
       mark_loop_end (&block, trips_done); }
   `if (mark_scope ()) body' becomes
     { mark_scope (&block); try body finally mark_scope_end (&block); }
   Counting the iterations costs nothing: it is one more induction variable, of which the optimisers keep the last value.  */

#include "front.h"
#include "trips.h"

/* The engine's struct for a block, as the header with the events declares it.  */
static GTY (()) tree block_type;
static const ggc_root_tab roots[] = {{&block_type, 1, sizeof block_type, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
                                     LAST_GGC_ROOT_TAB};

void
remember_type (void *data, void *)
{
  tree type = (tree) data;
  if (block_type || !type || TREE_CODE (type) != RECORD_TYPE || !TYPE_NAME (type))
    return;
  tree name = TYPE_NAME (type);
  if (TREE_CODE (name) == TYPE_DECL)
    name = DECL_NAME (name);
  if (!name || strcmp (IDENTIFIER_POINTER (name), "__cilkprof_block"))
    return;
  register_callback ("cilkprof", PLUGIN_REGISTER_GGC_ROOTS, NULL, (void *) roots);
  block_type = TYPE_MAIN_VARIANT (type);
}

static tree
mark (marker which, tree first, tree second = NULL_TREE, tree third = NULL_TREE)
{
  tree count = long_unsigned_type_node;
  tree type = third    ? build_function_type_list (void_type_node, ptr_type_node, count, count, NULL_TREE)
              : second ? build_function_type_list (void_type_node, ptr_type_node, count, NULL_TREE)
                       : build_function_type_list (void_type_node, ptr_type_node, NULL_TREE);
  tree function = build_fn_decl (marker_name (which), type);
  TREE_NOTHROW (function) = 1;
  DECL_IGNORED_P (function) = 1;
  DECL_ATTRIBUTES (function) = tree_cons (get_identifier ("leaf"), NULL_TREE, NULL_TREE);
  if (which == MARK_ITERATE)
    DECL_IS_NOVOPS (function) = 1; /* it must not keep the body from being vectorised; loops.cc of the back end decides */
  tree block = build1 (ADDR_EXPR, ptr_type_node, first);
  return third    ? build_call_expr (function, 3, block, second, third)
         : second ? build_call_expr (function, 2, block, second)
                  : build_call_expr (function, 1, block);
}

/* The marker that T calls, through what a front end wraps around a condition.  */
static marker
marker_in_condition (tree t)
{
  for (int depth = 0; t && depth < 8; depth++)
    switch (TREE_CODE (t)) {
    case CALL_EXPR:
      return marker_of (get_callee_fndecl (t));
    case NE_EXPR:
    case CLEANUP_POINT_EXPR:
    case TRUTH_NOT_EXPR:
    CASE_CONVERT:
      t = TREE_OPERAND (t, 0);
      break;
    default:
      return NO_MARKER;
    }
  return NO_MARKER;
}

static tree
find_for (tree *place, int *, void *)
{
  return TREE_CODE (*place) == FOR_STMT ? *place : NULL_TREE;
}

/* A statement that would leave the loop.  */
static tree
find_escape (tree *place, int *walk_subtrees, void *nested)
{
  tree t = *place;
  switch (TREE_CODE (t)) {
  case RETURN_EXPR:
    return t;
  case BREAK_STMT:
    return *(bool *) nested ? NULL_TREE : t;
  case FOR_STMT:
  case WHILE_STMT:
  case DO_STMT:
  case SWITCH_STMT:
    if (!*(bool *) nested) {
      bool inner = true;
      *walk_subtrees = 0;
      for (int i = 0; i < TREE_OPERAND_LENGTH (t); i++)
        if (tree escape = walk_tree_without_duplicates (&TREE_OPERAND (t, i), find_escape, &inner))
          return escape;
    }
    return NULL_TREE;
  default:
    return NULL_TREE;
  }
}

static void
check_body (tree *body)
{
  bool nested = false;
  tree escape = walk_tree_without_duplicates (body, find_escape, &nested);
  if (escape)
    error_at (EXPR_LOCATION (escape), "%qs out of a %<cilk_for%>",
              TREE_CODE (escape) == RETURN_EXPR ? "return" : "break");
}

static tree
new_variable (tree type, const char *name)
{
  tree variable = create_tmp_var_raw (type, name);
  DECL_CONTEXT (variable) = current_function_decl;
  DECL_IGNORED_P (variable) = 1;
  TREE_USED (variable) = 1;
  return variable;
}

/* A block of the trees, with the variables FIRST and SECOND.  */
static tree
enclose (tree statements, tree first, tree second = NULL_TREE)
{
  DECL_CHAIN (first) = second;
  tree bind = build3 (BIND_EXPR, void_type_node, first, statements, NULL_TREE);
  TREE_SIDE_EFFECTS (bind) = 1;
  return bind;
}

tree
new_block (location_t where)
{
  if (!block_type)
    fatal_error (where, "%<-fcilkprof%>: this source was preprocessed without %<-fcilkprof%>; preprocess it again");
  tree block = new_variable (block_type, "cilkprof_block");
  TREE_ADDRESSABLE (block) = 1;
  return block;
}

static tree
sequence (tree first, tree second, tree third = NULL_TREE)
{
  tree list = alloc_stmt_list ();
  for (tree statement : {first, second, third})
    if (statement)
      append_to_statement_list_force (statement, &list);
  return list;
}

static void
rewrite_loop (tree *place)
{
  tree guard = *place, around = FOR_BODY (guard);
  tree loop = walk_tree_without_duplicates (&FOR_BODY (guard), find_for, NULL);
  if (!loop) {
    error_at (EXPR_LOCATION (guard), "%<cilk_for%> must be followed by a loop");
    return;
  }
  check_body (&FOR_BODY (loop));
  tree grain = grain_for (EXPR_LOCATION (guard));
  if (!instrumenting) {
    *place = around;
    return;
  }
  tree count = long_unsigned_type_node;
  tree block = new_block (EXPR_LOCATION (guard)), done = new_variable (count, "cilkprof_trips");
  tree trips = trip_count (loop);
  tree begin = mark (MARK_LOOP, block, grain ? fold_convert (count, grain) : build_zero_cst (count),
                     trips ? fold_convert (count, trips) : build_zero_cst (count));
  SET_EXPR_LOCATION (begin, EXPR_LOCATION (guard));
  FOR_INIT_STMT (loop) = sequence (FOR_INIT_STMT (loop), begin);
  tree step = build2 (MODIFY_EXPR, count, done, build2 (PLUS_EXPR, count, done, build_one_cst (count)));
  FOR_BODY (loop) = sequence (step, mark (MARK_ITERATE, block), FOR_BODY (loop));
  tree clear = build2 (MODIFY_EXPR, count, done, build_zero_cst (count));
  *place = enclose (sequence (clear, around, mark (MARK_LOOP_END, block, done)), block, done);
}

static void
rewrite_scope (tree *place, tree body)
{
  if (!instrumenting) {
    *place = body;
    return;
  }
  tree block = new_block (EXPR_LOCATION (*place));
  tree guarded = build2 (TRY_FINALLY_EXPR, void_type_node, body, mark (MARK_SCOPE_END, block));
  TREE_SIDE_EFFECTS (guarded) = 1;
  *place = enclose (sequence (mark (MARK_SCOPE, block), guarded), block);
}

/* The if-statement of C++ is told by name: its code's number is known only to that front end.  */
static bool
if_p (tree t)
{
  return TREE_CODE (t) == COND_EXPR || !strcmp (get_tree_code_name (TREE_CODE (t)), "if_stmt");
}

static tree
rewrite (tree *place, int *, void *)
{
  tree t = *place;
  if (TREE_CODE (t) == FOR_STMT && marker_in_condition (FOR_COND (t)) == MARK_LOOP)
    rewrite_loop (place);
  else if (if_p (t) && marker_in_condition (TREE_OPERAND (t, 0)) == MARK_SCOPE)
    rewrite_scope (place, TREE_OPERAND (t, 1));
  else if (!instrumenting && TREE_CODE (t) == CALL_EXPR && marker_of (get_callee_fndecl (t)) == MARK_SYNC)
    *place = build_empty_stmt (EXPR_LOCATION (t));
  return NULL_TREE;
}

void
rewrite_constructs (tree function)
{
  walk_tree_without_duplicates (&DECL_SAVED_TREE (function), rewrite, NULL);
}
