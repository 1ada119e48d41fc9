/* The roots of a run and the open root invocations, for the files that follow these.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_ROOT_INVOCATION_H
#define CILKPROF_ROOT_INVOCATION_H

#include "libcilkprof/engine/names/selector.h"
#include "libcilkprof/engine/roots/root.h"

/* An open invocation that is a top-call-site invocation in the innermost root invocation around it.  */
struct open_top {
  site_t *site;
  uint64_t key, flags; /* the site's, to be restored when it is no longer set aside */
  uint8_t top_from;    /* the index of the outermost root invocation in which it is a top-call-site invocation */
  uint8_t caller_from; /* and of the outermost one in which it is a top-caller invocation */
  uint16_t no_context; /* the root invocations, one bit each, that have no room for its context */
};

/* An open root invocation.  The outermost one is the program.  */
struct root_invocation {
  uint64_t tree;
  size_t first;                /* the index of its first open invocation */
  const entry_t *start;        /* where its part of the log begins */
  uint64_t number;             /* counts all root invocations that began */
  uint64_t syncs, loop_spawns; /* the thread's when it began */
  root_site_t *sites;          /* a list of the sites that it reached */
  context_t *contexts;         /* a list of the contexts that it entered */
  context_t *context;          /* the current one; NULL: contexts are not recorded */
  const frame_t *frame;        /* of a region: the frame in which it began; otherwise NULL */
  frame_t before;              /* a copy of that frame as it was when the region began */
  uint64_t nested;             /* further starts of the region without a stop */
  /* OpenMP: the root invocation consists of all frames above AROUND, and of AROUND from the block FROM on.  */
  const frame_t *around;
  const block_t *from;
  int is_crossed; /* tasks outlive it, or it waited for tasks from outside: it cannot be measured as a program */
};

enum { MAX_OPEN = 1 << 18 }; /* the highest number of open top-call-site invocations */

/* The value of FRAME->spawned in a region if children from before the region are open, and none was spawned or joined
   since.  */
enum { SPAWNED_BEFORE = 3 };

struct root_table {
  size_t count;                                  /* of roots */
  size_t depth;                                  /* the index of the innermost open root invocation */
  uint64_t begun;                                /* the number of root invocations that began so far */
  struct root_invocation invocations[MAX_TREES]; /* those that are open */
  struct open_top *open;
  size_t open_count;
  struct root roots[MAX_ROOTS];
  struct cilkprof_selector selectors[MAX_ROOTS];
  context_t *contexts[MAX_ROOTS]; /* the nodes where the contexts of the roots begin */
  int is_open[MAX_ROOTS];
  /* A copy of the entries of the last top-call-site invocation that returned.  */
  const site_t *booked_site;
  uint64_t booked_at; /* the site's count of invocations, by which this invocation is recognized */
  entry_t booked[MAX_BOOKED];
  size_t booked_count;
};

/* How a root invocation ends.  */
struct root_invocation_end {
  int counts;                    /* 0: it could not be measured */
  int spawned;                   /* it was spawned itself: that spawn is not one of its own */
  const entry_t *top;            /* of the log */
  struct cilkprof_measure total; /* its totals */
  struct cilkprof_measure own;   /* of a region: the part of them that belongs to no site */
};

/* root_invocation.c: begins an invocation of the root with NUMBER at the top of the log.  */
HIDDEN struct root_invocation *__cilkprof_root_invocation_begins(uint64_t number);

/* Ends the innermost root invocation.  The invocations that are open around it are no longer set aside.  */
HIDDEN void __cilkprof_root_invocation_ends(const struct root_invocation_end *end);

HIDDEN void __cilkprof_root_invocations_reach(site_t *site);

HIDDEN void __cilkprof_root_invocation_enters(struct root_invocation *invocation, context_t *context);

#endif
