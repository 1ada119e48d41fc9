/* OpenCilk reducers: `int cilk_reducer(zero, plus) sum;'.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every use of the variable is replaced by the view of the current strand:
     *(views ? hyper_view (&sum, sizeof sum, zero, plus) : &sum)
   In a program that is profiled the condition is left out, because what is counted must not depend on what was
   deferred.
   A variable that is declared in a strand with views is registered there, and removed at the end of its scope.  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "parallel.h"

static bool reducers_declared;

/* Returns TYPE with its innermost type as a reducer with these FUNCTIONS: in `int cilk_reducer(zero, plus) *p' that is
   the type that p points to.  INNERMOST says to look for it.  The type becomes a typedef of itself, with the functions
   as an ATTRIBUTE, which keeps all that the front end knows about the type.  */
static tree build_reducer_type(tree type, tree attribute, tree functions, bool innermost) {
  if (innermost && (POINTER_TYPE_P(type) || TREE_CODE(type) == ARRAY_TYPE)) {
    tree inside = build_reducer_type(TREE_TYPE(type), attribute, functions, true), made;
    if (TREE_CODE(type) == ARRAY_TYPE)
      made = build_array_type(inside, TYPE_DOMAIN(type));
    else
      made = TREE_CODE(type) == POINTER_TYPE ? build_pointer_type(inside) : build_reference_type(inside);
    return build_qualified_type(made, TYPE_QUALS(type));
  }
  if (c_dialect_cxx() && CLASS_TYPE_P(type))
    complete_type(type); /* completing it later would not complete its variants */
  tree name = TYPE_IDENTIFIER(type) ? TYPE_IDENTIFIER(type) : get_identifier("cilk_reducer");
  tree alias = build_decl(input_location, TYPE_DECL, name, type);
  DECL_CONTEXT(alias) = current_function_decl;
  TREE_USED(alias) = 1; /* not artificial: GCC would print its type in place of it, and so on for ever */
  DECL_ATTRIBUTES(alias) = tree_cons(attribute, functions, NULL_TREE);
  set_underlying_type(alias);
  return TREE_TYPE(alias);
}

/* Returns the functions of a reducer TYPE, or of an alias of one; NULL_TREE for other types.  */
static tree reducer_functions_of_type(tree type) {
  while (type && TYPE_NAME(type) && TREE_CODE(TYPE_NAME(type)) == TYPE_DECL) {
    tree attribute = lookup_attribute("cilkprof_reducer", DECL_ATTRIBUTES(TYPE_NAME(type)));
    if (attribute)
      return TREE_VALUE(attribute);
    tree original = DECL_ORIGINAL_TYPE(TYPE_NAME(type));
    type = original != type ? original : NULL_TREE;
  }
  return NULL_TREE;
}

/* Makes NODE, a declaration or a type, a reducer with the two FUNCTIONS that its ATTRIBUTE names.  Does nothing if
   there are not two.  */
void make_reducer(tree *node, tree attribute, tree functions) {
  if (list_length(functions) != 2)
    return;
  reducers_declared = true;
  if (TYPE_P(*node))
    *node = build_reducer_type(*node, attribute, functions, false);
  else if (TREE_CODE(*node) != FUNCTION_DECL)
    TREE_TYPE(*node) = build_reducer_type(TREE_TYPE(*node), attribute, functions, true);
}

/* Returns the functions of the reducer LVALUE; NULL_TREE if it is none.  */
static tree reducer_functions_of_object(tree lvalue) {
  return reducer_functions_of_type(TREE_TYPE(lvalue));
}

/* Returns the address of the first function in LIST, those of a reducer, as an argument for the runtime.  In C++ it may
   be the name of a template instance, or of a member.  */
static tree reducer_function_argument(tree list) {
  tree function = TREE_VALUE(list);
  if (c_dialect_cxx() && function &&
      (TREE_CODE(function) == TEMPLATE_ID_EXPR || TREE_CODE(function) == BASELINK || TREE_CODE(function) == OVERLOAD ||
       TREE_CODE(function) == OFFSET_REF)) {
    function = resolve_nondeduced_context(function, tf_none);
    if (TREE_CODE(function) == BASELINK || TREE_CODE(function) == OVERLOAD)
      function = get_first_fn(function);
  }
  if (DECL_P(function) && c_dialect_cxx())
    mark_used(function, tf_warning_or_error);
  return fold_convert(ptr_type_node, DECL_P(function) ? build_fold_addr_expr(function) : function);
}

/* Returns the size of TYPE in bytes, as an argument for the runtime.  */
static tree reducer_size_argument(tree type) {
  return fold_convert(long_unsigned_type_node, TYPE_SIZE_UNIT(type));
}

/* Returns the condition that this strand has its own views of reducers; in a program that is profiled, that it may
   have.  */
static tree build_reducer_views_test() {
  if (deferring)
    return boolean_true_node;
  static const char name[] = "__cilkprof_r_views";
  tree views = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), ptr_type_node);
  DECL_EXTERNAL(views) = TREE_PUBLIC(views) = DECL_ARTIFICIAL(views) = TREE_USED(views) = 1;
  SET_DECL_ASSEMBLER_NAME(views, get_identifier(name));
  set_decl_tls_model(views, TLS_MODEL_INITIAL_EXEC);
  return build_unlikely_spawn_test(build2(NE_EXPR, boolean_type_node, views, null_pointer_node));
}

/* Returns the view of the reducer LVALUE, which has these FUNCTIONS, in the current strand, as an lvalue.  Its size
   must be known.  */
static tree build_reducer_view(tree lvalue, tree functions) {
  if (!COMPLETE_TYPE_P(TREE_TYPE(lvalue))) {
    error_at(EXPR_LOC_OR_LOC(lvalue, input_location), "the type of a reducer is incomplete where it is used");
    return lvalue;
  }
  tree key = fold_convert(ptr_type_node, build_spawn_address_of(lvalue));
  tree look = build_runtime_call("__cilkprof_r_hyper_view", ptr_type_node, true,
                                 {key, reducer_size_argument(TREE_TYPE(lvalue)), reducer_function_argument(functions),
                                  reducer_function_argument(TREE_CHAIN(functions))});
  tree view = build3(COND_EXPR, ptr_type_node, build_reducer_views_test(), look, unshare_expr(key));
  tree plain = build_qualified_type(TYPE_MAIN_VARIANT(TREE_TYPE(lvalue)), TYPE_QUALS(TREE_TYPE(lvalue)));
  return build1(INDIRECT_REF, plain, fold_convert(build_pointer_type(plain), view));
}

/* Variables are referenced from many places in the trees, but expressions mostly from one, so these are visited
   once.  */
struct reducer_walk {
  hash_set<tree> visited;
  hash_set<tree> own; /* addresses of reducers, not of views */
};

struct registration {
  tree begin, end;
};

/* Appends to ALL the code that registers the reducer LVALUE at the beginning of its scope and removes it at the end, in
   strands that have views.  */
static void register_reducer(tree lvalue, registration *all) {
  tree key = fold_convert(ptr_type_node, build_spawn_address_of(lvalue)), nothing = build_empty_stmt(UNKNOWN_LOCATION);
  tree put = build_runtime_call("__cilkprof_r_hyper_begin", void_type_node, false, {key});
  tree take = build_runtime_call("__cilkprof_r_reducer_end", void_type_node, false, {unshare_expr(key)});
  append_to_statement_list_force(build3(COND_EXPR, void_type_node, build_reducer_views_test(), put, nothing),
                                 &all->begin);
  append_to_statement_list_force(build3(COND_EXPR, void_type_node, build_reducer_views_test(), take, nothing),
                                 &all->end);
}

/* Appends to ALL the registration of the variable LVALUE, or of those of its members that are reducers.  */
static void register_reducers_in_object(tree lvalue, registration *all) {
  tree type = TREE_TYPE(lvalue);
  if (reducer_functions_of_object(lvalue))
    register_reducer(lvalue, all);
  else if (TREE_CODE(type) == RECORD_TYPE)
    for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field))
      if (TREE_CODE(field) == FIELD_DECL && !DECL_BIT_FIELD(field))
        register_reducers_in_object(build3(COMPONENT_REF, TREE_TYPE(field), lvalue, field, NULL_TREE), all);
}

/* Puts the registration of the reducers among the variables of SCOPE around its body.  */
static void register_reducers_in_scope(tree scope) {
  registration all = {alloc_stmt_list(), alloc_stmt_list()};
  for (tree variable = BIND_EXPR_VARS(scope); variable; variable = DECL_CHAIN(variable))
    if (VAR_P(variable) && !TREE_STATIC(variable) && !DECL_EXTERNAL(variable) && !DECL_HAS_VALUE_EXPR_P(variable))
      register_reducers_in_object(variable, &all);
  if (tsi_end_p(tsi_start(all.begin)))
    return;
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, BIND_EXPR_BODY(scope), all.end);
  TREE_SIDE_EFFECTS(guarded) = 1;
  BIND_EXPR_BODY(scope) = build_spawn_statement_list({all.begin, guarded});
}

/* Returns true if ADDRESS is that of a reducer variable or of a part of one.  */
static bool address_inside_reducer_p(tree address) {
  tree base = get_base_address(TREE_OPERAND(address, 0));
  return base && VAR_P(base) && TREE_TYPE(base) && reducer_functions_of_object(base);
}

/* Returns the functions of the reducer if T is a variable, or refers to an object, that is one; else NULL_TREE.  */
static tree reducer_functions_of_reference(tree t) {
  bool reference =
      TREE_CODE(t) == COMPONENT_REF || TREE_CODE(t) == ARRAY_REF || TREE_CODE(t) == INDIRECT_REF || VAR_P(t);
  return reference && TREE_TYPE(t) ? reducer_functions_of_object(t) : NULL_TREE;
}

/* Returns true if TYPE is a pointer or reference to a reducer.  `&sum' is the address of a view, unless such a type is
   expected.  Then it is the address of the reducer, and its user looks up the view.  */
static bool pointer_to_reducer_p(tree type) {
  return type && POINTER_TYPE_P(type) && reducer_functions_of_type(TREE_TYPE(type));
}

/* Records in WALK that VALUE stays the address of the reducer itself, if it is an address and the TYPE that it gets is
   a pointer or reference to a reducer.  */
static void keep_reducer_address(tree type, tree value, reducer_walk *walk) {
  while (value && (CONVERT_EXPR_P(value) || TREE_CODE(value) == NON_LVALUE_EXPR))
    value = TREE_OPERAND(value, 0);
  if (pointer_to_reducer_p(type) && value && TREE_CODE(value) == ADDR_EXPR)
    walk->own.add(value);
}

/* Records in WALK the addresses of reducers that T, an assignment, a declaration or a call, passes on as pointers or
   references to reducers.  */
static void keep_reducer_addresses(tree t, reducer_walk *walk) {
  if (TREE_CODE(t) == MODIFY_EXPR || TREE_CODE(t) == INIT_EXPR)
    keep_reducer_address(TREE_TYPE(TREE_OPERAND(t, 0)), TREE_OPERAND(t, 1), walk);
  else if (TREE_CODE(t) == DECL_EXPR && VAR_P(DECL_EXPR_DECL(t)))
    keep_reducer_address(TREE_TYPE(DECL_EXPR_DECL(t)), DECL_INITIAL(DECL_EXPR_DECL(t)), walk);
  else if (TREE_CODE(t) == CALL_EXPR || TREE_CODE(t) == AGGR_INIT_EXPR) {
    tree callee = TREE_OPERAND(t, 1), type = callee ? TREE_TYPE(TREE_TYPE(callee)) : NULL_TREE;
    tree parameter = type ? TYPE_ARG_TYPES(type) : NULL_TREE;
    for (int i = 3; i < VL_EXP_OPERAND_LENGTH(t) && parameter; i++, parameter = TREE_CHAIN(parameter))
      keep_reducer_address(TREE_VALUE(parameter), TREE_OPERAND(t, i), walk);
  }
}

/* Callback for walk_tree: replaces the reducer at PLACE by the view of the current strand, and registers the reducers
   of a scope.  DATA is a reducer_walk.  */
static tree replace_reducer_by_view(tree *place, int *walk_subtrees, void *data) {
  reducer_walk *walk = (reducer_walk *)data;
  tree t = *place, functions = reducer_functions_of_reference(t), *inside = NULL;
  bool visited = EXPR_P(t) && walk->visited.add(t);
  if (!visited)
    keep_reducer_addresses(t, walk);
  if (walk->own.contains(t)) {
    if (!visited && EXPR_P(TREE_OPERAND(t, 0)))
      walk_tree(&TREE_OPERAND(TREE_OPERAND(t, 0), 0), replace_reducer_by_view, data, NULL);
    *walk_subtrees = 0;
    return NULL_TREE;
  }
  if (functions && EXPR_P(t))
    inside = &TREE_OPERAND(t, 0);
  else if (TREE_CODE(t) == BIND_EXPR)
    inside = &BIND_EXPR_BODY(t);
  else if (TREE_CODE(t) == DECL_EXPR && VAR_P(DECL_EXPR_DECL(t)) && !TREE_STATIC(DECL_EXPR_DECL(t)))
    inside = &DECL_INITIAL(DECL_EXPR_DECL(t));
  else if (TREE_CODE(t) == INIT_EXPR && VAR_P(TREE_OPERAND(t, 0))) /* initialises the leftmost view */
    inside = &TREE_OPERAND(t, 1);
  if (TREE_CODE(t) == ADDR_EXPR && address_inside_reducer_p(t))
    TREE_CONSTANT(t) = 0; /* it depends on the strand */
  if (inside && *inside && !visited)
    walk_tree(inside, replace_reducer_by_view, data, NULL);
  if (TREE_CODE(t) == BIND_EXPR && !visited)
    register_reducers_in_scope(t);
  if (functions) /* the same expression may be used in several places */
    *place = build_reducer_view(t, functions);
  if (functions || inside || visited || TREE_CODE(t) == DECL_EXPR)
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* Replaces every use of a reducer in FUNCTION by the view of the current strand.  */
void replace_reducers_by_views(tree function) {
  reducer_walk walk;
  if (reducers_declared)
    walk_tree(&DECL_SAVED_TREE(function), replace_reducer_by_view, &walk, NULL);
}
