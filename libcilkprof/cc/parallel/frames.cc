/* Frames of functions that spawn, and the joins at their ends.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "parallel.h"
#include "libcilkprof/abi/parallel.h"

tree frame_of(region *r) {
  if (!r->frame) {
    unsigned words = sizeof(__cilkprof_r_frame) / sizeof(long);
    r->frame = new_variable(build_array_type_nelts(long_unsigned_type_node, words), "cilk_frame", r->function);
    TREE_ADDRESSABLE(r->frame) = 1;
  }
  return r->frame;
}

static tree deferred(tree frame) {
  return build4(ARRAY_REF, long_unsigned_type_node, frame, size_zero_node, NULL_TREE, NULL_TREE);
}

/* If an exception is being thrown, an exception of a child replaces it, because in serial order it comes first.  */
static tree build_join(tree frame, bool thrown, location_t where = UNKNOWN_LOCATION) {
  tree place = fold_convert(ptr_type_node, address_of(frame)), call;
  if (thrown) {
    tree exception = build_call_expr(builtin_decl_explicit(BUILT_IN_EH_POINTER), 1, integer_zero_node);
    call = runtime_call("__cilkprof_r_join_thrown", void_type_node, true, {place, exception});
  } else
    call = runtime_call("__cilkprof_r_join", void_type_node, true, {place});
  tree test = build2(NE_EXPR, boolean_type_node, deferred(frame), build_zero_cst(long_unsigned_type_node));
  tree join = build3(COND_EXPR, void_type_node, unlikely(test), call, build_empty_stmt(UNKNOWN_LOCATION));
  return tagged(TAG_SYNC, join, where);
}

tree build_sync(region *r, location_t where) {
  tree all = build_join(frame_of(r), false, where);
  while ((r = r->outside))
    all = build2(COMPOUND_EXPR, void_type_node, all, build_join(frame_of(r), false, where));
  if (pedigrees)
    all = build2(COMPOUND_EXPR, void_type_node, all, next_strand());
  SET_EXPR_LOCATION(all, where);
  return all;
}

/* The normal and the exceptional end have separate code, or the compiler would not let the latter throw.  */
static tree guard(tree body, tree end, tree frame) {
  if (c_dialect_cxx() && flag_exceptions)
    end = build2(EH_ELSE_EXPR, void_type_node, end, build_join(frame, true));
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, body, end);
  TREE_SIDE_EFFECTS(guarded) = 1;
  return guarded;
}

static tree finally_join(tree body, tree frame) {
  tree end = build_join(frame, false);
  return guard(body, pedigrees ? statements({end, next_strand()}) : end, frame);
}

static tree join_if_thrown(tree body, tree frame) {
  return guard(body, build_empty_stmt(UNKNOWN_LOCATION), frame);
}

tree with_frame(tree body, region *r) {
  if (!r->frame)
    return body;
  tree start = assign(deferred(r->frame), build_zero_cst(long_unsigned_type_node));
  start = tagged(TAG_SPAWN, start, UNKNOWN_LOCATION);
  return scope_of(r->frame, statements({start, finally_join(body, r->frame)}));
}

/* Objects that a child may use are destroyed at the end of their scope.  Children are joined before that at the end of
   the region, and elsewhere if an exception leaves the scope.  Leaving a scope in another way without a sync is an
   error of the program.  */
static bool destroys_p(tree t) {
  return c_dialect_cxx() ? TREE_CODE(t) == CLEANUP_STMT : TREE_CODE(t) == TRY_FINALLY_EXPR;
}

static tree find_spawn(tree *place, int *walk_subtrees, void *frame) {
  tree t = *place;
  if (destroys_p(t) || TREE_CODE(t) == TRY_BLOCK)
    *walk_subtrees = 0;
  if (TREE_CODE(t) == CALL_EXPR || TREE_CODE(t) == AGGR_INIT_EXPR)
    for (int i = 3; i < VL_EXP_OPERAND_LENGTH(t); i++) {
      tree argument = TREE_OPERAND(t, i);
      STRIP_NOPS(argument);
      if (argument && TREE_CODE(argument) == ADDR_EXPR && TREE_OPERAND(argument, 0) == frame)
        return t;
    }
  return NULL_TREE;
}

static bool spawns_directly_p(tree *body, tree frame) {
  return walk_tree_without_duplicates(body, find_spawn, frame) != NULL_TREE;
}

/* The inner scope that ends together with this one: its body, or the last statement of a list.  */
static tree *last_scope(tree *place) {
  tree t = *place, *last = NULL;
  if (TREE_CODE(t) == BIND_EXPR)
    return &BIND_EXPR_BODY(t);
  if (destroys_p(t) || TREE_CODE(t) == MUST_NOT_THROW_EXPR || TREE_CODE(t) == EH_SPEC_BLOCK)
    return &TREE_OPERAND(t, 0);
  if (TREE_CODE(t) != STATEMENT_LIST)
    return NULL;
  for (tree_stmt_iterator at = tsi_start(t); !tsi_end_p(at); tsi_next(&at)) {
    tree each = tsi_stmt(at);
    if (TREE_CODE(each) == BIND_EXPR || destroys_p(each) || TREE_CODE(each) == MUST_NOT_THROW_EXPR)
      last = tsi_stmt_ptr(at);
    else if (TREE_CODE(each) != RETURN_EXPR)
      last = NULL;
  }
  return last;
}

struct scope_walk {
  tree frame;
  hash_set<tree> ends; /* cleanups at the end of the region */

  explicit scope_walk(tree of) : frame(of) {}
};

static tree join_at_scope(tree *place, int *, void *data) {
  scope_walk *state = (scope_walk *)data;
  tree t = *place;
  if (destroys_p(t) && !state->ends.contains(t) && spawns_directly_p(&TREE_OPERAND(t, 0), state->frame))
    TREE_OPERAND(t, 0) = join_if_thrown(TREE_OPERAND(t, 0), state->frame);
  return NULL_TREE;
}

void join_before_destructors(tree *body, region *r) {
  if (!r->frame)
    return;
  scope_walk state(r->frame);
  tree *innermost = NULL;
  for (tree *place = body; place; place = last_scope(place))
    if (destroys_p(*place)) {
      state.ends.add(*place);
      innermost = place;
    }
  if (c_dialect_cxx() && flag_exceptions)
    walk_tree_without_duplicates(body, join_at_scope, &state);
  for (tree *place = body; place; place = last_scope(place)) {
    if (!destroys_p(*place))
      continue;
    tree *inside = &TREE_OPERAND(*place, 0);
    bool last = place == innermost;
    if (last || spawns_directly_p(inside, r->frame)) {
      *inside = finally_join(*inside, r->frame);
      place = inside; /* in C the join looks like a cleanup */
    }
    if (last)
      break;
  }
}
