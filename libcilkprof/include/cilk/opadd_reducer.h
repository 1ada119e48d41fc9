/* OpenCilk's reducer by addition: a number.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_OPADD_REDUCER_H
#define CILK_OPADD_REDUCER_H

#pragma GCC system_header
#ifdef __cplusplus

namespace cilk {

template <typename T> inline void zero(void *view) {
  *static_cast<T *>(view) = static_cast<T>(0);
}
template <typename T> inline void plus(void *left, void *right) {
  *static_cast<T *>(left) += *static_cast<T *>(right);
}
template <typename T> using opadd_reducer = T;

} // namespace cilk
#endif

#endif
