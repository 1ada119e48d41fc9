/* The largest loss of a parallel run in words: what was lost, where, and what to do about it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/headline.h"
#include "cilkprof-report/analysis/inflation.h"
#include "cilkprof-report/analysis/stand-in.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

static const double NOTABLE_GROWTH = 1.1; /* of the processor time of copies, which is more than noise */

enum {
  MUCH = 10,              /* percent of the processors' time that is a large loss */
  MUCH_PREEMPTED = 25,    /* percent of it that makes other shares smaller than they are on an idle machine */
  MOSTLY_PREEMPTED = 50,  /* percent of it that leaves nothing to judge the program by */
  MOSTLY_BLOCKED = 50,    /* percent of it that a run hardly computed */
  MAX_HZ = 100000,        /* that cilkprof-run -F takes */
  LONG_RUN_NS = 100000000 /* a run that is not too short to sample */
};

/* Returns the name of the code to blame, FUNCTION, with its source location if that is known.  Loops and regions have
   it in their names.  Allocated.  */
char *headline_culprit_text(const struct function *function) {
  const char *name = function->brief_name;
  if (function->place.file == NULL || strchr(name, ' ') != NULL)
    return format_string("%s", name);
  char *file = escape(base_name(function->place.file)),
       *text = format_string("%s (%s:%u)", name, file, function->place.line);
  free(file);
  return text;
}

/* Returns what to say of a run with too few samples.  A run that was blocked for most of its time is not too short.
   Allocated.  */
static char *headline_few_samples_text(const struct samples *samples) {
  const struct cilkprof_sampling *sampling = &samples->sampling;
  struct absence absence = divide_judged_absent_time(samples);
  double blocked = model_percent_of_whole(absence.blocked, judged_waste_available_time(samples));
  struct quantity count = model_grouped_number(sampling->samples);
  const char *ending = model_plural_ending(sampling->samples);
  if (sampling->elapsed_ns >= LONG_RUN_NS && absence.known && blocked >= MOSTLY_BLOCKED)
    return format_string(
        "Hardly any computation: the program was blocked %.0f %% of the time, asleep or waiting for input or output, "
        "and there are only %s sample%s.  Overlap these waits with work, or shorten them.",
        blocked, count.text, ending);
  uint64_t more = sampling->hz < MAX_HZ / 10 ? 10 * sampling->hz : MAX_HZ;
  if (sampling->clock == CILKPROF_SAMPLING_PERF && more > sampling->hz)
    return format_string("%s sample%s: too few to judge.  Run it longer, or sample more often: cilkprof waste -F %llu.",
                         count.text, ending, (unsigned long long)more);
  return format_string("%s sample%s: too few to judge.  Run it longer.", count.text, ending);
}

/* Returns what to say of a lack of parallelism, which CULPRIT with this NAME caused.  Allocated.  */
static char *headline_parallelism_text(const struct cilkprof_sampling *sampling, const struct culprit *culprit,
                                       const char *name, const char *share) {
  if (culprit->kind == CULPRIT_ALONE) {
    char *others = sampling->processors == 2
                       ? format_string("processor is")
                       : format_string("%llu processors are", (unsigned long long)sampling->processors - 1);
    char *text = format_string("Serial bottleneck: %s runs alone while the other %s idle, for %s.  Run parts of it in "
                               "parallel, or overlap it with other work.",
                               name, others, share);
    free(others);
    return text;
  }
  bool is_openmp = sampling->sampled == CILKPROF_SAMPLED_OPENMP;
  bool has_spawns = sampling->sampled == CILKPROF_SAMPLED_CILK;
  const char *pieces = culprit->kind == CULPRIT_PIECES ? "pieces of" : has_spawns ? "spawns in" : "tasks in";
  return format_string("Load imbalance: the %s %s are too few or unequal, and processors that finish early are idle, "
                       "for %s.  Use more and smaller ones%s.",
                       pieces, name, share,
                       is_openmp && culprit->kind == CULPRIT_PIECES ? ", or schedule them dynamically" : "");
}

/* Returns whether what was lost by CAUSE was lost in the runtime.  */
static bool is_headline_loss_in_runtime(const struct causes *causes, enum cause cause) {
  return cause == CAUSE_LOCK || (cause == CAUSE_GRAIN && causes->overhead >= causes->lost[CAUSE_GRAIN] / 2);
}

/* Returns what to say of pieces of work that have the wrong size in the code NAME, which lost SHARE, a text, of the
   time: too small if most of that loss is overhead, with a REMARK on the runtime.  Allocated.  */
static char *headline_grain_text(const struct causes *causes, const char *name, const char *share, const char *remark) {
  if (is_headline_loss_in_runtime(causes, CAUSE_GRAIN))
    return format_string("Overhead: the pieces of %s are too small, and the runtime spends %s creating and "
                         "distributing them.  Do more work in each spawn, task or chunk.%s",
                         name, share, remark);
  return format_string("The pieces of %s are too large: by work and span more processors could work on it, but they "
                       "are idle for %s.  Make the pieces smaller.",
                       name, share);
}

/* Returns what to say of work that grew with the number of workers where samples of copies, or the processor's
   counters, tell the line and the cause; otherwise NULL.  It costs SHARE, a text, of the time.  Allocated.  */
static char *headline_known_inflation_text(const struct samples *samples, const char *share) {
  struct inflation inflation = find_inflation(samples);
  char *why = inflated_work_text(&inflation, samples),
       *text = why != NULL ? format_string("Work inflation costs %s: %s", share, why) : NULL;
  free(why);
  free(inflation.functions.rows);
  free(inflation.lines.rows);
  return text;
}

/* Returns what to say of work that grew with the number of workers in the function NAME, and the command that finds
   the reason.  Allocated.  */
static char *headline_inflation_text(const struct model *model, const struct causes *causes, const char *name,
                                     const char *share) {
  char *known = headline_known_inflation_text(model->samples, share);
  if (known != NULL)
    return known;
  const struct cause_row *row = causes->largest[CAUSE_INFLATION];
  double growth = model_trials_copy_growth(&model->trials);
  const char *copies = "  cilkprof scale --copies tells why: if copies slow each other down, it is memory bandwidth; "
                       "otherwise false sharing or spinning locks.";
  if (growth >= NOTABLE_GROWTH)
    copies = "  Copies that share no data slow each other down as well: the limit is the machine, usually its memory "
             "bandwidth.";
  else if (growth > 0)
    copies = "  Copies that share no data do not slow each other down: look for false sharing and spinning locks.";
  return format_string("Work inflation: the work of %s grows with the number of workers; %llu of them need %.2f times "
                       "the processor time of one, which costs %s.%s",
                       name, (unsigned long long)model->samples->sampling.workers, cause_row_inflation(row), share,
                       copies);
}

/* Returns what to say of the loss by CAUSE, which has SHARE, a text, of the processors' time.  Allocated.  */
static char *headline_loss_text(const struct model *model, const struct causes *causes, enum cause cause,
                                const char *share) {
  char *name = headline_culprit_text(cause_culprit(causes, cause)), *remark = headline_stand_in_remark(model), *text;
  if (cause == CAUSE_PARALLELISM)
    text = headline_parallelism_text(&model->samples->sampling, &causes->culprits[cause], name, share);
  else if (cause == CAUSE_GRAIN)
    text = headline_grain_text(causes, name, share, remark);
  else if (cause == CAUSE_INFLATION)
    text = headline_inflation_text(model, causes, name, share);
  else
    text = format_string("Contention: threads wait for a lock in %s, for %s.  Hold it for less time, use several "
                         "locks, or keep a private copy per thread and combine them at the end.%s",
                         name, share, remark);
  free(remark);
  free(name);
  return text;
}

/* Returns what to say of the largest loss, if it is large in the time WHOLE that the program could have the processors,
   of all their time ALL; otherwise NULL.  Of little time that is left on a busy machine a large part is still little.
   Allocated.  */
static char *headline_largest_loss_text(const struct model *model, const struct causes *causes, double whole,
                                        double all) {
  enum cause cause = CAUSE_NONE;
  for (enum cause other = CAUSE_NONE + 1; other < CAUSES; other++)
    if (causes->lost[other] > causes->lost[cause])
      cause = other;
  bool is_blocked = causes->blocked > causes->lost[cause];
  double lost = is_blocked ? causes->blocked : causes->lost[cause];
  if (lost == 0 || 100 * lost < MUCH * whole || 200 * lost < MUCH * all)
    return NULL;
  char *share = format_string("%.0f %% of the processors' time", 100 * lost / all), *text = NULL;
  if (!is_blocked && is_headline_loss_in_runtime(causes, cause))
    text = headline_stand_in_text(model);
  if (text == NULL && is_blocked)
    text = format_string("Blocked: the program slept or waited for input or output for %s; more processors do not help "
                         "there.  Overlap these waits with work, or shorten them; strace -cfw lists them.",
                         share);
  else if (text == NULL)
    text = headline_loss_text(model, causes, cause, share);
  free(share);
  return text;
}

/* Returns what is said of a run with more threads than processors: nothing of what it wasted is concluded.
   Allocated.  */
static char *headline_more_threads_text(const struct cilkprof_sampling *sampling) {
  return format_string(
      "More threads than processors: %llu threads shared %llu processor%s, so what this run wasted says "
      "little.  cilkprof waste runs the program with one thread for each processor.",
      (unsigned long long)sampling->workers, (unsigned long long)sampling->processors,
      model_plural_ending(sampling->processors));
}

char *waste_headline(const struct model *model, const struct causes *causes) {
  const struct samples *samples = model->samples;
  if (samples->sampling.workers > samples->sampling.processors)
    return headline_more_threads_text(&samples->sampling);
  if (are_samples_too_few_to_judge(samples))
    return headline_few_samples_text(samples);
  double all = cause_lost_time_whole(samples), preempted = (double)divide_judged_absent_time(samples).preempted;
  double busy = all > 0 ? 100 * preempted / all : 0;
  char *text = busy < MOSTLY_PREEMPTED ? headline_largest_loss_text(model, causes, all - preempted, all) : NULL;
  if (busy < MUCH_PREEMPTED)
    return text;
  char *whole =
      format_string("%s%sBusy machine: for %.0f %% of the processors' time the program was ready to run but preempted "
                    "by other programs.  Times and shares may be off; measure again when the machine is idle.",
                    text != NULL ? text : "", text != NULL ? "  " : "", busy);
  free(text);
  return whole;
}
