/* Indirect calls: every callee gets a site of its own.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/memory.h"

/* Returns the site for calls of CALLEE at SITE, an indirect call.  The callee that was called last is kept at the head
   of the list, because most indirect calls call the same function again.  */
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
    return site; /* out of memory: calls of all further callees are booked together, without a callee's name */
  new->function = site->function;
  new->description = site->description;
  new->flags = site->flags &__CILKPROF_SITE_SPAWN;
  new->callee = callee;
  new->callees = site->callees;
  return site->callees = new;
}
