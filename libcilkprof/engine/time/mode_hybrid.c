/* Hybrid mode: tiny strands are counted in instructions, all others are timed.
   SPDX-License-Identifier: MIT  */

#define MODE  hybrid
#define UNITS CILKPROF_MODE_HYBRID
#include "libcilkprof/engine/time/mode.h"
