/* Waiting for children that were deferred, and running those that nobody took.
   SPDX-License-Identifier: MIT

   A child that no thief took runs when its parent waits for it at a sync, or at once if the runtime does not defer it.
   All invocations that were open when it was spawned are open again then, and no others.  So it is recorded as if it
   were called there, by a frame that stands for its parent's, and needs no recorder.  Only its place on the path is
   left to the event that follows: the child comes before what its parent did meanwhile.  */

#include "libcilkprof/abi/parallel.h"
#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/workers/workers.h"

/* A wait that is under way, and what this thread records there.  */
struct wait {
  struct wait *outer;
  const struct __cilkprof_r_frame *in; /* the runtime's frame of the function that waits */
  entry_t *top; /* of the function's part of the log; NULL: its frame is linked, and the function calls its events */
  const frame_t *frames;
  const struct __cilkprof_profiled_thread *profiled;
  struct absence *absence; /* NULL: no strand of the function is under way */
};

static __thread struct wait *innermost;

/* Returns whether the strand of FRAME is being timed.  */
static int is_strand_timed(const frame_t *frame) {
  return (frame->begin & 1) != 0;
}

/* Returns whether DEFERRAL can be recorded where its parent is: it waits in this thread, in WAIT, and nothing else is
   under way there.  */
static int is_recorded_in_place(const struct wait *wait, const struct __cilkprof_deferral *deferral) {
  if (!wait || wait->in != deferral->in || wait->profiled != THREAD.profiled || wait->frames != THREAD.frames ||
      deferral->spawner != &THREAD)
    return 0;
  if (!THREAD.recording || THREAD.signals || THREAD.counting || THREAD.frames + 1 >= THREAD.frames_end)
    return 0;
  return wait->top || (deferral->frame == THREAD.frames && !is_strand_timed(deferral->frame));
}

/* Begins a frame that stands for the one of a function that waits, and has KEY.  TOP is that of the log.  Returns the
   frame.  */
static frame_t *begin_stand_in_frame(entry_t *top, uint64_t key) {
  frame_t *frame = ++THREAD.frames;
  frame->key = key;
  frame->local_work = frame->begin = frame->sampled = 0;
  __cilkprof_p_start(frame, top);
  THREAD.top = top;
  return frame;
}

/* Runs CHILD with CLOSURE as DEFERRAL in a frame that stands for its parent's, from TOP of the log on.  Returns its
   result; NULL if there is no memory.  The frame's key is not the frame pointer, which may be the key of the child.  */
static RUNS_PROGRAM struct passage_result *run_child_at_top(const struct __cilkprof_deferral *deferral, entry_t *top,
                                                            void (*child)(void *), void *closure) {
  uint64_t burden = THREAD.burden, loop_node = THREAD.loop_node;
  entry_t *hole = THREAD.hole;
  frame_t *frame = begin_stand_in_frame(top, (uint64_t)__builtin_dwarf_cfa());
  THREAD.burden = deferral->burden;
  THREAD.loop_node = deferral->loop_node;
  profiled_thread()->passages.in_place++;
  __cilkprof_begin_spawned_call((site_t *)((uint64_t)deferral->site + THREAD.records), 0, deferral->callee);
  child(closure);
  __cilkprof_resume(frame);
  profiled_thread()->passages.in_place--;
  struct passage_result *result = __cilkprof_in_place_result(frame->work, frame->longest_start, frame->longest_end);
  if (result) {
    result->span = frame->longest_span;
    result->burdened_span = frame->longest_burdened;
  }
  THREAD.burden = burden;
  THREAD.loop_node = loop_node;
  THREAD.frames = frame - 1;
  THREAD.hole = hole;
  return result;
}

/* Runs CHILD with CLOSURE as DEFERRAL where its parent is recorded, if the parent waits for it in this thread.  Returns
   whether it did.  */
int __cilkprof_run_in_place(struct __cilkprof_deferral *deferral, void (*child)(void *), void *closure) {
  struct wait *wait = innermost;
  if (!is_recorded_in_place(wait, deferral))
    return 0;
  if (wait->absence)
    __cilkprof_end_absence(wait->absence);
  if (!wait->top && deferral->frame->site)
    __cilkprof_o_returned();
  if (!wait->top)
    __cilkprof_p_samples(deferral->frame);
  entry_t *top = wait->top ? wait->top : deferral->frame->top;
  struct passage_result *result = run_child_at_top(deferral, top, child, closure);
  THREAD.top = marked_log_top(top);
  deferral->stolen = 0;
  __atomic_store_n(&deferral->result, result, __ATOMIC_RELEASE);
  if (wait->absence)
    *wait->absence = __cilkprof_begin_absence();
  return 1;
}

/* Returns the beginning of a wait of the function with the runtime's frame IN, with an ABSENCE or NULL.  TOP is that of
   its part of the log, or NULL.  */
static struct wait new_wait(const struct __cilkprof_r_frame *in, entry_t *top, struct absence *absence) {
  return (struct wait){innermost, in, top, THREAD.frames, THREAD.profiled, absence};
}

/* Ends WAIT, also when an exception is thrown.  */
static void end_wait(const struct wait *wait) {
  innermost = wait->outer;
}

/* Passes CHILD with CLOSURE, of SIZE bytes, to the runtime, which runs DEFERRAL with it in any worker, or here at once.
   IN is the runtime's frame of the function that spawns it, LEARNT what the runtime knows of the spawn.  */
void __cilkprof_pass_to_runtime(const struct __cilkprof_deferral *deferral, struct __cilkprof_r_frame *in,
                                void (*child)(void *), const void *closure, uint64_t size,
                                struct __cilkprof_r_site *learnt) {
  __attribute__((cleanup(end_wait))) struct wait wait = new_wait(in, deferral->frame ? NULL : deferral->position, NULL);
  innermost = &wait;
  __cilkprof_r_spawn(in, child, closure, size, learnt);
}

/* Waits for the children that were deferred by the function with the runtime's FRAME.  There are some.  TOP is that of
   its part of the log; NULL: its frame is linked, and it calls its events.  */
static __attribute__((noinline)) void join_deferred_of_runtime(struct __cilkprof_r_frame *frame, entry_t *top) {
  __attribute__((cleanup(__cilkprof_end_absence))) struct absence absence = __cilkprof_begin_absence();
  __attribute__((cleanup(end_wait))) struct wait wait = new_wait(frame, top, &absence);
  innermost = &wait;
  __cilkprof_r_join(frame);
}

/* Waits for the children that were deferred by the function with the runtime's FRAME, if there are any.  An event
   follows that adds what they did.  */
void __cilkprof_join(struct __cilkprof_r_frame *frame) {
  if (__CILKPROF_RARE(frame->deferred != 0))
    join_deferred_of_runtime(frame, NULL);
}

/* Waits for the children that were deferred by the function with the runtime's FRAME, whose events are inlined.  TOP is
   that of its part of the log.  */
void __cilkprof_join_at(struct __cilkprof_r_frame *frame, entry_t *top) {
  join_deferred_of_runtime(frame, top);
}

/* Waits likewise where the exception THROWN leaves the function.  */
void __cilkprof_join_thrown(struct __cilkprof_r_frame *frame, void *thrown) {
  if (!frame->deferred)
    return;
  __attribute__((cleanup(__cilkprof_end_absence))) struct absence absence = __cilkprof_begin_absence();
  __cilkprof_r_join_thrown(frame, thrown);
}
