/* The recorder of samples: what a parallel run did, and what was wasted meanwhile.
   SPDX-License-Identifier: MIT

   Each thread is interrupted every so much of its CPU time.  Where it has work the recorder finds out by which logical
   call path: the frames of the task that it runs, then those of what made the task, in whatever thread that was.  The
   recorder knows nothing of a language; an agent, which does, fills in the table below.  It calls no malloc, and locks
   nothing that a thread holds when it is interrupted.  */

#ifndef CILKPROF_SAMPLES_H
#define CILKPROF_SAMPLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "fmt/samples.h"

#define SAMPLES_HIDDEN __attribute__((visibility("hidden")))

/* A task that a thread runs, or has begun to run and runs others on top of it.  It begins with SERIAL 0.  */
struct samples_task {
  struct samples_task *outer; /* what the thread ran when it began this one; NULL: nothing */
  uintptr_t boundary;         /* on the stack: frames at higher addresses are not the task's */
  uintptr_t maker;            /* in the frame, of this stack, that made it; 0: it was made elsewhere */
  const void *site;           /* where in the code of that frame; NULL: where that is now */
  struct samples_made *made;  /* if it was made elsewhere: who did; NULL: nobody knows yet */
  _Atomic uint32_t origin;    /* the path of that; 0: it was not needed */
  uint32_t serial;            /* the recorder's */
};

/* All but the first two are called in a signal handler.  */
struct samples_agent {
  enum cilkprof_sampled sampled;
  int (*workers)(void);                  /* as configured */
  int (*processors)(void);               /* n */
  int (*working)(void);                  /* n_w: how many threads have work */
  int (*waiting)(void);                  /* how many wait for a lock: they are neither idle nor at work */
  bool (*has_work)(void);                /* whether this one has */
  struct samples_task *(*running)(void); /* the innermost task of this thread; NULL: none */
};

/* run.c.  Whether the environment asks for samples, and how many each second.  */
SAMPLES_HIDDEN unsigned __cilkprof_s_wanted(void);
/* From here on, with this thread; nothing happens where it cannot be, and a line says why.  */
SAMPLES_HIDDEN void __cilkprof_s_start(const struct samples_agent *agent, unsigned hz);
SAMPLES_HIDDEN void __cilkprof_s_finish(void);
SAMPLES_HIDDEN void __cilkprof_s_snapshot(void); /* writes what there is; the program may go on */
SAMPLES_HIDDEN void __cilkprof_s_forked(void);   /* this process is a child: it starts anew, if at all */

extern SAMPLES_HIDDEN atomic_bool __cilkprof_s_on;

/* thread.c */
SAMPLES_HIDDEN void __cilkprof_s_thread_begin(void);
SAMPLES_HIDDEN void __cilkprof_s_thread_end(void);

/* stack.c.  The path of the calling function's caller, up to the frame that MAKER is in, at SITE in it; 0: unknown.  */
SAMPLES_HIDDEN uint32_t __cilkprof_s_context(uintptr_t maker, const void *site);
/* The same up to the frame whose callee returns to SITE: of a task that is made there, of a call.  */
SAMPLES_HIDDEN uint32_t __cilkprof_s_context_at(const void *site);
SAMPLES_HIDDEN uint32_t __cilkprof_s_call_at(const void *site);
/* TASK, made by the frame that MAKER is in, of this thread, is over: all that is known of it belongs to that path.  */
SAMPLES_HIDDEN void __cilkprof_s_over(struct samples_task *task, uintptr_t maker);

/* made.c.  Who makes a task, or calls for threads that all do the same: this thread, in the task that it runs, in a
   call that returns to SITE.  Such tasks are many, and few are sampled: the path is found out for these alone.  NULL:
   there is no memory.  */
SAMPLES_HIDDEN struct samples_made *__cilkprof_s_make(const void *site, bool is_task);
SAMPLES_HIDDEN void __cilkprof_s_made_share(struct samples_made *made); /* it is released once more */
SAMPLES_HIDDEN void __cilkprof_s_made_release(struct samples_made *made);

/* wait.c: this thread waited for a lock, so long, in a call that returns to SITE; NULL: here.  */
SAMPLES_HIDDEN void __cilkprof_s_waited(uint64_t ns, const void *site);

#endif
