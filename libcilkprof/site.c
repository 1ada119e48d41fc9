/* Call sites: what an invocation that returns adds to its site.
   SPDX-License-Identifier: MIT

   On-work values are added to the site at every return.  Only an invocation with no other one of the same site above it
   (top-call-site) looks further: at its inclusive cost, and at whether its caller is the topmost instance of its
   function (top-caller).  A top-caller invocation is a top-call-site one too, so a function counts only the latter.  */

#include "libcilkprof/engine.h"
#include "libcilkprof/live.h"
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

static __attribute__((noinline)) record_t *top_returned(site_t *site, record_t *top) {
  uint64_t kind = __CILKPROF_RECORD_TOP_SITE;
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

static inline record_t *book(site_t *site, record_t *top, uint64_t key) {
  uint64_t work = THREAD.local_work, lost = THREAD.local_lost, burden_lost = THREAD.local_burden_lost;
  site->count++;
  site->local_work += work;
  site->local_lost += lost;
  site->local_burden_lost += burden_lost;
  if (__CILKPROF_RARE(site->active == key))
    return top_returned(site, top);
  top->key = (uint64_t)site | __CILKPROF_RECORD_PLAIN;
  top->count = 1;
  top->local_work = work;
  top->local_lost = lost;
  top->local_burden_lost = burden_lost;
  return top + 1;
}

/* The segment is long, the log is full or not kept any more, or its limit is 0 because this thread is not recorded.  */
static __attribute__((noinline)) record_t *returned_at_limit(site_t *site, record_t *top, record_t *segment,
                                                             uint64_t key) {
  if (!THREAD.recording)
    return THREAD.sink;
  top = __cilkprof_fold(segment, top);
  record_t *end = book(site, top, key);
  return top == THREAD.sink ? top : end;
}

EXPORT record_t *__cilkprof_returned(site_t *site, record_t *segment, uint64_t key) {
  record_t *top = (record_t *)((uint64_t)THREAD.top & ~(uint64_t)1);
  if (__CILKPROF_RARE(top >= THREAD.limit || (uint64_t)top - (uint64_t)segment > THREAD.fold_bytes))
    return returned_at_limit(site, top, segment, key);
  return book(site, top, key);
}
