/* Spawned calls in the trees: which of them can be deferred, and where their results go.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "parallel.h"

/* Returns true if the tree T is a call that is marked as spawned.  */
static bool spawned_call_tree_p(tree t) {
  return (TREE_CODE(t) == CALL_EXPR || TREE_CODE(t) == AGGR_INIT_EXPR) && spawn_marked_call_p(t);
}

/* Returns the spawned call whose value T is, or NULL_TREE.  Looks through conversions that GCC adds when a value of a
   scalar type is assigned.  */
static tree spawned_call_of_value(tree t) {
  while (t && (CONVERT_EXPR_P(t) || TREE_CODE(t) == NON_LVALUE_EXPR || TREE_CODE(t) == FLOAT_EXPR ||
               TREE_CODE(t) == FIX_TRUNC_EXPR || location_wrapper_p(t)))
    t = TREE_OPERAND(t, 0);
  return t && spawned_call_tree_p(t) ? t : NULL_TREE;
}

/* Returns VALUE, which is CALL or conversions of it, with OTHER in the place of CALL.  */
static tree replace_spawned_call(tree value, tree call, tree other) {
  if (value == call)
    return other;
  TREE_OPERAND(value, 0) = replace_spawned_call(TREE_OPERAND(value, 0), call, other);
  return value;
}

/* Returns a copy of CALL with COUNT other arguments, ADDED, instead of its mark.  A call without them keeps its
   mark in a program that is profiled: it is spawned, although it is never deferred.  */
static tree replace_spawn_mark_by_arguments(tree call, unsigned count, tree *added) {
  if (deferring && !count)
    return call;
  unsigned operands = VL_EXP_OPERAND_LENGTH(call) - 1;
  tree other = build_vl_exp(TREE_CODE(call), operands + count), length = TREE_OPERAND(other, 0);
  memcpy((void *)other, (void *)call, offsetof(struct tree_exp, operands));
  VL_EXP_CHECK(other)->exp.operands[0] = length;
  for (unsigned i = 1; i < operands; i++)
    TREE_OPERAND(other, i) = TREE_OPERAND(call, i);
  for (unsigned i = 0; i < count; i++)
    TREE_OPERAND(other, operands + i) = added[i];
  TREE_SIDE_EFFECTS(other) = 1;
  return other;
}

/* Rewrites the callee and the arguments of CALL, a marked call in R, but not its mark.  */
static void parallelise_call_arguments(tree call, region *r) {
  for (int i = 1; i < VL_EXP_OPERAND_LENGTH(call) - 1; i++)
    if (TREE_OPERAND(call, i))
      walk_tree_without_duplicates(&TREE_OPERAND(call, i), parallelise_tree, r);
}

/* The destination of the result of a call.  */
struct destination {
  tree address = NULL_TREE; /* of an object of a scalar type */
  tree store = NULL_TREE;   /* the function that stores it there */
  tree done = NULL_TREE;    /* address of a byte that is set when the result is there */
};

/* Returns CALL without its mark, so that it is a plain call, and warns, with -Wcilk-serial, WHY it is not deferred.  */
static tree build_spawn_direct_call(tree call, const char *why) {
  warn_not_made_parallel(spawned_call_location(call), "cilk_spawn", why);
  return replace_spawn_mark_by_arguments(call, 0, NULL);
}

/* Returns CALL in R in a form that can be deferred, with its result going TO a destination; NULL_TREE, after a warning
   if wanted, if that is impossible.  */
static tree build_deferrable_call(tree call, const destination &to, region *r) {
  moved_temporaries moved;
  const char *why = reason_not_made_parallel();
  if (why || (why = move_spawn_temporaries(call, r, &moved))) {
    warn_not_made_parallel(spawned_call_location(call), "cilk_spawn", why);
    return NULL_TREE;
  }
  tree tail[TAIL_LENGTH];
  for (tree &each : tail)
    each = null_pointer_node;
  if (moved.begin) {
    tail[TAIL_BLOCK] = build_spawn_address_of(moved.block);
    tail[TAIL_LOCAL] = moved.local;
    tail[TAIL_CLEANUP] = moved.cleanup;
  }
  if (to.address)
    tail[TAIL_RESULT] = to.address;
  if (to.store)
    tail[TAIL_STORE] = to.store;
  if (to.done)
    tail[TAIL_DONE] = to.done;
  tail[TAIL_FRAME] = fold_convert(ptr_type_node, build_spawn_address_of(parallel_frame_of_region(r)));
  tail[TAIL_MARK] = new_deferrable_mark();
  tree extended = replace_spawn_mark_by_arguments(call, TAIL_LENGTH, tail);
  if (to.address)
    TREE_TYPE(extended) = void_type_node;
  return moved.begin ? build2(COMPOUND_EXPR, TREE_TYPE(extended), moved.begin, extended) : extended;
}

/* Callback for walk_tree: returns the tree at PLACE if it is a temporary object that is destroyed.  */
static tree find_destroyed_spawn_temporary(tree *place, int *, void *) {
  return TREE_CODE(*place) == TARGET_EXPR && TARGET_EXPR_CLEANUP(*place) ? *place : NULL_TREE;
}

/* Returns NULL if the result VALUE of a spawned call can be stored to TO later, else the reason why not.  */
static const char *reason_spawned_result_not_storable(tree to, tree value) {
  tree type = TREE_TYPE(to);
  if (TREE_CODE(type) == REFERENCE_TYPE || TREE_CODE(TREE_TYPE(value)) == REFERENCE_TYPE)
    return "its result is a reference";
  if (TREE_CODE(value) != CALL_EXPR || !is_gimple_reg_type(type))
    return "its result is of a type that is assigned by a function";
  if (TREE_THIS_VOLATILE(to) || (DECL_P(to) && VAR_P(to) && DECL_HARD_REGISTER(to)))
    return "its result goes to a register or to a volatile object";
  if (TREE_CODE(to) == COMPOUND_EXPR || TREE_CODE(to) == COND_EXPR || TREE_CODE(to) == BIT_FIELD_REF ||
      TREE_CODE(to) == TARGET_EXPR ||
      (c_dialect_cxx() && walk_tree_without_duplicates(&to, find_destroyed_spawn_temporary, NULL)))
    return "its result goes to an object that may be gone by then";
  return NULL;
}

/* Returns true if TO, the destination of a result, is a bit-field.  */
static bool spawned_bit_field_destination_p(tree to) {
  return TREE_CODE(to) == COMPONENT_REF && DECL_BIT_FIELD_TYPE(TREE_OPERAND(to, 1));
}

/* Returns the destination for a result of TYPE that goes TO a bit-field.  That has no address, so a new function store
   (address of the object, value) assigns it.  */
static destination build_spawned_bit_field_destination(tree to, tree type, location_t where) {
  tree object = TREE_OPERAND(to, 0), parameter, value;
  tree function = new_spawn_helper_function("cilk_store", where, ptr_type_node, &parameter, type, &value);
  tree there = build3(COMPONENT_REF, TREE_TYPE(to), build_spawn_memory_reference(parameter, 0, TREE_TYPE(object)),
                      TREE_OPERAND(to, 1), NULL_TREE);
  finish_spawn_helper_function(function,
                               build_spawn_assignment(there, build_spawn_converted_value(TREE_TYPE(to), value)));
  destination found;
  found.address = fold_convert(ptr_type_node, build_spawn_address_of(object));
  found.store = build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(function)), function);
  return found;
}

/* For variables of the current function that a child initialises: the flag that says if it did.  If the child has
   thrown an exception, the variable must not be destroyed.  */
static hash_map<tree, tree> guards;

/* Forgets the flags of the function before.  GCC may have freed its variables, and another variable may now be where
   one of them was.  */
void forget_destructor_guards() {
  guards.empty();
}

/* Returns the address of a new flag that says if a child in R has initialised VARIABLE, and sets *CLEAR to the
   statement that clears it; NULL_TREE if VARIABLE needs none, because nothing destroys it.  */
static tree new_spawned_destructor_guard(tree variable, region *r, tree *clear) {
  if (!c_dialect_cxx() || !flag_exceptions || !DECL_P(variable) || !CLASS_TYPE_P(TREE_TYPE(variable)) ||
      !TYPE_HAS_NONTRIVIAL_DESTRUCTOR(TREE_TYPE(variable)))
    return NULL_TREE;
  tree type = unsigned_char_type_node, guard = new_spawn_variable(type, "cilk_made", r->function),
       frame = parallel_frame_of_region(r);
  DECL_CHAIN(guard) = DECL_CHAIN(frame);
  DECL_CHAIN(frame) = guard;
  guards.put(variable, guard);
  *clear = build_spawn_assignment(guard, build_zero_cst(type));
  return build_spawn_address_of(guard);
}

/* Makes CLEANUP destroy its variable only if the child that initialises it has done so; leaves other cleanups
   alone.  */
void guard_spawned_destructor(tree cleanup) {
  tree *guard = CLEANUP_DECL(cleanup) ? guards.get(CLEANUP_DECL(cleanup)) : NULL;
  if (!guard)
    return;
  tree made = build2(NE_EXPR, boolean_type_node, *guard, build_zero_cst(unsigned_char_type_node));
  CLEANUP_EXPR(cleanup) =
      build3(COND_EXPR, void_type_node, made, CLEANUP_EXPR(cleanup), build_empty_stmt(UNKNOWN_LOCATION));
}

/* Rewrites the statement at PLACE in R, `to = cilk_spawn f ()' with this CALL, so that the call can be deferred.  */
static void defer_spawned_assignment(tree *place, tree call, region *r) {
  tree t = *place, to = tree_strip_any_location_wrapper(TREE_OPERAND(t, 0)), clear = NULL_TREE;
  parallelise_call_arguments(call, r);
  if (r->returning) {
    TREE_OPERAND(t, 1) =
        replace_spawned_call(TREE_OPERAND(t, 1), call, build_spawn_direct_call(call, "its result is returned at once"));
    return;
  }
  if (AGGREGATE_TYPE_P(TREE_TYPE(to)) && TREE_OPERAND(t, 1) == call) {
    destination whole; /* the gimplifier keeps the object as the destination of the call */
    whole.done = new_spawned_destructor_guard(to, r, &clear);
    tree extended = build_deferrable_call(call, whole, r);
    TREE_OPERAND(t, 1) = extended ? extended : replace_spawn_mark_by_arguments(call, 0, NULL);
    if (extended && TREE_CODE(extended) == COMPOUND_EXPR) {
      TREE_OPERAND(t, 1) = TREE_OPERAND(extended, 1);
      *place = build2(COMPOUND_EXPR, TREE_TYPE(t), TREE_OPERAND(extended, 0), t);
    }
    if (clear)
      *place = build2(COMPOUND_EXPR, TREE_TYPE(t), clear, *place);
    return;
  }
  const char *why = reason_spawned_result_not_storable(to, call);
  destination found;
  if (!why && spawned_bit_field_destination_p(to))
    found = build_spawned_bit_field_destination(to, TREE_TYPE(call), EXPR_LOCATION(call));
  else if (!why) {
    if (DECL_P(to))
      TREE_READONLY(to) = 0;
    found.address = build_spawn_address_of(to);
  }
  tree extended = why ? NULL_TREE : build_deferrable_call(call, found, r);
  if (!extended) {
    tree plain = why ? build_spawn_direct_call(call, why) : replace_spawn_mark_by_arguments(call, 0, NULL);
    TREE_OPERAND(t, 1) = replace_spawned_call(TREE_OPERAND(t, 1), call, plain);
  } else if (VOID_TYPE_P(TREE_TYPE(t)))
    *place = extended;
  else { /* the value is not used; side effects of TO must happen only once */
    tree value = TREE_SIDE_EFFECTS(to) ? build_zero_cst(TREE_TYPE(t)) : to;
    *place = build2(COMPOUND_EXPR, TREE_TYPE(t), extended, value);
  }
}

/* Rewrites the declaration at PLACE in R if it is `T x = cilk_spawn f ();' in C, or in C++ if T is a scalar type.
   Returns true if it is.  */
static bool defer_spawned_declaration(tree *place, region *r) {
  tree variable = DECL_EXPR_DECL(*place);
  bool initialised = VAR_P(variable) && !TREE_STATIC(variable) && DECL_INITIAL(variable);
  tree call = initialised ? spawned_call_of_value(DECL_INITIAL(variable)) : NULL_TREE;
  if (initialised && !call)
    walk_tree_without_duplicates(&DECL_INITIAL(variable), parallelise_tree, r);
  if (!call)
    return false;
  tree value = DECL_INITIAL(variable), store = build2(INIT_EXPR, void_type_node, variable, value);
  DECL_INITIAL(variable) = NULL_TREE;
  defer_spawned_assignment(&store, call, r);
  *place = build_spawn_statement_list({*place, store});
  return true;
}

/* Returns true for an expression T that needs the values of its operands at once.  */
static bool uses_spawned_operand_values_p(tree t) {
  switch (TREE_CODE_CLASS(TREE_CODE(t))) {
  case tcc_unary:
  case tcc_binary:
  case tcc_comparison:
  case tcc_reference:
  case tcc_expression:
  case tcc_vl_exp:
    return !VOID_TYPE_P(TREE_TYPE(t)) || TREE_CODE(t) == CALL_EXPR;
  default:
    return false;
  }
}

/* Makes spawned calls whose values the expression T in R needs at once plain calls.  */
void call_spawned_operands_directly(tree t, region *r) {
  for (int i = 0; uses_spawned_operand_values_p(t) && i < TREE_OPERAND_LENGTH(t); i++) {
    tree call = TREE_OPERAND(t, i);
    if (!call || !spawned_call_tree_p(call))
      continue;
    parallelise_call_arguments(call, r);
    TREE_OPERAND(t, i) = build_spawn_direct_call(call, "its result is used at once");
  }
}

/* Rewrites the statement at PLACE in R, or part of one, if it spawns a call.  Returns true if it does; then all of it
   has been visited.  */
bool defer_spawn_in_statement(tree *place, region *r) {
  tree t = *place;
  switch (TREE_CODE(t)) {
  case MODIFY_EXPR:
  case INIT_EXPR: {
    tree call = spawned_call_of_value(TREE_OPERAND(t, 1));
    if (!call)
      return false;
    walk_tree_without_duplicates(&TREE_OPERAND(t, 0), parallelise_tree, r);
    defer_spawned_assignment(place, call, r);
    return true;
  }
  case DECL_EXPR:
    return defer_spawned_declaration(place, r);
  case TARGET_EXPR: {
    tree call =
        TARGET_EXPR_INITIAL(t) && spawned_call_tree_p(TARGET_EXPR_INITIAL(t)) ? TARGET_EXPR_INITIAL(t) : NULL_TREE;
    if (!call)
      return false;
    parallelise_call_arguments(call, r);
    bool object = AGGREGATE_TYPE_P(TREE_TYPE(t));
    TARGET_EXPR_INITIAL(t) =
        build_spawn_direct_call(call, object ? "its result is a temporary object" : "its result is used at once");
    return true;
  }
  case CALL_EXPR:
  case AGGR_INIT_EXPR: {
    if (c_dialect_cxx() && deferrable_marked_p(t))
      move_copied_spawn_temporaries(t);
    if (!spawned_call_tree_p(t))
      return false;
    parallelise_call_arguments(t, r);
    if (TREE_CODE(t) == AGGR_INIT_EXPR || r->returning)
      *place = build_spawn_direct_call(t, "its result is used at once");
    else if (tree extended = build_deferrable_call(t, destination(), r))
      *place = extended;
    else
      *place = replace_spawn_mark_by_arguments(t, 0, NULL);
    return true;
  }
  default:
    return false;
  }
}
