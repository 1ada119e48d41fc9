/* The sampler's state, and the functions that its files call of each other.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SAMPLER_STATE_H
#define CILKPROF_SAMPLER_STATE_H

#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "fmt/profile.h"
#include "libcilkprof/common/perf.h"
#include "libcilkprof/sampler/sampler.h"

/* A node of the tree of call paths (tree.c): the record as written to the file, and links.  Node 0 is the root.  */
struct node {
  struct cilkprof_stack stack;
  _Atomic uint32_t child; /* the first child, or 0 if there is none */
  uint32_t sibling;       /* the next child of the same parent; of a free node, the next free one */
};
_Static_assert(sizeof(struct node) == 64, "a node is a line of the cache");

/* What the processor counted in the samples of a node (counters.c).  */
struct node_counts {
  uint64_t of[PERF_COUNTERS];
};

enum { MAX_NODES = 1 << 20, MAX_THREADS = 1024, MAX_FRAMES = 1 << 16, MAX_OBJECTS = 256 };

/* A frame of a thread's stack, as the last sample found it.  */
struct frame {
  uintptr_t pc, sp;
  const uintptr_t *slot; /* the stack slot that holds its return address, or NULL if it was not found */
  uint32_t node;
  uint32_t serial; /* the serial number of the task that it belongs to */
  bool exact;      /* PC is the interrupted instruction; otherwise it is a return address */
};

/* The frame layout that the unwinder found at one program counter: the size of the frame, and the offset of the slot
   with the return address.  */
struct shape {
  uintptr_t pc;
  uint32_t size, slot; /* SLOT is NO_SLOT in leaf functions whose return address is in a register */
};
enum { SHAPES = 2048, NO_SLOT = UINT32_MAX };

/* Where a thread was interrupted.  */
struct interruption {
  uintptr_t pc, sp, link; /* LINK is the link register, or 0 on processors without one */
  const void *context;    /* ucontext_t */
};

/* The outermost frame of tasks that were created elsewhere: its code, and its distance from the task's boundary.  */
struct edge {
  uintptr_t pc, distance;
};

enum { BUCKETS = 512 };

/* A moment at which a thread begins to do something else, as it is noted.  */
struct moment {
  uint64_t ticks;  /* of read_ticks; 0: not complete */
  uintptr_t code;  /* a return address, or the node of a call path */
  uint64_t length; /* of a whole task, in ticks; or how long the thread had waited for a lock, in nanoseconds */
  uint32_t thread; /* that created the task */
  uint16_t kind;   /* enum cilkprof_transition_kind, or WHOLE_TASK */
  uint16_t state;  /* enum cilkprof_thread_state: from then on; of a whole task, from its end on */
};
enum { MOMENTS = 1 << 14, WHOLE_TASK = CILKPROF_TRANSITION_KINDS };

/* Threads are never freed, because handlers may look at them at any time; they are reused when their thread has
   ended.  */
struct sampled_thread {
  atomic_bool taken, in_handler;
  bool busy; /* the thread runs sampler code outside of the signal handler */
  bool perf; /* the thread is interrupted by perf_event_open, not by a timer */
  int file;  /* of perf_event_open */
  unsigned hz;
  int fault_file;
  uint64_t faults;                 /* page faults from one sample there to the next */
  timer_t timer;                   /* of timer_create */
  int number;                      /* the kernel's */
  uint64_t last_cpu_ns, system_ns; /* at the last sample; the part in the kernel only for an agent that takes them */
  struct perf_counters counters;
  struct perf_reading counted, counts; /* at the end of the last sample, and at the beginning of this one */
  bool has_counts;                     /* COUNTS is set */
  uint64_t delay_ns;                   /* its delay when delays were last counted (delay.c) */
  uint64_t cpu_ns, working_ns;         /* CPU time since then, and the part with work */
  uint64_t waited_ns;                  /* time spent waiting for locks that is not yet added to a path */
  uint32_t free;                       /* list of free nodes that only this thread uses */
  uint32_t serial;                     /* the last serial number that was given to a task */
  uint64_t bucket_ns, work_ns[BUCKETS];
  uint32_t index;                /* in the list of threads */
  uint32_t outer_path;           /* the node that was noted last; 0: none */
  _Atomic uint32_t state;        /* enum cilkprof_thread_state: what the thread did last */
  _Atomic uint64_t moment_count; /* number of moments that were noted; the last ones are in MOMENTS */
  uint64_t whole_tasks;          /* how many of them are or were both the beginning and the end of a task */
  struct moment moments[MOMENTS];
  uintptr_t stack_begin, stack_end;
  struct shape shapes[SHAPES];
  struct edge edge;
  size_t depth; /* how many of FRAMES are valid; the outermost frame is the first */
  struct frame frames[MAX_FRAMES], fresh[MAX_FRAMES];
};

/* The beginning of the live file, before the objects and the nodes.  It is changed by atomic operations only.  */
struct shared {
  struct cilkprof_sampling sampling;
  uint64_t node_count, object_count;
};

/* A program or library that holds sampled code (objects.c).  */
struct object {
  uint64_t low, load_address; /* LOW is the start of its mapping, LOAD_ADDRESS the offset from file addresses */
  uint32_t index;             /* in the profile of an agent that writes it */
  uint64_t id_size;
  uint8_t id[64];
  char path[4096];
};

/* A loaded program or library, as the system tells (loaded.c).  */
struct loaded {
  const char *name;            /* empty: the executable */
  uintptr_t low, load_address; /* as in struct object */
  const uint8_t *eh_frame;     /* .eh_frame_hdr, the list of its unwind tables, or NULL */
};
SAMPLER_HIDDEN void __cilkprof_s_loaded_start(void);
SAMPLER_HIDDEN bool __cilkprof_s_loaded_at(uintptr_t pc, struct loaded *found);

struct sampler {
  const struct sampler_agent *agent;
  unsigned hz;
  int pid;                         /* the process that is sampled */
  int first;                       /* the process that first started the sampler: another one after a fork */
  uint64_t start_ns, monotonic_ns; /* the start of the run */
  uint64_t start_ticks;            /* the same, of read_ticks */
  struct sampled_thread *_Atomic threads[MAX_THREADS];
  struct object *objects;
  struct node *nodes;
  struct node_counts *_Atomic counts; /* by node; NULL: no thread has counters */
  _Atomic unsigned counted;           /* a bit for each counter that all threads have */
  _Atomic uint32_t free;              /* list of free nodes that any thread may take */
  _Atomic uint64_t delayed_ns;
  atomic_bool delays_unknown;
  struct shared *shared;
};
extern SAMPLER_HIDDEN struct sampler __cilkprof_s_sampler;
#define SAMPLER __cilkprof_s_sampler

extern SAMPLER_HIDDEN __thread struct sampled_thread *__cilkprof_s_self __attribute__((tls_model("initial-exec")));
#define SELF __cilkprof_s_self

/* Returns the time of CLOCK in nanoseconds.  */
static inline uint64_t sampler_clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Adds MORE to COUNTER, which other threads may change at the same time.  */
static inline void sampler_add_to_counter(uint64_t *counter, uint64_t more) {
  __atomic_fetch_add(counter, more, __ATOMIC_RELAXED);
}

/* memory.c: memory for the objects and the nodes, in a live file where possible.  */
SAMPLER_HIDDEN bool __cilkprof_s_memory_start(void);
SAMPLER_HIDDEN bool __cilkprof_s_memory_grow(uint64_t nodes);
SAMPLER_HIDDEN void __cilkprof_s_memory_end(bool written);
SAMPLER_HIDDEN void __cilkprof_s_memory_forked(void);
SAMPLER_HIDDEN const char *__cilkprof_s_live_path(void); /* NULL if there is no such file */

/* counters.c: what the processor counts.  */
SAMPLER_HIDDEN void __cilkprof_s_counters_start(void);
SAMPLER_HIDDEN void __cilkprof_s_counters_begin(struct sampled_thread *thread);
SAMPLER_HIDDEN void __cilkprof_s_counters_end(struct sampled_thread *thread);
SAMPLER_HIDDEN void __cilkprof_s_counters_read(struct sampled_thread *thread);
SAMPLER_HIDDEN void __cilkprof_s_counters_add(struct sampled_thread *thread, uint32_t node);
SAMPLER_HIDDEN void __cilkprof_s_counters_continue(struct sampled_thread *thread);
SAMPLER_HIDDEN void __cilkprof_s_counters_move(uint32_t from, uint32_t to);
SAMPLER_HIDDEN void __cilkprof_s_counters_write(struct cilkprof_writer *writer, uint32_t node, uint32_t stack);

/* tree.c: the tree of call paths, as the calling thread uses it.  */
SAMPLER_HIDDEN uint32_t __cilkprof_s_child(uint32_t parent, enum cilkprof_stack_kind kind, uintptr_t pc);
SAMPLER_HIDDEN uint32_t __cilkprof_s_orphan(void);
SAMPLER_HIDDEN void __cilkprof_s_adopt(uint32_t orphan, uint32_t parent);
SAMPLER_HIDDEN void __cilkprof_s_add(uint32_t node, uint64_t samples, uint64_t work, uint64_t idleness,
                                     uint64_t waiting);

/* objects.c: finds the object that holds PC, or returns CILKPROF_NO_OBJECT.  */
SAMPLER_HIDDEN void __cilkprof_s_objects_start(void);
SAMPLER_HIDDEN uint32_t __cilkprof_s_object_of(uintptr_t pc, uint64_t *address);

/* place.c: the call path of a task that was created at PLACE; 0 if there is no memory.  */
SAMPLER_HIDDEN uint32_t __cilkprof_s_place_path(const struct sampled_place *place);

/* stack.c: the call path of this thread's stack.  */
SAMPLER_HIDDEN uint32_t __cilkprof_s_path(const struct interruption *place);
SAMPLER_HIDDEN uint32_t __cilkprof_s_path_to_agent(void); /* where it was called */

/* shapes.c: frame layouts.  learn remembers that the caller of INNER is at PC, with the stack pointer SP; caller finds
   the caller of INNER by what was learned, and returns false if nothing is known.  */
SAMPLER_HIDDEN void __cilkprof_s_learn(struct sampled_thread *self, const struct frame *inner, uintptr_t pc,
                                       uintptr_t sp, uintptr_t link);
SAMPLER_HIDDEN bool __cilkprof_s_caller(const struct sampled_thread *self, struct frame *inner, struct frame *outer,
                                        uintptr_t link);
/* The stack slot of the frame at SP that holds the return address PC into the frame at OUTER; NULL if not found.  */
SAMPLER_HIDDEN const uintptr_t *__cilkprof_s_find_slot(uintptr_t sp, uintptr_t outer, uintptr_t pc);

/* task_origin.c: records of where tasks were created.  origin_calls.c fills them in.  */
enum { MAX_CALLS = 10, MAX_DEPTH = 250 };

/* The return addresses from a call that creates tasks outward to the start of the enclosing task or thread.  */
struct calls {
  size_t count;
  uintptr_t pcs[MAX_CALLS];
};

struct task_origin {
  _Atomic uint32_t references;
  _Atomic uint32_t path; /* the node of the path, or 0 while nobody has asked for it */
  uint32_t depth;        /* length of the chain of creators */
  uint32_t thread;       /* number of the thread that created the task */
  const void *code;      /* return address of the call that created it */
  bool is_task;
  struct task_origin *creator; /* origin of the creating task, NULL if there is none; of a free record, the next one */
  union {
    struct calls calls;
    struct task_origin *next_batch; /* of the first record of a free batch */
  };
};
SAMPLER_HIDDEN struct task_origin *__cilkprof_s_origin_take(void); /* NULL if there is no memory */
SAMPLER_HIDDEN struct task_origin *__cilkprof_s_origin_last(void); /* that this thread created; NULL if there is none */
SAMPLER_HIDDEN void __cilkprof_s_origin_created(struct task_origin *origin);
SAMPLER_HIDDEN uint32_t __cilkprof_s_origin_path(struct task_origin *origin);
SAMPLER_HIDDEN void __cilkprof_s_origins_end(void);      /* frees what this thread has */
SAMPLER_HIDDEN void __cilkprof_s_origin_calls_end(void); /* origin_calls.c; likewise */

/* delay.c */
SAMPLER_HIDDEN void __cilkprof_s_delay_begin(struct sampled_thread *thread);
SAMPLER_HIDDEN void __cilkprof_s_delay_add(struct sampled_thread *thread);
SAMPLER_HIDDEN void __cilkprof_s_delay_finish(void);

/* clock.c */
SAMPLER_HIDDEN bool __cilkprof_s_handler_start(void);
SAMPLER_HIDDEN bool __cilkprof_s_clock_begin(struct sampled_thread *thread);
SAMPLER_HIDDEN void __cilkprof_s_clock_end(struct sampled_thread *thread);
SAMPLER_HIDDEN void __cilkprof_s_clock_rest(void); /* counts the time since this thread's last sample */

/* timeline.c */
SAMPLER_HIDDEN void __cilkprof_s_timeline_add(struct sampled_thread *thread, uint64_t work_ns);
SAMPLER_HIDDEN void __cilkprof_s_timeline_widen(struct sampled_thread *thread, uint64_t bucket_ns);

/* transitions.c: what threads do, and when.  */
SAMPLER_HIDDEN void __cilkprof_s_transition_waited(uint64_t ns, const void *code);
SAMPLER_HIDDEN void __cilkprof_s_transition_path(struct sampled_thread *thread, uint32_t node);
SAMPLER_HIDDEN void __cilkprof_s_transitions_list_objects(void);
SAMPLER_HIDDEN void __cilkprof_s_transitions_write(struct cilkprof_writer *writer, const uint32_t *numbers,
                                                   uint32_t first);

/* write.c: the first records of a profile or a live file, and a whole profile.  */
SAMPLER_HIDDEN void __cilkprof_s_write_program(struct cilkprof_writer *writer, enum cilkprof_mode mode, uint64_t flags);
SAMPLER_HIDDEN void __cilkprof_s_write(struct cilkprof_writer *writer);

#endif
