/* Reducers by addition.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_OPADD_H
#define CILK_REDUCER_OPADD_H

#pragma GCC system_header
#include <cilk/reducer_arithmetic.h>

#ifdef __cplusplus

namespace cilk {

/* Subtraction and counting, too.  Views and older reducers are counted alike.  */
#define __CILK_ADD_PROXY(name)                                                                                         \
  name &operator-(const Type &x) {                                                                                     \
    this->m_value -= x;                                                                                                \
    return *this;                                                                                                      \
  }
#define __CILK_ADD_COUNT(name, object)                                                                                 \
  name &operator-=(const Type &x) {                                                                                    \
    object -= x;                                                                                                       \
    return *this;                                                                                                      \
  }                                                                                                                    \
  name &operator++() {                                                                                                 \
    ++object;                                                                                                          \
    return *this;                                                                                                      \
  }                                                                                                                    \
  void operator++(int) {                                                                                               \
    object++;                                                                                                          \
  }                                                                                                                    \
  name &operator--() {                                                                                                 \
    --object;                                                                                                          \
    return *this;                                                                                                      \
  }                                                                                                                    \
  void operator--(int) {                                                                                               \
    object--;                                                                                                          \
  }
#define __CILK_ADD_VIEW(name)                                                                                          \
  __CILK_ADD_COUNT(name, this->m_value)                                                                                \
  rhs_proxy operator-(const Type &x) const {                                                                           \
    return rhs_proxy(this, -x);                                                                                        \
  }
#define __CILK_ADD_LEGACY(name)                                                                                        \
  __CILK_ADD_COUNT(name, this->view())                                                                                 \
  friend rhs_proxy operator-(const name &reducer, const Type &x) {                                                     \
    return reducer.view() - x;                                                                                         \
  }

__CILK_OPERATOR_VIEW(op_add_view, +, Type(), __CILK_ADD_VIEW, __CILK_ADD_PROXY)
template <typename Type, bool Align = false> struct op_add : monoid_with_view<op_add_view<Type>, Align> {};
__CILK_OPERATOR_LEGACY(reducer_opadd, +, op_add, __CILK_ADD_LEGACY)

#undef __CILK_ADD_PROXY
#undef __CILK_ADD_COUNT
#undef __CILK_ADD_VIEW
#undef __CILK_ADD_LEGACY

} // namespace cilk
#endif

#define CILK_C_REDUCER_OPADD_TYPE(name)              __CILKRTS_MKIDENT(cilk_c_reducer_opadd_, name)
#define CILK_C_REDUCER_OPADD(reducer, name, initial) __CILK_C_VARIABLE(reducer, cilk_c_reducer_opadd, name, initial)

#define __CILK_C_OPADD(type, name, lowest, highest) __CILK_C_DEFINE(opadd, type, name, *left += *right, *view = 0)
__CILK_C_NUMBERS(__CILK_C_OPADD)
#undef __CILK_C_OPADD

#endif
