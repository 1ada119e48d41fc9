/* libcilkrts: what programs link by that name, or by libopencilk's.  Its functions are those of <cilk/cilk_api.h>,
   for programs that declare them by themselves.  They are weak: in a program that runs in parallel those of its
   runtime answer.
   SPDX-License-Identifier: MIT  */

#include <cilk/common.h>
#undef __CILKRTS_INLINE
#define __CILKRTS_INLINE __attribute__((__weak__))
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include <cilk/cilk_api.h>
