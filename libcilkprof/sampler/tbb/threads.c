/* The threads of a oneTBB program, and the sampler's agent.
   SPDX-License-Identifier: MIT

   Whether a thread has work is known when it is sampled: it has if there are frames of the program inside of its
   innermost wait.  Between two samples it is what it was at the last one, unless it was blocked or returned from a
   wait meanwhile.  A thread that was not sampled for long has no CPU time, and counts as idle whatever it is blocked
   by.  */

#include <sys/mman.h>

#include "libcilkprof/sampler/tbb/tbb.h"
#include "libcilkprof/sampler/unwind.h"

/* Samples may be as rare as three ticks of the kernel.  */
enum { LONG_NS = 12000000 };

__thread struct tbb_thread *tbb_self;

static struct tbb_thread threads[MAX_THREADS];
static _Atomic int thread_count; /* slots from this one on were never used */
static int available;

/* Notes how many processors the program may use.  oneTBB has as many threads.  */
void tbb_configure(int processors) {
  available = processors;
}

/* Returns the time of a monotonic clock in nanoseconds, which is never 0.  */
static uint64_t tbb_now(void) {
  return sampler_clock_ns(CLOCK_MONOTONIC) | 1;
}

/* Notes whether this thread has work from now on.  */
void tbb_set_working(bool works) {
  if (tbb_self)
    atomic_store_explicit(&tbb_self->worked_ns, works ? tbb_now() : 0, memory_order_relaxed);
}

/* Gives this thread a state, unless it has one already or there are too many threads.  */
void tbb_thread_begin(void) {
  for (int i = 0; i < MAX_THREADS && !tbb_self; i++) {
    int count = atomic_load(&thread_count);
    if (atomic_exchange(&threads[i].taken, true))
      continue;
    while (count <= i && !atomic_compare_exchange_weak(&thread_count, &count, i + 1))
      ;
    atomic_store(&threads[i].innermost, NULL);
    tbb_self = &threads[i];
  }
  tbb_set_working(true);
}

/* Gives up the state of this thread, which ends, for another thread to use.  */
void tbb_thread_end(void) {
  struct tbb_thread *self = tbb_self;
  tbb_set_working(false);
  tbb_self = NULL;
  if (self)
    atomic_store(&self->taken, false);
}

/* Gives up the states of all other threads in a forked child, where only this thread exists.  */
void tbb_forked(void) {
  for (int i = 0; i < MAX_THREADS; i++)
    if (&threads[i] != tbb_self) {
      atomic_store(&threads[i].worked_ns, 0);
      atomic_store(&threads[i].taken, false);
    }
}

/* Finds out where the task that runs inside of WAIT, the innermost one of this thread, was started.  */
static void find_task_of_wait(struct tbb_wait *wait) {
  struct tbb_origin found = tbb_context_origin(tbb_current_context());
  if (found.number == wait->number)
    return;
  wait->task.origin = found.origin;
  wait->task.serial = 0;
  atomic_store_explicit(&wait->task.origin_path, 0, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  wait->number = found.number;
}

/* Notes that this thread begins a wait for the tasks of CONTEXT, in which it runs tasks: their frames are below the
   stack address BOUNDARY.  CONTEXT is NULL when a worker begins.  Until now the thread ran a task inside of an outer
   wait, whose context is found here, as oneTBB knows the innermost one only.  */
void tbb_wait_begin(struct tbb_wait *wait, const void *context, uintptr_t boundary) {
  struct tbb_thread *self = tbb_self;
  struct tbb_wait *outer = self ? atomic_load_explicit(&self->innermost, memory_order_relaxed) : NULL;
  *wait = (struct tbb_wait){
      .task = {.outer = outer ? &outer->task : NULL, .boundary = boundary}, .outer = outer, .context = context};
  if (!self)
    return;
  if (outer)
    find_task_of_wait(outer);
  atomic_signal_fence(memory_order_seq_cst);
  atomic_store_explicit(&self->innermost, wait, memory_order_relaxed);
}

/* Notes that this thread has ended WAIT, its innermost one, and goes on with what it did before.  */
void tbb_wait_end(struct tbb_wait *wait) {
  if (!tbb_self)
    return;
  if (wait->context)
    tbb_context_waited(wait->context);
  atomic_store_explicit(&tbb_self->innermost, wait->outer, memory_order_relaxed);
  tbb_set_working(true);
}

/* Returns how many threads have work, for the sampler.  Called in the signal handler.  */
static int working_tbb_threads(void) {
  int working = 0, most = atomic_load(&thread_count);
  uint64_t now = tbb_now();
  for (int i = 0; i < most; i++) {
    uint64_t worked = atomic_load_explicit(&threads[i].worked_ns, memory_order_relaxed);
    working += worked && (now < worked || now - worked < LONG_NS);
  }
  return working;
}

/* Returns how many threads wait for a lock, for the sampler: it is not known, as those count as idle.  */
static int lock_waiting_tbb_threads(void) {
  return 0;
}

/* Returns whether this thread is one that may have work, for the sampler.  Called in the signal handler.  */
static bool has_tbb_work(void) {
  return tbb_self;
}

/* Returns the number of processors that oneTBB's threads can use, for the sampler; it has as many threads.  */
static int tbb_processor_count(void) {
  return available;
}

/* Returns whether there is a frame of the program between PLACE, where this thread was interrupted, and the stack
   address BOUNDARY.  */
static bool is_program_inside(const struct interruption *place, uintptr_t boundary) {
  struct unwinder at;
  __cilkprof_s_unwind_from(&at, place->context);
  do
    if (tbb_is_in_program(at.pc))
      return true;
  while (__cilkprof_s_unwind(&at) && at.registers[REGISTER_SP] < boundary);
  return false;
}

/* Returns whether this thread, interrupted at PLACE, only looks for work inside of a wait, for the sampler.  Called in
   the signal handler.  Notes the answer for the samples of other threads.  */
static bool is_tbb_thread_searching(const struct interruption *place) {
  struct tbb_wait *wait = atomic_load_explicit(&tbb_self->innermost, memory_order_relaxed);
  bool searching = wait && !is_program_inside(place, wait->task.boundary);
  tbb_set_working(!searching);
  return searching;
}

/* Returns the task that this thread runs inside of its innermost wait, for the sampler; NULL if there is no wait.  */
static struct sampled_task *running_tbb_task(void) {
  struct tbb_wait *wait = tbb_self ? atomic_load_explicit(&tbb_self->innermost, memory_order_relaxed) : NULL;
  if (!wait)
    return NULL;
  find_task_of_wait(wait);
  return &wait->task;
}

const struct sampler_agent tbb_agent = {
    .sampled = CILKPROF_SAMPLED_TBB,
    .workers = tbb_processor_count,
    .processors = tbb_processor_count,
    .working = working_tbb_threads,
    .waiting = lock_waiting_tbb_threads,
    .has_work = has_tbb_work,
    .is_searching = is_tbb_thread_searching,
    .running = running_tbb_task,
};
