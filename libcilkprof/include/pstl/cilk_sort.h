/* A stable merge sort.  The halves of a range are sorted at the same time, and merged in parallel, from the range to a
   buffer of its size or back: levels of the recursion alternate.
   SPDX-License-Identifier: MIT

   All elements of the range are objects at any time, perhaps moved from; those of the buffer are objects only while
   they hold a value.  */

#ifndef _CILKPROF_PSTL_SORT_H
#define _CILKPROF_PSTL_SORT_H

#pragma GCC system_header

#include <bits/stl_algo.h>
#include <iterator>
#include <new>
#include <pstl/cilk_chunks.h>
#include <pstl/cilk_merge.h>
#include <type_traits>

namespace __pstl {
namespace __cilk_backend {

/* How elements are moved to the buffer: __element moves that at __from in the range to an object that it makes at
   __to.  */
struct __move_to_buffer {
  template <class _Source, class _Type> static void __element(_Source __from, _Type *__to) {
    ::new (__to) _Type(std::move(*__from));
  }
};

/* How elements are moved from the buffer: __element moves that at __from, which it destroys, to the object at __to in
   the range.  */
struct __move_from_buffer {
  template <class _Type, class _Target> static void __element(_Type *__from, _Target __to) {
    *__to = std::move(*__from);
    __from->~_Type();
  }
};

/* Moves [__first, __last) to __out, by _Move, and returns the end of that.  */
template <class _Move, class _Source, class _Target>
_Target __move_elements(_Source __first, _Source __last, _Target __out) {
  for (; __first != __last; ++__first, ++__out)
    _Move::__element(__first, __out);
  return __out;
}

/* A function object that merges [__x, __x_end) and [__y, __y_end), which are sorted by __less, to __out, and moves the
   elements by _Move.  Of equal elements those of x come first.  */
template <class _Move> struct __merge_moving {
  template <class _Source, class _Target, class _Compare>
  void operator()(_Source __x, _Source __x_end, _Source __y, _Source __y_end, _Target __out, _Compare __less) const {
    if (__x != __x_end && __y != __y_end && __less(*__y, *(__x_end - 1)))
      while (__x != __x_end && __y != __y_end) {
        const bool __from_y = __less(*__y, *__x);
        _Move::__element(__from_y ? __y : __x, __out);
        ++__out;
        __y += __from_y;
        __x += !__from_y;
      }
    __out = __move_elements<_Move>(__x, __x_end, __out);
    __move_elements<_Move>(__y, __y_end, __out);
  }
};

/* A sort of the range that begins at __range, with a buffer of its size: __leaf(i, j, less) sorts [i, j) if it is not
   larger than __largest_leaf, and merges are not divided into parts smaller than __least_merge.  */
template <class _Iterator, class _Type, class _Compare, class _Leaf> struct __merge_sort {
  typedef typename std::iterator_traits<_Iterator>::difference_type _Size;
  const _Iterator __range;
  _Type *const __buffer;
  const _Size __largest_leaf, __least_merge;
  const _Compare &__less;
  const _Leaf &__leaf;

  /* Merges [__first, __middle) and [__middle, __last) of __from to the same places of __to.  */
  template <class _Move, class _Source, class _Target>
  void __merge(_Source __from, _Target __to, _Size __first, _Size __middle, _Size __last) const {
    __merge_ranges(__from + __first, __from + __middle, __from + __middle, __from + __last, __to + __first,
                   __chunk_size(__last - __first, __least_merge), __less, __merge_moving<_Move>());
  }

  /* Sorts the elements [__first, __last) of the range, and moves them to the buffer if __to_buffer is true.  What stays
     in the range is sorted there when it is small, without a move.  */
  void __sort(_Size __first, _Size __last, bool __to_buffer) const {
    if (!__to_buffer && __last - __first <= __largest_leaf) {
      __leaf(__range + __first, __range + __last, __less);
      return;
    }
    const _Size __middle = __first + (__last - __first) / 2;
    _Cilk_spawn __sort(__first, __middle, !__to_buffer);
    __sort(__middle, __last, !__to_buffer);
    _Cilk_sync;
    if (__to_buffer)
      __merge<__move_to_buffer>(__range, __buffer, __first, __middle, __last);
    else
      __merge<__move_from_buffer>(__buffer, __range, __first, __middle, __last);
  }

  /* Sorts the __count smallest elements of [__first, __last) to its begin, in the range.  Those of its halves are
     merged, and what is too much of them goes to the second half.  No leaf has fewer than two times __count elements,
     nor then has a half.  */
  void __sort_smallest(_Size __first, _Size __last, _Size __count) const {
    if (__last - __first <= __largest_leaf) {
      __leaf(__range + __first, __range + __last, __less);
      return;
    }
    const _Size __middle = __first + (__last - __first) / 2;
    _Cilk_spawn __sort_smallest(__first, __middle, __count);
    __sort_smallest(__middle, __last, __count);
    _Cilk_sync;
    const _Size __chunk = __chunk_size(2 * __count, _Size(256));
    _Type *const __merged = __buffer + __first, *const __rest = __merged + __count, *const __end = __rest + __count;
    __merge_ranges(__range + __first, __range + (__first + __count), __range + __middle, __range + (__middle + __count),
                   __merged, __chunk, __less, __merge_moving<__move_to_buffer>());
    __merge_ranges(__merged, __rest, __end, __end, __range + __first, __chunk, __less,
                   __merge_moving<__move_from_buffer>());
    __merge_ranges(__rest, __end, __end, __end, __range + __middle, __chunk, __less,
                   __merge_moving<__move_from_buffer>());
  }
};

/* Sorts [__first, __last), and keeps the order of equal elements if __leaf(i, j, less), which sorts parts of it, does.
   If __count is not 0 only so many of the smallest have to be sorted, and __leaf sorts no more.  Where these are many
   all is merged nevertheless: what is unsorted behind the smallest of a part is merged to somewhere behind all of
   them.  */
template <class _Policy, class _Iterator, class _Compare, class _Leaf>
void __parallel_stable_sort(__CILKPROF_BACKEND_TAG _Policy &&, _Iterator __first, _Iterator __last, _Compare __less,
                            _Leaf __leaf, std::size_t __count = 0) {
  typedef typename std::iterator_traits<_Iterator>::difference_type _Size;
  typedef typename std::iterator_traits<_Iterator>::value_type _Type;
  const _Size __size = __last - __first, __smallest = __count;
  const bool __partial = __count != 0 && __smallest < __size / 16;
  _Size __leaf_size = __chunk_size(__size, _Size(256));
  if (__partial)
    __leaf_size = std::max(__leaf_size, 4 * __smallest);
  if (__size <= __leaf_size) {
    __leaf(__first, __last, __less);
    return;
  }
  const __cilk_backend::__buffer<_Type> __memory(__size);
  /* Several merges run at the same time, but for the last one: where all is small, it is divided into two.  */
  const _Size __least_merge = std::min(__least_merge_size(_Size(256)), std::max(_Size(256), __size / 2));
  const __merge_sort<_Iterator, _Type, _Compare, _Leaf> __sorter{__first,       __memory.get(), __leaf_size,
                                                                 __least_merge, __less,         __leaf};
  if (__partial)
    __sorter.__sort_smallest(0, __size, __smallest);
  else
    __sorter.__sort(0, __size, false);
}

} // namespace __cilk_backend
} // namespace __pstl

#endif
