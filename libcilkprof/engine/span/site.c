/* Call sites: what an invocation that returns adds to its site.
   SPDX-License-Identifier: MIT

   On-work values are added to the site at every return.  Only an invocation with no other one of the same site above it
   (top-call-site) looks further: at its inclusive cost, and at whether its caller is the topmost instance of its
   function (top-caller).  A top-caller invocation is a top-call-site one too, so a function counts only the latter.  */

#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/whatif/whatif.h"

/* Builds that answer what-if questions look at every top-call-site invocation.  */
static int is_simple(void) {
#ifdef __CILKPROF_WHATIF
  return 0;
#else
  return !profiled_thread()->tops;
#endif
}

void (*__cilkprof_first_site)(site_t *site);

static void tell_first(site_t *site) {
  if (__cilkprof_first_site)
    __cilkprof_first_site(site);
}

void __cilkprof_list(site_t *site) {
  if (site->flags & __CILKPROF_SITE_LISTED)
    return;
  site->flags |= __CILKPROF_SITE_LISTED | (is_simple() ? __CILKPROF_SITE_SIMPLE : 0);
  site->next = NULL;
  if (ENGINE.last_site)
    ENGINE.last_site->next = site;
  else
    tell_first(ENGINE.first_site = site);
  ENGINE.last_site = site;
  if (profiled_thread()->tops && profiled_thread()->tops->listed)
    profiled_thread()->tops->listed(site);
}

static __attribute__((noinline)) void top_call_slow(site_t *site, uint64_t key) {
  if (!(site->flags & __CILKPROF_SITE_LISTED))
    __cilkprof_list(site);
  if (profiled_thread()->tops)
    profiled_thread()->tops->call(site, key);
  else
    open_top(site, key);
  __cilkprof_whatif_call(site);
}

EXPORT void __cilkprof_top_call(site_t *site, uint64_t key) {
  if (!THREAD.recording)
    return;
  if (site->flags & __CILKPROF_SITE_SIMPLE)
    open_top(site, key);
  else
    top_call_slow(site, key);
}

static __attribute__((noinline)) entry_t *top_returned_slow(site_t *site, entry_t *segment, entry_t *top) {
  __cilkprof_whatif_returned(site);
  return profiled_thread()->tops ? profiled_thread()->tops->returned(site, top) : book_top(site, segment, top);
}

entry_t *__cilkprof_top_returned(site_t *site, entry_t *segment, entry_t *top) {
  return site->flags & __CILKPROF_SITE_SIMPLE ? book_top(site, segment, top) : top_returned_slow(site, segment, top);
}

/* What was called may be a root invocation: its entries are folded with others only when it has ended.  */
entry_t *__cilkprof_returned_at_limit(site_t *site, entry_t *segment, uint64_t key, entry_t *top) {
  if (!THREAD.recording)
    return THREAD.sink;
  entry_t *end = book(site, segment, top, key);
  return top == THREAD.sink ? top : __cilkprof_fold(segment, end);
}

EXPORT entry_t *__cilkprof_returned(site_t *site, entry_t *segment, uint64_t key) {
  return returned(site, segment, key);
}
