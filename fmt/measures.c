/* Checks relations between the measurements of a site: for the reader, and for the engine, whose events may have been
   interrupted by signals.
   SPDX-License-Identifier: MIT  */

#include "fmt/verify.h"

/* Returns whether ON_SPAN can be a part of ON_WORK: neither its count nor its work nor its span exceeds that of
   ON_WORK.  */
int cilkprof_is_part_of(const struct cilkprof_measure *on_span, const struct cilkprof_measure *on_work) {
  return on_span->count <= on_work->count && on_span->work <= on_work->work && on_span->span <= on_work->span;
}

/* Returns whether top-caller invocations have at most the values of top-call-site invocations, and these are at most as
   many as all invocations; and whether no span exceeds its work; the local span only if LOCAL.  */
static int verify_measures_are_consistent(const struct cilkprof_measures *measures, int local) {
  const struct cilkprof_measure *site = &measures->top_call_site, *caller = &measures->top_caller;
  return caller->count <= site->count && caller->work <= site->work && caller->span <= site->span &&
         site->count <= measures->local.count && site->span <= site->work && caller->span <= caller->work &&
         (!local || measures->local.span <= measures->local.work);
}

/* Checks the relations between the values of a site, over all invocations (ON_WORK) and over those on the span
   (ON_SPAN).  FLAGS are those of the run.  Returns NULL, or what is wrong.  With tasks, the span of the program may
   contain a part of an invocation that is not on the invocation's own longest path, so the local span on the span is
   not checked then.  */
const char *cilkprof_verify_measures(const struct cilkprof_measures *on_work, const struct cilkprof_measures *on_span,
                                     uint64_t flags) {
  struct cilkprof_measure local = on_span->local;
  if (flags & CILKPROF_TASKS && local.span > on_work->local.span)
    local.span = on_work->local.span;
  if (!cilkprof_is_part_of(&on_span->top_call_site, &on_work->top_call_site) ||
      !cilkprof_is_part_of(&on_span->top_caller, &on_work->top_caller) || !cilkprof_is_part_of(&local, &on_work->local))
    return "a call site has more on the span than in all";
  if (!verify_measures_are_consistent(on_work, 1) ||
      !verify_measures_are_consistent(on_span, !(flags & CILKPROF_TASKS)))
    return "the values of a call site are inconsistent";
  return NULL;
}
