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

static struct openmp_thread *_Atomic threads[MOST_THREADS];
static _Atomic int thread_count; /* slots from this one on were never used */
static int available, configured;

uint64_t openmp_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* OMP_NUM_THREADS may be a list, for nested regions: then the number of processors is used.  */
void openmp_configure(int processors) {
  const char *text = getenv("OMP_NUM_THREADS");
  char *end = NULL;
  long number = text ? strtol(text, &end, 10) : 0;
  available = processors;
  configured = number > 0 && number < INT_MAX && !*end ? (int)number : processors;
}

/* Takes a free slot; NULL if there is no memory, or if there are too many threads.  */
static struct openmp_thread *take(void) {
  for (int i = 0; i < MOST_THREADS; i++) {
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

void openmp_set_state(struct openmp_thread *self, enum state state) {
  atomic_store_explicit(&self->state, state, memory_order_relaxed);
}

void openmp_thread_begin(bool worker) {
  if (openmp_self || !(openmp_self = take()))
    return;
  atomic_store(&openmp_self->depth, 0);
  atomic_store(&openmp_self->task_end, 0);
  openmp_self->worker = worker;
  openmp_set_state(openmp_self, worker ? IDLE : WORKING);
}

void openmp_thread_end(void) {
  struct openmp_thread *self = openmp_self;
  openmp_self = NULL;
  if (self)
    atomic_store(&self->state, NOBODY);
}

void openmp_forked(void) {
  for (int i = 0; i < MOST_THREADS; i++) {
    struct openmp_thread *thread = atomic_load(&threads[i]);
    if (thread && thread != openmp_self)
      atomic_store(&thread->state, NOBODY);
  }
}

/* About 20 us in ticks: long for a runtime and short for a program.  */
static uint64_t handing_out(void) {
#ifdef __aarch64__
  uint64_t hz;
  __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
  return hz / 50000;
#else
  return 50000;
#endif
}

/* While the runtime fetches the next task, the thread is not idle: that is overhead.  Only the time that passes
   tells that the runtime finds no task.  */
static bool works(const struct openmp_thread *thread, uint64_t now) {
  switch (atomic_load_explicit(&thread->state, memory_order_relaxed)) {
  case WORKING:
    return true;
  case IDLE:
    return now - atomic_load_explicit(&thread->task_end, memory_order_relaxed) < handing_out();
  default:
    return false;
  }
}

static int working(void) {
  int count = 0, most = atomic_load(&thread_count);
  uint64_t now = openmp_ticks();
  for (int i = 0; i < most; i++) {
    const struct openmp_thread *thread = atomic_load_explicit(&threads[i], memory_order_acquire);
    count += thread && works(thread, now);
  }
  return count;
}

static int waiting(void) {
  int count = 0, most = atomic_load(&thread_count);
  for (int i = 0; i < most; i++) {
    const struct openmp_thread *thread = atomic_load_explicit(&threads[i], memory_order_acquire);
    count += thread && atomic_load_explicit(&thread->state, memory_order_relaxed) == LOCKED;
  }
  return count;
}

static bool has_work(void) {
  return openmp_self && works(openmp_self, openmp_ticks());
}

static int workers(void) {
  return configured;
}

static int processors(void) {
  return available < configured ? available : configured;
}

void openmp_find_frame(struct task_entry *entry) {
  ompt_data_t *data = NULL;
  ompt_frame_t *frame = NULL;
  if (!entry->frame && entry->task.origin && openmp_get_task_info &&
      openmp_get_task_info(0, NULL, &data, &frame, NULL, NULL) == 2 && data == entry->name)
    entry->frame = frame;
}

/* Returns whether the task has frames.  The runtime sets where they begin when it calls the task's code; until then
   the frames belong to the task below.  */
static bool has_frames(struct sampled_task *task) {
  struct task_entry *entry = (struct task_entry *)task;
  openmp_find_frame(entry);
  if (!task->boundary && entry->frame)
    task->boundary = (uintptr_t)entry->frame->exit_frame.ptr;
  return task->boundary;
}

static struct sampled_task *running(void) {
  struct openmp_thread *self = openmp_self;
  uint32_t depth = self ? atomic_load_explicit(&self->depth, memory_order_relaxed) : 0;
  struct sampled_task *task = depth ? self->entries[depth - 1].nearest : NULL;
  while (task && !has_frames(task))
    task = task->outer;
  return task;
}

const struct sampler_agent openmp_agent = {
    CILKPROF_SAMPLED_OPENMP, workers, processors, working, waiting, has_work, running,
};
