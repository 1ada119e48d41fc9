/* Hybrid mode: counting the instructions of a loop at its entry, without a counter in it.
   SPDX-License-Identifier: GPL-3.0-or-later

   The iterations of a loop do about the same, and their number is mostly known when the loop is entered.  That also
   holds for loops in it, unless their number of iterations depends on the outer iteration.  The count only serves to
   relate timed executions to untimed ones, so conditional code is taken to be executed half of the time.  Where the
   number is not known, each iteration counts once, in the header: a counter on every path would take registers, and the
   time of one instruction after the other.  */

#include "back.h"

/* Returns the estimated number of instructions of one iteration of LOOP, without those of inner loops; at least 1.
   Conditional code counts half.  */
static int instructions_per_strand_iteration(class loop *loop) {
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

/* Returns an expression for how often the latch of LOOP is executed, or NULL_TREE if that is unknown or expensive to
   compute.  Loops with several entries or latches are left alone.  */
static tree strand_loop_latch_count(class loop *loop) {
  if (!loop->latch || EDGE_COUNT(loop->header->preds) != 2)
    return NULL_TREE;
  bool overflows; /* ignored: an overflow only makes the estimate wrong */
  tree trips = number_of_latch_executions(loop);
  if (!trips || chrec_contains_undetermined(trips) || tree_contains_chrecs(trips, NULL) ||
      expression_expensive_p(trips, &overflows))
    return NULL_TREE;
  return expand_simple_operations(trips); /* in terms of values from outside all loops, if possible */
}

/* Returns the number of instructions of LOOP and its inner loops, as an expression that is known at its entry; or
   NULL_TREE.  */
static tree strand_loop_instruction_count(class loop *loop) {
  tree trips = strand_loop_latch_count(loop), type = engine_work_type_tree();
  if (!trips)
    return NULL_TREE;
  tree each = build_int_cst(type, instructions_per_strand_iteration(loop));
  for (class loop *inner = loop->inner; inner; inner = inner->next) {
    tree count = strand_loop_instruction_count(inner);
    if (!count || !expr_invariant_in_loop_p(loop, count))
      return NULL_TREE;
    each = fold_build2(PLUS_EXPR, type, each, count);
  }
  tree times = fold_build2(PLUS_EXPR, type, fold_convert(type, unshare_expr(trips)), build_one_cst(type));
  return fold_build2(MULT_EXPR, type, times, each);
}

/* Adds LOOP to the loops of TIMED that are counted as a whole, if its count is known or it has inner loops; else to
   those whose iterations are counted.  Nested loops mostly run long, so they are taken to if their count is unknown:
   the strand is timed then, and no counter takes registers from the loops.  */
static void note_counted_loop(class loop *loop, timed_parts *timed) {
  tree count = strand_loop_instruction_count(loop);
  if (count || loop->inner)
    timed->counted.safe_push({loop, count ? count : build_int_cst(engine_work_type_tree(), __CILKPROF_LONG)});
  else
    timed->iterations.put(loop->header, instructions_per_strand_iteration(loop));
  basic_block *blocks = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    timed->counted_blocks.add(blocks[i]);
  free(blocks);
}

/* Finds those of the timed loops in TIMED whose instructions are counted at their entry, without a counter in the
   loop.  */
void find_counted_loops(timed_parts *timed) {
  if (!timed->loops.length())
    return;
  calculate_dominance_info(CDI_DOMINATORS);
  scev_initialize();
  for (class loop *loop : timed->loops)
    note_counted_loop(loop, timed);
  scev_finalize();
}

/* Returns the number of instructions of a COUNTED loop as an operand, and adds the statements that compute it to
   STATEMENTS.  */
tree build_strand_loop_instruction_count(const counted_loop &counted, gimple_seq *statements) {
  return force_gimple_operand(unshare_expr(counted.count), statements, true, NULL_TREE);
}
