/* The backend of libstdc++'s parallel algorithms: what they need of a parallel runtime, in Cilk.
   SPDX-License-Identifier: MIT

   It takes the place of <pstl/parallel_backend.h>, by the guard of that.  All is written with spawns and loops of the
   language, so that it runs in parallel with -fcilkplus and is measured with -fcilkprof.  An exception that arrives
   here goes on to the library, which ends the program, as the standard says, unless it is std::bad_alloc.  */

#ifndef _PSTL_PARALLEL_BACKEND_H
#define _PSTL_PARALLEL_BACKEND_H

#pragma GCC system_header

#include <pstl/cilk_chunks.h>
#include <pstl/cilk_reduce.h>
#include <pstl/cilk_scan.h>
#include <pstl/cilk_sort.h>

namespace __pstl {
namespace __cilk_backend {

/* Called when the rest of a loop need not run.  Its body looks for itself whether that is so, once for every chunk.  */
inline void __cancel_execution() {}

/* Calls __f(i, j) for chunks [i, j) that make up [__first, __last).  */
template <class _Policy, class _Index, class _Function>
void __parallel_for(__CILKPROF_BACKEND_TAG _Policy &&, _Index __first, _Index __last, _Function __f) {
  const auto __size = __last - __first, __chunk = __chunk_size(__size);
  const std::size_t __chunks = (__size + __chunk - 1) / __chunk;
  _Cilk_for(std::size_t __i = 0; __i < __chunks; ++__i) {
    const auto __begin = static_cast<decltype(__last - __first)>(__i) * __chunk;
    __f(__first + __begin, __size - __begin <= __chunk ? __last : __first + (__begin + __chunk));
  }
}

/* Calls __f and __g, at the same time.  */
template <class _Policy, class _Function1, class _Function2>
void __parallel_invoke(__CILKPROF_BACKEND_TAG _Policy &&, _Function1 &&__f, _Function2 &&__g) {
  _Cilk_spawn std::forward<_Function1>(__f)();
  std::forward<_Function2>(__g)();
  _Cilk_sync;
}

} // namespace __cilk_backend
namespace __par_backend = __cilk_backend;
} // namespace __pstl

#endif
