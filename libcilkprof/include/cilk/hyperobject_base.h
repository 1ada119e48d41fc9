/* Reducers as C sees them: a monoid's functions, and where the leftmost view is.  A serial run has no other and
   never reduces.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_HYPEROBJECT_BASE_H
#define CILK_HYPEROBJECT_BASE_H

#pragma GCC system_header
#include <cilk/common.h>
#include <stdlib.h>
#ifdef __cilkprof_parallel__
#include <cilkprof/parallel.h>
#endif

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

#ifdef __cilkprof_parallel__
/* Returns a new view of REDUCER with the identity in it, made by its functions for C, or NULL if there is no
   memory.  */
static __inline__ __attribute__((__unused__)) void *__cilkrts_hyper_identity(void *reducer) {
  __cilkrts_hyperobject_base *key = (__cilkrts_hyperobject_base *)reducer;
  void *view = key->__c_monoid.allocate_fn(key, key->__view_size);
  if (view)
    key->__c_monoid.identity_fn(key, view);
  return view;
}

/* Reduces view RIGHT into LEFT by the function for C of REDUCER.  */
static __inline__ __attribute__((__unused__)) void __cilkrts_hyper_reduce(void *reducer, void *left, void *right) {
  ((__cilkrts_hyperobject_base *)reducer)->__c_monoid.reduce_fn(reducer, left, right);
}

/* Destroys VIEW and frees its memory by the functions for C of REDUCER.  */
static __inline__ __attribute__((__unused__)) void __cilkrts_hyper_end_view(void *reducer, void *view) {
  __cilkrts_hyperobject_base *key = (__cilkrts_hyperobject_base *)reducer;
  key->__c_monoid.destroy_fn(key, view);
  key->__c_monoid.deallocate_fn(key, view);
}

static const struct __cilkprof_r_monoid __cilkrts_hyper_monoid
    __attribute__((__unused__)) = {__cilkrts_hyper_identity, __cilkrts_hyper_reduce, __cilkrts_hyper_end_view};
#endif

/* Begins the life of the reducer KEY: its leftmost view is the one that follows it in memory, at __view_offset.  */
__CILKRTS_INLINE void __cilkrts_hyper_create(__cilkrts_hyperobject_base *key) {
#ifdef __cilkprof_parallel__
  if (__CILKPROF_R_VIEWS)
    __cilkprof_r_reducer_begin(key, (char *)key + key->__view_offset, &__cilkrts_hyper_monoid);
#endif
  (void)key;
}

/* Ends the life of the reducer KEY; all of its views have been reduced into the leftmost one.  */
__CILKRTS_INLINE void __cilkrts_hyper_destroy(__cilkrts_hyperobject_base *key) {
#ifdef __cilkprof_parallel__
  if (__CILKPROF_R_VIEWS)
    __cilkprof_r_reducer_end(key);
#endif
  (void)key;
}

/* Returns the calling strand's view of the reducer KEY; in a serial run that is always the leftmost.  */
__CILKRTS_INLINE void *__cilkrts_hyper_lookup(__cilkrts_hyperobject_base *key) {
#ifdef __cilkprof_parallel__
  if (__builtin_expect(__CILKPROF_R_VIEWS, 0))
    return __cilkprof_r_view(key, (char *)key + key->__view_offset, &__cilkrts_hyper_monoid);
#endif
  return (char *)key + key->__view_offset;
}

/* Returns memory of SIZE bytes for a view: the default of allocate_fn.  */
__CILKRTS_INLINE void *__cilkrts_hyperobject_alloc(void *reducer, size_t size) {
  (void)reducer;
  return malloc(size);
}

/* Frees the memory of VIEW: the default of deallocate_fn.  */
__CILKRTS_INLINE void __cilkrts_hyperobject_dealloc(void *reducer, void *view) {
  (void)reducer;
  free(view);
}

/* Does nothing: the destroy_fn of views that need no destructor.  */
__CILKRTS_INLINE void __cilkrts_hyperobject_noop_destroy(void *reducer, void *view) {
  (void)reducer;
  (void)view;
}

/* Returns memory of SIZE bytes for a view.  OpenCilk's name of __cilkrts_hyperobject_alloc.  */
__CILKRTS_INLINE void *__cilkrts_hyper_alloc(void *reducer, size_t size) {
  return __cilkrts_hyperobject_alloc(reducer, size);
}

/* Frees the memory of VIEW.  OpenCilk's name of __cilkrts_hyperobject_dealloc.  */
__CILKRTS_INLINE void __cilkrts_hyper_dealloc(void *reducer, void *view) {
  __cilkrts_hyperobject_dealloc(reducer, view);
}

__CILKRTS_END_EXTERN_C

#endif
