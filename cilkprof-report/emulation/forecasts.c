/* Makes the forecasts that a report shows.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/emulation/forecasts.h"
#include "cilkprof-report/support/support.h"

enum {
  SEEDS = 5,              /* emulations of work stealing, of which mean and deviation are shown */
  MOST_STEPS = 300000000, /* limit of all emulations together: less than a minute */
};

static const unsigned default_processors[] = {1, 2, 4, 8, 16, 32, 64};
static const char loops[] = "static,static,1,dynamic,1,dynamic,4,guided,tasks,cilk,greedy", cilk[] = "cilk,greedy";

static void parse_schedules(struct forecasts *forecasts, const char *text) {
  size_t room = 0;
  do {
    forecasts->schedules = grow(forecasts->schedules, forecasts->schedule_count, &room, sizeof *forecasts->schedules);
    forecasts->schedules[forecasts->schedule_count++] = schedule_parse(&text);
  } while (*text != 0);
}

/* Emulates a schedule.  For work stealing, which is random, the time is the mean over several seeds; losses are those
   of the first one.  */
static struct forecast mean_forecast(const struct task_tree *tree, const struct schedule *schedule,
                                     struct machine *machine) {
  struct forecast first = emulate(tree, schedule, machine);
  if (schedule->kind != SCHEDULE_CILK || machine->processors == 1 || first.deadlock || first.cut)
    return first;
  double sum = first.time, squares = 0;
  for (machine->seed = 2; machine->seed <= SEEDS; machine->seed++) {
    struct forecast next = emulate(tree, schedule, machine);
    double difference = next.time - first.time;
    sum += next.time;
    squares += difference * difference;
    first.steps += next.steps;
    first.cut |= next.cut;
  }
  double mean = sum / SEEDS, offset = mean - first.time;
  first.deviation = sqrt(fmax(0, squares / SEEDS - offset * offset));
  first.time = mean;
  return first;
}

/* Emulates TREE under all schedules on one number of processors.  LEFT is the number of steps that emulations may still
   take.  */
static void emulate_schedules(const struct forecasts *forecasts, const struct task_tree *tree, size_t processors,
                              const struct options *options, uint64_t *left, struct forecast *to) {
  struct overheads units = overheads_in_units(&forecasts->overheads, tree->units_per_second);
  for (size_t s = 0; s < forecasts->schedule_count; s++) {
    struct machine machine = {.processors = forecasts->processors[processors],
                              .nesting = options->nesting,
                              .overheads = units,
                              .seed = 1,
                              .most_steps = *left > 0 ? *left : 1};
    struct forecast *forecast = &to[s * forecasts->processor_count + processors];
    *forecast = mean_forecast(tree, &forecasts->schedules[s], &machine);
    *left -= forecast->steps < *left ? forecast->steps : *left;
    forecast->memory = tree_root(tree)->work - tree_root(forecasts->tree)->work;
  }
}

/* The number of threads in a section is limited by its tasks.  */
double forecast_burden(const struct forecasts *forecasts, const struct section_use *section, size_t processors) {
  double threads = fmin(forecasts->processors[processors], fmax(section->tasks, 1));
  return memory_burden(&forecasts->memory, &section->use, section->traffic, (unsigned)threads);
}

/* Makes the forecasts that include contention for memory.  If no section takes longer, the plain ones are copied.  */
static void emulate_with_memory(struct forecasts *forecasts, const struct options *options, uint64_t *left) {
  double *factors = allocate(forecasts->uses.count + 1, sizeof *factors);
  for (size_t p = 0; p < forecasts->processor_count; p++) {
    bool known = true, longer = false;
    for (size_t i = 0; i < forecasts->uses.count; i++) {
      factors[i] = forecast_burden(forecasts, &forecasts->uses.sections[i], p);
      known &= factors[i] > 0;
      longer |= factors[i] > 1;
    }
    if (known && longer)
      emulate_schedules(forecasts, tree_burdened(forecasts->tree, &forecasts->uses, factors), p, options, left,
                        forecasts->burdened);
    for (size_t s = 0; known && !longer && s < forecasts->schedule_count; s++)
      forecasts->burdened[s * forecasts->processor_count + p] = *forecast_at(forecasts, s, p);
  }
  free(factors);
}

/* Makes all forecasts, and those with contention for memory if that is known.  */
static void emulate_all(struct forecasts *forecasts, const struct cilkprof_tree *tree, const struct options *options) {
  size_t count = forecasts->schedule_count * forecasts->processor_count;
  uint64_t left = MOST_STEPS;
  forecasts->forecasts = allocate(count, sizeof *forecasts->forecasts);
  for (size_t p = 0; p < forecasts->processor_count; p++)
    emulate_schedules(forecasts, forecasts->tree, p, options, &left, forecasts->forecasts);
  forecasts->uses = section_uses_make(forecasts->tree, tree, options->cachegrind, forecasts->memory.line);
  if (forecasts->uses.source == USES_UNKNOWN || !memory_machine_known(&forecasts->memory))
    return;
  forecasts->burdened = allocate(count, sizeof *forecasts->burdened);
  emulate_with_memory(forecasts, options, &left);
}

struct forecasts forecasts_with_memory(const struct forecasts *forecasts) {
  struct forecasts with = *forecasts;
  with.forecasts = forecasts->burdened;
  return with;
}

struct forecasts forecasts_make(const struct cilkprof_tree *tree, const char *path, const struct options *options) {
  struct forecasts forecasts = {.tree = tree_of(tree, path),
                                .processors = default_processors,
                                .processor_count = sizeof default_processors / sizeof *default_processors};
  if (forecasts.tree == NULL)
    return forecasts;
  const char *names = tree->flags & CILKPROF_TREE_OF_CILK ? cilk : loops;
  parse_schedules(&forecasts, options->schedules != NULL ? options->schedules : names);
  if (options->processor_count > 0) {
    forecasts.processors = options->processor_list;
    forecasts.processor_count = options->processor_count;
  }
  forecasts.source = overheads_read(&forecasts.overheads);
  forecasts.memory = memory_machine_read();
  if (options->overheads != NULL)
    overheads_parse(&forecasts.overheads, &forecasts.memory, options->overheads);
  emulate_all(&forecasts, tree, options);
  return forecasts;
}

double forecast_speedup(const struct forecasts *forecasts, const struct forecast *forecast) {
  if (forecast->deadlock || forecast->cut || forecast->time <= 0)
    return 0;
  return tree_root(forecasts->tree)->work / forecast->time;
}

/* No real program can have a greedy scheduler, so it is the best only if there is no other.  */
size_t forecasts_best(const struct forecasts *forecasts, size_t processors) {
  size_t best = 0;
  double fastest = -1;
  for (size_t s = 0; s < forecasts->schedule_count; s++) {
    double speedup = forecast_speedup(forecasts, forecast_at(forecasts, s, processors));
    bool real = forecasts->schedules[s].kind != SCHEDULE_GREEDY || forecasts->schedule_count == 1;
    if (real && speedup > fastest * (1 + 1e-9)) {
      fastest = speedup;
      best = s;
    }
  }
  return best;
}

size_t forecasts_enough(const struct forecasts *forecasts) {
  const double most_of_it = 0.9;
  double most = 0;
  for (size_t p = 0; p < forecasts->processor_count; p++)
    most = fmax(most, forecast_speedup(forecasts, forecast_at(forecasts, forecasts_best(forecasts, p), p)));
  for (size_t p = 0; p < forecasts->processor_count; p++)
    if (forecast_speedup(forecasts, forecast_at(forecasts, forecasts_best(forecasts, p), p)) >= most_of_it * most)
      return p;
  return 0;
}

static int compare_shares(const void *a, const void *b) {
  const struct loss *first = a, *second = b;
  return first->share != second->share ? (first->share < second->share) - (first->share > second->share)
                                       : (int)first->kind - (int)second->kind;
}

/* With several seeds, the time is a mean, and losses are those of the first seed.  */
void forecast_losses(const struct forecasts *forecasts, const struct forecast *forecast, unsigned processors,
                     struct loss losses[LOSSES]) {
  double all = tree_root(forecasts->tree)->work + forecast->serial + forecast->imbalance + forecast->locked +
               forecast->overhead + forecast->memory;
  double least = forecast->time * processors;
  all = fmax(all, least);
  const struct tree_lock *lock = forecast->worst > 0 ? &forecasts->tree->locks[forecast->worst_lock] : NULL;
  const struct loss found[LOSSES] = {{LOSS_SERIAL, forecast->serial / all, NULL},
                                     {LOSS_IMBALANCE, forecast->imbalance / all, NULL},
                                     {LOSS_LOCK, forecast->locked / all, lock},
                                     {LOSS_OVERHEAD, forecast->overhead / all, NULL},
                                     {LOSS_MEMORY, forecast->memory / all, NULL}};
  for (size_t i = 0; i < LOSSES; i++)
    losses[i] = found[i];
  qsort(losses, LOSSES, sizeof *losses, compare_shares);
}
