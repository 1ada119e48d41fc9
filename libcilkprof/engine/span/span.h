/* Work and span: what the files of this room do for others.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SPAN_H
#define CILKPROF_SPAN_H

#include "libcilkprof/engine/profiled_thread.h"

/* log.c: the on-span log of the thread that is profiled.  */
enum { SINK_ENTRIES = 4 };
HIDDEN int __cilkprof_log_start(void);
/* Sums what is on the span; returns the number of entries and where they are.  A site's are named by its FOLDED.  */
HIDDEN size_t __cilkprof_log_sum(const entry_t **entries);
/* Entries summed by site and kind, times SIGN: 1, or -1 modulo 2^64.  The sum is good until the next one begins.  */
struct cilkprof_sum {
  const entry_t *entries;
  size_t count;
};
HIDDEN void __cilkprof_sum_begin(void);
HIDDEN void __cilkprof_sum_add(const entry_t *base, const entry_t *top, uint64_t sign);
HIDDEN struct cilkprof_sum __cilkprof_sum_end(void);
HIDDEN entry_t *__cilkprof_log_push(entry_t *top, struct cilkprof_sum sum); /* returns the new top */
HIDDEN void __cilkprof_log_moved(site_t *(*moved)(site_t *site));           /* sites are elsewhere now */

/* depend.c: the same of the paths to tasks.  */
HIDDEN void __cilkprof_paths_moved(site_t *(*moved)(site_t *site));

/* What entries of the log without local values are summed for.  */
struct tally {
  uint64_t folded;                 /* as in a site */
  uint64_t tree;                   /* 0: the program's; else it is kept for a root (root.h), */
  struct __cilkprof_total on_span; /* with what its root invocations had */
};
HIDDEN entry_t *__cilkprof_push_tally(struct tally *tally, entry_t *top); /* of the return slots; returns the new top */

/* context.c: a calling context, a node in their tree.  */
struct __cilkprof_context {
  struct tally tally;
  context_t *parent;
  site_t *site;    /* NULL: where a tree begins */
  context_t *last; /* child that was entered last */
  struct __cilkprof_total on_work;
  uint64_t number; /* in the file */
  /* Of a root: the last root invocation that reached it, the next one of that root invocation, and what it had
     before.  */
  uint64_t root_invocation;
  context_t *next;
  struct __cilkprof_total before;
};
HIDDEN int __cilkprof_contexts_start(void);
HIDDEN context_t *__cilkprof_context_tree(uint64_t tree); /* its beginning; NULL: contexts are not recorded */
/* A top-call-site invocation of SITE in PARENT begins: returns its context, NULL when there is no room for it; and
   ends: returns the new top of the log.  */
HIDDEN context_t *__cilkprof_context_enter(context_t *parent, site_t *site);
HIDDEN entry_t *__cilkprof_context_leave(context_t *context, entry_t *top);
HIDDEN void __cilkprof_contexts_moved(site_t *(*moved)(site_t *site));
HIDDEN context_t *__cilkprof_contexts(size_t *count); /* parents first */

/* slots.c: the return slots of the thread, in which the totals of what returns are.  */
HIDDEN void __cilkprof_add_total(struct __cilkprof_total *total);
HIDDEN void __cilkprof_clear_slots(void); /* what returns cost nothing */

/* block.c: the innermost block of FRAME ends where control left it.  */
HIDDEN void __cilkprof_finish_block(frame_t *frame);

/* Who looks at every top-call-site invocation: contexts, or roots.  */
struct cilkprof_tops {
  void (*listed)(site_t *site); /* it is reached for the first time; may be NULL */
  void (*call)(site_t *site, uint64_t key);
  entry_t *(*returned)(site_t *site, entry_t *top); /* books it; returns the new top of the log */
};

/* site.c: called with the first site that is reached, if it is set.  */
extern HIDDEN void (*__cilkprof_first_site)(site_t *site);

#endif
