/* What-if mode: strands are measured in instructions.  Only the engine that is built for what-if questions has this
   file, because its frames are larger.
   SPDX-License-Identifier: MIT  */

#define MODE  whatif
#define UNITS CILKPROF_MODE_COUNT
#include "libcilkprof/engine/time/mode.h"
