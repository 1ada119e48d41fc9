/* -fcilkplus-pedigrees: every strand has a pedigree that does not depend on the thread that executes it.
   SPDX-License-Identifier: GPL-3.0-or-later

   A pedigree is a list of ranks.  The innermost counts the spawns and syncs in the function and its callees; the others
   are the ranks of the spawns that led to it.  So a child starts with rank 0 and a link to the rank of its spawn, and
   an iteration with a link to its number.  The runtime sets the pedigree of a child that is deferred.  */

#include "parallel.h"

bool pedigrees;

/* It has the layout of struct __cilkprof_r_pedigree, a rank and a pointer.  */
static tree pedigree_type() {
  return build_array_type_nelts(long_long_unsigned_type_node, 2);
}

static tree rank_of(tree pedigree) {
  return memory_at(address_of(pedigree), 0, long_long_unsigned_type_node);
}

static tree parent_of(tree pedigree) {
  return memory_at(address_of(pedigree), 8, ptr_type_node);
}

/* The pedigree of the current thread.  */
static tree current() {
  static const char name[] = "__cilkprof_r_pedigree";
  tree variable = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), pedigree_type());
  DECL_EXTERNAL(variable) = TREE_PUBLIC(variable) = DECL_ARTIFICIAL(variable) = TREE_USED(variable) = 1;
  SET_DECL_ASSEMBLER_NAME(variable, get_identifier(name));
  set_decl_tls_model(variable, TLS_MODEL_INITIAL_EXEC);
  return variable;
}

static tree one_more(tree rank) {
  return build2(PLUS_EXPR, TREE_TYPE(rank), rank, build_one_cst(TREE_TYPE(rank)));
}

static tree begin_below(tree node) {
  tree now = current();
  return statements({assign(rank_of(now), build_zero_cst(long_long_unsigned_type_node)),
                     assign(parent_of(now), fold_convert(ptr_type_node, address_of(node)))});
}

tree next_strand() {
  tree now = current();
  return tagged(TAG_SYNC, assign(rank_of(now), one_more(rank_of(now))), UNKNOWN_LOCATION);
}

tree as_child(tree call, tree function) {
  if (!pedigrees)
    return call;
  tree node = new_variable(pedigree_type(), "cilk_birth", function), now = current();
  tree begin =
      statements({assign(rank_of(node), rank_of(now)), assign(parent_of(node), parent_of(now)), begin_below(node)});
  tree end = statements({assign(rank_of(now), one_more(rank_of(node))), assign(parent_of(now), parent_of(node))});
  location_t where = EXPR_LOCATION(call);
  tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, call, tagged(TAG_SPAWN, end, where));
  TREE_SIDE_EFFECTS(guarded) = 1;
  return scope_of(node, statements({tagged(TAG_SPAWN, begin, where), guarded}));
}

tree as_iteration(tree body, tree number, tree function, tree *before) {
  *before = NULL_TREE;
  if (!pedigrees)
    return body;
  tree loop = new_variable(ptr_type_node, "cilk_loop", function),
       node = new_variable(pedigree_type(), "cilk_iteration", function);
  *before = assign(loop, parent_of(current()));
  DECL_CHAIN(loop) = DECL_CHAIN(number);
  DECL_CHAIN(number) = loop;
  tree begin = statements({assign(rank_of(node), fold_convert(long_long_unsigned_type_node, number)),
                           assign(parent_of(node), loop), begin_below(node)});
  return scope_of(node, statements({tagged(TAG_FOR, begin, UNKNOWN_LOCATION), body}));
}
