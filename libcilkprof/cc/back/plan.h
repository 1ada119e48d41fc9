/* The plan for instrumenting one function: complete before any event is inserted, and constant from then on.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_PLAN_H
#define CILKPROF_CC_PLAN_H

#include "back.h"

/* locks.cc: locks that are held without any event, by their markers.  */
struct small_locks {
  hash_map<gimple *, gimple *> begins; /* to the only end, if it is in the same basic block; else to NULL */
  hash_map<gimple *, gimple *> ends;   /* to the beginning */
  hash_set<gimple *> atomics;          /* operations under the locks; they are counted, not timed */
  hash_set<gimple *> updates;          /* atomics that do not only load */
  hash_set<basic_block> retrying;      /* blocks of loops that retry an atomic; these loops are counted, too */
};
void find_locks_without_events(function *fun, small_locks *found);

/* serial-loops.cc: the loops of a function that are sites of their own, by their markers.  */
struct serial_loops {
  hash_map<gimple *, class loop *> begins; /* in a block before the loop */
  hash_map<gimple *, class loop *> ends;   /* in blocks after it */
  hash_set<basic_block> end_blocks;        /* of ends before which all of the loop has been counted without an event */
  hash_set<basic_block> headers;           /* of these loops */
};

struct function_plan {
  function *fun;
  cgraph_node *node;
  bool outlined;      /* it calls its events; otherwise they are inlined */
  bool bare;          /* it is outlined and has no event except timing, so it needs no frame */
  bool linked;        /* its frame is in the thread's list of frames, as it may be abandoned */
  bool handler;       /* it may be a signal handler */
  bool spawning;      /* it spawns, and therefore syncs at every return */
  bool chooses_tasks; /* it has a task call of which only the run shows if it is deferred or final */
  bool ranges;        /* it is the body of a cilk_for, and has the frame of the function around the loop */
  bool names_strands; /* it starts strands with cilkprof_strand, or regions with cilkprof_start */
  small_locks locks;
  timed_parts timed; /* hybrid mode */
  serial_loops serial;

  hash_set<basic_block> counted_blocks; /* second bodies of loops, which have no events */

  bool has_blocks;                        /* it has constructs like cilk_for, which jumps may leave */
  hash_map<basic_block, int> open_blocks; /* how many of them are open at the start of a basic block */

  /* For inlined events.  */
  hash_set<basic_block> bare_returns; /* blocks that return without any event before them */
  basic_block entered;                /* where the frame is set up, as late as possible; NULL if there is none */

  /* For outlined events.  */
  hash_set<gimple *> leaf_calls; /* calls with a single event, after their return */
  hash_set<gimple *> counted;    /* calls of functions that seldom spawn */
  hash_set<gimple *> series;     /* calls of known or possible leaves, in loops that call nothing else */
  calls_followed followed;

  function_plan(function *f, bool outlined);

  /* Returns how many Cilk blocks are open at the start of BB.  The number is not known for a basic block that only
     jumps lead to and that never reaches a return.  It is in an endless loop, which is taken to be outside of all Cilk
     blocks.  */
  int open_marked_blocks_at(basic_block bb) {
    int *known = open_blocks.get(bb);
    return known ? *known : 0;
  }
};

void mark_serial_loops(function_plan *plan);

/* returns.cc */
void separate_bare_returns(function *fun, hash_set<basic_block> *bare_returns);
basic_block frame_setup_event_block(function *fun, hash_set<basic_block> *bare_returns);

/* depths.cc */
bool has_block_markers_p(function *fun);
void find_open_marked_blocks_in_bbs(function *fun, int (*opened)(const gimple *), hash_map<basic_block, int> *at_start);

#endif
