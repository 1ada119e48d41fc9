/* Reducers by multiplication.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_OPMUL_H
#define CILK_REDUCER_OPMUL_H

#pragma GCC system_header
#include <cilk/reducer_arithmetic.h>

#ifdef __cplusplus

namespace cilk {

__CILK_OPERATOR_VIEW(op_mul_view, *, Type(1), __CILK_NO_MORE, __CILK_NO_MORE)
template <typename Type> struct op_mul : monoid_with_view<op_mul_view<Type> > {};

} // namespace cilk
#endif

#define CILK_C_REDUCER_OPMUL_TYPE(name)              __CILKRTS_MKIDENT(cilk_c_reducer_opmul_, name)
#define CILK_C_REDUCER_OPMUL(reducer, name, initial) __CILK_C_VARIABLE(reducer, cilk_c_reducer_opmul, name, initial)

#define __CILK_C_OPMUL(type, name, lowest, highest) __CILK_C_DEFINE(opmul, type, name, *left *= *right, *view = 1)
__CILK_C_NUMBERS(__CILK_C_OPMUL)
#undef __CILK_C_OPMUL

#endif
