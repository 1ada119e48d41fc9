/* Trees that the other files build.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "parallel.h"
#include "memmodel.h"

tree runtime_call(const char *name, tree result, bool throws, std::initializer_list<tree> arguments) {
  auto_vec<tree> types, values;
  for (tree argument : arguments) {
    types.safe_push(TREE_TYPE(argument));
    values.safe_push(argument);
  }
  tree type = build_function_type_array(result, types.length(), types.address());
  tree function = known_to_front_end(build_fn_decl(name, type));
  SET_DECL_ASSEMBLER_NAME(function, get_identifier(name));
  TREE_NOTHROW(function) = !throws;
  return build_call_expr_loc_array(UNKNOWN_LOCATION, function, values.length(), values.address());
}

tree new_variable(tree type, const char *name, tree function) {
  tree variable = create_tmp_var_raw(type, name);
  DECL_CONTEXT(variable) = function;
  TREE_USED(variable) = 1;
  return variable;
}

tree address_of(tree lvalue) {
  tree base = get_base_address(lvalue);
  if (base && DECL_P(base))
    TREE_ADDRESSABLE(base) = 1;
  return build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(lvalue)), lvalue);
}

tree statements(std::initializer_list<tree> list) {
  tree all = alloc_stmt_list();
  for (tree each : list)
    if (each)
      append_to_statement_list_force(each, &all);
  return all;
}

tree assign(tree to, tree value) {
  return build2(MODIFY_EXPR, void_type_node, to, value);
}

tree converted(tree type, tree value) {
  if (INTEGRAL_TYPE_P(type) && SCALAR_FLOAT_TYPE_P(TREE_TYPE(value)))
    return build1(FIX_TRUNC_EXPR, type, value);
  return fold_convert(type, value);
}

tree memory_at(tree pointer, unsigned HOST_WIDE_INT offset, tree type) {
  return build2(MEM_REF, type, pointer, build_int_cst(build_pointer_type(type), offset));
}

tree scope_of(tree variables, tree body) {
  tree bind = build3(BIND_EXPR, void_type_node, variables, body, NULL_TREE);
  TREE_SIDE_EFFECTS(bind) = 1;
  return bind;
}

tree unlikely(tree condition) {
  tree number = long_integer_type_node;
  tree expected = build_call_expr(builtin_decl_explicit(BUILT_IN_EXPECT), 2, fold_convert(number, condition),
                                  build_zero_cst(number));
  return build2(NE_EXPR, boolean_type_node, expected, build_zero_cst(number));
}

tree wanted() {
  static const char name[] = "__cilkprof_r_want";
  tree type = unsigned_char_type_node, want = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
  DECL_EXTERNAL(want) = TREE_PUBLIC(want) = DECL_ARTIFICIAL(want) = TREE_USED(want) = TREE_ADDRESSABLE(want) = 1;
  SET_DECL_ASSEMBLER_NAME(want, get_identifier(name));
  set_decl_tls_model(want, TLS_MODEL_INITIAL_EXEC);
  tree read = build_call_expr(builtin_decl_explicit(BUILT_IN_ATOMIC_LOAD_1), 2,
                              build1(ADDR_EXPR, build_pointer_type(type), want),
                              build_int_cst(integer_type_node, MEMMODEL_RELAXED));
  return unlikely(build2(NE_EXPR, boolean_type_node, fold_convert(type, read), build_zero_cst(type)));
}

tree caught(tree body) {
  if (!c_dialect_cxx() || !flag_exceptions)
    return body;
  tree thrown = build_call_expr(builtin_decl_explicit(BUILT_IN_EH_POINTER), 1, integer_zero_node);
  tree keep = runtime_call("__cilkprof_r_caught", void_type_node, false, {thrown});
  tree handler = build2(CATCH_EXPR, void_type_node, NULL_TREE, keep);
  tree guarded = build2(TRY_CATCH_EXPR, void_type_node, body, handler);
  TREE_SIDE_EFFECTS(guarded) = 1;
  return guarded;
}

static tree new_parameter(tree function, tree type, const char *name, location_t where) {
  tree parameter = build_decl(where, PARM_DECL, get_identifier(name), type);
  DECL_ARG_TYPE(parameter) = type;
  DECL_CONTEXT(parameter) = function;
  DECL_ARTIFICIAL(parameter) = TREE_USED(parameter) = 1;
  return parameter;
}

/* The new function is named after the current one, like a clone, and compiled for the same target.  */
tree new_function(const char *suffix, location_t where, tree first, tree *parameter, tree second, tree *other) {
  static int count;
  tree from = current_function_decl;
  char number[32];
  snprintf(number, sizeof number, ".%s.%d", suffix, count++);
  const char *outer = from && DECL_ASSEMBLER_NAME_SET_P(from) ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(from)) : "cilk";
  tree name = get_identifier(ACONCAT((*outer == '*' ? outer + 1 : outer, number, NULL)));
  tree type = build_function_type_list(void_type_node, first, second, NULL_TREE);
  tree function = known_to_front_end(build_decl(where, FUNCTION_DECL, name, type));
  SET_DECL_ASSEMBLER_NAME(function, name);
  TREE_STATIC(function) = TREE_USED(function) = DECL_ARTIFICIAL(function) = DECL_UNINLINABLE(function) = 1;
  DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(function) = 1;
  if (from) {
    DECL_FUNCTION_SPECIFIC_TARGET(function) = DECL_FUNCTION_SPECIFIC_TARGET(from);
    DECL_FUNCTION_SPECIFIC_OPTIMIZATION(function) = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(from);
  }
  DECL_INITIAL(function) = make_node(BLOCK);
  BLOCK_SUPERCONTEXT(DECL_INITIAL(function)) = function;
  tree result = build_decl(where, RESULT_DECL, NULL_TREE, void_type_node);
  DECL_CONTEXT(result) = function;
  DECL_ARTIFICIAL(result) = DECL_IGNORED_P(result) = 1;
  DECL_RESULT(function) = result;
  DECL_ARGUMENTS(function) = *parameter = new_parameter(function, first, "closure", where);
  if (second)
    DECL_CHAIN(*parameter) = *other = new_parameter(function, second, "value", where);
  return function;
}

void finish_function_body(tree function, tree body) {
  tree bind = build3(BIND_EXPR, void_type_node, NULL_TREE, body, DECL_INITIAL(function));
  TREE_SIDE_EFFECTS(bind) = 1;
  DECL_SAVED_TREE(function) = bind;
  tree outer = current_function_decl;
  push_struct_function(function);
  cfun->function_end_locus = DECL_SOURCE_LOCATION(function);
  pop_cfun();
  current_function_decl = outer;
  note_parsed(function);
  cgraph_node::finalize_function(function, true);
}

/* A copy needs its own variables and SAVE_EXPRs in place of those of the original.  */
struct replacement {
  tree function; /* that will contain the copy */
  hash_map<tree, tree> known;

  explicit replacement(tree in) : function(in) {}
};

static tree copy_variable(tree variable, replacement *r) {
  tree copy = copy_node(variable);
  DECL_CONTEXT(copy) = r->function;
  r->known.put(variable, copy);
  return copy;
}

static tree copy_replacing(tree *place, int *walk_subtrees, void *data) {
  replacement *r = (replacement *)data;
  tree t = *place;
  if (tree *other = r->known.get(t)) {
    *place = DECL_P(*other) || TREE_CODE(*other) == SAVE_EXPR ? *other : unshare_expr(*other);
    *walk_subtrees = 0;
    return NULL_TREE;
  }
  if (TYPE_P(t) || DECL_P(t)) {
    *walk_subtrees = 0;
    return NULL_TREE;
  }
  if (TREE_CODE(t) == SAVE_EXPR) {
    *place = copy_node(t);
    r->known.put(t, *place);
    return NULL_TREE;
  }
  if (TREE_CODE(t) == BIND_EXPR) {
    *place = copy_node(t);
    for (tree *variable = &BIND_EXPR_VARS(*place); *variable; variable = &DECL_CHAIN(*variable))
      *variable = copy_variable(*variable, r);
    BIND_EXPR_BLOCK(*place) = NULL_TREE;
    return NULL_TREE;
  }
  if (TREE_CODE(t) == TARGET_EXPR)
    copy_variable(TARGET_EXPR_SLOT(t), r);
  return copy_tree_r(place, walk_subtrees, NULL);
}

tree replaced(tree expression, tree from, tree to, tree function) {
  replacement r(function);
  r.known.put(from, to);
  walk_tree(&expression, copy_replacing, &r, NULL);
  return expression;
}
