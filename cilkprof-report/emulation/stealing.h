/* State of the emulated workers that steal work from each other.
   SPDX-License-Identifier: GPL-3.0-or-later

   The stack of a worker is a chain of activations, innermost first; several chains may end in the same section.  As
   long as no other worker looks for work, a worker runs a whole subtree in one event: the subtree is collapsed.  Only
   when a thief arrives is the subtree expanded to find out how far the worker has come.  */

#ifndef CILKPROF_REPORT_STEALING_H
#define CILKPROF_REPORT_STEALING_H

#include "cilkprof-report/emulation/heap.h"
#include "cilkprof-report/emulation/locks.h"

enum activation_kind {
  IN_SEQUENCE, /* the children run one after another */
  IN_SECTION,
  IN_RANGE,     /* some iterations of a loop, half of which a thief may take */
  IN_COLLAPSED, /* a whole subtree, run in one event */
};

struct activation {
  enum activation_kind kind;
  unsigned stage;
  const struct tree_node *node;
  struct activation *parent;
  uint64_t child, left; /* sequence, or section that spawns: next child, and how often it is still to run */
  /* Section only.  */
  uint64_t active; /* ranges of a loop, or spawned tasks, that are not done */
  bool waits;      /* all tasks have been spawned */
  /* Range only.  */
  uint64_t at, end;
  const struct tree_child *task; /* next task; NULL: not looked up yet */
  uint64_t batch;                /* number of equal tasks that run in one event; 0: none */
  double each;                   /* time of each of them */
  /* Collapsed subtree, or range.  */
  double started;
};

struct worker {
  struct activation *top; /* innermost activation; NULL: idle */
  struct activation **deque;
  size_t head, tail, room; /* activations that thieves may take, outermost first */
  uint32_t stamp;          /* of its pending event */
  uint32_t victim;         /* worker that it is about to steal from */
  bool parked;             /* idle, without a victim */
};

/* Costs of nodes, including all overheads.  */
struct costs {
  double *node;
  double *serial; /* sections: the part that is not in tasks */
  double *before; /* by child: cost of the children before it in its node; for tasks of a loop, of the tasks only */
};

struct stealing {
  const struct task_tree *tree;
  const struct machine *machine;
  enum schedule_kind kind;
  struct costs costs;
  struct heap heap;
  struct locks locks;
  struct worker *workers;
  size_t parked;
  uint32_t current; /* worker whose event is being handled */
  bool fine;        /* do not collapse the subtree that a worker enters next */
  bool news;        /* work or idle workers were added since the last call of serve_emulated_thieves */
  uint64_t random;
  double now;
  struct activation *free;
  unsigned open_sections;
  bool finished;
  uint64_t most_steps, looks;
  struct forecast forecast;
};

/* costs.c: computes the costs of all nodes.  */
void find_emulated_costs(struct stealing *stealing);
/* Returns the overhead of spawning one task of SECTION.  */
double emulated_spawn_cost(const struct stealing *stealing, const struct tree_node *section);

/* workers.c: pushes an activation on the stack of the worker.  */
struct activation *push_emulated_activation(struct stealing *stealing, struct worker *worker,
                                            struct activation activation);
void recycle_emulated_activation(struct stealing *stealing, struct activation *activation);
/* Advances to the next repetition of the same child, or to the next child.  */
void advance_emulated_cursor(const struct stealing *stealing, struct activation *activation);
/* Returns whether all children have been run.  */
bool is_emulated_cursor_at_end(const struct activation *activation);
/* Schedules the next event of the worker.  */
void schedule_emulated_worker_event(struct stealing *stealing, struct worker *worker, double time);
/* Pushes the activation on the deque of the worker, where thieves find it.  */
void offer_to_emulated_thieves(struct stealing *stealing, struct worker *worker, struct activation *activation);
/* Notes that SECTION has spawned the task before its cursor.  Thieves may take the continuation.  */
void note_emulated_spawn(struct stealing *stealing, struct worker *worker, struct activation *section);
/* Parks a worker that has nothing to do.  */
void park_emulated_worker(struct stealing *stealing, struct worker *worker);

/* activations.c: runs the worker until something takes time or there is nothing left to do.  */
void run_emulated_worker(struct stealing *stealing, struct worker *worker);
/* Enters a node and runs the worker.  */
void run_emulated_worker_at_node(struct stealing *stealing, struct worker *worker, const struct tree_node *node);

/* collapsed.c: replaces the collapsed subtree that the worker runs by activations that tell how far it has come.  */
void expand_emulated_subtree(struct stealing *stealing, struct worker *worker);
/* Removes from a batch the tasks that have begun by now.  */
void update_emulated_batch(const struct stealing *stealing, const struct worker *worker, struct activation *range);

/* thieves.c: lets a thief that has reached its victim steal.  */
void let_emulated_thief_steal(struct stealing *stealing, struct worker *thief);
/* Lets parked workers look for work again, if there is news.  */
void serve_emulated_thieves(struct stealing *stealing);

/* Returns the index of WORKER among the emulated workers.  */
static inline uint32_t emulated_worker_number(const struct stealing *stealing, const struct worker *worker) {
  return (uint32_t)(worker - stealing->workers);
}
#endif
