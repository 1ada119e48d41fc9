/* Checks properties of every profile: ranges, relations between measurements, and that work and span are the sums over
   the sites.
   SPDX-License-Identifier: MIT

   Checksums detect damage; these checks detect a faulty writer before anyone draws conclusions from its numbers.  */

#include <string.h>
#include "fmt/verify.h"

/* Checks that the mode and the flags of PROGRAM are known ones.  Returns NULL, or what is wrong.  */
const char *cilkprof_verify_program(const struct cilkprof_program *program) {
  if (program->mode < CILKPROF_MODE_COUNT || program->mode > CILKPROF_MODE_WATCHED)
    return "unknown measurement mode";
  if (program->flags &
      ~(uint64_t)(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN | CILKPROF_OTHER_THREADS | CILKPROF_CONTEXTS_CUT |
                  CILKPROF_DAMAGED | CILKPROF_SATURATED | CILKPROF_FROM_LIVE | CILKPROF_TASKS))
    return "unknown run flags";
  return NULL;
}

/* Checks that SITE refers to objects of PROFILE, and that its measurements do not contradict each other or the flags of
   the run.  Returns NULL, or what is wrong.  */
const char *cilkprof_verify_site(const struct cilkprof_profile *profile, const struct cilkprof_site *site) {
  static const struct cilkprof_measures none;
  if (site->object >= profile->object_count)
    return "a call site refers to an unlisted object";
  if (site->callee_object >= profile->object_count && site->callee_object != CILKPROF_NO_OBJECT)
    return "a callee refers to an unlisted object";
  if (profile->program.flags & CILKPROF_NO_ON_SPAN && memcmp(&site->on_span, &none, sizeof none) != 0)
    return "a call site has on-span data, but the run recorded none";
  if (profile->program.flags & CILKPROF_INCOMPLETE)
    return NULL;
  return cilkprof_verify_measures(&site->on_work, &site->on_span, profile->program.flags);
}

/* Checks LOOP, a loop that is being read: its site must be in PROFILE, and its values must not contradict each other.
   Returns NULL, or what is wrong.  */
const char *cilkprof_verify_loop(const struct cilkprof_profile *profile, const struct cilkprof_loop *loop) {
  if (loop->site >= profile->site_count)
    return "a loop refers to an unlisted call site";
  if (profile->program.flags & CILKPROF_INCOMPLETE)
    return NULL;
  int wrong = loop->executions == 0 || loop->pieces < loop->executions || loop->single > loop->executions;
  for (int i = 0; i < CILKPROF_SHARES; i++)
    wrong |= loop->longest[i] > loop->work || loop->more[i] > loop->longest[i];
  return wrong ? "the values of a loop are inconsistent" : NULL;
}

/* Checks ESTIMATE, which is being read: its site must be in PROFILE, and have as many invocations.  Returns NULL, or
   what is wrong.  */
const char *cilkprof_verify_estimate(const struct cilkprof_profile *profile, const struct cilkprof_estimate *estimate) {
  if (estimate->site >= profile->site_count)
    return "an estimate refers to an unlisted call site";
  uint64_t invocations = profile->sites[estimate->site].on_work.local.count;
  if (profile->program.flags & (CILKPROF_INCOMPLETE | CILKPROF_SATURATED))
    return NULL;
  if (estimate->counted > invocations || estimate->followed != invocations - estimate->counted)
    return "an estimate and its call site differ in the number of invocations";
  return NULL;
}

/* Checks the kind of REGION, a region of PROFILE, and, unless the run is incomplete, that its work and spans do not
   contradict each other.  Returns NULL, or what is wrong.  */
const char *cilkprof_verify_region(const struct cilkprof_profile *profile, const struct cilkprof_region *region) {
  uint64_t kind = region->kind & ~(uint64_t)CILKPROF_REGION_PARTIAL;
  if (kind != CILKPROF_REGION_MARKED && kind != CILKPROF_REGION_STRAND && kind != CILKPROF_REGION_LOCK)
    return "unknown kind of region";
  if (profile->program.flags & CILKPROF_INCOMPLETE)
    return NULL;
  if (region->total.span > region->total.work || region->total.burdened_span < region->total.span)
    return "the values of a region are inconsistent";
  return NULL;
}

/* Checks CONTEXT, a calling context that is being read: its site must be in PROFILE, and its parent among the contexts
   before it; its measurements must not contradict each other.  Returns NULL, or what is wrong.  */
const char *cilkprof_verify_context(const struct cilkprof_profile *profile, const struct cilkprof_context *context) {
  static const struct cilkprof_measure none;
  if (context->parent >= profile->context_count && context->parent != CILKPROF_NO_CONTEXT)
    return "a context refers to an unlisted parent";
  if (context->site >= profile->site_count)
    return "a context refers to an unlisted call site";
  if (profile->program.flags & CILKPROF_NO_ON_SPAN && memcmp(&context->on_span, &none, sizeof none) != 0)
    return "a context has on-span data, but the run recorded none";
  if (profile->program.flags & CILKPROF_INCOMPLETE)
    return NULL;
  if (!cilkprof_is_part_of(&context->on_span, &context->on_work) || context->on_work.span > context->on_work.work)
    return "the values of a context are inconsistent";
  return NULL;
}

/* Checks that USAGE has a unit of time, and values of a reference run only if there was one.  Returns NULL, or what is
   wrong.  */
const char *cilkprof_verify_usage(const struct cilkprof_usage_record *usage) {
  static const struct cilkprof_usage none;
  if (usage->units_per_second == 0)
    return "the usage record has no time unit";
  if (usage->reference_runs == 0 && memcmp(&usage->reference, &none, sizeof none) != 0)
    return "the usage record has reference times, but no reference runs";
  return NULL;
}

/* Checks that WORKERS states at least one worker, and no more stolen children than there were to steal.  Returns NULL,
   or what is wrong.  */
const char *cilkprof_verify_workers(const struct cilkprof_workers *workers) {
  if (workers->workers == 0)
    return "the record of a parallel run has no workers";
  return workers->stolen > workers->deferred ? "more children were stolen than deferred" : NULL;
}

/* Checks that SAMPLING states a known runtime system and clock, and at least one run, processor and worker, and a rate.
   Returns NULL, or what is wrong.  */
const char *cilkprof_verify_sampling(const struct cilkprof_sampling *sampling) {
  if (sampling->sampled < CILKPROF_SAMPLED_CILK || sampling->sampled > CILKPROF_SAMPLED_SERIAL)
    return "unknown kind of sampled threads";
  if (sampling->clock < CILKPROF_SAMPLING_PERF || sampling->clock > CILKPROF_SAMPLING_TIMER)
    return "unknown sampling clock";
  if (sampling->processors == 0 || sampling->workers == 0 || sampling->runs == 0 || sampling->hz == 0)
    return "samples without runs, processors, workers or a rate";
  return NULL;
}

/* Checks STACK, a sampled call path that is being read: its parent must be among the stacks of PROFILE before it, its
   object in PROFILE, and its kind a known one.  Returns NULL, or what is wrong.  */
const char *cilkprof_verify_stack(const struct cilkprof_profile *profile, const struct cilkprof_stack *stack) {
  if (stack->parent >= profile->stack_count && stack->parent != CILKPROF_NO_CONTEXT)
    return "a stack refers to an unlisted parent";
  if (stack->object >= profile->object_count && stack->object != CILKPROF_NO_OBJECT)
    return "a stack refers to an unlisted object";
  if (stack->kind >= CILKPROF_STACK_KINDS)
    return "unknown kind of stack";
  if (stack->kind >= CILKPROF_STACK_UNKNOWN && (stack->object != CILKPROF_NO_OBJECT || stack->address != 0))
    return "a stack of this kind must not have an address";
  return NULL;
}

/* Checks SPAN, which is being read: its stack must be in PROFILE, after those before it, and have as many samples.
   Returns NULL, or what is wrong.  */
const char *cilkprof_verify_stack_span(const struct cilkprof_profile *profile, const struct cilkprof_stack_span *span) {
  if (span->stack >= profile->stack_count)
    return "a span refers to an unlisted stack";
  if (profile->stack_span_count > 0 && span->stack <= profile->stack_spans[profile->stack_span_count - 1].stack)
    return "spans are not in the order of their stacks";
  const struct cilkprof_stack *stack = &profile->stacks[span->stack];
  return span->samples > stack->samples ? "a stack has more samples on the span" : NULL;
}

/* Checks COUNTERS, which are being read: their stack must be in PROFILE, and after that of the counters before them.
   Returns NULL, or what is wrong.  */
const char *cilkprof_verify_counters(const struct cilkprof_profile *profile, const struct cilkprof_counters *counters) {
  if (counters->stack >= profile->stack_count)
    return "counters refer to an unlisted stack";
  if (profile->counters_count > 0 && counters->stack <= profile->counters[profile->counters_count - 1].stack)
    return "counters are not in the order of their stacks";
  return NULL;
}

/* Checks TRANSITION, which is being read and follows one at the time BEFORE of the same thread.  Returns NULL, or what
   is wrong.  Whether its thread exists is known only at the end.  */
const char *cilkprof_verify_transition(const struct cilkprof_profile *profile,
                                       const struct cilkprof_transition *transition, uint64_t before) {
  if (transition->time_ns < before)
    return "the transitions of a thread are not in the order of time";
  if (transition->kind >= CILKPROF_TRANSITION_KINDS || transition->state >= CILKPROF_THREAD_STATES)
    return "unknown kind of transition";
  if (transition->object >= profile->object_count && transition->object != CILKPROF_NO_OBJECT)
    return "a transition refers to an unlisted object";
  if (transition->kind == CILKPROF_TRANSITION_PATH && transition->address >= profile->stack_count)
    return "a transition refers to an unlisted stack";
  return NULL;
}

/* Checks that the transitions of PROFILE refer to threads that have some.  Returns NULL, or what is wrong.  */
static const char *verify_profile_transitions(const struct cilkprof_profile *profile) {
  for (size_t i = 0; i < profile->thread_count; i++)
    for (uint64_t k = 0; k < profile->threads[i].count; k++) {
      uint32_t thread = profile->threads[i].list[k].thread;
      if (thread >= profile->thread_count && thread != CILKPROF_NO_THREAD)
        return "a transition refers to an unlisted thread";
    }
  return NULL;
}

/* Checks the samples of PROFILE.  Their sums must fit into 64 bits, because the report divides by them.  Returns NULL,
   or what is wrong.  */
static const char *verify_profile_samples(const struct cilkprof_profile *profile) {
  uint64_t samples = 0, sum = 0;
  for (size_t i = 0; i < profile->stack_count; i++) {
    const struct cilkprof_stack *stack = &profile->stacks[i];
    if (__builtin_add_overflow(sum, stack->work_ns, &sum) || __builtin_add_overflow(sum, stack->idleness_ns, &sum) ||
        __builtin_add_overflow(sum, stack->waiting_ns, &sum) ||
        __builtin_add_overflow(samples, stack->samples, &samples))
      return "the sums over all stacks exceed 64 bits";
  }
  const char *wrong = profile->has_sampling ? cilkprof_verify_sampling(&profile->sampling) : NULL;
  if (wrong != NULL)
    return wrong;
  if (profile->program.mode == CILKPROF_MODE_SAMPLED && !(profile->program.flags & CILKPROF_INCOMPLETE)) {
    if (!profile->has_sampling)
      return "a sampled run has no samples";
    if ((profile->totals.work | profile->totals.span) != 0)
      return "a sampled run must not have work or span in its totals";
  }
  return NULL;
}

/* Checks that the span of WHATIF is at most its work.  Returns NULL, or what is wrong.  */
const char *cilkprof_verify_whatif(const struct cilkprof_whatif *whatif) {
  return whatif->span > whatif->work ? "a what-if has a span larger than its work" : NULL;
}

/* Checks a whole PROFILE: its totals, the sums over its sites, which must be the work and the span, its samples and its
   calling contexts.  Returns NULL, or what is wrong.  */
const char *cilkprof_verify_profile(const struct cilkprof_profile *profile) {
  const struct cilkprof_totals *totals = &profile->totals;
  uint64_t work = profile->own.work, span = profile->own.span;
  if (profile->run.load_count != profile->object_count)
    return "the numbers of load addresses and objects differ";
  if (totals->span > totals->work || totals->burdened_span < totals->span)
    return "the totals are inconsistent";
  if (profile->program.flags & CILKPROF_SATURATED)
    return NULL;
  const char *wrong = verify_profile_samples(profile);
  if (wrong == NULL)
    wrong = verify_profile_transitions(profile);
  if (wrong != NULL)
    return wrong;
  for (size_t i = 0; i < profile->site_count; i++)
    if (__builtin_add_overflow(work, profile->sites[i].on_work.local.work, &work) ||
        __builtin_add_overflow(span, profile->sites[i].on_span.local.span, &span))
      return "the sums over all call sites exceed 64 bits";
  if (profile->program.flags & CILKPROF_INCOMPLETE)
    return NULL;
  if (work != totals->work)
    return "the local work of all call sites does not add up to the work";
  if (span != totals->span && !(profile->program.flags & CILKPROF_NO_ON_SPAN))
    return "the local spans on the critical path do not add up to the span";
  return cilkprof_verify_contexts(profile);
}
