/* Work and span of programs whose threads are watched as they run: the interface for sources of events.
   SPDX-License-Identifier: MIT

   A source says which task a thread runs, where tasks are forked, and what a task waits for.  Each task has a path: the
   longest chain of strands that had to come before the point where the task is.  What a thread does between two events
   is added to the path of its task; a task that waits for others goes on with the longest of their paths and its own.
   The cost of a strand is processor time, so it does not matter how many processors there are, or who else uses them.

     serial code     paths_run (task), then nothing: the clock runs
     a fork          paths_task_new (creator, site) in the creator, paths_run (task) where it runs, paths_task_end
     a join          paths_wait_begin, then paths_join_children, _group, _barrier ..., then paths_wait_end
     a named part    paths_enter (site), paths_leave
     a sample        paths_sample (node, ns), in the handler of a signal

   All functions are for the calling thread.  None calls malloc, and none blocks for longer than a few instructions of
   another thread.  */

#ifndef CILKPROF_PATHS_H
#define CILKPROF_PATHS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "fmt/description.h"
#include "fmt/profile.h"

#define PATHS_HIDDEN __attribute__((visibility("hidden")))

struct path_node;

/* The longest chain of strands up to some point.  The burdened one may be another chain.  */
struct path {
  struct path_node *last; /* what the chain consists of; NULL: nothing yet, or there was no memory */
  uint64_t span, burdened_span;
};

/* Where the ends of tasks meet: the longest of the paths to them.  The numbers are its own, for whoever only looks.  */
struct meeting {
  struct path longest;
  _Atomic uint64_t span, burdened_span;
  atomic_flag locked;
};

/* Tasks that are waited for together, in the group that a task has opened.  */
struct task_group {
  struct task_group *outer;
  _Atomic uint32_t references;
  struct meeting ends;
};

struct shares;
struct chunks;

/* The executions of one loop, or other construct that a team divides, by the order in which each thread meets them.  */
struct divided {
  uint64_t number;
  uint32_t site, ended;
  uint64_t work, longest;
  struct shares *shares; /* NULL: no memory */
  struct chunks *chunks; /* of a dynamic schedule; NULL: it has none */
};
enum { DIVIDED = 5 };

/* The threads of a region.  A barrier is told from the next one by PHASE, which each of its tasks counts.  */
struct team {
  _Atomic uint32_t references;
  atomic_flag locked;
  uint32_t site;
  _Atomic uint32_t size; /* each of its threads says it */
  void *source;          /* the source's own */
  struct path begin;
  struct path barrier[2];  /* the longest of the paths to the barriers of each phase, and to its end */
  struct meeting ends[2];  /* likewise of tasks */
  _Atomic uint64_t work;   /* that its tasks have reported */
  struct shares *shares;   /* of the threads themselves; NULL: no memory */
  struct divided *divided; /* NULL: nothing was divided yet */
};

struct dependence;

/* A task, or a thread's part of a region.  */
struct task {
  _Atomic uint32_t references; /* itself, and its children */
  atomic_flag locked;          /* DEPENDENCES, which its children use */
  bool waits;                  /* it is at a join: what its thread does is not its work */
  bool is_thread;              /* a thread's part of a region */
  bool awaited;                /* its creator goes on where it ends */
  bool outermost;              /* it is below no other task of its site */
  bool begun;
  bool in_chunks;        /* of a loop with a dynamic schedule */
  uint8_t phase;         /* of the team's barriers */
  uint32_t site, inside; /* of the task; of the part of it that it is in, or the same */
  uint32_t index;        /* of a thread in its team */
  struct task *creator;
  struct task *under; /* what its thread ran before it */
  void *source;       /* the source's own */
  struct task_group *group;
  struct team *team;
  struct path path;
  struct meeting children;
  struct path chunks; /* what it did in its chunks of a loop, which are not on its path yet */
  uint64_t began_span, began_burdened;
  uint64_t own, reported;   /* its own work, and what of that the team knows */
  _Atomic uint64_t below;   /* the work of its children that have ended */
  uint64_t divided, shared; /* own work in what its team divides, and what of that was taken off its share */
  uint64_t inside_work, divided_count, chunk_began;
  uint64_t held_work;      /* own, when it acquired the lock that it holds */
  uint32_t holds, outside; /* how many locks it holds; what it was inside of when it acquired the first of them */
  uint64_t sites;          /* a bit for each of the sites, modulo 64, of the tasks around it */
  struct dependence *dependences; /* among its children */
  struct block *needs;            /* what it depends on itself */
};

/* threads.c: starts and stops measuring.  Otherwise there are tasks and teams, too, but without paths.  */
PATHS_HIDDEN void paths_start(void);
PATHS_HIDDEN void paths_stop(void);
PATHS_HIDDEN extern atomic_bool paths_on;
static inline bool are_paths_on(void) {
  return atomic_load_explicit(&paths_on, memory_order_relaxed);
}
/* This thread begins and ends.  Returns false if there is no memory: it must call nothing else then.  */
PATHS_HIDDEN bool paths_thread_begin(void);
PATHS_HIDDEN void paths_thread_end(void);
/* This thread runs TASK from here on; NULL: none.  Returns the one that it ran.  */
PATHS_HIDDEN struct task *paths_run(struct task *task);
PATHS_HIDDEN struct task *paths_running(void);
/* What this thread did since the last event belongs to the task that it runs.  */
PATHS_HIDDEN void paths_strand_ends(void);
/* An event is over: what it took itself belongs to nobody.  */
PATHS_HIDDEN void paths_event_ends(void);
/* A handler took a sample of the call path NODE, which stands for WORK_NS, and began when the timer was at SINCE.  */
PATHS_HIDDEN void paths_sample(uint32_t node, uint64_t work_ns, uint64_t since);

/* sites.c: the site of CODE, a return address, where something of KIND is: a construct (cilkprof_construct), or a task
   with a name (cilkprof_task_kind).  0 is the whole program.  */
PATHS_HIDDEN uint32_t paths_site(const void *code, uint64_t kind);
PATHS_HIDDEN const void *paths_code(uint32_t site);

/* tasks.c.  The task that runs is the creator of new ones; NULL if there is no memory for one.  */
PATHS_HIDDEN struct task *paths_first_task(void);
PATHS_HIDDEN struct task *paths_task_new(struct task *creator, uint32_t site, bool awaited);
PATHS_HIDDEN void paths_task_begin(struct task *task);
PATHS_HIDDEN void paths_task_end(struct task *task);
PATHS_HIDDEN void paths_wait_begin(struct task *task);
PATHS_HIDDEN void paths_wait_end(struct task *task);
PATHS_HIDDEN void paths_join_children(struct task *task);
PATHS_HIDDEN void paths_group_begin(struct task *task);
PATHS_HIDDEN void paths_group_end(struct task *task);
/* TASK enters and leaves a part of it at SITE, or its share of what its team divides.  */
PATHS_HIDDEN void paths_enter(struct task *task, uint32_t site);
PATHS_HIDDEN void paths_leave(struct task *task, bool divided);
/* TASK holds a lock that it has acquired at SITE, and lets go of it.  Inside of another one, it is part of that.  */
PATHS_HIDDEN void paths_hold(struct task *task, uint32_t site);
PATHS_HIDDEN void paths_let_go(struct task *task);
/* chunks.c: what TASK divides with its team has a dynamic schedule; it goes on with its next chunk.  */
PATHS_HIDDEN void paths_chunk_begins(struct task *task);
PATHS_HIDDEN void paths_task_release(struct task *task);

/* teams.c: a region of the task CREATOR, and the part of the thread with an INDEX of SIZE in it.  */
PATHS_HIDDEN struct team *paths_team_new(struct task *creator, uint32_t site);
PATHS_HIDDEN struct task *paths_team_task(struct team *team, uint32_t size, uint32_t index);
PATHS_HIDDEN void paths_barrier_begin(struct task *task);
PATHS_HIDDEN void paths_barrier_end(struct task *task);
PATHS_HIDDEN void paths_team_task_end(struct task *task);
PATHS_HIDDEN void paths_team_end(struct team *team, struct task *creator);
PATHS_HIDDEN void paths_team_release(struct team *team);

/* depend.c: TASK depends on what its creator's tasks before it did at ADDRESS; it is read, or also written.  */
PATHS_HIDDEN void paths_depend(struct task *task, const void *address, bool written);
PATHS_HIDDEN void paths_dependences_met(struct task *task);
PATHS_HIDDEN void paths_dependences_end(struct task *task);
PATHS_HIDDEN void paths_forget_dependences(struct task *task);

/* write.c: adds up what the program has done so far, and returns the flags of the run.  Then the totals and sites are
   written, and what of the samples of NODE, the record STACK, is on the span.  OBJECT_OF finds the index in the profile
   of the object with an address, and the address in its file.  */
PATHS_HIDDEN uint64_t paths_add_up(struct cilkprof_totals *totals);
PATHS_HIDDEN void paths_list_objects(uint32_t (*object_of)(uintptr_t, uint64_t *));
PATHS_HIDDEN struct cilkprof_measure paths_invocations(uint32_t site); /* the outermost ones */
PATHS_HIDDEN void paths_write_sites(struct cilkprof_writer *writer);
PATHS_HIDDEN void paths_write_samples(struct cilkprof_writer *writer, uint32_t node, uint32_t stack);

#endif
