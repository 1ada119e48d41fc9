/* OpenCilk's reducers: `int cilk_reducer(zero, plus) sum;'.
   SPDX-License-Identifier: GPL-3.0-or-later

   Where the variable stands in the program, its view of the strand stands in the code:
     *(views ? hyper_view (&sum, sizeof sum, zero, plus) : &sum)
   A variable that is declared in a strand with views is registered there, and taken out again at the end of its scope.  */

#include "gcc-plugin.h"
#include "cp/cp-tree.h" /* it must come before the headers of diagnostics */
#include "parallel.h"

/* The two functions, as the attribute has them; NULL_TREE: it is no reducer.  */
static tree functions_of(tree decl) {
  tree attribute = lookup_attribute("cilkprof_reducer", DECL_ATTRIBUTES(decl));
  return attribute && list_length(TREE_VALUE(attribute)) == 2 ? TREE_VALUE(attribute) : NULL_TREE;
}

static tree function_argument(tree list) {
  tree function = TREE_VALUE(list);
  return fold_convert(ptr_type_node, DECL_P(function) ? build_fold_addr_expr(function) : function);
}

static tree size_argument(tree type) {
  return fold_convert(long_unsigned_type_node, TYPE_SIZE_UNIT(type));
}

/* That this strand has views of its own.  */
static tree has_views() {
  static const char name[] = "__cilkprof_r_views";
  tree views = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), ptr_type_node);
  DECL_EXTERNAL(views) = TREE_PUBLIC(views) = DECL_ARTIFICIAL(views) = TREE_USED(views) = 1;
  SET_DECL_ASSEMBLER_NAME(views, get_identifier(name));
  set_decl_tls_model(views, TLS_MODEL_INITIAL_EXEC);
  return unlikely(build2(NE_EXPR, boolean_type_node, views, null_pointer_node));
}

static tree view_of(tree lvalue, tree functions) {
  tree key = fold_convert(ptr_type_node, address_of(lvalue));
  tree look = runtime_call("__cilkprof_r_hyper_view", ptr_type_node, true,
                           {key, size_argument(TREE_TYPE(lvalue)), function_argument(functions),
                            function_argument(TREE_CHAIN(functions))});
  tree view = build3(COND_EXPR, ptr_type_node, has_views(), look, unshare_expr(key));
  return build1(INDIRECT_REF, TREE_TYPE(lvalue), fold_convert(build_pointer_type(TREE_TYPE(lvalue)), view));
}

/* Variables stand in many places of the trees, expressions mostly in one: these are visited once.  */
struct reducer_walk {
  hash_set<tree> visited;
};

static void register_in_scope(tree scope) {
  tree begin = alloc_stmt_list(), end = alloc_stmt_list();
  for (tree variable = BIND_EXPR_VARS(scope); variable; variable = DECL_CHAIN(variable)) {
    if (!VAR_P(variable) || TREE_STATIC(variable) || DECL_EXTERNAL(variable) || !functions_of(variable))
      continue;
    tree key = fold_convert(ptr_type_node, address_of(variable));
    tree put = runtime_call("__cilkprof_r_hyper_begin", void_type_node, false, {key});
    tree take = runtime_call("__cilkprof_r_reducer_end", void_type_node, false, {unshare_expr(key)});
    tree nothing = build_empty_stmt(UNKNOWN_LOCATION);
    append_to_statement_list_force(build3(COND_EXPR, void_type_node, has_views(), put, nothing), &begin);
    append_to_statement_list_force(build3(COND_EXPR, void_type_node, has_views(), take, nothing), &end);
  }
  if (tsi_end_p(tsi_start(begin)))
    return;
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, BIND_EXPR_BODY(scope), end);
  TREE_SIDE_EFFECTS(guarded) = 1;
  BIND_EXPR_BODY(scope) = statements({begin, guarded});
}

static bool reducer_inside_p(tree address) {
  tree base = get_base_address(TREE_OPERAND(address, 0));
  return base && VAR_P(base) && functions_of(base);
}

static tree use_view(tree *place, int *walk_subtrees, void *data) {
  reducer_walk *walk = (reducer_walk *)data;
  tree t = *place, functions = NULL_TREE;
  if (EXPR_P(t) && walk->visited.add(t))
    *walk_subtrees = 0;
  else if (TREE_CODE(t) == BIND_EXPR) {
    walk_tree(&BIND_EXPR_BODY(t), use_view, data, NULL);
    register_in_scope(t);
    *walk_subtrees = 0;
  } else if (TREE_CODE(t) == DECL_EXPR) {
    tree variable = DECL_EXPR_DECL(t);
    if (VAR_P(variable) && DECL_INITIAL(variable) && !TREE_STATIC(variable))
      walk_tree(&DECL_INITIAL(variable), use_view, data, NULL);
    *walk_subtrees = 0;
  } else if (TREE_CODE(t) == INIT_EXPR && VAR_P(TREE_OPERAND(t, 0))) { /* the leftmost view begins */
    walk_tree(&TREE_OPERAND(t, 1), use_view, data, NULL);
    *walk_subtrees = 0;
  } else if (TREE_CODE(t) == ADDR_EXPR && reducer_inside_p(t))
    TREE_CONSTANT(t) = 0; /* it depends on the strand */
  else if (VAR_P(t))
    functions = functions_of(t);
  else if (TREE_CODE(t) == COMPONENT_REF && TREE_CODE(TREE_OPERAND(t, 1)) == FIELD_DECL) {
    functions = functions_of(TREE_OPERAND(t, 1));
    if (functions)
      walk_tree(&TREE_OPERAND(t, 0), use_view, data, NULL);
  }
  if (functions) {
    *place = view_of(t, functions);
    *walk_subtrees = 0;
  }
  return NULL_TREE;
}

void use_views(tree function) {
  reducer_walk walk;
  if (reducers_declared_p())
    walk_tree(&DECL_SAVED_TREE(function), use_view, &walk, NULL);
}
