/* What a parallel run did, by samples: where its threads worked, and what others did meanwhile.
   SPDX-License-Identifier: MIT

   A sample that finds a thread at work adds the CPU time since the thread's last one to the work of a logical call
   path, and (n - n_w)/n_w of that to its idleness, where n_w of n processors had work at that moment.  A sample in a
   thread that has nothing to do is only counted.  Time that a thread waits for a lock is its path's, and neither work
   nor anybody's idleness.  Which of the work is overhead of the parallelism follows from its address, in the
   report.  */

#ifndef CILKPROF_FMT_SAMPLES_H
#define CILKPROF_FMT_SAMPLES_H

#include <stdint.h>

/* Whose threads they are.  */
enum cilkprof_sampled {
  CILKPROF_SAMPLED_CILK = 1,
  CILKPROF_SAMPLED_OPENMP = 2,
};

/* What made the samples.  */
enum cilkprof_sampling_clock {
  CILKPROF_SAMPLING_PERF = 1,  /* perf_event_open: as often as was asked for */
  CILKPROF_SAMPLING_TIMER = 2, /* a timer of CPU time: as often as the kernel's clock ticks */
};

/* All of a run; of several runs, their sums, and the largest of what cannot be added up.  */
struct cilkprof_sampling {
  uint64_t sampled, clock;
  uint64_t processors; /* n: those that the threads may use at once */
  uint64_t workers;    /* as configured */
  uint64_t threads;    /* that were sampled, one after another or at once */
  uint64_t hz;         /* samples per second of CPU time that were asked for */
  uint64_t runs;
  uint64_t elapsed_ns;            /* of sampling, by the clock on the wall */
  uint64_t cpu_ns;                /* of the threads that were sampled, with what they did without work */
  uint64_t samples, idle_samples; /* in threads that worked, and that had nothing to do */
  uint64_t lost_samples;          /* that found no memory for their path: they are in a shorter one */
};

enum cilkprof_stack_kind {
  CILKPROF_STACK_CALL = 0,    /* ADDRESS is where the callee returns to: the call is before it */
  CILKPROF_STACK_EXACT = 1,   /* ADDRESS is the instruction itself: the end of a path */
  CILKPROF_STACK_SPAWN = 2,   /* as a call, of what made a task: below is the task, in whatever thread */
  CILKPROF_STACK_UNKNOWN = 3, /* without address: what is above could not be found */
  CILKPROF_STACK_ORPHAN = 4,  /* without address: a task that ended after what made it was known no more */
  CILKPROF_STACK_KINDS
};

/* A node in the tree of logical call paths.  Its values are those of the path that ends here, without what is below. */
struct cilkprof_stack {
  uint32_t parent; /* an earlier one; CILKPROF_NO_CONTEXT: the program's or a thread's start */
  uint32_t object; /* that holds ADDRESS; CILKPROF_NO_OBJECT: none does */
  uint64_t kind;
  uint64_t address; /* in the object's file */
  uint64_t samples;
  uint64_t work_ns, idleness_ns, waiting_ns; /* idleness: what others had nothing to do for while this worked */
};

/* When who worked: THREAD_COUNT rows, one after another, of BUCKET_COUNT values: ns of work in that part of the run. */
struct cilkprof_timeline {
  uint64_t bucket_ns; /* 0: there is none */
  uint64_t thread_count, bucket_count;
  const uint64_t *work_ns;
};

#endif
