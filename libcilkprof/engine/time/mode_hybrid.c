/* Strands are measured in hybrid mode.
   SPDX-License-Identifier: MIT  */

#define MODE  hybrid
#define UNITS CILKPROF_MODE_HYBRID
#include "libcilkprof/engine/time/mode.h"
