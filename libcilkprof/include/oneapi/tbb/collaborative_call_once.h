/* oneTBB's own, behind what it uses of ours.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifdef __cilkprof__
#include <oneapi/tbb/detail/_cilkprof.h>
#endif
#include_next <oneapi/tbb/collaborative_call_once.h>
