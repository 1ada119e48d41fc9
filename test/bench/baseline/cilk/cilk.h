/* The Cilk keywords of the benchmark's baseline.
   SPDX-License-Identifier: MIT

   The serial elision with the program's calls still in it.  Without the barrier (and without the noinline attribute
   that the benchmark defines CILK_FUNCTION as) the compiler turns half of fib's calls into a loop, and a ratio to it
   would measure the compiler.  */

#ifndef CILK_CILK_H
#define CILK_CILK_H

#define cilk_spawn
#define cilk_sync __asm__ volatile("" ::: "memory")
#define cilk_for  for

#endif
