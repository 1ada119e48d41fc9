/* Roots (CILKPROF_ROOT): parts of the program that are measured as if each of their outermost root invocations were a
   program of its own.
   SPDX-License-Identifier: MIT

   A tree is what a root invocation is measured for: tree 0 is the program's, the others are the roots'.  */

#ifndef CILKPROF_ROOT_H
#define CILKPROF_ROOT_H

#include "libcilkprof/engine/span/span.h"

/* Entries of an invocation that returns, at most: its site's, and two for each tree.  */
enum { BOOKED_MOST = 1 + 2 * TREES_MOST };

/* Sums over a site's invocations, as the site itself keeps them.  */
struct root_local {
  uint64_t count, work, off_span, off_burdened_span;
};

/* What a tree has of a site.  */
typedef struct root_site root_site_t;
struct root_site {
  const void *what; /* the site; or a function, of which COVERED alone is kept */
  uint64_t tree;
  uint64_t roots;           /* tree 0 only: whose root invocations its invocations are, one bit each */
  uint64_t covered;         /* its open top-call-site invocations in root invocations around the innermost one */
  uint64_t invocations;     /* that are an invocation of it */
  uint64_t root_invocation; /* the last one in which it was invoked */
  root_site_t *next;        /* of that root invocation */
  struct {
    struct root_local site;
    struct __cilkprof_total top_call_site, top_caller;
  } before; /* what the site had, and the tree of it, when that root invocation reached it */
  struct root_local on_work, on_span;
  struct __cilkprof_total top_call_site, top_caller;
  struct tally below, top; /* on the span: top-call-site invocations that are no top-caller ones, those that are */
};

/* Root invocations that ended.  */
struct root {
  const char *text; /* as it was named */
  uint64_t invocations;
  uint64_t kind; /* CILKPROF_ROOT_... */
  struct cilkprof_totals totals;
  struct cilkprof_measure own; /* of a region: what its function did itself */
};

/* root.c */
HIDDEN void __cilkprof_roots_start(void);
HIDDEN const struct root *__cilkprof_roots(size_t *count);
/* The code that an indirect call called shows that it is FUNCTION.  */
HIDDEN void __cilkprof_root_entered(const function_t *function);
HIDDEN void __cilkprof_roots_moved(site_t *(*moved)(site_t *site));
/* The entries of what returned to SITE just now, with the values of the program and of all roots; 0: it was no
   top-call-site invocation in any root invocation.  */
HIDDEN size_t __cilkprof_root_booked(const site_t *site, entry_t entries[BOOKED_MOST]);

/* root_invocation.c, for OpenMP's tasks: the innermost open root invocation, 0 outside of all.  What runs waits for a
   path that was found in that root invocation; or a path leads from here to BLOCK of FRAME, which has so many children:
   root invocations that lie inside of it cannot be measured as programs.  */
HIDDEN uint64_t __cilkprof_root_invocation(void);
HIDDEN void __cilkprof_root_invocations_wait_for(uint64_t root_invocation);
HIDDEN void __cilkprof_root_invocations_reach_out(const frame_t *frame, const block_t *block, uint64_t spawned);

/* root_values.c */
HIDDEN int __cilkprof_root_values_start(void);
HIDDEN root_site_t *__cilkprof_root_site(const void *what, uint64_t tree); /* NULL: there is no room for it */
HIDDEN const root_site_t *__cilkprof_known_root_site(const void *what, uint64_t tree); /* NULL: it has none */
/* Adds what is on the span of a root invocation of TREE, from START to TOP; returns the local span of its sites.  */
HIDDEN uint64_t __cilkprof_root_on_span(uint64_t tree, const entry_t *start, const entry_t *top);
HIDDEN void __cilkprof_root_values_moved(site_t *(*moved)(site_t *site));
HIDDEN void __cilkprof_root_values_complete(void); /* before they are looked for in order to be written */

#endif
