/* Hybrid mode: counting the instructions of loops without a counter in them.
   SPDX-License-Identifier: GPL-3.0-or-later

   What an innermost loop does is about the same in every iteration, and how often it will run is mostly known when it
   is entered.  The count is only a measure by which timed executions are compared with those that are not: where a loop
   has branches, it is taken to go half of them.  */

#include "back.h"

static int instructions_of(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  int always = 0, sometimes = 0;
  for (unsigned i = 0; i < loop->num_nodes; i++) {
    int &sum = dominated_by_p(CDI_DOMINATORS, loop->latch, blocks[i]) ? always : sometimes;
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at); gsi_next(&at))
      if (!is_gimple_debug(gsi_stmt(at)))
        sum += estimate_num_insns(gsi_stmt(at), &eni_size_weights);
  }
  free(blocks);
  return always + sometimes / 2;
}

static void add_loop(class loop *loop, timed_parts *timed) {
  if (!loop->latch || EDGE_COUNT(loop->header->preds) != 2) /* a loop that is entered in odd ways keeps them */
    return;
  tree trips = number_of_latch_executions(loop);
  if (!trips || chrec_contains_undetermined(trips) || tree_contains_chrecs(trips, NULL) ||
      expression_expensive_p(trips))
    return;
  timed->counted.safe_push({loop, trips, MAX(instructions_of(loop), 1)});
  basic_block *blocks = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    timed->counted_blocks.add(blocks[i]);
  free(blocks);
}

static void find_innermost(class loop *loop, timed_parts *timed) {
  if (!loop->inner)
    add_loop(loop, timed);
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    find_innermost(inner, timed);
}

void find_counted_loops(timed_parts *timed) {
  if (!timed->loops.length())
    return;
  calculate_dominance_info(CDI_DOMINATORS);
  scev_initialize();
  for (class loop *loop : timed->loops)
    find_innermost(loop, timed);
  scev_finalize();
}

/* (trips + 1) * instructions, computed by STATEMENTS.  */
tree trips_times(const counted_loop &counted, tree type, gimple_seq *statements) {
  tree times = fold_build2(PLUS_EXPR, type, fold_convert(type, unshare_expr(counted.trips)), build_one_cst(type));
  tree all = fold_build2(MULT_EXPR, type, times, build_int_cst(type, counted.instructions));
  return force_gimple_operand(all, statements, true, NULL_TREE);
}
