/* Computed gotos and asm gotos out of a construct, which bypass its end.
   SPDX-License-Identifier: GPL-3.0-or-later

   The target is only known when the jump happens, so a marker at the label tells the engine how many constructs are
   around it: all others that are open have been left.  A label that is only reached from its own nesting depth needs no
   marker, so that an interpreter loop inside a cilk_for is not slowed down.  */

#include "front.h"

/* Returns true if the asm STATEMENT may jump to a label that is not in LABELS.  */
bool asm_goto_leaves_construct_p(tree statement, hash_set<tree> *labels) {
  for (tree each = ASM_LABELS(statement); each; each = TREE_CHAIN(each))
    if (!labels->contains(TREE_VALUE(each)))
      return true;
  return false;
}

/* The nesting depths of the jumps to a label.  */
struct origins {
  int least = INT_MAX, most = -1;

  /* Notes a jump from inside of DEPTH constructs.  */
  void add_jump_depth(int depth) {
    least = MIN(least, depth);
    most = MAX(most, depth);
  }
  /* Returns true if there is a jump to the label from another number of constructs than DEPTH, that of the label.  */
  bool differ_from_jump_depth(int depth) const {
    return most >= 0 && (least != depth || most != depth);
  }
};

struct label_place {
  tree *place;
  int depth;
};

struct jumps {
  int depth = 0; /* at the current position of the walk */
  origins computed;
  hash_map<tree, origins> by_asm; /* to a label */
  auto_vec<label_place> labels;
};

/* Returns true if T is what the body of a Cilk construct was rewritten to: a try with the marker of the construct's end
   in its finally part.  */
static bool rewritten_construct_p(tree t) {
  if (TREE_CODE(t) != TRY_FINALLY_EXPR || TREE_CODE(TREE_OPERAND(t, 1)) != CALL_EXPR)
    return false;
  switch (marker_of_decl(get_callee_fndecl(TREE_OPERAND(t, 1)))) {
  case MARK_LOOP_END:
  case MARK_BLOCK_END:
  case MARK_SCOPE_END:
    return true;
  default:
    return false;
  }
}

/* Callback for walk_tree: records the labels, and the computed gotos and asm gotos, in DATA, a struct jumps, with the
   number of constructs around each.  */
static tree collect_construct_jumps(tree *place, int *walk_subtrees, void *data) {
  jumps *found = (jumps *)data;
  tree t = *place;
  switch (TREE_CODE(t)) {
  case LABEL_EXPR:
    found->labels.safe_push({place, found->depth});
    break;
  case GOTO_EXPR:
    if (TREE_CODE(GOTO_DESTINATION(t)) != LABEL_DECL)
      found->computed.add_jump_depth(found->depth);
    break;
  case ASM_EXPR:
    for (tree each = ASM_LABELS(t); each; each = TREE_CHAIN(each))
      found->by_asm.get_or_insert(TREE_VALUE(each)).add_jump_depth(found->depth);
    break;
  default:
    if (!rewritten_construct_p(t))
      break;
    found->depth++;
    walk_tree_without_duplicates(&TREE_OPERAND(t, 0), collect_construct_jumps, data);
    found->depth--;
    *walk_subtrees = 0;
  }
  return NULL_TREE;
}

/* Puts a marker after each label of FUNCTION that a computed goto or an asm goto may reach from another nesting depth
   of constructs.  The constructs must have been rewritten before.  */
void mark_construct_arrival_labels(tree function) {
  jumps found;
  walk_tree_without_duplicates(&DECL_SAVED_TREE(function), collect_construct_jumps, &found);
  for (const label_place &label : found.labels) {
    const origins *by_asm = found.by_asm.get(LABEL_EXPR_LABEL(*label.place));
    if (found.computed.differ_from_jump_depth(label.depth) || (by_asm && by_asm->differ_from_jump_depth(label.depth)))
      *label.place = statement_sequence(
          *label.place, build_marker_tree(MARK_ARRIVAL, {build_int_cst(long_unsigned_type_node, label.depth)}));
  }
}
