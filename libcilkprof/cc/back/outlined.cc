/* Outlined events: which event goes where.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outlined.h"

outlined_instrumenter::outlined_instrumenter(function *f) : instrumenter(f, true), frame_needed(false), timing(false) {
  if (plan.bare && plan.timed.any()) {
    make_timing_variables();
    so_far = variable(u64, "cilkprof_so_far");
  }
  for (class loop *loop : plan.timed.loops)
    timed_headers.add(loop->header);
}

/* Stores the canonical frame address, which identifies the invocation.  */
gcall *outlined_instrumenter::get_key(tree into) {
  gcall *get = gimple_build_call(builtin_decl_explicit(BUILT_IN_DWARF_CFA), 0);
  gimple_call_set_lhs(get, into);
  return get;
}

/* The return address tells if a signal handler was called by the system.  */
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

gimple *outlined_instrumenter::marker_event(gimple_stmt_iterator *at, marker which) {
  gimple *mark = gsi_stmt(*at);
  switch (which) {
  case MARK_SYNC:
    return event(at, CALL_o_sync, {NULL_TREE});
  case MARK_LOOP:
    return event(at, CALL_o_loop_begin,
                 {address(site_record(mark, fun->decl, CILKPROF_SITE_LOOP)), NULL_TREE, gimple_call_arg(mark, 0),
                  gimple_call_arg(mark, 1)});
  case MARK_BLOCK:
    return event(at, CALL_o_block_begin,
                 {address(site_record(mark, fun->decl, CILKPROF_SITE_SPAWN)), NULL_TREE,
                  build_int_cst(u64, __CILKPROF_BLOCK_SPAWN)});
  case MARK_SCOPE:
    return event(at, CALL_o_block_begin, {null_pointer_node, NULL_TREE, build_int_cst(u64, __CILKPROF_BLOCK_SCOPE)});
  case MARK_GROUP:
    return event(at, CALL_o_block_begin,
                 {null_pointer_node, NULL_TREE, build_int_cst(u64, __CILKPROF_BLOCK_SCOPE | __CILKPROF_BLOCK_OPEN)});
  case MARK_LOCK:
    if (gimple *made = small_lock(at))
      return made;
    gcc_fallthrough();
  case MARK_CALLED:
    return event(at, CALL_o_block_begin,
                 {address(site_record(mark, fun->decl, CILKPROF_SITE_CALL)), NULL_TREE, kind_of_call(which)});
  case MARK_TASK:
    return event(at, CALL_o_task_begin,
                 {address(site_record(mark, fun->decl, CILKPROF_SITE_SPAWN)), NULL_TREE,
                  address(site_record(mark, fun->decl, CILKPROF_SITE_CALL)), gimple_call_arg(mark, 1),
                  gimple_call_arg(mark, 2), gimple_call_arg(mark, 3)});
  case MARK_TASKWAIT:
    return event(at, CALL_o_taskwait, {NULL_TREE, gimple_call_arg(mark, 0)});
  case MARK_TEAM:
    return engine_call(CALL_o_team, {gimple_call_arg(mark, 0)});
  case MARK_TEAM_LOOP:
    return event(at, CALL_o_team_loop_begin,
                 {address(site_record(mark, fun->decl, CILKPROF_SITE_LOOP)), NULL_TREE, gimple_call_arg(mark, 3),
                  gimple_call_arg(mark, 0), gimple_call_arg(mark, 1)});
  case MARK_ITERATE:
    return event(at, CALL_o_iterate, {NULL_TREE});
  case MARK_LOOP_END:
    return event(at, CALL_o_loop_end, {NULL_TREE, gimple_call_arg(mark, 0)});
  case MARK_BLOCK_END:
    if (gimple *made = small_lock_end(at))
      return made;
    gcc_fallthrough();
  case MARK_SCOPE_END:
    return event(at, CALL_o_block_end, {NULL_TREE});
  case MARK_ARRIVAL:
    frame_needed = true;
    before(at, event(at, CALL_o_set_jump, {NULL_TREE}));
    return engine_call(CALL_close_blocks, {frame_address(), gimple_call_arg(mark, 0)});
  default:
    gcc_unreachable();
  }
}

/* Tells the callee that instrumented code calls it: thread.top = thread.frames->top.  */
void outlined_instrumenter::update_top(gimple_stmt_iterator *at) {
  tree thread = engine_thread(), type = TREE_TYPE(thread), frames = field_of(type, "frames");
  tree top = field_of(type_of_engine(TYPE_FRAME), "top");
  tree innermost = make_ssa_name(TREE_TYPE(frames)), its_top = make_ssa_name(TREE_TYPE(top));
  before(at, gimple_build_assign(innermost, build3(COMPONENT_REF, TREE_TYPE(frames), thread, frames, NULL_TREE)));
  before(at, gimple_build_assign(
                 its_top, build3(COMPONENT_REF, TREE_TYPE(top), build_simple_mem_ref(innermost), top, NULL_TREE)));
  top = field_of(type, "top");
  before(at, gimple_build_assign(build3(COMPONENT_REF, TREE_TYPE(top), thread, top, NULL_TREE), its_top));
}

void outlined_instrumenter::leaf_call(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  tree site = site_record(statement, fun->decl, CILKPROF_SITE_CALL);
  bool any = enterable_p(cgraph_node::get(gimple_call_fndecl(statement))->ultimate_alias_target());
  if (any)
    update_top(at);
  bool in_series = plan.series.contains(statement);
  engine_function name = in_series ? (any ? CALL_o_series_any : CALL_o_series) : (any ? CALL_o_leaf_any : CALL_o_leaf);
  gcall *made = event(at, name, {address(site), NULL_TREE});
  gsi_insert_after(at, made, GSI_NEW_STMT);
  if (!in_series)
    calls.safe_push({made, site, any ? CALL_o_leaf_any_here : CALL_o_leaf_here});
}

bool outlined_instrumenter::task_call(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  tree spawned = address(task_record(statement, fun->decl, CILKPROF_SITE_SPAWN)),
       called = address(task_record(statement, fun->decl, CILKPROF_SITE_CALL));
  before(at, plan.chooses_tasks
                 ? event(at, CALL_o_task_call_if, {spawned, NULL_TREE, called, task_deferred, task_flags})
                 : event(at, CALL_o_task_call, {spawned, NULL_TREE, called}));
  gimple_stmt_iterator behind = after(*at, statement, engine_call(CALL_o_returned, {}));
  update_stmt(statement);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

bool outlined_instrumenter::call(gimple_stmt_iterator *at, call_class kind, call_form form) {
  gimple *statement = gsi_stmt(*at);
  bool spawned = form != CALLED;
  if (form == CALLED_AS_TASK && kind == CALL_DIRECT)
    return task_call(at);
  if (!spawned && plan.leaf_calls.contains(statement)) {
    leaf_call(at);
    return true;
  }
  tree callee = gimple_call_fndecl(statement);
  bool foreign = kind == CALL_FOREIGN || kind == CALL_OF_NO_INTEREST;
  tree site = site_record(statement, fun->decl, spawned ? CILKPROF_SITE_SPAWN : CILKPROF_SITE_CALL,
                          foreign ? callee : NULL_TREE);
  bool passed_frame = plan.followed.passed_frame.contains(statement),
       in_series = !spawned && plan.series.contains(statement);
  gcall *made = passed_frame ? event(at, CALL_o_call_after, {address(site), NULL_TREE, frame})
                : callee     ? event(at, CALL_o_call, {address(site), NULL_TREE})
                             : event(at, in_series ? CALL_o_series_call : CALL_o_call_indirect,
                                     {address(site), NULL_TREE, callee_address(statement)});
  before(at, made);
  if (callee)
    calls.safe_push({made, site, passed_frame ? CALL_o_call_here_after : CALL_o_call_here});
  gimple_stmt_iterator behind = *at;
  frame_needed |= foreign || passed_frame;
  if (foreign && !plan.followed.by_call.contains(statement))
    behind =
        after(behind, statement, engine_call(in_series ? CALL_o_series_returned : CALL_o_foreign_returned, {frame}));
  else if (!foreign && (spawned || !plan.followed.by_event.contains(statement)))
    behind = after(behind, statement, engine_call(CALL_o_returned, {}));
  update_stmt(statement);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* A strand is timed until it ends.  In a function without a frame, BEGIN tells if it is being timed.  */
void outlined_instrumenter::start_timing_at(gimple_stmt_iterator *at) {
  if (timing)
    return;
  tree none = build_zero_cst(u64);
  if (plan.bare) {
    gimple_seq start = NULL;
    before(at, pass_work(bring_up_to_date(work_since_event(at)), 0));
    start_timing(&start, so_far, none);
    gsi_insert_seq_before(at, start, GSI_SAME_STMT);
  } else
    before(at, event(at, CALL_o_timing, {NULL_TREE, address(timing_point_record()), none}));
  timing = true;
}

/* In hybrid mode the strand is timed, and the event at its end detects if the call ran instrumented code.  */
bool outlined_instrumenter::charged_call(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  if (mode == MEASURE_HYBRID) {
    bool timed_already = timing || plan.timed.blocks.contains(gimple_bb(statement));
    before(at, timed_already ? event(at, CALL_o_timed_charged_call, {NULL_TREE})
                             : event(at, CALL_o_timing_charged_call, {NULL_TREE, address(timing_point_record())}));
    timing = true;
    return !stmt_ends_bb_p(statement);
  }
  before(at, mode == MEASURE_CLOCK ? engine_call(CALL_o_charged_call, {build_zero_cst(u64)})
                                   : event(at, CALL_o_charged_call, {NULL_TREE}));
  gimple_stmt_iterator behind = after(*at, statement, engine_call(CALL_o_charged_returned, {}));
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

void outlined_instrumenter::api_call(gimple_stmt_iterator *at) {
  before(at, event(at, CALL_o_here, {NULL_TREE}));
}

bool outlined_instrumenter::set_jump(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  before(at, event(at, CALL_o_set_jump, {NULL_TREE}));
  since_boundary = -1;
  frame_needed = true;
  gimple_stmt_iterator behind =
      after(*at, statement, engine_call(CALL_o_jumped, {frame_address(), build_int_cst(u64, open_here)}));
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

void outlined_instrumenter::returning(gimple_stmt_iterator *at) {
  if (plan.names_strands)
    before(at, event(at, CALL_o_strands_end, {NULL_TREE}));
  if (!plan.bare)
    before(at, event(at, CALL_o_leave, {NULL_TREE}));
  else if (plan.handler) {
    gimple_seq get = NULL;
    tree returns_to = return_address(&get);
    gsi_insert_seq_before(at, get, GSI_SAME_STMT);
    before(at, event(at, CALL_o_bare_handler, {NULL_TREE, address(record), returns_to}));
  } else
    returning_bare(at);
}

void outlined_instrumenter::returning_bare(gimple_stmt_iterator *at) {
  tree work = work_since_event(at);
  if (begin) {
    before(at, pass_work(bring_up_to_date(work), 0));
    work = so_far;
    end_timing(at, so_far);
  }
  gcall *made = enterable_p(node) ? bare_event(EVENT_bare_any, CALL_o_bare_any, {work, address(record)})
                                  : bare_event(EVENT_bare, CALL_o_bare, {work});
  before(at, begin ? made : pass_work(made, 0));
}

void outlined_instrumenter::resume(gimple_seq *statements, basic_block bb) {
  frame_needed = true;
  tree around = build_int_cst(u64, plan.open_blocks_at(bb));
  gimple_seq_add_stmt(statements, plan.has_blocks && receiver_p(bb)
                                      ? engine_call(CALL_o_jumped, {frame_address(), around})
                                      : engine_call(CALL_o_resume, {frame_address()}));
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
  for (class loop *loop : plan.timed.loops) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, loop->header->preds)
      if (!flow_bb_inside_loop_p(loop, e->src)) {
        since_event done = end_of(e->src);
        tree work = done.kind == since_event::VARIABLE ? local_work : build_int_cst(u64, done.instructions);
        gimple_seq statements = NULL;
        tree expected = expected_of(loop, &statements);
        if (plan.bare) {
          gimple_seq_add_stmt(&statements, bring_up_to_date(work));
          start_timing(&statements, so_far, expected);
        } else
          gimple_seq_add_stmt(&statements,
                              engine_call(CALL_o_timing, {work, address(timing_point_record()), expected}));
        gimple_seq_add_stmt(&statements, gimple_build_assign(local_work, build_zero_cst(u64)));
        gsi_insert_seq_on_edge(e, statements);
      }
  }
}

void outlined_instrumenter::enter() {
  edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  tree key = make_ssa_name(ptr_type_node);
  gsi_insert_on_edge(e, get_key(key));
  gcall *enter;
  if (plan.handler) {
    gimple_seq get = NULL;
    tree returns_to = return_address(&get);
    gsi_insert_seq_on_edge(e, get);
    enter = engine_call(CALL_o_enter_handler, {address(record), key, returns_to});
  } else
    enter = engine_call(CALL_o_enter, {address(record), key});
  if (frame_needed)
    gimple_call_set_lhs(enter, frame);
  gsi_insert_on_edge(e, enter);
}

void outlined_instrumenter::enter_bare() {
  edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  for (tree each : {begin, before_begin, so_far})
    if (each)
      gsi_insert_on_edge(e, gimple_build_assign(each, build_zero_cst(u64)));
}

unsigned outlined_instrumenter::finish(const vec<basic_block> &blocks) {
  find_starts(blocks);
  for (basic_block bb : blocks) {
    const block_work &work = *works.get(bb);
    complete_first_event(work);
    store_at_end(bb, work);
  }
  start_work();
  time_loops();
  count_loops();
  shorten_calls();
  if (plan.bare)
    enter_bare();
  else
    enter();
  return 0;
}

/* Most sites store the work before the call in their record, so the event need not be passed it.  */
void outlined_instrumenter::shorten_calls() {
  for (const call_event &each : calls) {
    tree site = gimple_call_arg(each.made, 0), work = gimple_call_arg(each.made, 1);
    if (TREE_CODE(work) != INTEGER_CST || !store_work_in_site(each.site, tree_to_uhwi(work)))
      continue;
    gcall *shorter = gimple_call_num_args(each.made) == 3
                         ? engine_call(each.shorter, {site, gimple_call_arg(each.made, 2)})
                         : engine_call(each.shorter, {site});
    gimple_stmt_iterator at = gsi_for_stmt(each.made);
    gsi_replace(&at, shorter, false);
  }
}

instrumenter *make_outlined_instrumenter(function *fun) {
  return new outlined_instrumenter(fun);
}
