/* The tool by which OpenMP programs are recorded: what its files share.
   SPDX-License-Identifier: MIT

   OpenMP's runtime calls it back through OMPT, its interface for tools: when a region, a task or a wait begins or ends.
   From that follows which threads have work and which tasks lie on their stacks, for the recorder of samples.  */

#ifndef CILKPROF_OPENMP_H
#define CILKPROF_OPENMP_H

#include <omp-tools.h>

#include "libcilkprof/sampler/sampler.h"

/* Whether a thread has work.  One that waits for a lock has, but cannot do it: it is neither at work nor idle.  */
enum state { NOBODY, WORKING, IDLE, LOCKED };

/* A task that lies on a thread's stack.  */
struct task_entry {
  struct sampled_task task;     /* but if its stack goes on in what made it: then nothing is to be said of it */
  struct sampled_task *nearest; /* this one, or of which something is to be said below it */
  struct task_origin *region;   /* who made the one that it began, while IN_REGION */
  const ompt_data_t *name;      /* the runtime's data of it, by which it is known again */
  const ompt_frame_t *frame;    /* where its own frames begin, once it has some; NULL: not known */
  bool in_region;               /* it began one, which has not ended */
  bool waits;                   /* for others, at a barrier or the like */
};

enum { MOST_ENTRIES = 1 << 16, MOST_THREADS = 1024 };

/* Never freed; used again when its thread has ended.  */
struct openmp_thread {
  _Atomic int state;
  bool worker;               /* started by the runtime: it has work when it is given a task */
  _Atomic uint64_t task_end; /* in ticks: when it last ended a task and was back in one that waits */
  uint64_t locked_ns;        /* since when it waits for a lock */
  _Atomic uint32_t depth;
  struct task_entry entries[MOST_ENTRIES];
};

/* threads.c */
extern __thread struct openmp_thread *openmp_self __attribute__((tls_model("initial-exec")));
extern const struct sampler_agent openmp_agent;
void openmp_configure(int processors); /* how many may be used at once */
void openmp_thread_begin(bool worker); /* this one; it may have begun before */
void openmp_thread_end(void);
extern ompt_get_task_info_t openmp_get_task_info; /* of the runtime */
void openmp_find_frame(struct task_entry *entry); /* where it is not known and ENTRY is this thread's innermost */
void openmp_forked(void);                         /* of the threads, only this one is there */
uint64_t openmp_now(void);                        /* in ns */
void openmp_set_state(struct openmp_thread *self, enum state state);

/* The processor's clock, which costs less to read than the system's.  */
static inline uint64_t openmp_ticks(void) {
#if defined __x86_64__
  return __builtin_ia32_rdtsc();
#elif defined __aarch64__
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
#error "which clock does this processor have?"
#endif
}

/* events.c: has the runtime call back.  */
bool openmp_listen(ompt_function_lookup_t lookup);
/* This thread waits for a lock; it has it, by a call that returns to CODE.  */
void openmp_lock_begins(void);
void openmp_lock_ends(const void *code);

#endif
