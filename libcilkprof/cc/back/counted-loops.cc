/* Counted iterations: loops of cilk_for and OpenMP get a second body without events.
   SPDX-License-Identifier: GPL-3.0-or-later

   The iterations of such a loop often do little between two events: they call small functions, or have short loops of
   their own.  If nothing in an iteration spawns, it need not be followed.  So the body exists twice: once with
   events, and once as in a program without -fcilkprof, except that calls are counted, as in the bare copies of
   functions (bare.cc, counting.cc), which it calls.  The engine decides for some iterations at a time which body they
   run in, and how long they took (libcilkprof/engine/control/counted_loops.c):

       before the loop    MARK_COUNTED_LOOP;
       each iteration     MARK_ITERATE;
                          left = MARK_COUNTED_LEFT;
                          if (left) { MARK_COUNTED_BODY; goto second; }
                          the body with events; continue;
                  second: the body without events;
                          leave the loop where it ends;
                          if (left > 1) { left--; goto second; }
                          continue;

   So the second body is a loop of its own inside of the other one, and keeps in registers what a loop without events
   would.  This is done early, so that both bodies are optimised.  The pass that inserts events finds the second body by
   its marker: it consists of the blocks that the marker dominates.

   Serial loops that call functions get a second body as well, if they are in a function that is mostly followed.  What
   differs is that nothing tells how many iterations there are, and that control leaves such a loop in many ways:

       before the loop    MARK_CALLING_LOOP;
       each iteration     MARK_CALLING_ITERATE; and so on, as above
       after the loop     MARK_CALLING_LOOP_END (left, or 0 after the body with events);

   So does a cilk_for whose iterations workers share: its body is a function with such a loop.  */

#include "back.h"

/* Returns true if FUNCTION, which is called, has a bare copy that counted code enters: it seldom spawns.  */
static bool callee_entered_by_counted_code_p(tree function) {
  cgraph_node *node = cgraph_node::get(function);
  return node && counted_code_enters_copy_p(node->ultimate_alias_target()->decl);
}

/* Returns true if STATEMENT keeps the loop that it is in from having a second body: it spawns or waits, as a rule, or
   it tells the engine something.  */
static bool prevents_counted_iterations_p(const gimple *statement) {
  marker which = marker_of_call(statement);
  if (which != NO_MARKER)
    return which != MARK_ITERATE && which != MARK_ENTRY && which != MARK_CALLEE;
  if (!is_gimple_call(statement))
    return false;
  call_class kind = classify_call_for_events(statement);
  tree callee = gimple_call_fndecl(statement);
  if (callee && mutex_event_callee_p(callee))
    return false;
  return gimple_call_flags(statement) & ECF_RETURNS_TWICE || kind == CALL_OF_API ||
         (callee && cilkprof_function_p(callee)) || (kind == CALL_DIRECT && !callee_entered_by_counted_code_p(callee));
}

/* Returns the only marker of iterations that is in LOOP, but not in a loop inside of it; NULL: there is none, or there
   are several.  */
static gimple *iteration_marker_of_loop(class loop *loop) {
  gimple *found = NULL;
  basic_block *blocks = get_loop_body(loop);
  unsigned count = 0;
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at); gsi_next(&at))
      if (marker_of_call(gsi_stmt(at)) == MARK_ITERATE) {
        count++;
        found = blocks[i]->loop_father == loop ? gsi_stmt(at) : NULL;
      }
  free(blocks);
  return count == 1 ? found : NULL;
}

/* Builds a call of the marker WHICH, whose result is stored in RESULT, and which is passed ARGUMENT, if these are not
   NULL_TREE.  The optimisers take it for a function that neither reads nor writes memory.  */
gcall *build_marker_without_effect(marker which, tree result, tree argument) {
  tree number = engine_work_type_tree(),
       type = build_function_type_list(result ? number : void_type_node, argument ? number : NULL_TREE, NULL_TREE);
  tree function = build_fn_decl(marker_name(which), type);
  TREE_NOTHROW(function) = 1;
  DECL_IGNORED_P(function) = DECL_IS_NOVOPS(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  gcall *call = argument ? gimple_build_call(function, 1, argument) : gimple_build_call(function, 0);
  gimple_call_set_lhs(call, result);
  return call;
}

/* Adds a branch to the end of FROM, which has one successor: control goes to TO if LEFT is greater than LIMIT.  */
static void insert_counted_branch_if_greater(basic_block from, tree left, unsigned limit, basic_block to) {
  tree now = make_ssa_name(TREE_TYPE(left));
  gimple_stmt_iterator at = gsi_last_bb(from);
  gsi_insert_after(&at, gimple_build_assign(now, left), GSI_NEW_STMT);
  gsi_insert_after(&at, gimple_build_cond(GT_EXPR, now, build_int_cst(TREE_TYPE(left), limit), NULL_TREE, NULL_TREE),
                   GSI_NEW_STMT);
  edge on = single_succ_edge(from);
  on->flags = (on->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  on->probability = profile_probability::even();
  make_edge(from, to, EDGE_TRUE_VALUE)->probability = profile_probability::even();
}

/* Returns a block that subtracts 1 from LEFT and goes on to TO.  */
static basic_block countdown_block(tree left, basic_block to) {
  basic_block made = create_empty_bb(to->prev_bb);
  made->count = to->count;
  tree now = make_ssa_name(TREE_TYPE(left)), less = make_ssa_name(TREE_TYPE(left));
  gimple_stmt_iterator at = gsi_last_bb(made);
  gsi_insert_after(&at, gimple_build_assign(now, left), GSI_NEW_STMT);
  gsi_insert_after(&at, gimple_build_assign(less, MINUS_EXPR, now, build_one_cst(TREE_TYPE(left))), GSI_NEW_STMT);
  gsi_insert_after(&at, gimple_build_assign(left, less), GSI_NEW_STMT);
  make_single_succ_edge(made, to, EDGE_FALLTHRU);
  add_bb_to_loop(made, to->loop_father);
  return made;
}

/* Makes an iteration go on in the second body of its loop, which begins with the block SECOND, if the engine says so.
   MARKED has the marker of an iteration, and AGAIN goes on to it after the second body.  Returns a new variable: how
   many iterations, from this one on, run in the second body.  */
static tree choose_between_counted_bodies(basic_block marked, basic_block second, basic_block again) {
  tree left = create_tmp_reg(engine_work_type_tree(), "cilkprof_left");
  gimple_stmt_iterator at = gsi_last_bb(marked);
  gsi_insert_after(&at, build_marker_without_effect(MARK_COUNTED_LEFT, left), GSI_NEW_STMT);
  insert_counted_branch_if_greater(marked, left, 0, second);
  insert_counted_branch_if_greater(again, left, 1, countdown_block(left, second));
  gsi_insert_on_edge(find_edge(marked, second), build_marker_without_effect(MARK_COUNTED_BODY));
  return left;
}

/* Inserts markers where control leaves LOOP, a serial one.  From a block in COPIES, of its second body, LEFT iterations
   are left then.  Nothing is inserted on edges of exceptions: these have events of their own.  */
static void mark_exits_of_calling_loop(class loop *loop, const vec<basic_block> &copies, tree left) {
  hash_set<basic_block> second;
  for (basic_block bb : copies)
    second.add(bb);
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (edge e : exits) {
    tree rest = second.contains(e->src) ? left : build_zero_cst(TREE_TYPE(left));
    if (!(e->flags & (EDGE_ABNORMAL | EDGE_EH)))
      gsi_insert_on_edge(e, build_marker_without_effect(MARK_CALLING_LOOP_END, NULL_TREE, rest));
  }
}

/* Collects all blocks of LOOP but MARKED, which has the marker of an iteration, in BLOCKS.  BODY comes after it.
   Returns false if BODY does not begin all that an iteration executes, or if they cannot be copied.  */
static bool collect_body_blocks(class loop *loop, basic_block marked, basic_block body, vec<basic_block> *blocks) {
  basic_block *all = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    if (all[i] != marked)
      blocks->safe_push(all[i]);
  free(all);
  if (!dominated_by_p(CDI_DOMINATORS, loop->latch, body))
    return false;
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    if (!dominated_by_p(CDI_DOMINATORS, inner->header, body))
      return false;
  return can_copy_bbs_p(blocks->address(), blocks->length());
}

/* Makes copies of GCC's descriptions of the loops inside of LOOP, for copies of their blocks that are made next.  The
   copies are inside of LOOP too.  */
static void copy_inner_loops(class loop *loop) {
  auto_vec<class loop *> inner;
  for (class loop *each = loop->inner; each; each = each->next)
    inner.safe_push(each);
  for (class loop *each : inner)
    duplicate_subloops(each, duplicate_loop(each, loop));
}

/* Copies BLOCKS, which are in LOOP, with the loops in it, and stores the copies in COPIES.  */
static void copy_body_blocks(class loop *loop, const vec<basic_block> &blocks, vec<basic_block> *copies) {
  copies->safe_grow(blocks.length());
  initialize_original_copy_tables();
  set_loop_copy(loop, loop);
  copy_inner_loops(loop);
  copy_bbs(const_cast<basic_block *>(blocks.address()), blocks.length(), copies->address(), NULL, 0, NULL, loop,
           loop->latch->prev_bb, false);
  add_phi_args_after_copy(copies->address(), copies->length(), NULL);
  free_original_copy_tables();
}

/* Returns the one of COPIES, of BLOCKS in the same order, that is the copy of BB.  */
static basic_block copy_of_body_block(basic_block bb, const vec<basic_block> &blocks, const vec<basic_block> &copies) {
  for (unsigned i = 0; i < blocks.length(); i++)
    if (blocks[i] == bb)
      return copies[i];
  gcc_unreachable();
}

/* Gives LOOP a second body without events, if its blocks can be copied.  ITERATE is the marker of its iterations,
   before which there may be other statements of the loop.  Returns true if it was done.  */
static bool add_counted_body(class loop *loop, gimple *iterate) {
  split_edge(loop_latch_edge(loop));
  basic_block before = gimple_bb(iterate), marked = split_block_after_labels(before)->dest;
  gimple_stmt_iterator at = gsi_for_stmt(iterate);
  gsi_prev_nondebug(&at);
  if (!gsi_end_p(at)) {
    before = marked;
    marked = split_block(marked, gsi_stmt(at))->dest;
  }
  basic_block body = split_block(marked, iterate)->dest;
  calculate_dominance_info(CDI_DOMINATORS);
  auto_vec<basic_block> blocks, copies;
  if (!collect_body_blocks(loop, marked, body, &blocks))
    return false;
  copy_body_blocks(loop, blocks, &copies);
  for (basic_block copy : copies)
    strip_bare_block(copy, true);
  bool calling = marker_of_call(iterate) == MARK_CALLING_ITERATE;
  tree left = choose_between_counted_bodies(marked, copy_of_body_block(body, blocks, copies),
                                            copy_of_body_block(before, blocks, copies));
  gimple *begin = build_marker_without_effect(calling ? MARK_CALLING_LOOP : MARK_COUNTED_LOOP);
  gimple_set_location(begin, gimple_location(iterate));
  gsi_insert_on_edge(loop_preheader_edge(loop), begin);
  if (calling)
    mark_exits_of_calling_loop(loop, copies, left);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  return true;
}

/* Returns true if loops of FUN may have second bodies: its events are called, which only that emitter knows how to
   leave out, and jumps do not lead into its loops.  */
static bool counted_iterations_possible_p(function *fun) {
  return counted_calls_enabled_p() && optimize && !inlines_events_p(fun->decl) && !fun->calls_setjmp &&
         !fun->has_nonlocal_label;
}

/* Returns true if FUN calls a function of the unit that has constructs.  If that spawns, FUN is followed, although it
   could be counted.  */
static bool calls_function_with_constructs_p(function *fun) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (is_gimple_call(gsi_stmt(at)) && classify_call_for_events(gsi_stmt(at)) == CALL_DIRECT &&
          !countable_callee_p(gimple_call_fndecl(gsi_stmt(at))))
        return true;
  return false;
}

/* Returns true if serial loops of FUN may have second bodies: it is followed whenever it is called, or often, or it is
   called once.  Calls of other functions are mostly counted themselves.  */
bool calling_loops_possible_p(function *fun) {
  cgraph_node *node = cgraph_node::get(fun->decl);
  return counted_iterations_possible_p(fun) && unit_has_events_p() && instrumented_function_p(fun->decl) &&
         (!countable_function_p(fun->decl) || node->frequency == NODE_FREQUENCY_EXECUTED_ONCE ||
          calls_function_with_constructs_p(fun));
}

/* Returns true if STATEMENT is a call with events, which need not be there if it is only counted.  */
static bool call_with_events_p(const gimple *statement) {
  call_class kind = marker_of_call(statement) == NO_MARKER && is_gimple_call(statement)
                        ? classify_call_for_events(statement)
                        : CALL_OF_NO_INTEREST;
  return kind == CALL_DIRECT || kind == CALL_FOREIGN;
}

/* Returns true if STATEMENT keeps the serial loop that it is in from having a second body.  Calls by a pointer do: with
   events the number of calls is known for each callee.  */
static bool prevents_counted_calling_loop_p(const gimple *statement) {
  return marker_of_call(statement) == MARK_ITERATE || prevents_counted_iterations_p(statement) ||
         (is_gimple_call(statement) && !gimple_call_internal_p(statement) && !gimple_call_fndecl(statement));
}

/* Returns true if LOOP, a serial one, is to have a second body: it calls functions, and may have many iterations.  */
static bool counted_calling_loop_p(class loop *loop) {
  enum { FEW = 8 };
  HOST_WIDE_INT most = loop->inner ? -1 : max_stmt_executions_int(loop);
  return (most < 0 || most > FEW) && instrumented_loop_has_statement_p(loop, call_with_events_p) &&
         !instrumented_loop_has_statement_p(loop, prevents_counted_calling_loop_p);
}

typedef vec<std::pair<class loop *, gimple *>> loops_with_markers;

/* Adds the outermost loops in OUTER that are to have second bodies, serial ones or not, to FOUND, with the markers of
   their iterations.  CALLING: serial ones may.  */
static void find_loops_to_count(class loop *outer, bool calling, loops_with_markers *found) {
  for (class loop *loop = outer->inner; loop; loop = loop->next) {
    gimple *iterate = iteration_marker_of_loop(loop);
    if (iterate && !instrumented_loop_has_statement_p(loop, prevents_counted_iterations_p))
      found->safe_push({loop, iterate});
    else if (calling && counted_calling_loop_p(loop))
      found->safe_push({loop, NULL});
    else
      find_loops_to_count(loop, calling, found);
  }
}

/* Inserts a marker of an iteration at the beginning of LOOP, a serial one, and returns it.  */
static gimple *insert_calling_loop_marker(class loop *loop) {
  gimple *mark = build_marker_without_effect(MARK_CALLING_ITERATE), *head = statement_at_serial_loop_head(loop);
  gimple_stmt_iterator at = gsi_after_labels(loop->header);
  if (head)
    gimple_set_location(mark, gimple_location(head));
  gsi_insert_before(&at, mark, GSI_NEW_STMT);
  return mark;
}

/* Makes of ITERATE, the marker of the iterations of a cilk_for in the body that workers share, one of a serial loop,
   and returns it: such a body is called for each grain, and its loop has no block.  */
static gimple *treat_range_as_calling_loop(gimple *iterate) {
  gimple_stmt_iterator at = gsi_for_stmt(iterate);
  gimple *mark = build_marker_without_effect(MARK_CALLING_ITERATE);
  gimple_set_location(mark, gimple_location(iterate));
  unlink_stmt_vdef(iterate);
  gsi_replace(&at, mark, false);
  return mark;
}

/* Gives all loops of FUN that can have one a second body.  GCC's loop information is initialised, with preheaders and
   one latch for each loop, and so is the analysis of scalar evolutions.  Returns true if there were any.  */
bool add_counted_bodies(function *fun) {
  bool added = false;
  auto_vec<std::pair<class loop *, gimple *>> found;
  if (!counted_iterations_possible_p(fun))
    return false;
  find_loops_to_count(loops_for_fn(fun)->tree_root, calling_loops_possible_p(fun), &found);
  for (auto &each : found)
    if (!each.second)
      each.second = insert_calling_loop_marker(each.first);
    else if (range_body_p(fun->decl))
      each.second = treat_range_as_calling_loop(each.second);
  for (const auto &each : found)
    added |= add_counted_body(each.first, each.second);
  if (!added)
    return false;
  gsi_commit_edge_inserts();
  mark_virtual_operands_for_renaming(fun);
  update_ssa(TODO_update_ssa);
  cgraph_edge::rebuild_edges();
  loops_state_set(LOOPS_NEED_FIXUP);
  return true;
}

/* Splits BB before its first marker that is no part of counted code.  Returns true if it had one: what comes before it
   is in BB, the rest behind.  */
static bool split_before_marker(basic_block bb) {
  for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
    if (marker_of_call(gsi_stmt(at)) != NO_MARKER && marker_of_call(gsi_stmt(at)) != MARK_COUNTED_PART) {
      gsi_prev(&at);
      if (gsi_end_p(at))
        split_block_after_labels(bb);
      else
        split_block(bb, gsi_stmt(at));
      return true;
    }
  return false;
}

/* Adds the blocks of the part that begins with BEGIN to FOUND: those that control reaches only through BEGIN,
   and before the next marker.  The optimisers may have copied what follows the loop for each of its bodies.  */
static void add_counted_blocks(basic_block begin, hash_set<basic_block> *found) {
  auto_vec<basic_block> reached;
  found->add(begin);
  reached.safe_push(begin);
  while (reached.length()) {
    basic_block bb = reached.pop();
    if (split_before_marker(bb))
      continue;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, bb->succs)
      if (dominated_by_p(CDI_DOMINATORS, e->dest, begin) && e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun) &&
          !found->add(e->dest))
        reached.safe_push(e->dest);
  }
}

/* Finds the blocks of FUN that control reaches only through a marker WHICH, adds them to FOUND, and removes these
   markers.  MARK_COUNTED_BODY is where control goes on to the second body of a loop.  */
void find_blocks_behind_marker(function *fun, marker which, hash_set<basic_block> *found) {
  auto_vec<basic_block> begins;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (marker_of_call(gsi_stmt(at)) == which) {
        begins.safe_push(split_block(bb, gsi_stmt(at))->dest);
        gsi_remove(&at, true);
        break;
      }
  if (!begins.length())
    return;
  calculate_dominance_info(CDI_DOMINATORS);
  for (basic_block begin : begins)
    add_counted_blocks(begin, found);
}
