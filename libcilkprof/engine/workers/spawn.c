/* Spawned calls that another worker may run.
   SPDX-License-Identifier: MIT

   Compiled code passes a closure of every such call to __cilkprofiled_spawn, whether it will be deferred or not.  So
   the code that runs, and what is counted of it, does not depend on what other workers do.  */

#include <string.h>

#include "libcilkprof/abi/parallel.h"
#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/time/clock.h"
#include "libcilkprof/engine/workers/workers.h"

/* What is before the copy of a closure.  It keeps the alignment of the closure.  */
union passage_head {
  struct {
    struct __cilkprof_deferral *deferral;
    void (*child)(void *);
  };
  char aligned[__CILKPROF_R_ALIGN];
};

enum { MOST_OF_CLOSURE = 1 << 12 };

/* Begins the spawn at SITE in the innermost frame, whose function did WORK itself since its last event.  CALLEE is what
   an indirect call reaches, and NULL for others.  */
void __cilkprof_begin_spawned_call(site_t *site, uint64_t work, const void *callee) {
  if (callee)
    __cilkprof_o_call_indirect(site, work, callee);
  else
    __cilkprof_o_call(site, work);
}

/* Notes that the innermost frame's function is about to spawn a call at SITE, if it may be deferred; else begins the
   call.  WORK is what the function did itself since its last event; CALLEE is what an indirect call reaches, and NULL
   for others.  */
void __cilkprof_o_spawning(site_t *site, uint64_t work, const void *callee) {
  if (__CILKPROF_RARE(__atomic_load_n(&__cilkprof_r_want, __ATOMIC_RELAXED))) {
    end_strand_of_frame(THREAD.frames, work);
    THREAD.spawning = site;
    THREAD.indirectly = callee != NULL;
  } else
    __cilkprof_begin_spawned_call(site, work, callee);
}

/* Makes this thread record with RECORDER from here on, as if the program began here.  */
void __cilkprof_recorder_use(const struct recorder *recorder) {
  struct __cilkprof_thread state = recorder->state;
  state.interrupted = THREAD.interrupted;
  state.signals = THREAD.signals;
  __cilkprof_worker_becomes(&state);
}

/* Makes this thread record a passage with RECORDER from here on, where moving work costs BURDEN and a node of a loop
   LOOP_NODE.  Returns the passage's frame.  */
frame_t *__cilkprof_passage_begin(const struct recorder *recorder, uint64_t burden, uint64_t loop_node) {
  __cilkprof_recorder_use(recorder);
  THREAD.burden = burden;
  THREAD.loop_node = loop_node;
  frame_t *frame = ++THREAD.frames;
  frame->key = (uint64_t)frame;
  frame->local_work = frame->begin = 0;
  __cilkprof_p_start(frame, __cilkprof_p_log_top());
  THREAD.top = frame->top;
  return frame;
}

/* Runs CHILD with CLOSURE as the passage of DEFERRAL, with RECORDER.  Returns its result; NULL if there is no
   memory.  */
static RUNS_PROGRAM struct passage_result *run_recorded_passage(struct recorder *recorder,
                                                                struct __cilkprof_deferral *deferral,
                                                                void (*child)(void *), void *closure) {
  struct __cilkprof_thread outer = THREAD;
  struct sampled_task task;
  __cilkprof_sampled_passage_begin(&task, &deferral->place, (char *)__builtin_frame_address(0) + 1);
  frame_t *frame = __cilkprof_passage_begin(recorder, deferral->burden, deferral->loop_node);
  __cilkprof_begin_spawned_call((site_t *)((uint64_t)deferral->site + THREAD.records), 0, deferral->callee);
  child(closure);
  __cilkprof_resume(frame);
  struct passage_result *result =
      __cilkprof_passage_result(recorder, frame->work, frame->longest_start, frame->longest_end);
  if (result) {
    result->span = frame->longest_span;
    result->burdened_span = frame->longest_burdened;
  }
  __cilkprof_worker_becomes(&outer);
  __cilkprof_sampled_passage_end(&task);
  return result;
}

/* Runs CHILD with CLOSURE without recording it, for lack of memory.  */
static RUNS_PROGRAM void run_unrecorded_passage(void (*child)(void *), void *closure) {
  struct __cilkprof_thread outer = THREAD;
  struct unprofiled_memory *memory = __cilkprof_begin_without_recorder();
  child(closure);
  __cilkprof_worker_becomes(&outer);
  __cilkprof_end_without_recorder(memory);
}

/* Runs the deferred child whose closure is at DATA, in any thread.  Exceptions are kept by the child itself.  */
static void run_passage(void *data) {
  union passage_head *head = data;
  struct __cilkprof_deferral *deferral = head->deferral;
  if (__cilkprof_run_in_place(deferral, head->child, head + 1))
    return;
  struct recorder *recorder = __cilkprof_recorder_take();
  deferral->stolen = deferral->spawner != &THREAD;
  if (!recorder) {
    run_unrecorded_passage(head->child, head + 1);
    return;
  }
  struct passage_result *result = run_recorded_passage(recorder, deferral, head->child, head + 1);
  __cilkprof_recorder_give(recorder);
  __atomic_store_n(&deferral->result, result, __ATOMIC_RELEASE);
}

/* Adds a child of SPAWNER to those that are deferred: its call at SITE, of CALLEE if that is not NULL.  Returns the
   child; NULL if there is no memory.  */
static struct __cilkprof_deferral *defer_child_of_spawner(const struct __cilkprof_spawner *spawner, const site_t *site,
                                                          const void *callee) {
  struct __cilkprof_deferral *child = __cilkprof_buffer_take(sizeof *child);
  if (!child)
    return NULL;
  *child = (struct __cilkprof_deferral){.site = (site_t *)((uint64_t)site - THREAD.records),
                                        .callee = callee,
                                        .burden = THREAD.burden,
                                        .loop_node = THREAD.loop_node,
                                        .spawner = &THREAD,
                                        .base = spawner->base,
                                        .position = spawner->top,
                                        .own = spawner->own,
                                        .here = spawner->here,
                                        .burdened_own = spawner->burdened_own,
                                        .burdened_here = spawner->burdened_here};
  child->next = spawner->deferred ? spawner->deferred->next : child;
  if (spawner->deferred)
    spawner->deferred->next = child;
  return child;
}

/* Adds a child to those of FRAME that are deferred: its call at SITE, of CALLEE if that is not NULL.  From here on, the
   log has a new segment.  Returns the child; NULL if there is no memory.  */
static struct __cilkprof_deferral *defer_child_of_frame(frame_t *frame, const site_t *site, const void *callee) {
  __cilkprof_p_samples(frame);
  struct __cilkprof_spawner spawner = __cilkprof_p_spawner(frame, frame->local_work);
  struct __cilkprof_deferral *child = defer_child_of_spawner(&spawner, site, callee);
  if (child) {
    child->frame = frame;
    __cilkprof_p_deferred(frame, child);
  }
  return child;
}

/* Returns whether this child is to be called at once because a test wants both in any order: one in two is.  */
static int is_called_for_test(void) {
#ifdef CILKPROF_CALLS_SOME
  static __thread uint64_t random;
  random = random * 6364136223846793005u + 1442695040888963407u;
  return random >> 63 != 0;
#else
  return 0;
#endif
}

/* Returns whether a call whose closure has SIZE bytes, of which the runtime has LEARNT, should be deferred.  Only
   what is recorded is.  */
static int is_deferred_here(uint64_t size, const struct __cilkprof_r_site *learnt) {
  return !__atomic_load_n(&learnt->plain, __ATOMIC_RELAXED) && size <= MOST_OF_CLOSURE && THREAD.recording &&
         !THREAD.signals && THREAD.frames < THREAD.frames_end && __cilkprof_recorders_usable() && !is_called_for_test();
}

/* Passes a copy of CLOSURE, of SIZE bytes, and CHILD to the runtime, which runs DEFERRAL with it in any worker.  */
static void pass_closure_to_runtime(struct __cilkprof_r_frame *in, struct __cilkprof_deferral *deferral,
                                    void (*child)(void *), const void *closure, uint64_t size,
                                    struct __cilkprof_r_site *learnt) {
  union passage_head copy[1 + MOST_OF_CLOSURE / sizeof(union passage_head)]
      __attribute__((aligned(__CILKPROF_R_ALIGN)));
  deferral->in = in;
  copy->deferral = deferral;
  copy->child = child;
  memcpy(copy + 1, closure, size);
  __cilkprof_pass_to_runtime(deferral, in, run_passage, copy, sizeof *copy + size, learnt);
}

/* Adds a child of SPAWNER that is called at SITE to those that are deferred, if it may be: its closure has SIZE bytes,
   and the runtime has LEARNT of the spawn.  Returns the child, or NULL.  */
EXPORT struct __cilkprof_deferral *__cilkprof_deferral(const struct __cilkprof_spawner *spawner, site_t *site,
                                                       uint64_t size, const struct __cilkprof_r_site *learnt) {
  return is_deferred_here(size, learnt) ? defer_child_of_spawner(spawner, site, NULL) : NULL;
}

/* Passes CHILD, which runs FUNCTION with CLOSURE, of SIZE bytes, to the runtime.  IN is the runtime's frame of the
   function that spawns it, LEARNT what the runtime knows of the spawn.  */
EXPORT void __cilkprof_defer(struct __cilkprof_deferral *child, struct __cilkprof_r_frame *in, void (*function)(void *),
                             const void *closure, uint64_t size, struct __cilkprof_r_site *learnt) {
  child->place = sampled_place_of_caller(__cilkprof_running_passage());
  pass_closure_to_runtime(in, child, function, closure, size, learnt);
}

/* Defers CHILD at SITE with CLOSURE, of SIZE bytes, from the function at PLACE that has the runtime's frame IN, or
   begins the call of it.  LEARNT is what the runtime knows of the spawn, CALLEE what an indirect call reaches, and NULL
   for others.  Returns whether the child is deferred.  */
static __attribute__((noinline)) int defer_or_begin_call(const struct sampled_place *place,
                                                         struct __cilkprof_r_frame *in, site_t *site,
                                                         void (*child)(void *), const void *closure, uint64_t size,
                                                         struct __cilkprof_r_site *learnt, const void *callee) {
  struct __cilkprof_deferral *deferral =
      is_deferred_here(size, learnt) ? defer_child_of_frame(THREAD.frames, site, callee) : NULL;
  if (deferral) {
    deferral->place = *place;
    pass_closure_to_runtime(in, deferral, child, closure, size, learnt);
  } else
    __cilkprof_begin_spawned_call(site, 0, callee);
  return deferral != NULL;
}

/* Spawns CHILD with CLOSURE, of SIZE bytes, from the function that has the runtime's frame IN: defers it, or calls
   it at once.  LEARNT is what the runtime knows of the spawn, CALLEE the function that the child calls.  Where the
   event before it has begun the call, or a tool replaces the engine's events, nothing is deferred.  */
RUNS_PROGRAM void __cilkprofiled_spawn(struct __cilkprof_r_frame *in, void (*child)(void *), void *closure,
                                       uint64_t size, struct __cilkprof_r_site *learnt, const void *callee) {
  site_t *site = THREAD.spawning;
  if (__CILKPROF_RARE(site != NULL)) {
    struct sampled_place place = sampled_place_of_caller(__cilkprof_running_passage());
    THREAD.spawning = NULL;
    if (defer_or_begin_call(&place, in, site, child, closure, size, learnt, THREAD.indirectly ? callee : NULL))
      return;
  }
  child(closure);
  if (__CILKPROF_RARE(__cilkprof_r_range.thrown != NULL))
    __cilkprof_r_loop_end(); /* throws what the child has kept */
}

/* Returns the timing point that times the strand of the innermost frame; NULL: none does.  */
static timing_point_t *timing_point_of_strand(void) {
  const frame_t *frame = THREAD.frames;
  return THREAD.recording && frame->begin & 1 ? (timing_point_t *)(frame->begin - 1) : NULL;
}

/* Returns the beginning of an absence.  */
struct absence __cilkprof_begin_absence(void) {
  struct absence absence = {.timed = THREAD.recording && (THREAD.foreign.started || timing_point_of_strand())};
  if (absence.timed)
    __cilkprof_clock_pause(&absence.pause);
  absence.before = THREAD.absent;
  THREAD.absent = 1;
  return absence;
}

/* Ends ABSENCE, also when an exception is thrown: the time is not charged to what is being timed.  If nothing is, the
   next strand that is timed begins with a look at the CPU time.  */
void __cilkprof_end_absence(const struct absence *absence) {
  timing_point_t *point = timing_point_of_strand();
  THREAD.absent = absence->before;
  if (!absence->timed) {
    THREAD.last = 0;
    return;
  }
  uint64_t ticks = __cilkprof_clock_continue(&absence->pause);
  __cilkprof_frames_skip_time(ticks);
  if (point)
    point->timer += ticks;
}
