/* Counted iterations: loops with two bodies, of which one has no events.
   SPDX-License-Identifier: MIT

   An iteration of a cilk_for or of a team's loop often calls functions of a few nanoseconds.  If nothing in it can
   spawn, the compiler makes a second body without events (cc/back/counted-loops.cc), and a stretch of iterations in it
   is like one counted call: its time is measured as a whole, and booked at a stand-in of the loop's site.  Between such
   stretches, at random intervals, a few iterations are followed with events.  They are the sample that says which part
   of the time is that of the loop's own code, and how the rest divides among the calls.

   A stretch ends with its grain at the latest, so that grains are told apart as ever.  During a stretch the frame's
   LEFT counts the followed iterations, and COUNTED_LEFT the others; the block's REST is what the grain has left after
   the stretch.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/counted.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/tasks/block.h"

enum {
  SAMPLE_MOST = 16,       /* iterations that are followed at a time, or fewer, if they are long */
  OFTEN = 8,              /* one in 8 iterations is followed at first, */
  SELDOM = 512,           /* and later one in 512 */
  SAMPLES_UNTIL_LESS = 4, /* samples after which they become rarer by half, then twice as many, and so on */
};

/* Returns what an iteration of the loop of COUNTED took on average, in all samples so far; 0: there was none.  */
static uint64_t counted_cost_of_iteration(const counted_t *counted) {
  return counted->iterations ? (counted->own_work + counted->work) / counted->iterations : 0;
}

/* Returns how many iterations of the loop of COUNTED are followed in one sample: fewer if they are long.  */
static uint64_t iterations_of_sample(const counted_t *counted) {
  uint64_t cost = counted_cost_of_iteration(counted), most = cost ? __cilkprof_long_sample() / cost : SAMPLE_MOST;
  return most < 1 ? 1 : most > SAMPLE_MOST ? SAMPLE_MOST : most;
}

/* Decides how many iterations of the loop of COUNTED come before the next ones that are followed: a random number,
   which becomes larger with the number of samples.  */
static void choose_next_sample(counted_t *counted) {
  uint64_t interval = OFTEN, many = SAMPLES_UNTIL_LESS;
  counted->followed++;
  for (; interval < SELDOM && counted->followed >= many; many *= 2)
    interval *= 2;
  counted->follow_after = __cilkprof_random_around(interval * iterations_of_sample(counted) / 2);
}

/* Notes that the loop which has just begun in the innermost frame has two bodies.  WORK is what its function did itself
   since its last event.  The first iteration decides in which body it runs.  */
void __cilkprof_o_counted_loop(uint64_t work) {
  frame_t *frame = THREAD.frames;
  block_t *block = frame->block;
  frame->local_work += work;
  frame->counted_left = 0;
  if (!THREAD.recording || is_innermost_block_untracked(frame))
    return;
  block->counted = __cilkprof_counted(called_site(&block->outer));
  if (!block->counted)
    return;
  block->counted->loop = 1;
  block->counted->standing[OUTERMOST].flags &=
      ~(uint64_t)__CILKPROF_SITE_SPAWN; /* the loop is, its iterations are not */
  block->sample.iterations = 0;
  block->rest = frame->left;
  frame->left = block->first = 0;
}

/* Begins to follow ITERATIONS of the innermost loop of FRAME, whose block is BLOCK, as a sample.  Their entries in the
   log are kept apart from those before.  */
static void begin_sample(frame_t *frame, block_t *block, uint64_t iterations) {
  block->sample = (struct __cilkprof_sample){.iterations = iterations,
                                             .top = frame->top,
                                             .segment = frame->segment,
                                             .merge = frame->merge,
                                             .local_work = frame->local_work,
                                             .work = frame->work,
                                             .span = frame->span};
  frame->segment = frame->merge = frame->top;
}

/* Ends a stretch of iterations of the innermost loop of FRAME.  If they were followed as a sample, learns from them.
   An iteration that turns out to have spawned is the last one that could be counted.  */
void __cilkprof_stretch_left(frame_t *frame) {
  block_t *block = frame->block;
  struct __cilkprof_sample *sample = &block->sample;
  if (!sample->iterations)
    return;
  uint64_t own = frame->local_work - sample->local_work, work = frame->work - sample->work;
  frame->segment = sample->segment;
  frame->merge = sample->merge;
  if (frame->spawned || frame->span - sample->span != work)
    never_count_again(block->counted);
  else if (frame->top >= sample->top)
    __cilkprof_learn_iterations(block->counted, sample->top, frame->top, sample->iterations - frame->left, own + work,
                                own);
  sample->iterations = 0;
}

/* Begins a stretch of iterations, all in the same body, of the innermost loop of FRAME, whose block is BLOCK.  LEFT is
   how many iterations the grain still has.  Stretches that are short are followed, since measuring them would take too
   long.  So are all of a loop whose iterations can spawn.  */
static void begin_counted_stretch(frame_t *frame, block_t *block, uint64_t left) {
  counted_t *counted = block->counted;
  uint64_t cost = counted_cost_of_iteration(counted), next = counted->follow_after;
  frame->counted_left = 0;
  block->rest = 0;
  frame->left = left;
  if (counted->never)
    return;
  if (THREAD.following) { /* in a call that is followed as a sample: iterations count as calls do */
    frame->left = left < THREAD.following ? left : THREAD.following;
    THREAD.following -= frame->left;
  } else if (!next) {
    uint64_t iterations = iterations_of_sample(counted);
    frame->left = iterations < left ? iterations : left;
    choose_next_sample(counted);
    begin_sample(frame, block, frame->left);
  } else if (cost * left >= __cilkprof_short_stretch()) {
    uint64_t stretch = next < left && cost * next >= __cilkprof_short_stretch() ? next : left;
    counted->follow_after -= stretch < next ? stretch : next;
    frame->counted_left = stretch;
    frame->left = 0;
    block->rest = left - stretch;
    begin_counted_call(frame, &counted->standing[OUTERMOST], 1);
    return;
  }
  block->rest = left - frame->left;
}

/* Begins an iteration of the innermost loop of FRAME, which has two bodies.  LOCAL_WORK is that of the loop so far.  At
   the end of a stretch, decides in which body the next one runs.  */
void __cilkprof_counted_iterate(frame_t *frame, uint64_t local_work) {
  block_t *block = frame->block;
  if (frame->left && !frame->spawned) {
    frame->left--;
    return;
  }
  __cilkprof_stretch_left(frame);
  frame->left += block->rest;
  block->rest = 0;
  if (frame->spawned || !frame->left)
    __cilkprof_iteration_end(frame, local_work);
  block->first = UINT64_MAX; /* the loop has passed an iteration, whatever is LEFT */
  begin_counted_stretch(frame, block, frame->left);
  if (!frame->counted_left)
    frame->left--;
}

/* Ends a stretch of counted iterations of the loop of COUNTED in FRAME, which took COST.  Adds the part of it that is
   of the loop's own code to FRAME's local work, and returns the rest.  */
uint64_t __cilkprof_counted_iterations_left(frame_t *frame, const counted_t *counted, uint64_t cost) {
  uint64_t counters = (uint64_t)(counted->counters * (double)frame->counted_left);
  cost -= counters < cost ? counters : cost;
  uint64_t all = counted->own_work + counted->work;
  uint64_t own = all ? (uint64_t)((unsigned __int128)cost * counted->own_work / all) : cost;
  frame->local_work += own;
  frame->counted_left = 0;
  return cost - own;
}

/* Ends the counted iterations of the loop of COUNTED that are under way in FRAME: one of them is about to enter a
   function with events, which may spawn.  The rest of the stretch is timed, and what it enters is treated as in a
   charged call.  Iterations of this loop are not counted any more.  */
void __cilkprof_counted_iterations_entered(frame_t *frame, counted_t *counted) {
  site_t *standing = called_site(frame);
  uint64_t cost = __cilkprof_counted_iterations_left(frame, counted, counted_call_cost(standing));
  never_count_again(counted);
  THREAD.counting = 0;
  frame->site = 0;
  __cilkprof_book_leaves(frame, standing, 1, cost);
  frame->before_begin = frame->local_work;
  frame->begin = __cilkprof_timing_point_begin(&counted->point);
  THREAD.top = (entry_t *)((uint64_t)frame->top | __CILKPROF_TOP_MARKS);
}
