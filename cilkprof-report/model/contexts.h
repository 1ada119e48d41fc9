/* Calling contexts, folded at recursion: a tree of call sites.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CONTEXTS_H
#define CILKPROF_REPORT_CONTEXTS_H

#include <stdbool.h>
#include "cilkprof-report/support/table.h"
#include "fmt/profile.h"

#define NO_CONTEXT CILKPROF_NO_CONTEXT

/* The calls of SITE that are made during calls of PARENT.  */
struct context {
  uint32_t parent; /* an earlier context; NO_CONTEXT: the start of the program */
  uint32_t site;   /* number of the site in the model */
  /* The next members are set by finish_model_contexts.  Children are sorted by span, then by work, largest first.  */
  uint32_t first_child, next_sibling;
  uint32_t size;               /* number of contexts in the subtree of this one */
  uint64_t own_work, own_span; /* cost without the children: work of all calls; span of those on the span */
  struct cilkprof_measure on_work, on_span;
};

/* The calling contexts of all profiles, added up by path.  */
struct contexts {
  struct context *contexts; /* parents first */
  size_t count, room;
  struct table table;
  uint32_t first;      /* first child of the start of the program */
  const char *missing; /* a profile without contexts, which discards those of all; or NULL */
  const char *advice;  /* advice for the user on how to get contexts */
};

/* Adds the contexts of PROFILE, which was read from PATH.  PLACES[i] is the number in the model of its site number
   i.  */
void add_model_contexts(struct contexts *contexts, const struct cilkprof_profile *profile, const uint32_t *places,
                        const char *path);
/* Links and sorts the children, and computes the cost of each context without its children.  */
void finish_model_contexts(struct contexts *contexts);
/* Stores the contexts from CONTEXT up to an outermost one in *PATH and returns their number.  *PATH is an array of
   *ROOM elements that grows as needed and belongs to the caller.  */
size_t model_context_path(const struct contexts *contexts, uint32_t context, uint32_t **path, size_t *room);
/* Fails, with advice for the user, if a profile has no contexts.  */
void require_model_contexts(const struct contexts *contexts);

#endif
