/* Computes the factors of the efficiency of parallel runs, for the program and for its functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/culprits.h"
#include "cilkprof-report/analysis/efficiency.h"
#include "cilkprof-report/analysis/headline.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/support/support.h"

static const double LOW = 0.8;

/* The factors of parallel efficiency, in the order in which their losses are taken from the time of the processors.  */
static const enum factor losses[] = {FACTOR_AVAILABLE, FACTOR_WAITING, FACTOR_SCHEDULING, FACTOR_SERIAL,
                                     FACTOR_BALANCE};
enum { LOSSES = sizeof losses / sizeof *losses };

bool is_efficiency_low(double value) {
  return value >= 0 && value < LOW;
}

const char *efficiency_factor_name(enum factor factor) {
  static const char *const names[FACTORS] = {
      "Global efficiency", "Parallel efficiency", "Load balance",        "Serial parts", "Scheduling",
      "Waiting for locks", "Processor available", "Computation scaling", "Instructions", "Instructions per cycle",
      "Frequency"};
  return names[factor];
}

const char *efficiency_factor_code(enum factor factor) {
  static const char *const codes[FACTORS] = {
      "global",    "parallel",    "load_balance", "serial_parts",           "scheduling", "waiting",
      "available", "computation", "instructions", "instructions_per_cycle", "frequency"};
  return codes[factor];
}

int efficiency_factor_depth(enum factor factor) {
  return factor == FACTOR_GLOBAL ? 0 : factor == FACTOR_PARALLEL || factor == FACTOR_COMPUTATION ? 1 : 2;
}

bool is_efficiency_factor_shown(const struct efficiencies *efficiencies, enum factor factor) {
  return factor <= FACTOR_COMPUTATION || efficiencies->columns[efficiencies->count - 1].of[factor] >= 0;
}

/* Returns PART / WHOLE, or 1 if WHOLE is 0: then nothing is lost.  */
static double efficiency_ratio(double part, double whole) {
  return whole > 0 ? part / whole : 1;
}

/* Fills in the factors OF from TIMES.  COMPUTATION is the work with one worker divided by this one, or below 0 if that
   is not known; then so is the global efficiency.  */
static void find_efficiency_factors(double *of, const struct efficiency_times *times, double computation) {
  double whole = times->work, left;
  for (size_t i = 0; i < LOSSES; i++)
    whole += times->lost[losses[i]];
  left = whole;
  for (size_t i = 0; i < LOSSES; i++) {
    of[losses[i]] = efficiency_ratio(left - times->lost[losses[i]], left);
    left -= times->lost[losses[i]];
  }
  of[FACTOR_PARALLEL] = efficiency_ratio(times->work, whole);
  of[FACTOR_COMPUTATION] = computation;
  of[FACTOR_GLOBAL] = computation < 0 ? -1 : of[FACTOR_PARALLEL] * computation;
  of[FACTOR_INSTRUCTIONS] = of[FACTOR_IPC] = of[FACTOR_FREQUENCY] = -1;
}

/* Divides the computation scaling in OF by what the processor counted: ONE is the work of ONE_RUNS runs with one
   worker, SEVERAL that of RUNS runs with several.  Does nothing if it counted nothing.  */
static void divide_computation_scaling(double *of, const struct waste *one, uint64_t one_runs,
                                       const struct waste *several, uint64_t runs) {
  double instructions = (double)several->counted[COUNTER_INSTRUCTIONS],
         cycles = (double)several->counted[COUNTER_CYCLES], work = (double)several->of[WASTE_WORK];
  double one_instructions = (double)one->counted[COUNTER_INSTRUCTIONS],
         one_cycles = (double)one->counted[COUNTER_CYCLES], one_work = (double)one->of[WASTE_WORK];
  if (instructions == 0 || cycles == 0 || work == 0 || one_instructions == 0 || one_cycles == 0 || one_work == 0)
    return;
  of[FACTOR_INSTRUCTIONS] = one_instructions / (double)one_runs / (instructions / (double)runs);
  of[FACTOR_IPC] = instructions / cycles / (one_instructions / one_cycles);
  of[FACTOR_FREQUENCY] = cycles / work / (one_cycles / one_work);
}

/* Adds OTHER to SUM.  */
static void add_efficiency_times(struct efficiency_times *sum, const struct efficiency_times *other) {
  sum->work += other->work;
  for (size_t i = 0; i < FACTORS; i++)
    sum->lost[i] += other->lost[i];
}

/* Returns the times of the own code of each context of SAMPLES.  Allocated.  */
static struct efficiency_times *own_efficiency_times(const struct samples *samples) {
  struct efficiency_times *times = allocate(samples->count, sizeof *times);
  struct culprits culprits = begin_culprits(samples);
  struct culprit unused[CAUSES];
  for (uint32_t i = 0; i < samples->count; i++) {
    const struct waste *own = &samples->contexts[i].own;
    bool alone = own->of[WASTE_IDLENESS] > 0 && culprit_of_idleness(&culprits, i).kind == CULPRIT_ALONE;
    times[i].work = (double)own->of[WASTE_WORK];
    times[i].lost[alone ? FACTOR_SERIAL : FACTOR_BALANCE] = (double)own->of[WASTE_IDLENESS];
    times[i].lost[FACTOR_SCHEDULING] = (double)own->of[WASTE_OVERHEAD];
    times[i].lost[FACTOR_WAITING] = (double)own->of[WASTE_WAITING];
  }
  finish_culprits(&culprits, unused);
  return times;
}

/* Returns the efficiency of SAMPLES, whose contexts have the TIMES.  REFERENCE has one worker, or is NULL.  */
static struct efficiency efficiency_of_samples(const struct samples *samples, const struct efficiency_times *times,
                                               const struct samples *reference) {
  struct efficiency of = {.samples = samples, .speedup = -1};
  double computation = -1;
  for (size_t i = 0; i < samples->count; i++)
    add_efficiency_times(&of.times, &times[i]);
  of.times.lost[FACTOR_AVAILABLE] = (double)judged_waste_absent_time(samples);
  if (reference != NULL && of.times.work > 0) {
    double runs = (double)samples->sampling.runs, one = (double)reference->sampling.runs;
    computation = (double)reference->total.of[WASTE_WORK] / one / (of.times.work / runs);
    if (samples->sampling.elapsed_ns > 0)
      of.speedup = (double)reference->sampling.elapsed_ns / one / ((double)samples->sampling.elapsed_ns / runs);
  }
  find_efficiency_factors(of.of, &of.times, computation);
  if (reference != NULL)
    divide_computation_scaling(of.of, &reference->total, reference->sampling.runs, &samples->total,
                               samples->sampling.runs);
  return of;
}

/* Returns the function of SAMPLES with the full name NAME, or NULL.  */
static const struct sample_function *find_efficiency_function(const struct samples *samples, const char *name) {
  for (size_t i = 0; i < samples->function_count; i++)
    if (strcmp(samples->by_waste[i]->function->name, name) == 0)
      return samples->by_waste[i];
  return NULL;
}

/* Comparison for qsort: sorts functions by their parts of the time, largest first, then by name.  */
static int compare_efficiency_functions(const void *left, const void *right) {
  const struct efficiency_function *a = left, *b = right;
  if (a->share != b->share)
    return a->share > b->share ? -1 : 1;
  return strcmp(a->function->name, b->function->name);
}

/* Fills in the factors OF of FUNCTION of SAMPLES, with its callees, from TIMES.  REFERENCE may be NULL.  */
static void find_function_factors(double *of, const struct samples *samples, const struct samples *reference,
                                  const struct sample_function *function, const struct efficiency_times *times) {
  const struct sample_function *one =
      reference != NULL && times->work > 0 ? find_efficiency_function(reference, function->function->name) : NULL;
  if (one == NULL || one->all.of[WASTE_WORK] == 0) {
    find_efficiency_factors(of, times, -1);
    return;
  }
  uint64_t runs = samples->sampling.runs, one_runs = reference->sampling.runs;
  find_efficiency_factors(of, times, (double)one->all.of[WASTE_WORK] / (double)one_runs / (times->work / (double)runs));
  divide_computation_scaling(of, &one->all, one_runs, &function->all, runs);
}

/* Fills in the functions of EFFICIENCIES from SAMPLES, whose contexts have the TIMES of their own code, and adds to
   these those of their callees.  */
static void find_function_efficiencies(struct efficiencies *efficiencies, const struct samples *samples,
                                       struct efficiency_times *times, const struct samples *reference) {
  struct efficiency_times *sums = allocate(samples->functions.count, sizeof *sums);
  bool *regions = allocate(samples->functions.count, sizeof *regions);
  double whole = (double)sample_waste_effort(&samples->total);
  for (size_t i = samples->count; i-- > 0;) {
    const struct sample_context *context = &samples->contexts[i];
    regions[context->function->number] |= context->construct;
    if (context->parent != NO_CONTEXT)
      add_efficiency_times(&times[context->parent], &times[i]);
    if (!context->nested)
      add_efficiency_times(&sums[context->function->number], &times[i]);
  }
  efficiencies->functions = allocate(samples->function_count, sizeof *efficiencies->functions);
  for (size_t i = 0; i < samples->function_count; i++) {
    const struct function *function = samples->by_waste[i]->function;
    const struct efficiency_times *sum = &sums[function->number];
    struct efficiency_function *of = &efficiencies->functions[efficiencies->function_count++];
    *of = (struct efficiency_function){.function = function, .is_region = regions[function->number]};
    of->share = efficiency_ratio((double)sample_waste_effort(&samples->by_waste[i]->all), whole);
    find_function_factors(of->of, samples, reference, samples->by_waste[i], sum);
  }
  qsort(efficiencies->functions, efficiencies->function_count, sizeof *efficiencies->functions,
        compare_efficiency_functions);
  free(sums);
  free(regions);
}

/* Returns the work of the own code of each function of SAMPLES, by its number.  The time of libraries and of the
   compiler's helpers is that of the code that calls them.  Allocated.  */
static double *work_of_efficiency_functions(const struct samples *samples) {
  double *work = allocate(samples->functions.count, sizeof *work);
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    double own = (double)context->own.of[WASTE_WORK];
    while (context->foreign && context->parent != NO_CONTEXT)
      context = &samples->contexts[context->parent];
    work[context->function->number] += own;
  }
  return work;
}

/* Returns how much longer the own code of each function of SAMPLES took than with one worker, in REFERENCE, by its
   number.  Allocated.  */
static double *find_longer_functions(const struct samples *samples, const struct samples *reference) {
  double *longer = work_of_efficiency_functions(samples), *before = work_of_efficiency_functions(reference);
  double runs = (double)samples->sampling.runs / (double)reference->sampling.runs;
  for (size_t i = 0; i < samples->function_count; i++) {
    const struct function *function = samples->by_waste[i]->function;
    const struct sample_function *one = find_efficiency_function(reference, function->name);
    double *here = &longer[function->number];
    *here = fmax(*here - (one != NULL ? before[one->function->number] * runs : 0), 0);
  }
  free(before);
  return longer;
}

/* Returns the time that each function of SAMPLES lost by FACTOR, by its number; TIMES are those of the own code of
   contexts.  Idleness is blamed on the code around it that is serial, or that is parallel and has too few or unequal
   pieces.  Allocated.  */
static double *find_lost_functions(enum factor factor, const struct samples *samples,
                                   const struct efficiency_times *times) {
  double *lost = allocate(samples->functions.count, sizeof *lost);
  struct culprits culprits = begin_culprits(samples);
  struct culprit unused[CAUSES];
  for (uint32_t i = 0; i < samples->count; i++) {
    bool idle = factor == FACTOR_SERIAL || factor == FACTOR_BALANCE;
    const struct function *function = idle ? culprit_of_idleness(&culprits, i).function : samples->contexts[i].function;
    lost[function->number] += times[i].lost[factor];
  }
  finish_culprits(&culprits, unused);
  return lost;
}

/* Finds the function that lost most by the factor of WORST in SAMPLES, whose contexts have the TIMES of their own
   code.  */
static void find_worst_efficiency_place(struct efficiency_worst *worst, const struct samples *samples,
                                        const struct efficiency_times *times, const struct samples *reference) {
  double *lost = worst->factor == FACTOR_COMPUTATION ? find_longer_functions(samples, reference)
                                                     : find_lost_functions(worst->factor, samples, times);
  double all = 0;
  for (size_t i = 0; i < samples->functions.count; i++) {
    all += lost[i];
    if (worst->function == NULL ? lost[i] > 0 : lost[i] > lost[worst->function->number])
      worst->function = samples->functions.list[i];
  }
  if (worst->function != NULL)
    worst->part = efficiency_ratio(lost[worst->function->number], all);
  free(lost);
}

/* Finds the worst factor of OF, and where most of it is lost; TIMES are those of the own code of contexts.  Time that
   other programs had the processors is no loss of this one.  */
static struct efficiency_worst find_worst_efficiency(const struct efficiency *of, const struct efficiency_times *times,
                                                     const struct samples *reference) {
  struct efficiency_worst worst = {.factor = FACTOR_GLOBAL};
  struct absence absence = divide_judged_absent_time(of->samples);
  bool is_busy = absence.known && absence.preempted >= absence.blocked;
  double least = 1;
  for (enum factor factor = FACTOR_BALANCE; factor <= FACTOR_COMPUTATION; factor++)
    if (of->of[factor] >= 0 && of->of[factor] < least && !(is_busy && factor == FACTOR_AVAILABLE)) {
      least = of->of[factor];
      worst.factor = factor;
    }
  if (worst.factor != FACTOR_GLOBAL && worst.factor != FACTOR_AVAILABLE)
    find_worst_efficiency_place(&worst, of->samples, times, reference);
  return worst;
}

struct efficiencies find_efficiencies(const struct samples *samples) {
  struct efficiencies efficiencies = {.columns = allocate(samples->trial_count, sizeof *efficiencies.columns)};
  const struct samples *first = samples->trial[0];
  bool alike = first->sampling.workers == 1 && are_judged_runs_alike(samples, first);
  const struct samples *reference = alike ? first : NULL;
  for (size_t i = 0; i < samples->trial_count; i++) {
    struct efficiency_times *times = own_efficiency_times(samples->trial[i]);
    struct efficiency *column = &efficiencies.columns[efficiencies.count++];
    *column = efficiency_of_samples(samples->trial[i], times, reference);
    if (samples->trial[i] == samples) {
      efficiencies.worst = find_worst_efficiency(column, times, reference);
      find_function_efficiencies(&efficiencies, samples, times, reference);
    }
    free(times);
  }
  return efficiencies;
}

/* Returns why computation scaling OF is low, as far as the processor's counters tell: the words that follow those of
   the factor.  */
static const char *lowest_computation_factor_text(const double *of) {
  static const char *const why[FACTORS] = {
      [FACTOR_INSTRUCTIONS] = ", mostly because it executed more instructions",
      [FACTOR_IPC] = ", mostly because its instructions took more cycles: they wait for memory or for shared lines of "
                     "the cache",
      [FACTOR_FREQUENCY] = ", mostly because the processor's clock was slower, or the system had more of the time",
  };
  enum factor least = FACTOR_INSTRUCTIONS;
  for (enum factor factor = FACTOR_INSTRUCTIONS; factor < FACTORS; factor++)
    least = of[factor] < of[least] ? factor : least;
  return of[least] >= 0 && of[least] < 1 ? why[least] : "";
}

char *efficiency_worst_text(const struct efficiencies *efficiencies) {
  static const char *const why[FACTORS] = {
      [FACTOR_BALANCE] = "processors were idle because parallel pieces were too few or unequal",
      [FACTOR_SERIAL] = "processors were idle while code ran that is not parallel",
      [FACTOR_SCHEDULING] = "the runtime created and distributed tasks, which do too little each",
      [FACTOR_WAITING] = "threads waited for locks",
      [FACTOR_AVAILABLE] = "threads were blocked, or other programs had the processors",
      [FACTOR_COMPUTATION] = "the same work took more processor time than with one worker",
  };
  const struct efficiency_worst *worst = &efficiencies->worst;
  const struct efficiency *last = &efficiencies->columns[efficiencies->count - 1];
  if (worst->factor == FACTOR_GLOBAL)
    return NULL;
  char *place = worst->function != NULL ? headline_culprit_text(worst->function) : NULL;
  char *where =
      place != NULL ? format_string("; %.0f %% of it in %s", 100 * worst->part, place) : format_string("%s", "");
  const char *more = worst->factor == FACTOR_COMPUTATION ? lowest_computation_factor_text(last->of) : "";
  char *text = format_string("The worst factor with %llu worker%s is %s, %.2f: %s%s%s.",
                             (unsigned long long)last->samples->sampling.workers,
                             last->samples->sampling.workers == 1 ? "" : "s", efficiency_factor_name(worst->factor),
                             last->of[worst->factor], why[worst->factor], more, where);
  free(where);
  free(place);
  return text;
}
