/* Reducers by bitwise exclusive or.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_OPXOR_H
#define CILK_REDUCER_OPXOR_H

#pragma GCC system_header
#include <cilk/reducer_arithmetic.h>

#ifdef __cplusplus

namespace cilk {

__CILK_OPERATOR_VIEW(op_xor_view, ^, Type(), __CILK_NO_MORE, __CILK_NO_MORE)
template <typename Type, bool Align = false> struct op_xor : monoid_with_view<op_xor_view<Type>, Align> {};
__CILK_OPERATOR_LEGACY(reducer_opxor, ^, op_xor, __CILK_NO_MORE)

} // namespace cilk
#endif

#define CILK_C_REDUCER_OPXOR_TYPE(name)              __CILKRTS_MKIDENT(cilk_c_reducer_opxor_, name)
#define CILK_C_REDUCER_OPXOR(reducer, name, initial) __CILK_C_VARIABLE(reducer, cilk_c_reducer_opxor, name, initial)

#define __CILK_C_OPXOR(type, name, lowest, highest) __CILK_C_DEFINE(opxor, type, name, *left ^= *right, *view = 0)
__CILK_C_INTEGERS(__CILK_C_OPXOR)
#undef __CILK_C_OPXOR

#endif
