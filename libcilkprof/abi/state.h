/* The engine's state: what is kept for a function, a call site, an invocation and a thread while the program runs.
   SPDX-License-Identifier: MIT

   This header and events.h are compiled into every instrumented unit (C89 to C2x, C++98 on), so they include nothing
   and every name in them begins with __cilkprof_.

   Terms, as in the papers: work is the cost of all strands, and span the cost of the longest path through them.  The
   burdened span has a burden on every continuation edge of Cilk, and on every edge to a task of OpenMP, where the task
   moves to another processor and not its maker.  Local values are what an invocation did itself, without its callees.
   An invocation keeps off_span, the work that is not on the span, in the place of the span: span = work - off_span.
   Code without parallelism has none, and so needs no state for it.  Likewise, burdened span = work - off_burdened_span.
   Burdens on the path are subtracted from off_burdened_span, so it is often negative, modulo 2^64.  */

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
struct __cilkprof_shares;
struct __cilkprof_counted;
struct __cilkprof_deferral;

struct __cilkprof_total {
  __cilkprof_u64 count, work, span, burdened_span;
};

#ifdef __CILKPROF_WHATIF
/* A build that also answers what-if questions (lanes.h).  */
#define __CILKPROF_CANDIDATES 7
typedef __cilkprof_u64 __cilkprof_pair __attribute__((vector_size(16)));
typedef __INT64_TYPE__ __cilkprof_signed_pair __attribute__((vector_size(16)));
struct __cilkprof_lanes {
  __cilkprof_pair pairs[__CILKPROF_CANDIDATES]; /* lanes where the candidate costs nothing, and where it is faster */
};
#endif

/* A call site.  The compiler allocates one statically wherever a function calls or spawns another.  */
struct __cilkprof_site {
  /* The first cache line is used by every invocation.  */
  __cilkprof_u64 active; /* the key of the open top-call-site invocation; 0: none is open */
  __cilkprof_u64 flags;  /* __CILKPROF_SITE_... */
  __cilkprof_u64 count, local_work, local_off_span, local_off_burdened_span;
  struct __cilkprof_function *function; /* the caller */
  union {
    struct __cilkprof_context *context; /* if contexts are recorded: that of the open top-call-site invocation */
    struct __cilkprof_entry *entry;     /* if not: the site's last entry in the log that is not of kind PLAIN */
  } last;
  /* The second cache line is used by top-call-site invocations.  */
  struct __cilkprof_total top_call_site, top_caller;
  const void *description; /* its slot (slots.h), by which its description is found */
  const void *callee;      /* of an indirect call, in the site for one callee: its address */
  const void *target;      /* set by the compiler if FOREIGN: the function that the site always calls */
  union {
    struct __cilkprof_site *callees;    /* of an indirect call: sites, one for each callee; in these, the next one */
    struct __cilkprof_counted *counted; /* of a counted call: what is known of it (engine/span/counted.h) */
  } learnt;
  struct __cilkprof_site *next; /* in the list of all sites that were reached */
  __UINT32_TYPE__ folded[3];    /* while the on-span log is folded: 1 + the index of its entry, by kind; 0: none */
  __cilkprof_u64 counted;       /* calls that counted code made (engine/span/counted.h) */
};

#define __CILKPROF_SITE_LISTED     1   /* the site is in the list of sites that were reached */
#define __CILKPROF_SITE_TOP_CALLER 2   /* the open top-call-site invocation is a top-caller invocation as well */
#define __CILKPROF_SITE_SPAWN      4   /* set by the compiler: the site spawns its callee */
#define __CILKPROF_SITE_FOREIGN    8   /* set by the compiler: the callee may have no instrumentation */
#define __CILKPROF_SITE_KNOWN      16  /* the callee is instrumented: it was called before, and is always the same */
#define __CILKPROF_SITE_LEAF       32  /* set by the compiler: the callee has no events (engine/span/leaf.h) */
#define __CILKPROF_SITE_SIMPLE     64  /* LISTED, and only the site's values are recorded: no contexts, no what-if */
#define __CILKPROF_SITE_SERIAL     128 /* set by the compiler: the callee has its events as calls, not inlined */
/* The numbers of further bits.  The first two are for what-if: one bit for each candidate, from that number on.  */
#define __CILKPROF_SITE_CANDIDATE 8  /* the site belongs to the candidate */
#define __CILKPROF_SITE_OUTERMOST 16 /* the open top-call-site invocation is the outermost one of the candidate */
#define __CILKPROF_SITE_MATCHED   24 /* what-if: the CANDIDATE bits have been set, */
#define __CILKPROF_SITE_NAMED     25 /* and also by the callee of an indirect call */
#define __CILKPROF_SITE_CALLING   24 /* not what-if: of a loop without values (engine/control/calling_loops.c) */
#define __CILKPROF_SITE_ROOT      26 /* invocations of the site are root invocations */
#define __CILKPROF_SITE_ENTERED   27 /* roots have also been looked up by the callee of an indirect call */
#define __CILKPROF_SITE_STANDING  28 /* stands in for another site, whose calls were counted and not followed */
#define __CILKPROF_SITE_COUNTED   29 /* LEARNT is what is known of the callee's calls, which are counted */
#define __CILKPROF_SITE_COUNTABLE 30 /* the callee can run without events; the compiler sets it for sites OUTSIDE */
#define __CILKPROF_SITE_COMPARES  31 /* OUTSIDE of what may compare: COUNTED are its invocations without events */
#define __CILKPROF_SITE_WORK      32 /* from here on, set by the compiler: the function's work since its last event */

/* An instrumented function.  */
struct __cilkprof_function {
  __cilkprof_u64 open;            /* the number of open top-call-site invocations of its sites */
  const __cilkprof_u64 *mode;     /* how its strands are measured */
  const void *address;            /* its own */
  struct __cilkprof_site outside; /* the site of its invocations by code without instrumentation */
};

/* A timing point: where strands of a function begin to be measured by the timer, in hybrid mode.  There is one at a
   loop, and at a call of code that is not counted.  The engine learns what these strands cost (engine/time).  */
struct __cilkprof_timing_point {
  __cilkprof_u64 skip;          /* how many executions are counted before one is timed */
  __cilkprof_u64 factor;        /* the cost of an instruction, in 1/65536 units */
  __cilkprof_u64 timer, before; /* when the current execution began, or was resumed; what it took before */
  /* Sums over executions that were timed.  */
  __cilkprof_u64 instructions, units;
  __UINT32_TYPE__ executions, watched;          /* WATCHED: how many are timed next, because one was long */
  __cilkprof_u64 last_instructions, last_units; /* of the last one that no sample disturbed */
  __cilkprof_u64 held;                   /* the first sample that waits for the next one (engine/span/samples.c) */
  __cilkprof_u64 factor_before, steady;  /* FACTOR when older ones lost half their weight; it was steady then */
  __cilkprof_u64 varies, seen, outliers; /* 1: they run code not counted; sums of all, and of very long ones */
};

#define __CILKPROF_LONG 10000 /* a strand that is known to have so many instructions is always timed */

/* An entry of the on-span log (engine/span/log.c): invocations of one site on the longest path.  */
struct __cilkprof_entry {
  __cilkprof_u64 key; /* the address of the site or tally, with __CILKPROF_ENTRY_... in its low bits */
  __cilkprof_u64 local_work, local_off_span, local_off_burdened_span;
  __cilkprof_u64 count;                     /* not set in an entry of kind ONE */
  __cilkprof_u64 work, span, burdened_span; /* not set in an entry of kind ONE or PLAIN */
};

#define __CILKPROF_ENTRY_ONE        0 /* a single invocation that is below another one of its site */
#define __CILKPROF_ENTRY_PLAIN      1 /* any number of them */
#define __CILKPROF_ENTRY_TOP_SITE   2
#define __CILKPROF_ENTRY_TOP_CALLER 4
#define __CILKPROF_ENTRY_TALLY      6 /* an entry of a context or of a root's site, without local values */
#define __CILKPROF_ENTRY_LEAF       1 /* with TOP_SITE or TOP_CALLER: work, span and burdened span are the local work */
#define __CILKPROF_ENTRY_KIND       7
#define __CILKPROF_ENTRY_HOLE       7 /* as the whole key: entries from address LOCAL_WORK to here are skipped */

/* A foreign call: code without instrumentation that is running, and the cost of the instrumented functions that it
   called.  */
struct __cilkprof_foreign {
  __cilkprof_u64 work, span, burdened_span; /* of its finished callees */
  __cilkprof_u64 local_work;                /* its own work, in clock mode */
  __cilkprof_u64 started, apart;            /* the timer when it was called, moved on by callees that did APART */
  __cilkprof_u64 key;   /* identifies the call: the address of the calling frame; 1: the start of the program */
  __cilkprof_u64 stack; /* the end of the stack when it was called */
  const void *expected; /* the address of the callee, until it shows that it is instrumented */
  struct __cilkprof_site *entered; /* the last function that it called, whose totals are still in the return slots */
  __cilkprof_u64 instrumented;  /* 1 and flags of the callee, if it turned out to be instrumented: it is not foreign */
  struct __cilkprof_site *leaf; /* a leaf that it calls repeatedly: LEAF_COUNT invocations are not booked yet, */
  __cilkprof_u64 leaf_count, leaf_work; /* which have done LEAF_WORK */
  __cilkprof_u64 probes;                /* instructions of events that its leaves called, which took time as well */
  __cilkprof_u64 counting_since, counted_before; /* 0, or: its leaf runs without events since; as often before */
  __cilkprof_u64 entered_key, entered_at;        /* of ENTERED, if its last event books it; the timer then */
#ifdef __CILKPROF_WHATIF
  struct __cilkprof_lanes lanes; /* of its finished callees */
#endif
};

/* Invocations of a leaf in a loop that are not booked yet (engine/span/series.h).  */
struct __cilkprof_series {
  struct __cilkprof_site *site; /* NULL: none */
  __cilkprof_u64 left;          /* how many more can be counted before they are booked */
  __cilkprof_u64 work;
};

#define __CILKPROF_SERIES 4  /* the number of series of a thread: neighbouring sites use different ones */
#define __CILKPROF_LINE   64 /* bytes of a cache line */

/* The frame of an invocation.  All values are sums since its start.  The frame is in registers of the function if no
   callee can leave it behind (by exit, longjmp or an exception).  Otherwise it is in a stack of frames that the thread
   has besides its own stack, where it is still complete when control has left it.  Such a frame is called linked.  */
struct __cilkprof_frame {
  /* The first cache line is for calls.  */
  struct __cilkprof_entry *top;             /* of the on-span log, see LONGEST_START */
  __cilkprof_u64 work, span, burdened_span; /* of callees that returned: WORK of all, spans of those on the path */
  /* Linked frames only: the call that is under way.  */
  __cilkprof_u64 local_work; /* before the call */
  __cilkprof_u64 site;       /* its address and __CILKPROF_CALL_...; 0: no call is under way */
  __cilkprof_u64 key;
  /* Functions with their events as calls, in hybrid mode: the timing point where the strand began to be timed, or 0,
     and the local work before it.  */
  __cilkprof_u64 begin, before_begin;
  /* The second cache line is for the longest path up to here.  */
  __cilkprof_u64 off_span, off_burdened_span; /* of the function's own work */
  __cilkprof_u64 spawned; /* __CILKPROF_CHILDREN_...: children since the last sync; 0: none, LONGEST_... are not set */
  struct __cilkprof_entry *base, *segment; /* entries from SEGMENT on may be folded together */
  struct __cilkprof_entry *merge;          /* entries from here on are on the same path as one that is pushed now */
  struct __cilkprof_block *block;          /* the innermost open block */
  /* The third cache line is for these children.  */
  __cilkprof_u64 longest_span, longest_own; /* the longest path to the end of a child; this function's part of it */
  __cilkprof_u64 longest_burdened, longest_burdened_own;
  struct __cilkprof_entry *longest_start, *longest_end; /* the log has the path up to here from BASE to TOP,
                                                            and the longest child's between these two */
  __cilkprof_u64 left, grains;            /* in a cilk_for: iterations left before its next event; grains that ended */
  struct __cilkprof_entry *outer_segment; /* while a child runs: SEGMENT as it was before */
#ifdef __CILKPROF_WHATIF
  struct __cilkprof_lanes lanes, longest_lanes; /* the longest paths: up to here, and to the end of a child */
  __cilkprof_u64 inside;                        /* a bit for each candidate that it is part of */
#endif
#ifdef __CILKPROF_PARALLEL
  /* The last child since the last sync that other workers may run, which leads to the others (engine/workers); and the
     last of them before the called child with the longest path, and before that with the longest burdened path.  */
  struct __cilkprof_deferral *deferred, *longest_after, *longest_burdened_after;
#endif
  /* The rest is only used while a call is under way.  A block saves everything before it.  */
  struct __cilkprof_foreign outer; /* during a foreign call: the one around it */
  __cilkprof_u64 region;           /* during a call that is TASK and LEFT: as REGION of a block */
  __cilkprof_u64 sampled;          /* during a call that could have been counted: it is followed to learn from it */
  /* In a loop with two bodies, after the event of an iteration: how many iterations run in the body without events,
     from this one on (engine/control/counted_loops.c).  */
  __cilkprof_u64 counted_left;
};

/* Flags of WORK in a frame, and in the return slots.  A child with much work is noted (engine/span/pieces.h).  */
#define __CILKPROF_WORK_HOLDS (1ull << 62) /* long children were noted in the invocation */
#define __CILKPROF_WORK_OPEN  (1ull << 63) /* and some of them are the function's own, and not joined yet */
#define __CILKPROF_WORK_FLAGS (3ull << 62)
#ifndef __CILKPROF_LONG_CHILD       /* a test defines another one */
#define __CILKPROF_LONG_CHILD 65536 /* a child with more work is long */
#endif
#ifdef __CILKPROF_PARALLEL /* no child is noted where several workers run */
#define __CILKPROF_NOTES_CHILDREN 0
#else
#define __CILKPROF_NOTES_CHILDREN 1
#endif

#define __CILKPROF_CHILDREN_JOINED 1 /* the function waits for them before it returns */
#define __CILKPROF_CHILDREN_TASKS  2 /* they are tasks of OpenMP: it does not wait for them */

#define __CILKPROF_TASK_FINAL   2           /* one of libgomp's flags of a task */
#define __CILKPROF_TASK_LIBRARY 0x80000000u /* not one of them: no parallel region is needed for it to be deferred */

#define __CILKPROF_CALL_SPAWN   1
#define __CILKPROF_CALL_FOREIGN 2
#define __CILKPROF_CALL_LEAF    4  /* a leaf, found at run time: it is not open.  Without a site: a series is pending */
#define __CILKPROF_CALL_LEFT    8  /* the callee has left tasks behind (engine/tasks/task.c), or it has a region */
#define __CILKPROF_CALL_TASK    16 /* the call is a task of OpenMP, */
#define __CILKPROF_CALL_FINAL   32 /* and final, although its maker is not */
#define __CILKPROF_CALL_KIND    63

/* Iterations of a loop that are followed as a sample, and fields of the frame as they were before them.  */
struct __cilkprof_sample {
  __cilkprof_u64 iterations; /* 0: there is no sample */
  struct __cilkprof_entry *top, *segment, *merge;
  __cilkprof_u64 local_work, work, span;
};

/* A serial loop with two bodies, in a variable of its function (engine/control/calling_loops.c).  */
struct __cilkprof_calling_loop {
  __cilkprof_u64 left;                /* iterations that are followed before the loop's next event */
  __cilkprof_u64 passed;              /* iterations that began, and those that are LEFT or counted */
  struct __cilkprof_counted *counted; /* what is known of the loop; 0: all its iterations are followed */
  struct __cilkprof_sample sample;
};

/* A block: a part of a function that is measured like an invocation, or that syncs by itself.  Blocks are a cilk_for, a
   cilk_scope, a spawned call whose callee has no code of its own, and OpenMP's constructs.  */
struct __cilkprof_block {
  struct __cilkprof_frame outer; /* the function's frame before the block, without what only calls use */
  __cilkprof_u64 outer_work;     /* the function's local work before the block */
  __cilkprof_u64 kind;           /* __CILKPROF_BLOCK_... */
  /* cilk_for: grains are the children of a balanced tree.  */
  __cilkprof_u64 grain;       /* iterations per grain */
  __cilkprof_u64 grain_given; /* the program gave the grain */
  __cilkprof_u64 grain_rest;  /* iterations of this grain after those that are LEFT; 0: the grain ends with them */
  __cilkprof_u64 first;       /* LEFT when the loop began */
  __cilkprof_u64 cost;        /* the spans of the grains that ended, added up */
  /* A loop with two bodies (engine/control/counted_loops.c).  */
  struct __cilkprof_counted *counted; /* what is known of it; 0: all its iterations are followed */
  __cilkprof_u64 rest;                /* iterations before the loop's next event that come after those that are LEFT */
  __cilkprof_u64 trips;               /* a cilk_for's iterations, if the compiler can tell before it begins; else 0 */
  __cilkprof_u64 even;                /* short grains that run as one, and count as equally long; or 1 */
  struct __cilkprof_sample sample;
  /* OpenMP.  */
  __cilkprof_u64 flags;             /* __CILKPROF_BLOCK_OPEN and the flags after it */
  __cilkprof_u64 remaining, least;  /* of a guided schedule: iterations left; the least size of a chunk */
  struct __cilkprof_shares *shares; /* of a static schedule: the shares of threads (engine/tasks/shares.c); or 0 */
  __cilkprof_u64 team, final;       /* those of the thread before the block */
  __cilkprof_u64 region;            /* identifies it for paths to its tasks (engine/tasks/paths.c); 0: there are none */
  const void *depend;               /* of a task: its dependences, as libgomp gets them; or 0 */
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
#define __CILKPROF_BLOCK_OPEN    8  /* code in it belongs to the task around it */
#define __CILKPROF_BLOCK_NOWAIT  16 /* a loop with nowait: it is spawned */
#define __CILKPROF_BLOCK_BARRIER 64 /* a loop that ends with a barrier */
#define __CILKPROF_BLOCK_TASK    32 /* OpenMP's: with LOOP a team's loop, with SPAWN or CALL a task */

/* How a team divides a loop: the schedule clause, or a clause of a taskloop.  */
#define __CILKPROF_SCHEDULE_STATIC    0
#define __CILKPROF_SCHEDULE_DYNAMIC   1
#define __CILKPROF_SCHEDULE_GUIDED    2
#define __CILKPROF_SCHEDULE_RUNTIME   3
#define __CILKPROF_SCHEDULE_GRAINSIZE 4
#define __CILKPROF_SCHEDULE_NUM_TASKS 5
#define __CILKPROF_SCHEDULE_KIND      7
#define __CILKPROF_SCHEDULE_UNSIGNED  8 /* the loop's variable is unsigned */

/* Marks in the low bits of the thread's TOP, the top of the log.  */
#define __CILKPROF_TOP_OUTSIDE 1 /* a function that is entered now is entered from outside, */
#define __CILKPROF_TOP_CHARGED 2 /* during a charged call of an instrumented function */
#define __CILKPROF_TOP_MARKS   3
/* An instrumented function calls another, without a spawn, and both have their events as calls.  */
#define __CILKPROF_TOP_SERIAL 4

/* TEAM of a thread, in a parallel region of OpenMP.  */
#define __CILKPROF_TEAM_OF_ANY_SIZE 1 /* one thread does what a team would, and marks what could be at once */
#define __CILKPROF_TEAM_FIBERS      2 /* a fiber does what one thread of a team would (engine/teams) */

#define __CILKPROF_SHARE 2 /* of a task that is a section or the like: the thread that gets to it in a team runs it */

/* What the event taskwait waits for.  */
#define __CILKPROF_WAIT_CHILDREN 0
#define __CILKPROF_WAIT_BARRIER  1
#define __CILKPROF_WAIT_END      2 /* of the region: for all tasks */
#define __CILKPROF_WAIT_TURN     3 /* until no fiber is earlier that could get the next part of the work */

/* Making a task of OpenMP costs this fraction of the burden: it goes to a queue that threads share.  */
#define __CILKPROF_MAKING 16

/* A thread.  The first fields are the return slots: what an invocation returns to its caller besides its value.  */
struct __cilkprof_thread {
  __cilkprof_u64 local_work, local_off_span, local_off_burdened_span;
  __cilkprof_u64 work, span, burdened_span;
  struct __cilkprof_entry *top;   /* of the log; marked, except while an instrumented function calls another directly */
  struct __cilkprof_entry *limit; /* of the log; 0 if the thread is not recorded */
  struct __cilkprof_entry *hole;  /* the log has no hole beyond it */
  __cilkprof_u64 fold_bytes;      /* a segment of the log is folded when it is longer */
  __cilkprof_u64 long_child;      /* a child with more work is long, __CILKPROF_LONG_CHILD; 0 if SAMPLED */
  __cilkprof_u64 sampled;         /* __CILKPROF_LONG if samples wait for the end of this strand, else 0 (engine/span) */
  __cilkprof_u64 burden, loop_node; /* the cost of moving work; of a node in the tree of a cilk_for */
  __cilkprof_u64 syncs, loop_spawns;
  /* OpenMP.  TEAM, __CILKPROF_TEAM_...: in a parallel region, which a team of several threads would run.  FINAL: the
     current task is, so tasks that it makes are part of it.  DEFERRING: a task that is made now is spawned.  */
  __cilkprof_u64 team, final, deferring;
  __cilkprof_u64 last; /* the timer: in clock mode at the last strand boundary, in hybrid mode at the last look */
  __cilkprof_u64 long_strand;  /* in ticks: longer strands are checked for preemption */
  __cilkprof_u64 look_after;   /* hybrid mode: after so many ticks, a strand begins with another look at the CPU time */
  __cilkprof_u64 probes;       /* hybrid mode: instructions of events inside strands, which are timed with them */
  __cilkprof_u64 short_strand; /* clock mode, in ticks: a few instructions that took longer were interrupted */
  __cilkprof_u64 scale;        /* hybrid mode: units per tick, in 1/65536 */
  __cilkprof_u64 timer_cost;   /* clock mode: ticks to subtract at a strand boundary, */
  __cilkprof_u64 event_cost;   /* and at one whose event is a call */
  struct __cilkprof_frame *frames, *frames_end; /* the innermost linked frame; the end of the stack of frames */
  __cilkprof_u64 untracked_frames;              /* open invocations for which no frame was left */
  struct __cilkprof_block *blocks, *blocks_end; /* the innermost open block; the end of their stack */
  __cilkprof_u64 untracked_blocks;
  struct __cilkprof_frame *untracked_frame; /* the frame of the outermost untracked block, */
  __cilkprof_u64 untracked_left;            /* and its LEFT before that block */
  struct __cilkprof_foreign foreign;
  __cilkprof_u64 signals;                      /* the number of signal handlers that are running */
  struct __cilkprof_interrupted *interrupted;  /* the state that each of them interrupted */
  __cilkprof_u64 recording;                    /* whether this thread is profiled */
  struct __cilkprof_profiled_thread *profiled; /* the rest of the state of the profiled thread */
  struct __cilkprof_entry *sink;               /* the top of the log while nothing is kept in it */
  struct __cilkprof_series series[__CILKPROF_SERIES];
  /* Counted calls (engine/control/counted.c).  */
  __cilkprof_u64 counting;           /* nonzero, __CILKPROF_COUNTING_...: functions that can run without events do so */
  __cilkprof_u64 counted_since;      /* the timer when the counted call under way began; 0: it is not timed */
  __cilkprof_u64 following;          /* how many more calls are followed, because all inside of a sampled one are */
  struct __cilkprof_frame *sampling; /* the frame that made the sampled call */
  __cilkprof_u64 began_anew;         /* whether what returned to code without events began anew with them, to spawn */
  __cilkprof_u64 in_guard;           /* whether the counted call is of a function that has yet to decide if it spawns */
#ifdef __CILKPROF_PARALLEL
  __cilkprof_u64 records;           /* the distance from the records of the first worker to those of this one */
  struct __cilkprof_site *spawning; /* the site of the call that is about to be spawned, */
  __cilkprof_u64 indirectly;        /* and whether it has several callees */
  __cilkprof_u64 absent;            /* it waits for other workers, or runs what is not recorded here */
#endif
#ifdef __CILKPROF_WHATIF
  struct __cilkprof_lanes lanes;      /* a return slot */
  struct __cilkprof_lanes lane_units; /* the cost of a unit of work now, on each lane */
  __cilkprof_u64 inside;              /* INSIDE of a frame that is entered now */
#endif
};

#define __CILKPROF_COUNTING_CALL      1 /* a counted call is under way */
#define __CILKPROF_COUNTING_RUN       2 /* the program runs without events (engine/profile/reference.c) */
#define __CILKPROF_COUNTING_CALLBACKS 3 /* a function like qsort calls a leaf back (engine/control/callbacks.c) */

/* An executable contains the engine; a shared library may find it in another object.  */
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
