/* Count mode for parallel runs: strands are measured in instructions.  Only the engine that profiles all workers has
   this file, because its frames are larger.
   SPDX-License-Identifier: MIT  */

#define MODE  parallel_count
#define UNITS CILKPROF_MODE_COUNT
#include "libcilkprof/engine/time/mode.h"
