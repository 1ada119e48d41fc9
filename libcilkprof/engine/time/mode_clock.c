/* Strands are measured in clock mode.
   SPDX-License-Identifier: MIT  */

#define MODE  clock
#define UNITS CILKPROF_MODE_CLOCK
#include "libcilkprof/engine/time/mode.h"
