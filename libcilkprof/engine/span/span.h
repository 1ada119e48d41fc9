/* Work and span: the interface of this folder.
   SPDX-License-Identifier: MIT

   Functions whose names end in "_moved" are called when a shared library is unloaded and its sites have moved: they
   replace every pointer to a site by what MOVED returns for it, which is NULL if there was no memory for the copy.  */

#ifndef CILKPROF_SPAN_H
#define CILKPROF_SPAN_H

#include "libcilkprof/engine/profiled_thread.h"

/* log.c: the on-span log of the profiled thread.  */
enum { SINK_ENTRIES = 4 };
HIDDEN int __cilkprof_log_start(void);

/* Sums the whole log by site and kind.  Stores where the sums are to ENTRIES, and returns their number.  The FOLDED of
   a site holds 1 + the index of its sum for each kind, or 0.  */
HIDDEN size_t __cilkprof_log_sum(const entry_t **entries);

/* A sum of entries, by site and kind.  It is valid until the next one begins.  */
struct cilkprof_sum {
  const entry_t *entries;
  size_t count;
};
HIDDEN void __cilkprof_sum_begin(void);
/* Adds the entries from BASE to TOP, times SIGN, which is 1, or -1 modulo 2^64.  */
HIDDEN void __cilkprof_sum_add(const entry_t *base, const entry_t *top, uint64_t sign);
HIDDEN struct cilkprof_sum __cilkprof_sum_end(void);

/* Pushes the entries of SUM at TOP.  Returns the new top of the log.  */
HIDDEN entry_t *__cilkprof_log_push(entry_t *top, struct cilkprof_sum sum);
HIDDEN void __cilkprof_log_moved(site_t *(*moved)(site_t *site));

/* tasks/paths.c: does the same for the paths to the ends of tasks.  */
HIDDEN void __cilkprof_task_paths_moved(site_t *(*moved)(site_t *site));
/* tasks/loop_records.c: and this for the loops.  */
HIDDEN void __cilkprof_loop_records_moved(site_t *(*moved)(site_t *site));

/* A sum of entries of the log that have no local values: of a context, or of a site in a root.  */
struct tally {
  uint32_t folded;                 /* as in a site */
  uint64_t tree;                   /* 0: the program; otherwise a root (roots/root.h) */
  struct __cilkprof_total on_span; /* of a root: the sum over its root invocations */
};

/* Returns whether ENTRY of the log is one of a tally, not of a site.  */
static inline int is_tally_entry(const entry_t *entry) {
  return (entry->key & __CILKPROF_ENTRY_KIND) == __CILKPROF_ENTRY_TALLY;
}

/* Pushes an entry with the values of the return slots for TALLY.  Returns the new top of the log.  */
HIDDEN entry_t *__cilkprof_log_push_tally(struct tally *tally, entry_t *top);

/* context.c: a calling context, which is a node of a tree of contexts.  */
struct __cilkprof_context {
  struct tally tally;
  context_t *parent;
  site_t *site;    /* NULL in the node where a tree begins */
  context_t *last; /* the child that was entered last */
  struct __cilkprof_total on_work;
  uint64_t number; /* in the file */
  /* In the tree of a root.  */
  uint64_t root_invocation;       /* the number of the last root invocation that entered this context */
  context_t *next;                /* the next context that this root invocation entered */
  struct __cilkprof_total before; /* the value of ON_WORK when it entered this one first */
};
/* Starts to record contexts.  Returns 0, or -1 if there is no memory.  */
HIDDEN int __cilkprof_contexts_start(void);

HIDDEN context_t *__cilkprof_context_tree(uint64_t tree);

/* Begins a top-call-site invocation of SITE in the context PARENT.  Returns its context, or NULL if there is no room
   for it.  */
HIDDEN context_t *__cilkprof_context_enter(context_t *parent, site_t *site);

/* Ends an invocation in CONTEXT and books it there.  Returns the new top of the log.  */
HIDDEN entry_t *__cilkprof_context_leave(context_t *context, entry_t *top);
HIDDEN void __cilkprof_contexts_moved(site_t *(*moved)(site_t *site));

/* Returns all contexts, parents before their children.  */
HIDDEN context_t *__cilkprof_contexts(size_t *count);

/* slots.c: the return slots of the thread, which hold the totals of the invocation that returns.  */
HIDDEN void __cilkprof_add_total(struct __cilkprof_total *total); /* adds the slots to TOTAL */
HIDDEN void __cilkprof_clear_slots(void);                         /* makes the invocation that returns cost nothing */

/* tasks/left_blocks.c: ends the innermost block of FRAME, because control left it.  */
HIDDEN void __cilkprof_finish_left_block(frame_t *frame);

/* The functions to call for every top-call-site invocation, where contexts or roots are recorded.  */
struct cilkprof_tops {
  void (*listed)(site_t *site);                     /* SITE is reached for the first time; may be NULL */
  void (*call)(site_t *site, uint64_t key);         /* begins an invocation of SITE in the frame with KEY */
  entry_t *(*returned)(site_t *site, entry_t *top); /* books it; returns the new top of the log */
};

/* site.c: called with the first site that is reached, unless it is NULL.  */
extern HIDDEN void (*__cilkprof_first_site)(site_t *site);

#endif
