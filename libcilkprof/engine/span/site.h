/* Booking: adds the cost of an invocation that returns to its site, and an entry for it to the log.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SITE_H
#define CILKPROF_SITE_H

#include "libcilkprof/engine/span/span.h"

HIDDEN void __cilkprof_list_site(site_t *site);

HIDDEN __attribute__((noinline)) entry_t *__cilkprof_top_returned(site_t *site, entry_t *segment, entry_t *top);

HIDDEN __attribute__((noinline)) entry_t *__cilkprof_returned_at_limit(site_t *site, entry_t *segment, uint64_t key,
                                                                       entry_t *top);

/* Returns whether the last entry of SITE in the log can also take the invocation that returns now, so that there is
   less to fold.  It can if it has the same key, and is on the same path, in the same segment and in no hole.  If
   entries were moved or folded since, that address holds an entry with another key, or again one of this site and kind
   on the path.  */
static inline int merges_into_last_site_entry(const site_t *site, uint64_t key, const entry_t *segment,
                                              const entry_t *top) {
  const entry_t *last = site->last.entry;
  return last >= segment && last > THREAD.hole && last < top && last->key == key;
}

/* Makes the entry at TOP of the log, which is about to be pushed, the last one of SITE.  */
static inline void note_last_log_entry(site_t *site, entry_t *top) {
  if (__CILKPROF_RARE(THREAD.hole >= top)) /* the last hole was dropped, with all entries from the top on */
    THREAD.hole = top - 1;
  site->last.entry = top;
}

/* Books an invocation of SITE that is below another one of its site, with the values of the return slots, at TOP of the
   log.  Returns the new top of the log.  */
static inline entry_t *book_plain_call_of_site(site_t *site, entry_t *top) {
  return __cilkprof_p_book_plain(site, top, THREAD.local_work, THREAD.local_off_span, THREAD.local_off_burdened_span);
}

/* Adds an invocation with the values of the return slots to TOTAL, the sum over invocations of a site.  */
static inline void add_slots_to_site_total(struct __cilkprof_total *total) {
  total->count++;
  total->work += THREAD.work;
  total->span += THREAD.span;
  total->burdened_span += THREAD.burdened_span;
}

/* Begins a top-call-site invocation of SITE in the frame with KEY, and notes whether it is a top-caller invocation as
   well.  */
static inline void open_top_call_of_site(site_t *site, uint64_t key) {
  site->active = key;
  if (caller_of_site(site)->open++ == 0)
    site->flags |= __CILKPROF_SITE_TOP_CALLER;
}

/* Ends the open top-call-site invocation of SITE and books it, with the values of the return slots: in its site, and in
   its last entry in the log if that is in SEGMENT, or in a new one at TOP.  Returns the new top of the log.  */
static inline entry_t *book_top_call_of_site(site_t *site, const entry_t *segment, entry_t *top) {
  uint64_t key = (uint64_t)site | __CILKPROF_ENTRY_TOP_SITE;
  site->count++;
  site->local_work += THREAD.local_work;
  site->local_off_span += THREAD.local_off_span;
  site->local_off_burdened_span += THREAD.local_off_burdened_span;
  site->active = 0;
  caller_of_site(site)->open--;
  add_slots_to_site_total(&site->top_call_site);
  uint64_t flags = site->flags;
  if (flags & __CILKPROF_SITE_TOP_CALLER) {
    key = (uint64_t)site | __CILKPROF_ENTRY_TOP_CALLER;
    site->flags = flags - __CILKPROF_SITE_TOP_CALLER;
  }
  if (!(flags & __CILKPROF_SITE_TOP_CALLER) ==
      !!(flags & __CILKPROF_SITE_LEAF)) /* the site of a leaf holds the others here */
    add_slots_to_site_total(&site->top_caller);
  entry_t *entry = top;
  if (merges_into_last_site_entry(site, key, segment, top))
    entry = site->last.entry;
  else {
    note_last_log_entry(site, top++);
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

/* Books an invocation of SITE in the frame with KEY, where the log is not at its limit, at TOP of the log.  Returns the
   new top of the log.  */
static inline entry_t *book_invocation_of_site(site_t *site, entry_t *segment, entry_t *top, uint64_t key) {
  return __CILKPROF_RARE(site->active == key) ? __cilkprof_top_returned(site, segment, top)
                                              : book_plain_call_of_site(site, top);
}

/* Books an invocation of SITE in the frame with KEY, which has just returned and whose values are in the return slots.
   SEGMENT is where the current segment of the log begins.  Returns the new top of the log.  */
static inline entry_t *book_returned_call_of_site(site_t *site, entry_t *segment, uint64_t key) {
  entry_t *top = __cilkprof_p_log_top();
  return __CILKPROF_RARE(__CILKPROF_AT_LIMIT(top, segment)) ? __cilkprof_returned_at_limit(site, segment, key, top)
                                                            : book_invocation_of_site(site, segment, top, key);
}

#endif
