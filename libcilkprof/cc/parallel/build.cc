/* Trees that the other files build.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "parallel.h"
#include "memmodel.h"
#include "libcilkprof/abi/parallel.h"

/* Returns a call of the function NAME of the parallel runtime, which returns RESULT, with ARGUMENTS.  THROWS says that
   it may throw exceptions.  */
tree build_runtime_call(const char *name, tree result, bool throws, std::initializer_list<tree> arguments) {
  auto_vec<tree> types, values;
  for (tree argument : arguments) {
    types.safe_push(TREE_TYPE(argument));
    values.safe_push(argument);
  }
  tree type = build_function_type_array(result, types.length(), types.address());
  tree function = complete_gcc_function_decl(build_fn_decl(name, type));
  SET_DECL_ASSEMBLER_NAME(function, get_identifier(name));
  TREE_NOTHROW(function) = !throws;
  return build_call_expr_loc_array(UNKNOWN_LOCATION, function, values.length(), values.address());
}

/* Returns a new local variable of TYPE in FUNCTION, with a name that begins with NAME.  The caller puts it into a
   scope.  */
tree new_spawn_variable(tree type, const char *name, tree function) {
  tree variable = create_tmp_var_raw(type, name);
  DECL_CONTEXT(variable) = function;
  TREE_USED(variable) = 1;
  return variable;
}

/* Returns the address of LVALUE, whose variable is kept in memory from now on.  */
tree build_spawn_address_of(tree lvalue) {
  tree base = get_base_address(lvalue);
  if (base && DECL_P(base))
    TREE_ADDRESSABLE(base) = 1;
  return build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(lvalue)), lvalue);
}

/* Returns a statement list of those in LIST that are not NULL_TREE.  */
tree build_spawn_statement_list(std::initializer_list<tree> list) {
  tree all = alloc_stmt_list();
  for (tree each : list)
    if (each)
      append_to_statement_list_force(each, &all);
  return all;
}

/* Returns a statement that assigns VALUE to TO.  */
tree build_spawn_assignment(tree to, tree value) {
  return build2(MODIFY_EXPR, void_type_node, to, value);
}

/* Returns VALUE converted to TYPE, between numbers or between pointers.  */
tree build_spawn_converted_value(tree type, tree value) {
  if (INTEGRAL_TYPE_P(type) && SCALAR_FLOAT_TYPE_P(TREE_TYPE(value)))
    return build1(FIX_TRUNC_EXPR, type, value);
  return fold_convert(type, value);
}

/* Returns the object of TYPE that is OFFSET bytes after POINTER.  */
tree build_spawn_memory_reference(tree pointer, unsigned HOST_WIDE_INT offset, tree type) {
  return build2(MEM_REF, type, pointer, build_int_cst(build_pointer_type(type), offset));
}

/* Returns true if the runtime has room for an object of TYPE until a child uses it: it has a fixed size and a usual
   alignment.  */
bool fits_closure_p(tree type) {
  return TYPE_SIZE_UNIT(type) && tree_fits_uhwi_p(TYPE_SIZE_UNIT(type)) && TYPE_ALIGN_UNIT(type) <= __CILKPROF_R_ALIGN;
}

/* Returns BODY in a scope with VARIABLES, which are chained.  */
tree build_spawn_variable_scope(tree variables, tree body) {
  tree bind = build3(BIND_EXPR, void_type_node, variables, body, NULL_TREE);
  TREE_SIDE_EFFECTS(bind) = 1;
  return bind;
}

/* Returns CONDITION with the hint for the optimisers that it is mostly false.  */
tree build_unlikely_spawn_test(tree condition) {
  tree number = long_integer_type_node;
  tree expected = build_call_expr(builtin_decl_explicit(BUILT_IN_EXPECT), 2, fold_convert(number, condition),
                                  build_zero_cst(number));
  return build2(NE_EXPR, boolean_type_node, expected, build_zero_cst(number));
}

static tree thread_variables; /* those of the runtime that are used, chained, and known to the garbage collector */
static const ggc_root_tab roots[] = {
    {&thread_variables, 1, sizeof thread_variables, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};

/* Makes the runtime's variables that are used known to GCC's garbage collector, for PLUGIN.  */
void register_thread_variable_roots(const char *plugin) {
  register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(roots));
}

/* Returns the variable NAME of TYPE, which the runtime has for each thread.  There is one declaration of each in a
   unit: otherwise GCC would not know that what is read from one was stored in another.  */
tree runtime_thread_variable(const char *name, tree type) {
  for (tree each = thread_variables; each; each = DECL_CHAIN(each))
    if (DECL_NAME(each) == get_identifier(name))
      return each;
  tree variable = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
  DECL_EXTERNAL(variable) = TREE_PUBLIC(variable) = DECL_ARTIFICIAL(variable) = 1;
  TREE_USED(variable) = TREE_ADDRESSABLE(variable) = 1;
  SET_DECL_ASSEMBLER_NAME(variable, get_identifier(name));
  set_decl_tls_model(variable, TLS_MODEL_INITIAL_EXEC);
  DECL_CHAIN(variable) = thread_variables;
  return thread_variables = variable;
}

/* Returns the condition that the runtime wants a child to be deferred: a test of a byte of the thread that is mostly
   0.  */
tree build_spawn_want_test() {
  tree type = unsigned_char_type_node, want = runtime_thread_variable("__cilkprof_r_want", type);
  tree read = build_call_expr(builtin_decl_explicit(BUILT_IN_ATOMIC_LOAD_1), 2,
                              build1(ADDR_EXPR, build_pointer_type(type), want),
                              build_int_cst(integer_type_node, MEMMODEL_RELAXED));
  return build_unlikely_spawn_test(build2(NE_EXPR, boolean_type_node, fold_convert(type, read), build_zero_cst(type)));
}

/* Returns a new static variable for what the runtime learns of a spawn or a loop, struct __cilkprof_r_site.  RECURSIVE
   says that the child spawns in the same place again.  */
tree new_spawn_site_variable(bool recursive) {
  unsigned words = sizeof(__cilkprof_r_site) / sizeof(long);
  tree type = build_array_type_nelts(long_unsigned_type_node, words);
  tree site = build_decl(UNKNOWN_LOCATION, VAR_DECL, create_tmp_var_name("cilk_site"), type);
  TREE_STATIC(site) = TREE_USED(site) = TREE_ADDRESSABLE(site) = DECL_ARTIFICIAL(site) = DECL_IGNORED_P(site) = 1;
  if (recursive) {
    vec<constructor_elt, va_gc> *words_set = NULL;
    CONSTRUCTOR_APPEND_ELT(words_set, size_int(offsetof(__cilkprof_r_site, needed) / sizeof(long)),
                           build_int_cst(long_unsigned_type_node, __CILKPROF_R_RECURSIVE));
    DECL_INITIAL(site) = build_constructor(type, words_set);
    TREE_CONSTANT(DECL_INITIAL(site)) = TREE_STATIC(DECL_INITIAL(site)) = 1;
  }
  varpool_node::finalize_decl(site);
  return site;
}

/* Returns BODY in a handler that passes its exceptions to the runtime; in C, or without exceptions, BODY itself.  */
tree build_spawn_exception_catch(tree body) {
  if (!c_dialect_cxx() || !flag_exceptions)
    return body;
  tree thrown = build_call_expr(builtin_decl_explicit(BUILT_IN_EH_POINTER), 1, integer_zero_node);
  tree keep = build_runtime_call("__cilkprof_r_caught", void_type_node, false, {thrown});
  tree handler = build2(CATCH_EXPR, void_type_node, NULL_TREE, keep);
  tree guarded = build2(TRY_CATCH_EXPR, void_type_node, body, handler);
  TREE_SIDE_EFFECTS(guarded) = 1;
  return guarded;
}

/* Returns a new parameter NAME of TYPE for FUNCTION, a function that the plugin makes for a spawn.  */
static tree new_spawn_helper_parameter(tree function, tree type, const char *name, location_t where) {
  tree parameter = build_decl(where, PARM_DECL, get_identifier(name), type);
  DECL_ARG_TYPE(parameter) = type;
  DECL_CONTEXT(parameter) = function;
  DECL_ARTIFICIAL(parameter) = TREE_USED(parameter) = 1;
  return parameter;
}

/* Returns a new function without body that is called for a spawn, with a parameter of type FIRST, which *PARAMETER is
   set to, and one of type SECOND, *OTHER, if that is not NULL_TREE.  It is named after the current one, with SUFFIX,
   like a clone, and compiled for the same target.  */
tree new_spawn_helper_function(const char *suffix, location_t where, tree first, tree *parameter, tree second,
                               tree *other) {
  static int count;
  tree from = current_function_decl;
  char number[32];
  snprintf(number, sizeof number, ".%s.%d", suffix, count++);
  const char *outer = from && DECL_ASSEMBLER_NAME_SET_P(from) ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(from)) : "cilk";
  tree name = get_identifier(ACONCAT((*outer == '*' ? outer + 1 : outer, number, NULL)));
  tree type = build_function_type_list(void_type_node, first, second, NULL_TREE);
  tree function = complete_gcc_function_decl(build_decl(where, FUNCTION_DECL, name, type));
  SET_DECL_ASSEMBLER_NAME(function, name);
  TREE_STATIC(function) = TREE_USED(function) = DECL_ARTIFICIAL(function) = DECL_UNINLINABLE(function) = 1;
  DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(function) = 1;
  if (deferring) /* no events are in it */
    DECL_ATTRIBUTES(function) =
        tree_cons(get_identifier("no_instrument_function"), NULL_TREE, DECL_ATTRIBUTES(function));
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
  DECL_ARGUMENTS(function) = *parameter = new_spawn_helper_parameter(function, first, "closure", where);
  if (second)
    DECL_CHAIN(*parameter) = *other = new_spawn_helper_parameter(function, second, "value", where);
  return function;
}

/* Gives FUNCTION, a new function that is called for a spawn, its BODY, and passes it to GCC to be compiled.  */
void finish_spawn_helper_function(tree function, tree body) {
  tree bind = build3(BIND_EXPR, void_type_node, NULL_TREE, body, DECL_INITIAL(function));
  TREE_SIDE_EFFECTS(bind) = 1;
  DECL_SAVED_TREE(function) = bind;
  tree outer = current_function_decl;
  push_struct_function(function);
  cfun->function_end_locus = DECL_SOURCE_LOCATION(function);
  pop_cfun();
  current_function_decl = outer;
  note_parsed_function(function);
  cgraph_node::finalize_function(function, true);
}

/* A copy needs its own variables and SAVE_EXPRs in place of those of the original.  */
struct replacement {
  tree function; /* that will contain the copy */
  hash_map<tree, tree> known;

  /* Begins a copy that will be part of the function IN.  */
  explicit replacement(tree in) : function(in) {}
};

/* Returns a copy of VARIABLE for the function that will contain the copied tree, and records in R that it replaces the
   original.  */
static tree copy_spawn_variable_replaced(tree variable, replacement *r) {
  tree copy = copy_node(variable);
  DECL_CONTEXT(copy) = r->function;
  r->known.put(variable, copy);
  return copy;
}

/* Callback for walk_tree: replaces the tree at PLACE by its replacement in DATA, a struct replacement, or by a
   copy.  */
static tree replace_in_spawn_tree_copy(tree *place, int *walk_subtrees, void *data) {
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
      *variable = copy_spawn_variable_replaced(*variable, r);
    BIND_EXPR_BLOCK(*place) = NULL_TREE;
    return NULL_TREE;
  }
  if (TREE_CODE(t) == TARGET_EXPR)
    copy_spawn_variable_replaced(TARGET_EXPR_SLOT(t), r);
  return copy_tree_r(place, walk_subtrees, NULL);
}

/* Returns a copy of EXPRESSION, for use in FUNCTION, in which TO is in the place of FROM.  */
tree copy_spawn_tree_replacing(tree expression, tree from, tree to, tree function) {
  replacement r(function);
  r.known.put(from, to);
  walk_tree(&expression, replace_in_spawn_tree_copy, &r, NULL);
  return expression;
}
