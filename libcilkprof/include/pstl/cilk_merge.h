/* Merging two sorted ranges: the middle of the larger one divides both, and the parts are merged at the same time.
   SPDX-License-Identifier: MIT  */

#ifndef _CILKPROF_PSTL_MERGE_H
#define _CILKPROF_PSTL_MERGE_H

#pragma GCC system_header

#include <bits/stl_algo.h>
#include <pstl/cilk_chunks.h>

namespace __pstl {
namespace __cilk_backend {

/* Merges [__x, __x_end) and [__y, __y_end), which are sorted by __less, to __out: calls __merge for parts that are not
   larger than __chunk.  Of equal elements those of x come first, so a middle of y is behind all in x that are equal to
   it, and one of x before those in y.  */
template <class _Iterator1, class _Iterator2, class _Output, class _Size, class _Compare, class _Merge>
void __merge_ranges(_Iterator1 __x, _Iterator1 __x_end, _Iterator2 __y, _Iterator2 __y_end, _Output __out,
                    _Size __chunk, const _Compare &__less, const _Merge &__merge) {
  while ((__x_end - __x) + (__y_end - __y) > __chunk) {
    _Iterator1 __x_middle = __x + (__x_end - __x) / 2;
    _Iterator2 __y_middle = __y + (__y_end - __y) / 2;
    if (__x_end - __x < __y_end - __y)
      __x_middle = std::upper_bound(__x, __x_end, *__y_middle, __less);
    else
      __y_middle = std::lower_bound(__y, __y_end, *__x_middle, __less);
    _Cilk_spawn __merge_ranges(__x, __x_middle, __y, __y_middle, __out, __chunk, __less, __merge);
    __out += (__x_middle - __x) + (__y_middle - __y);
    __x = __x_middle;
    __y = __y_middle;
  }
  __merge(__x, __x_end, __y, __y_end, __out, __less);
}

/* Merges [__x, __x_end) and [__y, __y_end), which are sorted by __less, to __out: calls __merge for parts of them.  A
   chunk has some elements at least: the larger range needs two to be divided, and comparing more takes less than a
   spawn.  */
template <class _Policy, class _Iterator1, class _Iterator2, class _Output, class _Compare, class _Merge>
void __parallel_merge(__CILKPROF_BACKEND_TAG _Policy &&, _Iterator1 __x, _Iterator1 __x_end, _Iterator2 __y,
                      _Iterator2 __y_end, _Output __out, _Compare __less, _Merge __merge) {
  const std::ptrdiff_t __size = (__x_end - __x) + (__y_end - __y), __least = __least_merge_size<std::ptrdiff_t>(512);
  __merge_ranges(__x, __x_end, __y, __y_end, __out, __chunk_size(__size, __least), __less, __merge);
}

} // namespace __cilk_backend
} // namespace __pstl

#endif
