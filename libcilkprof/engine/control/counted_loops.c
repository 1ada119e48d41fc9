/* Counted iterations: loops with two bodies, of which one has no events.
   SPDX-License-Identifier: MIT

   An iteration of a cilk_for or of a team's loop often calls functions of a few nanoseconds.  If nothing in it can
   spawn, the compiler makes a second body without events (cc/back/counted-loops.cc), and a stretch of iterations in it
   is like one counted call: its time is measured as a whole, and booked at a stand-in of the loop's site.  Between such
   stretches, at random intervals, a few iterations are followed with events.  They are the sample that says which part
   of the time is that of the loop's own code, and how the rest divides among the calls.

   A stretch ends with its grain, so that grains are told apart as ever, unless they are too short for that: then some
   of them are one stretch, and count as equally long.  A stretch that is shorter than reading the timer is not always
   measured, but costs what others did.  During a stretch the frame's LEFT counts the followed iterations, and
   COUNTED_LEFT the others; the block's REST is what the grain has left after the stretch.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/counted.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/tasks/block.h"
#include "libcilkprof/engine/time/divide.h"

enum {
  SAMPLE_MOST = 16,       /* iterations that are followed at a time, or fewer, if they are long */
  OFTEN = 8,              /* one in 8 iterations is followed at first, */
  SELDOM = 512,           /* and later one in 512 */
  SAMPLES_UNTIL_LESS = 4, /* samples after which they become rarer by half, then twice as many, and so on */
  EVEN_MOST = 4,          /* grains that are shorter than what is worth measuring make up stretches of 4 times that */
};

/* Returns how many iterations of the loop of COUNTED are followed in one sample: fewer if they are long.  */
static uint64_t iterations_of_sample(const counted_t *counted) {
  uint64_t cost = counted_cost_of_iterations(counted, 1), sample = __cilkprof_long_sample();
  if (SAMPLE_MOST * cost <= sample)
    return SAMPLE_MOST;
  return cost < sample ? divide_small(sample, cost) : 1;
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

/* Begins to follow some iterations of the loop of COUNTED in FRAME, to learn from them: at most MOST.  All calls in
   them are followed, too, and their entries in the log are kept apart from those before.  Returns how many these
   are.  */
uint64_t __cilkprof_iterations_sampled(frame_t *frame, counted_t *counted, struct __cilkprof_sample *sample,
                                       uint64_t most) {
  uint64_t iterations = iterations_of_sample(counted);
  iterations = iterations < most ? iterations : most;
  choose_next_sample(counted);
  *sample = (struct __cilkprof_sample){.iterations = iterations,
                                       .top = frame->top,
                                       .segment = frame->segment,
                                       .merge = frame->merge,
                                       .local_work = frame->local_work,
                                       .work = frame->work,
                                       .span = frame->span};
  frame->segment = frame->merge = frame->top;
  THREAD.following = FOLLOWED_INSIDE;
  THREAD.sampling = frame;
  return iterations;
}

/* Ends SAMPLE, of iterations of the loop of COUNTED in FRAME, and learns from it, if there is one.  LEFT of them did
   not begin.  An iteration that turns out to have SPAWNED is the last one that could be counted.  */
void __cilkprof_iterations_learnt(frame_t *frame, counted_t *counted, struct __cilkprof_sample *sample, uint64_t left,
                                  int spawned) {
  if (!sample->iterations)
    return;
  uint64_t own = frame->local_work - sample->local_work, work = frame->work - sample->work;
  if (THREAD.sampling == frame)
    THREAD.following = 0;
  frame->segment = sample->segment;
  frame->merge = sample->merge;
  if (spawned || frame->span - sample->span != work)
    never_count_again(counted);
  else if (frame->top >= sample->top)
    __cilkprof_learn_iterations(counted, sample->top, frame->top, sample->iterations - left, own + work, own);
  sample->iterations = 0;
}

/* Ends a stretch of iterations of the innermost loop of FRAME.  If they were followed as a sample, learns from
   them.  */
void __cilkprof_stretch_left(frame_t *frame) {
  block_t *block = frame->block;
  __cilkprof_iterations_learnt(frame, block->counted, &block->sample, frame->left, frame->spawned != 0);
}

/* Returns how many iterations of the loop BLOCK in FRAME a stretch has that begins with a grain: as many grains as are
   worth measuring, if a single one is not.  They count as equally long.  */
static uint64_t iterations_of_even_grains(const frame_t *frame, block_t *block) {
  uint64_t grain = block->grain, before = frame->grains * grain,
           rest = block->trips > before ? block->trips - before : 0;
  uint64_t cost = counted_cost_of_iterations(block->counted, grain), stretch = __cilkprof_short_stretch();
  if (rest <= grain || block->shares || block->remaining || block->region || cost >= stretch)
    return grain;
  uint64_t grains = divide_small(EVEN_MOST * stretch, cost ? cost : 1) + 1, all = divide_loop_rounding_up(rest, grain);
  block->even = all < grains ? all : grains;
  return block->even * grain < rest ? block->even * grain : rest;
}

/* Begins a stretch in the body without events, of the innermost loop of FRAME, whose block is BLOCK.  LEFT is how many
   iterations the grain still has.  */
static void begin_counted_iterations(frame_t *frame, block_t *block, uint64_t left) {
  counted_t *counted = block->counted;
  uint64_t next = counted->follow_after, stretch = left;
  if (left == block->grain)
    stretch = iterations_of_even_grains(frame, block);
  if (block->even == 1 && next < left && counted_cost_of_iterations(counted, next) >= __cilkprof_short_stretch())
    stretch = next;
  counted->follow_after -= stretch < next ? stretch : next;
  int timed = !counted->cost.time_after || counted_cost_of_iterations(counted, stretch) >= __cilkprof_short_stretch();
  counted->cost.time_after -= !timed;
  frame->counted_left = stretch;
  frame->left = 0;
  block->rest = block->even == 1 ? left - stretch : 0;
  begin_counted_call(frame, &counted->standing[OUTERMOST], timed);
}

/* Begins a stretch of iterations, all in the same body, of the innermost loop of FRAME, whose block is BLOCK.  LEFT is
   how many iterations the grain still has.  All of a loop whose iterations can spawn are followed.  */
static void begin_counted_stretch(frame_t *frame, block_t *block, uint64_t left) {
  counted_t *counted = block->counted;
  frame->counted_left = 0;
  block->rest = 0;
  frame->left = left;
  if (counted->never)
    return;
  if (THREAD.following) { /* in a call that is followed as a sample: iterations count as calls do */
    frame->left = left < THREAD.following ? left : THREAD.following;
    THREAD.following -= frame->left;
  } else if (!counted->follow_after) {
    frame->left = __cilkprof_iterations_sampled(frame, counted, &block->sample, left);
  } else {
    begin_counted_iterations(frame, block, left);
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

/* Returns what the counted iterations of the loop of COUNTED took that are under way in FRAME.  Iterations that were
   timed long ago count less, as the stretches do in which they were.  */
static uint64_t cost_of_counted_iterations(const frame_t *frame, counted_t *counted) {
  if (!THREAD.counted_since)
    return counted_cost_of_iterations(counted, frame->counted_left);
  uint64_t timed = counted->cost.timed, cost = __cilkprof_call_end(&counted->cost, THREAD.counted_since);
  int64_t total = (int64_t)counted->cost.total;
  counted->timed_iterations += frame->counted_left;
  if (counted->cost.timed < timed)
    counted->timed_iterations /= 2;
  counted->iteration_cost = total > 0 ? (double)total / (double)counted->timed_iterations : 0;
  return cost;
}

/* Ends a stretch of counted iterations of the loop of COUNTED in FRAME.  Adds the part of its cost that is of the
   loop's own code to FRAME's local work, and returns the rest.  */
uint64_t __cilkprof_counted_iterations_left(frame_t *frame, counted_t *counted) {
  uint64_t cost = cost_of_counted_iterations(frame, counted);
  uint64_t counters = (uint64_t)(counted->counters * (double)frame->counted_left);
  cost -= counters < cost ? counters : cost;
  uint64_t inside = (uint64_t)((double)cost * counted->inside);
  frame->local_work += cost - inside;
  counted->counted_iterations += frame->counted_left;
  frame->counted_left = 0;
  return inside;
}

/* Ends the counted iterations of the loop of COUNTED that are under way in FRAME: one of them is about to enter a
   function with events, which may spawn.  The rest of the stretch is timed, and what it enters is treated as in a
   charged call.  Iterations of this loop are not counted any more.  */
void __cilkprof_counted_iterations_entered(frame_t *frame, counted_t *counted) {
  site_t *standing = called_site(frame);
  uint64_t cost = __cilkprof_counted_iterations_left(frame, counted);
  never_count_again(counted);
  THREAD.counting = 0;
  frame->site = 0;
  __cilkprof_book_leaves(frame, standing, 1, cost);
  frame->before_begin = frame->local_work;
  frame->begin = __cilkprof_timing_point_begin(&counted->point);
  THREAD.top = (entry_t *)((uint64_t)frame->top | __CILKPROF_TOP_MARKS);
}
