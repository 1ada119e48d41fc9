/* The state of the process that is profiled, and names that the whole engine uses.  Start reading here; README.md
   explains the words and the data structures.
   SPDX-License-Identifier: MIT

   How an event works.  The compiler puts an event (abi/events.h), inlined or as a call (control/outline.c), wherever a
   function of the program is entered, calls, spawns, syncs or returns.  An event finds the state of the thread in
   THREAD and the state of the invocation in its frame, and adds the strand that has just ended to the frame.  When an
   invocation returns, its cost is added to its call site and to the on-span log (span/).  The folder control/ keeps the
   frames correct across code without events, signals, jumps and other threads.  When the program ends, profile/ writes
   the contents of the sites and of the log.

   The folders; each uses only those above it:
     time/     the timer, and the cost of strands
     names/    functions and source locations that users name
     whatif/   what-if questions
     span/     work and span: call sites, the on-span log, contexts, leaves
     roots/    parts of the program that are measured as programs of their own
     tasks/    blocks: loops, spawned blocks, OpenMP's tasks
     teams/    teams of OpenMP, as fibers
     control/  frames, stacks, signals, threads, code without instrumentation, events that are called
     workers/  the workers of a parallel run
     marks/    what the program marks itself: regions, points, callbacks
     tree/     the tree of sections, tasks and locks: what could run in parallel
     profile/  the file
     run/      start and end
   Calls in the other direction go through two tables that outer folders fill in, host.h and span/observer.h, and
   through two pointers that run/ sets for the live file, __cilkprof_pool and __cilkprof_first_site.  */

#ifndef CILKPROF_ENGINE_H
#define CILKPROF_ENGINE_H

#include <stddef.h>
#include <stdint.h>

/* In the engine the events are ordinary functions that work on frames in memory.  */
#define __CILKPROF_EVENT      static inline __attribute__((unused))
#define __CILKPROF_KEY(frame) ((frame)->key)
#include "libcilkprof/abi/events.h"
#include "fmt/profile.h"

typedef struct __cilkprof_site site_t;
typedef struct __cilkprof_frame frame_t;
typedef struct __cilkprof_block block_t;
typedef struct __cilkprof_entry entry_t;
typedef struct __cilkprof_function function_t;
typedef struct __cilkprof_context context_t;
typedef struct __cilkprof_timing_point timing_point_t;
typedef struct __cilkprof_calling_loop calling_loop_t;
/* Names that abi/events.def uses.  */
typedef uint64_t work_t;
typedef void body_t(void *data);

/* The highest number of roots, and of trees.  A tree is what is measured: tree 0 is the whole program, tree 1 + n is
   root n.  */
enum { MAX_ROOTS = 8, MAX_TREES = MAX_ROOTS + 1 };

#define HIDDEN __attribute__((visibility("hidden")))
#define EXPORT __attribute__((visibility("default")))
#define THREAD __cilkprof_self

/* The state of the process.  State that only the profiled thread changes is in struct __cilkprof_profiled_thread
   (profiled_thread.h).  */
struct engine {
  int started, finished;
  enum cilkprof_mode mode;
  uint64_t flags;  /* of the profile; set by flag() */
  uint64_t burden; /* in instructions */
  uint64_t loop_workers;
  site_t *first_site, *last_site; /* the sites that were reached, in the order of their first invocation */
  site_t *settled; /* no site up to this one has a pointer into a library that may be unloaded; NULL: none is known */
  struct __cilkprof_profiled_thread *profiled;
  uint64_t start_ns, start_monotonic_ns;
  uint64_t timer_hz;
  uint64_t timer_cost; /* the cost of reading the timer, in 1/1024 ticks */
  int unfollowed;      /* instrumented functions were called by code that seemed to call none */
  int pid;             /* of the process that started the engine */
  int process;         /* the id of this process: after a fork, the child's */
  int follow_all;      /* calls are never counted (span/counted.h) */
  int in_order;        /* all is recorded in the order of a serial run: the only one, or CILK_NWORKERS is 1 */
#ifdef __CILKPROF_PARALLEL
  char *records, *records_end; /* the first worker's records of the object that was loaded last */
#endif
  int requests; /* nonzero: a profile may have to be written while the program runs (run/request.c) */
};
extern HIDDEN struct engine __cilkprof_engine;
#define ENGINE __cilkprof_engine

/* Stands for the caller of functions that are entered from outside.  */
extern EXPORT function_t __cilkprof_outside;

/* Sets FLAGS, CILKPROF_..., in the flags of the profile.  Any thread may call it.  */
static inline void set_profile_flags(uint64_t flags) {
  __atomic_fetch_or(&ENGINE.flags, flags, __ATOMIC_RELAXED);
}

/* Returns whether one of FLAGS is set in the flags of the profile, which any thread may set meanwhile.  */
static inline int has_profile_flags(uint64_t flags) {
  return (__atomic_load_n(&ENGINE.flags, __ATOMIC_RELAXED) & flags) != 0;
}

/* Returns the site of the call that is under way in FRAME; NULL: there is none.  The low bits of FRAME->site hold the
   kind of the call, and are left out.  */
static inline site_t *called_site(const frame_t *frame) {
  return (site_t *)(frame->site & ~(uint64_t)__CILKPROF_CALL_KIND);
}

/* Returns whether other workers may have run children of FRAME since the last sync.  */
static inline int has_deferred_children(const frame_t *frame) {
#ifdef __CILKPROF_PARALLEL
  return frame->deferred != NULL;
#else
  (void)frame;
  return 0;
#endif
}

/* Returns TOP, the top of the log, with the mark that the next function is entered from outside.  */
static inline entry_t *marked_log_top(const entry_t *top) {
  return (entry_t *)((uint64_t)top | __CILKPROF_TOP_OUTSIDE);
}

#endif
