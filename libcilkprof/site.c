/* Call sites: what an invocation that returns adds to its site.
   SPDX-License-Identifier: MIT

   On-work values are added to the site at every return.  Only an invocation with no other one of the same site above it
   (top-call-site) looks further: at its inclusive cost, and at whether its caller is the topmost instance of its
   function (top-caller).  A top-caller invocation is a top-call-site one too, so a function counts only the latter.  */

#include "libcilkprof/live.h"
#include "libcilkprof/site.h"
#include "libcilkprof/whatif.h"

static void list_site(site_t *site) {
  site->flags |= __CILKPROF_SITE_LISTED;
  site->next = NULL;
  if (ENGINE.last_site)
    ENGINE.last_site->next = site;
  else
    __cilkprof_live_first(ENGINE.first_site = site);
  ENGINE.last_site = site;
}

EXPORT void __cilkprof_top_call(site_t *site, uint64_t key) {
  if (!THREAD.recording)
    return;
  if (!(site->flags & __CILKPROF_SITE_LISTED))
    list_site(site);
  site->active = key;
  if (site->function->open++ == 0)
    site->flags |= __CILKPROF_SITE_TOP_CALLER;
  if (__CILKPROF_RARE(ENGINE.context))
    __cilkprof_context_enter(site);
  __cilkprof_whatif_call(site);
}

void __cilkprof_add_total(struct __cilkprof_total *total) {
  total->count++;
  total->work += THREAD.work;
  total->span += THREAD.span;
  total->burdened_span += THREAD.burdened_span;
}

record_t *__cilkprof_top_returned(site_t *site, record_t *top) {
  uint64_t kind = __CILKPROF_RECORD_TOP_SITE;
  site->count++;
  site->local_work += THREAD.local_work;
  site->local_lost += THREAD.local_lost;
  site->local_burden_lost += THREAD.local_burden_lost;
  site->active = 0;
  site->function->open--;
  __cilkprof_add_total(&site->top_call_site);
  if (site->flags & __CILKPROF_SITE_TOP_CALLER) {
    kind = __CILKPROF_RECORD_TOP_CALLER;
    site->flags &= ~(uint64_t)__CILKPROF_SITE_TOP_CALLER;
    __cilkprof_add_total(&site->top_caller);
  }
  __cilkprof_whatif_returned(site);
  *top = (record_t){.key = (uint64_t)site | kind,
                    .count = 1,
                    .local_work = THREAD.local_work,
                    .local_lost = THREAD.local_lost,
                    .local_burden_lost = THREAD.local_burden_lost,
                    .work = THREAD.work,
                    .span = THREAD.span,
                    .burdened_span = THREAD.burdened_span};
  return __CILKPROF_RARE(ENGINE.context) ? __cilkprof_context_leave(site, top + 1) : top + 1;
}

record_t *__cilkprof_returned_at_limit(site_t *site, record_t *segment, uint64_t key, record_t *top) {
  if (!THREAD.recording)
    return THREAD.sink;
  top = __cilkprof_fold(segment, top);
  record_t *end = book(site, top, key);
  return top == THREAD.sink ? top : end;
}

EXPORT record_t *__cilkprof_returned(site_t *site, record_t *segment, uint64_t key) {
  return returned(site, segment, key);
}
