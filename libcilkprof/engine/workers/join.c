/* The sync of a function with deferred children.
   SPDX-License-Identifier: MIT

   The paths to the ends of all children are compared, those that were deferred and the longest of the others.  The
   first one of equally long paths stays, so their order counts: the longest of the others comes after a child that is
   noted in the frame.  Places in the log do not tell, because a child that is only on the longest burdened path has
   left no entries there.  Nothing before the place where a child was deferred is folded with what follows until
   here.  */

#include "libcilkprof/engine/engine.h"
#include "libcilkprof/engine/workers/workers.h"

/* A path to the end of a child.  */
struct child_path {
  uint64_t span, own;            /* its length, and the function's own part of it */
  const entry_t *place;          /* where the child begins in the log */
  struct passage_result *result; /* of a deferred child; NULL: the child was not deferred */
  /* The last deferred child that comes before it and has not been compared with it; NULL: there is none.  */
  const struct __cilkprof_deferral *after;
};

/* Replaces BEST by OTHER, the path to the end of CHILD, which is later than all deferred ones before, if it is the
   longest.  NONE: there is no best yet.  */
static void keep_longest_deferred(struct child_path *best, int none, struct child_path other,
                                  const struct __cilkprof_deferral *child) {
  if (none || other.span > best->span || (other.span == best->span && best->after))
    *best = other;
  else if (best->after == child)
    best->after = NULL;
}

/* Returns the first one of the deferred children of FRAME, whose list ends with the last one from here on.  */
static struct __cilkprof_deferral *take_deferred_children(frame_t *frame) {
  struct __cilkprof_deferral *first = frame->deferred->next;
  frame->deferred->next = NULL;
  frame->deferred = NULL;
  return first;
}

/* Makes the path BEST, the longest one to the end of a child of FRAME, its path from here on: it is not shorter than
   that of the function, which has done LOCAL_WORK itself.  SPAWNED: there is a longest child that was not deferred.  */
static void continue_after_child(frame_t *frame, uint64_t local_work, const struct child_path *best, int spawned) {
  frame->span = best->span - best->own;
  frame->off_span = local_work - best->own;
  if (!best->result) {
    frame->top = frame->longest_end;
    return;
  }
  if (spawned && frame->longest_start < best->place)
    __cilkprof_p_hole(frame);
  frame->top = __cilkprof_push_passage(best->result, (entry_t *)(uint64_t)best->place);
}

/* Returns a frame of this thread for a copy of one that is in registers, until the next join.  No event happens in a
   join, and signal handlers defer nothing.  */
EXPORT frame_t *__cilkprof_copy_for_join(void) {
  static __thread frame_t copy;
  return &copy;
}

/* Joins the children of FRAME, of which some were deferred; its function has done LOCAL_WORK itself.  All of them have
   ended, unless the program ends: then what is not known is left out.  */
EXPORT void __cilkprof_join_deferred(frame_t *frame, uint64_t local_work) {
  struct __cilkprof_deferral *first = take_deferred_children(frame);
  int spawned = frame->spawned != 0, none = !spawned;
  struct child_path best = {frame->longest_span, frame->longest_own, frame->longest_start, NULL, frame->longest_after},
                    burdened = {frame->longest_burdened, frame->longest_burdened_own, NULL, NULL,
                                frame->longest_burdened_after};
  frame->base = first->base;
  for (const struct __cilkprof_deferral *each = first; each; each = each->next) {
    struct passage_result *result = __atomic_load_n(&each->result, __ATOMIC_ACQUIRE);
    if (!result) {
      set_profile_flags(CILKPROF_INCOMPLETE);
      continue;
    }
    __cilkprof_add_passage(result);
    profiled_thread()->passages.deferred++;
    profiled_thread()->passages.stolen += (uint64_t)each->stolen;
    frame->work += result->work;
    keep_longest_deferred(
        &best, none, (struct child_path){each->here + result->span, each->own, each->position, result, NULL}, each);
    keep_longest_deferred(&burdened, none,
                          (struct child_path){each->burdened_here + result->burdened_span, each->burdened_own,
                                              each->position, result, NULL},
                          each);
    none = 0;
  }
  if (!none && best.span >= __cilkprof_p_here(frame, local_work))
    continue_after_child(frame, local_work, &best, spawned);
  else if (spawned)
    __cilkprof_p_hole(frame);
  if (!none && burdened.span >= frame->burdened_span + local_work - frame->off_burdened_span) {
    frame->burdened_span = burdened.span - burdened.own;
    frame->off_burdened_span = local_work - burdened.own;
  }
  frame->segment = frame->base;
  frame->merge = frame->top;
  frame->spawned = 0;
  THREAD.syncs++;
  if ((uint64_t)frame->top - (uint64_t)frame->base > THREAD.fold_bytes)
    frame->top = frame->merge = __cilkprof_fold(frame->base, frame->top);
  for (struct __cilkprof_deferral *each = first, *next; each; each = next) {
    next = each->next;
    if (each->result)
      __cilkprof_buffer_give(each->result);
    __cilkprof_buffer_give(each);
  }
}
