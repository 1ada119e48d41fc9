/* Reductions: the two halves of a range at the same time, then their values together.  The order of the elements is
   kept.
   SPDX-License-Identifier: MIT  */

#ifndef _CILKPROF_PSTL_REDUCE_H
#define _CILKPROF_PSTL_REDUCE_H

#pragma GCC system_header

#include <pstl/cilk_chunks.h>

namespace __pstl {
namespace __cilk_backend {

/* Returns the values of __reduce for the parts of [__first, __last), none larger than __chunk, put together by
   __combine.  */
template <class _Value, class _Index, class _Size, class _Reduce, class _Combine>
_Value __reduce_range(_Index __first, _Index __last, _Size __chunk, const _Reduce &__reduce,
                      const _Combine &__combine) {
  if (__last - __first <= __chunk)
    return __reduce(__first, __last);
  const _Index __middle = __first + (__last - __first) / 2;
  _Value __left = _Cilk_spawn __reduce_range<_Value>(__first, __middle, __chunk, __reduce, __combine);
  _Value __right = __reduce_range<_Value>(__middle, __last, __chunk, __reduce, __combine);
  _Cilk_sync;
  return __own(__combine)(__left, __right);
}

/* Returns the reduction of [__first, __last), __identity if that is empty: __body(i, j, value) returns the value with
   [i, j) reduced into it, and __combine two values together.  */
template <class _Policy, class _Value, class _Index, class _Body, class _Combine>
_Value __parallel_reduce(__CILKPROF_BACKEND_TAG _Policy &&, _Index __first, _Index __last, const _Value &__identity,
                         const _Body &__body, const _Combine &__combine) {
  if (__first == __last)
    return __identity;
  return __reduce_range<_Value>(
      __first, __last, __part_size(__last - __first),
      [&](_Index __i, _Index __j) -> _Value { return __body(__i, __j, __identity); }, __combine);
}

/* Returns the reduction of __initial and the values __transform(i) for all i in [__first, __last), by __combine;
   __body(i, j, value) reduces [i, j) into the value.  There need be no identity, and a single value need not be of the
   type: the first two of a part are its first value.  */
template <class _Policy, class _Index, class _Transform, class _Value, class _Combine, class _Body>
_Value __parallel_transform_reduce(__CILKPROF_BACKEND_TAG _Policy &&, _Index __first, _Index __last,
                                   _Transform __transform, _Value __initial, _Combine __combine, _Body __body) {
  const auto __size = __last - __first;
  const decltype(__last - __first) __least = 4;
  if (__size < __least)
    return __body(__first, __last, __initial);
  return __combine(__initial, __reduce_range<_Value>(
                                  __first, __last, __chunk_size(__size, __least),
                                  [&](_Index __i, _Index __j) -> _Value {
                                    _Transform __own_transform = __transform;
                                    return __body(__i + 2, __j,
                                                  __own(__combine)(__own_transform(__i), __own_transform(__i + 1)));
                                  },
                                  __combine));
}

} // namespace __cilk_backend
} // namespace __pstl

#endif
