/* Code instrumented for what-if questions names __cilkprof_mode_whatif, which brings in this file.  Only the engine
   that is built for them has it, because frames are larger there; its strands are counted. SPDX-License-Identifier: MIT
 */

#include "libcilkprof/engine.h"

extern EXPORT const uint64_t __cilkprof_mode_whatif;
const uint64_t __cilkprof_mode_whatif = CILKPROF_MODE_COUNT;

extern HIDDEN const char __cilkprof_all_objects_must_be_compiled_in_the_same_mode[];
const char __cilkprof_all_objects_must_be_compiled_in_the_same_mode[] = "whatif";
