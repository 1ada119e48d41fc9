/* libcilkrts, for programs that link it by that name or by libopencilk's.  It has the functions of
   <cilk/cilk_api.h>, for programs that declare these themselves.  They are weak: in a program that runs in parallel,
   the functions of its runtime take their place.
   SPDX-License-Identifier: MIT  */

#include <cilk/common.h>
#undef __CILKRTS_INLINE
#define __CILKRTS_INLINE __attribute__((__weak__))
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include <cilk/cilk_api.h>
