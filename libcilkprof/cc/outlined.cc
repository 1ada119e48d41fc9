/* Functions that call their events: where, and which.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outlined.h"

/* As far as it was done in this block.  */
tree outlined_instrumenter::work_since_event(gimple_stmt_iterator *at) {
  if (mode != MEASURE_CLOCK)
    return build_int_cst(u64, counted);
  bool returns = gimple_code(gsi_stmt(*at)) == GIMPLE_RETURN;
  if (returns && since_boundary >= 0 && since_boundary < SHORT_STRAND)
    return build_zero_cst(u64);
  tree work = make_ssa_name(u64);
  bool few = since_boundary >= 0 && since_boundary < FEW;
  gcall *read = engine_call("o_boundary", u64, {build_int_cst(u64, few ? since_boundary + 1 : 0)});
  gimple_call_set_lhs(read, work);
  before(at, read);
  since_boundary = 0;
  return work;
}

/* A call of an event; where ARGUMENTS has NULL_TREE, it is told the work.  */
gcall *outlined_instrumenter::event(gimple_stmt_iterator *at, const char *name, std::initializer_list<tree> arguments,
                                    tree result) {
  auto_vec<tree> list;
  unsigned told = 0;
  for (tree argument : arguments) {
    if (!argument)
      told = list.length();
    list.safe_push(argument ? argument : work_since_event(at));
  }
  gcall *made = engine_call(name, result, list);
  if (!here->has_event && mode != MEASURE_CLOCK) {
    here->first_event = made;
    here->first_argument = told;
    here->before_first = counted;
  }
  here->has_event = true;
  timing = false;
  counted = 0;
  return made;
}

/* What identifies the invocation.  */
gcall *outlined_instrumenter::get_key(tree into) {
  gcall *get = gimple_build_call(builtin_decl_explicit(BUILT_IN_DWARF_CFA), 0);
  gimple_call_set_lhs(get, into);
  return get;
}

/* It tells a handler that was called by the system.  */
tree outlined_instrumenter::return_address(gimple_seq *get) {
  tree from = make_ssa_name(ptr_type_node), there = make_ssa_name(ptr_type_node);
  gcall *step = gimple_build_call(builtin_decl_explicit(BUILT_IN_RETURN_ADDRESS), 1, integer_zero_node);
  gimple_call_set_lhs(step, from);
  gimple_seq_add_stmt(get, step);
  step = gimple_build_call(builtin_decl_explicit(BUILT_IN_EXTRACT_RETURN_ADDR), 1, from);
  gimple_call_set_lhs(step, there);
  gimple_seq_add_stmt(get, step);
  return there;
}

gcall *outlined_instrumenter::marker_event(gimple_stmt_iterator *at, marker which) {
  gimple *mark = gsi_stmt(*at);
  switch (which) {
  case MARK_SYNC:
    return event(at, "o_sync", {NULL_TREE});
  case MARK_LOOP:
    return event(at, "o_loop_begin",
                 {address(site_record(mark, fun->decl, CILKPROF_SITE_LOOP)), NULL_TREE, gimple_call_arg(mark, 0),
                  gimple_call_arg(mark, 1)});
  case MARK_BLOCK:
    return event(at, "o_block_begin",
                 {address(site_record(mark, fun->decl, CILKPROF_SITE_SPAWN)), NULL_TREE, build_int_cst(u64, 2)});
  case MARK_SCOPE:
    return event(at, "o_block_begin", {null_pointer_node, NULL_TREE, build_int_cst(u64, 3)});
  case MARK_ITERATE:
    return event(at, "o_iterate", {NULL_TREE});
  case MARK_LOOP_END:
    return event(at, "o_loop_end", {NULL_TREE, gimple_call_arg(mark, 0)});
  case MARK_BLOCK_END:
  case MARK_SCOPE_END:
    return event(at, "o_block_end", {NULL_TREE});
  default:
    gcc_unreachable();
  }
}

bool outlined_instrumenter::call(gimple_stmt_iterator *at, call_class kind, bool spawned) {
  gimple *statement = gsi_stmt(*at);
  tree callee = gimple_call_fndecl(statement);
  bool foreign = kind == CALL_FOREIGN || kind == CALL_OF_NO_INTEREST;
  tree site = site_record(statement, fun->decl, spawned ? CILKPROF_SITE_SPAWN : CILKPROF_SITE_CALL,
                          foreign ? callee : NULL_TREE);
  bool told_frame = followed.told_frame.contains(statement);
  gcall *made = told_frame ? event(at, "o_call_after", {address(site), NULL_TREE, frame})
                : callee   ? event(at, "o_call", {address(site), NULL_TREE})
                           : event(at, "o_call_indirect", {address(site), NULL_TREE, callee_address(statement)});
  before(at, made);
  if (callee)
    calls.safe_push({made, site});
  gimple_stmt_iterator behind = *at;
  named |= foreign || told_frame;
  if (foreign && !followed.by_call.contains(statement))
    behind = after(behind, statement, engine_call("o_foreign_returned", void_type_node, {frame}));
  else if (!foreign && (spawned || !followed.by_event.contains(statement)))
    behind = after(behind, statement, engine_call("o_returned", void_type_node, {}));
  update_stmt(statement);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* Where the function has no frame.  WORK_BEFORE is told the work, and BEGIN as it was.  */
void outlined_instrumenter::start_timing_bare(gimple_seq *start, gcall *work_before) {
  gimple_call_set_lhs(work_before, before_begin);
  gimple_seq_add_stmt(start, work_before);
  gcall *timing_call = engine_call("o_bare_timing", u64, {begin});
  gimple_call_set_lhs(timing_call, begin);
  gimple_seq_add_stmt(start, timing_call);
}

/* Once a strand is timed it stays so.  */
void outlined_instrumenter::start_timing_at(gimple_stmt_iterator *at) {
  gimple_seq start = NULL;
  if (!timing && bare)
    start_timing_bare(&start, event(at, "o_bare_before", {NULL_TREE, begin, before_begin}, u64));
  else if (!timing)
    gimple_seq_add_stmt(&start, event(at, "o_timing", {NULL_TREE}));
  gsi_insert_seq_before(at, start, GSI_SAME_STMT);
  timing = true;
}

bool outlined_instrumenter::quiet_call(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  bool was_timing = timing;
  before(at, mode == MEASURE_CLOCK ? engine_call("o_quiet_call", void_type_node, {build_zero_cst(u64)})
                                   : event(at, "o_quiet_call", {NULL_TREE}));
  timing = was_timing;
  gimple_stmt_iterator behind = after(*at, statement, engine_call("o_quiet_returned", void_type_node, {}));
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

void outlined_instrumenter::api_call(gimple_stmt_iterator *at) {
  before(at, event(at, "o_here", {NULL_TREE}));
}

bool outlined_instrumenter::set_jump(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  before(at, event(at, "o_set_jump", {NULL_TREE}));
  since_boundary = -1;
  named = true;
  gimple_stmt_iterator behind =
      after(*at, statement, engine_call("o_jumped", void_type_node, {frame_address(), build_int_cst(u64, open_here)}));
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

void outlined_instrumenter::returning(gimple_stmt_iterator *at) {
  if (names_strands)
    before(at, event(at, "o_strands_end", {NULL_TREE}));
  if (!bare)
    before(at, event(at, "o_leave", {NULL_TREE}));
  else if (begin)
    before(at, event(at, "o_bare_timed", {NULL_TREE, begin, before_begin}));
  else if (handler) {
    gimple_seq get = NULL;
    tree returns_to = return_address(&get);
    gsi_insert_seq_before(at, get, GSI_SAME_STMT);
    before(at, event(at, "o_bare_handler", {NULL_TREE, address(record), returns_to}));
  } else if (enterable_p(node))
    before(at, event(at, "o_bare_any", {NULL_TREE, address(record)}));
  else
    before(at, event(at, "o_bare", {NULL_TREE}));
}

void outlined_instrumenter::resume(gimple_seq *statements, basic_block bb) {
  named = true;
  tree around = build_int_cst(u64, open_blocks_at(bb));
  gimple_seq_add_stmt(statements, has_blocks && receiver_p(bb)
                                      ? engine_call("o_jumped", void_type_node, {frame_address(), around})
                                      : engine_call("o_resume", void_type_node, {frame_address()}));
}

static bool without_events_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (event_p(gsi_stmt(at)) || quiet_call_p(gsi_stmt(at)) || marker_of_call(gsi_stmt(at)) == MARK_SPAWN)
        return false;
  return true;
}

void outlined_instrumenter::start() {
  bare = mode != MEASURE_CLOCK && without_events_p(fun) && !(timed.any() && (handler || leaves_frames_p(fun)));
  linked = !bare;
  if (bare && timed.any()) {
    begin = variable(u64, "cilkprof_begin");
    before_begin = variable(u64, "cilkprof_before_begin");
  }
  for (class loop *loop : timed.loops)
    timed_headers.add(loop->header);
  /* In clock mode the timer is read between; which calls are spawned is not known yet.  */
  find_calls_followed(fun, mode != MEASURE_CLOCK && !spawning, &followed);
}

void outlined_instrumenter::start_block(basic_block bb) {
  here = &works.get_or_insert(bb);
  timing = false;
}

void outlined_instrumenter::end_block(basic_block) {
  here->counted = mode == MEASURE_CLOCK ? 0 : counted;
  counted = 0;
}

void outlined_instrumenter::time_loops() {
  for (class loop *loop : timed.loops) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, loop->header->preds)
      if (!flow_bb_inside_loop_p(loop, e->src)) {
        since_event done = end_of(e->src);
        tree work = done.kind == since_event::VARIABLE ? local_work : build_int_cst(u64, done.instructions);
        gimple_seq start = NULL;
        if (bare)
          start_timing_bare(&start, engine_call("o_bare_before", u64, {work, begin, before_begin}));
        else
          gimple_seq_add_stmt(&start, engine_call("o_timing", void_type_node, {work}));
        gsi_insert_seq_on_edge(e, start);
      }
  }
}

void outlined_instrumenter::enter() {
  edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  tree key = make_ssa_name(ptr_type_node);
  gsi_insert_on_edge(e, get_key(key));
  gcall *enter;
  if (handler) {
    gimple_seq get = NULL;
    tree returns_to = return_address(&get);
    gsi_insert_seq_on_edge(e, get);
    enter = engine_call("o_enter_handler", TREE_TYPE(frame), {address(record), key, returns_to});
  } else
    enter = engine_call("o_enter", TREE_TYPE(frame), {address(record), key});
  if (named)
    gimple_call_set_lhs(enter, frame);
  gsi_insert_on_edge(e, enter);
}

void outlined_instrumenter::enter_bare() {
  edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  if (!begin)
    return;
  gsi_insert_on_edge(e, gimple_build_assign(begin, build_zero_cst(u64)));
  gsi_insert_on_edge(e, gimple_build_assign(before_begin, build_zero_cst(u64)));
  if (enterable_p(node))
    gsi_insert_on_edge(e, engine_call("o_bare_enter", void_type_node, {address(record)}));
}

unsigned outlined_instrumenter::finish(const vec<basic_block> &blocks) {
  find_starts(blocks);
  for (basic_block bb : blocks) {
    const block_work &work = *works.get(bb);
    tell_first_event(work);
    store_at_end(bb, work);
  }
  start_work();
  time_loops();
  shorten_calls();
  if (bare)
    enter_bare();
  else
    enter();
  return 0;
}

/* Most sites know what was done before them: the event need not be told.  */
void outlined_instrumenter::shorten_calls() {
  for (const std::pair<gcall *, tree> &each : calls) {
    tree site = gimple_call_arg(each.first, 0), work = gimple_call_arg(each.first, 1);
    if (TREE_CODE(work) != INTEGER_CST || !site_knows_work(each.second, tree_to_uhwi(work)))
      continue;
    gcall *shorter = gimple_call_num_args(each.first) == 3
                         ? engine_call("o_call_here_after", void_type_node, {site, gimple_call_arg(each.first, 2)})
                         : engine_call("o_call_here", void_type_node, {site});
    gimple_stmt_iterator at = gsi_for_stmt(each.first);
    gsi_replace(&at, shorter, false);
  }
}

instrumenter *make_outlined_instrumenter(function *fun) {
  return new outlined_instrumenter(fun);
}
