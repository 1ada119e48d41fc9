/* Judges a scope by its idleness and overhead: Table 1 of the PPoPP 2009 paper (libcilkprof/README.md).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/model/commands.h"
#include "cilkprof-report/model/units.h"

enum {
  MUCH = 10,            /* percent of the effort that is a large part */
  FEW_SAMPLES = 100,    /* fewer of a run: shares would be wrong by more than 10 percentage points */
  FEW_OF_FUNCTION = 25, /* fewer of a function: it would be judged by chance */
};

/* Returns whether time of KIND, such as idleness, is a large part of the effort in WASTE.  */
static bool is_judged_waste_part_large(const struct waste *waste, enum waste_kind kind) {
  return model_percent_of_whole(waste->of[kind], sample_waste_effort(waste)) >= MUCH;
}

/* Returns whether the samples of the run are too few to say anything about it.  */
bool are_samples_too_few_to_judge(const struct samples *samples) {
  return samples->sampling.samples < FEW_SAMPLES;
}

/* Returns by how many percentage points the shares of the run may be wrong, as it was sampled: two standard deviations
   of a share of one half, which is the worst.  */
double judged_waste_share_error(const struct samples *samples) {
  return samples->sampling.samples > 0 ? 100 / sqrt((double)samples->sampling.samples) : 100;
}

/* Judges a function or the whole run by the parts of its effort that are idleness, overhead and waiting in WASTE, and
   returns a brief judgement and advice.  SAMPLES is the number of samples: if there are few, the judgement is that they
   are too few.  Waiting is measured, not sampled.  */
struct judgement judge_waste(const struct waste *waste, uint64_t samples) {
  struct judgement judgement = {
      .idle = is_judged_waste_part_large(waste, WASTE_IDLENESS),
      .overhead = is_judged_waste_part_large(waste, WASTE_OVERHEAD),
      .waiting = is_judged_waste_part_large(waste, WASTE_WAITING),
  };
  static const struct {
    const char *code, *brief, *advice;
  } table[2][2] = {
      {{"parallel", "parallel", "It is effectively parallel: the remaining gain is in its serial performance."},
       {"coarsen", "larger pieces", "Overhead: do more work in each spawn or iteration."}},
      {{"refine", "smaller pieces",
        "Other processors were idle meanwhile: make its pieces smaller, or parallelise it."},
       {"another way", "another way",
        "Much overhead, and still idle processors: it needs another way to parallelise it."}},
  };
  judgement.code = table[judgement.idle][judgement.overhead].code;
  judgement.brief = table[judgement.idle][judgement.overhead].brief;
  judgement.advice = table[judgement.idle][judgement.overhead].advice;
  uint64_t idle = waste->of[WASTE_IDLENESS], overhead = waste->of[WASTE_OVERHEAD], waiting = waste->of[WASTE_WAITING];
  if (judgement.waiting && ((!judgement.idle && !judgement.overhead) || (waiting > idle && waiting > overhead))) {
    judgement.code = judgement.brief = "lock";
    judgement.advice = "Contention: hold locks for less time, or use more of them.";
  } else if (samples < FEW_OF_FUNCTION)
    judgement = (struct judgement){
        .code = "few samples", .brief = "few samples", .advice = "There are too few samples to judge."};
  return judgement;
}

/* Returns whether the runs SEVERAL and ONE had the same input, as far as that is known: the same command, unless they
   are those of a trial, whose arguments may have the number of workers, and not far less work.  */
bool are_judged_runs_alike(const struct samples *several, const struct samples *one) {
  static const double LEAST = 0.5;
  double work = (double)several->total.of[WASTE_WORK] / (double)several->sampling.runs,
         reference = (double)one->total.of[WASTE_WORK] / (double)one->sampling.runs;
  return (several->is_trial || is_same_model_command(&several->program, &one->program)) && work > LEAST * reference;
}

/* Returns the processor time that was available during the run, in nanoseconds: elapsed time times processors.  */
uint64_t judged_waste_available_time(const struct samples *samples) {
  uint64_t all;
  bool large = __builtin_mul_overflow(samples->sampling.processors, samples->sampling.elapsed_ns, &all);
  return large ? UINT64_MAX : all;
}

/* Returns the part of the available processor time, in nanoseconds, in which threads of the program neither ran nor
   lacked work: they were blocked in the system, or other processes had the processors.  */
uint64_t judged_waste_absent_time(const struct samples *samples) {
  uint64_t all = judged_waste_available_time(samples), effort = sample_waste_effort(&samples->total);
  return all > effort ? all - effort : 0;
}

/* Divides the time in which the program neither ran nor lacked work into time that it was blocked and time that other
   programs had the processors.  While a thread with work has no processor it takes no samples, which would have stood
   for its own time and for the idleness of others beside it, in the proportion of all samples.  The system tells how
   long such threads were ready; for the rest of the time they were blocked.  */
struct absence divide_judged_absent_time(const struct samples *samples) {
  const struct waste *total = &samples->total;
  uint64_t absent = judged_waste_absent_time(samples), delayed = samples->sampling.delayed_ns;
  if (delayed == UINT64_MAX)
    return (struct absence){.known = false};
  double ran = (double)total->of[WASTE_WORK] + (double)total->of[WASTE_OVERHEAD];
  double weight = ran > 0 ? (double)sample_waste_effort(total) / ran : (double)samples->sampling.processors;
  double preempted = fmin((double)delayed * weight, (double)absent);
  return (struct absence){.known = true, .blocked = absent - (uint64_t)preempted, .preempted = (uint64_t)preempted};
}
