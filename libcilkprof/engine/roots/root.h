/* Roots (CILKPROF_ROOT): parts of the program that are measured as if each of their outermost invocations were a
   program of its own.
   SPDX-License-Identifier: MIT

   A tree is what is measured: tree 0 is the program, tree 1 + n is root n.  */

#ifndef CILKPROF_ROOT_H
#define CILKPROF_ROOT_H

#include "libcilkprof/engine/span/span.h"

/* The highest number of entries for an invocation that returns: one for its site, and two for each tree.  */
enum { MAX_BOOKED = 1 + 2 * MAX_TREES };

/* Sums over a site's invocations, as the site itself keeps them.  */
struct root_local {
  uint64_t count, work, off_span, off_burdened_span;
};

/* The values of a site in a tree.  */
typedef struct root_site root_site_t;
struct root_site {
  const void *what; /* the site; or a function, for which only COVERED is used */
  uint64_t tree;
  uint64_t roots;           /* in tree 0 only: the roots that name the site, one bit each */
  uint64_t covered;         /* open top-call-site invocations that are set aside, as a root invocation began inside */
  uint64_t invocations;     /* root invocations that were invocations of this site */
  uint64_t root_invocation; /* the number of the last root invocation that reached the site */
  root_site_t *next;        /* the next site that this root invocation reached */
  /* The values of the site itself, and of the site in TREE, when this root invocation first reached it.  */
  struct {
    struct root_local site;
    struct __cilkprof_total top_call_site, top_caller;
  } before;
  struct root_local on_work, on_span;
  struct __cilkprof_total top_call_site, top_caller;
  struct tally below, top; /* on-span values: TOP of top-caller invocations, BELOW of the other top-call-site ones */
};

/* A root: the sums over its root invocations that ended.  */
struct root {
  const char *text; /* as the user named it */
  uint64_t invocations;
  uint64_t kind; /* CILKPROF_ROOT_... */
  struct cilkprof_totals totals;
  struct cilkprof_measure own; /* of a root that is a region: what the function of the region did itself */
};

/* root.c */
HIDDEN void __cilkprof_roots_start(void);
HIDDEN const struct root *__cilkprof_roots(size_t *count);
HIDDEN void __cilkprof_root_entered(const function_t *function);
HIDDEN void __cilkprof_roots_moved(site_t *(*moved)(site_t *site));
/* Copies the entries of the invocation of SITE that has just returned, with the values for the program and for all
   roots.  Returns their number; 0 if it was not a top-call-site invocation, not even in a root invocation.  */
HIDDEN size_t __cilkprof_root_booked(const site_t *site, entry_t entries[MAX_BOOKED]);

/* root_invocation.c: the functions below are for OpenMP's tasks.  A root invocation that a path of tasks crosses cannot
   be measured as a program.  */

/* Returns the number of the innermost open root invocation; 0 if none is open.  */
HIDDEN uint64_t __cilkprof_root_invocation(void);

HIDDEN void __cilkprof_root_invocations_wait_for(uint64_t root_invocation);

HIDDEN void __cilkprof_root_invocations_reach_out(const frame_t *frame, const block_t *block, uint64_t spawned);

/* root_values.c: returns 0, or -1 if there is no memory.  */
HIDDEN int __cilkprof_root_values_start(void);

/* Returns the values of WHAT, a site or function, in TREE.  They are added if there are none; NULL if there is no
   room.  */
HIDDEN root_site_t *__cilkprof_root_site(const void *what, uint64_t tree);

/* Returns the values of WHAT, a site or function, in TREE; NULL if there are none.  */
HIDDEN const root_site_t *__cilkprof_known_root_site(const void *what, uint64_t tree);

/* Adds the entries of the log from START to TOP, the longest path of a root invocation of TREE, to the on-span values.
   Returns the local span of its sites.  */
HIDDEN uint64_t __cilkprof_root_on_span(uint64_t tree, const entry_t *start, const entry_t *top);
HIDDEN void __cilkprof_root_values_moved(site_t *(*moved)(site_t *site));

/* Makes the values of sites that have moved findable again.  Must be called before the profile is written.  */
HIDDEN void __cilkprof_root_values_complete(void);

#endif
