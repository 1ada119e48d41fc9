/* The walk over the trees of a complete function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "parallel.h"

/* Rewrites PART of the function, that of R, which gets a frame of its own if it spawns.  */
static void parallelise_region(tree *part, region *r) {
  walk_tree_without_duplicates(part, parallelise_tree, r);
  join_parallel_frame_before_destructors(part, r);
  *part = wrap_in_parallel_frame(*part, r);
}

static bool scopes; /* the function has a cilk_scope */

/* Replaces the cilk_scope at PLACE in R by its body, with a frame of its own.  In a program that is profiled the
   construct stays around it, for the markers.  */
static void parallelise_scope(tree *place, region *r) {
  region inside = {r->function, NULL_TREE, NULL, false};
  parallelise_region(&FOR_BODY(*place), &inside);
  if (deferring)
    return;
  *place = FOR_BODY(*place);
  scopes = true;
}

/* Rewrites the try block T in R.  Its handlers catch exceptions of the children in it.  A handler joins its children
   before the exception that it has caught is destroyed.  */
static void parallelise_try_block(tree t, region *r) {
  region inside = {r->function, NULL_TREE, r, false};
  parallelise_region(&TRY_STMTS(t), &inside);
  walk_tree_without_duplicates(&TRY_HANDLERS(t), parallelise_tree, r);
}

/* Rewrites the exception handler T, which is in the region R of the function and gets a frame of its own.  */
static void parallelise_handler(tree t, region *r) {
  region inside = {r->function, NULL_TREE, r, false};
  parallelise_region(&HANDLER_BODY(t), &inside);
}

/* Replaces the cilk_for at PLACE in R by a parallel loop, whose iterations have frames of their own.  */
static void parallelise_loop(tree *place, region *r) {
  tree guard = *place, grain, *loop = checked_cilk_for(guard, &grain);
  if (!loop)
    return;
  region body = {r->function, NULL_TREE, NULL, false};
  parallelise_region(&FOR_BODY(*loop), &body);
  if (build_parallel_loop(&FOR_BODY(guard), loop, grain, EXPR_LOCATION(guard), r->function) || !deferring ||
      seen_error())
    *place = FOR_BODY(guard); /* else the profiler marks it; errors are reported once */
}

/* Replaces the spawned block at PLACE in R by one that can be deferred, with a frame of its own.  */
static void parallelise_block(tree *place, region *r) {
  tree body = checked_spawned_block(*place);
  region inside = {r->function, NULL_TREE, NULL, false};
  parallelise_region(&body, &inside);
  build_parallel_block(place, body, r);
}

/* Rewrites the simd loop at PLACE in R.  Nothing in a vectorised loop is deferred, but such a loop can itself be a
   cilk_for.  */
static void parallelise_simd_loop(tree *place, region *r) {
  tree loop = *place, grain, *guard_place = checked_simd_loop(loop, &grain);
  if (!guard_place) {
    simd_depth++;
    walk_tree_without_duplicates(&OMP_FOR_BODY(loop), parallelise_tree, r);
    simd_depth--;
    return;
  }
  region body = {r->function, NULL_TREE, NULL, false};
  location_t where = EXPR_LOCATION(*guard_place);
  *guard_place = FOR_BODY(*guard_place);
  simd_depth++;
  parallelise_region(guard_place, &body);
  simd_depth--;
  build_parallel_simd_loop(place, grain, where, r->function);
}

/* Rewrites the for loop at PLACE in R if a keyword expanded to it.  Returns false for other loops.  In a program
   that is profiled while it runs in parallel, spawned blocks and what they spawn stay as the profiler marks them.  */
static bool parallelise_construct(tree *place, region *r) {
  switch (marker_tree_in_condition(FOR_COND(*place))) {
  case MARK_LOOP:
    parallelise_loop(place, r);
    return true;
  case MARK_BLOCK:
    if (!deferring)
      parallelise_block(place, r);
    return true;
  case MARK_SCOPE:
    parallelise_scope(place, r);
    return true;
  default:
    return false;
  }
}

/* Callback for walk_tree: rewrites the tree at PLACE in DATA, a region, if it spawns, syncs or has a frame of its
   own.  */
tree parallelise_tree(tree *place, int *walk_subtrees, void *data) {
  region *r = (region *)data;
  tree t = *place;
  bool done = false;
  switch ((int)TREE_CODE(t)) {
  case STATEMENT_LIST:
    if (!deferring)
      hide_syncs_before_labels(t);
    break;
  case BIND_EXPR: /* initial values are visited at the declarations */
    walk_tree_without_duplicates(&BIND_EXPR_BODY(t), parallelise_tree, r);
    done = true;
    break;
  case RETURN_EXPR:
    r->returning = true;
    walk_tree_without_duplicates(&TREE_OPERAND(t, 0), parallelise_tree, r);
    r->returning = false;
    done = true;
    break;
  case FOR_STMT:
    done = parallelise_construct(place, r);
    break;
  case OMP_SIMD:
    if (!deferring)
      parallelise_simd_loop(place, r);
    done = true;
    break;
  case TRY_BLOCK:
    parallelise_try_block(t, r);
    done = true;
    break;
  case HANDLER:
    parallelise_handler(t, r);
    done = true;
    break;
  case CLEANUP_STMT:
    if (c_dialect_cxx())
      guard_spawned_destructor(t);
    break;
  case CALL_EXPR:
    if (marker_of_decl(get_callee_fndecl(t)) == MARK_SYNC) {
      *place = build_parallel_sync_joins(r, EXPR_LOCATION(t));
      done = true;
      break;
    } /* fall through */
  case AGGR_INIT_EXPR:
  case MODIFY_EXPR:
  case INIT_EXPR:
  case DECL_EXPR:
  case TARGET_EXPR:
    done = defer_spawn_in_statement(place, r);
    break;
  default:
    break;
  }
  if (done)
    *walk_subtrees = 0;
  else
    call_spawned_operands_directly(t, r);
  return NULL_TREE;
}

/* Rewrites the keywords and reducers in the trees of FUNCTION to calls of the parallel runtime.  */
void parallelise_function(tree function) {
  region whole = {function, NULL_TREE, NULL, false};
  note_setjmp_against_parallel(function);
  replace_reducers_by_views(function);
  forget_destructor_guards();
  scopes = false;
  parallelise_region(&DECL_SAVED_TREE(function), &whole);
  if (scopes)
    check_breaks_in_cilk_scopes(&DECL_SAVED_TREE(function));
}
