/* Work shares of libgomp, and reductions in tasks.
   SPDX-License-Identifier: GPL-3.0-or-later

   Outside of all parallel regions, where everything happens here, libgomp has one work share at a time, and that of a
   nested loop would overwrite that of the outer.  A team of one needs none: generated code counts the sections, a loop
   that asks for its iterations gets all of them, and the function allocates the memory that a work share has for its
   team.  In one function, work shares do not nest.

   libgomp finds the reductions of tasks through a taskgroup, so a region or work share with such reductions begins
   one.  */

#include "front.h"
#include "openmp-calls.h"

/* Appends to ALL the beginning of the reductions of REGION, a call of GOMP_parallel_reductions (function, data,
   threads, flags): the first word of the data describes them.  */
void serial_maker::begin_omp_region_reduction(gimple_seq *all, gcall *region) {
  begin_omp_task_reduction(all, load_omp_gimple_memory(all, gimple_call_arg(region, 1), ptr_type_node));
}

/* Appends to ALL the end of the reductions of REGION, a call of GOMP_parallel_reductions, whose result is the number of
   threads, here 1.  */
void serial_maker::end_omp_region_reduction(gimple_seq *all, gcall *region) {
  add_kept_libgomp_call(all, BUILT_IN_GOMP_TASKGROUP_END);
  if (tree threads = gimple_call_lhs(region))
    gimple_seq_add_stmt(all, gimple_build_assign(threads, build_one_cst(TREE_TYPE(threads))));
}

/* Appends to ALL the allocation of the memory that a work share has for its team.  ADDRESS contains the size that is
   needed, and receives the address of the memory.  */
void serial_maker::allocate_omp_share_memory(gimple_seq *all, tree address) {
  if (!memory) {
    memory = create_tmp_var(ptr_type_node);
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));
    gsi_insert_on_edge_immediate(entry, gimple_build_assign(memory, null_pointer_node));
  }
  tree size = load_omp_gimple_memory(all, address, size_type_node);
  gcall *get = gimple_build_call(builtin_decl_explicit(BUILT_IN_CALLOC), 2, size_one_node, size);
  gimple_call_set_lhs(get, memory);
  gimple_seq_add_stmt(all, get);
  gimple_seq_add_stmt(all, gimple_build_assign(omp_gimple_memory_at(all, address, ptr_type_node), memory));
}

/* Appends to ALL what a work share needs at its beginning.  REDUCTIONS and NEEDED are the last arguments of the call of
   libgomp: the reductions in tasks, and the memory that is needed.  A scope only has the former.  */
void serial_maker::begin_omp_work_share(gimple_seq *all, tree reductions, tree needed) {
  if (!integer_zerop(reductions))
    begin_omp_task_reduction(all, reductions);
  if (!integer_zerop(needed))
    allocate_omp_share_memory(all, needed);
}

/* Appends to ALL the assignment of VALUE to the result of CALL, a call of libgomp, if that is used; or, unless CODE is
   NOP_EXPR, of the comparison CODE of VALUE with 0.  */
static void set_libgomp_call_result(gimple_seq *all, gcall *call, tree_code code, tree value) {
  tree result = gimple_call_lhs(call);
  if (!result)
    return;
  tree zero = build_zero_cst(TREE_TYPE(value));
  gimple_seq_add_stmt(all, code == NOP_EXPR
                               ? gimple_build_assign(result, fold_convert(TREE_TYPE(result), value))
                               : gimple_build_assign(result, build2(code, boolean_type_node, value, zero)));
}

/* Replaces CALL, which asks libgomp to start a loop, by the beginning of a work share, and its result by true: this
   thread gets all iterations.  */
void serial_maker::replace_omp_loop_start(gimple_stmt_iterator *at, gcall *call) {
  unsigned count = gimple_call_num_args(call);
  gimple_seq all = NULL;
  begin_omp_work_share(&all, gimple_call_arg(call, count - 2), gimple_call_arg(call, count - 1));
  set_libgomp_call_result(&all, call, NOP_EXPR, integer_one_node);
  gsi_replace_with_seq(at, all, true);
}

/* Replaces CALL, of GOMP_loop_doacross_start (loops, counts, ..., first, end, reductions, memory), by code that gives
   this thread all iterations, numbers of TYPE.  One form of the call lacks the last two arguments; then SHARES is
   false.  It returns true if there are any iterations.  */
void serial_maker::replace_omp_doacross_start(gimple_stmt_iterator *at, gcall *call, bool shares, tree type) {
  unsigned first = gimple_call_num_args(call) - (shares ? 4 : 2);
  gimple_seq all = NULL;
  if (shares)
    begin_omp_work_share(&all, gimple_call_arg(call, first + 2), gimple_call_arg(call, first + 3));
  tree count = load_omp_gimple_memory(&all, gimple_call_arg(call, 1), type);
  gimple_seq_add_stmt(
      &all, gimple_build_assign(omp_gimple_memory_at(&all, gimple_call_arg(call, first), type), build_zero_cst(type)));
  gimple_seq_add_stmt(&all,
                      gimple_build_assign(omp_gimple_memory_at(&all, gimple_call_arg(call, first + 1), type), count));
  set_libgomp_call_result(&all, call, GT_EXPR, count);
  gsi_replace_with_seq(at, all, true);
}

/* Replaces CALL, of GOMP_sections_start (count), which returns the number of the first section.  GOMP_sections_next ()
   returns that of the next, or 0 after the last.  Both are assigned to the same variable.  */
void serial_maker::replace_omp_sections_start(gimple_stmt_iterator *at, gcall *call) {
  gimple_seq all = NULL;
  if (gimple_call_num_args(call) == 3)
    begin_omp_work_share(&all, gimple_call_arg(call, 1), gimple_call_arg(call, 2));
  set_libgomp_call_result(&all, call, NOP_EXPR, integer_one_node);
  gsi_replace_with_seq(at, all, true);
}

/* Replaces CALL, of GOMP_sections_next (), by code that counts: the number of the next section, or 0 after the
   last.  */
void serial_maker::replace_omp_sections_next(gimple_stmt_iterator *at, gcall *call) {
  tree which = gimple_call_lhs(call), type = TREE_TYPE(which), next = create_tmp_var(type);
  gimple_seq all = NULL;
  gimple_seq_add_stmt(&all, gimple_build_assign(next, PLUS_EXPR, which, build_one_cst(type)));
  tree more = create_tmp_var(boolean_type_node);
  gimple_seq_add_stmt(&all, gimple_build_assign(more, LE_EXPR, next, *sections.get(which)));
  gimple_seq_add_stmt(&all, gimple_build_assign(which, COND_EXPR, more, next, build_zero_cst(type)));
  gsi_replace_with_seq(at, all, true);
}

/* Records the number of sections of each sections construct in FUN, by the variable that says which section is
   next.  */
void serial_maker::collect_omp_section_counts(function *fun) {
  basic_block bb;
  sections.empty();
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (gimple_call_builtin_p(gsi_stmt(at), BUILT_IN_GOMP_SECTIONS_START) ||
          gimple_call_builtin_p(gsi_stmt(at), BUILT_IN_GOMP_SECTIONS2_START))
        sections.put(gimple_call_lhs(gsi_stmt(at)), gimple_call_arg(gsi_stmt(at), 0));
}

/* Replaces CALL, which starts a scope construct, by the beginning of its reductions in tasks.  */
void serial_maker::replace_omp_scope_start(gimple_stmt_iterator *at, gcall *call) {
  gimple_seq all = NULL;
  begin_omp_work_share(&all, gimple_call_arg(call, 0), null_pointer_node);
  gsi_replace_with_seq(at, all, true);
}

/* Inserts the release of the memory of a work share before the call at AT, if work shares of the function have any.  */
void serial_maker::release_omp_share_memory(gimple_stmt_iterator *at) {
  if (!memory)
    return;
  gsi_insert_before(at, gimple_build_call(builtin_decl_explicit(BUILT_IN_FREE), 1, memory), GSI_SAME_STMT);
  gsi_insert_before(at, gimple_build_assign(memory, null_pointer_node), GSI_SAME_STMT);
}

/* Replaces CALL, of the built-in function WHICH of libgomp, if it begins, continues or ends a work share: a loop,
   sections or a scope.  Returns true if so.  */
bool serial_maker::replace_omp_work_share_call(gimple_stmt_iterator *at, gcall *call, built_in_function which) {
  if (gcc_openmp_scope_start_p(which)) {
    replace_omp_scope_start(at, call);
    return true;
  }
  switch (which) {
  case BUILT_IN_GOMP_LOOP_START:
  case BUILT_IN_GOMP_LOOP_ULL_START:
    replace_omp_loop_start(at, call);
    return true;
  case BUILT_IN_GOMP_LOOP_DOACROSS_START:
  case BUILT_IN_GOMP_LOOP_DOACROSS_STATIC_START:
    replace_omp_doacross_start(at, call, which == BUILT_IN_GOMP_LOOP_DOACROSS_START, long_integer_type_node);
    return true;
  case BUILT_IN_GOMP_LOOP_ULL_DOACROSS_START:
  case BUILT_IN_GOMP_LOOP_ULL_DOACROSS_STATIC_START:
    replace_omp_doacross_start(at, call, which == BUILT_IN_GOMP_LOOP_ULL_DOACROSS_START, long_long_unsigned_type_node);
    return true;
  case BUILT_IN_GOMP_SECTIONS_START:
  case BUILT_IN_GOMP_SECTIONS2_START:
    replace_omp_sections_start(at, call);
    return true;
  case BUILT_IN_GOMP_SECTIONS_NEXT:
    replace_omp_sections_next(at, call);
    return true;
  case BUILT_IN_GOMP_LOOP_STATIC_NEXT:
  case BUILT_IN_GOMP_LOOP_ULL_STATIC_NEXT:
  case BUILT_IN_GOMP_DOACROSS_POST:
  case BUILT_IN_GOMP_DOACROSS_WAIT:
  case BUILT_IN_GOMP_DOACROSS_ULL_POST:
  case BUILT_IN_GOMP_DOACROSS_ULL_WAIT:
    replace_libgomp_call_by_value(at, call, 0);
    return true;
  case BUILT_IN_GOMP_LOOP_END_NOWAIT:
  case BUILT_IN_GOMP_SECTIONS_END_NOWAIT:
    release_omp_share_memory(at);
    replace_libgomp_call_by_value(at, call, 0);
    return true;
  case BUILT_IN_GOMP_LOOP_END:
  case BUILT_IN_GOMP_LOOP_END_CANCEL:
  case BUILT_IN_GOMP_SECTIONS_END:
  case BUILT_IN_GOMP_SECTIONS_END_CANCEL:
    release_omp_share_memory(at);
    replace_omp_wait(at, call, true);
    return true;
  default:
    return false;
  }
}
