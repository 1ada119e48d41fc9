/* The profiled thread: all state that the engine keeps for it beside the hot state (struct __cilkprof_thread), folder
   by folder.  Each part is changed only by the file that it is named after.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_PROFILED_THREAD_H
#define CILKPROF_PROFILED_THREAD_H

#include "libcilkprof/engine/engine.h"

/* time/clock.c: how often the thread was taken off its processor.  */
struct switches {
  uint64_t waits; /* the thread waited for something */
  uint64_t preemptions;
};

/* marks/point.c: work and span from the start of the program to a point of its execution.  */
struct cilkprof_point {
  uint64_t work, span, burdened_span;
  /* Two points are on one serial path if they agree in these.  */
  const void *scope; /* the innermost open spawned child, loop or call from foreign code; NULL: there is none */
  uint64_t grain;    /* the number of the loop's grain */
  uint64_t before;   /* the work before the scope began */
};

struct __cilkprof_profiled_thread {
  struct profiled_clock {
    uint64_t ticks, cpu_ns; /* the timer and the thread's CPU time at the last look */
    uint64_t stolen;        /* ticks up to the last look in which other threads had the processor */
    struct switches switches;
    uint64_t not_this_strand;                    /* ticks of the strand being timed that are booked elsewhere */
    long page_faults;                            /* the count when it was last read */
    uint64_t disturbed_since, disturbed_strands; /* short strands that were slow, and since when they are counted */
    uint64_t preempted_strands, preempted_ticks; /* strands that were corrected, and the ticks taken off them */
    uint64_t sampled, recovered; /* the timer when the last sample ended; when what it left in the caches was gone */
  } clock;

  /* time/host.c: what the host of a virtual machine has taken.  */
  struct timer_of_host {
    int reads, processor; /* whether it is read; on which processor this thread was then */
    uint64_t last, every; /* the timer when it was last read; after so many ticks it is again */
    uint64_t all_ns;      /* what it has taken in this run */
    uint64_t unseen_ns;   /* in which it let no sample come, since it was last asked */
  } host;

  struct profiled_timing_points {
    uint64_t last_read;   /* ticks that reading the timer took just before the strand being timed */
    uint64_t probes;      /* the thread's PROBES when that strand began */
    uint64_t begun;       /* strands that were timed so far */
    uint64_t random;      /* the last random number */
    uint64_t timed_units; /* the cost of all long strands, scaled */
  } timing_points;

  struct profiled_log {
    entry_t *begin, *end; /* the arena */
    entry_t *folded;      /* scratch memory for sums of entries */
    size_t folded_count, folded_room;
  } log;

#ifdef __CILKPROF_PARALLEL
  /* In a passage (workers/): the sites that it has reached, and what stands for the caller of functions that are
     entered from outside.  */
  site_t *first_site, *last_site;
  function_t outside;
  struct profiled_passages {
    uint64_t deferred, stolen; /* children that were joined */
    uint64_t in_place;         /* children that run where their parents are recorded, one in another */
  } passages;
#endif

  /* span/series.c: the calls of leaves that are not booked yet are measured as one strand, with what their caller does
     between them.  */
  struct profiled_series {
    uint64_t begin;              /* the timing point, as BEGIN of a frame; 0: they are not measured */
    uint64_t local_work, first;  /* when it began: the caller's own work, and that of the leaf that had returned; */
    const site_t *site;          /* the site of that leaf; */
    uint64_t begun;              /* and strands that had been timed */
    struct series_point *points; /* timing points of sites; NULL: there are none yet, or no memory */
  } series;

  struct __cilkprof_counted *counted; /* span/counted.c: the last record of counted calls; NULL: there is none */

  struct strand_samples *samples; /* span/samples.c; NULL: none are taken */

  struct pieces *pieces; /* span/pieces.c: the long children; NULL: there were none */

  const struct cilkprof_tops *tops; /* functions to call for every top-call-site invocation; or NULL */

  struct profiled_contexts {
    context_t *current;  /* NULL: contexts are not recorded */
    context_t *contexts; /* the first one is the start of the program, not a call */
    uint32_t *slots;     /* a hash table */
    size_t count, room;
  } contexts;

  struct root_table *roots;        /* NULL: no root was asked for */
  struct root_values *root_values; /* the values of every site in each root */

  /* tasks/: OpenMP.  */
  struct profiled_tasks {
    struct left_tasks *left;   /* the tasks that the last function or task to end left behind */
    int go_on;                 /* those tasks outlive the invocation that is about to return */
    struct accesses *accesses; /* the addresses that tasks depend on */
    uint64_t outermost;        /* the region of what is in no task, as REGION of a block */
  } tasks;

  struct open_shares *shares; /* tasks/shares.c: of the loops that are open */
  struct loop_table *loops;   /* tasks/loop_records.c */

  struct profiled_frames {
    frame_t *first;
    uint64_t leaving; /* nonzero: control leaves the frame or block that ends by exit, longjmp or an exception */
    /* Invocations are untracked when the stack of frames is full, and nothing is recorded until the last of them
       returns.  This is the state of recording before them.  */
    struct before_untracked {
      const frame_t *end; /* the end of the stack that is full; NULL: nothing is saved here */
      entry_t *top, *limit;
      uint64_t fold_bytes, syncs;
      struct __cilkprof_foreign foreign;
    } before_untracked;
  } frames;

  /* Open charged calls during which code of the program was entered.  */
  struct profiled_charged {
    struct charged_level *levels;
    size_t depth;
    size_t untracked; /* further ones, for which LEVELS has no room */
  } charged;

  struct profiled_api {
    uint64_t began; /* the timer when the program called <cilkprof.h> */
  } api;

  struct profiled_tree {
    struct tree *tree; /* NULL: there is none yet, or no memory for it */
    int busy;          /* an annotation is being recorded: those of a signal handler are ignored */
    int failed;        /* there is no memory for a tree */
    uint64_t outside;  /* open tasks that are in no section */
    uint64_t said;     /* the number of complaints */
    struct tree_complaint {
      const char *file;
      int line;
    } complaints[16];
  } tree;

  struct region_table *regions;
  struct lock_table *locks;
  struct tool *tool; /* the user's own, which is called back */
};

/* Returns the state of the current thread.  All threads that are not profiled share one, in which nothing is
   recorded.  */
extern HIDDEN struct __cilkprof_profiled_thread __cilkprof_nobody;

/* Returns the state of the current thread.  All threads that are not profiled share one, in which nothing is
   recorded.  */
static inline struct __cilkprof_profiled_thread *profiled_thread(void) {
  return THREAD.profiled ? THREAD.profiled : &__cilkprof_nobody;
}

/* Returns the caller of SITE, a record of this thread.  The records of all workers have the same address of it, that
   of the first worker's record, so that they need no memory until they are used.  */
static inline function_t *caller_of_site(const site_t *site) {
  function_t *caller = site->function;
#ifdef __CILKPROF_PARALLEL
  if (caller == &__cilkprof_outside)
    return THREAD.records ? &profiled_thread()->outside : caller;
  return (function_t *)((uint64_t)caller + THREAD.records);
#else
  return caller;
#endif
}

#endif
