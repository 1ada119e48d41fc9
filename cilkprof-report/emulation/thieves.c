/* Idle workers and how they steal.
   SPDX-License-Identifier: GPL-3.0-or-later

   With the greedy scheduler, the idle worker with the lowest number takes, without delay, the outermost work of the
   lowest worker that has any.  With Cilk, each idle worker tries random victims; the number of tries is drawn from the
   distribution that follows from the number of workers with work to steal, so that tries need no events.  */

#include <math.h>
#include "cilkprof-report/emulation/stealing.h"

/* Returns the number of tasks in RANGE, a part of an emulated loop, that have not begun and could be stolen.  */
static uint64_t emulated_range_tasks_left(const struct activation *range) {
  return range->end - range->at - (range->batch > 0);
}

/* Returns the outermost activation that can be stolen from VICTIM, or NULL.  Drops empty ranges from the deque: they
   stay empty.  Looks at workers count as steps, as otherwise many workers would look at each other for ever within the
   limit of steps; but they take less time.  */
static struct activation *emulated_activation_to_steal(struct stealing *stealing, struct worker *victim) {
  enum { LOOKS_IN_STEP = 8 };
  stealing->forecast.steps += ++stealing->looks % LOOKS_IN_STEP == 0;
  expand_emulated_subtree(stealing, victim);
  for (; victim->head < victim->tail; victim->head++) {
    struct activation *first = victim->deque[victim->head];
    if (first->kind == IN_SECTION)
      return first;
    update_emulated_batch(stealing, victim, first);
    if (emulated_range_tasks_left(first) > 0)
      return first;
  }
  return NULL;
}

/* Gives THIEF half of the tasks in RANGE, a part of an emulated loop, that VICTIM has not begun.  */
static void steal_half_of_emulated_range(struct stealing *stealing, struct worker *thief, struct worker *victim,
                                         struct activation *range) {
  uint64_t left = emulated_range_tasks_left(range), taken = left - left / 2;
  range->end -= taken;
  if (range->batch > range->end - range->at) {
    range->batch = range->end - range->at;
    schedule_emulated_worker_event(stealing, victim, range->started + range->each * (double)range->batch);
  }
  thief->top = range->parent;
  thief->top->active++;
  push_emulated_activation(
      stealing, thief,
      (struct activation){.kind = IN_RANGE, .node = range->node, .at = range->end, .end = range->end + taken});
}

/* Gives WHAT, an activation of VICTIM, to THIEF, which first pays the burden of stolen work under Cilk, and runs.  */
static void steal_emulated_activation(struct stealing *stealing, struct worker *thief, struct worker *victim,
                                      struct activation *what) {
  if (what->kind == IN_RANGE) {
    steal_half_of_emulated_range(stealing, thief, victim, what);
  } else {
    victim->head++;
    thief->top = what;
  }
  double burden = stealing->kind == SCHEDULE_CILK ? stealing->machine->overheads.burden : 0;
  stealing->forecast.overhead += burden;
  if (burden > 0)
    schedule_emulated_worker_event(stealing, thief, stealing->now + burden);
  else
    run_emulated_worker(stealing, thief);
}

/* Takes an emulated WORKER off the parked ones, because it is about to steal.  */
static void unpark_emulated_worker(struct stealing *stealing, struct worker *worker) {
  worker->parked = false;
  stealing->parked--;
}

/* Returns the parked emulated worker with the lowest number.  There must be one.  */
static struct worker *lowest_parked_emulated_worker(const struct stealing *stealing) {
  struct worker *worker = stealing->workers;
  while (!worker->parked)
    worker++;
  return worker;
}

/* Gives work to parked workers at once as long as any worker has some to steal, as a greedy scheduler does.  */
static void serve_emulated_thieves_greedily(struct stealing *stealing) {
  unsigned processors = stealing->machine->processors;
  for (unsigned i = 0; stealing->parked > 0 && i < processors && !stealing->finished;) {
    struct worker *victim = &stealing->workers[i];
    struct activation *what = emulated_activation_to_steal(stealing, victim);
    if (what == NULL) {
      i++;
      continue;
    }
    struct worker *thief = lowest_parked_emulated_worker(stealing);
    unpark_emulated_worker(stealing, thief);
    steal_emulated_activation(stealing, thief, victim, what);
    i = 0; /* a lower worker may have work now */
  }
}

/* Returns the next random number in [0, 1) of an emulation, which depends on its seed only.  */
static double emulated_random_number(struct stealing *stealing) {
  stealing->random += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t value = stealing->random;
  value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
  return (double)((value ^ value >> 31) >> 11) * 0x1p-53;
}

/* Draws at random how many tries an emulated thief needs until one succeeds, if each does with this PROBABILITY.  */
static double draw_emulated_steal_tries(struct stealing *stealing, double probability) {
  if (probability >= 1)
    return 1;
  return 1 + floor(log1p(-emulated_random_number(stealing)) / log1p(-probability));
}

/* Returns the number of emulated workers from which something can be stolen.  */
static size_t count_emulated_victims(struct stealing *stealing) {
  size_t count = 0;
  for (unsigned i = 0; i < stealing->machine->processors; i++)
    count += emulated_activation_to_steal(stealing, &stealing->workers[i]) != NULL;
  return count;
}

/* Returns the number of a random worker among the COUNT emulated workers that have work to steal.  When times are
   rounded, the last task of a range may seem to have begun since they were counted: then it is the last worker that
   has any.  */
static uint32_t choose_emulated_victim(struct stealing *stealing, size_t count) {
  size_t chosen = (size_t)(emulated_random_number(stealing) * (double)count);
  uint32_t last = 0;
  for (uint32_t i = 0; i < stealing->machine->processors; i++)
    if (emulated_activation_to_steal(stealing, &stealing->workers[i]) != NULL) {
      last = i;
      if (chosen-- == 0)
        break;
    }
  return last;
}

/* Sends parked workers to random victims, as Cilk does; they arrive after as many tries as are drawn.  Those that would
   arrive too late anyway are not sent.  */
static void serve_emulated_thieves_randomly(struct stealing *stealing) {
  size_t victims = count_emulated_victims(stealing), thieves = stealing->parked,
         others = stealing->machine->processors - 1;
  for (size_t sent = 0; victims > 0 && stealing->parked > 0 && sent < 2 * victims; sent++) {
    struct worker *thief = lowest_parked_emulated_worker(stealing);
    double probability = (double)victims * (double)thieves / (double)others;
    unpark_emulated_worker(stealing, thief);
    thief->victim = choose_emulated_victim(stealing, victims);
    schedule_emulated_worker_event(stealing, thief,
                                   stealing->now + draw_emulated_steal_tries(stealing, probability) *
                                                       stealing->machine->overheads.steal);
  }
}

/* Lets parked emulated workers look for work again, if work or idle workers were added since the last call.  */
void serve_emulated_thieves(struct stealing *stealing) {
  if (!stealing->news || stealing->parked == 0)
    return;
  stealing->news = false;
  (stealing->kind == SCHEDULE_CILK ? serve_emulated_thieves_randomly : serve_emulated_thieves_greedily)(stealing);
}

/* Lets THIEF, which has reached its victim, steal from it.  If nothing is left there, THIEF is parked again.  */
void let_emulated_thief_steal(struct stealing *stealing, struct worker *thief) {
  struct worker *victim = &stealing->workers[thief->victim];
  struct activation *what = emulated_activation_to_steal(stealing, victim);
  if (what != NULL)
    steal_emulated_activation(stealing, thief, victim, what);
  else
    park_emulated_worker(stealing, thief);
}
