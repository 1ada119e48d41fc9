/* Teams of OpenMP: the threads of a team are fibers of the one thread that is profiled.
   SPDX-License-Identifier: MIT

   The engine's README explains how fibers, the state of the engine and virtual time belong together.  */

#ifndef CILKPROF_TEAMS_H
#define CILKPROF_TEAMS_H

#include "libcilkprof/engine/tasks/paths.h"

/* A buffer that grows.  */
struct team_buffer {
  void *memory;
  size_t bytes, room;
};

/* The engine's state that belongs to a fiber, while another one runs: everything above what was there when its region
   began.  All fibers of a team use the same addresses, one after the other.  */
struct fiber_image {
  struct __cilkprof_thread thread;
  struct team_buffer frames, blocks, log; /* the frame that holds the region, and all above it; blocks; entries */
  struct team_buffer open;                /* the open top-call-site invocations: struct fiber_open_site */
  context_t *context;
  struct accesses *accesses; /* of tasks/paths.c */
  struct before_untracked before_untracked;
  uint64_t ticks; /* when it was left */
};

/* Where images of the fibers of a team begin.  */
struct fiber_base {
  frame_t *frame;
  block_t *block;
  entry_t *top;
};

enum fiber_state {
  FIBER_READY,
  FIBER_WAITS,   /* for something that another fiber will do: it looks again when no other is ready */
  FIBER_ARRIVED, /* at a barrier */
  FIBER_ENDED
};

/* The totals of a fiber that has ended: the return slots.  */
struct fiber_totals {
  uint64_t local_work, local_off_span, local_off_burdened_span, work, span, burdened_span;
  lanes_t lanes;
};

/* A thread of a team.  */
struct team_fiber {
  struct team *team;
  uint64_t number;
  enum fiber_state state;
  uint64_t time;    /* virtual: the length of the path to where it is now, from the beginning of the region */
  void *stack;      /* the lowest address of its stack */
  void *stack_mark; /* the stack pointer while it does not run */
  struct fiber_image image;
  struct team_buffer entries; /* of its path to a barrier; in the end, all that it leaves in the log */
  struct fiber_totals totals; /* when it has ended */
  uint64_t singles, shares;   /* how many of these constructs it has reached */
  struct team_share *share;   /* the loop or sections that it is in */
  uint64_t chunks;            /* how many chunks of a static schedule it had there */
  int inner;                  /* how many regions without a team of their own are open in it */
  const void *polled;         /* the variable that it read last to see if it may go on; NULL: it was a flush */
  uint64_t poll_time, polls;  /* TIME at that, and how often it has read it with nothing else in between */
  uint64_t poll_seen;         /* the word that has it, then */
  char *variables;            /* values of the thread's variables while it does not run; NULL: there are none */
  size_t variables_bytes;     /* of these */
};

/* The path to where a fiber wrote to a variable, for those that wait until it does.  */
struct team_post {
  struct team_post *next;
  const void *address;
  uint64_t run; /* of the team */
  const struct team_fiber *writer;
  struct path path;
};
enum { POST_BUCKETS = 1 << 16 }; /* pages of the table that are not used take no memory */

/* The longest path to a barrier.  */
struct team_barrier {
  struct path longest;
  struct team_buffer entries; /* of LONGEST */
};

/* A loop or sections that a team divides while it runs.  */
struct team_share {
  struct team_share *next;
  uint64_t number;       /* which of the team's constructs it is */
  uint64_t left;         /* how many fibers have left it */
  int kind;              /* __CILKPROF_SCHEDULE_... */
  uint64_t chunk;        /* 0: none is given */
  uint64_t count, taken; /* iterations or sections, and how many of them have been given to fibers */
  uint64_t start, step;  /* of the variable of a loop */
};

struct team {
  struct team_fiber *outer; /* the fiber in which the region was reached; NULL: none */
  uint64_t threads;
  struct team_fiber *fibers;
  struct team_fiber *running;
  void *maker_mark; /* the stack pointer of what made the team */
  void (*body)(void *data);
  void *data;
  const site_t *site;      /* where its threads are spawned; NULL: nothing is measured */
  int bare;                /* nothing is measured */
  int level, active_level; /* of its region; those in which a team has several threads */
  struct fiber_base base;
  struct fiber_image first;                  /* the state when the region began */
  uint64_t arrived, ended;                   /* how many fibers are at the barrier, and at their ends */
  struct team_barrier barriers[2];           /* a fiber may reach the next one before others have left the last */
  uint64_t passed;                           /* how many barriers all fibers have reached */
  uint64_t idle, idle_since;                 /* how often only fibers that wait have run, and since when */
  int flushes;                               /* whether one of them has waited by a flush meanwhile */
  uint64_t idle_cpu_ns;                      /* CPU time of the thread when that was last looked at */
  uint64_t singles;                          /* how many have a thread that runs them */
  void *copied;                              /* what a single with copyprivate leaves; NULL: nothing yet */
  struct team_share *shares, *unused_shares; /* open ones; those to use again */
  struct team_post **posts;                  /* a hash table; NULL: there are none */
  uint64_t run;                              /* how often the team has run a region */
  struct team *next;                         /* teams that can be used again */
};

/* The fiber that runs now; NULL: none.  */
extern HIDDEN __thread struct team_fiber *__cilkprof_fiber;

/* fiber.c: gives FIBER a stack, on which it will call RUNS.  Returns 0, or -1 if there is no memory.  */
HIDDEN int __cilkprof_fiber_prepare(struct team_fiber *fiber, void (*runs)(struct team_fiber *fiber));
/* Saves the stack pointer in *FROM and goes on where TO was saved.  */
HIDDEN void __cilkprof_fiber_jump(void **from, void *to);
/* Lets TO run, in the state of the engine that it has left.  FROM is where to save the stack pointer.  */
HIDDEN void __cilkprof_fiber_goes_on(void **from, struct team_fiber *to);
/* Lets TO, another fiber of the team of FIBER, run.  Returns when FIBER goes on.  */
HIDDEN void __cilkprof_fiber_switch(struct team_fiber *fiber, struct team_fiber *to);

/* image.c: saves the state of the engine above BASE to IMAGE, and takes it away from the sites.  */
HIDDEN void __cilkprof_image_save(struct fiber_image *image, const struct fiber_base *base);
/* Makes IMAGE the state of the engine above BASE.  */
HIDDEN void __cilkprof_image_load(const struct fiber_image *image, const struct fiber_base *base);
/* Makes TO a copy of FROM.  */
HIDDEN void __cilkprof_image_copy(struct fiber_image *to, const struct fiber_image *from);
/* Puts BYTES from FROM into BUFFER.  Returns 0, or -1 if there is no memory.  */
HIDDEN int __cilkprof_team_buffer_set(struct team_buffer *buffer, const void *from, size_t bytes);

/* thread_variables.c: gives the fibers of TEAM, which begins a region, their own values of the thread's variables.
   Returns 0, or -1 if there is no memory.  */
HIDDEN int __cilkprof_team_begin_variables(struct team *team);
/* Keeps the values of the thread's variables in FIBER, which is left.  */
HIDDEN void __cilkprof_fiber_leaves_variables(struct team_fiber *fiber);
/* Sets the thread's variables to the values that FIBER has.  */
HIDDEN void __cilkprof_fiber_takes_variables(const struct team_fiber *fiber);
/* Forgets which variables a region copies to all its threads, as it has begun without a team, or has ended.  */
HIDDEN void __cilkprof_team_forget_copyin(void);

/* name.c: returns the name of the region that TEAM runs, with its place in the source if that is known.  */
HIDDEN const char *__cilkprof_team_name(const struct team *team);

/* turns.c: returns the fiber of TEAM that is to run next; NULL: all are at a barrier or have ended.  */
HIDDEN struct team_fiber *__cilkprof_team_next(const struct team *team);
/* Lets others run, as FIBER cannot go on.  Returns when it can; never if it has ended.  */
HIDDEN void __cilkprof_fiber_rest(struct team_fiber *fiber);
/* Ends the barrier that all fibers of TEAM have reached.  */
HIDDEN void __cilkprof_team_barrier_ends(struct team *team);
/* Lets a fiber run that is earlier than FIBER, if there is one.  */
HIDDEN void __cilkprof_fiber_takes_turn(struct team_fiber *fiber);
/* Lets others run until CAN_GO_ON returns true for ARGUMENT.  */
HIDDEN void __cilkprof_fiber_wait_until(int (*can_go_on)(void *argument), void *argument);

/* wait.c: adds up in LENGTH the path from the beginning of the region to the current point in FRAME, whose function has
   done LOCAL_WORK itself so far.  */
HIDDEN void __cilkprof_team_path_length(frame_t *frame, uint64_t local_work, struct path *length);
/* Puts the entries of that path, summed by site, into the buffer ENTRIES, and makes them those of PATH.  */
HIDDEN void __cilkprof_team_path_entries(frame_t *frame, uint64_t local_work, struct path *path,
                                         struct team_buffer *entries);
/* Goes on in FRAME, whose function has done LOCAL_WORK itself so far, with PATH, of another fiber, if that is longer
   than HERE, the one of FIBER.  */
HIDDEN void __cilkprof_fiber_joins_path(struct team_fiber *fiber, frame_t *frame, uint64_t local_work,
                                        const struct path *path, struct path *here);
/* Likewise, but children of FRAME stay beside it: only what FRAME does next comes behind PATH.  */
HIDDEN void __cilkprof_fiber_goes_behind(struct team_fiber *fiber, frame_t *frame, uint64_t local_work,
                                         const struct path *path, struct path *here);
/* posts.c: notes that the fiber that runs reads the variable at ADDRESS to see if it may go on; NULL: it is a flush.
   It goes on behind the last write by another fiber.  If it has read the same before and done next to nothing since,
   others run first; the program ends if all have waited for too long.  */
HIDDEN void __cilkprof_fiber_polls(const void *address);
/* Notes that the fiber that runs has written to the variable at ADDRESS, for which others may wait.  */
HIDDEN void __cilkprof_fiber_posts(const void *address);
/* spins.c: sees to it that there is a message if a fiber runs for long while others do not, or if nothing happens in a
   region that one thread runs for all.  */
HIDDEN void __cilkprof_team_watch_spins(void);
/* How often another fiber went on.  */
extern HIDDEN __thread uint64_t __cilkprof_fiber_switches;
/* turns.c: lets another fiber run once, as FIBER waits.  Returns whether all have waited for too long.  */
HIDDEN int __cilkprof_fiber_lets_others_run(struct team_fiber *fiber);
/* Returns the CPU time of this thread in nanoseconds.  */
HIDDEN uint64_t __cilkprof_team_cpu_ns(void);
/* Notes that FIBER, or another one of the teams that it is in, does not only wait.  */
HIDDEN void __cilkprof_fiber_has_gone_on(const struct team_fiber *fiber);
/* Makes events of tasks/ that wait go to this folder.  */
HIDDEN void __cilkprof_team_waits_start(void);

/* Returns the fiber that runs, if a construct that is reached now divides the work of its team; NULL: one thread has
   all of it.  */
static inline struct team_fiber *fiber_sharing_work(void) {
  return __cilkprof_fiber && !__cilkprof_fiber->inner ? __cilkprof_fiber : NULL;
}

/* answers.c: returns how many threads a region has for which the program asks for THREADS, 0 if it does not say.  */
HIDDEN uint64_t __cilkprof_team_threads(uint64_t threads);
/* Returns how deep parallel regions are nested where the program is now, those without a team included.  */
HIDDEN int __cilkprof_team_level(void);

#endif
