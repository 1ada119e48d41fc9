/* What the headers of Cilk Plus share, and programs use of it.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_COMMON_H
#define CILK_COMMON_H

#pragma GCC system_header

#ifdef __cplusplus
#include <cassert>
#include <cstddef>
#else
#include <assert.h>
#include <stddef.h>
#endif
#include <stdint.h>

#define CILK_LIBRARY_VERSION  102
#define __CILKRTS_ABI_VERSION 1

#ifdef __cplusplus
#define __STDNS                  std::
#define __CILKRTS_EXTERN_C       extern "C"
#define __CILKRTS_BEGIN_EXTERN_C extern "C" {
#define __CILKRTS_END_EXTERN_C   }
#define __CILKRTS_NOTHROW        __attribute__((__nothrow__))
#else
#define __STDNS
#define __CILKRTS_EXTERN_C
#define __CILKRTS_BEGIN_EXTERN_C
#define __CILKRTS_END_EXTERN_C
#define __CILKRTS_NOTHROW
#endif

#define CILK_EXPORT
#define CILK_EXPORT_DATA
#define CILK_API(type) CILK_EXPORT type __CILKRTS_NOTHROW
#define CILK_ABI(type) CILK_EXPORT type __CILKRTS_NOTHROW

#define __CILKRTS_CACHE_LINE__  64
#define CILK_ALIGNAS(n)         __attribute__((__aligned__(n)))
#define CILK_ALIGNAS_TYPE(type) __attribute__((__aligned__))
#define __CILKRTS_CACHE_ALIGN   CILK_ALIGNAS(__CILKRTS_CACHE_LINE__)

/* There is no runtime to link: its functions are here.  Inlined always, they are no call sites in a profile.  */
#define __CILKRTS_INLINE       static __inline__ __attribute__((__unused__, __always_inline__))
#define CILK_EXPORT_AND_INLINE __CILKRTS_INLINE

#ifdef __OPTIMIZE__
#define __CILKRTS_ASSERT(condition) ((void)0)
#else
#define __CILKRTS_ASSERT(condition) assert(condition)
#endif

#if defined __cplusplus && __cplusplus >= 201103L && !defined __CILKRTS_RVALUE_REFERENCES
#define __CILKRTS_RVALUE_REFERENCES 1
#endif

/* The last term of a pedigree, and through its parents the others.  */
typedef struct __cilkrts_pedigree {
  uint64_t rank;
  const struct __cilkrts_pedigree *parent;
} __cilkrts_pedigree;

#endif
