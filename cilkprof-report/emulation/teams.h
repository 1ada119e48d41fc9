/* State of emulated OpenMP threads, their teams, and the sections that these run.
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
  struct context *next;          /* next section that the team began, or NULL */
  unsigned unfinished;           /* members that have not finished the section */
  const struct tree_child *step; /* dynamic schedules: equal tasks that members are taking now */
  unsigned in_step;              /* members that have taken one of them */
};

/* The threads that run the sections of one task; the first is the leader.  */
struct team {
  uint32_t *threads;
  unsigned size;
  unsigned open;        /* contexts that are not finished */
  bool nested;          /* inside another team */
  bool leader_waits;    /* the leader waits until all contexts are finished */
  struct context *last; /* context that began last; NULL: it is finished */
  struct team *next;    /* list of free teams */
};

enum frame_kind {
  FRAME_SEQUENCE, /* the children run one after another */
  FRAME_SECTION,  /* a section, in its leader */
  FRAME_MEMBER,   /* share of a section, in each member */
};

struct frame {
  enum frame_kind kind;
  unsigned stage;
  const struct tree_node *node;
  uint64_t child, left; /* sequence: next child, and how often it is still to run */
  struct team *team;    /* sequence: team of its sections, NULL before the first; others: team of the section */
  struct context *context;
  struct chunk_range range; /* member only */
  bool paid;                /* lock only: its overhead is paid */
};

struct thread {
  struct frame *frames;
  size_t depth, room;
  size_t shares;     /* number of frames of kind FRAME_MEMBER */
  struct team *team; /* team of which it is a member but not the leader, or NULL */
  unsigned member, processor;
  bool idle;                     /* has finished all sections that the team has begun */
  const struct tree_child *step; /* last equal tasks that it has taken, as in its context */
  double work;                   /* pinned threads: work that waits for the processor */
  uint32_t next;                 /* next thread that waits for the same processor */
};

/* A processor, and the queue of pinned threads that wait for it.  */
struct processor {
  uint32_t running, first, last;
};

struct teams {
  const struct task_tree *tree;
  const struct schedule *schedule;
  const struct machine *machine;
  struct heap heap;
  double virtual, now; /* virtual time, see sharing.c; real time */
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

/* sharing.c: lets the thread do WORK before its next step.  */
void let_emulated_thread_work(struct teams *teams, uint32_t thread, double work);
/* Lets the thread make its next step now.  */
void wake_emulated_thread(struct teams *teams, uint32_t thread);
/* Advances the time to the next event and returns its thread, or NOBODY if there is none.  */
uint32_t advance_emulated_teams(struct teams *teams);

/* members.c: makes a team of LEADER and free threads.  */
struct team *make_emulated_team(struct teams *teams, uint32_t leader, bool nested);
/* Frees the team and its threads.  */
void release_emulated_team(struct teams *teams, struct team *team);
/* Begins SECTION in all members that are idle, and in the leader.  */
struct context *begin_emulated_team_section(struct teams *teams, struct team *team, const struct tree_node *section);
/* Ends the share of the thread in CONTEXT.  */
void finish_emulated_member_share(struct teams *teams, uint32_t thread, struct context *context);
/* Takes what a member does next: some WORK, and then TASK, if that is not NULL.  Returns false if nothing is left.  */
bool take_emulated_member_task(struct teams *teams, struct frame *frame, uint32_t thread, double *work,
                               const struct tree_node **task);

struct frame *push_emulated_frame(struct teams *teams, uint32_t thread, struct frame frame);

#endif
