/* How long a tree would take on so many processors, under a schedule.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_EMULATION_H
#define CILKPROF_REPORT_EMULATION_H

#include "cilkprof-report/emulation/tree.h"
#include "cilkprof-report/options/options.h"

/* What runtime systems cost, in units of the tree.  */
struct overheads {
  double fork, join; /* of a team, for each of its threads but the first */
  double nested;     /* of both, where the team is inside of another: its threads are made for it */
  double iteration;  /* of taking a chunk of a loop that is scheduled while it runs */
  double lock;       /* of taking and releasing a lock */
  double task;       /* of one of OpenMP's */
  double spawn;      /* of one of Cilk's */
  double steal;      /* of an attempt to take a task from another worker */
  double burden;     /* of going on with it elsewhere */
};

enum schedule_kind {
  SCHEDULE_STATIC, /* OpenMP's loops; a CHUNK of 0 is one block for each thread */
  SCHEDULE_DYNAMIC,
  SCHEDULE_GUIDED,
  SCHEDULE_TASKS,  /* each task is OpenMP's, and taken by whoever is idle */
  SCHEDULE_CILK,   /* randomised work stealing */
  SCHEDULE_GREEDY, /* nobody is idle while there is work, and nothing costs anything */
};

struct schedule {
  enum schedule_kind kind;
  uint64_t chunk;
  const char *name;
};

struct machine {
  unsigned processors;
  enum section_nesting nesting;
  struct overheads overheads;
  uint64_t seed;
  uint64_t most_steps; /* of an emulation, 0: any number */
};

/* Where the processors' time goes that is not work, summed over all of them.  */
struct forecast {
  double time;
  double overhead;  /* of the runtime system */
  double serial;    /* others wait while the program is in no section */
  double imbalance; /* they wait for others, or find nothing to do */
  double locked;    /* they wait for locks, */
  double worst;     /* and for that of these for which they wait longest */
  uint32_t worst_lock;
  double memory; /* work takes so much longer, as memory is shared */
  bool deadlock; /* each waits for a lock that another holds: it never ends */
  bool cut;      /* there were too many steps */
  uint64_t steps;
  double deviation; /* of several seeds: the standard deviation of the time */
};

/* Reads "static", "static,4", "dynamic", ... from *TEXT and moves it behind the comma that follows.  Fails when there
   is no such schedule.  */
struct schedule schedule_parse(const char **text);
bool is_team_schedule(const struct schedule *schedule);

struct forecast emulate(const struct task_tree *tree, const struct schedule *schedule, const struct machine *machine);
/* teams.c and stealing.c: the two machines.  */
struct forecast emulate_teams(const struct task_tree *tree, const struct schedule *schedule,
                              const struct machine *machine);
struct forecast emulate_stealing(const struct task_tree *tree, const struct schedule *schedule,
                                 const struct machine *machine);

#endif
