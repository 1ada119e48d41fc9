/* Samples of a parallel run: where its threads worked, and how many other threads were idle meanwhile.
   SPDX-License-Identifier: MIT

   A sample in a working thread adds the CPU time since the thread's last sample to the work of a logical call path, and
   (n - n_w)/n_w of that time to the idleness of the path, where n_w of n processors had work at that moment.  A sample
   in an idle thread is only counted.  Time that a thread waits for a lock is attributed to its path; it is neither work
   nor idleness.  The report decides by the address which part of the work is parallel overhead.  */

#ifndef CILKPROF_FMT_SAMPLES_H
#define CILKPROF_FMT_SAMPLES_H

#include <stdint.h>

/* The runtime system whose threads were sampled.  */
enum cilkprof_sampled {
  CILKPROF_SAMPLED_CILK = 1,
  CILKPROF_SAMPLED_OPENMP = 2,
  CILKPROF_SAMPLED_TBB = 3,
  CILKPROF_SAMPLED_SERIAL = 4, /* what was profiled: the profile has work and span, too */
};

/* The source of the samples.  */
enum cilkprof_sampling_clock {
  CILKPROF_SAMPLING_PERF = 1,  /* perf_event_open: at the requested rate */
  CILKPROF_SAMPLING_TIMER = 2, /* a timer of CPU time: at the rate of the kernel's clock ticks */
};

/* Values of a whole run.  For several runs, these are sums, or maxima where a sum has no meaning.  */
struct cilkprof_sampling {
  uint64_t sampled, clock;
  uint64_t processors; /* n: the processors that the threads may use at once */
  uint64_t workers;    /* as the runtime system was configured */
  uint64_t threads;    /* threads that were sampled, at the same time or not */
  uint64_t hz;         /* requested samples per second of CPU time */
  uint64_t runs;
  uint64_t elapsed_ns;            /* wall-clock time of sampling */
  uint64_t cpu_ns;                /* CPU time of the sampled threads, also while they were idle */
  uint64_t samples, idle_samples; /* in working threads; in idle threads */
  uint64_t lost_samples;          /* without memory for their path: they were added to a shorter one */
  uint64_t delayed_ns; /* threads with work were ready and had no processor; UINT64_MAX: the system does not say */
};

enum cilkprof_stack_kind {
  CILKPROF_STACK_CALL = 0,    /* ADDRESS is the return address: the call is before it */
  CILKPROF_STACK_EXACT = 1,   /* ADDRESS is the sampled instruction, at the end of a path */
  CILKPROF_STACK_SPAWN = 2,   /* like a call, but it created a task: the children are the task, in any thread */
  CILKPROF_STACK_UNKNOWN = 3, /* without address: the callers could not be found */
  CILKPROF_STACK_ORPHAN = 4,  /* without address: a task that ended when its creator was no longer known */
  CILKPROF_STACK_KINDS
};

/* A node in the tree of logical call paths.  Its values are those of the path that ends at it, without its
   children.  */
struct cilkprof_stack {
  uint32_t parent; /* index of an earlier stack; CILKPROF_NO_CONTEXT: start of the program or of a thread */
  uint32_t object; /* index of the object with ADDRESS; CILKPROF_NO_OBJECT: none */
  uint64_t kind;
  uint64_t address; /* in the object's file */
  uint64_t samples;
  uint64_t work_ns, idleness_ns, waiting_ns; /* idleness: idle time of other processors while this path worked */
};

/* What of the samples of a stack, without its children, is on the span, in a profile of work and span.  */
struct cilkprof_stack_span {
  uint64_t stack; /* its index */
  uint64_t samples;
  uint64_t work_ns; /* what they stand for there: less in a loop whose iterations are taken to be equal */
};

/* What the processor counted in the samples of a stack, without its children, where the system provides counters.  */
struct cilkprof_counters {
  uint64_t stack;                /* its index */
  uint64_t instructions, cycles; /* of code outside of the kernel */
  uint64_t misses;               /* of the last-level cache; CILKPROF_NOT_COUNTED */
  uint64_t hitm;                 /* loads of a line that another processor had modified; CILKPROF_NOT_COUNTED */
};

#define CILKPROF_NOT_COUNTED UINT64_MAX

/* The work of each thread over time: THREAD_COUNT rows of BUCKET_COUNT values each.  A value is the work of the thread,
   in ns, in a part of the run that takes BUCKET_NS.  */
struct cilkprof_timeline {
  uint64_t bucket_ns; /* 0: there is no time line */
  uint64_t thread_count, bucket_count;
  const uint64_t *work_ns;
};

/* What a thread does.  */
enum cilkprof_thread_state {
  CILKPROF_THREAD_WORKS = 0,  /* it runs code of the program */
  CILKPROF_THREAD_IDLE = 1,   /* it has no work: it looks for some, or sleeps */
  CILKPROF_THREAD_WAITS = 2,  /* it waits for other threads at a join or a barrier */
  CILKPROF_THREAD_LOCKED = 3, /* it waits for a lock */
  CILKPROF_THREAD_ENDED = 4,
  CILKPROF_THREAD_STATES
};

/* Why the state of a thread changes, or what else is known from a moment on.  */
enum cilkprof_transition_kind {
  CILKPROF_TRANSITION_STATE = 0,  /* the state changes; ADDRESS is the code of the region, or of the lock, if known */
  CILKPROF_TRANSITION_TASK = 1,   /* a task begins that thread THREAD created; ADDRESS is where */
  CILKPROF_TRANSITION_DONE = 2,   /* the task that began last, and is not done, is done */
  CILKPROF_TRANSITION_REGION = 3, /* this thread begins a parallel region at ADDRESS */
  CILKPROF_TRANSITION_JOINED = 4, /* that region ends */
  CILKPROF_TRANSITION_PATH = 5,   /* a sample found the thread on the path with index ADDRESS, or below it */
  CILKPROF_TRANSITION_KINDS
};

#define CILKPROF_NO_THREAD UINT32_MAX

/* A moment at which a thread begins to do something else.  */
struct cilkprof_transition {
  uint64_t time_ns; /* since the start of sampling */
  uint64_t address; /* a return address in the object's file, or the index of a stack */
  uint32_t object;  /* index of the object with ADDRESS; CILKPROF_NO_OBJECT: none */
  uint32_t thread;  /* index of another thread; CILKPROF_NO_THREAD: none */
  uint32_t kind, state;
};

/* What a thread did, in the order of time.  Memory is limited, so only the last transitions are kept.  */
struct cilkprof_transitions {
  uint64_t dropped; /* transitions that were earlier than these */
  uint64_t count;
  const struct cilkprof_transition *list;
};

#endif
