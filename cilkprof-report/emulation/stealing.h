/* Workers that take work from each other: what they are in, and what can be taken.
   SPDX-License-Identifier: GPL-3.0-or-later

   What a worker is in is a chain of activations, each in the next one outwards; several chains may end in the same
   section.  A worker that nobody disturbs runs whole nodes at once, as lumps: only when another one looks for work is
   it found out where in them it is.  */

#ifndef CILKPROF_REPORT_STEALING_H
#define CILKPROF_REPORT_STEALING_H

#include "cilkprof-report/emulation/heap.h"
#include "cilkprof-report/emulation/locks.h"

enum activation_kind {
  IN_SEQUENCE, /* children one after another */
  IN_SECTION,
  IN_RANGE, /* some tasks of a loop, which another worker may take one half of */
  IN_LUMP,  /* a whole node */
};

struct activation {
  enum activation_kind kind;
  unsigned stage;
  const struct tree_node *node;
  struct activation *parent;
  uint64_t child, left; /* of a sequence, and of a section that spawns: which, and how often it is still to come */
  /* Of a section.  */
  uint64_t active; /* of a loop its ranges; of one that spawns its tasks that are not done */
  bool waits;      /* all of them have been spawned */
  /* Of a range.  */
  uint64_t at, end;
  const struct tree_child *task; /* that comes next; NULL: it is to be found */
  uint64_t lump;                 /* so many equal tasks are run at once; 0: none */
  double each;                   /* and each of them takes that */
  /* Of a lump, and of a range.  */
  double started;
};

struct worker {
  struct activation *top; /* NULL: it is idle */
  struct activation **deque;
  size_t head, tail, room; /* what others can take, outermost first */
  uint32_t stamp;          /* of its event */
  uint32_t victim;         /* that it is about to take something from */
  bool parked;             /* there was nothing to take */
};

/* What nodes cost with all overheads.  */
struct costs {
  double *node;
  double *serial; /* of a section: what it does itself */
  double *before; /* by child: all that comes before it in its node, of a loop's tasks the tasks alone */
};

struct stealing {
  const struct tree *tree;
  const struct machine *machine;
  enum schedule_kind kind;
  struct costs costs;
  struct heap heap;
  struct locks locks;
  struct worker *workers;
  size_t parked;
  uint32_t current; /* the worker whose event is under way */
  bool fine;        /* no lumps: a worker that has just begun one does it step by step */
  bool news;        /* there is something to take that was not there before */
  uint64_t random;
  double now;
  struct activation *free;
  unsigned open_sections;
  bool finished;
  uint64_t most_steps;
  struct forecast forecast;
};

/* What is added to a task of the section, where it is spawned.  */
double spawn_cost(const struct stealing *stealing, const struct tree_node *section);

/* activations.c */
struct activation *activation_push(struct stealing *stealing, struct worker *worker, struct activation activation);
void activation_free(struct stealing *stealing, struct activation *activation);
/* The next child, after one of these.  */
void cursor_next(const struct stealing *stealing, struct activation *activation);
bool cursor_ended(const struct activation *activation);
/* The worker's event comes then.  */
void worker_until(struct stealing *stealing, struct worker *worker, double time);
/* Others can take from this one from now on.  */
void worker_offer(struct stealing *stealing, struct worker *worker, struct activation *activation);
/* The section, which is behind it, has spawned a task: others can go on with it.  */
void section_spawned(struct stealing *stealing, struct worker *worker, struct activation *section);
/* Goes on until something takes time, or there is nothing to do.  */
void worker_enter(struct stealing *stealing, struct worker *worker, const struct tree_node *node); /* and goes on */
void worker_go_on(struct stealing *stealing, struct worker *worker);

/* lumps.c: where the worker is in the lump that it runs; and in a range that it runs at once.  */
void lump_open(struct stealing *stealing, struct worker *worker);
void range_settle(const struct stealing *stealing, const struct worker *worker, struct activation *range);

/* thieves.c: the worker has nothing to do; it comes to its victim; those that are parked look again.  */
void worker_idle(struct stealing *stealing, struct worker *worker);
void thief_arrives(struct stealing *stealing, struct worker *thief);
void thieves_serve(struct stealing *stealing);

static inline uint32_t worker_number(const struct stealing *stealing, const struct worker *worker) {
  return (uint32_t)(worker - stealing->workers);
}
#endif
