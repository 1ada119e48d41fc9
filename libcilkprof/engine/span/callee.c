/* Indirect calls: a site of its own for every callee.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/memory.h"

/* The callee that was called last comes first: most indirect calls call what they called before.  */
EXPORT site_t *__cilkprof_callee(site_t *site, const void *callee) {
  if (!THREAD.recording)
    return site;
  site_t **link = &site->callees;
  for (site_t *known = *link; known; link = &known->callees, known = *link)
    if (known->callee == callee) {
      *link = known->callees;
      known->callees = site->callees;
      return site->callees = known;
    }
  site_t *new = __cilkprof_allocate(sizeof *new);
  if (!new)
    return site; /* out of memory: its calls stay together, under no callee's name */
  new->function = site->function;
  new->description = site->description;
  new->flags = site->flags &__CILKPROF_SITE_SPAWN;
  new->callee = callee;
  new->callees = site->callees;
  return site->callees = new;
}
