/* What each thread does, and when: moments in a ring for each thread, of which the last ones are kept.
   SPDX-License-Identifier: MIT

   Moments are noted by the thread itself, also in its signal handler.  Their times are in ticks of the processor's
   timer, which is much faster to read than a clock, and become nanoseconds when the profile is written.  */

#include <sys/mman.h>

#include "libcilkprof/common/ticks.h"
#include "libcilkprof/sampler/state.h"

/* Returns the number of this thread in the timeline; CILKPROF_NO_THREAD if it is not sampled.  */
uint32_t __cilkprof_s_thread_number(void) {
  return SELF ? SELF->index : CILKPROF_NO_THREAD;
}

/* Notes the moment MOMENT of this thread, now, and what the thread does from here on.  Does nothing if the thread is
   not sampled.  A signal handler may note another one meanwhile, in the next place.  */
static void note_sampled_moment(struct moment moment) {
  struct sampled_thread *self = SELF;
  if (!self || !atomic_load_explicit(&__cilkprof_s_on, memory_order_relaxed))
    return;
  uint64_t place = atomic_fetch_add_explicit(&self->moment_count, 1, memory_order_relaxed);
  atomic_store_explicit(&self->state, moment.state, memory_order_relaxed);
  moment.ticks = read_ticks();
  self->moments[place % MOMENTS] = moment;
}

/* Returns what this thread did last; CILKPROF_THREAD_ENDED if it is not sampled.  */
static uint16_t sampled_thread_state(void) {
  return SELF ? (uint16_t)atomic_load_explicit(&SELF->state, memory_order_relaxed) : CILKPROF_THREAD_ENDED;
}

/* Notes that this thread is in STATE from now on, unless it already is.  CODE is the code of the parallel region that
   it works for, or NULL.  */
void __cilkprof_s_state(enum cilkprof_thread_state state, const void *code) {
  if (code || sampled_thread_state() != state)
    note_sampled_moment((struct moment){.code = (uintptr_t)code,
                                        .thread = CILKPROF_NO_THREAD,
                                        .kind = CILKPROF_TRANSITION_STATE,
                                        .state = (uint16_t)state});
}

/* Notes that this thread begins a task, which the thread with the number CREATOR created in a call that returns to
   CODE.  */
void __cilkprof_s_task_begins(const void *code, uint32_t creator) {
  note_sampled_moment((struct moment){
      .code = (uintptr_t)code, .thread = creator, .kind = CILKPROF_TRANSITION_TASK, .state = CILKPROF_THREAD_WORKS});
}

/* Notes that this thread has done the task that it began last, and is in STATE from now on.  */
void __cilkprof_s_task_ends(enum cilkprof_thread_state state) {
  note_sampled_moment(
      (struct moment){.thread = CILKPROF_NO_THREAD, .kind = CILKPROF_TRANSITION_DONE, .state = (uint16_t)state});
}

/* Notes that this thread begins a parallel region in a call that returns to CODE.  */
void __cilkprof_s_region_begins(const void *code) {
  note_sampled_moment((struct moment){.code = (uintptr_t)code,
                                      .thread = CILKPROF_NO_THREAD,
                                      .kind = CILKPROF_TRANSITION_REGION,
                                      .state = sampled_thread_state()});
}

/* Notes that the parallel region ends that this thread began last.  */
void __cilkprof_s_region_ends(void) {
  note_sampled_moment((struct moment){
      .thread = CILKPROF_NO_THREAD, .kind = CILKPROF_TRANSITION_JOINED, .state = sampled_thread_state()});
}

/* Notes that this thread has waited for a lock for NS nanoseconds until now, in a call that returns to CODE.  */
void __cilkprof_s_transition_waited(uint64_t ns, const void *code) {
  note_sampled_moment((struct moment){.code = (uintptr_t)code,
                                      .ns = ns,
                                      .thread = CILKPROF_NO_THREAD,
                                      .kind = CILKPROF_TRANSITION_STATE,
                                      .state = CILKPROF_THREAD_WORKS});
}

/* Returns the beginning of the call path that ends at NODE, a few calls long; 0 if the path is very long, or if the
   creator of its task is not known yet: such nodes are not kept.  */
static uint32_t outer_sampled_path(uint32_t node) {
  enum { CALLS = 12, LONGEST = 64 };
  uint32_t last[CALLS];
  unsigned count = 0;
  for (; node; node = SAMPLER.nodes[node].stack.parent) {
    if (count == LONGEST || SAMPLER.nodes[node].stack.kind >= CILKPROF_STACK_UNKNOWN)
      return 0;
    last[count++ % CALLS] = node;
  }
  return count == 0 ? 0 : count <= CALLS ? last[0] : last[count % CALLS];
}

/* Notes that a sample found THREAD, the calling one, on the path that ends at NODE, unless the last sample found it on
   a path with the same beginning.  Nodes with the same parent are code of the same function.  Called in the signal
   handler.  */
void __cilkprof_s_transition_path(struct sampled_thread *thread, uint32_t node) {
  uint32_t outer = outer_sampled_path(node), before = thread->outer_path;
  if (!outer || (before && SAMPLER.nodes[before].stack.parent == SAMPLER.nodes[outer].stack.parent))
    return;
  thread->outer_path = outer;
  note_sampled_moment((struct moment){
      .code = outer, .thread = CILKPROF_NO_THREAD, .kind = CILKPROF_TRANSITION_PATH, .state = CILKPROF_THREAD_WORKS});
}

/* Returns how many moments of THREAD are kept.  */
static uint64_t kept_sampled_moments(const struct sampled_thread *thread) {
  uint64_t count = atomic_load_explicit(&thread->moment_count, memory_order_relaxed);
  return count < MOMENTS ? count : MOMENTS;
}

/* Returns moment number I, from 0, of those of THREAD that are kept, the earliest first.  */
static const struct moment *kept_sampled_moment(const struct sampled_thread *thread, uint64_t i) {
  uint64_t count = atomic_load_explicit(&thread->moment_count, memory_order_relaxed);
  return &thread->moments[(count - kept_sampled_moments(thread) + i) % MOMENTS];
}

/* Lists the objects that hold the code of moments, before the objects are written: they need not have samples.  */
void __cilkprof_s_transitions_list_objects(void) {
  uintptr_t last = 0;
  uint64_t address;
  for (uint32_t t = 0; t < MAX_THREADS; t++) {
    const struct sampled_thread *thread = atomic_load(&SAMPLER.threads[t]);
    for (uint64_t i = 0; thread && i < kept_sampled_moments(thread); i++) {
      const struct moment *moment = kept_sampled_moment(thread, i);
      if (moment->kind != CILKPROF_TRANSITION_PATH && moment->code && moment->code != last)
        __cilkprof_s_object_of(moment->code - 1, &address);
      last = moment->code;
    }
  }
}

/* Adds a transition from MOMENT, which was at TIME, in nanoseconds, to LIST.  NUMBERS[node] - FIRST is the index of a
   node of the tree of call paths in the file, if there is such a number.  */
static void add_sampled_transition(struct cilkprof_transitions *list, struct cilkprof_transition *places,
                                   const struct moment *moment, uint64_t time, const uint32_t *numbers,
                                   uint32_t first) {
  struct cilkprof_transition made = {
      .object = CILKPROF_NO_OBJECT, .thread = moment->thread, .kind = moment->kind, .state = moment->state};
  uint64_t before = list->count ? places[list->count - 1].time_ns : 0;
  if (moment->kind == CILKPROF_TRANSITION_PATH) {
    if (numbers[moment->code] < first)
      return;
    made.address = numbers[moment->code] - first;
  } else if (moment->code) {
    made.object = __cilkprof_s_object_of(moment->code - 1, &made.address);
    made.address = made.object == CILKPROF_NO_OBJECT ? 0 : made.address + 1;
  }
  if (moment->ns) {
    uint64_t began = time > moment->ns ? time - moment->ns : 0;
    made.time_ns = began > before ? began : before;
    made.state = CILKPROF_THREAD_LOCKED;
    places[list->count++] = made;
    made = (struct cilkprof_transition){
        .object = CILKPROF_NO_OBJECT, .thread = CILKPROF_NO_THREAD, .kind = made.kind, .state = moment->state};
  }
  made.time_ns = time > before ? time : before;
  places[list->count++] = made;
}

/* Writes the transitions of THREAD, which may be NULL, as a record.  PLACES is memory for them; the run so far took
   TICKS ticks and NS nanoseconds.  The other parameters are those of add_sampled_transition.  */
static void write_sampled_transitions(struct cilkprof_writer *writer, const struct sampled_thread *thread,
                                      struct cilkprof_transition *places, uint64_t ticks, uint64_t ns,
                                      const uint32_t *numbers, uint32_t first) {
  struct cilkprof_transitions list = {.list = places};
  for (uint64_t i = 0; thread && i < kept_sampled_moments(thread); i++) {
    const struct moment *moment = kept_sampled_moment(thread, i);
    uint64_t since = moment->ticks - SAMPLER.start_ticks;
    if (moment->ticks < SAMPLER.start_ticks || since > ticks)
      continue; /* not complete, or of the time after the end */
    uint64_t time = (uint64_t)((unsigned __int128)since * ns / ticks);
    add_sampled_transition(&list, places, moment, time, numbers, first);
  }
  if (thread)
    list.dropped = atomic_load(&thread->moment_count) - kept_sampled_moments(thread);
  cilkprof_write_transitions(writer, &list);
}

/* Writes what each thread did, as a record for each of them.  NUMBERS[node] - FIRST is the index of a node of the tree
   of call paths in the file, if there is such a number.  */
void __cilkprof_s_transitions_write(struct cilkprof_writer *writer, const uint32_t *numbers, uint32_t first) {
  const size_t size = 2 * MOMENTS * sizeof(struct cilkprof_transition);
  uint64_t ns = SAMPLER.shared->sampling.elapsed_ns, ticks = read_ticks() - SAMPLER.start_ticks;
  uint64_t now = sampler_clock_ns(CLOCK_MONOTONIC) - SAMPLER.monotonic_ns;
  uint32_t count = MAX_THREADS;
  while (count > 0 && !atomic_load(&SAMPLER.threads[count - 1]))
    count--;
  struct cilkprof_transition *places =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (places == MAP_FAILED)
    return;
  if (now > 0)
    ticks = (uint64_t)((unsigned __int128)ticks * ns / now); /* those at the end of the run */
  for (uint32_t t = 0; t < count && ticks > 0; t++)
    write_sampled_transitions(writer, atomic_load(&SAMPLER.threads[t]), places, ticks, ns, numbers, first);
  munmap(places, size);
}
