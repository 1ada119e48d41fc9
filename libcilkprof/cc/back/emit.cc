/* Building blocks of instrumented functions: variables, calls of events, and the work of their own strands.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "instrumenter.h"

/* Returns a new local variable of the function, of TYPE.  NAME is for dumps; debuggers do not see it.  */
tree instrumenter::make_event_variable(tree type, const char *name) {
  tree v = create_tmp_var_raw(type, name);
  DECL_IGNORED_P(v) = 1;
  DECL_CONTEXT(v) = fun->decl;
  DECL_SEEN_IN_BIND_EXPR_P(v) = 1;
  add_local_decl(fun, v);
  return v;
}

/* Builds a call of the event WHICH, which is inlined later.  With callbacks, the call is of the function that tells a
   tool, if there is one for this event.  */
gcall *instrumenter::build_event_call(event which, std::initializer_list<tree> arguments) {
  if (calling_back && callback_for_event(which) != ENGINE_FUNCTIONS)
    return build_call_of_engine(callback_for_event(which), arguments);
  auto_vec<tree> list;
  for (tree argument : arguments)
    list.safe_push(argument);
  gcall *made = gimple_build_call_vec(event_function_decl(which), list);
  events.safe_push(made);
  return made;
}

/* Returns the kind of block, for the engine, that the marker WHICH begins: a block that is measured like a call, and
   for a lock one that belongs to the task around it.  */
tree instrumenter::block_kind_of_marker(marker which) {
  return build_int_cst(u64, __CILKPROF_BLOCK_CALL | (which == MARK_LOCK ? __CILKPROF_BLOCK_OPEN : 0));
}

/* Builds a call of a function of the engine, which is not inlined.  */
gcall *instrumenter::build_call_of_engine(engine_function which, std::initializer_list<tree> arguments) {
  auto_vec<tree> list;
  for (tree argument : arguments)
    list.safe_push(argument);
  return build_call_of_engine(which, list);
}

/* Builds a call of the function WHICH of the engine with ARGUMENTS, of which there must be as many as it has
   parameters.  */
gcall *instrumenter::build_call_of_engine(engine_function which, const vec<tree> &arguments) {
  tree function = engine_function_decl(which);
  gcc_checking_assert(arguments.length() == (unsigned)list_length(TYPE_ARG_TYPES(TREE_TYPE(function))) - 1);
  return gimple_build_call_vec(function, arguments);
}

/* Inserts STATEMENT after CALL, at AT, or on the edge by which control goes on if CALL ends its block.  Returns where
   the next statement goes.  */
gimple_stmt_iterator instrumenter::insert_event_after_call(gimple_stmt_iterator at, gimple *call, gimple *statement) {
  if (stmt_ends_bb_p(call)) {
    if (edge e = find_fallthru_edge(gimple_bb(call)->succs))
      gsi_insert_on_edge(e, statement);
  } else
    gsi_insert_after(&at, statement, GSI_NEW_STMT);
  return at;
}

/* Inserts, before AT, the event that ends the timing of a strand in hybrid mode: it adds what was timed to WORK, the
   variable with the local work.  */
void instrumenter::end_strand_timing(gimple_stmt_iterator *at, tree work) {
  gcall *end = build_event_call(EVENT_timed, {work, begin, before_begin});
  gimple_call_set_lhs(end, work);
  insert_event_before_statement(at, end);
}

/* Returns the maximum number of instructions since the timer was read, at the start of BB, or -1 if it is unknown.  It
   is 0 at the function's entry, because the caller read the timer before the call.  */
int instrumenter::instructions_since_timing_read(basic_block bb) {
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

/* Returns true if STATEMENT looks like a few instructions, but may take long.  */
static bool statement_cost_unknown_to_strand_p(gimple *statement) {
  return runs_uncounted_code_p(statement) || gimple_code(statement) == GIMPLE_ASM ||
         (gimple_store_p(statement) && !is_gimple_reg_type(TREE_TYPE(gimple_get_lhs(statement))));
}

/* Instructions that take as long as an atomic update, and as a call that sets or unsets a lock for which nobody waits.
   What these take is the order of accesses to memory, and about as many cycles on most processors.  */
enum { ATOMIC_INSTRUCTIONS = 32, LOCK_INSTRUCTIONS = 50 };

/* Returns the instructions of STATEMENT; in hybrid mode, those of an atomic operation that is not timed and of a lock
   by what they take.  What the front plugin inserted has none.  */
int instrumenter::instructions_of_strand_statement(gimple *statement) {
  if (mode == MEASURE_HYBRID && plan.locks.updates.contains(statement))
    return ATOMIC_INSTRUCTIONS;
  if (mode == MEASURE_HYBRID && counted_lock_call_p(statement))
    return LOCK_INSTRUCTIONS;
  if (synthetic_call_for_engine_p(statement) ||
      (gimple_code(statement) == GIMPLE_COND && body_choices.contains(gimple_cond_lhs(statement))))
    return 0;
  if (all_workers && prepares_deferral_p(statement))
    return profiled_spawn_p(statement) ? 1 + count_spawned_arguments(statement) : 0;
  return estimate_num_insns(statement, &eni_size_weights);
}

/* Adds the instructions of STATEMENT, in BB, to those since the last event.  Loops that are counted at their entry do
   not count here.  */
void instrumenter::count_strand_instructions(gimple *statement, basic_block bb) {
  int instructions = instructions_of_strand_statement(statement);
  if (statement_cost_unknown_to_strand_p(statement))
    since_boundary = FAR;
  else if (since_boundary >= 0 && since_boundary < FAR)
    since_boundary += instructions;
  if (!plan.timed.counted_blocks.contains(bb))
    counted += instructions;
}

/* Makes the function's variables for timed strands of hybrid mode: where timing began, and the local work before
   it.  */
void instrumenter::make_timing_variables() {
  begin = make_event_variable(u64, "cilkprof_begin");
  before_begin = make_event_variable(u64, "cilkprof_before_begin");
}

/* Adds events to STATEMENTS that start timing the strand in hybrid mode, if it is not timed yet.  WORK is the local
   work so far; at least EXPECTED instructions follow.  */
void instrumenter::start_strand_timing(gimple_seq *statements, tree work, tree expected) {
  if (!integer_zerop(expected)) {
    gcall *ends = build_event_call(EVENT_counted, {work, begin, before_begin, expected}),
          *still = build_event_call(EVENT_still, {begin, expected});
    gimple_call_set_lhs(ends, work);
    gimple_call_set_lhs(still, begin);
    gimple_seq_add_stmt(statements, ends);
    gimple_seq_add_stmt(statements, still);
  }
  gcall *save = build_event_call(EVENT_work_before, {begin, before_begin, work}),
        *timer = build_event_call(
            EVENT_timing, {begin, event_address_operand_of(make_timing_point_record(plan.timed.uncounted)), expected});
  gimple_call_set_lhs(save, before_begin);
  gimple_call_set_lhs(timer, begin);
  gimple_seq_add_stmt(statements, save);
  gimple_seq_add_stmt(statements, timer);
}

/* Returns the number of instructions of LOOP, which is about to be entered, or 0 if it is unknown.  Adds the statements
   that compute it to STATEMENTS.  */
tree instrumenter::expected_strand_loop_instructions(class loop *loop, gimple_seq *statements) {
  for (const counted_loop &each : plan.timed.counted)
    if (each.loop == loop)
      return build_strand_loop_instruction_count(each, statements);
  return build_zero_cst(u64);
}

/* Adds the instructions of every loop that is counted as a whole to the local work, on the edges that enter the
   loop.  */
void instrumenter::add_counted_loops_at_entry() {
  for (const counted_loop &each : plan.timed.counted) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, each.loop->header->preds)
      if (!flow_bb_inside_loop_p(each.loop, e->src)) {
        gimple_seq add = NULL;
        tree all = build_strand_loop_instruction_count(each, &add);
        gimple_seq_add_stmt(&add, gimple_build_assign(local_work, PLUS_EXPR, local_work, all));
        gsi_insert_seq_on_edge(e, add);
      }
  }
}

/* Returns the address of the function that CALL calls or spawns, as an operand for another statement.  */
tree event_callee_address(gimple *call) {
  tree callee = profiled_spawn_p(call) ? gimple_call_arg(call, gimple_call_num_args(call) - 1) : gimple_call_fn(call);
  if (TREE_CODE(callee) == OBJ_TYPE_REF)
    callee = OBJ_TYPE_REF_EXPR(callee);
  return unshare_expr(callee);
}
