/* Cilk's keywords without a Cilk compiler: they vanish, and what remains is the program's serial elision.
   SPDX-License-Identifier: MIT

   To be included before every other header of Cilk.  It needs no plugin, and turns one off that is there.  */

#ifndef CILK_STUB_H
#define CILK_STUB_H

#pragma GCC system_header

#undef __cilk
#define CILK_STUB

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

/* Cilk Plus's words for vector loops.  */
#define _Simd
#define _Safelen(...)
#define _Reduction(...)

#include <cilk/cilk.h>

#endif
