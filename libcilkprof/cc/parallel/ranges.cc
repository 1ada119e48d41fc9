/* How compiled loops and the runtime tell each other which iterations to run.
   SPDX-License-Identifier: GPL-3.0-or-later

   The thread has a variable struct __cilkprof_r_range.  The function with a cilk_for stores there how many iterations
   it has, and the body of the loop, a function of its own, reads there which of them it is to run now.  */

#include "parallel.h"
#include "libcilkprof/abi/parallel.h"

static_assert(offsetof(struct __cilkprof_r_range, thrown) == RANGE_THROWN * sizeof(long));

/* Returns word WHICH of the thread's range, as an lvalue.  */
tree range_of_thread(range_word which) {
  tree number = long_unsigned_type_node;
  tree type = build_array_type_nelts(number, sizeof(struct __cilkprof_r_range) / sizeof(long));
  return build4(ARRAY_REF, number, runtime_thread_variable("__cilkprof_r_range", type), size_int(which), NULL_TREE,
                NULL_TREE);
}

/* Returns a new block that is executed in place of DIVIDED, which starts with a call of the runtime and has one
   successor, if CONDITION holds at the end of BEFORE.  */
static basic_block add_alternative_block(basic_block before, basic_block divided, tree condition) {
  gimple_stmt_iterator end = gsi_last_bb(before);
  gcond *test = gimple_build_cond(NE_EXPR, condition, build_zero_cst(TREE_TYPE(condition)), NULL_TREE, NULL_TREE);
  gsi_insert_after(&end, test, GSI_NEW_STMT);
  basic_block plain = create_empty_bb(divided);
  if (current_loops)
    add_bb_to_loop(plain, before->loop_father);
  edge otherwise = single_succ_edge(before);
  otherwise->flags = (otherwise->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  otherwise->probability = profile_probability::even();
  edge short_way = make_edge(before, plain, EDGE_TRUE_VALUE);
  short_way->probability = profile_probability::even();
  plain->count = short_way->count();
  divided->count = otherwise->count();
  make_single_succ_edge(plain, single_succ(divided), EDGE_FALLTHRU);
  return plain;
}

/* Returns the condition that the loop that LOOP runs is short: it has no more iterations than the runtime has learned
   at SITE to be short, or than a grain, and it need not be measured again.  *BEFORE gets the statements that compute
   it.  */
static tree test_for_short_loop(gimple *loop, tree site, gimple_seq *before) {
  tree number = long_unsigned_type_node;
  tree learned = build4(ARRAY_REF, number, site, size_zero_node, NULL_TREE, NULL_TREE);
  tree most = build2(MAX_EXPR, number, learned, range_of_thread(RANGE_GRAIN));
  tree few = build2(LE_EXPR, boolean_type_node, range_of_thread(RANGE_HIGH), most);
  tree unmeasured = build2(NE_EXPR, boolean_type_node, range_of_thread(RANGE_PLAIN_RUNS), build_zero_cst(number));
  tree condition = force_gimple_operand(build2(TRUTH_AND_EXPR, boolean_type_node, few, unmeasured), before, true, NULL);
  annotate_all_with_location(*before, gimple_location(loop));
  tag_loop_statements(*before, loop);
  return condition;
}

/* Returns the statements that count a short loop, LOOP, which is not measured.  */
static gimple_seq count_plain_run(gimple *loop) {
  gimple_seq count = NULL;
  tree number = long_unsigned_type_node, runs = create_tmp_var(number, "cilk_runs");
  gimple_seq_add_stmt(&count, gimple_build_assign(runs, range_of_thread(RANGE_PLAIN_RUNS)));
  gimple_seq_add_stmt(&count, gimple_build_assign(runs, MINUS_EXPR, runs, build_one_cst(number)));
  gimple_seq_add_stmt(&count, gimple_build_assign(range_of_thread(RANGE_PLAIN_RUNS), runs));
  annotate_all_with_location(count, gimple_location(loop));
  tag_loop_statements(count, loop);
  return count;
}

/* Puts a choice before the statement AT, which has the runtime run the loop of SITE with the body FUNCTION(DATA): a
   short loop is run by a plain call.  */
void choose_plain_loop(gimple_stmt_iterator *at, tree function, tree data, tree site) {
  gimple *loop = gsi_stmt(*at);
  gimple_seq test = NULL;
  tree condition = test_for_short_loop(loop, site, &test);
  gsi_insert_seq_before(at, test, GSI_SAME_STMT);
  gsi_prev(at);
  basic_block before = gsi_bb(*at), divided = split_block(before, gsi_stmt(*at))->dest;
  split_block(divided, loop);
  gimple_stmt_iterator plain = gsi_start_bb(add_alternative_block(before, divided, condition));
  gsi_insert_seq_after(&plain, count_plain_run(loop), GSI_CONTINUE_LINKING);
  gcall *call = gimple_build_call(function, 1, data);
  gimple_call_set_nothrow(call, true);
  gimple_set_location(call, gimple_location(loop));
  gsi_insert_after(&plain, call, GSI_CONTINUE_LINKING);
  *at = gsi_for_stmt(loop);
}
