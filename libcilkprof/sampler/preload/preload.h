/* What the libraries share that cilkprof-run preloads into programs, to sample their threads.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_PRELOAD_H
#define CILKPROF_PRELOAD_H

#include "libcilkprof/sampler/sampler.h"

/* Returns the number of processors that the program may use if cilkprof-run preloaded this library into this process;
   0 if it did not.  */
SAMPLER_HIDDEN int begin_preload(void);

/* Removes what cilkprof-run has set in the environment, for the children of the program.  FORKED is called in every
   child.  */
SAMPLER_HIDDEN void complete_preload(void (*forked)(void));

#endif
