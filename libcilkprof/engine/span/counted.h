/* Counted calls: what is known of a call site whose callee seldom spawns.
   SPDX-License-Identifier: MIT

   In code that does not spawn, work is span, and nothing that happens in it moves the critical path.  So most calls of
   such code are counted: the callee runs in a copy without events, which only counts its calls, and the caller books
   what the whole call took, at a site of its own beside the real one (STANDING).  Some calls are followed, with events,
   and show how the time of such a call divides among the sites inside: they are the sample.  When the profile is
   written, what the counted calls took is divided in the same proportions (counted_sums.c).  Counts of calls are exact,
   and no time is lost or made.  */

#ifndef CILKPROF_COUNTED_H
#define CILKPROF_COUNTED_H

#include "libcilkprof/engine/span/leaf.h"
#include "libcilkprof/engine/time/call_cost.h"

/* The two stand-ins of a site: OUTERMOST for calls that would be top-call-site invocations, INNER for others.  */
enum { OUTERMOST, INNER, STAND_INS };

/* A sum of values X over the calls of a sample, in which a call took Y in all: with the sums of X * X and X * Y it
   says how sure the share of X is.  */
struct sampled_sum {
  uint64_t sum;
  double squares, products;
};

/* What the calls of a sample did at one site inside.  */
struct counted_part {
  uint64_t key, count, work;
  struct sampled_sum local_work;
};

struct __cilkprof_counted {
  site_t standing[STAND_INS]; /* sites that stand in for SITE: counted calls are booked there, like those of leaves */
  site_t *site;
  struct __cilkprof_counted *next; /* in the list of the worker's */
  uint64_t follow_after;           /* so many calls are counted before the next one is followed */
  uint64_t plain;                  /* and so many before these, which are not timed either */
  uint64_t followed;               /* calls that were followed as a sample */
  int never; /* calls are followed, since some of them spawned: for a while, or in a loop for ever */
  /* Calls that spawn (uncounted.c).  */
  int guarded;              /* the callee decides first of all whether it spawns; */
  int guard, anew;          /* or whether it calls what may spawn, and if it does, begins anew with events */
  uint64_t spawned, window; /* so many calls did lately; how many calls there were before these */
  uint64_t wait, again;     /* how many calls are followed for a while, and until which number of them */
  uint64_t parallel;        /* by how much the span of the calls before is shorter than their work */
  struct call_cost cost;
  /* A loop with two bodies, whose calls are stretches of counted iterations (control/counted_loops.c).  */
  int loop;
  int calling;                   /* it is a serial loop, and has no row of its own (control/calling_loops.c) */
  double usual;                  /* how many iterations such a loop mostly has */
  timing_point_t point;          /* where iterations begin to be timed that turn out to have events */
  uint64_t iterations, own_work; /* of the sample; OWN_WORK is that of the loop's code itself, and not part of WORK */
  double counters;               /* what the counters of calls take in an iteration */
  double iteration_cost;         /* what an iteration takes, as far as is known */
  double inside;                 /* the part of it that is not of the loop's code itself */
  uint64_t timed_iterations;     /* in the stretches that were timed: old ones count less */
  uint64_t counted_iterations;   /* in all stretches */
  /* Sums over the sample.  */
  uint64_t learnt_from;          /* how many calls it has */
  double counters_inside;        /* what the counters of all calls inside of them would take */
  uint64_t work;                 /* of the calls */
  double work_squares;           /* the squares of it, added up */
  struct sampled_sum local_work; /* of the callee itself */
  struct counted_part *parts;    /* a hash table by key */
  size_t part_count, part_room;
  /* While the profile is written: calls and their work that are yet to be divided, on all of the work and on the
     span.  */
  struct counted_share {
    double count, work;
    double variance; /* of the work: the square of its standard error */
  } undivided[2][STAND_INS];
  double divided[2]; /* work that has been divided already, of either sum */
};

typedef struct __cilkprof_counted counted_t;

/* Makes all calls of COUNTED's site be followed from now on, or the iterations of its loop.  */
static inline void never_count_again(counted_t *counted) {
  counted->never = 1;
  counted->plain = 0;
}

/* The site of an indirect call for one callee: LEARNT of such a site is the next one.  */
struct callee_site {
  site_t site;
  counted_t *counted;
};

/* Returns the record of the counted calls of SITE, a call site; NULL: there is none yet.  */
static inline counted_t *known_counted_calls(const site_t *site) {
  if (site->callee)
    return ((const struct callee_site *)site)->counted;
  return site->flags & (uint64_t)1 << __CILKPROF_SITE_COUNTED ? site->learnt.counted : NULL;
}

/* Returns where the record of the counted calls of SITE is kept.  */
static inline counted_t **counted_record_of(site_t *site) {
  return site->callee ? &((struct callee_site *)site)->counted : &site->learnt.counted;
}

/* Returns what is known of SITE, which is made at its first call; NULL: there is no memory, or its calls must all be
   followed.  */
HIDDEN counted_t *__cilkprof_counted(site_t *site);

/* Lists the stand-ins of COUNTED's site, to which calls are booked from here on.  A worker that has passed on their
   values has them no longer in its list.  */
static inline void list_stand_ins(counted_t *counted) {
#ifdef __CILKPROF_PARALLEL
  for (int i = 0; i < STAND_INS; i++)
    __cilkprof_list_site(&counted->standing[i]);
#else
  (void)counted;
#endif
}

/* Returns the record of the counted calls that are booked at SITE, which stands in for the call site that the record
   names; NULL: SITE is a real one.  */
static inline counted_t *stands_in_for(const site_t *site) {
  return site->flags & (uint64_t)1 << __CILKPROF_SITE_STANDING ? site->learnt.counted : NULL;
}

/* Returns whether SITE has no values of its own: it stands in for another one, or is that of a calling loop.  */
static inline int is_site_without_values(const site_t *site) {
  enum { WITHOUT_VALUES = 1 << __CILKPROF_SITE_STANDING | 1 << __CILKPROF_SITE_CALLING };
  return ENGINE.mode == CILKPROF_MODE_HYBRID && site->flags & WITHOUT_VALUES;
}

/* Learns from a call of the site that was followed: its entries in the log are from BASE to TOP, its totals in the
   return slots.  */
HIDDEN void __cilkprof_learn_parts(counted_t *counted, const entry_t *base, const entry_t *top);

/* uncounted.c: notes that a call of COUNTED's site spawned, and that was not told in time.  */
HIDDEN void __cilkprof_counted_spawned(counted_t *counted);
/* Notes that a call of COUNTED's site passed a guard.  If many do, they are followed for a while.  */
HIDDEN void __cilkprof_guarded_spawned(counted_t *counted);
/* Returns whether calls of COUNTED's site are counted again, which were followed for a while.  */
HIDDEN int __cilkprof_counts_again(counted_t *counted);

/* Learns from ITERATIONS of a loop that were followed: their entries in the log are from BASE to TOP, and their WORK
   includes OWN, that of the loop's code itself.  */
HIDDEN void __cilkprof_learn_iterations(counted_t *counted, const entry_t *base, const entry_t *top,
                                        uint64_t iterations, uint64_t work, uint64_t own);

/* uncounted.c: keeps what is known of SITE, a call site or one that stands in for it, when its values begin anew at 0,
   because a worker has passed them on.  */
HIDDEN void __cilkprof_counted_passed_on(site_t *site);

/* Replaces pointers to sites, as the functions of span.h whose names end so.  */
HIDDEN void __cilkprof_counted_moved(site_t *(*moved)(site_t *site));

#endif
