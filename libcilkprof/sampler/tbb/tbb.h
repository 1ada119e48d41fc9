/* The library that samples oneTBB programs: what its files share.
   SPDX-License-Identifier: MIT

   oneTBB tells nobody which thread runs which task.  But the program's calls of the library arrive here first, because
   this library is loaded before it: so the waits in which a thread runs tasks are known, and where the program starts
   tasks of a context (tbb::task_group_context), of which each algorithm and each task group has one.  The library
   itself says which context the task of a thread belongs to.  */

#ifndef CILKPROF_TBB_H
#define CILKPROF_TBB_H

#include "libcilkprof/sampler/state.h"

#define EXPORTED __attribute__((visibility("default")))

/* Sets NEXT, a pointer to a function, to the definition of SYMBOL after this one, which it finds once.  */
#define FIND_NEXT(next, symbol)                                                                                        \
  static void *_Atomic found;                                                                                          \
  next = atomic_load_explicit(&found, memory_order_relaxed);                                                           \
  if (!next) {                                                                                                         \
    next = dlsym(RTLD_NEXT, symbol);                                                                                   \
    atomic_store_explicit(&found, next, memory_order_relaxed);                                                         \
  }

/* A call of the library in which a thread runs tasks, or a worker's life: the frames inside of it are those of a
   task.  */
struct tbb_wait {
  struct sampled_task task;
  struct tbb_wait *outer;
  const void *context; /* the one whose tasks it waits for; NULL: a worker's life */
  uint64_t number;     /* that of the origin of the task, as it was last looked up; 0 if it is unknown */
};

/* Threads are never freed, because other threads look at them; they are reused when their thread has ended.  */
struct tbb_thread {
  atomic_bool taken;
  _Atomic uint64_t worked_ns; /* when it was last known to work; 0: it is idle */
  struct tbb_wait *_Atomic innermost;
};

/* threads.c */
extern __thread struct tbb_thread *tbb_self __attribute__((tls_model("initial-exec")));
extern const struct sampler_agent tbb_agent;
void tbb_configure(int processors); /* the number of processors that may be used */
void tbb_thread_begin(void);
void tbb_thread_end(void);
void tbb_forked(void); /* called in a forked child, where only this thread exists */
void tbb_set_working(bool works);
void tbb_wait_begin(struct tbb_wait *wait, const void *context, uintptr_t boundary);
void tbb_wait_end(struct tbb_wait *wait);

/* contexts.c: where the tasks of contexts were started.  */
struct tbb_origin {
  struct task_origin *origin;
  uint64_t number; /* unique for each; 0: there is none */
};
void tbb_context_begin(const void *context, const void *site); /* a call that returns to SITE starts tasks of it */
void tbb_context_waited(const void *context);                  /* they have ended; it may be used again */
void tbb_context_end(const void *context);                     /* it is destroyed */
struct tbb_origin tbb_context_origin(const void *context);
const void *tbb_current_context(void); /* of the task that this thread runs; NULL if it runs none */

/* objects.c */
bool tbb_is_library(uintptr_t pc);    /* PC is in oneTBB */
bool tbb_is_in_program(uintptr_t pc); /* PC is neither there nor in this library or the C library */

#endif
