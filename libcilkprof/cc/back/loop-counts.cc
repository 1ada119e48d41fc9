/* Hybrid mode: counting the instructions of loops without a counter in them.
   SPDX-License-Identifier: GPL-3.0-or-later

   What a loop does is about the same in every iteration, and how often it will run is mostly known when it is entered;
   so are the loops in it, unless that depends on the iteration.  The count is only a measure by which timed executions
   are compared with those that are not: where a loop has branches, it is taken to go half of them.  */

#include "back.h"

static tree type_of_counts() {
  return TREE_TYPE(TREE_TYPE(event_function(EVENT_timing)));
}

/* Those of the loop itself, without the loops in it.  */
static int own_instructions(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  int always = 0, sometimes = 0;
  for (unsigned i = 0; i < loop->num_nodes; i++) {
    if (blocks[i]->loop_father != loop)
      continue;
    int &sum = dominated_by_p(CDI_DOMINATORS, loop->latch, blocks[i]) ? always : sometimes;
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at); gsi_next(&at))
      if (!is_gimple_debug(gsi_stmt(at)))
        sum += estimate_num_insns(gsi_stmt(at), &eni_size_weights);
  }
  free(blocks);
  return MAX(always + sometimes / 2, 1);
}

/* How often the loop's latch is executed; NULL_TREE: nobody knows, or it takes long to find out.  A loop that is
   entered in odd ways keeps them.  */
static tree trips_of(class loop *loop) {
  if (!loop->latch || EDGE_COUNT(loop->header->preds) != 2)
    return NULL_TREE;
  bool overflows; /* it may, while the loop does not: which is no matter to a count */
  tree trips = number_of_latch_executions(loop);
  if (!trips || chrec_contains_undetermined(trips) || tree_contains_chrecs(trips, NULL) ||
      expression_expensive_p(trips, &overflows))
    return NULL_TREE;
  return expand_simple_operations(trips); /* of what is known outside of all loops, where that can be */
}

/* All instructions of the loop and of those in it, as is known when it is entered; or NULL_TREE.  */
static tree count_of(class loop *loop) {
  tree trips = trips_of(loop), type = type_of_counts();
  if (!trips)
    return NULL_TREE;
  tree each = build_int_cst(type, own_instructions(loop));
  for (class loop *inner = loop->inner; inner; inner = inner->next) {
    tree count = count_of(inner);
    if (!count || !expr_invariant_in_loop_p(loop, count))
      return NULL_TREE;
    each = fold_build2(PLUS_EXPR, type, each, count);
  }
  tree times = fold_build2(PLUS_EXPR, type, fold_convert(type, unshare_expr(trips)), build_one_cst(type));
  return fold_build2(MULT_EXPR, type, times, each);
}

/* Loops in a loop are mostly long.  Where they cannot be counted as a whole, they are taken to be: such a strand is
   timed, and there is no counting in it that it would have to share its registers with.  */
static void find_in(class loop *loop, timed_parts *timed) {
  tree count = count_of(loop);
  if (!count && !loop->inner)
    return;
  timed->counted.safe_push({loop, count ? count : build_int_cst(type_of_counts(), __CILKPROF_LONG)});
  basic_block *blocks = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    timed->counted_blocks.add(blocks[i]);
  free(blocks);
}

void find_counted_loops(timed_parts *timed) {
  if (!timed->loops.length())
    return;
  calculate_dominance_info(CDI_DOMINATORS);
  scev_initialize();
  for (class loop *loop : timed->loops)
    find_in(loop, timed);
  scev_finalize();
}

tree computed_count(const counted_loop &counted, gimple_seq *statements) {
  return force_gimple_operand(unshare_expr(counted.count), statements, true, NULL_TREE);
}
