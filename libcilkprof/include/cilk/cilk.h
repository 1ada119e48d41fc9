/* The keywords of Cilk, for -fcilkplus.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_CILK_H
#define CILK_CILK_H

#pragma GCC system_header

#ifndef _Cilk_spawn
#error "<cilk/cilk.h> needs -fcilkplus: compile with cilkprof-cc or cilkprof-c++"
#endif

#define cilk_spawn _Cilk_spawn
#define cilk_sync  _Cilk_sync
#define cilk_for   _Cilk_for
#define cilk_scope _Cilk_scope
#ifdef __cilk
#pragma __cilkprof __header
#endif

/* OpenCilk's reducers: TYPE cilk_reducer(IDENTITY, REDUCE) NAME.  A serial run has one view, the variable itself.  */
#define cilk_reducer _Hyperobject

/* Programs ask with OpenCilk's own guard whether this is a Cilk compiler.  */
#ifndef _CILK_H
#define _CILK_H
#endif

#endif
