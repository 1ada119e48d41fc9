/* Call sites: adds the cost of an invocation that returns to its site.
   SPDX-License-Identifier: MIT

   Local values are added at every return.  Only for a top-call-site invocation, which is below no other invocation of
   its site, is the inclusive cost added too, and it is checked whether its caller is below no other invocation of its
   function (top-caller).  Every top-caller invocation is also a top-call-site invocation, so a function only counts its
   open top-call-site invocations.  */

#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/whatif/whatif.h"

/* Returns whether new sites are SIMPLE: nothing else has to be called for their top-call-site invocations.  In builds
   for what-if questions they are not.  */
static int sites_are_simple(void) {
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
  site->flags |= __CILKPROF_SITE_LISTED | (sites_are_simple() ? __CILKPROF_SITE_SIMPLE : 0);
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

/* The invocation that returns may be a root invocation, so it is booked first: its entries must not be folded with
   others before it has ended.  */
entry_t *__cilkprof_returned_at_limit(site_t *site, entry_t *segment, uint64_t key, entry_t *top) {
  if (!THREAD.recording)
    return THREAD.sink;
  entry_t *end = book(site, segment, top, key);
  return top == THREAD.sink ? top : __cilkprof_fold(segment, end);
}

EXPORT entry_t *__cilkprof_returned(site_t *site, entry_t *segment, uint64_t key) {
  return returned(site, segment, key);
}
