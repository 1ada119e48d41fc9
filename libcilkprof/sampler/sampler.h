/* The sampler of parallel runs: where threads work, and how much processor time is wasted meanwhile.
   SPDX-License-Identifier: MIT

   Each thread is interrupted at regular intervals of its CPU time.  If it has work, the sampler determines its logical
   call path: the frames of the task that it runs, then those of the code that created the task, in whatever thread that
   was.  The sampler knows nothing of the language or its runtime; an agent that does fills in the table below.  It
   never calls malloc, and takes no lock that an interrupted thread may hold.  */

#ifndef CILKPROF_SAMPLER_H
#define CILKPROF_SAMPLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "fmt/samples.h"
#include "libcilkprof/common/ticks.h"

#define SAMPLER_HIDDEN __attribute__((visibility("hidden")))

struct sampled_task;

/* Where a task was created that any thread may run, and for which its creator waits: registers of that function, which
   is on another stack, that of TASK.  */
struct sampled_place {
  uintptr_t pc, sp, fp; /* PC is the return address of the spawn */
  uintptr_t stack_end;
  struct sampled_task *task; /* the task that created it, or NULL */
};

/* A task on a thread's stack: the one that it runs, or one that runs others on top of it.  SERIAL starts at 0.  */
struct sampled_task {
  struct sampled_task *outer;        /* the task that the thread ran before this one, or NULL */
  uintptr_t boundary;                /* stack address: frames at higher addresses do not belong to the task */
  uintptr_t creator;                 /* an address in the creating frame of the same stack; 0 if created elsewhere */
  const void *site;                  /* return address of the spawn in that frame; NULL: where the frame is now */
  const void *code;                  /* names the task in the timeline: the return address of its creation; or NULL */
  struct task_origin *origin;        /* of a task created elsewhere: where; NULL if not known yet */
  const struct sampled_place *place; /* the same, where its creator waits for it; or NULL */
  _Atomic uint32_t origin_path;      /* the node of that path; 0 if it was not needed yet */
  uint32_t serial;                   /* used by the sampler */
};

/* Returns true if a thread without a task, which began to fetch one at SINCE, may still be doing so at NOW, in ticks:
   within 20 us, which is long for a runtime and short for a program.  */
static inline bool is_sampled_fetch_short(uint64_t now, uint64_t since) {
  return now - since < 20 * ticks_per_microsecond();
}

struct interruption;
struct cilkprof_totals;
struct cilkprof_writer;

/* What measures work and span beside the samples of a parallel run.  SAMPLED is told in the handler of a sample of
   NODE that stands for WORK_NS, and when that handler began.  ADD_UP ends measuring, and returns false if there was
   none.  LIST_OBJECTS gets a function that returns the index of the object with an address, and stores the address in
   its file; WRITE writes the sites, WROTE what of NODE, the record STACK, is on the span.  */
struct sampled_spans {
  void (*sampled)(uint32_t node, uint64_t work_ns, uint64_t since);
  bool (*add_up)(uint64_t *flags, struct cilkprof_totals *totals);
  void (*list_objects)(uint32_t (*object_of)(uintptr_t, uint64_t *));
  void (*write)(struct cilkprof_writer *writer);
  void (*wrote)(struct cilkprof_writer *writer, uint32_t node, uint32_t stack);
};

/* What the sampler asks of the runtime.  All but the first two functions are called in a signal handler.  */
struct sampler_agent {
  enum cilkprof_sampled sampled;
  int (*workers)(void);                  /* the configured number of workers */
  int (*processors)(void);               /* n */
  int (*working)(void);                  /* n_w: the number of threads that have work */
  int (*waiting)(void);                  /* the number of threads that wait for a lock: neither idle nor working */
  bool (*has_work)(void);                /* true if this thread has work */
  struct sampled_task *(*running)(void); /* the innermost task of this thread, or NULL */
  /* True if this thread, interrupted at PLACE, only looks for work; NULL if has_work tells.  */
  bool (*is_searching)(const struct interruption *place);
  /* Of an agent whose profile has samples beside other things, that of the engine; else NULL.  TOOK is told of a sample
     of NODE that stands for WORK_NS, in a handler that began at SINCE, of the timer, and CPU_NS, of the CPU time, of
     which so much more since the last one, HOST_NS, was not the thread's.
     OBJECT returns the index in its profile of what is loaded at LOW.  WROTE adds to the record STACK, that of NODE.
     IS_OWN tells whether code at PC is the agent's, and RUNS_PROGRAM whether what it calls is the program's.  */
  void (*took)(uint32_t node, uint64_t work_ns, uint64_t host_ns, uint64_t since, uint64_t cpu_ns);
  uint32_t (*object)(uintptr_t low);
  void (*wrote)(struct cilkprof_writer *writer, uint32_t node, uint32_t stack);
  bool (*is_own)(uintptr_t pc);
  bool (*runs_program)(uintptr_t pc);
  const struct sampled_spans *spans; /* NULL: nothing is measured beside samples */
};

SAMPLER_HIDDEN unsigned __cilkprof_s_wanted(void);
SAMPLER_HIDDEN void __cilkprof_s_start(const struct sampler_agent *agent, unsigned hz);
SAMPLER_HIDDEN void __cilkprof_s_finish(void);
SAMPLER_HIDDEN void __cilkprof_s_snapshot(void); /* writes the profile so far; the program may go on */
SAMPLER_HIDDEN void __cilkprof_s_forked(void);   /* called in a child process, which starts again if at all */
/* For an agent that writes the profile: ends sampling, lists the objects in its profile, writes the samples.  */
SAMPLER_HIDDEN void __cilkprof_s_stop(void);
SAMPLER_HIDDEN void __cilkprof_s_list_objects(void);
SAMPLER_HIDDEN void __cilkprof_s_write_samples(struct cilkprof_writer *writer); /* write.c */

extern SAMPLER_HIDDEN atomic_bool __cilkprof_s_on;

/* clock.c: takes a sample of this thread, at the CPU time NOW_NS, where it called the agent, if the last one was long
   ago: it was in the kernel, which the clock does not interrupt.  */
SAMPLER_HIDDEN void __cilkprof_s_catch_up(uint64_t now_ns);

/* thread.c */
SAMPLER_HIDDEN void __cilkprof_s_thread_begin(void);
SAMPLER_HIDDEN void __cilkprof_s_thread_end(void);
SAMPLER_HIDDEN uintptr_t __cilkprof_s_stack_end(void); /* of this thread; 0 if it is not sampled */

/* Returns the place where the function is that calls this one, in which TASK, or NULL, runs.  */
static inline __attribute__((always_inline)) struct sampled_place sampled_place_of_caller(struct sampled_task *task) {
  const uintptr_t *frame = __builtin_frame_address(0);
  return (struct sampled_place){(uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)),
                                (uintptr_t)__builtin_dwarf_cfa(), *frame, __cilkprof_s_stack_end(), task};
}

SAMPLER_HIDDEN uint32_t __cilkprof_s_context(uintptr_t creator, const void *site);
SAMPLER_HIDDEN uint32_t __cilkprof_s_context_at(const void *site);
SAMPLER_HIDDEN uint32_t __cilkprof_s_call_at(const void *site);
SAMPLER_HIDDEN void __cilkprof_s_over(struct sampled_task *task, uintptr_t creator);

SAMPLER_HIDDEN struct task_origin *__cilkprof_s_origin_new(const void *site, bool is_task, uintptr_t here);
/* task_origin.c */
SAMPLER_HIDDEN void __cilkprof_s_origin_share(struct task_origin *origin); /* adds a reference */
SAMPLER_HIDDEN void __cilkprof_s_origin_release(struct task_origin *origin);

/* objects.c */
SAMPLER_HIDDEN void __cilkprof_s_name_object(const void *code);

/* wait.c */
SAMPLER_HIDDEN void __cilkprof_s_waited(uint64_t ns, const void *site);

/* transitions.c: what this thread does from now on, for the timeline.  CODE is the return address of the call that
   created the task or began the region, or NULL; CREATOR is the number of the thread that created the task.  */
SAMPLER_HIDDEN uint32_t __cilkprof_s_thread_number(void); /* CILKPROF_NO_THREAD if it is not sampled */
SAMPLER_HIDDEN void __cilkprof_s_state(enum cilkprof_thread_state state, const void *code);
SAMPLER_HIDDEN void __cilkprof_s_task_begins(const void *code, uint32_t creator);
SAMPLER_HIDDEN void __cilkprof_s_task_ends(enum cilkprof_thread_state state, uint64_t now); /* NOW in ticks */
SAMPLER_HIDDEN void __cilkprof_s_region_begins(const void *code);
SAMPLER_HIDDEN void __cilkprof_s_region_ends(void);
SAMPLER_HIDDEN const void *__cilkprof_s_origin_code(const struct task_origin *origin); /* task_origin.c */

#endif
