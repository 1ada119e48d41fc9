/* Spawned calls in the trees: which of them can be deferred, and where their results go.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "parallel.h"

static bool spawned_p(tree t) {
  return (TREE_CODE(t) == CALL_EXPR || TREE_CODE(t) == AGGR_INIT_EXPR) && marked_p(t);
}

/* Looks through conversions that GCC adds when a value of a scalar type is assigned.  */
static tree call_of_value(tree t) {
  while (t && (CONVERT_EXPR_P(t) || TREE_CODE(t) == NON_LVALUE_EXPR || TREE_CODE(t) == FLOAT_EXPR ||
               TREE_CODE(t) == FIX_TRUNC_EXPR || location_wrapper_p(t)))
    t = TREE_OPERAND(t, 0);
  return t && spawned_p(t) ? t : NULL_TREE;
}

static tree replace_call(tree value, tree call, tree other) {
  if (value == call)
    return other;
  TREE_OPERAND(value, 0) = replace_call(TREE_OPERAND(value, 0), call, other);
  return value;
}

/* A copy of the call with other arguments instead of its mark.  */
static tree with_arguments(tree call, unsigned count, tree *added) {
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

static void visit_arguments(tree call, region *r) {
  for (int i = 1; i < VL_EXP_OPERAND_LENGTH(call) - 1; i++)
    if (TREE_OPERAND(call, i))
      walk_tree_without_duplicates(&TREE_OPERAND(call, i), visit_parallel, r);
}

/* The destination of the result of a call.  */
struct destination {
  tree address = NULL_TREE; /* of an object of a scalar type */
  tree store = NULL_TREE;   /* the function that stores it there */
  tree done = NULL_TREE;    /* address of a byte that is set when the result is there */
};

static tree direct_call(tree call, const char *why) {
  stays_serial(place_of_spawn(call), "cilk_spawn", why);
  return with_arguments(call, 0, NULL);
}

/* The call in a form that can be deferred; NULL_TREE if that is impossible.  */
static tree deferrable_call(tree call, const destination &to, region *r) {
  moved_temporaries moved;
  const char *why = whole_function_serial();
  if (why || (why = move_temporaries(call, r, &moved))) {
    stays_serial(place_of_spawn(call), "cilk_spawn", why);
    return NULL_TREE;
  }
  tree tail[TAIL_LENGTH];
  for (tree &each : tail)
    each = null_pointer_node;
  if (moved.begin) {
    tail[TAIL_BLOCK] = address_of(moved.block);
    tail[TAIL_LOCAL] = moved.local;
    tail[TAIL_CLEANUP] = moved.cleanup;
  }
  if (to.address)
    tail[TAIL_RESULT] = to.address;
  if (to.store)
    tail[TAIL_STORE] = to.store;
  if (to.done)
    tail[TAIL_DONE] = to.done;
  tail[TAIL_FRAME] = fold_convert(ptr_type_node, address_of(frame_of(r)));
  tail[TAIL_MARK] = deferrable_mark();
  tree extended = with_arguments(call, TAIL_LENGTH, tail);
  if (to.address)
    TREE_TYPE(extended) = void_type_node;
  return moved.begin ? build2(COMPOUND_EXPR, TREE_TYPE(extended), moved.begin, extended) : extended;
}

static tree find_destroyed(tree *place, int *, void *) {
  return TREE_CODE(*place) == TARGET_EXPR && TARGET_EXPR_CLEANUP(*place) ? *place : NULL_TREE;
}

/* Returns NULL if the result can be stored there later, else the reason why not.  */
static const char *simple_destination(tree to, tree value) {
  tree type = TREE_TYPE(to);
  if (TREE_CODE(type) == REFERENCE_TYPE || TREE_CODE(TREE_TYPE(value)) == REFERENCE_TYPE)
    return "its result is a reference";
  if (TREE_CODE(value) != CALL_EXPR || !is_gimple_reg_type(type))
    return "its result is of a type that is assigned by a function";
  if (TREE_THIS_VOLATILE(to) || (DECL_P(to) && VAR_P(to) && DECL_HARD_REGISTER(to)))
    return "its result goes to a register or to a volatile object";
  if (TREE_CODE(to) == COMPOUND_EXPR || TREE_CODE(to) == COND_EXPR || TREE_CODE(to) == BIT_FIELD_REF ||
      TREE_CODE(to) == TARGET_EXPR || (c_dialect_cxx() && walk_tree_without_duplicates(&to, find_destroyed, NULL)))
    return "where its result goes is no longer there when it is done";
  return NULL;
}

static bool bit_field_p(tree to) {
  return TREE_CODE(to) == COMPONENT_REF && DECL_BIT_FIELD_TYPE(TREE_OPERAND(to, 1));
}

/* A bit-field has no address, so a new function store (address of the object, value) assigns it.  */
static destination bit_field_destination(tree to, tree type, location_t where) {
  tree object = TREE_OPERAND(to, 0), parameter, value;
  tree function = new_function("cilk_store", where, ptr_type_node, &parameter, type, &value);
  tree there =
      build3(COMPONENT_REF, TREE_TYPE(to), memory_at(parameter, 0, TREE_TYPE(object)), TREE_OPERAND(to, 1), NULL_TREE);
  finish_function_body(function, assign(there, converted(TREE_TYPE(to), value)));
  destination found;
  found.address = fold_convert(ptr_type_node, address_of(object));
  found.store = build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(function)), function);
  return found;
}

/* For variables that a child initialises: the flag that says if it did.  If the child has thrown an exception, the
   variable must not be destroyed.  */
static hash_map<tree, tree> guards;

static tree guard_of(tree variable, region *r, tree *clear) {
  if (!c_dialect_cxx() || !flag_exceptions || !DECL_P(variable) || !CLASS_TYPE_P(TREE_TYPE(variable)) ||
      !TYPE_HAS_NONTRIVIAL_DESTRUCTOR(TREE_TYPE(variable)))
    return NULL_TREE;
  tree type = unsigned_char_type_node, guard = new_variable(type, "cilk_made", r->function), frame = frame_of(r);
  DECL_CHAIN(guard) = DECL_CHAIN(frame);
  DECL_CHAIN(frame) = guard;
  guards.put(variable, guard);
  *clear = assign(guard, build_zero_cst(type));
  return address_of(guard);
}

void guard_destructor(tree cleanup) {
  tree *guard = CLEANUP_DECL(cleanup) ? guards.get(CLEANUP_DECL(cleanup)) : NULL;
  if (!guard)
    return;
  tree made = build2(NE_EXPR, boolean_type_node, *guard, build_zero_cst(unsigned_char_type_node));
  CLEANUP_EXPR(cleanup) =
      build3(COND_EXPR, void_type_node, made, CLEANUP_EXPR(cleanup), build_empty_stmt(UNKNOWN_LOCATION));
}

/* Handles `to = cilk_spawn f ()'.  */
static void spawn_assignment(tree *place, tree call, region *r) {
  tree t = *place, to = tree_strip_any_location_wrapper(TREE_OPERAND(t, 0)), clear = NULL_TREE;
  visit_arguments(call, r);
  if (r->returning) {
    TREE_OPERAND(t, 1) = replace_call(TREE_OPERAND(t, 1), call, direct_call(call, "its result is returned at once"));
    return;
  }
  if (AGGREGATE_TYPE_P(TREE_TYPE(to)) && TREE_OPERAND(t, 1) == call) {
    destination whole; /* the gimplifier keeps the object as the destination of the call */
    whole.done = guard_of(to, r, &clear);
    tree extended = deferrable_call(call, whole, r);
    TREE_OPERAND(t, 1) = extended ? extended : with_arguments(call, 0, NULL);
    if (extended && TREE_CODE(extended) == COMPOUND_EXPR) {
      TREE_OPERAND(t, 1) = TREE_OPERAND(extended, 1);
      *place = build2(COMPOUND_EXPR, TREE_TYPE(t), TREE_OPERAND(extended, 0), t);
    }
    if (clear)
      *place = build2(COMPOUND_EXPR, TREE_TYPE(t), clear, *place);
    return;
  }
  const char *why = simple_destination(to, call);
  destination found;
  if (!why && bit_field_p(to))
    found = bit_field_destination(to, TREE_TYPE(call), EXPR_LOCATION(call));
  else if (!why) {
    if (DECL_P(to))
      TREE_READONLY(to) = 0;
    found.address = address_of(to);
  }
  tree extended = why ? NULL_TREE : deferrable_call(call, found, r);
  if (!extended) {
    tree plain = why ? direct_call(call, why) : with_arguments(call, 0, NULL);
    TREE_OPERAND(t, 1) = replace_call(TREE_OPERAND(t, 1), call, plain);
  } else if (VOID_TYPE_P(TREE_TYPE(t)))
    *place = extended;
  else { /* the value is not used; side effects of TO must happen only once */
    tree value = TREE_SIDE_EFFECTS(to) ? build_zero_cst(TREE_TYPE(t)) : to;
    *place = build2(COMPOUND_EXPR, TREE_TYPE(t), extended, value);
  }
}

/* Handles `T x = cilk_spawn f ();' in C, and in C++ if T is a scalar type.  */
static bool spawn_declaration(tree *place, region *r) {
  tree variable = DECL_EXPR_DECL(*place);
  bool initialised = VAR_P(variable) && !TREE_STATIC(variable) && DECL_INITIAL(variable);
  tree call = initialised ? call_of_value(DECL_INITIAL(variable)) : NULL_TREE;
  if (initialised && !call)
    walk_tree_without_duplicates(&DECL_INITIAL(variable), visit_parallel, r);
  if (!call)
    return false;
  tree value = DECL_INITIAL(variable), store = build2(INIT_EXPR, void_type_node, variable, value);
  DECL_INITIAL(variable) = NULL_TREE;
  spawn_assignment(&store, call, r);
  *place = statements({*place, store});
  return true;
}

/* Returns true for an expression that needs the values of its operands at once.  */
static bool uses_values_p(tree t) {
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

void call_used_directly(tree t, region *r) {
  for (int i = 0; uses_values_p(t) && i < TREE_OPERAND_LENGTH(t); i++) {
    tree call = TREE_OPERAND(t, i);
    if (!call || !spawned_p(call))
      continue;
    visit_arguments(call, r);
    TREE_OPERAND(t, i) = direct_call(call, "its result is used at once");
  }
}

bool spawn_in_statement(tree *place, region *r) {
  tree t = *place;
  switch (TREE_CODE(t)) {
  case MODIFY_EXPR:
  case INIT_EXPR: {
    tree call = call_of_value(TREE_OPERAND(t, 1));
    if (!call)
      return false;
    walk_tree_without_duplicates(&TREE_OPERAND(t, 0), visit_parallel, r);
    spawn_assignment(place, call, r);
    return true;
  }
  case DECL_EXPR:
    return spawn_declaration(place, r);
  case TARGET_EXPR: {
    tree call = TARGET_EXPR_INITIAL(t) && spawned_p(TARGET_EXPR_INITIAL(t)) ? TARGET_EXPR_INITIAL(t) : NULL_TREE;
    if (!call)
      return false;
    visit_arguments(call, r);
    bool object = AGGREGATE_TYPE_P(TREE_TYPE(t));
    TARGET_EXPR_INITIAL(t) =
        direct_call(call, object ? "its result is a temporary object" : "its result is used at once");
    return true;
  }
  case CALL_EXPR:
  case AGGR_INIT_EXPR: {
    if (c_dialect_cxx() && deferrable_p(t))
      move_copied_temporaries(t);
    if (!spawned_p(t))
      return false;
    visit_arguments(t, r);
    if (TREE_CODE(t) == AGGR_INIT_EXPR || r->returning)
      *place = direct_call(t, "its result is used at once");
    else if (tree extended = deferrable_call(t, destination(), r))
      *place = extended;
    else
      *place = with_arguments(t, 0, NULL);
    return true;
  }
  default:
    return false;
  }
}
