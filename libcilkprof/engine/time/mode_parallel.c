/* Hybrid mode for parallel runs: tiny strands are counted in instructions, all others are timed.  Only the engine that
   profiles all workers has this file, because its frames are larger.
   SPDX-License-Identifier: MIT  */

#define MODE  parallel
#define UNITS CILKPROF_MODE_HYBRID
#include "libcilkprof/engine/time/mode.h"
