/* Reducers by bitwise or.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_OPOR_H
#define CILK_REDUCER_OPOR_H

#pragma GCC system_header
#include <cilk/reducer_arithmetic.h>

#ifdef __cplusplus

namespace cilk {

__CILK_OPERATOR_VIEW(op_or_view, |, Type(), __CILK_NO_MORE, __CILK_NO_MORE)
template <typename Type, bool Align = false> struct op_or : monoid_with_view<op_or_view<Type>, Align> {};
__CILK_OPERATOR_LEGACY(reducer_opor, |, op_or, __CILK_NO_MORE)

} // namespace cilk
#endif

#define CILK_C_REDUCER_OPOR_TYPE(name)              __CILKRTS_MKIDENT(cilk_c_reducer_opor_, name)
#define CILK_C_REDUCER_OPOR(reducer, name, initial) __CILK_C_VARIABLE(reducer, cilk_c_reducer_opor, name, initial)

#define __CILK_C_OPOR(type, name, lowest, highest) __CILK_C_DEFINE(opor, type, name, *left |= *right, *view = 0)
__CILK_C_INTEGERS(__CILK_C_OPOR)
#undef __CILK_C_OPOR

#endif
