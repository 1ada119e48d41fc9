/* Emulates a tree of sections and tasks on several processors under a schedule, to forecast its running time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_EMULATION_H
#define CILKPROF_REPORT_EMULATION_H

#include "cilkprof-report/emulation/tree.h"
#include "cilkprof-report/options/options.h"

/* Overheads of runtime systems, in units of the tree.  */
struct overheads {
  double fork, join; /* begin and end of a team, for each thread but the first */
  double nested;     /* begin and end of a nested team, whose threads are created for it */
  double iteration;  /* taking a chunk of a loop that is scheduled dynamically */
  double lock;       /* taking and releasing a lock */
  double task;       /* creating and running an OpenMP task */
  double spawn;      /* spawning a Cilk task */
  double steal;      /* attempt to steal from another worker */
  double burden;     /* continuing stolen work on another processor */
};

enum schedule_kind {
  SCHEDULE_STATIC, /* OpenMP loops; a CHUNK of 0 is one block for each thread */
  SCHEDULE_DYNAMIC,
  SCHEDULE_GUIDED,
  SCHEDULE_TASKS,  /* OpenMP tasks, which any idle thread takes */
  SCHEDULE_CILK,   /* randomised work stealing */
  SCHEDULE_GREEDY, /* no worker is idle while there is work, and there are no overheads */
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
  uint64_t most_steps; /* limit of an emulation; 0: none */
};

/* Result of an emulation.  Losses are processor time that is not work, summed over all processors.  */
struct forecast {
  double time;      /* running time */
  double overhead;  /* loss: overhead of the runtime system */
  double serial;    /* loss: idle processors while the program is in no section */
  double imbalance; /* loss: threads wait for others, or find no work */
  double locked;    /* loss: threads wait for locks */
  double worst;     /* part of LOCKED that is due to WORST_LOCK */
  uint32_t worst_lock;
  double memory; /* loss: work takes longer because processors share memory */
  bool deadlock; /* threads wait for locks of each other: the program never ends */
  bool cut;      /* the emulation reached its limit of steps */
  uint64_t steps;
  double deviation; /* standard deviation of the time over several seeds */
};

/* Reads a schedule such as "static", "static,4" or "dynamic" from *TEXT, and advances *TEXT after the comma that
   follows.  Fails if there is no such schedule.  */
struct schedule parse_emulated_schedule(const char **text);
/* Returns whether the schedule is one of OpenMP loops, which teams run.  */
bool is_emulated_team_schedule(const struct schedule *schedule);

/* Runs TREE under SCHEDULE on MACHINE.  */
struct forecast emulate_schedule(const struct task_tree *tree, const struct schedule *schedule,
                                 const struct machine *machine);
/* teams.c and stealing.c: the emulators for OpenMP loops and for all other schedules.  */
struct forecast emulate_teams(const struct task_tree *tree, const struct schedule *schedule,
                              const struct machine *machine);
struct forecast emulate_stealing(const struct task_tree *tree, const struct schedule *schedule,
                                 const struct machine *machine);

#endif
