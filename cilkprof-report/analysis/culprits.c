/* Finds the code to name for each cause of lost time in a parallel run.
   SPDX-License-Identifier: GPL-3.0-or-later

   Time is lost in the innermost functions, often in helpers and libraries.  A person would name what these do it for:
   the code that runs alone, the loop or region whose pieces are too few or unequal, the function that takes the
   lock.  */

#include <stdlib.h>
#include "cilkprof-report/analysis/culprits.h"
#include "cilkprof-report/support/support.h"

static const double NEARLY = 0.9; /* share of the idleness of serial code that is serial but for chance */

/* Returns the nearest context at or above CONTEXT that is user code and does not itself wait for a lock, or CONTEXT if
   there is none.  */
static uint32_t culprit_user_context_of(const struct samples *samples, uint32_t context) {
  for (uint32_t at = context; at != NO_CONTEXT; at = samples->contexts[at].parent)
    if (!samples->contexts[at].foreign)
      return at;
  return context;
}

/* Returns whether all other processors were idle while CONTEXT and what it calls ran.  */
static bool is_culprit_context_serial(const struct samples *samples, uint32_t context) {
  const struct waste *all = &samples->contexts[context].all;
  double ran = (double)all->of[WASTE_WORK] + (double)all->of[WASTE_OVERHEAD];
  return (double)all->of[WASTE_IDLENESS] >= NEARLY * (double)(samples->sampling.processors - 1) * ran;
}

/* Returns the culprit for idleness in CONTEXT, which is not part of a parallel construct: the outermost code around it
   that runs alone, but not the whole program.  If CONTEXT does not run alone, it is beside what a function around it
   spawned.  */
static struct culprit culprit_of_serial_code(const struct culprits *culprits, uint32_t context) {
  const struct samples *samples = culprits->samples;
  const struct sample_context *contexts = samples->contexts;
  uint32_t at = context, user = culprit_user_context_of(samples, context);
  while (contexts[at].parent != NO_CONTEXT && is_culprit_context_serial(samples, contexts[at].parent))
    at = contexts[at].parent;
  if (at != context || is_culprit_context_serial(samples, at)) {
    bool is_program = contexts[at].parent == NO_CONTEXT;
    return (struct culprit){contexts[is_program ? user : culprit_user_context_of(samples, at)].function, CULPRIT_ALONE,
                            0};
  }
  while (at != NO_CONTEXT && !culprits->spawns[at])
    at = contexts[at].parent;
  if (at == NO_CONTEXT)
    return (struct culprit){contexts[user].function, CULPRIT_ALONE, 0};
  return (struct culprit){contexts[at].function, CULPRIT_SPAWNS, 0};
}

/* Returns the culprit for idleness in CONTEXT: the innermost parallel construct around it, or else serial code.  */
struct culprit culprit_of_idleness(const struct culprits *culprits, uint32_t context) {
  const struct sample_context *contexts = culprits->samples->contexts;
  for (uint32_t at = context; at != NO_CONTEXT; at = contexts[at].parent) {
    if (contexts[at].construct)
      return (struct culprit){contexts[at].function, CULPRIT_PIECES, 0};
    if (contexts[at].spawned && contexts[at].parent != NO_CONTEXT)
      return (struct culprit){contexts[contexts[at].parent].function, CULPRIT_SPAWNS, 0};
  }
  return culprit_of_serial_code(culprits, context);
}

/* Prepares to find the culprits of SAMPLES.  */
struct culprits begin_culprits(const struct samples *samples) {
  struct culprits culprits = {.samples = samples};
  culprits.spawns = allocate(samples->count, sizeof *culprits.spawns);
  for (int i = 0; i < CAUSES; i++)
    culprits.lost[i] = allocate(samples->functions.count * CULPRIT_KINDS, sizeof *culprits.lost[i]);
  for (size_t i = 0; i < samples->count; i++) {
    const struct sample_context *context = &samples->contexts[i];
    if (context->spawned && !context->construct && context->parent != NO_CONTEXT)
      culprits.spawns[context->parent] = true;
  }
  return culprits;
}

/* Adds LOST nanoseconds, which CAUSE cost in CONTEXT, to the culprit: idle time of other processors if IDLE.  */
void add_culprit(struct culprits *culprits, enum cause cause, uint32_t context, double lost, bool idle) {
  const struct samples *samples = culprits->samples;
  struct culprit culprit = {samples->contexts[culprit_user_context_of(samples, context)].function, CULPRIT_ALONE, 0};
  if (lost <= 0)
    return;
  if (idle)
    culprit = culprit_of_idleness(culprits, context);
  culprits->lost[cause][culprit.function->number * CULPRIT_KINDS + culprit.kind] += lost;
}

/* Returns the culprit that lost most by CAUSE; without a function if nothing was lost.  */
static struct culprit largest_culprit(const struct culprits *culprits, enum cause cause) {
  struct culprit largest = {NULL, CULPRIT_ALONE, 0};
  for (size_t i = 0; i < culprits->samples->functions.count * CULPRIT_KINDS; i++)
    if (culprits->lost[cause][i] > largest.lost)
      largest = (struct culprit){culprits->samples->functions.list[i / CULPRIT_KINDS],
                                 (enum culprit_kind)(i % CULPRIT_KINDS), culprits->lost[cause][i]};
  return largest;
}

/* Stores the culprit that lost most by each cause in LARGEST, and frees what was allocated.  */
void finish_culprits(struct culprits *culprits, struct culprit *largest) {
  for (enum cause cause = 0; cause < CAUSES; cause++) {
    largest[cause] = largest_culprit(culprits, cause);
    free(culprits->lost[cause]);
  }
  free(culprits->spawns);
}
