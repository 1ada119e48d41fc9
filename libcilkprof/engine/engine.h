/* The engine: what an instrumented program links.  Read this first; README.md has the drawing.
   SPDX-License-Identifier: MIT

   The life of an event.  The compiler puts a call of an event (abi/events.h) wherever a function of the program is
   entered, calls, spawns, syncs or leaves, inlined or as a call (control/outline.c).  An event finds the thread's state
   in THREAD and that of the invocation in its frame; it adds the strand that ends to the frame, and where an invocation
   returns, what that cost to its call site and to the log of what is on the span (span/).  Code that has no events,
   signals, jumps and other threads come between: control/ keeps the frames right.  At the end profile/ writes what the
   sites and the log hold.

   The rooms, each of which knows only those before it:
     time/     the timer, and what a strand cost
     names/    functions and places that users name
     whatif/   what-if questions
     span/     work and span: call sites, the log, contexts, leaves
     roots/    parts of the program that are measured as programs of their own
     tasks/    blocks: loops, spawned blocks, OpenMP's tasks
     control/  whose code runs: frames, stacks, signals, threads, code without instrumentation, events that are called
     marks/    what the program says of itself: regions, points, callbacks
     tree/     sections, tasks and locks: what could run in parallel
     profile/  the file
     run/      the beginning and the end
   What is called against that order is called through tables that the rooms above fill in: host.h and
   span/observer.h; and two pointers that run/ sets, for the live file: __cilkprof_pool and __cilkprof_first_site.  */

#ifndef CILKPROF_ENGINE_H
#define CILKPROF_ENGINE_H

#include <stddef.h>
#include <stdint.h>

/* The engine works on frames in memory: the same events, compiled as ordinary functions.  */
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
typedef struct __cilkprof_place place_t;
typedef uint64_t work_t; /* as abi/events.def has it */

/* So many parts of the program can be measured as roots.  A tree is what is measured: 0 is the program, the others are
   roots.  */
enum { ROOTS_MOST = 8, TREES_MOST = ROOTS_MOST + 1 };

#define HIDDEN __attribute__((visibility("hidden")))
#define EXPORT __attribute__((visibility("default")))
#define THREAD __cilkprof_self

/* The process.  What only a thread that is profiled changes is in struct __cilkprof_profiled_thread (profiled_thread.h).  */
struct engine {
  int started, finished;
  enum cilkprof_mode mode;
  uint64_t flags;  /* of the profile; set by flag() */
  uint64_t burden; /* in instructions */
  uint64_t loop_workers;
  site_t *first_site, *last_site;              /* that were reached, in that order */
  struct __cilkprof_profiled_thread *profiled; /* of the thread that is profiled */
  uint64_t start_ns, start_monotonic_ns;
  uint64_t timer_hz, timer_cost; /* the latter in 1/1024 ticks */
  int unfollowed;                /* functions were entered by what is not known to call any */
  int pid;                       /* of the process that started */
  int process;                   /* of this one: another after a fork */
  int requests;                  /* for a profile while the program goes on */
};
extern HIDDEN struct engine __cilkprof_engine;
#define ENGINE __cilkprof_engine

/* Any thread may.  */
static inline void flag(uint64_t flags) {
  __atomic_fetch_or(&ENGINE.flags, flags, __ATOMIC_RELAXED);
}

/* Words that hold an address and marks in its low bits: the call that is under way, and the log's top.  */
static inline site_t *called_site(const frame_t *frame) {
  return (site_t *)(frame->site & ~(uint64_t)__CILKPROF_CALL_KIND);
}
static inline entry_t *marked(const entry_t *top) { /* what is entered now is entered from outside */
  return (entry_t *)((uint64_t)top | __CILKPROF_TOP_OUTSIDE);
}

#endif
