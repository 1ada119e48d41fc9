/* Forks by hand (<cilkprof.h>): what the files share.
   SPDX-License-Identifier: MIT

   A program says which tasks it makes, and which of them each thread runs.  What it says may be wrong.  */

#ifndef CILKPROF_HAND_H
#define CILKPROF_HAND_H

#include "libcilkprof/sampler/openmp/openmp.h"

/* A task has phases: nobody runs it yet, a thread runs it, and it has ended, but what it has spawned has not.  */
enum hand_phase { HAND_SPAWNED, HAND_RUNS, HAND_ENDED };

/* A task that is not over, or, if STATE is 0, room for one.  Room is never freed, so a number that the program has kept
   too long is known to be wrong.  */
struct hand_task {
  _Atomic uint64_t state;     /* its number times 4, and its phase */
  uint64_t number;            /* of the task, or of the one that had this room before */
  _Atomic uint32_t open;      /* how many are not over: itself, and those that it has spawned */
  _Atomic uint32_t next_free; /* of room: the place of another one, plus 1 */
  bool forked;                /* it has spawned tasks since it last waited for them */
  bool waits;                 /* for them: until it goes on, what its thread does is not its work */
  struct task *task;
  struct hand_task *creator;
  struct hand_task *under; /* what its thread ran before it */
  struct task_origin *origin;
};

/* Whatever the program gets wrong is said once, and the profile is incomplete.  */
enum hand_mistake {
  HAND_OUTSIDE,
  HAND_FULL,
  HAND_BEGIN,
  HAND_END,
  HAND_EARLY,
  HAND_WAITS,
  HAND_LEFT,
  HAND_OPENMP,
  HAND_MISTAKES
};
SAMPLER_HIDDEN void hand_say(enum hand_mistake mistake); /* mistakes.c */
SAMPLER_HIDDEN bool hand_is_wrong(void);

/* forks.c: what the program says counts from here on, which its first thread calls; and does not any more.  */
SAMPLER_HIDDEN void hand_start(void);
SAMPLER_HIDDEN void hand_stop(void);
/* So does the program.  ELSEWHERE tells that OpenMP was used in tasks that are not its own.  Returns whether the
   program got something wrong.  */
SAMPLER_HIDDEN bool hand_ends(bool elsewhere);

/* tasks.c: makes a task at SITE, which goes on from CREATOR; NULL if there are too many, or no memory.  */
SAMPLER_HIDDEN struct hand_task *hand_task_new(struct hand_task *creator, uint32_t site);
/* Returns the task with this NUMBER, if it was in the phase FROM, and now is in the phase TO; otherwise NULL.  */
SAMPLER_HIDDEN struct hand_task *hand_task_moves(uint64_t number, enum hand_phase from, enum hand_phase to);
/* TASK, or one that it has spawned, is over: so is TASK if that was the last.  */
SAMPLER_HIDDEN void hand_task_over(struct hand_task *task);
SAMPLER_HIDDEN uint32_t hand_tasks_left(void); /* that are not over */
SAMPLER_HIDDEN bool hand_task_any(void);       /* there ever was one */

/* names.c: returns the site of tasks with NAME, which may be NULL, that are spawned in calls that return to CODE.  */
SAMPLER_HIDDEN uint32_t hand_site(const char *name, const void *code);
SAMPLER_HIDDEN void hand_write_names(struct cilkprof_writer *writer);

#endif
