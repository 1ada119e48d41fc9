/* Noting what a thread does from now on, for the timeline, in the code of the caller: some agents do so for each task.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SAMPLER_MOMENTS_H
#define CILKPROF_SAMPLER_MOMENTS_H

#include "libcilkprof/common/ticks.h"
#include "libcilkprof/sampler/state.h"

/* Returns the place for the next moment of SELF, which is this thread, and counts it.  A signal handler may note
   another one meanwhile, in the next place.  If it does so while the count is changed, that one is lost.  */
static inline struct moment *next_sampled_moment(struct sampled_thread *self) {
  uint64_t count = atomic_load_explicit(&self->moment_count, memory_order_relaxed);
  atomic_store_explicit(&self->moment_count, count + 1, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  return &self->moments[count % MOMENTS];
}

/* Returns true if moments of SELF, the state of this thread or NULL, are noted.  */
static inline bool is_timeline_recorded(const struct sampled_thread *self) {
  return self && atomic_load_explicit(&__cilkprof_s_on, memory_order_relaxed);
}

/* Notes the moment MOMENT of this thread, now, and what the thread does from here on.  Does nothing if the thread is
   not sampled.  */
static inline __attribute__((always_inline)) void note_sampled_moment(struct moment moment) {
  struct sampled_thread *self = SELF;
  if (!is_timeline_recorded(self))
    return;
  atomic_store_explicit(&self->state, moment.state, memory_order_relaxed);
  moment.ticks = read_ticks();
  *next_sampled_moment(self) = moment;
}

/* Notes that this thread begins a task, which the thread with the number CREATOR created in a call that returns to
   CODE.  */
static inline __attribute__((always_inline)) void note_sampled_task_begins(const void *code, uint32_t creator) {
  note_sampled_moment((struct moment){
      .code = (uintptr_t)code, .thread = creator, .kind = CILKPROF_TRANSITION_TASK, .state = CILKPROF_THREAD_WORKS});
}

/* Notes that this thread has done the task that it began last, and is in STATE from now on, where NOW is the time, in
   ticks.  If nothing was noted since the task began, its beginning and its end are one moment: a short task then writes
   half as much, and twice as many are kept.  */
static inline __attribute__((always_inline)) void note_sampled_task_ends(enum cilkprof_thread_state state,
                                                                         uint64_t now) {
  struct sampled_thread *self = SELF;
  if (!is_timeline_recorded(self))
    return;
  uint64_t count = atomic_load_explicit(&self->moment_count, memory_order_relaxed);
  struct moment *last = &self->moments[(count - 1) % MOMENTS];
  atomic_store_explicit(&self->state, state, memory_order_relaxed);
  if (count && last->kind == CILKPROF_TRANSITION_TASK) {
    self->whole_tasks++;
    last->length = now - last->ticks;
    last->state = (uint16_t)state;
    last->kind = WHOLE_TASK;
  } else
    *next_sampled_moment(self) = (struct moment){
        .ticks = now, .thread = CILKPROF_NO_THREAD, .kind = CILKPROF_TRANSITION_DONE, .state = (uint16_t)state};
}

#endif
