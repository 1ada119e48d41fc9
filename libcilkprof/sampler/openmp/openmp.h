/* The OMPT tool that samples OpenMP programs: what its files share.
   SPDX-License-Identifier: MIT

   OpenMP's runtime calls the tool when a parallel region, a task or a wait begins or ends (OMPT).  From this the
   tool knows for the sampler which threads have work and which tasks are on their stacks.  */

#ifndef CILKPROF_OPENMP_H
#define CILKPROF_OPENMP_H

#include "libcilkprof/common/ticks.h"
#include "libcilkprof/paths/paths.h"
#include "libcilkprof/sampler/openmp/ompt.h"
#include "libcilkprof/sampler/sampler.h"

/* What a thread does.  A thread that waits for a lock is neither working nor idle.  */
enum state { NOBODY, WORKING, IDLE, LOCKED };

/* A task on a thread's stack.  */
struct task_entry {
  struct sampled_task task;     /* for the sampler, unless its frames continue in the creating task */
  struct sampled_task *nearest; /* TASK, or the nearest one below that the sampler should know */
  void *region;                 /* what the runtime keeps with the region that it began, if IN_REGION */
  const ompt_data_t *name;      /* the runtime's data of the task, which identifies it */
  const ompt_frame_t *frame;    /* where its frames begin, or NULL if unknown */
  bool in_region;               /* it began a region that has not ended */
  bool waits;                   /* it waits at a barrier or for other tasks */
};

enum { MAX_ENTRIES = 1 << 16, MAX_OPENMP_THREADS = 1024 };

/* Threads are never freed, because other threads look at them; they are reused when their thread has ended.  */
struct openmp_thread {
  _Atomic int state;
  bool worker; /* started by the runtime: it is idle until it gets a task */
  _Atomic uint64_t
      fetches_since;  /* time, in ticks, when it last began to fetch a task: after another one, or to wait */
  uint64_t locked_ns; /* when it began to wait for a lock */
  _Atomic uint32_t depth;
  struct task_entry entries[MAX_ENTRIES];
};

/* Sets what the thread SELF does: whether it works, is idle or waits for a lock.  */
static inline void openmp_set_state(struct openmp_thread *self, enum state state) {
  atomic_store_explicit(&self->state, state, memory_order_relaxed);
}

/* Returns the innermost task on the stack of tasks of SELF; NULL if there is none.  */
static inline struct task_entry *innermost_openmp_task(struct openmp_thread *self) {
  uint32_t depth = atomic_load_explicit(&self->depth, memory_order_relaxed);
  return depth ? &self->entries[depth - 1] : NULL;
}

/* threads.c */
extern __thread struct openmp_thread *openmp_self __attribute__((tls_model("initial-exec")));
extern const struct sampler_agent openmp_agent;
void openmp_configure(int processors); /* the number of processors that may be used */
void openmp_thread_begin(bool worker); /* for this thread, unless it has begun already */
void openmp_thread_end(void);
extern ompt_get_task_info_t openmp_get_task_info; /* from the runtime */
void openmp_find_frame(
    struct task_entry *entry); /* sets ENTRY's frame if unknown; ENTRY is this thread's innermost task */
/* SELF begins to run the task NAME.  ORIGIN tells where it was created; NULL for a task whose frames continue in the
   creating task, or if that is unknown.  Its frames are below the stack address BOUNDARY; 0 if the runtime says that
   later.  Then SELF goes on with what it did before.  */
void openmp_push_task(struct openmp_thread *self, const ompt_data_t *name, struct task_origin *origin,
                      uintptr_t boundary);
void openmp_pop_task(struct openmp_thread *self);
void openmp_forked(void);  /* called in a forked child, where only this thread exists */
uint64_t openmp_now(void); /* in nanoseconds */

/* spans.c: what happens before what.  What the runtime keeps for the tool with a task or a region is its origin
   (task_origin), or in a watched program its task or team (paths.h), whose source is the origin.  */
extern bool openmp_watched;          /* work and span are measured, or were until now */
extern atomic_bool openmp_elsewhere; /* a region began in a task that is not one of OpenMP */
extern const struct sampled_spans openmp_spans;
void openmp_spans_start(void);
void openmp_runtime_works(void); /* it starts or ends: until the next event, nothing is the program's work */
void openmp_region_begins(const ompt_data_t *creator, ompt_data_t *parallel, const void *code,
                          struct task_origin *origin);
void openmp_region_ends(void *region, const ompt_data_t *creator);
void openmp_thread_enters(const ompt_data_t *parallel, ompt_data_t *task, unsigned threads, unsigned index, int flags);
void openmp_thread_leaves(ompt_data_t *task);
void openmp_task_created(const ompt_data_t *creator, ompt_data_t *task, int flags, const void *code,
                         struct task_origin *origin);
void openmp_task_scheduled(ompt_data_t *prior, ompt_task_status_t status, const ompt_data_t *next);
void on_ompt_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t point, ompt_data_t *parallel, ompt_data_t *task,
                         const void *code);
void on_ompt_work(ompt_work_t kind, ompt_scope_endpoint_t point, ompt_data_t *parallel, ompt_data_t *task,
                  uint64_t count, const void *code);
void openmp_lock_waits(void);
void openmp_lock_acquired(ompt_mutex_t kind, const void *code);
void openmp_lock_waited(void);
void openmp_lock_released(void);
void on_ompt_mutex_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void *code);
void on_ompt_dependences(ompt_data_t *task, const ompt_dependence_t *list, int count);

/* Returns the origin of the watched task DATA; NULL if it is unknown.  */
struct task_origin *watched_origin(const ompt_data_t *data);
/* Returns the origin of the task DATA; NULL if it is unknown.  */
static inline struct task_origin *openmp_origin(const ompt_data_t *data) {
  return openmp_watched ? watched_origin(data) : data->ptr;
}

/* An event is over: what it took itself is nobody's work.  */
static inline void openmp_event_ends(void) {
  if (openmp_watched)
    paths_event_ends();
}

/* callers.c: where this thread begins a loop, or asks for a lock, by a function that is wrapped, or one byte into the
   body of the task that it makes; NULL: it does not.  Whether the release of a lock of which the runtime will tell is
   noted already.  */
extern __thread const void *openmp_loop_caller, *openmp_task_body, *openmp_lock_caller;
extern __thread bool openmp_lock_noted;
void openmp_runtime_is_at(const void *code); /* the runtime is the object with CODE */
bool is_openmp_runtime(const void *code);    /* whether CODE is in it */

/* events.c: registers the callbacks.  */
bool openmp_register_callbacks(ompt_function_lookup_t lookup);
/* This thread begins to wait for a lock; it has acquired it in a call that returns to CODE.  */
void openmp_begin_lock_wait(void);
void openmp_end_lock_wait(const void *code);

#endif
