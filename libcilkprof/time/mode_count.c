/* Code instrumented in count mode names __cilkprof_mode_count, which brings in this file.  Code of two modes in one
   program brings in two such files, and the linker says so: their units cannot be added up. SPDX-License-Identifier:
   MIT  */

#include "libcilkprof/engine.h"

extern EXPORT const uint64_t __cilkprof_mode_count;
const uint64_t __cilkprof_mode_count = CILKPROF_MODE_COUNT;

extern HIDDEN const char __cilkprof_all_objects_must_be_compiled_in_the_same_mode[];
const char __cilkprof_all_objects_must_be_compiled_in_the_same_mode[] = "count";
