/* Leaves: their own event and those of calls of them, and what their sites do not keep.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/series.h"

extern EXPORT void __cilkprof_o_leaf(site_t *site, uint64_t work);
extern EXPORT void __cilkprof_o_leaf_here(site_t *site);
extern EXPORT void __cilkprof_o_leaf_any(site_t *site, uint64_t work);
extern EXPORT void __cilkprof_o_leaf_any_here(site_t *site);
extern EXPORT void __cilkprof_o_bare(uint64_t work);
extern EXPORT void __cilkprof_o_bare_any(uint64_t work, function_t *function);
extern EXPORT void __cilkprof_o_bare_handler(uint64_t work, function_t *function, const void *return_address);
extern EXPORT void __cilkprof_bare_from_outside(uint64_t work, function_t *function);

int __cilkprof_leaf_first(site_t *site) {
  __cilkprof_list(site);
  return (site->flags & __CILKPROF_SITE_SIMPLE) != 0;
}

static struct __cilkprof_total serial(uint64_t count, uint64_t work) {
  return (struct __cilkprof_total){count, work, work, work};
}

struct __cilkprof_total __cilkprof_top_call_site_of(const site_t *site) {
  return site->flags & __CILKPROF_SITE_LEAF ? serial(site->count, site->local_work) : site->top_call_site;
}

struct __cilkprof_total __cilkprof_top_caller_of(const site_t *site) {
  if (!(site->flags & __CILKPROF_SITE_LEAF))
    return site->top_caller;
  return serial(site->count - site->top_caller.count, site->local_work - site->top_caller.work);
}

void __cilkprof_no_leaf(site_t *site) {
  struct __cilkprof_total top_caller = __cilkprof_top_caller_of(site);
  site->top_call_site = __cilkprof_top_call_site_of(site);
  site->top_caller = top_caller;
  site->flags &= ~(uint64_t)__CILKPROF_SITE_LEAF;
}

record_t *__cilkprof_leaves_pushed(site_t *site, uint64_t count, uint64_t own, const record_t *merge, record_t *top) {
  if (leaves_merged(site, count, own, merge, top))
    return top;
  uint64_t open = site->function->open;
  push_at(site, top);
  *top = (record_t){.key = (uint64_t)site + (open ? LEAF_BELOW : LEAF_TOP)};
  leaves_merged(site, count, own, top, top + 1);
  return top + 1;
}

/* Where contexts are recorded, or what-if questions answered, a leaf's invocation is like any other.  */
static void leaf_as_call(frame_t *frame, site_t *site) {
  if (frame->site)
    __cilkprof_end_series(frame);
  __cilkprof_h_call(frame, frame->local_work, site);
  THREAD.top = (record_t *)((uint64_t)frame->top | __CILKPROF_TOP_OUTSIDE);
  __cilkprof_finish_call(frame);
}

void __cilkprof_book_leaves(frame_t *frame, site_t *site, uint64_t count, uint64_t own) {
  record_t *top = frame->top;
  if (__CILKPROF_AT_LIMIT(top, frame->segment))
    top = __cilkprof_fold(frame->segment, top);
  record_t *end = __cilkprof_leaves_pushed(site, count, own, frame->merge, top);
  frame->top = top == THREAD.sink ? top : end;
  add_serial_work(frame, own);
}

void __cilkprof_leaf_otherwise(site_t *site) {
  if (!THREAD.recording)
    return;
  if (site->flags & __CILKPROF_SITE_SIMPLE || __cilkprof_leaf_first(site))
    __cilkprof_book_leaves(THREAD.frames, site, 1, THREAD.local_work);
  else
    leaf_as_call(THREAD.frames, site);
}

/* What was called is not what the compiler saw.  If it has no instrumentation, it did not say what it cost.  */
void __cilkprof_no_leaf_returned(site_t *site) {
  frame_t *frame = THREAD.frames;
  if (!((uint64_t)THREAD.top & __CILKPROF_TOP_OUTSIDE)) {
    __cilkprof_clear_slots();
    THREAD.top = frame->top;
  }
  if (THREAD.recording && site->flags & __CILKPROF_SITE_LEAF)
    __cilkprof_no_leaf(site);
  frame->top = __cilkprof_p_log_top();
  leaf_as_call(frame, site);
}

/* A leaf has returned.  WORK is what the function itself did since its last event.  */
static inline void leaf(frame_t *frame, site_t *site, uint64_t work) {
  frame->local_work += work;
  if (!leaf_returned(frame, site))
    __cilkprof_leaf_otherwise(site);
}

static inline void leaf_any(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(is_no_leaf(frame))) {
    frame->local_work += work;
    __cilkprof_no_leaf_returned(site);
  } else
    leaf(frame, site, work);
}

void __cilkprof_o_leaf(site_t *site, uint64_t work) {
  leaf(THREAD.frames, site, work);
}

void __cilkprof_o_leaf_here(site_t *site) {
  leaf(THREAD.frames, site, site->flags >> __CILKPROF_SITE_WORK);
}

void __cilkprof_o_leaf_any(site_t *site, uint64_t work) {
  leaf_any(site, work);
}

void __cilkprof_o_leaf_any_here(site_t *site) {
  leaf_any(site, site->flags >> __CILKPROF_SITE_WORK);
}

/* An event takes some 29 instructions, a third of which are hidden behind those of the program that wait.  */
enum { CALLED_BACK_INSTRUCTIONS = 20 };

void __cilkprof_settle_leaves(void) {
  struct __cilkprof_foreign *foreign = &THREAD.foreign;
  const frame_t *caller = THREAD.frames;
  uint64_t count = foreign->leaf_count, own = foreign->leaf_work;
  record_t *top = __cilkprof_p_log_top();
  foreign->leaf_count = foreign->leaf_work = 0;
  foreign->probes += count * CALLED_BACK_INSTRUCTIONS;
  if (!THREAD.recording)
    return;
  if (__CILKPROF_AT_LIMIT(top, caller->top))
    top = __cilkprof_fold(caller->top, top);
  const record_t *merge = caller->site & __CILKPROF_CALL_SPAWN ? caller->top : caller->merge;
  record_t *end = __cilkprof_leaves_pushed(foreign->leaf, count, own, merge, top);
  THREAD.top = (record_t *)((uint64_t)(top == THREAD.sink ? top : end) | __CILKPROF_TOP_OUTSIDE);
  foreign->work += own;
  foreign->span += own;
  foreign->burdened_span += own;
}

/* All of an invocation that had no event.  */
void __cilkprof_o_bare(uint64_t work) {
  __cilkprof_h_bare(work);
}

void __cilkprof_bare_from_outside(uint64_t work, function_t *function) {
  if (called_back(function, work))
    return;
  __cilkprof_enter_from_outside(function);
  __cilkprof_h_bare(work);
}

void __cilkprof_o_bare_any(uint64_t work, function_t *function) {
  __cilkprof_h_bare_any(work, function);
}

/* The same of what may be a signal handler: then nothing was set aside, and nothing is to be recorded.  */
void __cilkprof_o_bare_handler(uint64_t work, function_t *function, const void *return_address) {
  if (!called_by_system(return_address))
    __cilkprof_h_bare_any(work, function);
}
