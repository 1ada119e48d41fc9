/* The rules that make up the verdict.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FINDINGS_H
#define CILKPROF_REPORT_FINDINGS_H

#include "cilkprof-report/analysis/bottlenecks.h"
#include "cilkprof-report/analysis/verdict.h"

/* Returns a finding without a place or a share, which takes over TEXT; SUBJECT is not copied.  */
struct finding make_finding(enum finding_code code, enum tone tone, const char *subject, char *text);
/* Adds a finding to the verdict, which takes over TEXT, and returns it.  Its subject is that of CODE in
   findings.def.  */
struct finding *add_finding(struct verdict *verdict, enum finding_code code, enum tone tone, char *text);
/* Notes in FINDING the full name of the FUNCTION that it is about, and the source location in user code that leads to
   SITE, which may be NULL.  */
void set_finding_place(const struct verdict *verdict, struct finding *finding, const char *function,
                       const struct site *site);
/* Returns the call with most work of the function, loop or lock with that full name, or NULL.  */
const struct site *largest_call_for_finding(const struct model *model, const char *callee);
/* Notes in FINDING that it is about so many PERCENT of WHOLE, which is not copied.  */
void set_finding_share(struct finding *finding, double percent, const char *whole);

/* Returns the parallelism from which on a bottleneck is not blamed for the speedup on the processors of VERDICT.  Other
   programs on a busy machine make some pieces longer, at random, and the longest ones make up the span: then half of
   what is enough is too much to blame anything, and too little to say that nothing is a limit.  */
static inline double blameless_parallelism_for_verdict(const struct verdict *verdict) {
  return (verdict->busy ? 0.5 : 1) * ENOUGH * verdict->processors;
}

/* Returns WORK / SPAN for a finding: the parallelism, or a mean if SPAN is a count.  It is 0 if SPAN is 0.  */
static inline double finding_ratio(uint64_t work, uint64_t span) {
  return span > 0 ? (double)work / (double)span : 0;
}

/* timing.c: whether the times are trustworthy.  */
void judge_timing(struct verdict *verdict);

/* thread-numbers.c: code that a profile of one thread does not see as it is.  */
void judge_thread_numbers(struct verdict *verdict);
bool is_judged_region_by_thread_number(const struct function *function);
void add_team_finding(struct verdict *verdict, enum tone tone, const struct site *site, uint64_t span);
/* Returns how many threads the region has that divides its work by thread numbers and is most of the span; 0: there is
   none, or it has one thread.  */
double judged_team_of_verdict(const struct verdict *verdict);
/* Returns whether the program of MODEL has regions that divide their work by thread numbers.  */
bool has_judged_program_teams(const struct model *model);
bool is_bottleneck_by_thread_number(const struct verdict *verdict, const struct bottleneck *bottleneck);

/* compiler-notes.c: adds a finding about what the compiler has noted that the profile leaves out.  */
void judge_compiler_notes(struct verdict *verdict);

/* timed-part.c: adds a finding about the part that the program itself times, if much is outside of it.  */
void judge_timed_part(struct verdict *verdict);
/* next-findings.c: returns the command that profiles NAME, a function or a call site of MODEL, as a root.  The text is
   allocated.  */
char *root_command(const struct model *model, const char *name);

/* orphaned-loops.c: adds findings about loops of OpenMP outside of all parallel regions.  */
void judge_orphaned_loops(struct verdict *verdict);
/* Returns whether BOTTLENECK is mostly such a loop.  */
bool is_bottleneck_orphaned_loop(const struct verdict *verdict, const struct bottleneck *bottleneck);

/* one-thread-blocks.c: blocks that one thread of a team runs.  */
bool is_bottleneck_one_thread_block(const struct bottleneck *bottleneck);
/* Returns the span of all such blocks of MODEL on the critical path.  */
uint64_t one_thread_blocks_span(const struct model *model);
/* Adds a finding about BOTTLENECK, such a block.  */
void add_one_thread_block_finding(struct verdict *verdict, const struct bottleneck *bottleneck);
/* Returns whether BOTTLENECK is mostly in such blocks, which are others of so many BOTTLENECKS.  */
bool is_bottleneck_in_one_thread_blocks(const struct model *model, const struct bottleneck *bottlenecks, size_t count,
                                        const struct bottleneck *bottleneck);

/* grain.c: whether the tasks, and the whole run, are long enough.  */
void judge_run_length(struct verdict *verdict);
void judge_grain(struct verdict *verdict);
void judge_strands(struct verdict *verdict);
bool is_grain_too_fine(const struct verdict *verdict);
/* Returns whether a call of that WORK could be made at least twice as fast despite the cost of stealing.  */
bool is_bottleneck_worth_dividing(const struct model *model, double work);
/* Returns whether LOOP, which is on the critical path, would not gain from a smaller grain.  */
bool is_loop_grain_too_fine(const struct verdict *verdict, const struct site *loop);

/* Returns the loop, region or task that MODEL began most often; NULL: there is none.  */
const struct site *most_frequent_construct(const struct model *model);

/* watched.c: what the run of a watched program lost beside its bounds, and for how many threads it speaks.  */
void judge_watched_run(struct verdict *verdict);
void judge_watched(struct verdict *verdict);

/* measured.c: what was measured on several processors.  */
void judge_trials(struct verdict *verdict);

/* this-run.c: adds a finding about the speedup of a profiled run on several workers.  */
void judge_this_run(struct verdict *verdict);

/* beside-bounds.c: adds a finding about what the bounds do not consider, if much of that is known.  */
void judge_beside_bounds(struct verdict *verdict);

/* trial-losses.c: what took the difference, by samples of the run.  */
bool are_trial_losses_known(const struct model *model);
void judge_trial_losses(struct verdict *verdict);

/* next-findings.c: the bottleneck that remains once the present one is removed.  */
void judge_next_bottlenecks(struct verdict *verdict);

/* imbalance-findings.c: finds pieces of work that are not equally long, and adds a finding about the worst of them: the
   first function if it limits the program more than anything else, the second one if not.  */
void judge_main_imbalance(struct verdict *verdict);
void judge_other_imbalance(struct verdict *verdict);
/* Returns whether BOTTLENECK is the longest of these pieces.  */
bool is_bottleneck_imbalance(const struct verdict *verdict, const struct bottleneck *bottleneck);

/* bottleneck-findings.c: the bottlenecks, and whether they are serial.  */
void judge_bottlenecks(struct verdict *verdict);

#endif
