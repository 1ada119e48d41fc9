/* Findings about the reliability of times: compares the work with the time of the whole run and of runs without
   instrumentation.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/timing.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

enum {
  MUCH_PROBING = 20,    /* percent of the run: the times may be inaccurate */
  MAX_PROBING = 50,     /* percent of the run: the times are not reliable */
  MUCH_SYSTEM = 10,     /* percent of the work */
  MUCH_PREEMPTION = 10, /* percent of the elapsed time: times are less certain if it is more */
  MUCH_WAITING = 25,    /* percent of the elapsed time: the run mostly computes if it is less */
  MOSTLY_WAITING = 50,  /* percent of the elapsed time: speedups of the rest say nothing about the whole */
  LARGE_DIFFERENCE = 4  /* a correction by more than 1 / LARGE_DIFFERENCE is worth a finding */
};
#define SHORT_SYSTEM 0.02 /* seconds: the system measures system time in ticks of up to 10 ms */
#define SHORT_WAIT   0.05 /* seconds: too short to be worth a finding */
#define SAME         1e-3 /* relative difference of equal times, due to rounding to units */
#define NOISE        1.5  /* the same work may take this much longer from one run to the next, on a busy machine */

/* Returns whether the profile begins with the start of the program.  Otherwise the rest of the run is unknown code, not
   overhead of probes.  */
static bool is_timing_of_whole_run(const struct model *model) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->kind == CILKPROF_SITE_OUTSIDE && is_model_start_function(site->callee) &&
        site->measured->on_work.local.count > 0)
      return true;
  }
  return false;
}

/* Compares the work of MODEL with the time of the whole run and of runs without instrumentation.  Returns how reliable
   the times are.  */
struct timing timing_reliability(const struct model *model) {
  const struct cilkprof_usage_record *record = &model->usages.sum;
  struct timing timing = {.kind = TIMING_UNKNOWN, .scale = 1};
  if (!model->usages.known || model->run.units_per_second == 0 || model->totals.work == 0)
    return timing;
  double work = (double)model->totals.work / (double)model->run.units_per_second;
  timing.measured = (double)model->totals.work / (double)record->units_per_second;
  timing.reference = (double)record->reference.cpu_ns * 1e-9;
  timing.run = (double)record->run.cpu_ns * 1e-9;
  timing.scale = work / timing.measured;
  timing.probes = timing.run > 0 ? 100 * (1 - work / timing.run) : 0;
  if (record->reference_runs > 0)
    timing.kind = fabs(work - timing.reference) < SAME * timing.reference ? TIMING_CHECKED : TIMING_CONTRARY;
  else if (is_timing_of_whole_run(model) && !(model->program.flags & CILKPROF_INCOMPLETE))
    timing.kind = TIMING_UNCHECKED;
  const struct cilkprof_usage *used = timing.kind == TIMING_CHECKED ? &record->reference : &record->run;
  timing.system = fmin((double)used->system_ns * 1e-9, work); /* instrumentation may have taken some of it, too */
  timing.system_share = 100 * timing.system / work;
  timing.faults = model_saturating_sum(used->minor_faults, used->major_faults);
  return timing;
}

/* Returns whether the system time is more than PERCENT of the work, and long enough to be measured.  */
bool is_timing_system_above(const struct timing *timing, double percent) {
  return timing->system_share > percent && timing->system > SHORT_SYSTEM;
}

/* Returns whether much of the work is system time, which another grain size does not change.  */
bool is_timing_system_bound(const struct timing *timing) {
  return is_timing_system_above(timing, MUCH_SYSTEM);
}

/* Returns VALUE, which is in seconds, as text with a suitable unit, for findings about the reliability of times.  */
static struct quantity reliable_timing_quantity(const struct model *model, double value) {
  return model_quantity(model, value * (double)model->run.units_per_second, 3, " ");
}

/* Returns whether the times of the reference runs and of the profiled run in TIMING, which contradict each other, may
   be those of the same work: the reference took longer, by no more than times vary.  */
static bool is_timing_contrary_by_noise(const struct timing *timing) {
  return timing->reference >= timing->run && timing->reference < NOISE * timing->run;
}

/* Describes the reliability of the times in a few words, for the summary.  Returns NULL if there is nothing to say.
   The text is allocated.  */
char *timing_reliability_text(const struct model *model, const struct timing *timing) {
  uint64_t runs = model->usages.sum.reference_runs;
  struct quantity number = model_grouped_number(runs);
  const char *which = runs == 1 ? "a" : number.text;
  switch (timing->kind) {
  case TIMING_UNKNOWN:
    return NULL;
  case TIMING_CHECKED:
    return format_string("checked by %s reference run%s (measured %s, scaled by %.2f)", which,
                         model_plural_ending(runs), reliable_timing_quantity(model, timing->measured).text,
                         timing->scale);
  case TIMING_CONTRARY:
    return format_string("unchecked; %s reference run%s took %s, %s", which, model_plural_ending(runs),
                         reliable_timing_quantity(model, timing->reference).text,
                         is_timing_contrary_by_noise(timing) ? "longer than the profiled run: times vary"
                                                             : "which cannot be the same work");
  case TIMING_UNCHECKED:
    break;
  }
  if (timing->probes < -MUCH_PROBING)
    return format_string("unchecked; the measured time exceeds the run: cilkprof run checks it");
  if (timing->probes > MUCH_PROBING)
    return format_string("unchecked; instrumentation took %.0f%% of the run: cilkprof run checks it", timing->probes);
  return format_string("instrumentation took %.0f%% of the run", timing->probes > 0 ? timing->probes : 0);
}

/* Describes the system time and page faults in a few words, for the summary.  Returns NULL if they are small.  The text
   is allocated.  */
char *timing_system_text(const struct model *model, const struct timing *timing) {
  if (!is_timing_system_bound(timing))
    return NULL;
  return format_string("%s, %.0f%% of the work, with %s page fault%s",
                       reliable_timing_quantity(model, timing->system).text, timing->system_share,
                       model_grouped_number(timing->faults).text, model_plural_ending(timing->faults));
}

/* Adds a finding if reference runs made a large correction of the times necessary.  */
static void judge_timing_correction(struct verdict *verdict, const struct timing *timing) {
  if (fabs(timing->scale - 1) * LARGE_DIFFERENCE <= 1)
    return;
  add_finding(verdict, FINDING_SCALED_TIME, TONE_NOTICE,
              format_string("%s was measured, but the program takes %s without instrumentation: all times are scaled "
                            "by %.2f, and short functions that are called often may be over- or underestimated.  "
                            "Compare with a profile of -fcilkprof=count.",
                            reliable_timing_quantity(verdict->model, timing->measured).text,
                            reliable_timing_quantity(verdict->model, timing->reference).text, timing->scale));
}

/* Returns whether a call of FUNCTION, of a library, may wait for a long time without a processor.  */
static bool may_timed_call_wait(const struct function *function) {
  static const char *const names[] = {"sleep",  "usleep",   "nanosleep", "clock_nanosleep",   "read",
                                      "pread",  "fread",    "fgets",     "getline",           "recv",
                                      "poll",   "select",   "pselect",   "epoll_wait",        "accept",
                                      "fsync",  "sem_wait", "waitpid",   "pthread_cond_wait", "pthread_join",
                                      "system", "getchar",  "getc",      "fdatasync",         "recvfrom"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(function->name, names[i]) == 0)
      return true;
  return false;
}

/* Returns a sentence with the calls of the run that may have waited, the first few of them; "" if none is known.  How
   long each took is not measured: the profile has times with a processor only.  Allocated.  */
static char *timed_waiting_calls(const struct model *model) {
  enum { MOST = 3 };
  char *text = format_string("%s", "");
  size_t count = 0;
  for (size_t i = 0; i < model->site_count && count < MOST; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller == NULL || site->measured->on_work.local.count == 0 || !may_timed_call_wait(site->callee))
      continue;
    char *longer = format_string("%s%s%s at %s", text, count++ > 0 ? ", " : "  It calls ", site->callee->name,
                                 finding_user_place(model, site));
    free(text);
    text = longer;
  }
  char *sentence = format_string("%s%s", text, count > 0 ? "." : "");
  free(text);
  return sentence;
}

/* Returns the elapsed time of the profiled run of MODEL, in seconds.  */
static double timed_run_elapsed(const struct model *model) {
  const struct cilkprof_usage_record *record = &model->usages.sum;
  return ((double)record->blocked_ns + (double)record->delayed_ns + (double)record->run.cpu_ns) * 1e-9;
}

/* Returns for how long the profiled run of MODEL slept or waited, in seconds; 0 if it did so for less than PERCENT of
   the elapsed time, or if that is not known.  */
static double much_timed_waiting(const struct model *model, double percent) {
  double blocked = (double)model->usages.sum.blocked_ns * 1e-9;
  bool much = model->usages.known && model->run.units_per_second != 0 && blocked > SHORT_WAIT &&
              100 * blocked > percent * timed_run_elapsed(model);
  return much ? blocked : 0;
}

bool is_timed_run_mostly_waiting(const struct model *model) {
  return much_timed_waiting(model, MOSTLY_WAITING) > 0;
}

/* Returns whether the program of MODEL has threads of its own, whose work the profile does not have.  */
static bool has_timed_run_own_threads(const struct model *model) {
  return model->program.flags & CILKPROF_OTHER_THREADS;
}

/* Returns the text of the finding that the run of MODEL waited for BLOCKED seconds.  A program that waits for threads
   of its own gets no advice: what these do is not known.  Allocated.  */
static char *timed_waiting_text(const struct model *model, double blocked) {
  bool mostly = is_timed_run_mostly_waiting(model);
  char *calls = timed_waiting_calls(model);
  char *text = format_string(
      "for %s of %s (%.0f%%) the program slept, or waited for input, output or other threads.%s  Work%s exclude that "
      "time%s.%s",
      reliable_timing_quantity(model, blocked).text, reliable_timing_quantity(model, timed_run_elapsed(model)).text,
      100 * blocked / timed_run_elapsed(model), calls, mostly ? " and span" : ", span and all speedups below",
      mostly ? ", so no speedup is foretold" : "",
      has_timed_run_own_threads(model) ? "  The threads that it created itself may have run meanwhile."
                                       : "  Overlap these waits with work, or shorten them, before anything else.");
  free(calls);
  return text;
}

/* Adds a finding if the run had no processor for a large part of its elapsed time: it waited, which work and span do
   not see, or other programs had the processors, which makes times unreliable.  */
static void judge_timing_waits(struct verdict *verdict) {
  const struct cilkprof_usage_record *record = &verdict->model->usages.sum;
  if (!verdict->model->usages.known || verdict->model->run.units_per_second == 0)
    return;
  double blocked = much_timed_waiting(verdict->model, MUCH_WAITING), delayed = (double)record->delayed_ns * 1e-9,
         elapsed = timed_run_elapsed(verdict->model);
  if (blocked > 0)
    set_finding_share(add_finding(verdict, FINDING_WAITING,
                                  has_timed_run_own_threads(verdict->model) ? TONE_NOTICE : TONE_BAD,
                                  timed_waiting_text(verdict->model, blocked)),
                      100 * blocked / elapsed, "elapsed");
  verdict->busy = delayed > SHORT_WAIT && 100 * delayed > MUCH_PREEMPTION * elapsed;
  if (verdict->busy)
    set_finding_share(
        add_finding(
            verdict, FINDING_BUSY_MACHINE, TONE_NOTICE,
            format_string("for %s of %s (%.0f%%) the program was preempted by other programs, or by the "
                          "host of a virtual machine.  Times may be off; measure again when the machine is idle.",
                          reliable_timing_quantity(verdict->model, delayed).text,
                          reliable_timing_quantity(verdict->model, elapsed).text, 100 * delayed / elapsed)),
        100 * delayed / elapsed, "elapsed");
}

/* Adds a finding about the times of the reference runs and of the profiled run in TIMING, which contradict each
   other.  */
static void judge_contrary_timing(struct verdict *verdict, const struct timing *timing) {
  bool noise = is_timing_contrary_by_noise(timing);
  add_finding(verdict, FINDING_CONTRARY_TIME, noise ? TONE_NOTICE : TONE_BAD,
              format_string("the reference run took %s and the profiled run %s%s",
                            reliable_timing_quantity(verdict->model, timing->reference).text,
                            reliable_timing_quantity(verdict->model, timing->run).text,
                            noise ? ", although only the latter is instrumented: times vary from run to run, and are "
                                    "shown as they were measured.  Measure again when the machine is idle."
                                  : ": they did not do the same work.  Give both the same input and files, and run it "
                                    "again."));
}

/* Adds findings about times that are not reliable and about much system time, and notes in VERDICT whether the program
   is bound by the system.  */
void judge_timing(struct verdict *verdict) {
  struct timing timing = timing_reliability(verdict->model);
  judge_timing_waits(verdict);
  verdict->system_bound = is_timing_system_bound(&timing);
  if (timing.kind == TIMING_CHECKED)
    judge_timing_correction(verdict, &timing);
  if (timing.kind == TIMING_CONTRARY)
    judge_contrary_timing(verdict, &timing);
  if (timing.kind == TIMING_UNCHECKED && (timing.probes > MAX_PROBING || timing.probes < -MAX_PROBING))
    add_finding(
        verdict, FINDING_UNCHECKED_TIME, TONE_BAD,
        format_string(
            "%s, so times may be far off.  Use cilkprof run, which checks them with a run without instrumentation.",
            timing.probes < 0 ? "the measured time exceeds the run"
                              : format_string("instrumentation took %.0f%% of the run", timing.probes)));
  if (verdict->system_bound)
    set_finding_share(
        add_finding(
            verdict, FINDING_SYSTEM_TIME, TONE_NOTICE,
            format_string(
                "%s of the work (%.0f%%) is system time, with %s page fault%s: first accesses to memory, or "
                "input and output.  Allocate memory once and reuse it; another grain size does not change that.",
                reliable_timing_quantity(verdict->model, timing.system).text, timing.system_share,
                model_grouped_number(timing.faults).text, model_plural_ending(timing.faults))),
        timing.system_share, "work");
}
