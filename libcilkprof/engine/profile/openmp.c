/* In every instrumented executable and library that is linked without -fopenmp.  Units with constructs of OpenMP have a
   symbol of the same name, which is what the linker says of both.
   SPDX-License-Identifier: MIT  */

extern const char __cilkprof_is_missing_link_with_fopenmp __attribute__((visibility("hidden")));
const char __cilkprof_is_missing_link_with_fopenmp = 0;
