/* What the files of the recorder share.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SAMPLES_RECORDER_H
#define CILKPROF_SAMPLES_RECORDER_H

#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "fmt/profile.h"
#include "libcilkprof/sampler/samples.h"

/* tree.c.  A node of the tree of paths: as it is in the file, and its children.  Number 0 is the root.  */
struct node {
  struct cilkprof_stack stack;
  _Atomic uint32_t child; /* the first of them; 0: there is none */
  uint32_t sibling;       /* the next one of its parent's; of a free one, of all that are free */
};
_Static_assert(sizeof(struct node) == 64, "a node is a line of the cache");

enum { MOST_NODES = 1 << 20, MOST_THREADS = 1024, MOST_FRAMES = 1 << 16, MOST_OBJECTS = 256 };

/* A frame of a thread's stack, as the last sample found it.  */
struct frame {
  uintptr_t pc, sp;
  const uintptr_t *slot; /* where the address is that it returns to; NULL: it was not found */
  uint32_t node;
  uint32_t serial; /* of the task that it belongs to */
  bool exact;      /* PC is the instruction itself, else where the callee returns to */
};

/* What unwinding found out of the frames of one place in the code: how large they are, and where they have the address
   that they return to.  */
struct shape {
  uintptr_t pc;
  uint32_t size, slot; /* the latter NO_SLOT: it is in a register, of one that calls nothing */
};
enum { SHAPES = 2048, NO_SLOT = UINT32_MAX };

/* Where a thread was interrupted.  */
struct place {
  uintptr_t pc, sp, link; /* the last: the register with the address that a function returns to; 0: there is none */
  const void *context;    /* ucontext_t */
};

/* The outermost frame of the tasks that were made elsewhere: in which code, and how far from the task's boundary.  */
struct edge {
  uintptr_t pc, distance;
};

enum { BUCKETS = 512 };

/* Never freed; used again when its thread has ended.  */
struct thread {
  atomic_bool taken, in_handler;
  bool busy;     /* the recorder is at work in this thread, outside of a handler */
  bool perf;     /* which of the clocks it has */
  int file;      /* of perf_event_open */
  timer_t timer; /* of timer_create */
  uint64_t last_cpu_ns;
  uint64_t waited_ns; /* for locks, and not yet the path's that did */
  uint32_t free;      /* nodes that are given back, and are its own */
  uint32_t serial;    /* of the last task that was given one */
  uint64_t bucket_ns, work_ns[BUCKETS];
  uintptr_t stack_begin, stack_end;
  struct shape shapes[SHAPES];
  struct edge edge;
  size_t depth; /* of the frames that are remembered; the outermost is the first */
  struct frame frames[MOST_FRAMES], fresh[MOST_FRAMES];
};

/* What is in the live file beside the nodes and the objects; changed by atomic operations.  */
struct shared {
  struct cilkprof_sampling sampling;
  uint64_t node_count, object_count;
};

struct recorder {
  const struct samples_agent *agent;
  unsigned hz;
  int pid;                         /* of the process that is sampled */
  int first;                       /* of the one that its name is made of: another after a fork */
  uint64_t start_ns, monotonic_ns; /* when it began */
  struct thread *_Atomic threads[MOST_THREADS];
  _Atomic unsigned thread_count; /* those that are or were */
  struct node *nodes;
  _Atomic uint32_t free; /* the first of the nodes that were given back */
  struct shared *shared;
};
extern SAMPLES_HIDDEN struct recorder __cilkprof_s_recorder;
#define RECORDER __cilkprof_s_recorder

extern SAMPLES_HIDDEN __thread struct thread *__cilkprof_s_self __attribute__((tls_model("initial-exec")));
#define SELF __cilkprof_s_self

static inline uint64_t samples_time(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* memory.c: the nodes and the objects, in a live file where there can be one.  */
SAMPLES_HIDDEN bool __cilkprof_s_memory_start(void);
SAMPLES_HIDDEN bool __cilkprof_s_memory_grow(uint64_t nodes);
SAMPLES_HIDDEN void __cilkprof_s_memory_end(bool written);
SAMPLES_HIDDEN void __cilkprof_s_memory_forked(void);
SAMPLES_HIDDEN const char *__cilkprof_s_live_path(void); /* NULL: there is no such file */

static inline void samples_count(uint64_t *counter, uint64_t more) {
  __atomic_fetch_add(counter, more, __ATOMIC_RELAXED);
}

/* tree.c.  All are of the calling thread.  */
SAMPLES_HIDDEN uint32_t __cilkprof_s_child(uint32_t parent, enum cilkprof_stack_kind kind, uintptr_t pc);
SAMPLES_HIDDEN uint32_t __cilkprof_s_orphan(void);
SAMPLES_HIDDEN void __cilkprof_s_adopt(uint32_t orphan, uint32_t parent);
SAMPLES_HIDDEN void __cilkprof_s_add(uint32_t node, uint64_t samples, uint64_t work, uint64_t idleness,
                                     uint64_t waiting);

/* objects.c: what holds an address; CILKPROF_NO_OBJECT: nothing does.  */
struct object {
  uint64_t low, load_address; /* where it begins in memory; what to subtract there */
  uint64_t id_size;
  uint8_t id[64];
  char path[4096];
};
extern SAMPLES_HIDDEN struct object *__cilkprof_s_objects;
SAMPLES_HIDDEN void __cilkprof_s_objects_start(void);
SAMPLES_HIDDEN uint32_t __cilkprof_s_object_of(uintptr_t pc, uint64_t *address);

/* stack.c: the path of this thread's stack.  */
SAMPLES_HIDDEN uint32_t __cilkprof_s_path(const struct place *place);

/* shapes.c: frames from what is known of their code.  The first learns that INNER was called by, or interrupted in,
   what is at PC, with its stack from SP on; the second finds that out, and is false where it cannot.  */
SAMPLES_HIDDEN void __cilkprof_s_learn(struct thread *self, const struct frame *inner, uintptr_t pc, uintptr_t sp,
                                       uintptr_t link);
SAMPLES_HIDDEN bool __cilkprof_s_caller(const struct thread *self, struct frame *inner, struct frame *outer,
                                        uintptr_t link);

/* Where on the stack the address is to which the frame at SP returns: PC, in the frame at OUTER; NULL: not found.  */
SAMPLES_HIDDEN const uintptr_t *__cilkprof_s_find_slot(uintptr_t sp, uintptr_t outer, uintptr_t pc);

/* made.c */
SAMPLES_HIDDEN uint32_t __cilkprof_s_path_of(struct samples_made *made);
SAMPLES_HIDDEN void __cilkprof_s_made_end(void); /* of this thread */

/* clock.c */
SAMPLES_HIDDEN bool __cilkprof_s_handler_start(void);
SAMPLES_HIDDEN bool __cilkprof_s_clock_begin(struct thread *thread);
SAMPLES_HIDDEN void __cilkprof_s_clock_end(struct thread *thread);
SAMPLES_HIDDEN void __cilkprof_s_clock_rest(void); /* of this thread */

/* timeline.c */
SAMPLES_HIDDEN void __cilkprof_s_timeline_add(struct thread *thread, uint64_t work_ns);
SAMPLES_HIDDEN void __cilkprof_s_timeline_widen(struct thread *thread, uint64_t bucket_ns);

/* write.c.  What a file begins with.  */
SAMPLES_HIDDEN void __cilkprof_s_write_program(struct cilkprof_writer *writer, uint64_t flags);
SAMPLES_HIDDEN void __cilkprof_s_write(struct cilkprof_writer *writer);

#endif
