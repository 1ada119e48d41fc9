/* The threads of the program: whose strand each of them runs, and how long strands take.
   SPDX-License-Identifier: MIT

   The cost of a strand is processor time.  The processor's timer tells it for short ones.  A long one may have been
   interrupted, so the system is asked for the thread's processor time at its end: what the short stretches since the
   last such look took is taken off.  */

#include <time.h>

#include "libcilkprof/common/ticks.h"
#include "libcilkprof/paths/internal.h"

enum { LOOK_US = 40, BURDEN_NS = 5000 };

__thread struct path_thread *path_self;
atomic_bool paths_on, paths_incomplete;
uint64_t paths_burden_ns;

static struct path_thread *_Atomic threads;
static uint64_t ns_of_ticks; /* 2^32 times the length of a tick, in nanoseconds */
static uint64_t look_ticks;  /* stretches of so many are long */
static uint64_t empty_ns;    /* what a strand takes in which nothing is done: the looks at the timer */

/* Returns the time of CLOCK in nanoseconds.  */
static uint64_t time_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Measures how long a tick of the timer is.  */
static void measure_ticks(void) {
  enum { MEASURED_NS = 1000000 };
  uint64_t from_ns = time_of(CLOCK_MONOTONIC), from = read_ticks(), ns;
  do
    ns = time_of(CLOCK_MONOTONIC) - from_ns;
  while (ns < MEASURED_NS);
  uint64_t ticks = read_ticks() - from;
  ns_of_ticks = ticks ? (uint64_t)(((unsigned __int128)ns << 32) / ticks) : 0;
  look_ticks = ticks * LOOK_US * 1000 / ns;
}

void paths_stop(void) {
  atomic_store(&paths_on, false);
}

struct path_thread *paths_threads(void) {
  return atomic_load(&threads);
}

/* Returns the state of a thread that has ended, for another one; NULL if there is none.  */
static struct path_thread *reused_thread(void) {
  for (struct path_thread *thread = atomic_load(&threads); thread; thread = thread->next)
    if (!atomic_exchange(&thread->taken, true))
      return thread;
  return NULL;
}

/* Returns a new state of a thread; NULL if there is no memory.  */
static struct path_thread *new_thread(void) {
  struct path_thread *thread = paths_map(sizeof *thread);
  if (!thread)
    return NULL;
  atomic_store(&thread->taken, true);
  thread->next = atomic_load(&threads);
  while (!atomic_compare_exchange_weak(&threads, &thread->next, thread))
    ;
  return thread;
}

bool paths_thread_begin(void) {
  struct path_thread *thread = reused_thread();
  if (!thread)
    thread = new_thread();
  if (!thread) {
    atomic_store(&paths_incomplete, true);
    return false;
  }
  thread->task = NULL;
  thread->ticks = read_ticks();
  thread->cpu_ns = time_of(CLOCK_THREAD_CPUTIME_ID);
  thread->since_ns = 0;
  path_self = thread;
  return true;
}

void paths_thread_end(void) {
  struct path_thread *thread = path_self;
  path_self = NULL;
  if (thread)
    atomic_store(&thread->taken, false);
}

/* Returns the processor time since this was called last.  */
static uint64_t stretch_ns(struct path_thread *self) {
  uint64_t now = read_ticks();
  int64_t ticks = (int64_t)(now - self->ticks);
  self->ticks = now;
  if (ticks < (int64_t)look_ticks) {
    uint64_t ns = ticks > 0 ? (uint64_t)((unsigned __int128)(uint64_t)ticks * ns_of_ticks >> 32) : 0;
    self->since_ns += ns;
    return ns;
  }
  uint64_t cpu = time_of(CLOCK_THREAD_CPUTIME_ID), begin = self->cpu_ns + self->since_ns;
  self->cpu_ns = cpu;
  self->since_ns = 0;
  return cpu > begin ? cpu - begin : 0;
}

/* Measures how long a strand is in which nothing is done.  */
static void measure_empty_strand(struct path_thread *self) {
  empty_ns = LOOK_US * 1000;
  for (int i = 0; i < 100; i++) {
    stretch_ns(self);
    atomic_flag_test_and_set(&self->moving);
    uint64_t ns = stretch_ns(self);
    atomic_flag_clear(&self->moving);
    empty_ns = ns < empty_ns ? ns : empty_ns;
  }
}

void paths_start(void) {
  measure_ticks();
  paths_burden_ns = BURDEN_NS;
  measure_empty_strand(path_self);
  stretch_ns(path_self);
  atomic_store(&paths_on, true);
}

/* Takes the handler that began at SINCE, of the timer, off what is measured.  One that was interrupted itself counts:
   that is rare.  */
static void skip_handler(struct path_thread *self, uint64_t since) {
  uint64_t ticks = read_ticks() - since;
  if (ticks >= look_ticks || since < self->ticks)
    return;
  self->ticks += ticks;
  self->cpu_ns += (uint64_t)((unsigned __int128)ticks * ns_of_ticks >> 32);
}

void paths_sample(uint32_t node, uint64_t work_ns, uint64_t since) {
  struct path_thread *self = path_self;
  if (!self || !are_paths_on() || atomic_flag_test_and_set(&self->moving))
    return;
  uint32_t i = 0;
  while (i < self->waiting_count && self->waiting[i].node != node)
    i++;
  if (i < WAITING) {
    if (i == self->waiting_count)
      self->waiting[self->waiting_count++] = (struct waiting){.node = node};
    self->waiting[i].count++;
    self->waiting[i].work_ns += work_ns;
  }
  skip_handler(self, since);
  atomic_flag_clear(&self->moving);
}

/* Adds the samples that wait to the path of TASK.  */
static void move_samples(struct path_thread *self, struct task *task) {
  for (uint32_t i = 0; i < self->waiting_count; i++) {
    const struct waiting *sample = &self->waiting[i];
    path_add(task->in_chunks ? &task->chunks : &task->path, key_of(KEY_SAMPLES, sample->node),
             (struct part){.count = sample->count, .work = sample->work_ns});
  }
  self->waiting_count = 0;
}

/* Adds NS of its own work to TASK, and to its path.  */
static void add_strand(struct task *task, uint64_t ns) {
  sums_of(task->inside)->work += ns;
  struct path *path = task->in_chunks ? &task->chunks : &task->path;
  task->own += ns;
  path->span += ns;
  path->burdened_span += ns;
  path_add(path, key_of(KEY_LOCAL, task->inside), (struct part){.work = ns});
}

void paths_strand_ends(void) {
  struct path_thread *self = path_self;
  if (!self || !are_paths_on())
    return;
  atomic_flag_test_and_set(&self->moving);
  uint64_t ns = stretch_ns(self);
  struct task *task = self->task;
  if (task && !task->waits) {
    add_strand(task, ns > empty_ns ? ns - empty_ns : 0);
    if (self->waiting_count)
      move_samples(self, task);
  } else
    self->waiting_count = 0;
  atomic_flag_clear(&self->moving);
}

void paths_event_ends(void) {
  struct path_thread *self = path_self;
  if (self && are_paths_on())
    stretch_ns(self);
}

struct task *paths_run(struct task *task) {
  struct path_thread *self = path_self;
  if (!self)
    return NULL;
  struct task *before = self->task;
  self->task = task;
  return before;
}

struct task *paths_running(void) {
  return path_self ? path_self->task : NULL;
}
