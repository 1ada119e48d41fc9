/* A cilk_for that workers share.
   SPDX-License-Identifier: MIT

   Compiled code passes the body of the loop, a function, to __cilkprofiled_loop.  The body is called once for each
   grain, whoever runs it, and its events belong to the innermost frame.  So what is counted does not depend on what
   other workers do.  The runtime divides the grains into ranges.  The worker that reached the loop runs ranges in the
   frame of the function, as long as they are in serial order; any other range is a passage, which begins with a frame
   that stands for that of the function.

   Grains that are equally long are compared by their order, so ranges can be joined in any order: each has its first
   grain, the number of its grains, their cost, and the longest of them with its part of the log.  */

#include "libcilkprof/abi/parallel.h"
#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/tasks/block.h"
#include "libcilkprof/engine/workers/workers.h"

/* What a range of grains got that was run as a passage.  */
struct range_result {
  struct range_result *next;
  struct passage_result *passage; /* its spans are those of the longest grain */
  uint64_t low;                   /* the number of its first grain */
  uint64_t grains, cost, local_work, longest_own, longest_burdened_own;
  int stolen; /* another thread ran it than the one that reached the loop */
};

/* A loop that is under way.  */
struct shared_loop {
  body_t *body;
  void *data;
  uint64_t grain, trips; /* iterations */
  /* The worker that reached it.  */
  const void *thread;
  struct __cilkprof_profiled_thread *profiled;
  frame_t *frame;
  uint64_t burden, loop_node;
  const struct sampled_place *place; /* of the loop; for samples */
  /* What that worker has run in the frame.  */
  int running;                        /* it runs a grain there */
  uint64_t next;                      /* ranges of grains before this one are not in serial order */
  uint64_t longest_low, burdened_low; /* the beginning of the range with the longest grain */
  struct absence absence;
  /* What was run as passages.  */
  struct range_result *results;
  int lost; /* some had no memory */
  int even; /* a grain, in any worker, had no events in its iterations */
};

/* Begins a cilk_for at SITE in the innermost frame.  WORK is what its function did itself since its last event.  The
   loop itself follows.  */
void __cilkprof_o_looping(site_t *site, uint64_t work) {
  __cilkprof_o_loop_begin(site, work, __cilkprof_r_range.grain, __cilkprof_r_range.high);
  THREAD.spawning = site;
}

/* Returns how many of COUNT grains of LOOP the next call of its body runs.  Where instructions are counted it is one,
   so that these do not depend on how the loop is divided.  */
static uint64_t grains_of_next_call(const struct shared_loop *loop, uint64_t count) {
  return ENGINE.mode == CILKPROF_MODE_HYBRID && __atomic_load_n(&loop->even, __ATOMIC_RELAXED) ? count : 1;
}

/* Learns from a grain of LOOP that was run in FRAME whether its iterations have events.  If they have none, they are
   taken to be equally long, as in a serial run.  */
static void learn_from_grain(struct shared_loop *loop, const frame_t *frame) {
  const block_t *block = frame->block;
  if (frame->left == INT64_MAX && !frame->site && frame->top == block->longest_end && !frame->spawned)
    __atomic_store_n(&loop->even, 1, __ATOMIC_RELAXED);
}

/* Runs the grains of LOOP from number LOW to before HIGH in FRAME, one after another, or several at once.  Stops after
   one that has thrown an exception, which is kept.  */
static RUNS_PROGRAM void run_grains_in_frame(struct shared_loop *loop, frame_t *frame, uint64_t low, uint64_t high) {
  while (low < high && !__cilkprof_r_range.thrown) {
    uint64_t first = low * loop->grain, grains = grains_of_next_call(loop, high - low);
    __cilkprof_r_range.low = first;
    __cilkprof_r_range.high =
        (loop->trips - first) / loop->grain >= grains ? first + grains * loop->grain : loop->trips;
    frame->left = INT64_MAX;
    frame->block->even = grains;
    loop->body(loop->data);
    if (grains == 1)
      learn_from_grain(loop, frame);
    __cilkprof_range_grain_end(frame);
    low += grains;
  }
}

/* Runs the grains of LOOP from number LOW to before HIGH in the frame of the function that has it.  */
static void run_range_in_place(struct shared_loop *loop, uint64_t low, uint64_t high) {
  const block_t *block = loop->frame->block;
  int none = !loop->frame->grains;
  uint64_t span = block->longest_span, burdened = block->longest_burdened;
  __cilkprof_end_absence(&loop->absence);
  loop->running = 1;
  run_grains_in_frame(loop, loop->frame, low, high);
  loop->running = 0;
  loop->next = high;
  loop->absence = __cilkprof_begin_absence();
  if (none || block->longest_span > span)
    loop->longest_low = low;
  if (none || block->longest_burdened > burdened)
    loop->burdened_low = low;
}

/* Fills in RESULT, that of a passage which has run grains of a loop in FRAME with RECORDER.  Returns 0, or -1 if there
   is no memory.  */
static int take_range_result(struct range_result *result, struct recorder *recorder, const frame_t *frame) {
  const block_t *block = frame->block;
  result->grains = frame->grains;
  result->cost = block->cost;
  result->local_work = frame->local_work;
  result->longest_own = block->longest_own;
  result->longest_burdened_own = block->longest_burdened_own;
  result->passage = __cilkprof_passage_result(recorder, frame->work, block->longest_start, block->longest_end);
  if (!result->passage)
    return -1;
  result->passage->span = block->longest_span;
  result->passage->burdened_span = block->longest_burdened;
  return 0;
}

/* Runs the grains of LOOP from number LOW to before HIGH as a passage with RECORDER, and fills in RESULT.  Returns 0,
   or -1 if there is no memory.  */
static int run_range_passage(struct shared_loop *loop, struct recorder *recorder, uint64_t low, uint64_t high,
                             struct range_result *result) {
  struct __cilkprof_thread outer = THREAD;
  struct sampled_task task;
  __cilkprof_sampled_passage_begin(&task, loop->place, (char *)__builtin_frame_address(0) + 1);
  frame_t *frame = __cilkprof_passage_begin(recorder, loop->burden, loop->loop_node);
  frame->key = (uint64_t)__builtin_frame_address(0);
  __cilkprof_range_begin(frame);
  run_grains_in_frame(loop, frame, low, high);
  int taken = take_range_result(result, recorder, frame);
  __cilkprof_worker_becomes(&outer);
  __cilkprof_sampled_passage_end(&task);
  return taken;
}

/* Runs the grains of LOOP from number LOW to before HIGH without recording them, for lack of memory.  */
static RUNS_PROGRAM void run_range_unrecorded(struct shared_loop *loop, uint64_t low, uint64_t high) {
  struct __cilkprof_thread outer = THREAD;
  struct unprofiled_memory *memory = __cilkprof_begin_without_recorder();
  frame_t *frame = ++THREAD.frames; /* the loop's body has events, and no frame of its own */
  frame->key = (uint64_t)__builtin_frame_address(0);
  frame->local_work = frame->begin = 0;
  __cilkprof_p_start(frame, THREAD.top);
  __cilkprof_range_begin(frame);
  __cilkprof_r_range.low = low * loop->grain;
  __cilkprof_r_range.high = high * loop->grain < loop->trips ? high * loop->grain : loop->trips;
  loop->body(loop->data);
  __cilkprof_worker_becomes(&outer);
  __cilkprof_end_without_recorder(memory);
  __atomic_store_n(&loop->lost, 1, __ATOMIC_RELAXED);
}

/* Adds RESULT to those of LOOP.  */
static void add_range_result(struct shared_loop *loop, struct range_result *result) {
  result->next = __atomic_load_n(&loop->results, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&loop->results, &result->next, result, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
}

/* Runs the grains of LOOP from number LOW to before HIGH as a passage, in any thread, and adds the result to those of
   the loop.  */
static void run_range_elsewhere(struct shared_loop *loop, uint64_t low, uint64_t high) {
  struct recorder *recorder = __cilkprof_recorder_take();
  struct range_result *result = recorder ? __cilkprof_buffer_take(sizeof *result) : NULL;
  if (result) {
    *result = (struct range_result){.low = low, .stolen = loop->thread != &THREAD};
    if (run_range_passage(loop, recorder, low, high, result) == 0)
      add_range_result(loop, result);
    else {
      __cilkprof_buffer_give(result);
      __atomic_store_n(&loop->lost, 1, __ATOMIC_RELAXED);
    }
  } else
    run_range_unrecorded(loop, low, high);
  if (recorder)
    __cilkprof_recorder_give(recorder);
}

/* Runs the grains of the loop DATA that the runtime has left in the thread's range.  */
static void run_range_of_grains(void *data) {
  struct shared_loop *loop = data;
  uint64_t low = __cilkprof_r_range.low, high = __cilkprof_r_range.high;
  if (loop->profiled == THREAD.profiled && !loop->running && low >= loop->next)
    run_range_in_place(loop, low, high);
  else
    run_range_elsewhere(loop, low, high);
}

/* The longest grain of a loop: the first one of those that are equally long.  */
struct longest_grain {
  uint64_t span, own;
  uint64_t low;                      /* the first grain of its range */
  const struct range_result *result; /* NULL: it was run in the frame of the function */
};

/* Replaces BEST by OTHER, if that grain is longer, or as long and earlier.  NONE: there is no best yet.  */
static void keep_longest_grain(struct longest_grain *best, int none, struct longest_grain other) {
  if (none || other.span > best->span || (other.span == best->span && other.low < best->low))
    *best = other;
}

/* Makes BEST and BURDENED the longest grains of the loop in FRAME, in the unburdened and the burdened dag.  */
static void set_longest_grains(frame_t *frame, const struct longest_grain *best, const struct longest_grain *burdened) {
  block_t *block = frame->block;
  if (best->result) /* what is after the beginning of the loop in the log is not on the path */
    frame->top = block->longest_end = __cilkprof_push_passage(best->result->passage, block->longest_start);
  block->longest_span = best->span;
  block->longest_own = best->own;
  block->longest_burdened = burdened->span;
  block->longest_burdened_own = burdened->own;
}

/* Adds the results of LOOP, all of whose ranges have ended, to the frame of its function.  */
static void join_range_results(struct shared_loop *loop) {
  frame_t *frame = loop->frame;
  block_t *block = frame->block;
  struct longest_grain best = {block->longest_span, block->longest_own, loop->longest_low, NULL},
                       burdened = {block->longest_burdened, block->longest_burdened_own, loop->burdened_low, NULL};
  if (loop->lost)
    set_profile_flags(CILKPROF_INCOMPLETE);
  struct range_result *first = __atomic_load_n(&loop->results, __ATOMIC_ACQUIRE);
  for (const struct range_result *each = first; each; each = each->next) {
    const struct passage_result *passage = each->passage;
    int none = !frame->grains;
    __cilkprof_add_passage(passage);
    profiled_thread()->passages.deferred++;
    profiled_thread()->passages.stolen += (uint64_t)each->stolen;
    frame->work += passage->work;
    frame->local_work += each->local_work;
    frame->grains += each->grains;
    block->cost += each->cost;
    keep_longest_grain(&best, none, (struct longest_grain){passage->span, each->longest_own, each->low, each});
    keep_longest_grain(&burdened, none,
                       (struct longest_grain){passage->burdened_span, each->longest_burdened_own, each->low, each});
  }
  set_longest_grains(frame, &best, &burdened);
  for (struct range_result *each = first, *next; each; each = next) {
    next = each->next;
    __cilkprof_buffer_give(each->passage);
    __cilkprof_buffer_give(each);
  }
}

/* Has all workers run the COUNT grains of LOOP.  LEARNT is what the runtime knows of it.  */
static void share_loop(struct shared_loop *loop, uint64_t count, struct __cilkprof_r_site *learnt) {
  loop->absence = __cilkprof_begin_absence();
  __cilkprof_r_range.grain = 0;
  __cilkprof_r_range.low = 0;
  __cilkprof_r_range.high = count;
  __cilkprof_r_loop(run_range_of_grains, loop, learnt);
  __cilkprof_end_absence(&loop->absence);
  join_range_results(loop);
}

/* Runs the loop at PLACE, whose block has just begun in FRAME, with BODY and DATA, for TRIPS iterations, and ends it.
   SHARED: other workers may run a part of it.  LEARNT is what the runtime knows of it.  */
static void run_begun_loop(frame_t *frame, body_t *body, void *data, uint64_t trips, const struct sampled_place *place,
                           int shared, struct __cilkprof_r_site *learnt) {
  uint64_t grain = frame->block->grain, count = trips / grain + (trips % grain != 0);
  struct shared_loop loop = {.body = body,
                             .data = data,
                             .grain = grain,
                             .trips = trips,
                             .thread = &THREAD,
                             .profiled = THREAD.profiled,
                             .frame = frame,
                             .burden = THREAD.burden,
                             .loop_node = THREAD.loop_node,
                             .place = place};
  if (shared)
    share_loop(&loop, count, learnt);
  else
    run_grains_in_frame(&loop, frame, 0, count);
  if (frame->grains)
    frame->local_work = __cilkprof_ranges_end(frame);
  else
    frame->local_work = __cilkprof_block_end(frame, frame->local_work);
}

/* Runs a cilk_for with BODY(DATA), whose number of iterations is in the thread's range.  LEARNT is what the runtime
   knows of the loop.  An event has begun the loop, if the function has any; with callbacks of a tool, only its
   block.  */
RUNS_PROGRAM void __cilkprofiled_loop(body_t *body, void *data, struct __cilkprof_r_site *learnt) {
  frame_t *frame = THREAD.frames;
  uint64_t trips = __cilkprof_r_range.high;
  int begun = THREAD.spawning != NULL;
  struct sampled_place place = sampled_place_of_caller(__cilkprof_running_passage());
  THREAD.spawning = NULL;
  if (!begun && THREAD.profiled && frame->block && frame->block->kind == __CILKPROF_BLOCK_LOOP &&
      !frame->block->grain) {
    __cilkprof_loop_grains(frame, __cilkprof_r_range.grain, trips);
    run_begun_loop(frame, body, data, trips, &place, 0, learnt);
  } else if (!begun)
    body(data);
  else if (is_innermost_block_untracked(frame)) {
    body(data);
    frame->local_work = __cilkprof_loop_end(frame, frame->local_work, 0);
  } else
    run_begun_loop(frame, body, data, trips, &place,
                   THREAD.recording && !THREAD.signals && __cilkprof_recorders_usable(), learnt);
}
