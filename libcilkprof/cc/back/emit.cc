/* Building blocks of instrumented functions: variables, calls of events, and the work of their own strands.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "instrumenter.h"

tree instrumenter::variable(tree type, const char *name) {
  tree v = create_tmp_var_raw(type, name);
  DECL_IGNORED_P(v) = 1;
  DECL_CONTEXT(v) = fun->decl;
  DECL_SEEN_IN_BIND_EXPR_P(v) = 1;
  add_local_decl(fun, v);
  return v;
}

gcall *instrumenter::event_call(event which, std::initializer_list<tree> arguments) {
  if (calling_back && callback_of(which) != ENGINE_FUNCTIONS)
    return engine_call(callback_of(which), arguments);
  auto_vec<tree> list;
  for (tree argument : arguments)
    list.safe_push(argument);
  gcall *made = gimple_build_call_vec(event_function(which), list);
  events.safe_push(made);
  return made;
}

tree instrumenter::kind_of_call(marker which) {
  return build_int_cst(u64, __CILKPROF_BLOCK_CALL | (which == MARK_LOCK ? __CILKPROF_BLOCK_OPEN : 0));
}

tree engine_thread() {
  return symtab_node::get_for_asmname(get_identifier("__cilkprof_self"))->decl;
}

/* Builds a call of a function of the engine, which is not inlined.  */
gcall *instrumenter::engine_call(engine_function which, std::initializer_list<tree> arguments) {
  auto_vec<tree> list;
  for (tree argument : arguments)
    list.safe_push(argument);
  return engine_call(which, list);
}

gcall *instrumenter::engine_call(engine_function which, const vec<tree> &arguments) {
  tree function = function_of_engine(which);
  gcc_checking_assert(arguments.length() == (unsigned)list_length(TYPE_ARG_TYPES(TREE_TYPE(function))) - 1);
  return gimple_build_call_vec(function, arguments);
}

/* Inserts STATEMENT after a call and returns where the next one goes.  */
gimple_stmt_iterator instrumenter::after(gimple_stmt_iterator at, gimple *call, gimple *statement) {
  if (stmt_ends_bb_p(call)) {
    if (edge e = find_fallthru_edge(gimple_bb(call)->succs))
      gsi_insert_on_edge(e, statement);
  } else
    gsi_insert_after(&at, statement, GSI_NEW_STMT);
  return at;
}

/* Adds to WORK, the local work, what was timed.  */
void instrumenter::end_timing(gimple_stmt_iterator *at, tree work) {
  gcall *end = event_call(EVENT_timed, {work, begin, before_begin});
  gimple_call_set_lhs(end, work);
  before(at, end);
}

/* The maximum number of instructions since the timer was read, at the start of BB, or -1 if it is unknown.  It is 0 at
   the function's entry, because the caller read the timer before the call.  */
int instrumenter::since_before(basic_block bb) {
  edge e;
  edge_iterator ei;
  int most = 0;
  FOR_EACH_EDGE (e, ei, bb->preds) {
    int *since = since_at_end.get(e->src);
    if (e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun))
      continue;
    if (!since || *since < 0 || e->flags & (EDGE_ABNORMAL | EDGE_EH))
      return -1;
    most = MAX(most, *since);
  }
  return most;
}

/* The statement looks like a few instructions, but may take long.  */
static bool of_unknown_cost_p(gimple *statement) {
  return uncounted_p(statement) || gimple_code(statement) == GIMPLE_ASM ||
         (gimple_store_p(statement) && !is_gimple_reg_type(TREE_TYPE(gimple_get_lhs(statement))));
}

/* An atomic operation that is not timed counts as ATOMIC instructions.  */
void instrumenter::count(gimple *statement, basic_block bb) {
  if (synthetic_call_p(statement))
    return;
  enum { ATOMIC = 20 };
  int instructions = mode == MEASURE_HYBRID && plan.locks.updates.contains(statement)
                         ? ATOMIC
                         : estimate_num_insns(statement, &eni_size_weights);
  if (of_unknown_cost_p(statement))
    since_boundary = FAR;
  else if (since_boundary >= 0 && since_boundary < FAR)
    since_boundary += instructions;
  if (!plan.timed.counted_blocks.contains(bb))
    counted += instructions;
}

void instrumenter::make_timing_variables() {
  begin = variable(u64, "cilkprof_begin");
  before_begin = variable(u64, "cilkprof_before_begin");
}

/* Starts timing the strand.  WORK is the local work so far; at least EXPECTED instructions follow.  */
void instrumenter::start_timing(gimple_seq *statements, tree work, tree expected) {
  if (!integer_zerop(expected)) {
    gcall *ends = event_call(EVENT_counted, {work, begin, before_begin, expected}),
          *still = event_call(EVENT_still, {begin, expected});
    gimple_call_set_lhs(ends, work);
    gimple_call_set_lhs(still, begin);
    gimple_seq_add_stmt(statements, ends);
    gimple_seq_add_stmt(statements, still);
  }
  gcall *save = event_call(EVENT_work_before, {begin, before_begin, work}),
        *timer = event_call(EVENT_timing, {begin, address(timing_point_record()), expected});
  gimple_call_set_lhs(save, before_begin);
  gimple_call_set_lhs(timer, begin);
  gimple_seq_add_stmt(statements, save);
  gimple_seq_add_stmt(statements, timer);
}

/* The number of instructions of a loop that is about to be entered, or 0 if unknown.  */
tree instrumenter::expected_of(class loop *loop, gimple_seq *statements) {
  for (const counted_loop &each : plan.timed.counted)
    if (each.loop == loop)
      return computed_count(each, statements);
  return build_zero_cst(u64);
}

/* At the entry of every loop that is counted as a whole, adds its instructions to the local work.  */
void instrumenter::count_loops() {
  for (const counted_loop &each : plan.timed.counted) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, each.loop->header->preds)
      if (!flow_bb_inside_loop_p(each.loop, e->src)) {
        gimple_seq add = NULL;
        tree all = computed_count(each, &add);
        gimple_seq_add_stmt(&add, gimple_build_assign(local_work, PLUS_EXPR, local_work, all));
        gsi_insert_seq_on_edge(e, add);
      }
  }
}

tree callee_address(gimple *call) {
  tree callee = gimple_call_fn(call);
  if (TREE_CODE(callee) == OBJ_TYPE_REF)
    callee = OBJ_TYPE_REF_EXPR(callee);
  return unshare_expr(callee);
}
