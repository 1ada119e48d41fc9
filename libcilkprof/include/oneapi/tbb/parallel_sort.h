/* oneTBB's own, behind what it uses of ours.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifdef __cilkprof__
#include <oneapi/tbb/parallel_for.h>
#endif
#include_next <oneapi/tbb/parallel_sort.h>
