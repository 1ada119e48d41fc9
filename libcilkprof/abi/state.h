/* The engine's state: what a function, a call site, an invocation and a thread keep while the program runs.
   SPDX-License-Identifier: MIT

   This header and events.h are compiled into every instrumented unit (C89 to C2x, C++98 on), so they include nothing
   and every name in them begins with __cilkprof_.

   Terms, as in the papers: work is the cost of all strands, span that of the longest path through them, burdened span
   the same with a burden on every continuation edge, or on the edge to a task, which moves instead of what made it.
   "Local" is what an invocation did itself, without its callees.  What of its work is off the span is kept, and not
   the span: span = work - off_span; code without parallelism has nothing off it and so carries no state for it.  In
   off_burdened_span every burden on the path counts as a negative part, so that burdened span = work -
   off_burdened_span; it is negative modulo 2^64 wherever there are burdens.  */

#ifndef CILKPROF_STATE_H
#define CILKPROF_STATE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef __UINT64_TYPE__ __cilkprof_u64;

struct __cilkprof_function;
struct __cilkprof_block;
struct __cilkprof_interrupted;
struct __cilkprof_context;
struct __cilkprof_profiled_thread;

struct __cilkprof_total {
  __cilkprof_u64 count, work, span, burdened_span;
};

#ifdef __CILKPROF_WHATIF
/* A build that also answers what-if questions; see lanes.h.  */
#define __CILKPROF_CANDIDATES 7
typedef __cilkprof_u64 __cilkprof_pair __attribute__((vector_size(16)));
typedef __INT64_TYPE__ __cilkprof_signed_pair __attribute__((vector_size(16)));
struct __cilkprof_lanes {
  __cilkprof_pair pairs[__CILKPROF_CANDIDATES]; /* where the candidate costs nothing, and where it is faster */
};
#endif

/* A call site.  The compiler lays one out statically for every place where one function calls or spawns another.  */
struct __cilkprof_site {
  /* A cache line for every invocation, ...  */
  __cilkprof_u64 active; /* the key of its open top-call-site invocation; 0: none is open */
  __cilkprof_u64 flags;  /* __CILKPROF_SITE_... */
  __cilkprof_u64 count, local_work, local_off_span, local_off_burdened_span;
  struct __cilkprof_function *function; /* the caller */
  union {
    struct __cilkprof_context *context; /* of its open top-call-site invocation, where contexts are recorded */
    struct __cilkprof_entry *entry;     /* elsewhere: its last entry in the log that is no plain one */
  } last;
  /* ... one for top-call-site invocations, and the rest.  */
  struct __cilkprof_total top_call_site, top_caller;
  const void *description; /* in section cilkprof_sites, see fmt/description.h */
  const void *callee;      /* where it is only known at run time */
  const void *target;      /* set by the compiler: code that may have no instrumentation, which it always calls */
  struct __cilkprof_site *callees; /* of an indirect call: one site for each callee; in those, the next */
  struct __cilkprof_site *next;    /* of all sites that were reached */
  __cilkprof_u64 folded[3];        /* used while the on-span log is folded: 1 + index of its entry, by kind of entry */
};

#define __CILKPROF_SITE_LISTED     1   /* is in the list of reached sites */
#define __CILKPROF_SITE_TOP_CALLER 2   /* its open top-call-site invocation is a top-caller invocation as well */
#define __CILKPROF_SITE_SPAWN      4   /* set by the compiler: its invocations are spawned */
#define __CILKPROF_SITE_FOREIGN    8   /* set by the compiler: what it calls may have no instrumentation */
#define __CILKPROF_SITE_KNOWN      16  /* but it has: it was called before, and is always the same */
#define __CILKPROF_SITE_LEAF       32  /* set by the compiler: what it calls has no events, see leaf.h */
#define __CILKPROF_SITE_SIMPLE     64  /* it is listed, and only its values are recorded: no contexts, no what-if */
#define __CILKPROF_SITE_SERIAL     128 /* set by the compiler: what it calls does so itself with its events */
/* What-if: the bits from these on are candidates, by their numbers.  */
#define __CILKPROF_SITE_CANDIDATE 8  /* that the site belongs to */
#define __CILKPROF_SITE_OUTERMOST 16 /* of which its open top-call-site invocation is the outermost one */
#define __CILKPROF_SITE_MATCHED   24 /* one bit: it was found out which they are */
#define __CILKPROF_SITE_NAMED     25 /* one bit: also by the callee of an indirect call */
#define __CILKPROF_SITE_ROOT      26 /* one bit: its invocations are passages of a root */
#define __CILKPROF_SITE_ENTERED   27 /* one bit: that was also looked for by the callee of an indirect call */
#define __CILKPROF_SITE_WORK      32 /* set by the compiler: what its function did since its last event */

/* An instrumented function.  */
struct __cilkprof_function {
  __cilkprof_u64 open;            /* open top-call-site invocations of its sites */
  const __cilkprof_u64 *mode;     /* how its strands are measured */
  const void *address;            /* its own */
  struct __cilkprof_site outside; /* its invocations by code without instrumentation */
};

/* A place in a function where strands begin to be measured by the timer, in hybrid mode: at a loop, or at a call of
   code that is not counted.  What such strands cost is learnt (place.c).  */
struct __cilkprof_place {
  __cilkprof_u64 skip;   /* so many are counted before one is timed */
  __cilkprof_u64 factor; /* what an instruction costs, in 1/65536 */
  __cilkprof_u64 timer;  /* when the one under way began, if it is timed */
  /* Those that were timed.  */
  __cilkprof_u64 instructions, units;
  __UINT32_TYPE__ executions, watched; /* the latter: how many will be because one was long */
  __cilkprof_u64 factor_before;        /* when old ones were last forgotten; */
  __cilkprof_u64 steady;               /* whether it had changed little since the time before */
};

#define __CILKPROF_LONG 10000 /* instructions: a strand that is known to have more is timed */

/* An entry of the on-span log (log.c): invocations of one site on the path of highest cost.  */
struct __cilkprof_entry {
  __cilkprof_u64 key; /* the address of the site or tally, and a kind in its low bits */
  __cilkprof_u64 count, local_work, local_off_span, local_off_burdened_span;
  __cilkprof_u64 work, span, burdened_span; /* not set in an entry of kind PLAIN */
};

#define __CILKPROF_ENTRY_PLAIN      0
#define __CILKPROF_ENTRY_TOP_SITE   2
#define __CILKPROF_ENTRY_TOP_CALLER 4
#define __CILKPROF_ENTRY_TALLY      6 /* without local values: of a context, or of a root's site */
#define __CILKPROF_ENTRY_LEAF       1 /* beside TOP_SITE or TOP_CALLER: work, span, burdened span are the local work */
#define __CILKPROF_ENTRY_KIND       7
#define __CILKPROF_ENTRY_HOLE       1 /* as the whole key: skip the entries from the one at address COUNT to here */

/* Code without instrumentation that is running, and what the instrumented functions that it called cost.  */
struct __cilkprof_foreign {
  __cilkprof_u64 work, span, burdened_span; /* of its finished callees */
  __cilkprof_u64 local_work;                /* its own, as far as it is timed strand by strand */
  __cilkprof_u64 started;                   /* the timer when it was called */
  __cilkprof_u64 key;              /* identifies it: the address of the calling frame, 1 for the start of the program */
  __cilkprof_u64 stack;            /* how far the stack reached when it was called */
  const void *expected;            /* what was called, until it shows that it is instrumented */
  struct __cilkprof_site *entered; /* its last callee, whose totals are still in the return slots */
  __cilkprof_u64 instrumented;     /* what was called turned out to be instrumented, and SERIAL: it is not foreign */
  struct __cilkprof_site *leaf; /* it calls this leaf again and again: so many invocations of it are not booked yet, */
  __cilkprof_u64 leaf_count, leaf_work; /* with this work */
  __cilkprof_u64 probes;                /* instructions of events that its leaves called: they took time as well */
#ifdef __CILKPROF_WHATIF
  struct __cilkprof_lanes lanes; /* of its finished callees */
#endif
};

/* Invocations of a leaf in a loop that are not booked yet (series.h).  */
struct __cilkprof_series {
  struct __cilkprof_site *site; /* NULL: none */
  __cilkprof_u64 left;          /* so many more can be */
  __cilkprof_u64 work;
};

#define __CILKPROF_SERIES 4  /* places for them: neighbouring sites have different ones */
#define __CILKPROF_LINE   64 /* of the cache */

/* An invocation.  Values count from the function's start.  Where no callee can leave the frame behind (by exit, longjmp
   or an exception), it lives in registers of the function; otherwise on a stack of frames that the thread has beside
   its own, where it is still whole when control has left it.  Such a frame is called linked.  */
struct __cilkprof_frame {
  /* A cache line for calls, ...  */
  struct __cilkprof_entry *top;             /* of the on-span log, see below */
  __cilkprof_u64 work, span, burdened_span; /* of callees that returned: all of them, and those on the path */
  /* Linked frames only: the call that is under way.  */
  __cilkprof_u64 local_work;
  __cilkprof_u64 site; /* its address and __CILKPROF_CALL_...; 0: no call is under way */
  __cilkprof_u64 key;
  /* Functions that call their events, in hybrid mode: the place where the strand began to be timed, or 0, and the
     local work before.  */
  __cilkprof_u64 begin, before_begin;
  /* ... one for the path of highest cost up to here, ...  */
  __cilkprof_u64 off_span, off_burdened_span; /* of the function's own work */
  __cilkprof_u64 spawned; /* whether there are children since the last sync: 0 or __CILKPROF_CHILDREN_...; if not, no
                             LONGEST is set */
  struct __cilkprof_entry *base, *segment; /* entries from the segment on may be folded together */
  struct __cilkprof_entry *merge;          /* those from here on are on the same path as one that is pushed now */
  struct __cilkprof_block *block;          /* the innermost open block */
  /* ... one for these children ...  */
  __cilkprof_u64 longest_span, longest_own; /* the longest path to a child's end, and what of it is this function's */
  __cilkprof_u64 longest_burdened, longest_burdened_own;
  struct __cilkprof_entry *longest_start, *longest_end; /* the log has the path from BASE to TOP, and from
                                                            LONGEST_START to LONGEST_END the longest child's */
  __cilkprof_u64 left, grains;            /* in a cilk_for: iterations to the end of a grain, and finished grains */
  struct __cilkprof_entry *outer_segment; /* while a child runs: what the segment was before */
#ifdef __CILKPROF_WHATIF
  struct __cilkprof_lanes lanes, longest_lanes; /* the longest paths: up to here, and to the end of a child */
  __cilkprof_u64 inside;                        /* the candidates, by their numbers, that it is part of */
#endif
  /* ... and what is only used while a call is under way.  A block sets aside all before it.  */
  struct __cilkprof_foreign outer; /* while a foreign call is: what was running before it */
  __cilkprof_u64 region;           /* while a call is under way that is TASK and LEFT: as that of a block */
};

#define __CILKPROF_CHILDREN_JOINED 1 /* the function waits for them when it returns */
#define __CILKPROF_CHILDREN_TASKS  2 /* they are OpenMP's: it does not */

#define __CILKPROF_TASK_FINAL 2 /* of libgomp's flags of a task */

#define __CILKPROF_CALL_SPAWN   1
#define __CILKPROF_CALL_FOREIGN 2
#define __CILKPROF_CALL_LEAF    4 /* known at run time only: it is not open.  Without a site: a series is (series.h) */
#define __CILKPROF_CALL_LEFT    8 /* what was called has returned, and left tasks behind (task.c); or it has a region */
#define __CILKPROF_CALL_TASK    16 /* it is one of OpenMP's, */
#define __CILKPROF_CALL_FINAL   32 /* and final, which what made it is not */
#define __CILKPROF_CALL_KIND    63

/* A part of a function that is measured like an invocation or syncs by itself: a cilk_for, a cilk_scope, a spawned call
   whose callee has no code of its own, and OpenMP's constructs.  */
struct __cilkprof_block {
  struct __cilkprof_frame outer; /* the function's frame as it was before the block, but for what only a call uses */
  __cilkprof_u64 outer_work;     /* and its local work */
  __cilkprof_u64 kind;           /* __CILKPROF_BLOCK_... */
  /* cilk_for: grains are the children of a balanced tree.  */
  __cilkprof_u64 grain;       /* iterations per grain */
  __cilkprof_u64 grain_given; /* the grain is not to be chosen */
  /* OpenMP.  */
  __cilkprof_u64 flags;            /* __CILKPROF_BLOCK_OPEN and those behind it */
  __cilkprof_u64 remaining, least; /* of a guided schedule: iterations, and how many a chunk has at least */
  __cilkprof_u64 team, final;      /* as the thread's were before */
  __cilkprof_u64 region;           /* names it among those whose tasks depend on each other; 0: none do */
  const void *depend;              /* of a task: what it depends on, as libgomp is told it; or 0 */
  __cilkprof_u64 longest_span, longest_own, longest_burdened, longest_burdened_own;
  struct __cilkprof_entry *longest_start, *longest_end;
#ifdef __CILKPROF_WHATIF
  struct __cilkprof_lanes longest_lanes;
#endif
};

#define __CILKPROF_BLOCK_LOOP  1
#define __CILKPROF_BLOCK_SPAWN 2
#define __CILKPROF_BLOCK_SCOPE 3
#define __CILKPROF_BLOCK_CALL  4
#define __CILKPROF_BLOCK_KIND  7
/* OpenMP.  */
#define __CILKPROF_BLOCK_OPEN    8  /* what runs in it is the task around it */
#define __CILKPROF_BLOCK_NOWAIT  16 /* a loop that what follows does not wait for: spawned */
#define __CILKPROF_BLOCK_BARRIER 64 /* a loop that ends with one */
#define __CILKPROF_BLOCK_TASK    32 /* as LOOP and SPAWN are of Cilk: a team's loop, a task */

/* How a team divides a loop: the clause schedule, or those of a taskloop.  */
#define __CILKPROF_SCHEDULE_STATIC    0
#define __CILKPROF_SCHEDULE_DYNAMIC   1
#define __CILKPROF_SCHEDULE_GUIDED    2
#define __CILKPROF_SCHEDULE_RUNTIME   3
#define __CILKPROF_SCHEDULE_GRAINSIZE 4
#define __CILKPROF_SCHEDULE_NUM_TASKS 5
#define __CILKPROF_SCHEDULE_KIND      7

#define __CILKPROF_TOP_OUTSIDE 1 /* what is entered now is entered from outside, */
#define __CILKPROF_TOP_QUIET   2 /* and that while an instrumented function is running: during a quiet call of it */
#define __CILKPROF_TOP_MARKS   3
/* While an instrumented function calls another, both of which call their events: it is no spawn.  */
#define __CILKPROF_TOP_SERIAL 4

/* Making a task of OpenMP's costs such a part of the burden: it goes to a queue that threads share.  */
#define __CILKPROF_MAKING 16

/* A thread.  What an invocation returns to its caller beside its value goes through the slots at the top.  */
struct __cilkprof_thread {
  __cilkprof_u64 local_work, local_off_span, local_off_burdened_span;
  __cilkprof_u64 work, span, burdened_span;
  struct __cilkprof_entry *top; /* of the log; marked except while an instrumented function calls another directly */
  struct __cilkprof_entry *limit;
  struct __cilkprof_entry *hole;    /* no hole in the log lies beyond it */
  __cilkprof_u64 fold_bytes;        /* a frame's part of the log is folded when it is longer */
  __cilkprof_u64 burden, loop_node; /* the cost of moving work, and of a node in the tree of a cilk_for */
  __cilkprof_u64 syncs, loop_spawns;
  /* OpenMP: whether a team of several would run this, in a parallel region that is; whether the task that runs is
     final: those that it makes are part of it; and so whether a task would be spawned here.  */
  __cilkprof_u64 team, final, deferring;
  __cilkprof_u64 last; /* clock mode: the timer at the last strand boundary; hybrid: at the last look at the CPU time */
  __cilkprof_u64 long_strand;  /* in ticks: a longer one is checked for preemption */
  __cilkprof_u64 look_after;   /* hybrid mode: ticks since the last look; then a strand begins with one */
  __cilkprof_u64 probes;       /* hybrid mode: instructions of events inside of strands, which are timed with them */
  __cilkprof_u64 short_strand; /* clock mode: a few instructions that took longer were interrupted */
  __cilkprof_u64 scale;        /* hybrid mode: units per tick, in 1/65536 */
  __cilkprof_u64 timer_cost;   /* clock mode: ticks to subtract at a boundary, */
  __cilkprof_u64 event_cost;   /* and where its event is called */
  struct __cilkprof_frame *frames, *frames_end; /* the innermost linked one; the end of their stack */
  __cilkprof_u64 untracked_frames;              /* open invocations for which there was none left */
  struct __cilkprof_block *blocks, *blocks_end; /* the same for open blocks */
  __cilkprof_u64 untracked_blocks;
  struct __cilkprof_frame *untracked_frame; /* of the outermost untracked block, */
  __cilkprof_u64 untracked_left;            /* and what was left of the grain around it */
  struct __cilkprof_foreign foreign;
  __cilkprof_u64 signals;                      /* handlers that are running */
  struct __cilkprof_interrupted *interrupted;  /* what each of them interrupted */
  __cilkprof_u64 recording;                    /* this thread is profiled, */
  struct __cilkprof_profiled_thread *profiled; /* and this is what else is kept for it */
  struct __cilkprof_entry *sink;               /* where the top of the log stays when nothing is kept in it */
  struct __cilkprof_series series[__CILKPROF_SERIES];
#ifdef __CILKPROF_WHATIF
  struct __cilkprof_lanes lanes;      /* a return slot */
  struct __cilkprof_lanes lane_units; /* what a unit of work that is done now costs on each lane */
  __cilkprof_u64 inside;              /* as that of a frame that is entered now */
#endif
};

/* Executables hold the engine themselves; a shared library may find it elsewhere.  */
#if !defined(__PIC__) || defined(__PIE__)
#define __CILKPROF_TLS_MODEL "local-exec"
#else
#define __CILKPROF_TLS_MODEL "initial-exec"
#endif
extern __thread struct __cilkprof_thread __cilkprof_self __attribute__((tls_model(__CILKPROF_TLS_MODEL)));

#ifdef __cplusplus
}
#endif
#endif
