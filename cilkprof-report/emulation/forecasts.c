/* Makes the forecasts that a report shows.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/emulation/forecasts.h"
#include "cilkprof-report/support/support.h"

enum {
  SEEDS = 5,             /* emulations of work stealing, of which mean and deviation are shown */
  MAX_STEPS = 30000000,  /* limit of all emulations together: some seconds */
  QUICK_STEPS = 5000000, /* limit of an emulation that nobody asked for: half a second */
};

static const unsigned default_processors[] = {1, 2, 4, 8, 16, 32, 64};
static const char loops[] = "static,static,1,dynamic,1,dynamic,4,guided,tasks,cilk,greedy", cilk[] = "cilk,greedy";

/* Adds the schedules in TEXT, which are separated by commas, to those of FORECASTS.  Fails if one is unknown.  */
static void parse_forecast_schedules(struct forecasts *forecasts, const char *text) {
  size_t room = 0;
  do {
    forecasts->schedules =
        grow_array(forecasts->schedules, forecasts->schedule_count, &room, sizeof *forecasts->schedules);
    forecasts->schedules[forecasts->schedule_count++] = parse_emulated_schedule(&text);
  } while (*text != 0);
}

/* Emulates TREE under SCHEDULE on MACHINE.  For work stealing, which is random, the time is the mean over several
   seeds; losses are those of the first one.  */
static struct forecast mean_forecast(const struct task_tree *tree, const struct schedule *schedule,
                                     struct machine *machine) {
  struct forecast first = emulate_schedule(tree, schedule, machine);
  if (schedule->kind != SCHEDULE_CILK || machine->processors == 1 || first.deadlock || first.cut)
    return first;
  double sum = first.time, squares = 0;
  for (machine->seed = 2; machine->seed <= SEEDS; machine->seed++) {
    struct forecast next = emulate_schedule(tree, schedule, machine);
    double difference = next.time - first.time;
    sum += next.time;
    squares += difference * difference;
    first.steps += next.steps;
    first.cut |= next.cut;
    first.deadlock |= next.deadlock;
  }
  double mean = sum / SEEDS, offset = mean - first.time;
  first.deviation = sqrt(fmax(0, squares / SEEDS - offset * offset));
  first.time = mean;
  return first;
}

/* Emulates TREE under all schedules of FORECASTS on one number of processors, whose index is PROCESSORS, and stores the
   results in TO.  LEFT is the number of steps that emulations may still take.  */
static void emulate_schedules(const struct forecasts *forecasts, const struct task_tree *tree, size_t processors,
                              const struct options *options, uint64_t *left, struct forecast *to) {
  struct overheads units = emulated_overheads_in_units(&forecasts->overheads, tree->units_per_second);
  for (size_t s = 0; s < forecasts->schedule_count; s++) {
    struct machine machine = {.processors = forecasts->processors[processors],
                              .nesting = options->nesting,
                              .overheads = units,
                              .seed = 1,
                              .most_steps = *left > 0 ? *left : 1};
    struct forecast *forecast = &to[s * forecasts->processor_count + processors];
    *forecast = mean_forecast(tree, &forecasts->schedules[s], &machine);
    *left -= forecast->steps < *left ? forecast->steps : *left;
    forecast->memory = emulated_tree_root(tree)->work - emulated_tree_root(forecasts->tree)->work;
  }
}

/* Returns the factor by which contention for memory slows SECTION down on the number of processors with index
   PROCESSORS; 0: unknown.  The number of threads in a section is limited by its tasks.  */
double forecast_memory_burden(const struct forecasts *forecasts, const struct section_use *section, size_t processors) {
  double threads = fmin(forecasts->processors[processors], fmax(section->tasks, 1));
  return memory_contention_burden(&forecasts->memory, &section->use, section->traffic, (unsigned)threads);
}

/* Makes the forecasts that include contention for memory, for all numbers of processors for which it is known.  If no
   section takes longer, the plain ones are copied.  */
static void emulate_with_memory(struct forecasts *forecasts, const struct options *options, uint64_t *left) {
  double *factors = allocate(forecasts->uses.count + 1, sizeof *factors);
  for (size_t p = 0; p < forecasts->processor_count; p++) {
    bool known = true, longer = false;
    for (size_t i = 0; i < forecasts->uses.count; i++) {
      factors[i] = forecast_memory_burden(forecasts, &forecasts->uses.sections[i], p);
      known &= factors[i] > 0;
      longer |= factors[i] > 1;
    }
    if (known && longer)
      emulate_schedules(forecasts, make_burdened_emulated_tree(forecasts->tree, &forecasts->uses, factors), p, options,
                        left, forecasts->burdened);
    for (size_t s = 0; known && !longer && s < forecasts->schedule_count; s++)
      forecasts->burdened[s * forecasts->processor_count + p] = *forecast_at(forecasts, s, p);
  }
  free(factors);
}

/* Makes the forecasts for all schedules and numbers of processors, and those with contention for memory if that is
   known.  */
static void emulate_all_forecasts(struct forecasts *forecasts, const struct cilkprof_tree *tree,
                                  const struct options *options) {
  size_t count = forecasts->schedule_count * forecasts->processor_count;
  uint64_t left = MAX_STEPS;
  forecasts->forecasts = allocate(count, sizeof *forecasts->forecasts);
  for (size_t p = 0; p < forecasts->processor_count; p++)
    emulate_schedules(forecasts, forecasts->tree, p, options, &left, forecasts->forecasts);
  forecasts->uses = find_section_memory_uses(forecasts->tree, tree, options->cachegrind, forecasts->memory.line);
  if (forecasts->uses.source == USES_UNKNOWN || !is_memory_contention_calibrated(&forecasts->memory))
    return;
  forecasts->burdened = allocate(count, sizeof *forecasts->burdened);
  emulate_with_memory(forecasts, options, &left);
}

/* Returns a copy of FORECASTS in which those with contention for memory take the place of the plain ones.  */
struct forecasts forecasts_with_memory(const struct forecasts *forecasts) {
  struct forecasts with = *forecasts;
  with.forecasts = forecasts->burdened;
  return with;
}

/* Emulates TREE, that of the profile in the file PATH, under the schedules and on the processors that OPTIONS ask for.
   Returns the forecasts; their tree is NULL if the profile has none.  */
struct forecasts make_forecasts(const struct cilkprof_tree *tree, const char *path, const struct options *options) {
  struct forecasts forecasts = {.tree = make_emulated_tree(tree, path),
                                .processors = default_processors,
                                .processor_count = sizeof default_processors / sizeof *default_processors};
  if (forecasts.tree == NULL)
    return forecasts;
  const char *names = tree->flags & CILKPROF_TREE_OF_CILK ? cilk : loops;
  parse_forecast_schedules(&forecasts, options->schedules != NULL ? options->schedules : names);
  if (options->processor_count > 0) {
    forecasts.processors = options->processor_list;
    forecasts.processor_count = options->processor_count;
  }
  forecasts.source = read_emulated_overheads(&forecasts.overheads);
  forecasts.memory = read_memory_contention_parameters();
  if (options->overheads != NULL)
    parse_emulated_overheads(&forecasts.overheads, &forecasts.memory, options->overheads);
  emulate_all_forecasts(&forecasts, tree, options);
  return forecasts;
}

double quick_forecast_speedup(const struct task_tree *tree, unsigned processors) {
  struct overheads overheads;
  read_emulated_overheads(&overheads);
  struct machine machine = {.processors = processors,
                            .overheads = emulated_overheads_in_units(&overheads, tree->units_per_second),
                            .seed = 1,
                            .most_steps = QUICK_STEPS};
  struct forecast forecast =
      emulate_schedule(tree, &(struct schedule){.kind = SCHEDULE_CILK, .name = "cilk"}, &machine);
  return forecast.cut || forecast.time <= 0 ? NAN : emulated_tree_root(tree)->work / forecast.time;
}

/* Returns the speedup that FORECAST promises over the present program, which runs on one processor; 0: unknown, because
   of a deadlock or the limit of steps.  */
double forecast_speedup(const struct forecasts *forecasts, const struct forecast *forecast) {
  if (forecast->deadlock || forecast->cut || forecast->time <= 0)
    return 0;
  return emulated_tree_root(forecasts->tree)->work / forecast->time;
}

/* Returns the index of the schedule with the largest forecast speedup on the number of processors with index
   PROCESSORS, the first one of equals.  No real program can have a greedy scheduler, so it is the best only if there is
   no other.  */
size_t best_forecast_schedule(const struct forecasts *forecasts, size_t processors) {
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

/* Returns the index of the first number of processors that reaches most of the largest forecast speedup: more
   processors gain little.  */
size_t enough_forecast_processors(const struct forecasts *forecasts) {
  const double most_of_it = 0.9;
  double most = 0;
  for (size_t p = 0; p < forecasts->processor_count; p++)
    most = fmax(most, forecast_speedup(forecasts, forecast_at(forecasts, best_forecast_schedule(forecasts, p), p)));
  for (size_t p = 0; p < forecasts->processor_count; p++)
    if (forecast_speedup(forecasts, forecast_at(forecasts, best_forecast_schedule(forecasts, p), p)) >=
        most_of_it * most)
      return p;
  return 0;
}

/* Comparison for qsort: sorts forecast losses by their share of the processor time, largest first, then by kind.  */
static int compare_forecast_losses(const void *a, const void *b) {
  const struct loss *first = a, *second = b;
  return first->share != second->share ? (first->share < second->share) - (first->share > second->share)
                                       : (int)first->kind - (int)second->kind;
}

/* Fills in LOSSES with the shares of the processor time that FORECAST loses to serial parts, imbalance, locks, overhead
   and memory, largest first.  With several seeds, the time is a mean, and losses are those of the first seed.  */
void forecast_losses(const struct forecasts *forecasts, const struct forecast *forecast, unsigned processors,
                     struct loss losses[LOSSES]) {
  double all = emulated_tree_root(forecasts->tree)->work + forecast->serial + forecast->imbalance + forecast->locked +
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
  qsort(losses, LOSSES, sizeof *losses, compare_forecast_losses);
}
