/* The keywords of Cilk, for -fcilkplus.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_CILK_H
#define CILK_CILK_H

#ifndef _Cilk_spawn
#error "<cilk/cilk.h> needs -fcilkplus: compile with cilkprof-cc or cilkprof-c++"
#endif

#define cilk_spawn _Cilk_spawn
#define cilk_sync _Cilk_sync
#define cilk_for _Cilk_for
#define cilk_scope _Cilk_scope

#endif
