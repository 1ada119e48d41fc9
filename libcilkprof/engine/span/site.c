/* Call sites: adds the cost of an invocation that returns to its site.
   SPDX-License-Identifier: MIT

   Local values are added at every return.  Only for a top-call-site invocation, which is below no other invocation of
   its site, is the inclusive cost added too, and it is checked whether its caller is below no other invocation of its
   function (top-caller).  Every top-caller invocation is also a top-call-site invocation, so a function only counts its
   open top-call-site invocations.  */

#include "libcilkprof/engine/span/pieces.h"
#include "libcilkprof/engine/span/samples.h"
#include "libcilkprof/engine/span/site.h"
#include "libcilkprof/engine/whatif/whatif.h"

/* Returns whether new sites are SIMPLE: nothing else has to be called for their top-call-site invocations.  In builds
   for what-if questions, and where contexts or roots are recorded, they are not.  */
static int are_new_sites_simple(void) {
#ifdef __CILKPROF_WHATIF
  return 0;
#else
  return !profiled_thread()->tops;
#endif
}

void (*__cilkprof_first_site)(site_t *site);

/* Passes SITE, the first one that is reached, to the function that notes it in the live file, if there is one.  */
static void tell_live_file_first_site(site_t *site) {
  if (__cilkprof_first_site)
    __cilkprof_first_site(site);
}

/* Adds SITE to the list of those that the passage of this thread has reached, if it runs one (workers/).  Returns
   whether it does.  */
static int add_site_to_passage(site_t *site) {
#ifdef __CILKPROF_PARALLEL
  struct __cilkprof_profiled_thread *profiled = profiled_thread();
  if (profiled == ENGINE.profiled)
    return 0;
  *(profiled->last_site ? &profiled->last_site->next : &profiled->first_site) = site;
  profiled->last_site = site;
  return 1;
#else
  (void)site;
  return 0;
#endif
}

/* Adds SITE to the list of the sites that were reached, unless it is there already.  */
void __cilkprof_list_site(site_t *site) {
  if (site->flags & __CILKPROF_SITE_LISTED)
    return;
  site->flags |= __CILKPROF_SITE_LISTED | (are_new_sites_simple() ? __CILKPROF_SITE_SIMPLE : 0);
  site->next = NULL;
  if (add_site_to_passage(site))
    return;
  if (ENGINE.last_site)
    ENGINE.last_site->next = site;
  else
    tell_live_file_first_site(ENGINE.first_site = site);
  ENGINE.last_site = site;
  if (profiled_thread()->tops && profiled_thread()->tops->listed)
    profiled_thread()->tops->listed(site);
}

/* Begins a top-call-site invocation of SITE in the frame with KEY, where the site is reached for the first time, or
   where contexts, roots or what-if lanes have to be updated.  */
static __attribute__((noinline)) void begin_top_call_of_site_slowly(site_t *site, uint64_t key) {
  if (!(site->flags & __CILKPROF_SITE_LISTED))
    __cilkprof_list_site(site);
  if (profiled_thread()->tops)
    profiled_thread()->tops->call(site, key);
  else
    open_top_call_of_site(site, key);
  __cilkprof_whatif_call(site);
}

/* Begins an invocation of SITE, in the frame with KEY, that is below no other of its site.  Instrumented code calls it
   before such calls.  Does nothing in a thread that is not recorded.  */
EXPORT void __cilkprof_top_call(site_t *site, uint64_t key) {
  if (!THREAD.recording)
    return;
  if (site->flags & __CILKPROF_SITE_SIMPLE)
    open_top_call_of_site(site, key);
  else
    begin_top_call_of_site_slowly(site, key);
}

/* Ends and books a top-call-site invocation of SITE at TOP of the log, where contexts, roots or what-if lanes have to
   be updated.  Returns the new top of the log.  */
static __attribute__((noinline)) entry_t *book_top_call_of_site_slowly(site_t *site, entry_t *segment, entry_t *top) {
  __cilkprof_whatif_returned(site);
  return profiled_thread()->tops ? profiled_thread()->tops->returned(site, top)
                                 : book_top_call_of_site(site, segment, top);
}

/* Ends and books the open top-call-site invocation of SITE at TOP of the log.  SEGMENT is where the current segment of
   the log begins.  Returns the new top of the log.  */
entry_t *__cilkprof_top_returned(site_t *site, entry_t *segment, entry_t *top) {
  return site->flags & __CILKPROF_SITE_SIMPLE ? book_top_call_of_site(site, segment, top)
                                              : book_top_call_of_site_slowly(site, segment, top);
}

/* Books an invocation of SITE, in the frame with KEY, where the segment of the log is long, the log is full or not
   kept, or its limit is 0 because this thread is not recorded; and folds the segment.  Returns the new top of the log.
   The invocation that returns may be a root invocation, so it is booked first: its entries must not be folded with
   others before it has ended.  */
entry_t *__cilkprof_returned_at_limit(site_t *site, entry_t *segment, uint64_t key, entry_t *top) {
  if (!THREAD.recording)
    return THREAD.sink;
  entry_t *end = book_invocation_of_site(site, segment, top, key);
  return top == THREAD.sink ? top : __cilkprof_fold(segment, end);
}

/* Books the invocation of SITE, in the frame with KEY, that has just returned and whose values are in the return slots:
   in its site and in the log.  Instrumented code calls it.  Returns the new top of the log.  */
EXPORT entry_t *__cilkprof_returned(site_t *site, entry_t *segment, uint64_t key) {
  return book_returned_call_of_site(site, segment, key);
}

/* Removes the flags from the work in the return slots, and returns them.  */
static uint64_t take_piece_flags_of_slots(void) {
  uint64_t flags = THREAD.work & __CILKPROF_WORK_FLAGS;
  THREAD.work -= flags;
  return flags;
}

/* Pushes the samples of the last strand of the invocation that has returned, in front of its entry.  */
static void take_samples_of_returned(void) {
  if (__CILKPROF_RARE(THREAD.sampled))
    THREAD.top = __cilkprof_push_samples(__cilkprof_p_log_top());
}

/* Books a call of SITE that returned to the frame with KEY, as __cilkprof_returned does, and notes the long children
   that it had.  WORK and SPAN are what the frame's function had done before the call, and the path up to there.
   Returns the new top of the log; the work in the return slots gets the flags for the frame.  */
EXPORT entry_t *__cilkprof_call_returned(site_t *site, entry_t *segment, uint64_t key, uint64_t work, uint64_t span) {
  uint64_t held = take_piece_flags_of_slots();
  take_samples_of_returned();
  entry_t *top = book_returned_call_of_site(site, segment, key);
  if (__CILKPROF_RARE(held))
    THREAD.work |= __cilkprof_piece_called(key, work, span, held);
  return top;
}

/* Books a spawned child of SITE that returned to the frame with KEY, as __cilkprof_returned does, and notes it if it is
   long.  If the log from BASE on is long, it is folded, but not together with that of the child, which begins at
   SEGMENT.  WORK and SPAN are as for __cilkprof_call_returned.  Returns where the child's part of the log is; the work
   in the return slots gets the flags for the frame.  */
EXPORT struct __cilkprof_child __cilkprof_spawn_returned(site_t *site, entry_t *base, entry_t *segment, uint64_t key,
                                                         uint64_t work, uint64_t span) {
  uint64_t held = take_piece_flags_of_slots();
  take_samples_of_returned();
  struct __cilkprof_child child = {segment, book_returned_call_of_site(site, segment, key)};
  if (base != segment && (uint64_t)child.end - (uint64_t)base > THREAD.fold_bytes)
    child = __cilkprof_fold_around(base, segment, child.end);
  if (held || (__CILKPROF_NOTES_CHILDREN && THREAD.work > __CILKPROF_LONG_CHILD))
    THREAD.work |= __cilkprof_piece_spawned(key, work, span);
  return child;
}
