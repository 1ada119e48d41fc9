/* OpenCilk's reducer by addition: a number.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_OPADD_REDUCER_H
#define CILK_OPADD_REDUCER_H

#pragma GCC system_header
#ifdef __cplusplus

namespace cilk {

/* Sets a view of a sum to 0, the identity.  */
template <typename T> inline void zero(void *view) {
  *static_cast<T *>(view) = static_cast<T>(0);
}

/* Adds the right view of a sum to the left.  */
template <typename T> inline void plus(void *left, void *right) {
  *static_cast<T *>(left) += *static_cast<T *>(right);
}
#ifdef __cilkprof_parallel__
/* An alias cannot have the attribute, but a member can.  */
template <typename T> struct __opadd_reducer {
  /* Sets a new view to 0.  */
  static void identity(void *view) {
    zero<T>(view);
  }

  /* Adds RIGHT to LEFT.  */
  static void reduce(void *left, void *right) {
    plus<T>(left, right);
  }
  typedef T type __attribute__((__cilkprof_reducer__(__opadd_reducer::identity, __opadd_reducer::reduce)));
};
template <typename T> using opadd_reducer = typename __opadd_reducer<T>::type;
#else
template <typename T> using opadd_reducer = T;
#endif

} // namespace cilk
#endif

#endif
