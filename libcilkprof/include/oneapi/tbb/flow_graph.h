/* Flow graphs of oneTBB, which are not measured.  A program that includes all of oneTBB is let be: if it has graphs,
   the report says that other threads were at work.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifdef __cilkprof__
#include <oneapi/tbb/detail/_cilkprof.h>
#ifndef __TBB_tbb_H
#error "-fcilkprof does not follow the flow graphs of oneTBB: compile this unit without it"
#endif
#endif
#include_next <oneapi/tbb/flow_graph.h>
