/* How compiled loops and the runtime tell each other which iterations to run.
   SPDX-License-Identifier: GPL-3.0-or-later

   The thread has a variable struct __cilkprof_r_range.  The function with a cilk_for stores there how many iterations
   it has, and the body of the loop, a function of its own, reads there which of them it is to run now.  */

#include "parallel.h"
#include "libcilkprof/abi/parallel.h"

static_assert(offsetof(struct __cilkprof_r_range, thrown) == RANGE_THROWN * sizeof(long));

/* Returns __cilkprof_r_range, the thread's variable by which compiled loops and the runtime pass ranges of iterations
   to each other.  */
tree parallel_range_variable() {
  unsigned words = sizeof(struct __cilkprof_r_range) / sizeof(long);
  return runtime_thread_variable("__cilkprof_r_range", build_array_type_nelts(long_unsigned_type_node, words));
}

/* Returns a reference to word WHICH of the thread's range.  It can be assigned to.  */
tree build_parallel_range_word(range_word which) {
  return build4(ARRAY_REF, long_unsigned_type_node, parallel_range_variable(), size_int(which), NULL_TREE, NULL_TREE);
}

/* Makes the end of BEFORE, which has one successor, branch to OTHER if CONDITION holds.  */
static void add_parallel_branch_at_end(basic_block before, basic_block other, tree condition) {
  gimple_stmt_iterator end = gsi_last_bb(before);
  gcond *test = gimple_build_cond(NE_EXPR, condition, build_zero_cst(TREE_TYPE(condition)), NULL_TREE, NULL_TREE);
  gsi_insert_after(&end, test, GSI_NEW_STMT);
  edge otherwise = single_succ_edge(before), branch = make_edge(before, other, EDGE_TRUE_VALUE);
  otherwise->flags = (otherwise->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  branch->probability = otherwise->probability = profile_probability::even();
}

/* Returns a new block behind AFTER, in the same loop, which goes on to NEXT.  */
static basic_block new_parallel_block_to(basic_block after, basic_block next) {
  basic_block made = create_empty_bb(after);
  if (current_loops)
    add_bb_to_loop(made, after->loop_father);
  made->count = after->count;
  make_single_succ_edge(made, next, EDGE_FALLTHRU);
  return made;
}

/* Adds the statements that compute CONDITION for LOOP, a call of the runtime, to the end of BLOCK, and returns its
   value.  */
static tree compute_parallel_value_at_end(basic_block block, tree condition, gimple *loop) {
  gimple_seq computation = NULL;
  tree value = force_gimple_operand(condition, &computation, true, NULL);
  annotate_all_with_location(computation, gimple_location(loop));
  tag_loop_statements(computation, loop);
  gimple_stmt_iterator end = gsi_last_bb(block);
  gsi_insert_seq_after(&end, computation, GSI_NEW_STMT);
  return value;
}

/* What a loop passes to the runtime: how many iterations it has, and the grain size.  */
struct loop_size {
  tree trips, grain;
};

/* Returns the condition that a loop of SIZE is short: it has no more iterations than the runtime has learned at SITE to
   be short, or than a grain, and it need not be measured again.  */
static tree short_loop_condition(const loop_size &size, tree site) {
  tree number = long_unsigned_type_node;
  tree learned = build4(ARRAY_REF, number, site, size_zero_node, NULL_TREE, NULL_TREE);
  tree few = build2(LE_EXPR, boolean_type_node, size.trips, fold_build2(MAX_EXPR, number, learned, size.grain));
  tree unmeasured =
      build2(NE_EXPR, boolean_type_node, build_parallel_range_word(RANGE_PLAIN_RUNS), build_zero_cst(number));
  return build2(TRUTH_AND_EXPR, boolean_type_node, few, unmeasured);
}

/* Adds the statements that count a short loop, LOOP, which is not measured, to BLOCK.  */
static void build_plain_loop_countdown(basic_block block, gimple *loop) {
  gimple_seq count = NULL;
  tree number = long_unsigned_type_node, runs = create_tmp_var(number, "cilk_runs");
  gimple_seq_add_stmt(&count, gimple_build_assign(runs, build_parallel_range_word(RANGE_PLAIN_RUNS)));
  gimple_seq_add_stmt(&count, gimple_build_assign(runs, MINUS_EXPR, runs, build_one_cst(number)));
  gimple_seq_add_stmt(&count, gimple_build_assign(build_parallel_range_word(RANGE_PLAIN_RUNS), runs));
  annotate_all_with_location(count, gimple_location(loop));
  tag_loop_statements(count, loop);
  gimple_stmt_iterator at = gsi_start_bb(block);
  gsi_insert_seq_after(&at, count, GSI_CONTINUE_LINKING);
}

/* Removes the statement of BLOCK that stores word WHICH of the thread's range.  Returns what it stores, or NULL_TREE if
   there is none.  */
static tree take_stored_range_word(basic_block block, range_word which) {
  tree wanted = build_parallel_range_word(which);
  for (gimple_stmt_iterator at = gsi_last_bb(block); !gsi_end_p(at); gsi_prev(&at)) {
    if (!gimple_assign_single_p(gsi_stmt(at)) || !operand_equal_p(gimple_assign_lhs(gsi_stmt(at)), wanted))
      continue;
    tree value = gimple_assign_rhs1(gsi_stmt(at));
    gsi_remove(&at, true);
    return value;
  }
  return NULL_TREE;
}

/* Adds statements to the start of BLOCK that store the range of a whole loop of SIZE, as LOOP needs it, which is in the
   block.  */
static void store_whole_range(basic_block block, const loop_size &size, gimple *loop) {
  gimple_seq store = NULL;
  gimple_seq_add_stmt(&store, gimple_build_assign(build_parallel_range_word(RANGE_GRAIN), size.grain));
  gimple_seq_add_stmt(
      &store, gimple_build_assign(build_parallel_range_word(RANGE_LOW), build_zero_cst(long_unsigned_type_node)));
  gimple_seq_add_stmt(&store, gimple_build_assign(build_parallel_range_word(RANGE_HIGH), size.trips));
  annotate_all_with_location(store, gimple_location(loop));
  tag_loop_statements(store, loop);
  gimple_stmt_iterator at = gsi_after_labels(block);
  gsi_insert_seq_before(&at, store, GSI_SAME_STMT);
}

/* Returns true if a statement after AT in its block reads CAPTURED, where a loop left the value of a variable.  */
static bool parallel_capture_read_after(gimple_stmt_iterator at, tree captured) {
  for (gsi_next(&at); !gsi_end_p(at); gsi_next(&at))
    if (gimple_assign_single_p(gsi_stmt(at)) && get_base_address(gimple_assign_rhs1(gsi_stmt(at))) == captured)
      return true;
  return false;
}

/* Returns the first of the statements directly before AT that store what a loop captures in the variable CAPTURED, and
   what these need; AT if they are not all there, or if the loop leaves values in CAPTURED.  */
static gimple_stmt_iterator first_parallel_capture(gimple_stmt_iterator at, tree captured) {
  gimple_stmt_iterator first = at, none = at;
  int missing = captured ? list_length(TYPE_FIELDS(TREE_TYPE(captured))) : 0;
  for (gsi_prev(&at); missing > 0 && !gsi_end_p(at); gsi_prev(&at)) {
    gimple *each = gsi_stmt(at);
    if (is_gimple_debug(each))
      continue;
    if (!is_gimple_assign(each))
      break;
    tree to = gimple_assign_lhs(each);
    if (TREE_CODE(to) == COMPONENT_REF && TREE_OPERAND(to, 0) == captured)
      missing--;
    else if (!is_gimple_reg(to))
      break;
    first = at;
  }
  return missing > 0 || parallel_capture_read_after(none, captured) ? none : first;
}

/* Callback for walk_gimple_op: replaces the variable at PLACE, if it is the first of the two in DATA, by the other.  */
static tree replace_parallel_capture(tree *place, int *walk_subtrees, void *data) {
  tree *variables = (tree *)((walk_stmt_info *)data)->info;
  if (*place == variables[0])
    *place = variables[1];
  *walk_subtrees = !TYPE_P(*place);
  return NULL_TREE;
}

/* Fills BLOCK with a plain call of FUNCTION(DATA), the body of LOOP, and with copies of the statements from FIRST to
   LOOP, which store what it captures in the variable CAPTURED.  Then the call has a variable of its own for that, so
   that nothing is stored if it is inlined.  */
static void call_parallel_body_plainly(basic_block block, tree function, tree data, tree captured,
                                       gimple_stmt_iterator first, gimple *loop) {
  bool copied = gsi_stmt(first) != loop;
  tree own = copied ? create_tmp_var(TREE_TYPE(captured), "cilk_captured") : NULL_TREE, variables[] = {captured, own};
  gimple_stmt_iterator to = gsi_start_bb(block);
  walk_stmt_info info;
  memset(&info, 0, sizeof info);
  info.info = variables;
  for (; gsi_stmt(first) != loop; gsi_next(&first)) {
    if (is_gimple_debug(gsi_stmt(first)))
      continue;
    gimple *copy = gimple_copy(gsi_stmt(first));
    walk_gimple_op(copy, replace_parallel_capture, &info);
    gsi_insert_after(&to, copy, GSI_CONTINUE_LINKING);
  }
  gcall *call = gimple_build_call(function, 1, own ? build_spawn_address_of(own) : data);
  gimple_call_set_nothrow(call, true);
  gimple_set_location(call, gimple_location(loop));
  gsi_insert_after(&to, call, GSI_CONTINUE_LINKING);
}

/* Divides the block of STATEMENT so that it is the first of a block.  Returns the block before.  */
static basic_block split_parallel_block_before(gimple *statement) {
  gimple_stmt_iterator at = gsi_for_stmt(statement);
  basic_block block = gsi_bb(at);
  gsi_prev(&at);
  return gsi_end_p(at) ? split_block_after_labels(block)->src : split_block(block, gsi_stmt(at))->src;
}

/* Returns the size of the loop that BLOCK passes to the runtime, and removes the statements by which it does; they are
   all in one block.  What is stored before it is read again.  */
static loop_size take_parallel_loop_size(basic_block block) {
  if (tree trips = take_stored_range_word(block, RANGE_HIGH)) {
    take_stored_range_word(block, RANGE_LOW);
    return {trips, take_stored_range_word(block, RANGE_GRAIN)};
  }
  return {build_parallel_range_word(RANGE_HIGH), build_parallel_range_word(RANGE_GRAIN)};
}

/* Puts a choice before the statement AT, which has the runtime run the loop of SITE with the body FUNCTION(DATA): a
   loop that is short, and any loop where there is no other worker, is run by a plain call.  */
void choose_plain_parallel_loop(gimple_stmt_iterator *at, tree function, tree data, tree site) {
  gimple *loop = gsi_stmt(*at);
  tree captured = TREE_CODE(data) == ADDR_EXPR ? TREE_OPERAND(data, 0) : NULL_TREE;
  gimple *first = gsi_stmt(first_parallel_capture(*at, captured));
  basic_block before = split_parallel_block_before(first);
  basic_block divided = gimple_bb(first), next = split_block(divided, loop)->dest;
  basic_block plain = new_parallel_block_to(divided, next), counted = new_parallel_block_to(divided, plain);
  call_parallel_body_plainly(plain, function, data, captured, gsi_for_stmt(first), loop);
  loop_size size = take_parallel_loop_size(before);
  if (is_gimple_val(size.trips)) {
    store_whole_range(divided, size, loop);
    store_whole_range(plain, size, loop);
  }
  build_plain_loop_countdown(counted, loop);
  basic_block second = split_edge(single_succ_edge(before));
  tree all = build2(LE_EXPR, boolean_type_node, size.trips, build_parallel_range_word(RANGE_UNDIVIDED));
  add_parallel_branch_at_end(second, counted,
                             compute_parallel_value_at_end(second, short_loop_condition(size, site), loop));
  add_parallel_branch_at_end(before, plain, compute_parallel_value_at_end(before, all, loop));
  *at = gsi_for_stmt(loop);
}
