/* What the parts of the engine share.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_ENGINE_H
#define CILKPROF_ENGINE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/* The engine works on frames in memory: the same events, compiled as ordinary functions.  */
#define __CILKPROF_EVENT      static inline __attribute__((unused))
#define __CILKPROF_KEY(frame) ((frame)->key)
#include "libcilkprof/events.h"
#include "fmt/profile.h"

typedef struct __cilkprof_site site_t;
typedef struct __cilkprof_frame frame_t;
typedef struct __cilkprof_block block_t;
typedef struct __cilkprof_record record_t;
typedef struct __cilkprof_function function_t;
typedef struct __cilkprof_context context_t;
typedef struct __cilkprof_place place_t;

#define HIDDEN __attribute__((visibility("hidden")))
#define EXPORT __attribute__((visibility("default")))
#define THREAD __cilkprof_self

/* The process.  Only the thread that is profiled changes it.  */
struct engine {
  int started, finished;
  enum cilkprof_mode mode;
  uint64_t flags;
  uint64_t burden; /* in instructions */
  uint64_t loop_workers;
  site_t *first_site, *last_site; /* that were reached, in that order */
  context_t *context;             /* the current one; NULL: they are not recorded */
  uint64_t start_ns, start_monotonic_ns;
  uint64_t timer_hz, timer_cost; /* the latter in 1/1024 ticks */
  uint64_t preempted_strands, preempted_ticks;
  int unfollowed; /* functions were entered by what is not known to call any */
  int pid;        /* of the process that started */
  int process;    /* of this one: another after a fork */
  int requests;   /* for a profile while the program goes on */
};
extern HIDDEN struct engine __cilkprof_engine;
#define ENGINE __cilkprof_engine

/* memory.c: address space, which becomes memory where it is written to; NULL when there is none.  errno is kept.  */
HIDDEN void *__cilkprof_reserve(size_t bytes);
HIDDEN void *__cilkprof_allocate(size_t bytes); /* zeros, for good; NULL when there is no memory */

/* log.c: the on-span log of the thread that is profiled.  */
enum { SINK_RECORDS = 4 };
HIDDEN int __cilkprof_log_start(void);
/* Sums what is on the span; returns the number of records and where they are.  A site's are named by its FOLDED.  */
HIDDEN size_t __cilkprof_log_sum(const record_t **records);

/* context.c: a calling context, a node in their tree.  */
struct __cilkprof_context {
  context_t *parent;
  site_t *site;
  context_t *last; /* child that was entered last */
  struct __cilkprof_total on_work;
  uint64_t folded; /* as in a site */
};
HIDDEN int __cilkprof_contexts_start(void);
HIDDEN void __cilkprof_context_enter(site_t *site);
HIDDEN record_t *__cilkprof_context_leave(site_t *site, record_t *top); /* returns the new top of the log */
HIDDEN void __cilkprof_contexts_moved(site_t *(*moved)(site_t *site));
HIDDEN const context_t *__cilkprof_contexts(size_t *count); /* parents first; that of the first ones lies before all */

/* site.c: adds what is in the return slots.  */
HIDDEN void __cilkprof_add_total(struct __cilkprof_total *total);

HIDDEN void __cilkprof_log_moved(site_t *(*moved)(site_t *site)); /* sites are elsewhere now */

/* foreign.c */
HIDDEN void __cilkprof_settle(void); /* books the totals of the last callee of the code without instrumentation */

HIDDEN void __cilkprof_skip_time(uint64_t ticks); /* that were not the program's */

HIDDEN void __cilkprof_foreign_boundary(void); /* clock mode: foreign code reaches a strand boundary */

/* quiet.c: code of the program is entered during a quiet call.  It runs as if foreign code had called it, until the
   function that made the call is running again; or its frame is left; or control is in foreign code outside, which KEY
   identifies.  */
HIDDEN void __cilkprof_quiet_entered(void);
HIDDEN void __cilkprof_quiet_left(frame_t *frame);
HIDDEN void __cilkprof_quiet_left_to(uint64_t key);
HIDDEN void __cilkprof_quiet_end(void);
HIDDEN const frame_t *__cilkprof_quiet_caller(void); /* NULL: it is not by a quiet call that foreign code runs */
HIDDEN void __cilkprof_quiet_skip_time(uint64_t ticks);
HIDDEN size_t __cilkprof_quiet_depth(void); /* quiet calls that run code of the program */

/* frame.c */
HIDDEN void __cilkprof_finish_call(frame_t *frame);
HIDDEN void __cilkprof_finish_block(frame_t *frame);
HIDDEN int __cilkprof_frames_start(void);
/* This thread uses these frames, and the one behind them for all invocations that find none left; and these blocks.  */
HIDDEN void __cilkprof_use_frames(frame_t *frames, size_t count, block_t *blocks, size_t block_count);
HIDDEN void __cilkprof_abandon_all(void);
HIDDEN frame_t *__cilkprof_first_frame(void); /* of the thread that is profiled */

HIDDEN void __cilkprof_frames_left(frame_t *frame);
HIDDEN void __cilkprof_clear_slots(void);      /* those of what returns: it cost nothing */
HIDDEN void __cilkprof_lost_frames_left(void); /* all invocations for which no frame was left */

/* stack.c: a thread starts; control enters a function below what was called when the stack reached to FROM; it is back
   in FRAME.  The last returns whether the program switched stacks.  */
HIDDEN void __cilkprof_stack_start(frame_t *frames, frame_t *frames_end, block_t *blocks, block_t *blocks_end);
HIDDEN void __cilkprof_stack_entered(uint64_t from);
HIDDEN int __cilkprof_stack_returned(frame_t *frame);

/* signal.c */
HIDDEN int __cilkprof_signals_start(void);
HIDDEN void __cilkprof_signals_end(void);
HIDDEN void __cilkprof_signals_abandoned(const frame_t *frame);

/* clock.c */
HIDDEN void __cilkprof_clock_start(void);
HIDDEN uint64_t __cilkprof_now_ns(void);
/* What happens between the two is not the program's.  The second returns how long it took, in ticks.  */
struct cilkprof_pause {
  uint64_t ticks, cpu_ns;
};
HIDDEN void __cilkprof_clock_pause(struct cilkprof_pause *pause);
HIDDEN uint64_t __cilkprof_clock_continue(const struct cilkprof_pause *pause);
HIDDEN uint64_t __cilkprof_units_per_second(void);
HIDDEN uint64_t __cilkprof_ticks_to_units(uint64_t ticks);
HIDDEN uint64_t __cilkprof_look(void);                  /* at the CPU time; returns the timer */
HIDDEN uint64_t __cilkprof_time(uint64_t begin);        /* hybrid mode: what was timed since then, in units of work */
HIDDEN uint64_t __cilkprof_own_ticks(void);             /* the timer without the time that others had */
HIDDEN void __cilkprof_not_this_strand(uint64_t units); /* hybrid mode: of what it will have taken in the end */

HIDDEN void __cilkprof_forget_others(void); /* a strand begins to be timed: they were another's */

/* place.c */
HIDDEN void __cilkprof_places_start(void);
/* Hybrid mode: what a strand is worth that took so many units, if it is long enough for that to be known.  */
HIDDEN uint64_t __cilkprof_timed(uint64_t units);
HIDDEN void __cilkprof_timed_start(uint64_t scale);
HIDDEN uint64_t __cilkprof_timed_units(uint64_t *as_timed); /* of all of them; and without the scale */

/* api.c: where FRAME's function is; it returns, and has named strands.  */
EXPORT void __cilkprof_here(frame_t *frame, uint64_t local_work);
EXPORT void __cilkprof_strands_end(frame_t *frame, uint64_t local_work);

/* thread.c: a thread that is not profiled reaches instrumented code.  */
HIDDEN void __cilkprof_thread_start(void);

/* start.c */
HIDDEN void __cilkprof_start(const function_t *function);
/* Ends all that is open and writes the profile of process PID.  Returns 0, or -1 when it cannot be written.  */
HIDDEN int __cilkprof_finish(int pid);
/* A limit on the size of files, or a closed pipe, must not end the program where the engine writes.  */
struct cilkprof_signals {
  struct sigaction too_large, no_reader;
};
HIDDEN void __cilkprof_ignore_signals(struct cilkprof_signals *saved);
HIDDEN void __cilkprof_restore_signals(const struct cilkprof_signals *saved);
/* While a handler would find half a thread.  */
HIDDEN void __cilkprof_block_signals(sigset_t *before);
HIDDEN void __cilkprof_unblock_signals(const sigset_t *before);
HIDDEN void __cilkprof_say(const char *what, const char *why, const char *advice); /* one line on standard error */

HIDDEN void __cilkprof_end(void); /* writes the profile of a process that ends, once */

/* request.c: profiles on request.  The second is called where __cilkprof_snapshot may be, when there are requests.  */
HIDDEN void __cilkprof_requests_start(uint64_t interval);
HIDDEN void __cilkprof_answer(void);

/* output.c */
HIDDEN void __cilkprof_output_start(void);
HIDDEN int __cilkprof_output(int pid);
HIDDEN const char *__cilkprof_output_name(void); /* NULL: it has none, or it is no regular file's */
/* What a profile begins with: all that is known before its sites.  */
HIDDEN void __cilkprof_write_preamble(struct cilkprof_writer *writer, uint64_t flags);

/* Burdened spans as they are written: the largest number where they may have wrapped.  */
HIDDEN void __cilkprof_limit_burdened(struct cilkprof_measure *measures, size_t count);

/* point.c: how far the program is, in FROM, a linked frame that is open.  */
struct cilkprof_point {
  uint64_t work, span, burdened_span;
  const void *scope;      /* on one serial path, this, */
  uint64_t grain, before; /* this, and the work before it are the same */
};
HIDDEN struct cilkprof_point __cilkprof_point(const frame_t *from);
HIDDEN int __cilkprof_same_scope(const struct cilkprof_point *a, const struct cilkprof_point *b);

/* api.c: around what a program asks for; the first returns whether it is recorded.  */
HIDDEN int __cilkprof_api_begins(void);
HIDDEN void __cilkprof_api_ends(void);

extern EXPORT void __cilkprof_here(frame_t *frame, uint64_t local_work);
extern EXPORT void __cilkprof_strands_end(frame_t *frame, uint64_t local_work);

/* callbacks.c: control left FRAME without a return.  */
HIDDEN void __cilkprof_callback_left(const frame_t *frame);

/* region.c */
HIDDEN void __cilkprof_region_start(const char *label);
HIDDEN void __cilkprof_region_stop(const char *label);
HIDDEN void __cilkprof_region_add(const char *label, uint64_t work, uint64_t span, uint64_t burdened_span);
HIDDEN void __cilkprof_regions_left(const frame_t *frame);
HIDDEN void __cilkprof_regions_end(int end_here);
HIDDEN void __cilkprof_regions_write(struct cilkprof_writer *writer);
HIDDEN void __cilkprof_strand_begin(const char *name);
HIDDEN void __cilkprof_strand_end(const frame_t *frame, const block_t *block, uint64_t local_work);

/* snapshot.c: writes the profile as if the program ended here; it goes on as if nothing had happened.  Only for places
   where every open frame is linked: those that instrumented code reached by a foreign call.  Returns 0, or -1 when
   nothing was written.  */
HIDDEN int __cilkprof_snapshot(void);

/* objects.c: the program, which is the first, and the libraries that hold sites and callees.  */
struct cilkprof_place {
  uint32_t object;  /* CILKPROF_NO_OBJECT: it is in none */
  uint64_t address; /* in the object's file */
};
HIDDEN void __cilkprof_objects_start(void);
HIDDEN struct cilkprof_place __cilkprof_place_of(const void *address);
HIDDEN const void *__cilkprof_place_after_unloading(const void *address); /* the same for place_of; NULL: it has none */
HIDDEN void __cilkprof_object_unloaded(uint32_t index);
HIDDEN void __cilkprof_object_range(uint32_t index, uint64_t *low, uint64_t *high); /* in memory; both 0: it is gone */
HIDDEN uint32_t __cilkprof_object_count(void);
HIDDEN struct cilkprof_object __cilkprof_object(uint32_t index); /* its path until the next one is asked for */
HIDDEN const uint64_t *__cilkprof_load_addresses(void);

#endif
