/* The walk over the trees of a complete function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "parallel.h"

/* Rewrites a part of the function that has a frame of its own if it spawns.  */
static void parallelise_part(tree *part, region *r) {
  walk_tree_without_duplicates(part, visit_parallel, r);
  join_before_destructors(part, r);
  *part = with_frame(*part, r);
}

static bool scopes; /* the function has a cilk_scope */

static void visit_scope(tree *place, region *r) {
  region inside = {r->function, NULL_TREE, NULL, false};
  tree body = FOR_BODY(*place);
  parallelise_part(&body, &inside);
  *place = body;
  scopes = true;
}

/* The handlers of a try block catch exceptions of the children in it.  A handler joins its children before the
   exception that it has caught is destroyed.  */
static void visit_try(tree t, region *r) {
  region inside = {r->function, NULL_TREE, r, false};
  parallelise_part(&TRY_STMTS(t), &inside);
  walk_tree_without_duplicates(&TRY_HANDLERS(t), visit_parallel, r);
}

static void visit_handler(tree t, region *r) {
  region inside = {r->function, NULL_TREE, r, false};
  parallelise_part(&HANDLER_BODY(t), &inside);
}

static void visit_loop(tree *place, region *r) {
  tree guard = *place, grain, *loop = checked_loop(guard, &grain);
  if (!loop)
    return;
  region body = {r->function, NULL_TREE, NULL, false};
  *place = FOR_BODY(guard);
  parallelise_part(&FOR_BODY(*loop), &body);
  parallel_loop(place, loop, grain, EXPR_LOCATION(guard), r->function);
}

static void visit_block(tree *place, region *r) {
  tree body = checked_block(*place);
  region inside = {r->function, NULL_TREE, NULL, false};
  parallelise_part(&body, &inside);
  parallel_block(place, body, r);
}

/* Nothing in a vectorised loop is deferred, but such a loop can itself be a cilk_for.  */
static void visit_simd(tree *place, region *r) {
  tree loop = *place, grain, *guard_place = checked_simd(loop, &grain);
  if (!guard_place) {
    simd_depth++;
    walk_tree_without_duplicates(&OMP_FOR_BODY(loop), visit_parallel, r);
    simd_depth--;
    return;
  }
  region body = {r->function, NULL_TREE, NULL, false};
  location_t where = EXPR_LOCATION(*guard_place);
  *guard_place = FOR_BODY(*guard_place);
  simd_depth++;
  parallelise_part(guard_place, &body);
  simd_depth--;
  parallel_simd(place, grain, where, r->function);
}

static bool visit_construct(tree *place, region *r) {
  switch (marker_in_condition(FOR_COND(*place))) {
  case MARK_LOOP:
    visit_loop(place, r);
    return true;
  case MARK_BLOCK:
    visit_block(place, r);
    return true;
  case MARK_SCOPE:
    visit_scope(place, r);
    return true;
  default:
    return false;
  }
}

tree visit_parallel(tree *place, int *walk_subtrees, void *data) {
  region *r = (region *)data;
  tree t = *place;
  bool done = false;
  switch ((int)TREE_CODE(t)) {
  case STATEMENT_LIST:
    hide_syncs_before_labels(t);
    break;
  case BIND_EXPR: /* initial values are visited at the declarations */
    walk_tree_without_duplicates(&BIND_EXPR_BODY(t), visit_parallel, r);
    done = true;
    break;
  case RETURN_EXPR:
    r->returning = true;
    walk_tree_without_duplicates(&TREE_OPERAND(t, 0), visit_parallel, r);
    r->returning = false;
    done = true;
    break;
  case FOR_STMT:
    done = visit_construct(place, r);
    break;
  case OMP_SIMD:
    visit_simd(place, r);
    done = true;
    break;
  case TRY_BLOCK:
    visit_try(t, r);
    done = true;
    break;
  case HANDLER:
    visit_handler(t, r);
    done = true;
    break;
  case CLEANUP_STMT:
    if (c_dialect_cxx())
      guard_destructor(t);
    break;
  case CALL_EXPR:
    if (marker_of(get_callee_fndecl(t)) == MARK_SYNC) {
      *place = build_sync(r, EXPR_LOCATION(t));
      done = true;
      break;
    } /* fall through */
  case AGGR_INIT_EXPR:
  case MODIFY_EXPR:
  case INIT_EXPR:
  case DECL_EXPR:
  case TARGET_EXPR:
    done = spawn_in_statement(place, r);
    break;
  default:
    break;
  }
  if (done)
    *walk_subtrees = 0;
  else
    call_used_directly(t, r);
  return NULL_TREE;
}

void parallelise(tree function) {
  region whole = {function, NULL_TREE, NULL, false};
  look_for_setjmp(function);
  use_views(function);
  scopes = false;
  parallelise_part(&DECL_SAVED_TREE(function), &whole);
  if (scopes)
    check_scopes(&DECL_SAVED_TREE(function));
}
