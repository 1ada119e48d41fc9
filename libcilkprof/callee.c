/* Indirect calls: a site of its own for every callee.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine.h"

enum { POOL_BYTES = 1 << 16 };

/* Sites are never freed, so a pool that only grows serves.  */
site_t *__cilkprof_new_site(void) {
  static char *pool, *end;
  if (pool + sizeof(site_t) > end || !pool) {
    char *more = __cilkprof_reserve(POOL_BYTES);
    if (!more)
      return NULL;
    pool = more;
    end = more + POOL_BYTES;
  }
  site_t *site = (site_t *)pool;
  pool += sizeof(site_t);
  return site;
}

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
  site_t *new = __cilkprof_new_site();
  if (!new)
    return site; /* out of memory: its calls stay together, under no callee's name */
  new->function = site->function;
  new->description = site->description;
  new->flags = site->flags &__CILKPROF_SITE_SPAWN;
  new->callee = callee;
  new->callees = site->callees;
  return site->callees = new;
}
