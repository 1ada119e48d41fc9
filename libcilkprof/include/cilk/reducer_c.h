/* Reducers for C, as macros: a struct whose `value' is the leftmost view.  <cilk/reducer.h> includes this.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_C_H
#define CILK_REDUCER_C_H

#pragma GCC system_header
#include <cilk/hyperobject_base.h>
#include <limits.h>

#define _Typeof __typeof__

#define CILK_C_DECLARE_REDUCER(type)                                                                                   \
  struct {                                                                                                             \
    __cilkrts_hyperobject_base __cilkrts_hyperbase;                                                                    \
    type value;                                                                                                        \
  }

#define CILK_C_INIT_REDUCER(type, reduce, identity, destroy, ...)                                                      \
  {                                                                                                                    \
    {{reduce, identity, destroy, __cilkrts_hyperobject_alloc, __cilkrts_hyperobject_dealloc},                          \
     0,                                                                                                                \
     sizeof(__cilkrts_hyperobject_base),                                                                               \
     sizeof(type)},                                                                                                    \
        __VA_ARGS__                                                                                                    \
  }

#define CILK_C_REGISTER_REDUCER(reducer)   __cilkrts_hyper_create(&(reducer).__cilkrts_hyperbase)
#define CILK_C_UNREGISTER_REDUCER(reducer) __cilkrts_hyper_destroy(&(reducer).__cilkrts_hyperbase)
#ifdef __cilkprof_parallel__
#define REDUCER_VIEW(reducer) (*(_Typeof((reducer).value) *)__cilkrts_hyper_lookup(&(reducer).__cilkrts_hyperbase))
#else
#define REDUCER_VIEW(reducer) ((reducer).value)
#endif

#define __CILKRTS_MKIDENT(a, b)        __CILKRTS_MKIDENT_IMP(a, b, )
#define __CILKRTS_MKIDENT3(a, b, c)    __CILKRTS_MKIDENT_IMP(a, b, c)
#define __CILKRTS_MKIDENT_IMP(a, b, c) a##b##c

/* The reducers that every family has: EACH(type, its name in macros, lowest value, highest value).  */
#define __CILK_C_INTEGERS(EACH)                                                                                        \
  EACH(char, char, CHAR_MIN, CHAR_MAX)                                                                                 \
  EACH(unsigned char, uchar, 0, UCHAR_MAX)                                                                             \
  EACH(signed char, schar, SCHAR_MIN, SCHAR_MAX)                                                                       \
  EACH(wchar_t, wchar_t, WCHAR_MIN, WCHAR_MAX)                                                                         \
  EACH(short, short, SHRT_MIN, SHRT_MAX)                                                                               \
  EACH(unsigned short, ushort, 0, USHRT_MAX)                                                                           \
  EACH(int, int, INT_MIN, INT_MAX)                                                                                     \
  EACH(unsigned int, uint, 0, UINT_MAX)                                                                                \
  EACH(unsigned int, unsigned, 0, UINT_MAX)                                                                            \
  EACH(long, long, LONG_MIN, LONG_MAX)                                                                                 \
  EACH(unsigned long, ulong, 0, ULONG_MAX)                                                                             \
  EACH(long long, longlong, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__)                                                 \
  EACH(unsigned long long, ulonglong, 0, __LONG_LONG_MAX__ * 2ULL + 1)
#define __CILK_C_NUMBERS(EACH)                                                                                         \
  __CILK_C_INTEGERS(EACH)                                                                                              \
  EACH(float, float, -__builtin_huge_valf(), __builtin_huge_valf())                                                    \
  EACH(double, double, -__builtin_huge_val(), __builtin_huge_val())                                                    \
  EACH(long double, longdouble, -__builtin_huge_vall(), __builtin_huge_vall())

/* The type and the functions of one of a family's reducers.  Nothing is linked, so every file has its own.  */
#define __CILK_C_DEFINE(family, view_type, name, reduction, identity)                                                  \
  typedef CILK_C_DECLARE_REDUCER(view_type) cilk_c_reducer_##family##_##name;                                          \
  static __inline__                                                                                                    \
      __attribute__((__unused__)) void cilk_c_reducer_##family##_reduce_##name(void *key, void *l, void *r) {          \
    view_type *left = (view_type *)l, *right = (view_type *)r;                                                         \
    (void)key;                                                                                                         \
    reduction;                                                                                                         \
  }                                                                                                                    \
  static __inline__ __attribute__((__unused__)) void cilk_c_reducer_##family##_identity_##name(void *key, void *v) {   \
    view_type *view = (view_type *)v;                                                                                  \
    (void)key;                                                                                                         \
    identity;                                                                                                          \
  }

/* A variable of such a type.  */
#define __CILK_C_VARIABLE(reducer, family, name, ...)                                                                  \
  __CILKRTS_MKIDENT3(family, _, name)                                                                                  \
  reducer = CILK_C_INIT_REDUCER(_Typeof(reducer.value), __CILKRTS_MKIDENT3(family, _reduce_, name),                    \
                                __CILKRTS_MKIDENT3(family, _identity_, name), __cilkrts_hyperobject_noop_destroy,      \
                                __VA_ARGS__)

#endif
