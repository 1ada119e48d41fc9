/* What each thread does, and when: moments in a ring for each thread, of which the last ones are kept.
   SPDX-License-Identifier: MIT

   Moments are noted by the thread itself, also in its signal handler.  Their times are in ticks of the processor's
   timer, which is much faster to read than a clock, and become nanoseconds when the profile is written.  */

#include <sys/mman.h>

#include "libcilkprof/sampler/moments.h"

/* Returns the number of this thread in the timeline; CILKPROF_NO_THREAD if it is not sampled.  */
uint32_t __cilkprof_s_thread_number(void) {
  return SELF ? SELF->index : CILKPROF_NO_THREAD;
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
  note_sampled_task_begins(code, creator);
}

/* Notes that this thread has done the task that it began last, and is in STATE from now on, where NOW is the time, in
   ticks.  */
void __cilkprof_s_task_ends(enum cilkprof_thread_state state, uint64_t now) {
  note_sampled_task_ends(state, now);
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
                                      .length = ns,
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

/* What is needed to write the transitions of a thread.  */
struct transition_output {
  uint64_t ticks, ns_per_tick;      /* the length of the run so far; nanoseconds in units of 2^-32 */
  const uint32_t *numbers;          /* NUMBERS[node] - FIRST is the index of a node of the tree of call paths in the */
  uint32_t first;                   /* file, if there is such a number */
  uintptr_t code;                   /* the last one whose place was looked up, */
  struct cilkprof_transition place; /* and that place */
  struct cilkprof_transition *places; /* memory for the list */
  struct cilkprof_transitions list;
};

/* Adds TRANSITION to the list of OUTPUT, but not before the last one there.  It was NS nanoseconds before the moment
   that is TICKS ticks after the start of the run.  */
static void add_sampled_transition(struct transition_output *output, struct cilkprof_transition transition,
                                   uint64_t ticks, uint64_t ns) {
  uint64_t time = (uint64_t)((unsigned __int128)ticks * output->ns_per_tick >> 32);
  uint64_t before = output->list.count ? output->places[output->list.count - 1].time_ns : 0;
  time = time > ns ? time - ns : 0;
  transition.time_ns = time > before ? time : before;
  output->places[output->list.count++] = transition;
}

/* Sets the object and the address of TRANSITION to those of CODE, a return address.  Most are the same as the last
   one.  */
static void place_sampled_transition(struct transition_output *output, struct cilkprof_transition *transition,
                                     uintptr_t code) {
  if (code != output->code) {
    struct cilkprof_transition *place = &output->place;
    place->object = __cilkprof_s_object_of(code - 1, &place->address);
    place->address = place->object == CILKPROF_NO_OBJECT ? 0 : place->address + 1;
    output->code = code;
  }
  transition->object = output->place.object;
  transition->address = output->place.address;
}

/* Adds what MOMENT notes to the list of OUTPUT: the end of a task, or of waiting for a lock, is a transition of its
   own.  */
static void add_sampled_moment(struct transition_output *output, const struct moment *moment) {
  struct cilkprof_transition end = {
      .object = CILKPROF_NO_OBJECT, .thread = CILKPROF_NO_THREAD, .kind = moment->kind, .state = moment->state};
  struct cilkprof_transition made = end;
  uint64_t ticks = moment->ticks - SAMPLER.start_ticks, waited = 0;
  made.thread = moment->thread;
  if (moment->kind == CILKPROF_TRANSITION_PATH) {
    if (output->numbers[moment->code] < output->first)
      return;
    made.address = output->numbers[moment->code] - output->first;
  } else if (moment->code)
    place_sampled_transition(output, &made, moment->code);
  if (moment->kind == WHOLE_TASK) {
    made.kind = CILKPROF_TRANSITION_TASK;
    made.state = CILKPROF_THREAD_WORKS;
    end.kind = CILKPROF_TRANSITION_DONE;
  } else if (moment->length) {
    waited = moment->length;
    made.state = CILKPROF_THREAD_LOCKED;
  }
  add_sampled_transition(output, made, ticks, waited);
  if (moment->length || moment->kind == WHOLE_TASK)
    add_sampled_transition(output, end, waited ? ticks : ticks + moment->length, 0);
}

/* Writes the transitions of THREAD, which may be NULL, as a record.  */
static void write_sampled_transitions(struct cilkprof_writer *writer, const struct sampled_thread *thread,
                                      struct transition_output *output) {
  uint64_t whole_tasks = 0;
  output->list = (struct cilkprof_transitions){.list = output->places};
  for (uint64_t i = 0; thread && i < kept_sampled_moments(thread); i++) {
    const struct moment *moment = kept_sampled_moment(thread, i);
    whole_tasks += moment->kind == WHOLE_TASK;
    if (moment->ticks >= SAMPLER.start_ticks && moment->ticks - SAMPLER.start_ticks <= output->ticks)
      add_sampled_moment(output, moment); /* otherwise it is not complete, or after the end */
  }
  if (thread)
    output->list.dropped =
        atomic_load(&thread->moment_count) - kept_sampled_moments(thread) + thread->whole_tasks - whole_tasks;
  cilkprof_write_transitions(writer, &output->list);
}

/* Writes what each thread did, as a record for each of them.  NUMBERS[node] - FIRST is the index of a node of the tree
   of call paths in the file, if there is such a number.  */
void __cilkprof_s_transitions_write(struct cilkprof_writer *writer, const uint32_t *numbers, uint32_t first) {
  const size_t size = 2 * MOMENTS * sizeof(struct cilkprof_transition);
  uint64_t ns = SAMPLER.shared->sampling.elapsed_ns, ticks = read_ticks() - SAMPLER.start_ticks;
  uint64_t now = sampler_clock_ns(CLOCK_MONOTONIC) - SAMPLER.monotonic_ns;
  uint32_t count = MAX_THREADS;
  if (now > 0)
    ticks = (uint64_t)((unsigned __int128)ticks * ns / now); /* those at the end of the run */
  if (ticks == 0)
    return;
  while (count > 0 && !atomic_load(&SAMPLER.threads[count - 1]))
    count--;
  void *places = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (places == MAP_FAILED)
    return;
  struct transition_output output = {
      .ticks = ticks,
      .ns_per_tick = (uint64_t)(((unsigned __int128)ns << 32) / ticks),
      .numbers = numbers,
      .first = first,
      .places = places,
  };
  for (uint32_t t = 0; t < count; t++)
    write_sampled_transitions(writer, atomic_load(&SAMPLER.threads[t]), &output);
  munmap(places, size);
}
