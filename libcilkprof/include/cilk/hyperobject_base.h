/* Reducers as C sees them: a monoid's functions, and where the view is.  A serial run has one view and never reduces.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_HYPEROBJECT_BASE_H
#define CILK_HYPEROBJECT_BASE_H

#pragma GCC system_header
#include <cilk/common.h>
#include <stdlib.h>

#define __CILKRTS_STRAND_PURE(function)  function
#define __CILKRTS_STRAND_STALE(function) function

__CILKRTS_BEGIN_EXTERN_C

/* The first argument is the reducer.  */
typedef void (*cilk_c_reducer_reduce_fn_t)(void *reducer, void *left, void *right);
typedef void (*cilk_c_reducer_identity_fn_t)(void *reducer, void *view);
typedef void (*cilk_c_reducer_destroy_fn_t)(void *reducer, void *view);
typedef void *(*cilk_c_reducer_allocate_fn_t)(void *reducer, size_t size);
typedef void (*cilk_c_reducer_deallocate_fn_t)(void *reducer, void *view);

typedef cilk_c_reducer_reduce_fn_t cilk_reduce_fn_t;
typedef cilk_c_reducer_identity_fn_t cilk_identity_fn_t;
typedef cilk_c_reducer_destroy_fn_t cilk_destroy_fn_t;
typedef cilk_c_reducer_allocate_fn_t cilk_allocate_fn_t;
typedef cilk_c_reducer_deallocate_fn_t cilk_deallocate_fn_t;

typedef struct cilk_c_monoid {
  cilk_c_reducer_reduce_fn_t reduce_fn;
  cilk_c_reducer_identity_fn_t identity_fn;
  cilk_c_reducer_destroy_fn_t destroy_fn;
  cilk_c_reducer_allocate_fn_t allocate_fn;
  cilk_c_reducer_deallocate_fn_t deallocate_fn;
} cilk_c_monoid;

typedef struct __cilkrts_hyperobject_base {
  cilk_c_monoid __c_monoid;
  unsigned long long __flags;
  ptrdiff_t __view_offset; /* from here to the view, in bytes */
  size_t __view_size;
} __cilkrts_hyperobject_base;

__CILKRTS_INLINE void __cilkrts_hyper_create(__cilkrts_hyperobject_base *key) {
  (void)key;
}

__CILKRTS_INLINE void __cilkrts_hyper_destroy(__cilkrts_hyperobject_base *key) {
  (void)key;
}

__CILKRTS_INLINE void *__cilkrts_hyper_lookup(__cilkrts_hyperobject_base *key) {
  return (char *)key + key->__view_offset;
}

__CILKRTS_INLINE void *__cilkrts_hyperobject_alloc(void *reducer, size_t size) {
  (void)reducer;
  return malloc(size);
}

__CILKRTS_INLINE void __cilkrts_hyperobject_dealloc(void *reducer, void *view) {
  (void)reducer;
  free(view);
}

__CILKRTS_INLINE void __cilkrts_hyperobject_noop_destroy(void *reducer, void *view) {
  (void)reducer;
  (void)view;
}

/* OpenCilk's names for two of them.  */
__CILKRTS_INLINE void *__cilkrts_hyper_alloc(void *reducer, size_t size) {
  return __cilkrts_hyperobject_alloc(reducer, size);
}

__CILKRTS_INLINE void __cilkrts_hyper_dealloc(void *reducer, void *view) {
  __cilkrts_hyperobject_dealloc(reducer, view);
}

__CILKRTS_END_EXTERN_C

#endif
