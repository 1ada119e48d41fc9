/* Frames of functions that spawn, and the joins at their ends.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "parallel.h"
#include "libcilkprof/abi/parallel.h"

/* Returns the variable that is the frame of R, which is made when it is first needed.  */
tree parallel_frame_of_region(region *r) {
  if (!r->frame) {
    unsigned words = sizeof(__cilkprof_r_frame) / sizeof(long);
    r->frame = new_spawn_variable(build_array_type_nelts(long_unsigned_type_node, words), FRAME_NAME, r->function);
    TREE_ADDRESSABLE(r->frame) = 1;
  }
  return r->frame;
}

/* Returns the word of FRAME that says if children have been deferred: its first.  */
static tree parallel_frame_deferred_word(tree frame) {
  return build4(ARRAY_REF, long_unsigned_type_node, frame, size_zero_node, NULL_TREE, NULL_TREE);
}

/* Returns code at WHERE that waits for the children in FRAME if any were deferred.  THROWN says that an exception is
   being thrown: an exception of a child replaces it, because in serial order it comes first.  */
static tree build_parallel_frame_join(tree frame, bool thrown, location_t where = UNKNOWN_LOCATION) {
  tree place = fold_convert(ptr_type_node, build_spawn_address_of(frame)), call;
  if (thrown) {
    tree exception = build_call_expr(builtin_decl_explicit(BUILT_IN_EH_POINTER), 1, integer_zero_node);
    call = build_runtime_call(deferring ? "__cilkprof_join_thrown" : "__cilkprof_r_join_thrown", void_type_node, true,
                              {place, exception});
  } else
    call = build_runtime_call(deferring ? PROFILED_JOIN : "__cilkprof_r_join", void_type_node, true, {place});
  if (deferring) /* without a condition: what is counted must not depend on what was deferred */
    return call;
  tree test =
      build2(NE_EXPR, boolean_type_node, parallel_frame_deferred_word(frame), build_zero_cst(long_unsigned_type_node));
  tree join =
      build3(COND_EXPR, void_type_node, build_unlikely_spawn_test(test), call, build_empty_stmt(UNKNOWN_LOCATION));
  return build_tagged_scope(TAG_SYNC, join, where);
}

/* Returns the code of a cilk_sync at WHERE in R: joins of its frame and of those that a sync in a try block or a
   handler waits for as well.  */
tree build_parallel_sync_joins(region *r, location_t where) {
  tree all = build_parallel_frame_join(parallel_frame_of_region(r), false, where);
  while ((r = r->outside))
    all = build2(COMPOUND_EXPR, void_type_node, all,
                 build_parallel_frame_join(parallel_frame_of_region(r), false, where));
  if (pedigrees)
    all = build2(COMPOUND_EXPR, void_type_node, all, build_pedigree_rank_advance());
  if (deferring) {
    tree event = build_marker_tree(MARK_SYNC);
    SET_EXPR_LOCATION(event, where);
    all = build2(COMPOUND_EXPR, void_type_node, all, event);
  }
  SET_EXPR_LOCATION(all, where);
  return all;
}

/* Returns BODY with END at its normal end, and a join of FRAME where an exception leaves it.  The two ends have
   separate code, or the compiler would not let the latter throw.  */
static tree guard_by_parallel_join(tree body, tree end, tree frame) {
  if (c_dialect_cxx() && flag_exceptions)
    end = build2(EH_ELSE_EXPR, void_type_node, end, build_parallel_frame_join(frame, true));
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, body, end);
  TREE_SIDE_EFFECTS(guarded) = 1;
  return guarded;
}

/* Returns BODY with a join of FRAME on every way out of it.  */
static tree finally_join_parallel_frame(tree body, tree frame) {
  tree end = build_parallel_frame_join(frame, false);
  return guard_by_parallel_join(
      body, pedigrees ? build_spawn_statement_list({end, build_pedigree_rank_advance()}) : end, frame);
}

/* Returns BODY with a join of FRAME where an exception leaves it.  */
static tree join_parallel_frame_if_thrown(tree body, tree frame) {
  return guard_by_parallel_join(body, build_empty_stmt(UNKNOWN_LOCATION), frame);
}

/* Returns BODY in a scope with the frame of R, which is cleared at its beginning and joined on every way out; BODY
   itself if R has needed no frame.  */
tree wrap_in_parallel_frame(tree body, region *r) {
  if (!r->frame)
    return body;
  tree start = build_spawn_assignment(parallel_frame_deferred_word(r->frame), build_zero_cst(long_unsigned_type_node));
  start = build_tagged_scope(TAG_SPAWN, start, UNKNOWN_LOCATION);
  return build_spawn_variable_scope(r->frame,
                                    build_spawn_statement_list({start, finally_join_parallel_frame(body, r->frame)}));
}

/* Returns true if T is a scope at whose end objects are destroyed that a child may use.  Children are joined before
   that at the end of the region, and elsewhere if an exception leaves the scope.  Leaving a scope in another way
   without a sync is an error of the program.  */
static bool parallel_scope_destroys_p(tree t) {
  return c_dialect_cxx() ? TREE_CODE(t) == CLEANUP_STMT : TREE_CODE(t) == TRY_FINALLY_EXPR;
}

/* Callback for walk_tree: returns the call at PLACE if FRAME is passed to it, so that it spawns.  Scopes that destroy
   objects, and try blocks, are not entered.  */
static tree find_spawn_into_frame(tree *place, int *walk_subtrees, void *frame) {
  tree t = *place;
  if (parallel_scope_destroys_p(t) || TREE_CODE(t) == TRY_BLOCK)
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

/* Returns true if a call in BODY spawns a child into FRAME, outside of inner scopes that destroy objects.  */
static bool spawns_into_frame_p(tree *body, tree frame) {
  return walk_tree_without_duplicates(body, find_spawn_into_frame, frame) != NULL_TREE;
}

/* Returns where the inner scope is that ends together with the one at PLACE: its body, or the last statement of a list.
   NULL if there is none.  */
static tree *last_scope_in_parallel_frame(tree *place) {
  tree t = *place, *last = NULL;
  if (TREE_CODE(t) == BIND_EXPR)
    return &BIND_EXPR_BODY(t);
  if (parallel_scope_destroys_p(t) || TREE_CODE(t) == MUST_NOT_THROW_EXPR || TREE_CODE(t) == EH_SPEC_BLOCK)
    return &TREE_OPERAND(t, 0);
  if (TREE_CODE(t) != STATEMENT_LIST)
    return NULL;
  for (tree_stmt_iterator at = tsi_start(t); !tsi_end_p(at); tsi_next(&at)) {
    tree each = tsi_stmt(at);
    if (TREE_CODE(each) == BIND_EXPR || parallel_scope_destroys_p(each) || TREE_CODE(each) == MUST_NOT_THROW_EXPR)
      last = tsi_stmt_ptr(at);
    else if (TREE_CODE(each) != RETURN_EXPR)
      last = NULL;
  }
  return last;
}

/* State of a walk over the scopes of a region that destroy objects.  */
struct scope_walk {
  tree frame;
  hash_set<tree> ends; /* cleanups at the end of the region */

  /* Begins a walk in the region with the frame OF.  */
  explicit scope_walk(tree of) : frame(of) {}
};

/* Callback for walk_tree: makes the scope at PLACE, if it destroys objects and spawns, join its children where an
   exception leaves it.  Scopes in DATA, a scope_walk, that end with the region are left out.  */
static tree join_parallel_at_scope_exception(tree *place, int *, void *data) {
  scope_walk *state = (scope_walk *)data;
  tree t = *place;
  if (parallel_scope_destroys_p(t) && !state->ends.contains(t) &&
      spawns_into_frame_p(&TREE_OPERAND(t, 0), state->frame))
    TREE_OPERAND(t, 0) = join_parallel_frame_if_thrown(TREE_OPERAND(t, 0), state->frame);
  return NULL_TREE;
}

/* Inserts joins into BODY, that of R, so that children end before objects that they may use are destroyed.  */
void join_parallel_frame_before_destructors(tree *body, region *r) {
  if (!r->frame)
    return;
  scope_walk state(r->frame);
  tree *innermost = NULL;
  for (tree *place = body; place; place = last_scope_in_parallel_frame(place))
    if (parallel_scope_destroys_p(*place)) {
      state.ends.add(*place);
      innermost = place;
    }
  if (c_dialect_cxx() && flag_exceptions)
    walk_tree_without_duplicates(body, join_parallel_at_scope_exception, &state);
  for (tree *place = body; place; place = last_scope_in_parallel_frame(place)) {
    if (!parallel_scope_destroys_p(*place))
      continue;
    tree *inside = &TREE_OPERAND(*place, 0);
    bool last = place == innermost;
    if (last || spawns_into_frame_p(inside, r->frame)) {
      *inside = finally_join_parallel_frame(*inside, r->frame);
      place = inside; /* in C the join looks like a cleanup */
    }
    if (last)
      break;
  }
}
