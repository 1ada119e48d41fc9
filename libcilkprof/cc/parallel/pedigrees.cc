/* -fcilkplus-pedigrees: every strand has a pedigree that does not depend on the thread that executes it.
   SPDX-License-Identifier: GPL-3.0-or-later

   A pedigree is a list of ranks.  The innermost counts the spawns and syncs in the function and its callees; the others
   are the ranks of the spawns that led to it.  So a child starts with rank 0 and a link to the rank of its spawn, and
   an iteration with a link to its number.  The runtime sets the pedigree of a child that is deferred.  */

#include "parallel.h"

bool pedigrees;

/* Returns the type of a pedigree.  It has the layout of struct __cilkprof_r_pedigree, a rank and a pointer.  */
static tree pedigree_tree_type() {
  return build_array_type_nelts(long_long_unsigned_type_node, 2);
}

/* Returns the rank in the variable PEDIGREE, as an lvalue.  */
static tree build_pedigree_rank_reference(tree pedigree) {
  return build_spawn_memory_reference(build_spawn_address_of(pedigree), 0, long_long_unsigned_type_node);
}

/* Returns the pointer to the parent in the variable PEDIGREE, as an lvalue.  */
static tree build_pedigree_parent_reference(tree pedigree) {
  return build_spawn_memory_reference(build_spawn_address_of(pedigree), 8, ptr_type_node);
}

/* Returns the runtime's variable that is the pedigree of the current thread.  */
static tree build_current_pedigree() {
  return runtime_thread_variable("__cilkprof_r_pedigree", pedigree_tree_type());
}

/* Returns RANK + 1.  */
static tree build_next_pedigree_rank(tree rank) {
  return build2(PLUS_EXPR, TREE_TYPE(rank), rank, build_one_cst(TREE_TYPE(rank)));
}

/* Returns statements that begin a new level of the current pedigree: rank 0, with NODE as its parent.  */
static tree build_pedigree_below(tree node) {
  tree now = build_current_pedigree();
  return build_spawn_statement_list(
      {build_spawn_assignment(build_pedigree_rank_reference(now), build_zero_cst(long_long_unsigned_type_node)),
       build_spawn_assignment(build_pedigree_parent_reference(now),
                              fold_convert(ptr_type_node, build_spawn_address_of(node)))});
}

/* Returns a statement that adds 1 to the rank of the current pedigree, to be executed after a sync.  */
tree build_pedigree_rank_advance() {
  tree now = build_current_pedigree();
  return build_tagged_scope(TAG_SYNC,
                            build_spawn_assignment(build_pedigree_rank_reference(now),
                                                   build_next_pedigree_rank(build_pedigree_rank_reference(now))),
                            UNKNOWN_LOCATION);
}

/* Returns CALL, of a spawned function that is not deferred, with code around it that gives it the pedigree of a child;
   CALL itself without -fcilkplus-pedigrees.  FUNCTION contains it.  */
tree build_call_with_pedigree(tree call, tree function) {
  if (!pedigrees)
    return call;
  tree node = new_spawn_variable(pedigree_tree_type(), "cilk_birth", function), now = build_current_pedigree();
  tree begin = build_spawn_statement_list(
      {build_spawn_assignment(build_pedigree_rank_reference(node), build_pedigree_rank_reference(now)),
       build_spawn_assignment(build_pedigree_parent_reference(node), build_pedigree_parent_reference(now)),
       build_pedigree_below(node)});
  tree end = build_spawn_statement_list(
      {build_spawn_assignment(build_pedigree_rank_reference(now),
                              build_next_pedigree_rank(build_pedigree_rank_reference(node))),
       build_spawn_assignment(build_pedigree_parent_reference(now), build_pedigree_parent_reference(node))});
  location_t where = EXPR_LOCATION(call);
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, call, build_tagged_scope(TAG_SPAWN, end, where));
  TREE_SIDE_EFFECTS(guarded) = 1;
  return build_spawn_variable_scope(node,
                                    build_spawn_statement_list({build_tagged_scope(TAG_SPAWN, begin, where), guarded}));
}

/* Returns BODY of a cilk_for with code before it that gives the iteration NUMBER its pedigree; BODY itself without
   -fcilkplus-pedigrees. *BEFORE gets what must come before the loop, or NULL_TREE.  */
tree build_iteration_with_pedigree(tree body, tree number, tree function, tree *before) {
  *before = NULL_TREE;
  if (!pedigrees)
    return body;
  tree loop = new_spawn_variable(ptr_type_node, "cilk_loop", function),
       node = new_spawn_variable(pedigree_tree_type(), "cilk_iteration", function);
  *before = build_spawn_assignment(loop, build_pedigree_parent_reference(build_current_pedigree()));
  DECL_CHAIN(loop) = DECL_CHAIN(number);
  DECL_CHAIN(number) = loop;
  tree begin = build_spawn_statement_list(
      {build_spawn_assignment(build_pedigree_rank_reference(node), fold_convert(long_long_unsigned_type_node, number)),
       build_spawn_assignment(build_pedigree_parent_reference(node), loop), build_pedigree_below(node)});
  return build_spawn_variable_scope(
      node, build_spawn_statement_list({build_tagged_scope(TAG_FOR, begin, UNKNOWN_LOCATION), body}));
}
