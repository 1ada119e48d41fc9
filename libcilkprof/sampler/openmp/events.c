/* Callbacks of OpenMP's runtime: parallel regions, tasks, waits and locks.
   SPDX-License-Identifier: MIT

   The runtime keeps a pointer for the tool with every region and task: it points to the task_origin.  */

#include "libcilkprof/sampler/openmp/openmp.h"

static struct task_entry *top_of(struct openmp_thread *self) {
  uint32_t depth = atomic_load_explicit(&self->depth, memory_order_relaxed);
  return depth ? &self->entries[depth - 1] : NULL;
}

static void update(struct openmp_thread *self) {
  const struct task_entry *top = top_of(self);
  bool idle = top ? top->waits : self->worker;
  openmp_set_state(self, idle ? IDLE : WORKING);
}

/* ORIGIN is NULL for a task whose frames continue in the creating task, or if it is unknown.  */
static void push(struct openmp_thread *self, const ompt_data_t *name, struct task_origin *origin) {
  uint32_t depth = atomic_load_explicit(&self->depth, memory_order_relaxed);
  struct task_entry *below = top_of(self), *entry = &self->entries[depth];
  struct sampled_task *outer = below ? below->nearest : NULL;
  if (depth == MOST_ENTRIES)
    return;
  entry->task = (struct sampled_task){.outer = outer, .origin = origin};
  entry->nearest = origin ? &entry->task : outer;
  entry->name = name;
  entry->frame = NULL;
  entry->in_region = false;
  entry->waits = false;
  atomic_signal_fence(memory_order_release);
  atomic_store_explicit(&self->depth, depth + 1, memory_order_relaxed);
}

static void pop(struct openmp_thread *self) {
  uint32_t depth = atomic_load_explicit(&self->depth, memory_order_relaxed);
  if (depth)
    atomic_store_explicit(&self->depth, depth - 1, memory_order_relaxed);
}

static void thread_begin(ompt_thread_t type, ompt_data_t *data) {
  (void)data;
  openmp_thread_begin(type == ompt_thread_worker);
  __cilkprof_s_thread_begin();
}

static void thread_end(ompt_data_t *data) {
  (void)data;
  __cilkprof_s_thread_end();
  openmp_thread_end();
}

/* Records the origin of a region or a task.  The frame of the creating task is noted here; otherwise it is looked up
   only when a sample needs it, as most tasks are neither sampled nor create others.  */
static struct task_origin *make(const ompt_data_t *creator, const ompt_frame_t *frame, const void *code, bool is_task) {
  struct task_entry *top = openmp_self ? top_of(openmp_self) : NULL;
  if (top && top->name == creator)
    top->frame = frame;
  return __cilkprof_s_origin_new(code, is_task);
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned requested,
                           int flags, const void *code) {
  (void)requested, (void)flags;
  struct task_entry *top = openmp_self ? top_of(openmp_self) : NULL;
  parallel->ptr = top ? make(task, frame, code, false) : NULL;
  if (top) {
    top->region = parallel->ptr;
    top->in_region = true;
  }
}

static void release(ompt_data_t *data) {
  __cilkprof_s_origin_release(data->ptr);
  data->ptr = NULL;
}

/* LLVM's runtime has already released the memory of the region, maybe to a region of another thread, so the region
   is identified by the task that began it.  In a region with one thread the implicit task ends after this callback.  */
static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) {
  (void)parallel, (void)task, (void)flags, (void)code;
  struct task_entry *entry = openmp_self ? top_of(openmp_self) : NULL;
  while (entry && !entry->in_region)
    entry = entry > openmp_self->entries ? entry - 1 : NULL;
  if (entry) {
    entry->in_region = false;
    __cilkprof_s_origin_release(entry->region);
  }
}

/* The thread that encounters the region runs one of the implicit tasks, too, which is treated like the others.  A
   worker ends its implicit task only when it begins another, and the region may be gone by then.  */
static void implicit_task(ompt_scope_endpoint_t point, ompt_data_t *parallel, ompt_data_t *task, unsigned threads,
                          unsigned index, int flags) {
  (void)threads, (void)index, (void)flags;
  struct openmp_thread *self = openmp_self;
  if (!self)
    return;
  if (point == ompt_scope_begin) {
    task->ptr = parallel ? parallel->ptr : NULL;
    __cilkprof_s_origin_share(task->ptr);
    push(self, task, task->ptr);
  } else {
    pop(self);
    release(task);
  }
  update(self);
}

static void task_create(ompt_data_t *creator, const ompt_frame_t *frame, ompt_data_t *task, int flags, int dependences,
                        const void *code) {
  (void)flags, (void)dependences;
  task->ptr = make(creator, frame, code, true);
}

/* A task begins on top of another one, or the task below it continues.  There is no next task when a detached task
   is completed from elsewhere.  */
static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  struct openmp_thread *self = openmp_self;
  struct task_entry *top = self ? top_of(self) : NULL;
  if (!top || !next)
    return;
  if (top > self->entries && top[-1].name == next) {
    pop(self);
    if (top[-1].waits)
      atomic_store_explicit(&self->task_end, openmp_ticks(), memory_order_relaxed);
    if (status != ompt_task_switch && status != ompt_task_yield)
      release(prior);
  } else
    push(self, next, next->ptr);
  update(self);
}

static void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t point, ompt_data_t *parallel,
                             ompt_data_t *task, const void *code) {
  (void)kind, (void)parallel, (void)task, (void)code;
  struct openmp_thread *self = openmp_self;
  struct task_entry *top = self ? top_of(self) : NULL;
  if (!top)
    return;
  top->waits = point == ompt_scope_begin;
  openmp_find_frame(top); /* while other tasks are not yet on top of it */
  update(self);
}

void openmp_lock_begins(void) {
  struct openmp_thread *self = openmp_self;
  if (!self)
    return;
  self->locked_ns = openmp_now();
  openmp_set_state(self, LOCKED);
}

/* A wait this short means that the lock was free.  */
void openmp_lock_ends(const void *code) {
  enum { FREE_NS = 1000 };
  struct openmp_thread *self = openmp_self;
  if (!self || !self->locked_ns)
    return;
  uint64_t waited = openmp_now() - self->locked_ns;
  self->locked_ns = 0;
  update(self);
  if (waited > FREE_NS)
    __cilkprof_s_waited(waited, code);
}

/* Trying to acquire a lock is not waiting.  */
static void mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation, ompt_wait_id_t lock,
                          const void *code) {
  (void)hint, (void)implementation, (void)lock, (void)code;
  if (kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock)
    openmp_lock_begins();
}

static void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void *code) {
  (void)kind, (void)lock;
  openmp_lock_ends(code);
}

/* The thread already owned the nested lock.  */
static void nest_lock(ompt_scope_endpoint_t point, ompt_wait_id_t lock, const void *code) {
  (void)lock;
  if (point == ompt_scope_begin)
    openmp_lock_ends(code);
}

bool openmp_listen(ompt_function_lookup_t lookup) {
  static const struct {
    ompt_callbacks_t event;
    ompt_callback_t callback;
  } events[] = {
      {ompt_callback_thread_begin, (ompt_callback_t)thread_begin},
      {ompt_callback_thread_end, (ompt_callback_t)thread_end},
      {ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin},
      {ompt_callback_parallel_end, (ompt_callback_t)parallel_end},
      {ompt_callback_implicit_task, (ompt_callback_t)implicit_task},
      {ompt_callback_task_create, (ompt_callback_t)task_create},
      {ompt_callback_task_schedule, (ompt_callback_t)task_schedule},
      {ompt_callback_sync_region_wait, (ompt_callback_t)sync_region_wait},
      {ompt_callback_mutex_acquire, (ompt_callback_t)mutex_acquire},
      {ompt_callback_mutex_acquired, (ompt_callback_t)mutex_acquired},
      {ompt_callback_nest_lock, (ompt_callback_t)nest_lock},
  };
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  openmp_get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  if (!set)
    return false;
  for (size_t i = 0; i < sizeof events / sizeof *events; i++)
    if (set(events[i].event, events[i].callback) != ompt_set_always)
      return false;
  return true;
}
