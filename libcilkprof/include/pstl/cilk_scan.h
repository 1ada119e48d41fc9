/* Prefix sums in two passes over tiles of a range: up a tree, which finds the sum to the left of the middle of every
   node, then down it, with what is before each.
   SPDX-License-Identifier: MIT  */

#ifndef _CILKPROF_PSTL_SCAN_H
#define _CILKPROF_PSTL_SCAN_H

#pragma GCC system_header

#include <new>
#include <pstl/cilk_chunks.h>

namespace __pstl {
namespace __cilk_backend {

/* A range of tiles, and the sums that the first pass leaves for the second: for every node of the tree the sum of its
   left half, in the place of the tile with which the right half begins.  */
template <class _Value, class _Size> class __tiles {
  const _Size _M_size, _M_tile, _M_count;
  __buffer<_Value> _M_sums;

public:
  /* Divides a range of __size elements into tiles of __tile elements; the last one may be shorter.  */
  __tiles(_Size __size, _Size __tile)
      : _M_size(__size), _M_tile(__tile), _M_count((__size + __tile - 1) / __tile), _M_sums(_M_count) {}

  /* Destroys the sums.  After an exception it is not called, as it is not known which are there.  */
  void __destroy_sums() const {
    for (_Size __i = 1; __i < _M_count; ++__i)
      __sum_before(__i)->~_Value();
  }

  /* Returns how many tiles there are.  */
  _Size __count() const {
    return _M_count;
  }

  /* Returns with which element tile __tile begins.  */
  _Size __begin(_Size __tile) const {
    return __tile * _M_tile;
  }

  /* Returns how many elements tile __tile has.  */
  _Size __length(_Size __tile) const {
    return __tile + 1 < _M_count ? _M_tile : _M_size - __tile * _M_tile;
  }

  /* Returns the place for the sum of the left half of the node whose right half begins with tile __tile, which is not
     the first one.  */
  _Value *__sum_before(_Size __tile) const {
    return _M_sums.get() + __tile;
  }
};

/* Returns the sum of the tiles [__first, __last) of __t, and leaves there the sums that the second pass needs.
   __reduce(i, n) is the sum of n elements from i on, and __combine adds two sums.  */
template <class _Value, class _Size, class _Reduce, class _Combine>
_Value __sum_tiles(const __tiles<_Value, _Size> &__t, _Size __first, _Size __last, const _Reduce &__reduce,
                   const _Combine &__combine) {
  if (__last - __first == 1)
    return __reduce(__t.__begin(__first), __t.__length(__first));
  const _Size __middle = __first + (__last - __first) / 2;
  _Value __left = _Cilk_spawn __sum_tiles(__t, __first, __middle, __reduce, __combine);
  _Value __right = __sum_tiles(__t, __middle, __last, __reduce, __combine);
  _Cilk_sync;
  ::new (__t.__sum_before(__middle)) _Value(__left);
  return __own(__combine)(__left, __right);
}

/* Calls __scan(i, n, sum) for the tiles [__first, __last) of __t: for n elements from i on, before which the sum of all
   is SUM.  Before __first it is __before.  __combine adds two sums.  */
template <class _Value, class _Size, class _Combine, class _Scan>
void __scan_tiles(const __tiles<_Value, _Size> &__t, _Size __first, _Size __last, _Value __before,
                  const _Combine &__combine, const _Scan &__scan) {
  while (__last - __first > 1) {
    const _Size __middle = __first + (__last - __first) / 2;
    _Cilk_spawn __scan_tiles<_Value, _Size, _Combine, _Scan>(__t, __first, __middle, __before, __combine, __scan);
    __before = __own(__combine)(__before, *__t.__sum_before(__middle));
    __first = __middle;
  }
  __scan(__t.__begin(__first), __t.__length(__first), __before);
}

/* Scans __size elements by functions that have effects: calls __reduce(i, n) once for every tile, then __apex with the
   sum of __initial and all, then __scan(i, n, before) once for every tile.  __combine adds two sums.  */
template <class _Policy, class _Size, class _Value, class _Reduce, class _Combine, class _Scan, class _Apex>
void __parallel_strict_scan(__CILKPROF_BACKEND_TAG _Policy &&, _Size __size, _Value __initial, _Reduce __reduce,
                            _Combine __combine, _Scan __scan, _Apex __apex) {
  if (__size == 0) {
    __apex(__initial);
    return;
  }
  const __tiles<_Value, _Size> __t(__size, __chunk_size(__size));
  __apex(__combine(__initial, __sum_tiles(__t, _Size(0), __t.__count(), __reduce, __combine)));
  __scan_tiles(__t, _Size(0), __t.__count(), __initial, __combine, __scan);
  __t.__destroy_sums();
}

/* Scans __size values __transform(i): __reduce(i, j, sum) adds those from i to before j to the sum, and
   __scan(i, j, before) does so too and stores each sum.  __combine adds two sums.  Returns the sum of
   __initial and all.  */
template <class _Policy, class _Size, class _Transform, class _Value, class _Combine, class _Reduce, class _Scan>
_Value __parallel_transform_scan(__CILKPROF_BACKEND_TAG _Policy &&, _Size __size, _Transform __transform,
                                 _Value __initial, _Combine __combine, _Reduce __reduce, _Scan __scan) {
  if (__size == 0)
    return __initial;
  const __tiles<_Value, _Size> __t(__size, __chunk_size(__size));
  /* Return the sum of a tile, and store its sums: what is called for the tiles has a length, the functions given an
     end.  This covers both.  */
  const auto __sum = [&](_Size __i, _Size __length) -> _Value {
    return __reduce(__i + 1, __i + __length, _Value(__own(__transform)(__i)));
  };
  const auto __store = [&](_Size __i, _Size __length, _Value __before) { __scan(__i, __i + __length, __before); };
  _Value __total = __combine(__initial, __sum_tiles(__t, _Size(0), __t.__count(), __sum, __combine));
  __scan_tiles(__t, _Size(0), __t.__count(), __initial, __combine, __store);
  __t.__destroy_sums();
  return __total;
}

} // namespace __cilk_backend
} // namespace __pstl

#endif
