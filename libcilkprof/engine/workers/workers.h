/* The workers of a parallel run: what each of them records, and how it is added up.
   SPDX-License-Identifier: MIT

   Only the engine for programs that are compiled with -fcilkprof=parallel has this folder.  A child that is
   deferred, for another worker or for the join, is a passage: whoever runs it records it with a recorder of its own, as
   if the program began there.  Its result is what its sites got, and its part of the on-span log.  The function that
   spawned it adds the result to its own at the sync that joins the child, one level up at a time.  */

#ifndef CILKPROF_WORKERS_H
#define CILKPROF_WORKERS_H

#include "fmt/profile.h"
#include "libcilkprof/engine/profiled_thread.h"
#include "libcilkprof/engine/time/clock.h"
#include "libcilkprof/sampler/sampler.h"

/* What a site got in a passage.  */
struct site_result {
  site_t *site;       /* that of the first worker; of an indirect call, the one for all callees */
  const void *callee; /* of an indirect call */
  int leaf;           /* whether its callee is a leaf */
  uint64_t count, local_work, local_off_span, local_off_burdened_span;
  struct __cilkprof_total top_call_site, top_caller;
};

/* What a loop got in a passage.  */
struct loop_result {
  uint64_t site; /* the index of its site */
  struct cilkprof_loop sums;
};

/* The result of a passage.  The key of an entry is 8 times the index of its site, or the number of the call path whose
   samples it has, and its kind.  */
struct passage_result {
  uint64_t work, span, burdened_span, syncs, loop_spawns;
  uint64_t preempted_strands, preempted_ticks;
  uint64_t deferred, stolen; /* children, without the passage itself */
  int in_place; /* it was recorded where its parent is: no sites and loops, and keys of entries are as in the log */
  size_t site_count, entry_count, loop_count;
  struct site_result *sites;
  entry_t *entries;
  struct loop_result *loops;
};

/* A child that was deferred.  */
struct __cilkprof_deferral {
  struct __cilkprof_deferral *next; /* the next child of the same frame; of the last one, the first */
  site_t *site;                     /* its site, of the first worker; of an indirect call, the one for all callees */
  const void *callee;               /* of an indirect call, or NULL */
  uint64_t burden, loop_node;
  const void *spawner;                 /* tells the thread that spawned it from others, */
  const struct __cilkprof_r_frame *in; /* the runtime's frame of the function that did, */
  frame_t *frame;                      /* and the engine's, if it is linked and the function calls its events */
  int stolen;                          /* another thread ran it */
  struct sampled_place place;          /* for samples of it */
  /* The function that spawned it, when it did.  */
  entry_t *base;     /* where its part of the log began */
  entry_t *position; /* where the path to the child ends in the log */
  uint64_t own, here, burdened_own, burdened_here;
  struct passage_result *result; /* NULL: there is none yet, or no memory */
};

/* What a worker needs to record a passage.  The records of functions and sites are like those of the first worker.  */
struct recorder {
  struct recorder *next;          /* one that the same thread does not use */
  struct recorder *made_before;   /* any other */
  struct __cilkprof_thread state; /* when a passage begins */
  struct __cilkprof_profiled_thread profiled;
};

struct __cilkprof_r_frame;
struct __cilkprof_r_site;

/* run.c: returns whether only one worker runs, which passes nothing to others.  */
HIDDEN int __cilkprof_is_one_worker(void);
/* Begins the measurement of a run on several workers, when that of the first one has begun.  */
HIDDEN void __cilkprof_workers_start(void);
/* Writes how the run went to the profile.  */
HIDDEN void __cilkprof_workers_write(struct cilkprof_writer *writer);

/* recorder.c: makes new recorders measure like this thread, the first worker, which has been set up; or makes none,
   where it is the only one.  */
HIDDEN void __cilkprof_recorders_start(void);
/* Returns whether passages can be recorded.  */
HIDDEN int __cilkprof_recorders_usable(void);
/* Returns a recorder that this thread does not use, or NULL if there is no memory; and gives it back.  */
HIDDEN struct recorder *__cilkprof_recorder_take(void);
HIDDEN void __cilkprof_recorder_give(struct recorder *recorder);

/* modes.c: returns whether LOADED, a function of an object that is loaded, was compiled for another mode than FIRST,
   and says so.  SLOT is in the object.  */
HIDDEN int __cilkprof_mode_differs(const function_t *first, const function_t *loaded, const void *slot);

/* buffers.c: memory that one worker takes and another gives back.  Returns NULL if there is none.  */
HIDDEN void *__cilkprof_buffer_take(size_t bytes);
HIDDEN void __cilkprof_buffer_give(void *buffer);

/* results.c: returns the result of the passage that this thread has just run with a RECORDER, without its spans; NULL
   if there is no memory.  */
HIDDEN struct passage_result *__cilkprof_passage_result(struct recorder *recorder, uint64_t work, const entry_t *start,
                                                        const entry_t *end);
/* Adds the values of RESULT to the sites of this thread.  */
HIDDEN void __cilkprof_add_passage(const struct passage_result *result);
/* Returns the result of a child that was recorded where its parent is, which did WORK and whose part of the log is from
   START to END, without its spans; NULL if there is no memory.  */
HIDDEN struct passage_result *__cilkprof_in_place_result(uint64_t work, const entry_t *start, const entry_t *end);
/* Pushes the entries of RESULT at TOP of the log.  Returns the new top.  */
HIDDEN entry_t *__cilkprof_push_passage(const struct passage_result *result, entry_t *top);

/* A stretch of time in which a thread did nothing of what it records: it waited for other workers, or ran what is
   recorded elsewhere.  */
struct absence {
  struct cilkprof_pause pause;
  int timed;       /* something is being timed meanwhile */
  uint64_t before; /* whether the thread was absent before */
};

/* Of functions that call the program: they are told from the rest of the engine by their section, so that samples in
   what they call are the program's.  */
#define RUNS_PROGRAM __attribute__((section("cilkprof_runtime"), noinline))

/* sampled.c: gives this thread STATE in the place of its own, while samples may be taken at any time.  */
HIDDEN void __cilkprof_worker_becomes(const struct __cilkprof_thread *state);
/* Begins to sample this thread, if the run is sampled.  */
HIDDEN void __cilkprof_sample_worker(void);
/* Notes that this thread runs TASK, a passage that was spawned or divided at PLACE, until it ends: its frames are those
   below BOUNDARY, an address.  */
HIDDEN void __cilkprof_sampled_passage_begin(struct sampled_task *task, const struct sampled_place *place,
                                             const void *boundary);
HIDDEN void __cilkprof_sampled_passage_end(const struct sampled_task *task);
/* For the sampler's agent, also in its signal handler: whether this thread does what is recorded; and the innermost
   passage that it runs, or NULL.  */
HIDDEN bool __cilkprof_is_worker_recording(void);
HIDDEN struct sampled_task *__cilkprof_running_passage(void);

/* spawn.c: makes this thread record with RECORDER from here on, as if the program began here.  */
HIDDEN void __cilkprof_recorder_use(const struct recorder *recorder);
/* Makes this thread record a passage with RECORDER from here on.  Returns the passage's frame.  */
HIDDEN frame_t *__cilkprof_passage_begin(const struct recorder *recorder, uint64_t burden, uint64_t loop_node);
/* Begins the spawn at SITE in the innermost frame, whose function did WORK itself since its last event.  CALLEE is what
   an indirect call reaches, and NULL for others.  */
HIDDEN void __cilkprof_begin_spawned_call(site_t *site, uint64_t work, const void *callee);
HIDDEN struct absence __cilkprof_begin_absence(void);
HIDDEN void __cilkprof_end_absence(const struct absence *absence);

/* waits.c: runs CHILD with CLOSURE as DEFERRAL where its parent is recorded, if the parent waits for it in this thread.
   Returns whether it did.  */
HIDDEN int __cilkprof_run_in_place(struct __cilkprof_deferral *deferral, void (*child)(void *), void *closure);
/* Passes CHILD with CLOSURE, of SIZE bytes, to the runtime, which runs DEFERRAL with it in any worker, or here at once.
   IN is the runtime's frame of the function that spawns it, LEARNT what the runtime knows of the spawn.  */
HIDDEN void __cilkprof_pass_to_runtime(const struct __cilkprof_deferral *deferral, struct __cilkprof_r_frame *in,
                                       void (*child)(void *), const void *closure, uint64_t size,
                                       struct __cilkprof_r_site *learnt);

/* unrecorded.c: calls FUNCTION(DATA) for the runtime, so that nothing of it is recorded.  */
HIDDEN void __cilkprof_unrecorded(void (*function)(void *), void *data);

/* spawn.c, loop.c, waits.c: what compiled code calls besides events.  */
extern EXPORT void __cilkprofiled_spawn(struct __cilkprof_r_frame *in, void (*child)(void *), void *closure,
                                        uint64_t size, struct __cilkprof_r_site *learnt, const void *callee);
extern EXPORT void __cilkprofiled_loop(body_t *body, void *data, struct __cilkprof_r_site *learnt);
extern EXPORT void __cilkprof_join(struct __cilkprof_r_frame *frame);
extern EXPORT void __cilkprof_join_at(struct __cilkprof_r_frame *frame, entry_t *top);
extern EXPORT void __cilkprof_join_thrown(struct __cilkprof_r_frame *frame, void *thrown);

#endif
