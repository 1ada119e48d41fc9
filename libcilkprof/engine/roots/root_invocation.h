/* The roots of a run, and their open root invocations: what the files share that follow them.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_ROOT_INVOCATION_H
#define CILKPROF_ROOT_INVOCATION_H

#include "libcilkprof/engine/names/selector.h"
#include "libcilkprof/engine/roots/root.h"

/* An open top-call-site invocation of the innermost root invocation that it is in.  */
struct open_top {
  site_t *site;
  uint64_t key, flags;           /* of the site, while it is set aside */
  uint8_t top_from, caller_from; /* the outermost invocation for which it is a top-call-site one, a top-caller one */
  uint16_t no_context;           /* invocations, one bit each: there was no room for its context */
};

/* An open root invocation.  The outermost invocation is the program.  */
struct root_invocation {
  uint64_t tree;
  size_t first;         /* of the open invocations */
  const entry_t *start; /* of its part of the log */
  uint64_t number;      /* of all that began */
  uint64_t syncs, loop_spawns;
  root_site_t *sites;   /* that it reached */
  context_t *contexts;  /* likewise */
  context_t *context;   /* NULL: they are not recorded */
  const frame_t *frame; /* of a region: in which it began; else NULL */
  frame_t before;       /* the same, as it was there */
  uint64_t nested;      /* more starts without a stop */
  /* OpenMP: it is what is above this frame, and in it from this block on; and whether tasks go on behind it, or it
     waited for some from outside: then it is nothing that could be measured as a program.  */
  const frame_t *around;
  const block_t *from;
  int is_crossed;
};

enum { OPEN_MOST = 1 << 18 };

/* FRAME->spawned where children are open that were spawned before a region began, and nothing was done with them.  */
enum { SPAWNED_BEFORE = 3 };

struct root_table {
  size_t count, depth;
  uint64_t begun; /* root invocations, up to now */
  struct root_invocation invocations[TREES_MOST];
  struct open_top *open;
  size_t open_count;
  struct root roots[ROOTS_MOST];
  struct cilkprof_selector selectors[ROOTS_MOST];
  context_t *contexts[ROOTS_MOST]; /* where their trees begin */
  int is_open[ROOTS_MOST];
  /* What the last top-call-site invocation that returned has in the log: its site's, and so many invocations it
     had.  */
  const site_t *booked_site;
  uint64_t booked_at;
  entry_t booked[BOOKED_MOST];
  size_t booked_count;
};

/* How a root invocation ends: with its totals, and what of them is no site's.  */
struct root_invocation_end {
  int counts;  /* 0: it could not be measured */
  int spawned; /* all of it was: that is no spawn of its own */
  const entry_t *top;
  struct cilkprof_measure total, own;
};

/* root_invocation.c: one of the root with that number begins at the top of the log; the innermost one ends; all that
   are open find that SITE is invoked; that of INVOCATION is in CONTEXT.  */
HIDDEN struct root_invocation *__cilkprof_root_invocation_begins(uint64_t number);
HIDDEN void __cilkprof_root_invocation_ends(const struct root_invocation_end *end);
HIDDEN void __cilkprof_root_invocations_reach(site_t *site);
HIDDEN void __cilkprof_root_invocation_enters(struct root_invocation *invocation, context_t *context);

#endif
