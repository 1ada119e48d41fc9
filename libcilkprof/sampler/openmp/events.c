/* Callbacks of OpenMP's runtime: parallel regions, tasks, waits and locks.
   SPDX-License-Identifier: MIT

   The runtime keeps a pointer for the tool with every region and task (openmp.h).  */

#include "libcilkprof/sampler/moments.h"
#include "libcilkprof/sampler/openmp/openmp.h"
#include "libcilkprof/sampler/origins.h"

/* Returns what the thread SELF does, for the timeline, by its innermost task.  */
static enum cilkprof_thread_state sampled_openmp_state(struct openmp_thread *self) {
  const struct task_entry *top = innermost_openmp_task(self);
  if (top)
    return top->waits ? CILKPROF_THREAD_WAITS : CILKPROF_THREAD_WORKS;
  return self->worker ? CILKPROF_THREAD_IDLE : CILKPROF_THREAD_WORKS;
}

/* Sets the state of the thread SELF by its innermost task: it is idle if that waits, or if a worker has none.  */
static void update_openmp_state(struct openmp_thread *self) {
  const struct task_entry *top = innermost_openmp_task(self);
  bool idle = top ? top->waits : self->worker;
  openmp_set_state(self, idle ? IDLE : WORKING);
  __cilkprof_s_state(sampled_openmp_state(self), NULL);
}

/* Callback of OpenMP's runtime when it has started a thread, or first meets one of the program: begins to sample this
   thread.  */
static void on_ompt_thread_begin(ompt_thread_t type, ompt_data_t *data) {
  (void)data;
  openmp_thread_begin(type == ompt_thread_worker);
  __cilkprof_s_thread_begin();
}

/* Callback of OpenMP's runtime when a thread ends: this thread is not sampled from here on.  */
static void on_ompt_thread_end(ompt_data_t *data) {
  (void)data;
  __cilkprof_s_thread_end();
  openmp_thread_end();
}

/* Notes the FRAME of the task CREATOR, which begins a region or creates a task, if that is TOP, the innermost task of
   this thread.  Otherwise it is looked up only when a sample needs it, as most tasks are neither sampled nor create
   others.  */
static void note_openmp_frame(struct task_entry *top, const ompt_data_t *creator, const ompt_frame_t *frame) {
  if (top && top->name == creator)
    top->frame = frame;
}

/* Callback of OpenMP's runtime when TASK begins a parallel region: records where that is, for the implicit tasks of the
   region.  */
static void on_ompt_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                                   unsigned requested, int flags, const void *code) {
  (void)requested, (void)flags;
  struct task_entry *top = openmp_self ? innermost_openmp_task(openmp_self) : NULL;
  note_openmp_frame(top, task, frame);
  parallel->ptr = NULL;
  if (top) {
    openmp_region_begins(task, parallel, code,
                         __cilkprof_s_origin_new(code, false, (uintptr_t)__builtin_frame_address(0)));
    top->region = parallel->ptr;
    top->in_region = true;
    __cilkprof_s_region_begins(code);
  }
  openmp_event_ends();
}

/* Callback of OpenMP's runtime when a parallel region ends: releases its origin.  LLVM's runtime has already released
   the memory of the region, maybe to a region of another thread, so the region is identified by the task that began it.
   In a region with one thread the implicit task ends after this callback.  */
static void on_ompt_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) {
  (void)parallel, (void)flags, (void)code;
  struct task_entry *entry = openmp_self ? innermost_openmp_task(openmp_self) : NULL;
  while (entry && !entry->in_region)
    entry = entry > openmp_self->entries ? entry - 1 : NULL;
  if (entry) {
    entry->in_region = false;
    openmp_region_ends(entry->region, task);
    __cilkprof_s_region_ends();
  }
  openmp_event_ends();
}

/* Callback of OpenMP's runtime when this thread begins or ends its implicit task of a parallel region: pushes the task
   on the thread's stack of tasks, or pops it.  The thread that encounters the region runs one of the implicit tasks,
   too, which is treated like the others.  A worker ends its implicit task only when it begins another, and the region
   may be gone by then.  */
static void on_ompt_implicit_task(ompt_scope_endpoint_t point, ompt_data_t *parallel, ompt_data_t *task,
                                  unsigned threads, unsigned index, int flags) {
  struct openmp_thread *self = openmp_self;
  if (!self)
    return;
  if (point == ompt_scope_begin) {
    openmp_thread_enters(parallel, task, threads, index, flags);
    struct task_origin *origin = openmp_origin(task);
    __cilkprof_s_origin_share(origin);
    openmp_push_task(self, task, origin, 0);
    __cilkprof_s_state(CILKPROF_THREAD_WORKS, __cilkprof_s_origin_code(origin));
  } else {
    openmp_pop_task(self);
    release_origin_to_hand(openmp_origin(task));
    openmp_thread_leaves(task);
  }
  update_openmp_state(self);
  openmp_event_ends();
}

/* Callback of OpenMP's runtime when CREATOR creates an explicit task: records where that is.  */
static void on_ompt_task_create(ompt_data_t *creator, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                                int dependences, const void *code) {
  (void)dependences;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  struct task_entry *top = openmp_self ? innermost_openmp_task(openmp_self) : NULL;
  const void *body = openmp_task_body;
  openmp_task_body = NULL;
  note_openmp_frame(top, creator, frame);
  struct task_origin *origin = top && top->nearest ? share_last_origin(top->nearest, code, here) : NULL;
  if (!origin)
    origin = __cilkprof_s_origin_new(code, true, here);
  if (openmp_watched)
    openmp_task_created(creator, task, flags, body ? body : code, origin);
  else
    task->ptr = origin;
  openmp_event_ends();
}

/* Callback of OpenMP's runtime when this thread switches from the task PRIOR to NEXT: a task begins on top of another
   one, or the task below it continues.  There is no next task when a detached task is completed from elsewhere.  */
static void on_ompt_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  struct openmp_thread *self = openmp_self;
  struct task_entry *top = self ? innermost_openmp_task(self) : NULL;
  if (!top || !next)
    return;
  struct task_origin *ended = openmp_origin(prior), *begins = openmp_origin(next);
  if (openmp_watched)
    openmp_task_scheduled(prior, status, next);
  if (top > self->entries && top[-1].name == next) {
    uint64_t now = read_ticks();
    bool waits = top[-1].waits;
    openmp_pop_task(self);
    if (waits)
      atomic_store_explicit(&self->fetches_since, now, memory_order_relaxed);
    openmp_set_state(self, waits ? IDLE : WORKING);
    note_sampled_task_ends(waits ? CILKPROF_THREAD_WAITS : CILKPROF_THREAD_WORKS, now);
    if (status != ompt_task_switch && status != ompt_task_yield) {
      release_origin_to_hand(ended);
      prior->ptr = NULL;
    }
  } else {
    openmp_push_task(self, next, begins, 0);
    openmp_set_state(self, WORKING);
    note_sampled_task_begins(begins ? begins->code : NULL, begins ? begins->thread : CILKPROF_NO_THREAD);
  }
  openmp_event_ends();
}

/* Callback of OpenMP's runtime when a task begins or ends to wait at a barrier, or for other tasks: the thread is idle
   meanwhile, unless it runs others.  One that waits for tasks fetches one of them first.  */
static void on_ompt_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t point, ompt_data_t *parallel,
                                     ompt_data_t *task, const void *code) {
  (void)parallel, (void)task, (void)code;
  struct openmp_thread *self = openmp_self;
  struct task_entry *top = self ? innermost_openmp_task(self) : NULL;
  if (!top)
    return;
  top->waits = point == ompt_scope_begin;
  if (top->waits && (kind == ompt_sync_region_taskwait || kind == ompt_sync_region_taskgroup))
    atomic_store_explicit(&self->fetches_since, read_ticks(), memory_order_relaxed);
  openmp_find_frame(top); /* while other tasks are not yet on top of it */
  update_openmp_state(self);
}

/* Notes that this thread begins to wait for a lock, and is neither working nor idle.  */
void openmp_begin_lock_wait(void) {
  struct openmp_thread *self = openmp_self;
  if (!self)
    return;
  self->locked_ns = openmp_now();
  openmp_set_state(self, LOCKED);
}

/* Notes that this thread has acquired the lock that it waited for, in a call that returns to CODE, and adds the time to
   the samples.  A very short wait means that the lock was free, and is not added.  */
void openmp_end_lock_wait(const void *code) {
  enum { FREE_NS = 1000 };
  struct openmp_thread *self = openmp_self;
  if (!self || !self->locked_ns)
    return;
  uint64_t waited = openmp_now() - self->locked_ns;
  self->locked_ns = 0;
  update_openmp_state(self);
  if (waited > FREE_NS)
    __cilkprof_s_waited(waited, code);
}

/* Callback of OpenMP's runtime when this thread is about to acquire a lock: it may have to wait.  Trying to acquire a
   lock is not waiting.  */
static void on_ompt_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation, ompt_wait_id_t lock,
                                  const void *code) {
  (void)hint, (void)implementation, (void)lock, (void)code;
  if (kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock)
    return;
  if (openmp_watched) /* first, so that what the tool does is not the program's */
    openmp_lock_waits();
  openmp_begin_lock_wait();
}

/* Callback of OpenMP's runtime when this thread has acquired a lock, in a call that returns to CODE.  */
static void on_ompt_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void *code) {
  (void)lock;
  if (openmp_lock_caller)
    code = openmp_lock_caller;
  openmp_end_lock_wait(code);
  if (openmp_watched)
    openmp_lock_acquired(kind, code);
}

/* Callback of OpenMP's runtime when this thread acquires a nested lock that it already owned: its wait, which was none,
   ends.  */
static void on_ompt_nest_lock(ompt_scope_endpoint_t point, ompt_wait_id_t lock, const void *code) {
  (void)lock;
  if (point == ompt_scope_begin)
    openmp_end_lock_wait(openmp_lock_caller ? openmp_lock_caller : code);
}

/* The event NAME and its callback, which has the TYPE that the runtime calls.  */
#define EVENT(name, type)                                                                                              \
  {                                                                                                                    \
    ompt_callback_##name, (ompt_callback_t)(ompt_callback_##type##_t) {                                                \
      on_ompt_##name                                                                                                   \
    }                                                                                                                  \
  }

/* An event, and the callback for it.  */
struct event {
  ompt_callbacks_t event;
  ompt_callback_t callback;
};

/* Registers the callbacks with OpenMP's runtime, whose functions LOOKUP finds.  Returns false if the runtime does not
   support all that samples need.  What else work and span need is known as far as it tells.  */
bool openmp_register_callbacks(ompt_function_lookup_t lookup) {
  const struct event events[] = {
      EVENT(thread_begin, thread_begin),   EVENT(thread_end, thread_end),        EVENT(parallel_begin, parallel_begin),
      EVENT(parallel_end, parallel_end),   EVENT(implicit_task, implicit_task),  EVENT(task_create, task_create),
      EVENT(task_schedule, task_schedule), EVENT(sync_region_wait, sync_region), EVENT(mutex_acquire, mutex_acquire),
      EVENT(mutex_acquired, mutex),        EVENT(nest_lock, nest_lock),
  };
  const struct event of_spans[] = {EVENT(sync_region, sync_region), EVENT(work, work), EVENT(dependences, dependences),
                                   EVENT(mutex_released, mutex)};
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  openmp_get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  if (!set)
    return false;
  for (size_t i = 0; i < sizeof events / sizeof *events; i++)
    if (set(events[i].event, events[i].callback) != ompt_set_always)
      return false;
  for (size_t i = 0; openmp_watched && i < sizeof of_spans / sizeof *of_spans; i++)
    set(of_spans[i].event, of_spans[i].callback);
  return true;
}
