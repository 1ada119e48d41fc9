/* The interface of OpenMP's runtimes for tools (OMPT), as far as the tool here needs it.
   SPDX-License-Identifier: MIT

   Names, values and types are those of the OpenMP specification, version 5.2, chapter 19; the number before a group is
   that of its section.  An installed omp-tools.h, which has all of the interface, says the same
   (test/samples/ompt.t).  */

#ifndef CILKPROF_OMPT_H
#define CILKPROF_OMPT_H

#include <stdint.h>

/* 19.4.4: what a runtime keeps for the tool with every thread, parallel region and task.  */
typedef union ompt_data_t {
  uint64_t value;
  void *ptr;
} ompt_data_t;

/* 19.4.4: where the frames of a task end on its thread's stack (EXIT_FRAME), and where the runtime was entered from it
   (ENTER_FRAME).  */
typedef struct ompt_frame_t {
  ompt_data_t exit_frame, enter_frame;
  int exit_frame_flags, enter_frame_flags;
} ompt_frame_t;

/* 19.4.4: the identity of a lock.  */
typedef uint64_t ompt_wait_id_t;

/* 19.4.4: what a callback is told.  */
typedef enum ompt_thread_t {
  ompt_thread_initial = 1,
  ompt_thread_worker = 2,
  ompt_thread_other = 3,
  ompt_thread_unknown = 4,
} ompt_thread_t;
typedef enum ompt_scope_endpoint_t {
  ompt_scope_begin = 1,
  ompt_scope_end = 2,
  ompt_scope_beginend = 3,
} ompt_scope_endpoint_t;
typedef enum ompt_sync_region_t {
  ompt_sync_region_barrier = 1,
  ompt_sync_region_barrier_implicit = 2,
  ompt_sync_region_barrier_explicit = 3,
  ompt_sync_region_barrier_implementation = 4,
  ompt_sync_region_taskwait = 5,
  ompt_sync_region_taskgroup = 6,
  ompt_sync_region_reduction = 7,
} ompt_sync_region_t;
typedef enum ompt_work_t {
  ompt_work_loop = 1,
  ompt_work_sections = 2,
  ompt_work_single_executor = 3,
  ompt_work_single_other = 4,
  ompt_work_workshare = 5,
  ompt_work_distribute = 6,
  ompt_work_taskloop = 7,
  ompt_work_scope = 8,
} ompt_work_t;
typedef enum ompt_task_flag_t {
  ompt_task_initial = 0x1,
  ompt_task_implicit = 0x2,
  ompt_task_taskwait = 0x10,
  ompt_task_undeferred = 0x08000000,
} ompt_task_flag_t;
typedef enum ompt_dependence_type_t {
  ompt_dependence_type_in = 1,
} ompt_dependence_type_t;
typedef struct ompt_dependence_t {
  ompt_data_t variable;
  ompt_dependence_type_t dependence_type;
} ompt_dependence_t;
typedef enum ompt_mutex_t {
  ompt_mutex_lock = 1,
  ompt_mutex_test_lock = 2,
  ompt_mutex_nest_lock = 3,
  ompt_mutex_test_nest_lock = 4,
  ompt_mutex_critical = 5,
  ompt_mutex_atomic = 6,
  ompt_mutex_ordered = 7,
} ompt_mutex_t;
typedef enum ompt_task_status_t {
  ompt_task_complete = 1,
  ompt_task_yield = 2,
  ompt_task_cancel = 3,
  ompt_task_detach = 4,
  ompt_task_early_fulfill = 5,
  ompt_task_late_fulfill = 6,
  ompt_task_switch = 7,
} ompt_task_status_t;

/* 19.4.2: the events that the tool asks for, and the answers.  */
typedef enum ompt_callbacks_t {
  ompt_callback_thread_begin = 1,
  ompt_callback_thread_end = 2,
  ompt_callback_parallel_begin = 3,
  ompt_callback_parallel_end = 4,
  ompt_callback_task_create = 5,
  ompt_callback_task_schedule = 6,
  ompt_callback_implicit_task = 7,
  ompt_callback_sync_region_wait = 16,
  ompt_callback_mutex_released = 17,
  ompt_callback_dependences = 18,
  ompt_callback_work = 20,
  ompt_callback_sync_region = 23,
  ompt_callback_mutex_acquire = 26,
  ompt_callback_mutex_acquired = 27,
  ompt_callback_nest_lock = 28,
} ompt_callbacks_t;
typedef enum ompt_set_result_t {
  ompt_set_error = 0,
  ompt_set_never = 1,
  ompt_set_impossible = 2,
  ompt_set_sometimes = 3,
  ompt_set_sometimes_paired = 4,
  ompt_set_always = 5,
} ompt_set_result_t;

/* 19.5.2: the callbacks.  The names of parameters are in events.c.  */
typedef void (*ompt_callback_t)(void);
typedef void (*ompt_callback_thread_begin_t)(ompt_thread_t, ompt_data_t *);
typedef void (*ompt_callback_thread_end_t)(ompt_data_t *);
typedef void (*ompt_callback_parallel_begin_t)(ompt_data_t *, const ompt_frame_t *, ompt_data_t *, unsigned, int,
                                               const void *);
typedef void (*ompt_callback_parallel_end_t)(ompt_data_t *, ompt_data_t *, int, const void *);
typedef void (*ompt_callback_task_create_t)(ompt_data_t *, const ompt_frame_t *, ompt_data_t *, int, int, const void *);
typedef void (*ompt_callback_task_schedule_t)(ompt_data_t *, ompt_task_status_t, ompt_data_t *);
typedef void (*ompt_callback_implicit_task_t)(ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, unsigned, unsigned,
                                              int);
typedef void (*ompt_callback_sync_region_t)(ompt_sync_region_t, ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *,
                                            const void *);
typedef void (*ompt_callback_dependences_t)(ompt_data_t *, const ompt_dependence_t *, int);
typedef void (*ompt_callback_work_t)(ompt_work_t, ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, uint64_t,
                                     const void *);
typedef void (*ompt_callback_mutex_acquire_t)(ompt_mutex_t, unsigned, unsigned, ompt_wait_id_t, const void *);
typedef void (*ompt_callback_mutex_t)(ompt_mutex_t, ompt_wait_id_t, const void *);
typedef void (*ompt_callback_nest_lock_t)(ompt_scope_endpoint_t, ompt_wait_id_t, const void *);

/* 19.6: functions of the runtime, which the function LOOKUP of 19.5.1 finds by their names without the last _t.  */
typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *);
typedef ompt_set_result_t (*ompt_set_callback_t)(ompt_callbacks_t, ompt_callback_t);
typedef int (*ompt_get_task_info_t)(int, int *, ompt_data_t **, ompt_frame_t **, ompt_data_t **, int *);

/* 19.4.1 and 19.5.1: how the tool starts and ends, which its function ompt_start_tool of 19.2.1 returns.  */
typedef int (*ompt_initialize_t)(ompt_function_lookup_t, int, ompt_data_t *);
typedef void (*ompt_finalize_t)(ompt_data_t *);
typedef struct ompt_start_tool_result_t {
  ompt_initialize_t initialize;
  ompt_finalize_t finalize;
  ompt_data_t tool_data;
} ompt_start_tool_result_t;

#endif
