/* The threads of an OpenMP program, and the sampler's agent.
   SPDX-License-Identifier: MIT

   Each thread writes only its own state: events are frequent and samples are rare, so it is the samples that count
   the working threads.  */

#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "libcilkprof/sampler/openmp/openmp.h"

__thread struct openmp_thread *openmp_self;
ompt_get_task_info_t openmp_get_task_info;

static struct openmp_thread *_Atomic threads[MAX_OPENMP_THREADS];
static _Atomic int thread_count; /* slots from this one on were never used */
static int available, configured;

/* Returns the time of a monotonic clock in nanoseconds, to measure how long threads wait for locks.  */
uint64_t openmp_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Notes how many processors may be used, and how many threads OMP_NUM_THREADS asks for.  The variable may be a list,
   for nested regions: then the number of processors is used.  */
void openmp_configure(int processors) {
  const char *text = getenv("OMP_NUM_THREADS");
  char *end = NULL;
  long number = text ? strtol(text, &end, 10) : 0;
  available = processors;
  configured = number > 0 && number < INT_MAX && !*end ? (int)number : processors;
}

/* Takes a free slot for the state of an OpenMP thread, and returns it; NULL if there is no memory, or if there are too
   many threads.  */
static struct openmp_thread *take_openmp_thread(void) {
  for (int i = 0; i < MAX_OPENMP_THREADS; i++) {
    struct openmp_thread *thread = atomic_load(&threads[i]);
    int nobody = NOBODY, count = atomic_load(&thread_count);
    if (!thread) {
      void *made =
          mmap(NULL, sizeof *thread, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (made == MAP_FAILED)
        return NULL;
      if (atomic_compare_exchange_strong(&threads[i], &thread, (struct openmp_thread *)made))
        thread = made;
      else
        munmap(made, sizeof *thread);
    }
    while (count <= i && !atomic_compare_exchange_weak(&thread_count, &count, i + 1))
      ;
    if (atomic_compare_exchange_strong(&thread->state, &nobody, IDLE))
      return thread;
  }
  return NULL;
}

/* Gives this thread a state, unless it has one already.  WORKER tells that OpenMP's runtime started the thread: it is
   idle until it gets a task.  */
void openmp_thread_begin(bool worker) {
  if (openmp_self || !(openmp_self = take_openmp_thread()))
    return;
  if (openmp_watched && !paths_thread_begin()) {
    openmp_self = NULL;
    return;
  }
  atomic_store(&openmp_self->depth, 0);
  atomic_store(&openmp_self->fetches_since, 0);
  openmp_self->worker = worker;
  openmp_set_state(openmp_self, worker ? IDLE : WORKING);
}

/* Gives up the state of this thread, which ends, for another thread to use.  */
void openmp_thread_end(void) {
  struct openmp_thread *self = openmp_self;
  openmp_self = NULL;
  if (!self)
    return;
  paths_thread_end();
  atomic_store(&self->state, NOBODY);
}

void openmp_push_task(struct openmp_thread *self, const ompt_data_t *name, struct task_origin *origin,
                      uintptr_t boundary) {
  uint32_t depth = atomic_load_explicit(&self->depth, memory_order_relaxed);
  struct task_entry *below = innermost_openmp_task(self), *entry = &self->entries[depth];
  struct sampled_task *outer = below ? below->nearest : NULL;
  if (depth == MAX_ENTRIES)
    return;
  entry->task = (struct sampled_task){.outer = outer, .origin = origin, .boundary = boundary};
  entry->nearest = origin ? &entry->task : outer;
  entry->name = name;
  entry->frame = NULL;
  entry->in_region = false;
  entry->waits = false;
  atomic_signal_fence(memory_order_release);
  atomic_store_explicit(&self->depth, depth + 1, memory_order_relaxed);
}

void openmp_pop_task(struct openmp_thread *self) {
  uint32_t depth = atomic_load_explicit(&self->depth, memory_order_relaxed);
  if (depth)
    atomic_store_explicit(&self->depth, depth - 1, memory_order_relaxed);
}

/* Gives up the states of all other threads in a forked child, where only this thread exists.  */
void openmp_forked(void) {
  for (int i = 0; i < MAX_OPENMP_THREADS; i++) {
    struct openmp_thread *thread = atomic_load(&threads[i]);
    if (thread && thread != openmp_self)
      atomic_store(&thread->state, NOBODY);
  }
}

/* Returns true if THREAD works at the time NOW, in ticks.  While the runtime fetches the next task, the thread is not
   idle: that is overhead.  Only the time that passes tells that the runtime finds no task.  */
static bool is_openmp_thread_working(const struct openmp_thread *thread, uint64_t now) {
  switch (atomic_load_explicit(&thread->state, memory_order_relaxed)) {
  case WORKING:
    return true;
  case IDLE:
    return is_sampled_fetch_short(now, atomic_load_explicit(&thread->fetches_since, memory_order_relaxed));
  default:
    return false;
  }
}

/* Returns how many OpenMP threads have work, for the sampler.  Called in the signal handler.  */
static int working_openmp_threads(void) {
  int count = 0, most = atomic_load(&thread_count);
  uint64_t now = read_ticks();
  for (int i = 0; i < most; i++) {
    const struct openmp_thread *thread = atomic_load_explicit(&threads[i], memory_order_acquire);
    count += thread && is_openmp_thread_working(thread, now);
  }
  return count;
}

/* Returns how many OpenMP threads wait for a lock, for the sampler.  Called in the signal handler.  */
static int lock_waiting_openmp_threads(void) {
  int count = 0, most = atomic_load(&thread_count);
  for (int i = 0; i < most; i++) {
    const struct openmp_thread *thread = atomic_load_explicit(&threads[i], memory_order_acquire);
    count += thread && atomic_load_explicit(&thread->state, memory_order_relaxed) == LOCKED;
  }
  return count;
}

/* Returns true if this thread is an OpenMP thread that has work, for the sampler.  Called in the signal handler.  */
static bool has_openmp_work(void) {
  return openmp_self && is_openmp_thread_working(openmp_self, read_ticks());
}

/* Returns the configured number of OpenMP threads, for the sampler.  */
static int openmp_worker_count(void) {
  return configured;
}

/* Returns the number of processors that the OpenMP threads can use, for the sampler: at most as many as there are
   threads.  */
static int openmp_processor_count(void) {
  return available < configured ? available : configured;
}

/* Asks OpenMP's runtime where the frames of ENTRY begin, this thread's innermost task, unless that is known.  */
void openmp_find_frame(struct task_entry *entry) {
  ompt_data_t *data = NULL;
  ompt_frame_t *frame = NULL;
  if (!entry->frame && entry->task.origin && openmp_get_task_info &&
      openmp_get_task_info(0, NULL, &data, &frame, NULL, NULL) == 2 && data == entry->name)
    entry->frame = frame;
}

/* Returns whether the task has frames on this thread's stack.  The runtime sets where they begin when it calls the
   task's code; until then the frames belong to the task below.  */
static bool ompt_task_has_frames(struct sampled_task *task) {
  struct task_entry *entry = (struct task_entry *)task;
  if (task->boundary)
    return true;
  openmp_find_frame(entry);
  if (entry->frame)
    task->boundary = (uintptr_t)entry->frame->exit_frame.ptr;
  return task->boundary;
}

/* Returns the innermost task of this thread that has frames, for the sampler; NULL if there is none.  Called in the
   signal handler.  */
static struct sampled_task *openmp_running_task(void) {
  struct openmp_thread *self = openmp_self;
  uint32_t depth = self ? atomic_load_explicit(&self->depth, memory_order_relaxed) : 0;
  struct sampled_task *task = depth ? self->entries[depth - 1].nearest : NULL;
  while (task && !ompt_task_has_frames(task))
    task = task->outer;
  return task;
}

const struct sampler_agent openmp_agent = {
    .sampled = CILKPROF_SAMPLED_OPENMP,
    .workers = openmp_worker_count,
    .processors = openmp_processor_count,
    .working = working_openmp_threads,
    .waiting = lock_waiting_openmp_threads,
    .has_work = has_openmp_work,
    .running = openmp_running_task,
    .spans = &openmp_spans,
};
