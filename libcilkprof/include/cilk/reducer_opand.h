/* Reducers by bitwise and.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_OPAND_H
#define CILK_REDUCER_OPAND_H

#pragma GCC system_header
#include <cilk/reducer_arithmetic.h>

#ifdef __cplusplus

namespace cilk {

__CILK_OPERATOR_VIEW(op_and_view, &, ~Type(), __CILK_NO_MORE, __CILK_NO_MORE)
template <typename Type, bool Align = false> struct op_and : monoid_with_view<op_and_view<Type>, Align> {};
__CILK_OPERATOR_LEGACY(reducer_opand, &, op_and, __CILK_NO_MORE)

} // namespace cilk
#endif

#define CILK_C_REDUCER_OPAND_TYPE(name)              __CILKRTS_MKIDENT(cilk_c_reducer_opand_, name)
#define CILK_C_REDUCER_OPAND(reducer, name, initial) __CILK_C_VARIABLE(reducer, cilk_c_reducer_opand, name, initial)

#define __CILK_C_OPAND(type, name, lowest, highest)                                                                    \
  __CILK_C_DEFINE(opand, type, name, *left &= *right, *view = ~(type)0)
__CILK_C_INTEGERS(__CILK_C_OPAND)
#undef __CILK_C_OPAND

#endif
