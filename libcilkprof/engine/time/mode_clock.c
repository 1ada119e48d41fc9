/* Clock mode: all strands are timed.
   SPDX-License-Identifier: MIT  */

#define MODE  clock
#define UNITS CILKPROF_MODE_CLOCK
#include "libcilkprof/engine/time/mode.h"
