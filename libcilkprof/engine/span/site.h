/* What an invocation that returns adds to its site, and to the log.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SITE_H
#define CILKPROF_SITE_H

#include "libcilkprof/engine/span/span.h"

/* Lists a site that is reached for the first time.  */
HIDDEN void __cilkprof_list(site_t *site);

/* It was a top-call-site invocation.  Returns the new top of the log, as do all below.  */
HIDDEN __attribute__((noinline)) entry_t *__cilkprof_top_returned(site_t *site, entry_t *segment, entry_t *top);

/* The segment is long, the log is full or not kept any more, or its limit is 0 because this thread is not recorded.  */
HIDDEN __attribute__((noinline)) entry_t *__cilkprof_returned_at_limit(site_t *site, entry_t *segment, uint64_t key,
                                                                       entry_t *top);

/* Where the site's last entry in the log is on the same path as one that is pushed now, in the same segment and in no
   hole, both can be one: then there is less to fold.  An entry that was moved or folded meanwhile is another one, or
   still one of that site and kind on the path.  */
static inline int merges(const site_t *site, uint64_t key, const entry_t *segment, const entry_t *top) {
  const entry_t *last = site->last.entry;
  return last >= segment && last > THREAD.hole && last < top && last->key == key;
}

static inline void push_at(site_t *site, entry_t *top) {
  if (__CILKPROF_RARE(THREAD.hole >= top)) /* that one was dropped with all beyond the top */
    THREAD.hole = top - 1;
  site->last.entry = top;
}

static inline entry_t *book_plain(site_t *site, entry_t *top) {
  return __cilkprof_p_book_plain(site, top, THREAD.local_work, THREAD.local_off_span, THREAD.local_off_burdened_span);
}

static inline void add_total(struct __cilkprof_total *total) {
  total->count++;
  total->work += THREAD.work;
  total->span += THREAD.span;
  total->burdened_span += THREAD.burdened_span;
}

/* A top-call-site invocation of a site that is SIMPLE begins, and ends.  */
static inline void open_top(site_t *site, uint64_t key) {
  site->active = key;
  if (site->function->open++ == 0)
    site->flags |= __CILKPROF_SITE_TOP_CALLER;
}

static inline entry_t *book_top(site_t *site, const entry_t *segment, entry_t *top) {
  uint64_t key = (uint64_t)site | __CILKPROF_ENTRY_TOP_SITE;
  site->count++;
  site->local_work += THREAD.local_work;
  site->local_off_span += THREAD.local_off_span;
  site->local_off_burdened_span += THREAD.local_off_burdened_span;
  site->active = 0;
  site->function->open--;
  add_total(&site->top_call_site);
  uint64_t flags = site->flags;
  if (flags & __CILKPROF_SITE_TOP_CALLER) {
    key = (uint64_t)site | __CILKPROF_ENTRY_TOP_CALLER;
    site->flags = flags - __CILKPROF_SITE_TOP_CALLER;
  }
  if (!(flags & __CILKPROF_SITE_TOP_CALLER) == !!(flags & __CILKPROF_SITE_LEAF)) /* a leaf's holds the others */
    add_total(&site->top_caller);
  entry_t *entry = top;
  if (merges(site, key, segment, top))
    entry = site->last.entry;
  else {
    push_at(site, top++);
    *entry = (entry_t){.key = key};
  }
  entry->count++;
  entry->local_work += THREAD.local_work;
  entry->local_off_span += THREAD.local_off_span;
  entry->local_off_burdened_span += THREAD.local_off_burdened_span;
  entry->work += THREAD.work;
  entry->span += THREAD.span;
  entry->burdened_span += THREAD.burdened_span;
  return top;
}

static inline entry_t *book(site_t *site, entry_t *segment, entry_t *top, uint64_t key) {
  return __CILKPROF_RARE(site->active == key) ? __cilkprof_top_returned(site, segment, top) : book_plain(site, top);
}

static inline entry_t *returned(site_t *site, entry_t *segment, uint64_t key) {
  entry_t *top = __cilkprof_p_log_top();
  return __CILKPROF_RARE(__CILKPROF_AT_LIMIT(top, segment)) ? __cilkprof_returned_at_limit(site, segment, key, top)
                                                            : book(site, segment, top, key);
}

#endif
