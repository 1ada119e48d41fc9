/* Indirect calls: every callee gets a site of its own.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/span/counted.h"

/* Returns the site for calls of CALLEE at SITE, an indirect call.  The callee that was called last is kept at the head
   of the list, because most indirect calls call the same function again.  */
EXPORT site_t *__cilkprof_callee(site_t *site, const void *callee) {
  if (!THREAD.recording)
    return site;
  site_t **link = &site->learnt.callees;
  for (site_t *known = *link; known; link = &known->learnt.callees, known = *link)
    if (known->callee == callee) {
      *link = known->learnt.callees;
      known->learnt.callees = site->learnt.callees;
      return site->learnt.callees = known;
    }
  struct callee_site *made = __cilkprof_allocate(sizeof *made);
  site_t *new = made ? &made->site : NULL;
  if (!new)
    return site; /* out of memory: calls of all further callees are booked together, without a callee's name */
  new->function = site->function;
  new->description = site->description;
  new->flags = site->flags &__CILKPROF_SITE_SPAWN;
  new->callee = callee;
  new->learnt.callees = site->learnt.callees;
  return site->learnt.callees = new;
}
