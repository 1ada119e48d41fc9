/* The live file: what the engine's parts need of it.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_LIVE_H
#define CILKPROF_LIVE_H

#include "libcilkprof/engine/engine.h"

HIDDEN void __cilkprof_forks_start(void);
HIDDEN void __cilkprof_live_start(void);
HIDDEN void __cilkprof_live_end(int written);    /* the profile itself was written: the file is removed */
HIDDEN const char *__cilkprof_live_path(void);   /* NULL: there is none */
HIDDEN void __cilkprof_live_first(site_t *site); /* of the list of sites */
HIDDEN void *__cilkprof_live_pool(size_t size);  /* memory for sites; NULL when there is none */
HIDDEN void __cilkprof_live_unload(uint64_t begin, uint64_t end); /* a library goes away */
/* This process is a copy that must not change the file.  Returns -1 when there is no memory for that.  */
HIDDEN int __cilkprof_live_detach(void);

#endif
