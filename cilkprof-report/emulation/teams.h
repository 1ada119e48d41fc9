/* Threads of OpenMP's, their teams, and the sections that they run.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TEAMS_H
#define CILKPROF_REPORT_TEAMS_H

#include "cilkprof-report/emulation/chunks.h"
#include "cilkprof-report/emulation/heap.h"
#include "cilkprof-report/emulation/locks.h"

/* A section that a team runs.  */
struct context {
  const struct tree_node *section;
  struct shares shares;
  struct context *next;          /* that began later; NULL: none did yet */
  unsigned unfinished;           /* members */
  const struct tree_child *step; /* of loops that are scheduled while they run: tasks that are equal, */
  unsigned in_step;              /* and how many members have taken one of them */
};

/* The threads for the sections of one task; the first leads.  */
struct team {
  uint32_t *threads;
  unsigned size;
  unsigned open;        /* contexts that are not finished */
  bool nested;          /* inside of another */
  bool leader_waits;    /* for all of them */
  struct context *last; /* NULL: it is finished */
  struct team *next;    /* of those that are free */
};

enum frame_kind {
  FRAME_SEQUENCE, /* children one after another */
  FRAME_SECTION,  /* a leader's */
  FRAME_MEMBER,   /* a member's share of one */
};

struct frame {
  enum frame_kind kind;
  unsigned stage;
  const struct tree_node *node;
  uint64_t child, left; /* of a sequence: which, and how often it is still to come */
  struct team *team;    /* of a sequence: for its sections, NULL until there is one; else the section's */
  struct context *context;
  struct chunk_range range; /* of a member */
  bool paid;                /* of a lock: its cost */
};

struct thread {
  struct frame *frames;
  size_t depth, room;
  size_t shares;     /* of sections, among the frames */
  struct team *team; /* of which it is a member; NULL: of none */
  unsigned member, processor;
  bool idle;                     /* it has finished all that its team has begun */
  const struct tree_child *step; /* as that of its context, if it has taken such a task */
  double work;                   /* pinned: that waits for the processor */
  uint32_t next;                 /* that waits for the same */
};

/* Pinned threads wait for their processor.  */
struct processor {
  uint32_t running, first, last;
};

struct teams {
  const struct task_tree *tree;
  const struct schedule *schedule;
  const struct machine *machine;
  struct heap heap;
  double virtual, now; /* the first goes on as a thread does: slower where there are more than processors */
  struct locks locks;
  struct thread *threads;
  size_t thread_count, thread_room;
  struct heap free_threads;
  struct team *free_teams;
  struct context *free_contexts;
  struct processor *processors;
  unsigned open_sections;
  bool finished;
  uint64_t most_steps;
  struct forecast forecast;
};

/* sharing.c: the thread goes on when so much work is done, or now.  */
void thread_work(struct teams *teams, uint32_t thread, double work);
void thread_wake(struct teams *teams, uint32_t thread);
/* The next thread that goes on; NOBODY: none does.  */
uint32_t teams_next(struct teams *teams);

/* members.c: threads are taken and given back; a section begins for a team, ends for one of its threads.  */
struct team *team_make(struct teams *teams, uint32_t leader, bool nested);
void team_release(struct teams *teams, struct team *team);
struct context *team_begin(struct teams *teams, struct team *team, const struct tree_node *section);
void member_finish(struct teams *teams, uint32_t thread, struct context *context);
/* What a member does next: some work, and then a task, if that is not NULL.  Returns whether there is anything.  */
bool member_take(struct teams *teams, struct frame *frame, uint32_t thread, double *work,
                 const struct tree_node **task);

struct frame *frame_push(struct teams *teams, uint32_t thread, struct frame frame);

#endif
