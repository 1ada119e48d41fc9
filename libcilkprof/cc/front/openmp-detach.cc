/* Detached tasks.  The engine keeps their events (engine/marks/detached.c), and waits for them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"
#include "openmp-calls.h"

enum { TASK_DETACH = 1 << 13 }; /* a flag of libgomp */

static bool detaches; /* some task of this unit is detached */

/* Notes that a task of this unit is detached, and warns, at WHERE, that the span does not include the wait for its
   event.  */
void note_detached_omp_task(location_t where) {
  detaches = true;
  note_omp_limit_once(where, "the span ignores that a task waits for its event to be fulfilled");
}

/* Returns a call of the engine's function NAME, of TYPE, with the arguments FIRST and SECOND.  */
static gcall *build_omp_detach_call(const char *name, tree type, tree first, tree second) {
  return gimple_build_call(declare_omp_engine_function(name, type), 2, first, second);
}

/* Appends to ALL the creation of the event of TASK, if that is a detached one.  TASK is GOMP_task (..., data, ...,
   flags, depend, priority, event); the event is also stored in the first word of the data.  */
void begin_detached_omp_task(gimple_seq *all, gcall *task) {
  tree flags = gimple_call_arg(task, 6), data = gimple_call_arg(task, 1);
  if (gimple_call_num_args(task) < 10 || TREE_CODE(flags) != INTEGER_CST || !(tree_to_uhwi(flags) & TASK_DETACH))
    return;
  tree type = build_function_type_list(void_type_node, ptr_type_node, const_ptr_type_node, NULL_TREE);
  tree event = gimple_call_arg(task, 9);
  gcall *make = build_omp_detach_call("__cilkprof_api_omp_detach", type, event, gimple_call_arg(task, 7));
  gimple_set_location(make, gimple_location(task));
  gimple_seq_add_stmt(all, make);
  if (integer_zerop(data))
    return;
  tree handle = load_omp_gimple_memory(all, event, ptr_type_node);
  gimple_seq_add_stmt(all, gimple_build_assign(omp_gimple_memory_at(all, data, ptr_type_node), handle));
}

/* Appends a call to ALL that makes the engine wait for the events of detached tasks, as WHAT says.  DEPEND is the array
   of dependences in the call of libgomp if WHAT is AWAIT_DEPEND, else null.  Does nothing if no task of the unit is
   detached.  */
void await_detached_omp_events(gimple_seq *all, awaited what, tree depend) {
  if (!detaches || (what == AWAIT_DEPEND && integer_zerop(depend)))
    return;
  tree number = long_unsigned_type_node,
       type = build_function_type_list(void_type_node, number, const_ptr_type_node, NULL_TREE);
  gimple_seq_add_stmt(all,
                      build_omp_detach_call("__cilkprof_api_omp_await", type, build_int_cst(number, what), depend));
}

/* Inserts a call before the statement BEFORE that makes the engine wait for the events of detached tasks, as WHAT says.
   Does nothing if no task of the unit is detached.  */
void await_detached_omp_events(gimple_stmt_iterator *before, awaited what) {
  gimple_seq all = NULL;
  await_detached_omp_events(&all, what, null_pointer_node);
  if (all)
    gsi_insert_seq_before(before, all, GSI_SAME_STMT);
}
