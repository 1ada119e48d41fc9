/* A thread that is profiled: all that the engine keeps for it beside its hot state (struct __cilkprof_thread), room by
   room.  Each part is changed only by the file that it is named after.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_PROFILED_THREAD_H
#define CILKPROF_PROFILED_THREAD_H

#include "libcilkprof/engine/engine.h"

/* time/clock.c: how often the thread was taken off its processor.  */
struct switches {
  uint64_t waits; /* for something */
  uint64_t preemptions;
};

/* marks/point.c: how far the program is.  */
struct cilkprof_point {
  uint64_t work, span, burdened_span;
  const void *scope;      /* on one serial path, this, */
  uint64_t grain, before; /* this, and the work before it are the same */
};

struct __cilkprof_profiled_thread {
  struct profiled_clock {
    uint64_t ticks, cpu_ns, stolen; /* the last look at the thread's CPU time; what others had of the time up to then */
    struct switches switches;
    uint64_t not_this_strand; /* ticks */
    long page_faults;         /* that were seen */
    uint64_t disturbed_since, disturbed_strands;
    uint64_t preempted_strands, preempted_ticks;
  } clock;

  struct profiled_places {
    uint64_t last_read; /* what reading the timer took before the execution that is timed */
    uint64_t probes;    /* of the thread, then */
    uint64_t random;
    uint64_t timed_units; /* of long strands */
  } places;

  struct profiled_log {
    entry_t *begin, *end; /* the arena */
    entry_t *folded;      /* scratch: the sums */
    size_t folded_count, folded_room;
  } log;

  const struct cilkprof_tops *tops; /* who looks at every top-call-site invocation; NULL: nobody */

  struct profiled_contexts {
    context_t *current;  /* NULL: they are not recorded */
    context_t *contexts; /* the first is the program's start, and no context */
    uint32_t *slots;
    size_t count, room;
  } contexts;

  struct root_table *roots;        /* NULL: none is asked for */
  struct root_values *root_values; /* what each has of every site */

  /* tasks/: OpenMP.  */
  struct profiled_tasks {
    struct left_tasks *left;   /* by what ended last, */
    int go_on;                 /* and go on behind what is about to return */
    struct accesses *accesses; /* what tasks depend on */
  } tasks;

  struct profiled_frames {
    frame_t *first;
    uint64_t leaving; /* what ends is left by exit, longjmp or an exception */
    /* What is recorded otherwise, while it is in invocations for which no frame is left: their calls are not.  */
    struct before_untracked {
      const frame_t *end; /* NULL: there are none */
      entry_t *top, *limit;
      uint64_t fold_bytes, syncs;
      struct __cilkprof_foreign foreign;
    } before_untracked;
  } frames;

  struct profiled_quiet {
    struct quiet_level *levels;
    size_t depth, untracked; /* the latter beyond them */
  } quiet;

  struct profiled_api {
    uint64_t began; /* the timer, when the program asked */
  } api;

  struct profiled_tree {
    struct tree *tree; /* NULL: there is none yet, or no memory for it */
    int busy;          /* an annotation is under way: those of a signal handler are not for it */
    int failed;
    int told;         /* of spawns and loops */
    uint64_t outside; /* tasks that are in no section */
    uint64_t said;    /* complaints */
    struct tree_complaint {
      const char *file;
      int line;
    } complaints[16];
  } tree;

  struct region_table *regions;
  struct lock_table *locks;
  struct tool *tool; /* that is called back */
};

/* Of this thread.  One that is not profiled has one in which nothing happens.  */
extern HIDDEN struct __cilkprof_profiled_thread __cilkprof_nobody;
static inline struct __cilkprof_profiled_thread *profiled_thread(void) {
  return THREAD.profiled ? THREAD.profiled : &__cilkprof_nobody;
}

#endif
