/* Strands are counted, for what-if questions.  Only the engine that is built for these has this file: frames are larger
   there.
   SPDX-License-Identifier: MIT  */

#define MODE  whatif
#define UNITS CILKPROF_MODE_COUNT
#include "libcilkprof/engine/time/mode.h"
