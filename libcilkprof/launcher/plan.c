/* Which trials to run.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>

#include "libcilkprof/launcher/trials.h"

enum { RUNS = 5 };
static const char why[] = ", the processors that may be used here";

/* Plans trials with 1, 2, 4 and so on workers, and finally with ALL, the number of processors.  */
static void plan_trials_by_powers(struct plan *plan, unsigned all) {
  for (unsigned workers = 1; workers < all; workers *= 2)
    plan->workers[plan->count++] = workers;
  plan->workers[plan->count++] = all;
}

/* Plans trials with WORKERS workers, in ascending order of the numbers, unless that number is in the plan already.  */
static void plan_trial_workers(struct plan *plan, unsigned workers) {
  size_t place = plan->count;
  while (place > 0 && plan->workers[place - 1] > workers)
    place--;
  if (place > 0 && plan->workers[place - 1] == workers)
    return;
  for (size_t i = plan->count++; i > place; i--)
    plan->workers[i] = plan->workers[i - 1];
  plan->workers[place] = workers;
}

/* Plans trials with the numbers of workers in TEXT, the argument of --trials.  One worker is always included, because
   speedups are relative to that.  Warns if there are more workers than the control group has processors.  */
static void plan_trials_by_list(struct plan *plan, const char *text, const struct processors *processors) {
  plan_trial_workers(plan, 1);
  for (;;) {
    plan_trial_workers(plan, read_launcher_number("--trials", &text, ',', 1, processors->count, why));
    if (*text == 0)
      break;
    text++;
  }
  if (plan->workers[plan->count - 1] > processors->share)
    say("--trials", "the control group allows %u processor%s: more workers than that will wait", processors->share,
        processors->share == 1 ? "" : "s");
}

/* Makes the plan of trials from OPTIONS.  Fails if they cannot be met.  */
struct plan plan_trials(const struct options *options, const struct processors *processors) {
  struct plan plan = {.runs = options->runs > 0 ? options->runs : RUNS};
  if (options->workers != NULL)
    plan_trials_by_list(&plan, options->workers, processors);
  else
    plan_trials_by_powers(&plan, processors->share);
  if (!options->copies)
    return plan;
  const char *text = options->at_once;
  if (processors->count < 2)
    fail("--copies", "there is one processor: copies would wait for each other");
  plan.copies =
      text != NULL ? read_launcher_number("--copies", &text, 0, 2, processors->count, why) : processors->share;
  if (plan.copies < 2)
    fail("--copies", "the control group allows one processor: copies would wait for each other");
  return plan;
}
