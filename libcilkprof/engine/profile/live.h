/* The live file: declarations for the rest of the engine.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_LIVE_H
#define CILKPROF_LIVE_H

#include "libcilkprof/engine/engine.h"

/* Makes forked processes leave the file to their parent.  */
HIDDEN void __cilkprof_forks_start(void);
/* Makes the file, and maps the site records to it.  */
HIDDEN void __cilkprof_live_start(void);
/* Removes the file if WRITTEN: the profile itself has been written.  */
HIDDEN void __cilkprof_live_end(int written);
/* Returns the path of the file, or NULL if there is none.  */
HIDDEN const char *__cilkprof_live_path(void);
/* Records SITE in the file as the first one of the list of sites.  */
HIDDEN void __cilkprof_live_first(site_t *site);
/* Returns SIZE bytes for site records, in the file if there is one; NULL if there is no memory.  */
HIDDEN void *__cilkprof_live_pool(size_t size);
/* Detaches the site records of a library that is unloaded, from BEGIN to END in memory, from the file.  */
HIDDEN void __cilkprof_live_unload(uint64_t begin, uint64_t end);
/* Detaches all memory from the file, in a copy of the process that must not change it.  Returns 0, or -1 if there is no
   memory for that.  */
HIDDEN int __cilkprof_live_detach(void);

#endif
