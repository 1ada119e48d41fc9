/* Calling contexts, folded at recursion: a tree of call sites.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CONTEXTS_H
#define CILKPROF_REPORT_CONTEXTS_H

#include <stdbool.h>
#include "cilkprof-report/support/table.h"
#include "fmt/profile.h"

#define NO_CONTEXT CILKPROF_NO_CONTEXT

/* The calls of a site that lie below those of PARENT.  */
struct context {
  uint32_t parent; /* an earlier context, NO_CONTEXT: the program's start */
  uint32_t site;   /* of the model */
  /* Set by contexts_finish.  Children are sorted: those with most of the span first, then those with most work.  */
  uint32_t first_child, next_sibling;
  uint32_t size;               /* it and all below it */
  uint64_t own_work, own_span; /* without its children: of all calls; on the span, of those on the span */
  struct cilkprof_measure on_work, on_span;
};

/* All that the profiles have, added up by path.  */
struct contexts {
  struct context *contexts; /* parents first */
  size_t count, room;
  struct table table;
  uint32_t first;      /* child of the program's start */
  const char *missing; /* a profile that has none: then there are none; or NULL */
  const char *advice;  /* what to do about that */
};

/* PLACES has the model's site for each of the profile's sites.  */
void contexts_add(struct contexts *contexts, const struct cilkprof_profile *profile, const uint32_t *places,
                  const char *path);
/* Links and sorts the children, and computes what is whose own.  */
void contexts_finish(struct contexts *contexts);
/* The contexts from CONTEXT up to an outermost one, in *PATH, which has *ROOM and is the caller's; returns their
 * number. */
size_t context_path(const struct contexts *contexts, uint32_t context, uint32_t **path, size_t *room);
/* Fails, and says what to do, when there are none.  */
void contexts_require(const struct contexts *contexts);

#endif
