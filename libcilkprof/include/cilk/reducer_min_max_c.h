/* For C: reducers that keep the least or the greatest value, alone or with its index.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_MIN_MAX_C_H
#define CILK_REDUCER_MIN_MAX_C_H

#pragma GCC system_header
#include <cilk/reducer.h>

#define CILK_C_REDUCER_MIN_TYPE(name)              __CILKRTS_MKIDENT(cilk_c_reducer_min_, name)
#define CILK_C_REDUCER_MIN(reducer, name, initial) __CILK_C_VARIABLE(reducer, cilk_c_reducer_min, name, initial)
#define CILK_C_REDUCER_MIN_CALC(reducer, v)                                                                            \
  do {                                                                                                                 \
    _Typeof((reducer).value) *__cilk_view = &REDUCER_VIEW(reducer);                                                    \
    _Typeof(v) __cilk_value = (v);                                                                                     \
    if (*__cilk_view > __cilk_value)                                                                                   \
      *__cilk_view = __cilk_value;                                                                                     \
  } while (0)

#define CILK_C_REDUCER_MIN_INDEX_TYPE(name) __CILKRTS_MKIDENT(cilk_c_reducer_min_index_, name)
#define CILK_C_REDUCER_MIN_INDEX(reducer, name, initial)                                                               \
  __CILK_C_VARIABLE(reducer, cilk_c_reducer_min_index, name, {0, initial})
#define CILK_C_REDUCER_MIN_INDEX_CALC(reducer, i, v)                                                                   \
  do {                                                                                                                 \
    _Typeof((reducer).value) *__cilk_view = &REDUCER_VIEW(reducer);                                                    \
    _Typeof(v) __cilk_value = (v);                                                                                     \
    if (__cilk_view->value > __cilk_value) {                                                                           \
      __cilk_view->index = (i);                                                                                        \
      __cilk_view->value = __cilk_value;                                                                               \
    }                                                                                                                  \
  } while (0)

#define __CILK_C_MIN(type, name, lowest, highest)                                                                      \
  typedef struct {                                                                                                     \
    ptrdiff_t index;                                                                                                   \
    type value;                                                                                                        \
  } cilk_c_reducer_min_index_view_##name;                                                                              \
  __CILK_C_DEFINE(min, type, name, if (*left > *right) *left = *right, *view = highest)                                \
  __CILK_C_DEFINE(min_index, cilk_c_reducer_min_index_view_##name, name,                                               \
                  if (left->value > right->value) *left = *right, (view->index = 0, view->value = highest))
__CILK_C_NUMBERS(__CILK_C_MIN)
#undef __CILK_C_MIN

#define CILK_C_REDUCER_MAX_TYPE(name)              __CILKRTS_MKIDENT(cilk_c_reducer_max_, name)
#define CILK_C_REDUCER_MAX(reducer, name, initial) __CILK_C_VARIABLE(reducer, cilk_c_reducer_max, name, initial)
#define CILK_C_REDUCER_MAX_CALC(reducer, v)                                                                            \
  do {                                                                                                                 \
    _Typeof((reducer).value) *__cilk_view = &REDUCER_VIEW(reducer);                                                    \
    _Typeof(v) __cilk_value = (v);                                                                                     \
    if (*__cilk_view < __cilk_value)                                                                                   \
      *__cilk_view = __cilk_value;                                                                                     \
  } while (0)

#define CILK_C_REDUCER_MAX_INDEX_TYPE(name) __CILKRTS_MKIDENT(cilk_c_reducer_max_index_, name)
#define CILK_C_REDUCER_MAX_INDEX(reducer, name, initial)                                                               \
  __CILK_C_VARIABLE(reducer, cilk_c_reducer_max_index, name, {0, initial})
#define CILK_C_REDUCER_MAX_INDEX_CALC(reducer, i, v)                                                                   \
  do {                                                                                                                 \
    _Typeof((reducer).value) *__cilk_view = &REDUCER_VIEW(reducer);                                                    \
    _Typeof(v) __cilk_value = (v);                                                                                     \
    if (__cilk_view->value < __cilk_value) {                                                                           \
      __cilk_view->index = (i);                                                                                        \
      __cilk_view->value = __cilk_value;                                                                               \
    }                                                                                                                  \
  } while (0)

#define __CILK_C_MAX(type, name, lowest, highest)                                                                      \
  typedef struct {                                                                                                     \
    ptrdiff_t index;                                                                                                   \
    type value;                                                                                                        \
  } cilk_c_reducer_max_index_view_##name;                                                                              \
  __CILK_C_DEFINE(max, type, name, if (*left < *right) *left = *right, *view = lowest)                                 \
  __CILK_C_DEFINE(max_index, cilk_c_reducer_max_index_view_##name, name,                                               \
                  if (left->value < right->value) *left = *right, (view->index = 0, view->value = lowest))
__CILK_C_NUMBERS(__CILK_C_MAX)
#undef __CILK_C_MAX

#endif
