/* Idle workers and how they steal.
   SPDX-License-Identifier: GPL-3.0-or-later

   With the greedy scheduler, the idle worker with the lowest number takes, without delay, the outermost work of the
   lowest worker that has any.  With Cilk, each idle worker tries random victims; the number of tries is drawn from the
   distribution that follows from the number of workers with work to steal, so that tries need no events.  */

#include <math.h>
#include "cilkprof-report/emulation/stealing.h"

/* Returns the number of tasks of a range that have not begun.  */
static uint64_t tasks_left(const struct activation *range) {
  return range->end - range->at - (range->batch > 0);
}

/* Returns the outermost activation that can be stolen from VICTIM, or NULL.  Empty ranges are dropped: they stay
   empty.  */
static struct activation *stealable(struct stealing *stealing, struct worker *victim) {
  collapsed_expand(stealing, victim);
  for (; victim->head < victim->tail; victim->head++) {
    struct activation *first = victim->deque[victim->head];
    if (first->kind == IN_SECTION)
      return first;
    range_update(stealing, victim, first);
    if (tasks_left(first) > 0)
      return first;
  }
  return NULL;
}

/* Takes half of the tasks that have not begun.  */
static void take_half(struct stealing *stealing, struct worker *thief, struct worker *victim,
                      struct activation *range) {
  uint64_t left = tasks_left(range), taken = left - left / 2;
  range->end -= taken;
  if (range->batch > range->end - range->at) {
    range->batch = range->end - range->at;
    worker_until(stealing, victim, range->started + range->each * (double)range->batch);
  }
  thief->top = range->parent;
  thief->top->active++;
  activation_push(
      stealing, thief,
      (struct activation){.kind = IN_RANGE, .node = range->node, .at = range->end, .end = range->end + taken});
}

/* Gives WHAT, an activation of VICTIM, to THIEF, and pays for the burden.  */
static void steal(struct stealing *stealing, struct worker *thief, struct worker *victim, struct activation *what) {
  if (what->kind == IN_RANGE) {
    take_half(stealing, thief, victim, what);
  } else {
    victim->head++;
    thief->top = what;
  }
  double burden = stealing->kind == SCHEDULE_CILK ? stealing->machine->overheads.burden : 0;
  stealing->forecast.overhead += burden;
  if (burden > 0)
    worker_until(stealing, thief, stealing->now + burden);
  else
    worker_go_on(stealing, thief);
}

static void unpark(struct stealing *stealing, struct worker *worker) {
  worker->parked = false;
  stealing->parked--;
}

static struct worker *lowest_parked(const struct stealing *stealing) {
  struct worker *worker = stealing->workers;
  while (!worker->parked)
    worker++;
  return worker;
}

/* Gives work to parked workers as a greedy scheduler does.  */
static void serve_greedily(struct stealing *stealing) {
  unsigned processors = stealing->machine->processors;
  for (unsigned i = 0; stealing->parked > 0 && i < processors && !stealing->finished;) {
    struct worker *victim = &stealing->workers[i];
    struct activation *what = stealable(stealing, victim);
    if (what == NULL) {
      i++;
      continue;
    }
    struct worker *thief = lowest_parked(stealing);
    unpark(stealing, thief);
    steal(stealing, thief, victim, what);
    i = 0; /* a lower worker may have work now */
  }
}

/* Returns a number in [0, 1).  */
static double random_number(struct stealing *stealing) {
  stealing->random += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t value = stealing->random;
  value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
  return (double)((value ^ value >> 31) >> 11) * 0x1p-53;
}

/* Draws the number of tries until one succeeds, if each does with this probability.  */
static double draw_tries(struct stealing *stealing, double probability) {
  if (probability >= 1)
    return 1;
  return 1 + floor(log1p(-random_number(stealing)) / log1p(-probability));
}

static size_t count_victims(struct stealing *stealing) {
  size_t count = 0;
  for (unsigned i = 0; i < stealing->machine->processors; i++)
    count += stealable(stealing, &stealing->workers[i]) != NULL;
  return count;
}

/* Returns one of COUNT workers that have work to steal, at random.  */
static uint32_t choose_victim(struct stealing *stealing, size_t count) {
  size_t chosen = (size_t)(random_number(stealing) * (double)count);
  for (uint32_t i = 0;; i++)
    if (stealable(stealing, &stealing->workers[i]) != NULL && chosen-- == 0)
      return i;
}

/* Sends parked workers to victims.  Those that would arrive too late anyway are not sent.  */
static void serve_at_random(struct stealing *stealing) {
  size_t victims = count_victims(stealing), thieves = stealing->parked, others = stealing->machine->processors - 1;
  for (size_t sent = 0; victims > 0 && stealing->parked > 0 && sent < 2 * victims; sent++) {
    struct worker *thief = lowest_parked(stealing);
    double probability = (double)victims * (double)thieves / (double)others;
    unpark(stealing, thief);
    thief->victim = choose_victim(stealing, victims);
    worker_until(stealing, thief,
                 stealing->now + draw_tries(stealing, probability) * stealing->machine->overheads.steal);
  }
}

void thieves_serve(struct stealing *stealing) {
  if (!stealing->news || stealing->parked == 0)
    return;
  stealing->news = false;
  (stealing->kind == SCHEDULE_CILK ? serve_at_random : serve_greedily)(stealing);
}

void thief_arrives(struct stealing *stealing, struct worker *thief) {
  struct worker *victim = &stealing->workers[thief->victim];
  struct activation *what = stealable(stealing, victim);
  if (what != NULL)
    steal(stealing, thief, victim, what);
  else
    worker_idle(stealing, thief);
}
