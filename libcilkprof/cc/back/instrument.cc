/* The events of a function: inserted when all optimisation is done.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "instrumenter.h"

bool cleaning;

/* void (int), or void (int, siginfo_t *, void *).  */
static bool as_declared_p(tree arguments) {
  tree number = arguments ? TREE_VALUE(arguments) : void_type_node;
  if (TREE_CODE(number) != INTEGER_TYPE || TYPE_PRECISION(number) != INT_TYPE_SIZE)
    return false;
  tree second = TREE_CHAIN(arguments), third = second ? TREE_CHAIN(second) : NULL_TREE;
  if (!second || VOID_TYPE_P(TREE_VALUE(second)))
    return true;
  return third && POINTER_TYPE_P(TREE_VALUE(second)) && POINTER_TYPE_P(TREE_VALUE(third)) && TREE_CHAIN(third) &&
         VOID_TYPE_P(TREE_VALUE(TREE_CHAIN(third)));
}

/* A signal handler returns nothing and takes what the system passes, if anything.  One that another unit installs is
   not known to be, unless it looks like nothing else: the check costs every call some instructions.  */
bool handler_p(cgraph_node *node) {
  tree type = TREE_TYPE(node->decl), first = TYPE_ARG_TYPES(type);
  if (calling_back || !VOID_TYPE_P(TREE_TYPE(type)))
    return false;
  if (!node->address_taken)
    return TREE_PUBLIC(node->decl) && as_declared_p(first);
  return !first || VOID_TYPE_P(TREE_VALUE(first)) || INTEGRAL_TYPE_P(TREE_VALUE(first));
}

instrumenter::instrumenter(function *f, bool keep_linked)
    : fun(f), node(cgraph_node::get(f->decl)), u64(TREE_TYPE(TREE_TYPE(event_function(EVENT_timing)))),
      linked(keep_linked || calling_back || leaves_frames_p(f)), spawning(false), begin(NULL_TREE),
      before_begin(NULL_TREE), handler(handler_p(node)), counted(0), since_boundary(-1) {
  tree type = type_of_engine(TYPE_FRAME);
  frame = variable(linked ? build_pointer_type(type) : type, "cilkprof_frame");
  TREE_ADDRESSABLE(frame) = !linked;
  local_work = variable(u64, "cilkprof_local_work");
  record = function_record(fun->decl);
}

/* Between the marker of a spawn and the call the compiler may have put calls of its own: to count edges, to check what
   is stored.  */
static bool inserted_p(tree function) {
  return function && (own_function_p(function) || fndecl_built_in_p(function) ||
                      startswith(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)), "__gcov_"));
}

void instrumenter::time_uncounted(gimple_stmt_iterator *at) {
  gimple *s = gsi_stmt(*at);
  if (timed.any() && uncounted_p(s) && !timed.blocks.contains(gimple_bb(s)))
    start_timing_at(at);
}

/* Returns false where the statement ended its block.  */
bool instrumenter::statement(gimple_stmt_iterator *at, bool *spawned) {
  gimple *s = gsi_stmt(*at);
  basic_block bb = gimple_bb(s);
  if (is_gimple_debug(s) || gimple_code(s) == GIMPLE_LABEL)
    return true;
  marker which = marker_of_call(s);
  if (which != NO_MARKER) {
    open_here += open_blocks_changed(s);
    gimple *event = marker_event(at, which);
    unlink_stmt_vdef(s);
    gsi_replace(at, event, false);
    return true;
  }
  count(s, bb);
  if (gimple_code(s) == GIMPLE_RETURN) {
    returning(at);
    return true;
  }
  if (!is_gimple_call(s) || gimple_call_internal_p(s)) {
    time_uncounted(at);
    return true;
  }
  gimple_call_set_tail(as_a<gcall *>(s), false); /* an event follows it */
  if (gimple_call_flags(s) & ECF_RETURNS_TWICE)
    return set_jump(at);
  call_class kind = classify_call(s);
  if (kind == CALL_OF_API) {
    api_call(at);
    return true;
  }
  bool is_spawned = *spawned && !inserted_p(gimple_call_fndecl(s));
  if (kind != CALL_OF_NO_INTEREST || is_spawned) {
    *spawned = false;
    return call(at, kind, is_spawned);
  }
  if (quiet_call_p(s))
    return quiet_call(at);
  time_uncounted(at);
  return true;
}

bool silent_marker_p(const gimple *statement) {
  marker which = marker_of_call(statement);
  return which == MARK_SPAWN || which == MARK_ENTRY || which == MARK_CALLEE;
}

static void remove_silent_marker(gimple_stmt_iterator *at) {
  gimple *mark = gsi_stmt(*at);
  tree result = gimple_call_lhs(mark);
  unlink_stmt_vdef(mark);
  if (!result) {
    gsi_remove(at, true);
    return;
  }
  gsi_replace(at, gimple_build_assign(result, gimple_call_arg(mark, 0)), false);
  gsi_next(at);
}

void instrumenter::block(basic_block bb, hash_set<basic_block> *pending) {
  bool spawned = pending->contains(bb), open = true;
  since_boundary = since_before(bb);
  open_here = open_blocks_at(bb);
  start_block(bb);
  gimple_stmt_iterator at = gsi_start_bb(bb);
  while (!gsi_end_p(at) && open)
    if (silent_marker_p(gsi_stmt(at))) {
      spawned |= marker_of_call(gsi_stmt(at)) == MARK_SPAWN;
      remove_silent_marker(&at);
    } else if ((open = statement(&at, &spawned)))
      gsi_next(&at);
  since_at_end.put(bb, since_boundary);
  if (spawned) { /* the spawned call was moved to blocks that follow */
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, bb->succs)
      pending->add(e->dest);
  }
  end_block(bb);
}

void instrumenter::end_block(basic_block bb) {
  if (!counted)
    return;
  gimple_stmt_iterator at = gsi_last_bb(bb);
  if (!gsi_end_p(at) && stmt_ends_bb_p(gsi_stmt(at)))
    update_work(&at);
  else if (mode != MEASURE_CLOCK) {
    gsi_insert_after(&at, gimple_build_assign(local_work, PLUS_EXPR, local_work, build_int_cst(u64, counted)),
                     GSI_NEW_STMT);
    counted = 0;
  }
  counted = 0;
}

void instrumenter::landing_pads(const vec<basic_block> &blocks) {
  for (basic_block bb : blocks) {
    if (!landing_pad_p(bb) || !linked || resumes_later_p(bb))
      continue;
    gimple_seq arrival = NULL;
    resume(&arrival, bb);
    gimple_stmt_iterator at = gsi_start_nondebug_after_labels_bb(bb);
    if (gsi_end_p(at)) {
      at = gsi_last_bb(bb);
      gsi_insert_seq_after(&at, arrival, GSI_NEW_STMT);
    } else if (gimple_call_builtin_p(gsi_stmt(at), BUILT_IN_SETJMP_RECEIVER))
      gsi_insert_seq_after(&at, arrival, GSI_NEW_STMT); /* it finds the stack again */
    else
      gsi_insert_seq_before(&at, arrival, GSI_SAME_STMT);
  }
}

gcall *instrumenter::enter_linked(edge e) {
  if (!calling_back)
    return event_call(EVENT_enter_linked, {address(record)});
  tree key = make_ssa_name(ptr_type_node);
  gcall *get_key = gimple_build_call(builtin_decl_explicit(BUILT_IN_DWARF_CFA), 0);
  gimple_call_set_lhs(get_key, key);
  gsi_insert_on_edge(e, get_key);
  return engine_call(CALL_enter_linked, {address(record), key});
}

void instrumenter::entry() {
  edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  if (handler)
    gsi_insert_on_edge(e, event_call(EVENT_handler_enter, {}));
  gsi_insert_on_edge(e, gimple_build_assign(local_work, build_zero_cst(u64)));
  if (begin) {
    gsi_insert_on_edge(e, gimple_build_assign(begin, build_zero_cst(u64)));
    gsi_insert_on_edge(e, gimple_build_assign(before_begin, build_zero_cst(u64)));
  }
  if (linked) {
    gcall *enter = enter_linked(e);
    gimple_call_set_lhs(enter, frame);
    gsi_insert_on_edge(e, enter);
  } else if (enterable_p(node))
    gsi_insert_on_edge(e, event_call(EVENT_enter_any, {frame_address(), address(record)}));
  else if (entered == ENTRY_BLOCK_PTR_FOR_FN(fun)) /* the function begins with a loop */
    gsi_insert_on_edge(e, event_call(EVENT_enter, {frame_address()}));
  else if (basic_block bb = entered) {
    gimple_stmt_iterator at = gsi_after_labels(bb);
    gsi_insert_before(&at, event_call(EVENT_enter, {frame_address()}), GSI_SAME_STMT);
  }
}

/* Whether the function spawns anywhere: it then syncs at every return.  */
static bool spawns_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      marker which = marker_of_call(gsi_stmt(at));
      if (which == MARK_SPAWN || which == MARK_BLOCK)
        return true;
    }
  return false;
}

static bool names_strand_p(const gimple *statement) {
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return function && DECL_NAME(function) && id_equal(DECL_NAME(function), "__cilkprof_api_strand");
}

static bool names_strands_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (names_strand_p(gsi_stmt(at)))
        return true;
  return false;
}

unsigned instrumenter::run() {
  basic_block bb;
  spawning = spawns_p(fun);
  names_strands = linked && names_strands_p(fun);
  has_blocks = has_blocks_p(fun);
  if (has_blocks)
    find_open_blocks(fun, &open_blocks);
  node->set_const_flag(false, false);
  node->set_pure_flag(false, false);
  if (!linked && !enterable_p(node))
    separate_bare_returns();
  loop_optimizer_init(mode == MEASURE_HYBRID ? LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS : AVOID_CFG_MODIFICATIONS);
  if (mode == MEASURE_HYBRID)
    find_timed_parts(fun, &timed);
  auto_vec<basic_block> blocks;
  FOR_EACH_BB_FN (bb, fun)
    blocks.safe_push(bb);
  start();
  hash_set<basic_block> pending;
  for (basic_block each : blocks)
    block(each, &pending);
  landing_pads(blocks);
  unsigned todo = finish(blocks);
  loop_optimizer_finalize();
  gsi_commit_edge_inserts();
  mark_virtual_operands_for_renaming(fun);
  update_ssa(TODO_update_ssa);
  cgraph_edge::rebuild_edges();
  return todo | inline_events(fun, events);
}

void instrumenter::start() {
  entered = entry_block();
  if (timed.any())
    make_timing_variables();
}

unsigned instrumenter::finish(const vec<basic_block> &) {
  boundaries_before_returns();
  timed_loops();
  count_loops();
  entry();
  return TODO_update_ssa;
}

namespace {

const pass_data instrumenting_data = {GIMPLE_PASS, "cilkprof", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

class instrumenting_pass : public gimple_opt_pass {
public:
  instrumenting_pass() : gimple_opt_pass(instrumenting_data, g) {}

  bool gate(function *fun) final override {
    cleaning = false;
    return events_available_p() && instrumented_p(fun->decl) && !made_later_p(cgraph_node::get(fun->decl));
  }

  unsigned int execute(function *fun) final override {
    static bool first = true;
    if (first)
      keep_event_bodies();
    first = false;
    cleaning = inlines_events_p(fun->decl);
    unsigned todo;
    if (!cleaning) {
      instrumenter *outlined = make_outlined_instrumenter(fun);
      todo = outlined->run();
      delete outlined;
    } else
      todo = instrumenter(fun).run();
    look_for_bare_copy(fun);
    return todo;
  }
};

} // namespace

opt_pass *make_instrumenting_pass() {
  return new instrumenting_pass;
}
