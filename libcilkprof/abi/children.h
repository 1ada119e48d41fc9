/* The events of spawned children: they begin, return and are joined.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_CHILDREN_H
#define CILKPROF_CHILDREN_H

#pragma GCC system_header

/* Pushes the samples of the strand of FRAME's function that ends here.  They stay on the path that it is on.  */
__CILKPROF_PART void __cilkprof_p_samples(struct __cilkprof_frame *frame) {
  if (__CILKPROF_RARE(__cilkprof_self.sampled))
    frame->top = __cilkprof_push_samples(frame->top);
}

/* Begins a call at SITE that the function of FRAME spawns; it has done LOCAL_WORK itself so far.  The child's entries
   in the on-span log begin a segment of their own: all of them are kept or dropped when it is known whether the child
   is on the longest path.  */
__CILKPROF_PART void __cilkprof_p_spawn(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                        struct __cilkprof_site *site) {
  __cilkprof_p_samples(frame);
  frame->outer_segment = frame->segment;
  frame->segment = frame->top;
  __cilkprof_p_call(frame, local_work, site, __CILKPROF_CALL_SPAWN);
}

/* Event before a call at SITE that the function of FRAME spawns.  */
__CILKPROF_EVENT void __cilkprof_h_spawn(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                         struct __cilkprof_site *site) {
  __cilkprof_p_spawn(frame, local_work, site);
}

/* Makes the entries of the child that was the longest a hole: it is not on the path.  */
__CILKPROF_PART void __cilkprof_p_hole(struct __cilkprof_frame *frame) {
  struct __cilkprof_entry *end = frame->longest_end;
  end->key = __CILKPROF_ENTRY_HOLE;
  end->local_work = (__cilkprof_u64)frame->longest_start;
  if (end > __cilkprof_self.hole)
    __cilkprof_self.hole = end;
}

/* Keeps the path to the end of a child if it is the longest so far; the first one of equally long paths stays.  */
__CILKPROF_PART void __cilkprof_p_child(struct __cilkprof_frame *frame, struct __cilkprof_entry *top,
                                        __cilkprof_u64 own, __cilkprof_u64 span, __cilkprof_u64 burdened_own,
                                        __cilkprof_u64 burdened_span) {
  struct __cilkprof_entry *start = frame->segment, *end = top;
  if (!frame->spawned || span > frame->longest_span) {
    if (frame->spawned) {
      __cilkprof_p_hole(frame);
      if (__CILKPROF_RARE((__cilkprof_u64)end - (__cilkprof_u64)frame->base > __cilkprof_self.fold_bytes)) {
        struct __cilkprof_child child = __cilkprof_fold_around(frame->base, start, end);
        start = child.start;
        end = child.end;
      }
    }
    frame->longest_start = start;
    frame->longest_end = end;
    frame->segment = frame->top = frame->merge =
        end + 1; /* one entry stays free, for the hole that this child may become */
    frame->longest_span = span;
    frame->longest_own = own;
#ifdef __CILKPROF_PARALLEL
    frame->longest_after = frame->deferred;
#endif
  } else {
    frame->top = start;
    frame->segment = frame->outer_segment;
  }
  if (!frame->spawned || burdened_span > frame->longest_burdened) {
    frame->longest_burdened = burdened_span;
    frame->longest_burdened_own = burdened_own;
#ifdef __CILKPROF_PARALLEL
    frame->longest_burdened_after = frame->deferred;
#endif
  }
  frame->spawned = 1;
}

/* Adds a child that was booked to FRAME, and keeps the path to its end if it is the longest.  OWN is the part of
   FRAME's function in that path, TOP the new top of the log, after the child's entry.  */
__CILKPROF_PART void __cilkprof_p_child_returned(struct __cilkprof_frame *frame, __cilkprof_u64 own,
                                                 __cilkprof_u64 burdened_own, struct __cilkprof_entry *top) {
  frame->site = 0;
  __cilkprof_p_child(frame, top, own, frame->span + own + __cilkprof_self.span, burdened_own,
                     frame->burdened_span + burdened_own + __cilkprof_self.burdened_span);
}

/* Books a spawned child of SITE that returned to FRAME, and folds the log from BASE on if that is long.  Its
   work is added to FRAME.  Returns the new top of the log.  */
__CILKPROF_PART struct __cilkprof_entry *__cilkprof_p_book_child(struct __cilkprof_frame *frame,
                                                                 struct __cilkprof_entry *base,
                                                                 __cilkprof_u64 local_work,
                                                                 struct __cilkprof_site *site) {
  struct __cilkprof_entry *top = __cilkprof_p_log_top();
  __cilkprof_u64 child_work = __cilkprof_self.local_work, off_span = __cilkprof_self.local_off_span,
                 off_burdened_span = __cilkprof_self.local_off_burdened_span, work = __cilkprof_self.work,
                 key = __CILKPROF_KEY(frame);
  if (__CILKPROF_RARE(__CILKPROF_UNUSUAL(top, base, work) || site->active == key)) {
    struct __cilkprof_child child = __cilkprof_spawn_returned(site, base, frame->segment, key, frame->work + local_work,
                                                              __cilkprof_p_here(frame, local_work));
    frame->top = frame->segment = child.start;
    work = __cilkprof_self.work;
    top = child.end;
  } else
    top = __cilkprof_p_book_plain(site, top, child_work, off_span, off_burdened_span);
  frame->work += work;
  return top;
}

/* Books a spawned child, which has returned to FRAME.  If it is the first one, all of the log that is FRAME's is folded
   if it is long, so that a sync need not look at it.  */
__CILKPROF_PART void __cilkprof_p_spawn_returned(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                                 struct __cilkprof_site *site) {
  __cilkprof_u64 own = local_work - frame->off_span, burdened_own = local_work - frame->off_burdened_span;
  struct __cilkprof_entry *base = frame->spawned ? frame->segment : frame->base,
                          *top = __cilkprof_p_book_child(frame, base, local_work, site);
  __cilkprof_p_child_returned(frame, own, burdened_own, top);
  frame->off_burdened_span -= __cilkprof_self.burden;
  __cilkprof_p_lanes_child(frame, local_work);
}

/* Event after a spawned child, which has returned to FRAME.  */
__CILKPROF_EVENT void __cilkprof_h_spawn_returned(struct __cilkprof_frame *frame, __cilkprof_u64 local_work,
                                                  struct __cilkprof_site *site) {
  __cilkprof_p_spawn_returned(frame, local_work, site);
}

#include "deferred.h"

/* Joins the children.  If the longest child and the continuation are equally long, the child is on the path.  */
__CILKPROF_PART void __cilkprof_p_join(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  if (frame->longest_span >= frame->span + local_work - frame->off_span) {
    frame->span = frame->longest_span - frame->longest_own;
    frame->off_span = local_work - frame->longest_own;
    frame->top = frame->longest_end;
  } else
    __cilkprof_p_hole(frame);
  if (frame->longest_burdened >= frame->burdened_span + local_work - frame->off_burdened_span) {
    frame->burdened_span = frame->longest_burdened - frame->longest_burdened_own;
    frame->off_burdened_span = local_work - frame->longest_burdened_own;
  }
  frame->segment = frame->base;
  frame->spawned = 0;
  __cilkprof_self.syncs++;
}

#ifdef __CILKPROF_PARALLEL
/* Copies what a join of deferred children reads and changes from one frame to another.  */
__CILKPROF_PART void __cilkprof_p_copy_joined(struct __cilkprof_frame *to, const struct __cilkprof_frame *from) {
  to->top = from->top;
  to->base = from->base;
  to->segment = from->segment;
  to->merge = from->merge;
  to->work = from->work;
  to->span = from->span;
  to->burdened_span = from->burdened_span;
  to->off_span = from->off_span;
  to->off_burdened_span = from->off_burdened_span;
}

/* Joins the children of FRAME, of which some were deferred.  The engine gets a copy, because a frame whose address is
   passed cannot be in registers.  */
__CILKPROF_PART void __cilkprof_p_join_deferred(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  struct __cilkprof_frame *copy = __cilkprof_copy_for_join();
  __cilkprof_p_copy_joined(copy, frame);
  copy->spawned = frame->spawned;
  copy->deferred = frame->deferred;
  copy->longest_span = frame->longest_span;
  copy->longest_own = frame->longest_own;
  copy->longest_burdened = frame->longest_burdened;
  copy->longest_burdened_own = frame->longest_burdened_own;
  copy->longest_start = frame->longest_start;
  copy->longest_end = frame->longest_end;
  copy->longest_after = frame->longest_after;
  copy->longest_burdened_after = frame->longest_burdened_after;
  __cilkprof_join_deferred(copy, local_work);
  __cilkprof_p_copy_joined(frame, copy);
  frame->spawned = 0;
  frame->deferred = 0;
}
#endif

/* Syncs: joins the children of FRAME, if there are any.  FOLDS: the log may be long, which the returns of tasks do not
   look at.  */
__CILKPROF_PART void __cilkprof_p_sync(struct __cilkprof_frame *frame, __cilkprof_u64 local_work, int folds) {
#ifdef __CILKPROF_PARALLEL
  if (__CILKPROF_RARE(frame->deferred)) {
    __cilkprof_p_samples(frame);
    __cilkprof_p_join_deferred(frame, local_work);
    return;
  }
#endif
  if (!frame->spawned)
    return;
  __cilkprof_p_samples(frame);
  if (__CILKPROF_NOTES_CHILDREN && __CILKPROF_RARE(frame->work & __CILKPROF_WORK_OPEN))
    frame->work = __cilkprof_joined(__CILKPROF_KEY(frame), frame->work, local_work,
                                    __cilkprof_p_here(frame, local_work), frame->longest_span);
  __cilkprof_p_join(frame, local_work);
  if (folds && __CILKPROF_RARE((__cilkprof_u64)frame->top - (__cilkprof_u64)frame->base > __cilkprof_self.fold_bytes))
    frame->top = __cilkprof_fold(frame->base, frame->top);
  __cilkprof_p_lanes_sync(frame, local_work);
}

/* Event at a cilk_sync: joins the children of FRAME, if there are any.  */
__CILKPROF_EVENT void __cilkprof_h_sync(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  __cilkprof_p_sync(frame, local_work, frame->spawned == __CILKPROF_CHILDREN_TASKS);
}

#endif
