/* The keywords of Cilk, for -fcilkplus.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_CILK_H
#define CILK_CILK_H

#pragma GCC system_header

/* Editors parse a program with Clang, or with a parser that has its macros from the compiler and no plugin: they see the
   serial program.  Clang itself does not compile it, rather than leave out without a word what is parallel.  */
#if (defined __clang__ || defined __INTELLISENSE__) && !defined CILK_STUB
#undef __cilk
#undef _Cilk_spawn
#undef _Cilk_sync
#undef _Cilk_for
#undef _Cilk_scope
#undef _Hyperobject
#define _Cilk_spawn
#define _Cilk_sync
#define _Cilk_for for
#define _Cilk_scope
#define _Hyperobject(...)
__asm__(".error \"<cilk/cilk.h> needs -fcilkplus: compile with cilkprof-cc or cilkprof-c++\"");
#endif

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
