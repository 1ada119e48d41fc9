/* OpenMP tasks, which are called where they are created.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"
#include "openmp-calls.h"

enum { TASK_UP = 1 << 8, TASK_REDUCTION = 1 << 12 }; /* flags of libgomp */

/* Finds out if some task of the unit has a reduction, because the taskgroups of libgomp are kept then.  */
serial_maker::serial_maker() : shared(false), reducing(false), ended(false) {
  cgraph_node *node;
  teams.find_omp_teams();
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (DECL_STRUCT_FUNCTION(node->decl) && DECL_STRUCT_FUNCTION(node->decl)->cfg)
      find_volatile_omp_flags(DECL_STRUCT_FUNCTION(node->decl), &awaited);
  FOR_EACH_FUNCTION (node)
    reducing |= fndecl_built_in_p(node->decl, BUILT_IN_GOMP_TASKGROUP_REDUCTION_REGISTER) ||
                fndecl_built_in_p(node->decl, BUILT_IN_GOMP_TASK_REDUCTION_REMAP);
}

/* Returns the marker at which a task begins, named after CONSTRUCT and its location WHERE.  DEFERRED, FLAGS and DEPEND
   are arguments of the call of libgomp; BEFORE gets the statements that convert them.  */
static gcall *build_omp_task_marker(gimple_seq *before, const char *construct, location_t where, tree deferred,
                                    tree flags, tree depend) {
  tree name = located_omp_construct_name(construct, where), number = long_unsigned_type_node;
  tree type = build_function_type_list(void_type_node, const_ptr_type_node, number, number, ptr_type_node, NULL_TREE);
  gcall *mark =
      gimple_build_call(declare_omp_marker(MARK_TASK, type), 4, name, omp_gimple_count_value(before, deferred),
                        omp_gimple_count_value(before, flags), depend);
  gimple_set_location(mark, where);
  return mark;
}

/* The data of a task.  If it contains objects of a class, or has a variable size, a function copies it, and the copy is
   on the stack until the task has ended.  */
class omp_task_data {
public:
  /* Appends to BEFORE the copying of the data of CALL, which makes the task, if a function does that.  */
  omp_task_data(gimple_seq *before, gcall *call) : data(gimple_call_arg(call, 1)), saved(NULL_TREE) {
    tree copier = omp_outlined_function_argument(call, 2);
    if (!copier)
      return;
    saved = create_tmp_var(ptr_type_node);
    gcall *save = gimple_build_call(builtin_decl_implicit(BUILT_IN_STACK_SAVE), 0);
    gimple_call_set_lhs(save, saved);
    gimple_seq_add_stmt(before, save);
    unsigned HOST_WIDE_INT align = MAX(tree_to_uhwi(gimple_call_arg(call, 4)), 16) * BITS_PER_UNIT;
    tree copy = create_tmp_var(ptr_type_node), bytes = create_tmp_var(size_type_node);
    gimple_seq_add_stmt(before, gimple_build_assign(bytes, NOP_EXPR, gimple_call_arg(call, 3)));
    gcall *get = gimple_build_call(builtin_decl_explicit(BUILT_IN_ALLOCA_WITH_ALIGN), 2, bytes, size_int(align));
    gimple_call_set_lhs(get, copy);
    gimple_seq_add_stmt(before, get);
    gimple_seq_add_stmt(before, gimple_build_call(copier, 2, copy, data));
    inline_omp_body_again(copier);
    cfun->calls_alloca = 1;
    data = copy;
  }

  /* Appends to BEHIND what gives the stack of the copy back, after the task.  */
  void release_omp_task_data(gimple_seq *behind) {
    if (saved)
      gimple_seq_add_stmt(behind, gimple_build_call(builtin_decl_implicit(BUILT_IN_STACK_RESTORE), 1, saved));
  }

  tree data;

private:
  tree saved;
};

/* Replaces CALL, of a function of libgomp that waits at a BARRIER or a taskwait, by a marker.  */
void replace_omp_wait(gimple_stmt_iterator *at, gcall *call, bool barrier) {
  await_detached_omp_events(at, barrier ? AWAIT_ALL : AWAIT_CHILDREN);
  tree number = build_int_cst(long_unsigned_type_node, barrier);
  gsi_insert_before(at, build_omp_number_marker(MARK_TASKWAIT, number, gimple_location(call)), GSI_SAME_STMT);
  replace_libgomp_call_by_value(at, call, 0);
}

/* Replaces CALL, of GOMP_taskwait_depend (depend), by markers: it is like an empty task that is not deferred.  */
void replace_omp_taskwait_depend(gimple_stmt_iterator *at, gcall *call) {
  gimple_seq all = NULL;
  location_t where = gimple_location(call);
  await_detached_omp_events(&all, AWAIT_DEPEND, gimple_call_arg(call, 0));
  gimple_seq_add_stmt(&all, build_omp_task_marker(&all, "omp taskwait", where, integer_zero_node, integer_zero_node,
                                                  gimple_call_arg(call, 0)));
  gimple_seq_add_stmt(&all, build_omp_plain_marker(MARK_BLOCK_END, where));
  gsi_replace_with_seq(at, all, true);
}

/* Replaces TASK, a call of GOMP_task (function, data, copier, size, alignment, deferred, flags, depend, ...), by a
   direct call of the function between the markers of a task.  Returns false if the function is not known.  */
bool serial_maker::replace_omp_task(gimple_stmt_iterator *at, gcall *task) {
  tree function = omp_outlined_function_argument(task, 0);
  if (!function)
    return false;
  location_t where = libgomp_call_location(task, function);
  gimple_seq all = NULL;
  await_detached_omp_events(&all, AWAIT_DEPEND, gimple_call_arg(task, 7));
  begin_detached_omp_task(&all, task);
  omp_task_data data(&all, task);
  gcall *mark = build_omp_task_marker(&all, "omp task", where, gimple_call_arg(task, 5), gimple_call_arg(task, 6),
                                      gimple_call_arg(task, 7));
  gimple_seq_add_stmt(&all, mark);
  add_omp_body_call(&all, function, data.data, where);
  gimple_seq_add_stmt(&all, build_omp_plain_marker(MARK_BLOCK_END, where));
  data.release_omp_task_data(&all);
  gsi_replace_with_seq(at, all, true);
  return true;
}

/* Appends to ALL a call, without arguments, of the function WHICH of libgomp, and records that it must not be
   replaced.  */
void serial_maker::add_kept_libgomp_call(gimple_seq *all, enum built_in_function which) {
  gcall *call = gimple_build_call(builtin_decl_explicit(which), 0);
  kept.add(call);
  gimple_seq_add_stmt(all, call);
}

/* Appends to ALL the beginning of a taskgroup of libgomp in which the reductions that WHAT describes are registered, so
   that tasks find them.  */
void serial_maker::begin_omp_task_reduction(gimple_seq *all, tree what) {
  add_kept_libgomp_call(all, BUILT_IN_GOMP_TASKGROUP_START);
  gimple_seq_add_stmt(all,
                      gimple_build_call(builtin_decl_explicit(BUILT_IN_GOMP_TASKGROUP_REDUCTION_REGISTER), 1, what));
}

/* Puts the marker WHICH in the place of CALL, which begins or ends a taskgroup in libgomp; before it if the unit has
   reductions in tasks, which need the call.  Returns false for a call that was added here, which is left alone.  */
bool serial_maker::replace_omp_taskgroup(gimple_stmt_iterator *at, gcall *call, marker which) {
  if (kept.contains(call))
    return false;
  gcall *mark = build_omp_plain_marker(which, gimple_location(call));
  if (which == MARK_SCOPE_END)
    await_detached_omp_events(at, AWAIT_GROUP);
  if (!reducing) {
    gsi_replace(at, mark, false);
    return true;
  }
  kept.add(call);
  gsi_insert_before(at, mark, GSI_SAME_STMT);
  return true;
}

/* Returns the word at INDEX of the DATA of a task, as an object of type OF.  The words of the data have the size of
   TYPE.  */
static tree omp_task_data_word(tree data, int index, tree type, tree of) {
  tree offset_type = build_pointer_type_for_mode(type, VOIDmode, true);
  return build2(MEM_REF, of, data, build_int_cst(offset_type, index * tree_to_uhwi(TYPE_SIZE_UNIT(type))));
}

/* Returns true if a taskloop counts upwards, by its constant STEP, or by its FLAGS, an argument of the call of
   libgomp.  */
static bool omp_taskloop_counts_up_p(tree flags, tree step) {
  if (TREE_CODE(step) == INTEGER_CST && !TYPE_UNSIGNED(TREE_TYPE(step)))
    return tree_int_cst_sgn(step) > 0;
  return TREE_CODE(flags) != INTEGER_CST || tree_to_uhwi(flags) & TASK_UP;
}

/* Replaces the statement at AT, after which the basic block is split, by ALL on the condition that START is before END:
   below it if UP is set, else above.  */
static void guard_omp_taskloop_body(gimple_stmt_iterator *at, gimple_seq all, bool up, tree start, tree end) {
  basic_block before = gsi_bb(*at);
  edge to_call = split_block(before, gsi_stmt(*at));
  gimple_stmt_iterator last = gsi_last_bb(before);
  gsi_remove(&last, true);
  basic_block behind = to_call->dest, calling = create_empty_bb(before);
  add_bb_to_loop(calling, before->loop_father);
  gimple_stmt_iterator inside = gsi_start_bb(calling), end_of_before = gsi_last_bb(before);
  gsi_insert_seq_after(&inside, all, GSI_CONTINUE_LINKING);
  gsi_insert_after(&end_of_before, gimple_build_cond(up ? LT_EXPR : GT_EXPR, start, end, NULL_TREE, NULL_TREE),
                   GSI_NEW_STMT);
  remove_edge(to_call);
  make_edge(before, calling, EDGE_TRUE_VALUE)->probability = profile_probability::always();
  make_edge(before, behind, EDGE_FALSE_VALUE)->probability = profile_probability::never();
  make_single_succ_edge(calling, behind, EDGE_FALLTHRU)->probability = profile_probability::always();
  calling->count = before->count;
}

/* Replaces LOOP, a call of GOMP_taskloop (function, data, copier, size, alignment, flags, tasks, priority, start, end,
   step), by a direct call of the function.  The first two words of the data give it its range of iterations, which must
   not be empty; here it gets all of them.  The third word describes the reductions.  Returns false if the function is
   not known.  */
bool serial_maker::replace_omp_taskloop(gimple_stmt_iterator *at, gcall *loop) {
  tree function = omp_outlined_function_argument(loop, 0);
  if (!function)
    return false;
  tree start = gimple_call_arg(loop, 8), end = gimple_call_arg(loop, 9), flags = gimple_call_arg(loop, 5);
  bool reduces = TREE_CODE(flags) == INTEGER_CST && tree_to_uhwi(flags) & TASK_REDUCTION;
  gimple_seq all = NULL;
  omp_task_data data(&all, loop);
  tree type = TREE_TYPE(start), pointer = create_tmp_var(build_pointer_type(type));
  gimple_seq_add_stmt(&all, gimple_build_assign(pointer, data.data));
  gimple_seq_add_stmt(&all, gimple_build_assign(omp_task_data_word(pointer, 0, type, type), start));
  gimple_seq_add_stmt(&all, gimple_build_assign(omp_task_data_word(pointer, 1, type, type), end));
  if (reduces) {
    tree what = create_tmp_var(ptr_type_node);
    gimple_seq_add_stmt(&all, gimple_build_assign(what, omp_task_data_word(pointer, 2, type, ptr_type_node)));
    begin_omp_task_reduction(&all, what);
  }
  add_omp_body_call(&all, function, data.data, libgomp_call_location(loop, function));
  if (reduces)
    add_kept_libgomp_call(&all, BUILT_IN_GOMP_TASKGROUP_END);
  data.release_omp_task_data(&all);
  guard_omp_taskloop_body(at, all, omp_taskloop_counts_up_p(flags, gimple_call_arg(loop, 10)), start, end);
  ended = true;
  return true;
}
