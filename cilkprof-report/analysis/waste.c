/* Judges a scope by its idleness and overhead: Table 1 of the PPoPP 2009 paper (libcilkprof/README.md).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/model/units.h"

enum { MUCH = 10 }; /* percent of the effort that is a large part */

/* Returns whether time of KIND, such as idleness, is a large part of the effort in WASTE.  */
static bool is_large_waste_part(const struct waste *waste, enum waste_kind kind) {
  return percent_of_whole(waste->of[kind], sample_waste_effort(waste)) >= MUCH;
}

/* Judges a function or the whole run by the parts of its effort that are idleness, overhead and waiting in WASTE.
   Returns a brief judgement and advice.  */
struct judgement judge_waste(const struct waste *waste) {
  struct judgement judgement = {
      .idle = is_large_waste_part(waste, WASTE_IDLENESS),
      .overhead = is_large_waste_part(waste, WASTE_OVERHEAD),
      .waiting = is_large_waste_part(waste, WASTE_WAITING),
  };
  static const struct {
    const char *brief, *advice;
  } table[2][2] = {
      {{"parallel", "It is effectively parallel: what is left to gain is in its serial performance."},
       {"coarsen", "Its pieces are too small: let each spawn or iteration do more."}},
      {{"refine", "Others had nothing to do meanwhile: make its pieces smaller, or make parallel what is serial."},
       {"another way", "Its pieces cost much, and still there are too few: another parallelisation is needed."}},
  };
  judgement.brief = table[judgement.idle][judgement.overhead].brief;
  judgement.advice = table[judgement.idle][judgement.overhead].advice;
  uint64_t idle = waste->of[WASTE_IDLENESS], overhead = waste->of[WASTE_OVERHEAD], waiting = waste->of[WASTE_WAITING];
  if (judgement.waiting && ((!judgement.idle && !judgement.overhead) || (waiting > idle && waiting > overhead))) {
    judgement.brief = "lock";
    judgement.advice = "Threads wait for one another: let locks be held more briefly, or have more of them.";
  }
  return judgement;
}

/* Returns the processor time that was available during the run, in nanoseconds: elapsed time times processors.  */
uint64_t waste_judgement_available_time(const struct samples *samples) {
  uint64_t all;
  bool large = __builtin_mul_overflow(samples->sampling.processors, samples->sampling.elapsed_ns, &all);
  return large ? UINT64_MAX : all;
}

/* Returns the part of the available processor time, in nanoseconds, in which threads of the program neither ran nor
   lacked work: they were blocked in the system, or other processes had the processors.  */
uint64_t waste_judgement_absent_time(const struct samples *samples) {
  uint64_t all = waste_judgement_available_time(samples), effort = sample_waste_effort(&samples->total);
  return all > effort ? all - effort : 0;
}
