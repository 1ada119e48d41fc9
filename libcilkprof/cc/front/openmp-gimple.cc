/* GIMPLE statements that replace calls of libgomp.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"
#include "openmp-calls.h"

/* Returns a declaration of the engine's function NAME of TYPE, a leaf that throws nothing.  */
tree declare_omp_engine_function(const char *name, tree type) {
  tree function = build_fn_decl(name, type);
  TREE_NOTHROW(function) = 1;
  DECL_IGNORED_P(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  return function;
}

/* Returns a declaration of the marker WHICH as a function of TYPE.  */
tree declare_omp_marker(marker which, tree type) {
  return declare_omp_engine_function(marker_name(which), type);
}

/* Returns a GIMPLE call at WHERE of the marker WHICH, without arguments.  */
gcall *build_omp_plain_marker(marker which, location_t where) {
  gcall *call = gimple_build_call(declare_omp_marker(which, build_function_type_list(void_type_node, NULL_TREE)), 0);
  gimple_set_location(call, where);
  return call;
}

/* Returns a GIMPLE call at WHERE of the marker WHICH with the argument NUMBER, an unsigned long.  */
gcall *build_omp_number_marker(marker which, tree number, location_t where) {
  tree type = build_function_type_list(void_type_node, long_unsigned_type_node, NULL_TREE);
  gcall *call = gimple_build_call(declare_omp_marker(which, type), 1, number);
  gimple_set_location(call, where);
  return call;
}

/* Returns the function whose address is argument INDEX of CALL, a call of libgomp: mostly the outlined body of a
   construct.  NULL_TREE if the argument is not a function.  */
tree omp_outlined_function_argument(gcall *call, unsigned index) {
  tree argument = gimple_call_arg(call, index);
  STRIP_NOPS(argument);
  bool function = TREE_CODE(argument) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(argument, 0)) == FUNCTION_DECL;
  return function ? TREE_OPERAND(argument, 0) : NULL_TREE;
}

/* Has FUNCTION, an outlined body, inlined whatever its size: its only call is where GCC outlined it.  GCC has given it
   the attributes of the original function, some of which do not apply to a part of that.  */
void inline_omp_body_again(tree function) {
  DECL_UNINLINABLE(function) = 0;
  DECL_DECLARED_INLINE_P(function) = 1;
  DECL_DISREGARD_INLINE_LIMITS(function) = 1;
  for (const char *name : {"noinline", "noclone", "noipa", "always_inline", "constructor", "destructor", "used"})
    DECL_ATTRIBUTES(function) = remove_attribute(name, DECL_ATTRIBUTES(function));
  DECL_STATIC_CONSTRUCTOR(function) = DECL_STATIC_DESTRUCTOR(function) = 0;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("always_inline"), NULL_TREE, DECL_ATTRIBUTES(function));
  if (cgraph_node *node = cgraph_node::get(function))
    node->address_taken = 0;
}

/* Appends to ALL a call at WHERE of FUNCTION, the outlined body of a region or task, with its DATA, and has it inlined.
   The call is in the scope of the function around it: GCC keeps no scopes of what it inlines by a call without one.  */
void add_omp_body_call(gimple_seq *all, tree function, tree data, location_t where) {
  gcall *call = gimple_build_call(function, 1, data);
  gimple_set_location(call, where);
  gimple_set_block(call, DECL_INITIAL(current_function_decl));
  gimple_seq_add_stmt(all, call);
  inline_omp_body_again(function);
}

/* Returns the location of CALL, a call of libgomp, or if it has none that of the outlined FUNCTION that it is
   passed.  */
location_t libgomp_call_location(gcall *call, tree function) {
  location_t where = gimple_location(call);
  return where != UNKNOWN_LOCATION ? where : DECL_SOURCE_LOCATION(function);
}

/* Returns VALUE as an unsigned long: a constant, or a variable to which BEFORE assigns it.  */
tree omp_gimple_count_value(gimple_seq *before, tree value) {
  if (TREE_CODE(value) == INTEGER_CST)
    return fold_convert(long_unsigned_type_node, value);
  tree copy = create_tmp_var(long_unsigned_type_node);
  gimple_seq_add_stmt(before, gimple_build_assign(copy, NOP_EXPR, value));
  return copy;
}

/* Replaces CALL, the statement AT, by the assignment of the constant VALUE to its result, or by nothing if the result
   is not used.  */
void replace_libgomp_call_by_value(gimple_stmt_iterator *at, gcall *call, int value) {
  if (tree result = gimple_call_lhs(call))
    gsi_replace(at, gimple_build_assign(result, build_int_cst(TREE_TYPE(result), value)), false);
  else
    gsi_replace(at, gimple_build_nop(), false);
}

/* Returns the object of TYPE at ADDRESS.  BEFORE gets the statement that copies the address to a pointer.  */
tree omp_gimple_memory_at(gimple_seq *before, tree address, tree type) {
  tree pointer = create_tmp_var(build_pointer_type(type));
  gimple_seq_add_stmt(before, gimple_build_assign(pointer, NOP_EXPR, address));
  return build2(MEM_REF, type, pointer, build_zero_cst(TREE_TYPE(pointer)));
}

/* Returns a new variable with the value of the object of TYPE at ADDRESS.  BEFORE gets the statements that load it.  */
tree load_omp_gimple_memory(gimple_seq *before, tree address, tree type) {
  tree value = create_tmp_var(type);
  gimple_seq_add_stmt(before, gimple_build_assign(value, omp_gimple_memory_at(before, address, type)));
  return value;
}
