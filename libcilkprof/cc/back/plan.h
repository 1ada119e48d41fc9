/* What is to be done to a function: found out before any event is put into it, and not changed by them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_PLAN_H
#define CILKPROF_CC_PLAN_H

#include "back.h"

/* locks.cc: locks under which there is no event, by their markers.  */
struct small_locks {
  hash_map<gimple *, gimple *> begins; /* and the end, if that is in the same block and there is no other; else NULL */
  hash_map<gimple *, gimple *> ends;   /* and where it begins */
  hash_set<gimple *> atomics;          /* operations under them, which are counted */
  hash_set<gimple *> updates;          /* those that do not only load */
  hash_set<basic_block> retrying;      /* loops that try one again, which are counted too */
};
void find_small_locks(function *fun, small_locks *found);

struct function_plan {
  function *fun;
  cgraph_node *node;
  bool outlined;      /* it calls its events; else they are inlined */
  bool bare;          /* such a function without any event, or with none but timing: it needs no frame */
  bool linked;        /* its frame may be left behind */
  bool handler;       /* it may be a signal handler */
  bool spawning;      /* it syncs at every return */
  bool chooses_tasks; /* whether one that it calls is deferred, or final, is only known when it is made */
  bool names_strands; /* with cilkprof_strand; or regions, with cilkprof_start */
  small_locks locks;
  timed_parts timed; /* hybrid mode */

  bool has_blocks;                        /* as cilk_for: a jump may leave them, and */
  hash_map<basic_block, int> open_blocks; /* then so many are open where a basic block begins */

  /* Where events are inlined.  */
  hash_set<basic_block> bare_returns; /* blocks that return without any event before */
  basic_block entered;                /* where the frame begins, if there is one: later where only events need it */

  /* Where they are called.  */
  hash_set<gimple *> leaf_calls; /* calls that are booked when they have returned */
  hash_set<gimple *> series;     /* calls of leaves, or of what may be one, in loops that call nothing else */
  calls_followed followed;

  function_plan(function *f, bool outlined);
  int open_blocks_at(basic_block bb);
};

/* returns.cc */
void separate_bare_returns(function *fun, hash_set<basic_block> *bare_returns);
basic_block entry_block(function *fun, hash_set<basic_block> *bare_returns);

/* depths.cc */
bool has_blocks_p(function *fun);
void find_open_blocks(function *fun, hash_map<basic_block, int> *at_start);

#endif
