/* Outlined events: the work between two events, which the second one is passed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outlined.h"

/* Returns the work since the last event, as far as it was done in this block.  In clock mode that is a new variable,
   from an event before AT that reads the timer.  */
tree outlined_instrumenter::work_since_event(gimple_stmt_iterator *at) {
  if (mode != MEASURE_CLOCK)
    return build_int_cst(u64, counted);
  bool returns = gimple_code(gsi_stmt(*at)) == GIMPLE_RETURN;
  if (returns && since_boundary >= 0 && since_boundary < SHORT_STRAND)
    return build_zero_cst(u64);
  tree work = make_ssa_name(u64);
  bool few = since_boundary >= 0 && since_boundary < FEW;
  gcall *read = build_call_of_engine(CALL_o_boundary, {build_int_cst(u64, few ? since_boundary + 1 : 0)});
  gimple_call_set_lhs(read, work);
  insert_event_before_statement(at, read);
  since_boundary = 0;
  return work;
}

/* Builds a call of the outlined event WHICH, for the place AT.  A NULL_TREE in ARGUMENTS stands for the work since the
   last event.  */
gcall *outlined_instrumenter::build_outlined_event(gimple_stmt_iterator *at, engine_function which,
                                                   std::initializer_list<tree> arguments) {
  auto_vec<tree> list;
  unsigned work_argument = 0;
  for (tree argument : arguments) {
    if (!argument)
      work_argument = list.length();
    list.safe_push(argument ? argument : work_since_event(at));
  }
  return note_outlined_work_argument(build_call_of_engine(which, list), work_argument);
}

/* Builds the event of a function without a frame.  It is the event INLINED, since both are short, or a call of CALLED
   at -O0, where inlining would not be faster, and in code that is optimised for size.  */
gcall *outlined_instrumenter::build_bare_event(enum event inlined, engine_function called,
                                               std::initializer_list<tree> arguments) {
  if (opt_for_fn(fun->decl, optimize) && optimize_function_for_speed_p(fun) && !always_outline &&
      unit_has_event_bodies_p())
    return build_event_call(inlined, arguments);
  return build_call_of_engine(called, arguments);
}

/* Builds the event that adds WORK to the sum of what a bare function has done so far, which is kept if the function may
   be timed.  */
gcall *outlined_instrumenter::build_outlined_work_so_far(tree work) {
  gcall *add = build_event_call(EVENT_work_so_far, {work, so_far});
  gimple_call_set_lhs(add, so_far);
  return add;
}

/* Notes that the event MADE is passed the work since the last event as this ARGUMENT.  Returns MADE.  */
gcall *outlined_instrumenter::note_outlined_work_argument(gcall *made, unsigned argument) {
  if (!here->has_event && mode != MEASURE_CLOCK) {
    here->first_event = made;
    here->first_argument = argument;
    here->before_first = counted;
  }
  here->has_event = true;
  timing = false;
  counted = 0;
  return made;
}

/* Returns the work since the last event at the end of BB: a constant, the variable LOCAL_WORK, or not known yet.  */
since_event outlined_instrumenter::outlined_work_at_block_end(basic_block bb) {
  since_event end;
  if (bb == ENTRY_BLOCK_PTR_FOR_FN(fun)) {
    end.kind = since_event::CONSTANT;
    return end;
  }
  block_work *work = works.get(bb);
  if (work->has_event)
    end.kind = since_event::CONSTANT;
  else
    end = work->at_start;
  end.instructions += work->counted;
  return end;
}

/* Finds, for each of BLOCKS, the work since the last event at its start, until nothing changes.  Where paths of
   different length meet, it is in LOCAL_WORK.  */
void outlined_instrumenter::find_outlined_work_at_block_starts(const vec<basic_block> &blocks) {
  for (bool changed = true; changed;) {
    changed = false;
    for (basic_block bb : blocks) {
      block_work *work = works.get(bb);
      since_event start = work->at_start;
      edge e;
      edge_iterator ei;
      if (timed_headers.contains(bb) || plan.serial.end_blocks.contains(bb))
        start.kind = since_event::VARIABLE; /* LOCAL_WORK is set by start_timing_at_loop_entries, or read by an event */
      else
        FOR_EACH_EDGE (e, ei, bb->preds)
          start.meet_work_since_event(outlined_work_at_block_end(e->src));
      changed |= start != work->at_start;
      work->at_start = start;
    }
  }
}

/* Adds what was done before the block to the argument of its first event.  WORK is that of the block.  */
void outlined_instrumenter::complete_first_event_work(const block_work &work) {
  if (!work.first_event)
    return;
  tree done = local_work;
  if (work.at_start.kind != since_event::VARIABLE)
    done = build_int_cst(u64, work.at_start.instructions + work.before_first);
  else if (work.before_first) {
    gimple_stmt_iterator at = gsi_for_stmt(work.first_event);
    insert_event_before_statement(&at, build_outlined_work_addition(work.before_first));
  }
  gimple_call_set_arg(work.first_event, work.first_argument, done);
  update_stmt(work.first_event);
}

/* Stores the work since the last event into LOCAL_WORK at the end of BB, if a successor reads it there.  */
void outlined_instrumenter::store_outlined_work_at_block_end(basic_block bb, const block_work &work) {
  since_event end = outlined_work_at_block_end(bb);
  bool needed = false;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->succs)
    if (e->dest != EXIT_BLOCK_PTR_FOR_FN(fun))
      needed |= works.get(e->dest)->at_start.kind == since_event::VARIABLE ||
                (end.kind == since_event::VARIABLE && timed_headers.contains(e->dest));
  bool variable = end.kind == since_event::VARIABLE;
  if (!needed || (variable && !work.counted))
    return;
  gimple *store = variable ? build_outlined_work_addition(work.counted)
                           : gimple_build_assign(local_work, build_int_cst(u64, end.instructions));
  gimple_stmt_iterator at = gsi_last_bb(bb);
  if (!gsi_end_p(at) && stmt_ends_bb_p(gsi_stmt(at)))
    insert_event_before_statement(&at, store);
  else
    gsi_insert_after(&at, store, GSI_NEW_STMT);
}

/* Clears LOCAL_WORK at the entry if the first block reads it: a function may begin with a loop.  */
void outlined_instrumenter::clear_outlined_work_at_entry() {
  edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  if (works.get(e->dest)->at_start.kind == since_event::VARIABLE)
    gsi_insert_on_edge(e, gimple_build_assign(local_work, build_zero_cst(u64)));
}

/* Clears the variables for timed strands at the entry of a function without a frame.  */
void outlined_instrumenter::clear_timing_at_entry() {
  edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  for (tree each : {begin, before_begin, so_far})
    if (each)
      gsi_insert_on_edge(e, gimple_build_assign(each, build_zero_cst(u64)));
}

/* Replaces events of calls by shorter ones that are not passed the work before the call, because the record of the site
   has it.  */
void outlined_instrumenter::shorten_call_events() {
  for (const call_event &each : calls) {
    tree site = gimple_call_arg(each.made, 0), work = gimple_call_arg(each.made, 1);
    if (TREE_CODE(work) != INTEGER_CST || !store_work_in_site(each.site, tree_to_uhwi(work)))
      continue;
    gcall *shorter = gimple_call_num_args(each.made) == 3
                         ? build_call_of_engine(each.shorter, {site, gimple_call_arg(each.made, 2)})
                         : build_call_of_engine(each.shorter, {site});
    gimple_stmt_iterator at = gsi_for_stmt(each.made);
    gsi_replace(&at, shorter, false);
  }
}
