/* OpenCilk's reducers: `int cilk_reducer(zero, plus) sum;'.
   SPDX-License-Identifier: GPL-3.0-or-later

   Where the variable stands in the program, its view of the strand stands in the code:
     *(views ? hyper_view (&sum, sizeof sum, zero, plus) : &sum)
   A variable that is declared in a strand with views is registered there, and taken out again at the end of its
   scope.  */

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
  tree look = runtime_call(
      "__cilkprof_r_hyper_view", ptr_type_node, true,
      {key, size_argument(TREE_TYPE(lvalue)), function_argument(functions), function_argument(TREE_CHAIN(functions))});
  tree view = build3(COND_EXPR, ptr_type_node, has_views(), look, unshare_expr(key));
  return build1(INDIRECT_REF, TREE_TYPE(lvalue), fold_convert(build_pointer_type(TREE_TYPE(lvalue)), view));
}

/* Variables stand in many places of the trees, expressions mostly in one: these are visited once.  */
struct reducer_walk {
  hash_set<tree> visited;
};

struct registration {
  tree begin, end;
};

static void register_one(tree lvalue, registration *all) {
  tree key = fold_convert(ptr_type_node, address_of(lvalue)), nothing = build_empty_stmt(UNKNOWN_LOCATION);
  tree put = runtime_call("__cilkprof_r_hyper_begin", void_type_node, false, {key});
  tree take = runtime_call("__cilkprof_r_reducer_end", void_type_node, false, {unshare_expr(key)});
  append_to_statement_list_force(build3(COND_EXPR, void_type_node, has_views(), put, nothing), &all->begin);
  append_to_statement_list_force(build3(COND_EXPR, void_type_node, has_views(), take, nothing), &all->end);
}

/* A variable, or what of its members is a reducer.  */
static void register_object(tree lvalue, tree decl, registration *all) {
  tree type = TREE_TYPE(lvalue);
  if (functions_of(decl))
    register_one(lvalue, all);
  else if (TREE_CODE(type) == RECORD_TYPE)
    for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field))
      if (TREE_CODE(field) == FIELD_DECL && !DECL_BIT_FIELD(field))
        register_object(build3(COMPONENT_REF, TREE_TYPE(field), lvalue, field, NULL_TREE), field, all);
}

static void register_in_scope(tree scope) {
  registration all = {alloc_stmt_list(), alloc_stmt_list()};
  for (tree variable = BIND_EXPR_VARS(scope); variable; variable = DECL_CHAIN(variable))
    if (VAR_P(variable) && !TREE_STATIC(variable) && !DECL_EXTERNAL(variable) && !DECL_HAS_VALUE_EXPR_P(variable))
      register_object(variable, variable, &all);
  if (tsi_end_p(tsi_start(all.begin)))
    return;
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, BIND_EXPR_BODY(scope), all.end);
  TREE_SIDE_EFFECTS(guarded) = 1;
  BIND_EXPR_BODY(scope) = statements({all.begin, guarded});
}

static bool reducer_inside_p(tree address) {
  tree base = get_base_address(TREE_OPERAND(address, 0));
  return base && VAR_P(base) && functions_of(base);
}

static tree functions_of_reference(tree t) {
  if (TREE_CODE(t) == COMPONENT_REF && TREE_CODE(TREE_OPERAND(t, 1)) == FIELD_DECL)
    return functions_of(TREE_OPERAND(t, 1));
  return VAR_P(t) ? functions_of(t) : NULL_TREE;
}

static tree use_view(tree *place, int *walk_subtrees, void *data) {
  reducer_walk *walk = (reducer_walk *)data;
  tree t = *place, functions = functions_of_reference(t), *inside = NULL;
  bool visited = EXPR_P(t) && walk->visited.add(t);
  if (functions && EXPR_P(t))
    inside = &TREE_OPERAND(t, 0);
  else if (TREE_CODE(t) == BIND_EXPR)
    inside = &BIND_EXPR_BODY(t);
  else if (TREE_CODE(t) == DECL_EXPR && VAR_P(DECL_EXPR_DECL(t)) && !TREE_STATIC(DECL_EXPR_DECL(t)))
    inside = &DECL_INITIAL(DECL_EXPR_DECL(t));
  else if (TREE_CODE(t) == INIT_EXPR && VAR_P(TREE_OPERAND(t, 0))) /* the leftmost view begins */
    inside = &TREE_OPERAND(t, 1);
  if (TREE_CODE(t) == ADDR_EXPR && reducer_inside_p(t))
    TREE_CONSTANT(t) = 0; /* it depends on the strand */
  if (inside && *inside && !visited)
    walk_tree(inside, use_view, data, NULL);
  if (TREE_CODE(t) == BIND_EXPR && !visited)
    register_in_scope(t);
  if (functions) /* the same expression may stand in several places */
    *place = view_of(t, functions);
  if (functions || inside || visited || TREE_CODE(t) == DECL_EXPR)
    *walk_subtrees = 0;
  return NULL_TREE;
}

void use_views(tree function) {
  reducer_walk walk;
  if (reducers_declared_p())
    walk_tree(&DECL_SAVED_TREE(function), use_view, &walk, NULL);
}
