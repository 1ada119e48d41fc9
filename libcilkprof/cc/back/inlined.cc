/* Inlined events: which event goes where.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "inlined.h"

inlined_instrumenter::inlined_instrumenter(function *f) : instrumenter(f, false) {
  if (plan.timed.any())
    make_timing_variables();
}

tree inlined_instrumenter::site_of(gimple *mark, cilkprof_site_kind kind) {
  return address(site_record(mark, fun->decl, kind));
}

/* Builds a call of an engine function that returns the new local work.  */
gcall *inlined_instrumenter::work_call(engine_function which, std::initializer_list<tree> arguments) {
  gcall *made = engine_call(which, arguments);
  gimple_call_set_lhs(made, local_work);
  return made;
}

gcall *inlined_instrumenter::begin_block(tree site, tree kind) {
  return work_call(CALL_block_begin, {frame_address(), local_work, site, kind});
}

gimple *inlined_instrumenter::marker_event(gimple_stmt_iterator *at, marker which) {
  gimple *mark = gsi_stmt(*at);
  tree where = frame_address();
  end_strand(at);
  switch (which) {
  case MARK_SYNC:
    return event_call(EVENT_sync, {where, local_work});
  case MARK_LOOP:
    before(at, begin_block(site_of(mark, CILKPROF_SITE_LOOP), build_int_cst(u64, __CILKPROF_BLOCK_LOOP)));
    return engine_call(CALL_loop_grains, {where, gimple_call_arg(mark, 0), gimple_call_arg(mark, 1)});
  case MARK_BLOCK:
    return begin_block(site_of(mark, CILKPROF_SITE_SPAWN), build_int_cst(u64, __CILKPROF_BLOCK_SPAWN));
  case MARK_SCOPE:
    return begin_block(null_pointer_node, build_int_cst(u64, __CILKPROF_BLOCK_SCOPE));
  case MARK_GROUP:
    return begin_block(null_pointer_node, build_int_cst(u64, __CILKPROF_BLOCK_SCOPE | __CILKPROF_BLOCK_OPEN));
  case MARK_CALLED:
  case MARK_LOCK:
    return begin_block(site_of(mark, CILKPROF_SITE_CALL), kind_of_call(which));
  case MARK_TASK:
    return work_call(CALL_task_begin,
                     {where, local_work, site_of(mark, CILKPROF_SITE_SPAWN), site_of(mark, CILKPROF_SITE_CALL),
                      gimple_call_arg(mark, 1), gimple_call_arg(mark, 2), gimple_call_arg(mark, 3)});
  case MARK_TASKWAIT:
    return event_call(EVENT_taskwait, {where, local_work, gimple_call_arg(mark, 0)});
  case MARK_TEAM:
    return engine_call(CALL_team, {where, gimple_call_arg(mark, 0)});
  case MARK_TEAM_LOOP: {
    tree schedule = gimple_call_arg(mark, 3);
    unsigned HOST_WIDE_INT flags = tree_to_uhwi(schedule) & ~(unsigned HOST_WIDE_INT)__CILKPROF_SCHEDULE_KIND;
    before(at, begin_block(site_of(mark, CILKPROF_SITE_LOOP), build_int_cst(u64, __CILKPROF_BLOCK_LOOP | flags)));
    return engine_call(CALL_team_loop, {where, schedule, gimple_call_arg(mark, 0), gimple_call_arg(mark, 1)});
  }
  case MARK_ITERATE:
    return event_call(EVENT_iterate, {where, local_work});
  case MARK_LOOP_END:
    return work_call(CALL_loop_end, {where, local_work, gimple_call_arg(mark, 0)});
  case MARK_BLOCK_END:
  case MARK_SCOPE_END:
    return work_call(CALL_block_end, {where, local_work});
  case MARK_ARRIVAL:
    before(at, gimple_build_assign(work_in_frame(), local_work));
    before(at, engine_call(CALL_close_blocks, {where, gimple_call_arg(mark, 0)}));
    return gimple_build_assign(local_work, work_in_frame());
  default:
    gcc_unreachable();
  }
}

bool inlined_instrumenter::task_call(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  end_strand(at);
  tree where = frame_address(), spawned = address(task_record(statement, fun->decl, CILKPROF_SITE_SPAWN)),
       called = address(task_record(statement, fun->decl, CILKPROF_SITE_CALL));
  before(at, plan.chooses_tasks
                 ? event_call(EVENT_task_call_if, {where, local_work, spawned, called, task_deferred, task_flags})
                 : event_call(EVENT_task_call, {where, local_work, spawned, called}));
  gimple_stmt_iterator behind = after(*at, statement, event_call(EVENT_task_returned, {frame_address(), local_work}));
  update_stmt(statement);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* Events around a call site.  */
bool inlined_instrumenter::call(gimple_stmt_iterator *at, call_class kind, call_form form) {
  gimple *statement = gsi_stmt(*at);
  bool spawned = form != CALLED;
  if (form == CALLED_AS_TASK && kind == CALL_DIRECT)
    return task_call(at);
  if (spawned && kind == CALL_OF_NO_INTEREST)
    kind = CALL_FOREIGN;
  if (plan.linked || spawned || mode == MEASURE_CLOCK || begin || stmt_ends_bb_p(statement))
    end_strand(at);
  tree where = frame_address(), work = plan.linked || spawned ? local_work : build_zero_cst(u64);
  tree site = address(site_record(statement, fun->decl, spawned ? CILKPROF_SITE_SPAWN : CILKPROF_SITE_CALL));
  if (!gimple_call_fndecl(statement)) {
    gcall *choose = engine_call(CALL_callee, {site, callee_address(statement)});
    site = make_ssa_name(TREE_TYPE(site));
    gimple_call_set_lhs(choose, site);
    before(at, choose);
  }
  gimple_stmt_iterator behind = *at;
  if (kind == CALL_FOREIGN) {
    before(at,
           engine_call(CALL_foreign_call, {where, site, callee_address(statement), work, build_int_cst(u64, spawned)}));
    behind = after(behind, statement, engine_call(CALL_foreign_returned, {where}));
  } else
    before(at, event_call(spawned ? EVENT_spawn : EVENT_call, {where, work, site}));
  behind = after(behind, statement,
                 spawned ? event_call(EVENT_spawn_returned, {where, local_work, site})
                         : event_call(EVENT_returned, {where, site}));
  if (flag_openmp && plan.linked && !spawned)
    behind = after(behind, statement, engine_call(CALL_adopt, {where, local_work, site}));
  update_stmt(statement);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* The engine reads the frame, so it must be up to date.  */
void inlined_instrumenter::api_call(gimple_stmt_iterator *at) {
  end_strand(at);
  before(at, engine_call(CALL_here, {frame_address(), local_work}));
}

/* Starts timing before code that is not counted.  */
void inlined_instrumenter::start_timing_at(gimple_stmt_iterator *at) {
  gimple_seq start = NULL;
  update_work(at);
  start_timing(&start, local_work, build_zero_cst(u64));
  gsi_insert_seq_before(at, start, GSI_SAME_STMT);
}

bool inlined_instrumenter::charged_call(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  time_uncounted(at);
  update_work(at);
  gcall *returned = event_call(EVENT_charged_returned, {frame_address(), local_work});
  gimple_call_set_lhs(returned, local_work);
  before(at, event_call(EVENT_charged_call, {frame_address(), local_work}));
  gimple_stmt_iterator behind = after(*at, statement, returned);
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

/* If control arrives by a jump that may have left blocks, they are closed and get the work since they began.  */
void inlined_instrumenter::resume(gimple_seq *statements, basic_block bb) {
  gimple_seq_add_stmt(statements, event_call(EVENT_resume, {frame_address()}));
  if (!plan.has_blocks || !receiver_p(bb))
    return;
  tree around = build_int_cst(u64, plan.open_blocks_at(bb));
  gimple_seq_add_stmt(statements, engine_call(CALL_close_blocks, {frame_address(), around}));
  gimple_seq_add_stmt(statements, gimple_build_assign(local_work, work_in_frame()));
}

tree inlined_instrumenter::work_in_frame() {
  tree field = field_of(type_of_engine(TYPE_FRAME), "local_work");
  return build3(COMPONENT_REF, TREE_TYPE(field), build_simple_mem_ref(frame), field, NULL_TREE);
}

/* When setjmp returns the second time, registers have their values of the first time, so LOCAL_WORK is kept in memory.
   Blocks that were opened in between are closed.  */
bool inlined_instrumenter::set_jump(gimple_stmt_iterator *at) {
  gimple *statement = gsi_stmt(*at);
  end_strand(at);
  since_boundary = -1;
  before(at, gimple_build_assign(work_in_frame(), local_work));
  gimple_stmt_iterator behind = after(*at, statement, event_call(EVENT_resume, {frame_address()}));
  behind = after(behind, statement, engine_call(CALL_close_blocks, {frame_address(), build_int_cst(u64, open_here)}));
  behind = after(behind, statement, gimple_build_assign(local_work, work_in_frame()));
  if (stmt_ends_bb_p(statement))
    return false;
  *at = behind;
  return true;
}

void inlined_instrumenter::returning(gimple_stmt_iterator *at) {
  end_strand_to_return(at);
  if (plan.bare_returns.contains(gsi_bb(*at))) {
    before(at, event_call(EVENT_bare, {local_work}));
    return;
  }
  if (plan.names_strands)
    before(at, engine_call(CALL_strands_end, {frame_address(), local_work}));
  if (flag_openmp && plan.linked)
    before(at, event_call(EVENT_tasks_leave, {frame_address(), local_work}));
  else if (plan.spawning)
    before(at, event_call(EVENT_sync, {frame_address(), local_work}));
  before(at, event_call(EVENT_leave, {frame_address(), local_work}));
  if (plan.linked)
    before(at, event_call(EVENT_unlink, {frame_address()}));
  if (plan.handler)
    before(at, event_call(EVENT_handler_leave, {}));
}

gcall *inlined_instrumenter::enter_linked(edge e) {
  if (!calling_back)
    return event_call(EVENT_enter_linked, {address(record)});
  tree key = make_ssa_name(ptr_type_node);
  gcall *get_key = gimple_build_call(builtin_decl_explicit(BUILT_IN_DWARF_CFA), 0);
  gimple_call_set_lhs(get_key, key);
  gsi_insert_on_edge(e, get_key);
  return engine_call(CALL_enter_linked, {address(record), key});
}

void inlined_instrumenter::entry() {
  edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  if (plan.handler)
    gsi_insert_on_edge(e, event_call(EVENT_handler_enter, {}));
  gsi_insert_on_edge(e, gimple_build_assign(local_work, build_zero_cst(u64)));
  if (begin) {
    gsi_insert_on_edge(e, gimple_build_assign(begin, build_zero_cst(u64)));
    gsi_insert_on_edge(e, gimple_build_assign(before_begin, build_zero_cst(u64)));
  }
  if (!plan.entered)
    return;
  gcall *enter = plan.linked         ? enter_linked(e)
                 : enterable_p(node) ? event_call(EVENT_enter_any, {frame_address(), address(record)})
                                     : event_call(EVENT_enter, {frame_address()});
  if (plan.linked)
    gimple_call_set_lhs(enter, frame);
  if (plan.entered == ENTRY_BLOCK_PTR_FOR_FN(fun)) /* immediately, or the function begins with a loop */
    gsi_insert_on_edge(e, enter);
  else {
    gimple_stmt_iterator at = gsi_after_labels(plan.entered);
    gsi_insert_before(&at, enter, GSI_SAME_STMT);
  }
}

unsigned inlined_instrumenter::finish(const vec<basic_block> &) {
  boundaries_before_returns();
  timed_loops();
  count_loops();
  entry();
  return TODO_update_ssa;
}

instrumenter *make_inlined_instrumenter(function *fun) {
  return new inlined_instrumenter(fun);
}
