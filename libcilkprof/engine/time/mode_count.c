/* Count mode: strands are measured in instructions.
   SPDX-License-Identifier: MIT  */

#define MODE  count
#define UNITS CILKPROF_MODE_COUNT
#include "libcilkprof/engine/time/mode.h"
