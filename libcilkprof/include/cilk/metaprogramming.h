/* Reducers on the heap.
   SPDX-License-Identifier: MIT

   Cilk Plus aligned some reducers to cache lines, which `new' did not do for it.  These are not aligned so: `new'
   serves.  */

#ifndef CILK_METAPROGRAMMING_H
#define CILK_METAPROGRAMMING_H

#pragma GCC system_header
#ifdef __cplusplus
#include <cilk/common.h>

namespace cilk {

template <typename T> T *aligned_new() {
  return new T();
}
template <typename T, typename T1> T *aligned_new(const T1 &x1) {
  return new T(x1);
}
template <typename T, typename T1, typename T2> T *aligned_new(const T1 &x1, const T2 &x2) {
  return new T(x1, x2);
}
template <typename T, typename T1, typename T2, typename T3> T *aligned_new(const T1 &x1, const T2 &x2, const T3 &x3) {
  return new T(x1, x2, x3);
}
template <typename T, typename T1, typename T2, typename T3, typename T4>
T *aligned_new(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4) {
  return new T(x1, x2, x3, x4);
}
template <typename T, typename T1, typename T2, typename T3, typename T4, typename T5>
T *aligned_new(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4, const T5 &x5) {
  return new T(x1, x2, x3, x4, x5);
}

template <typename T> void aligned_delete(const T *object) {
  delete object;
}

} // namespace cilk
#endif

#endif
