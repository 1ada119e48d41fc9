/* The roots of a run, and their open passages: what the files share that follow them.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_PASSAGE_H
#define CILKPROF_PASSAGE_H

#include "libcilkprof/engine/names/named.h"
#include "libcilkprof/engine/roots/root.h"

/* An open top-call-site invocation of the innermost passage that it is in.  */
struct open_top {
  site_t *site;
  uint64_t key, flags;           /* of the site, while it is set aside */
  uint8_t top_from, caller_from; /* the outermost level for which it is a top-call-site one, a top-caller one */
  uint16_t no_context;           /* levels, one bit each: there was no room for its context */
};

/* An open passage.  The outermost level is the program.  */
struct level {
  uint64_t tree;
  size_t first;         /* of the open invocations */
  const entry_t *start; /* of its part of the log */
  uint64_t passage;     /* its number */
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
  uint64_t passages;
  struct level levels[TREES_MOST];
  struct open_top *open;
  size_t open_count;
  struct root roots[ROOTS_MOST];
  struct cilkprof_named named[ROOTS_MOST];
  context_t *contexts[ROOTS_MOST]; /* where their trees begin */
  int is_open[ROOTS_MOST];
  /* What the last top-call-site invocation that returned has in the log: its site's, and so many invocations it
     had.  */
  const site_t *booked_site;
  uint64_t booked_at;
  entry_t booked[BOOKED_MOST];
  size_t booked_count;
};

/* How a passage ends: with its totals, and what of them is no site's.  */
struct passage_end {
  int counts;  /* 0: it could not be measured */
  int spawned; /* all of it was: that is no spawn of its own */
  const entry_t *top;
  struct cilkprof_measure total, own;
};

/* passage.c: one of the root with that number begins at the top of the log; the innermost one ends; all that are open
   find that SITE is invoked; that of LEVEL is in CONTEXT.  */
HIDDEN struct level *__cilkprof_passage_begins(uint64_t number);
HIDDEN void __cilkprof_passage_ends(const struct passage_end *end);
HIDDEN void __cilkprof_passages_reach(site_t *site);
HIDDEN void __cilkprof_passage_enters(struct level *level, context_t *context);

#endif
