/* How the parallel algorithms divide their ranges, and the memory that they borrow.
   SPDX-License-Identifier: MIT  */

#ifndef _CILKPROF_PSTL_CHUNKS_H
#define _CILKPROF_PSTL_CHUNKS_H

#pragma GCC system_header

#include <bits/stl_algobase.h>
#include <cilk/cilk_api.h>
#include <cstddef>
#include <memory>
#include <pstl/execution_impl.h>

/* From gcc 14 on a tag comes before the execution policy.  */
#if _GLIBCXX_RELEASE >= 14
#define __CILKPROF_BACKEND_TAG __pstl::__internal::__par_backend_tag,
#else
#define __CILKPROF_BACKEND_TAG
#endif

namespace __pstl {
namespace __cilk_backend {

/* Returns how many processors a range is divided for.  While the program is measured it has one, and the profile is to
   tell how it would do on many; if it is measured on several, they must not change what is counted.  */
inline int __processors() {
#if defined __cilkprof_parallel__ && !defined __CILKPROF_PARALLEL
  return __cilkrts_get_nworkers();
#else
  return 32;
#endif
}

/* Returns in how large chunks a range of __size elements is divided: eight for a processor, and more of large ranges,
   as long as a chunk takes some microseconds at least.  None is smaller than __least.  */
template <class _Size> _Size __chunk_size(_Size __size, _Size __least = 1) {
  const _Size __processors = __cilk_backend::__processors(), __large = 8192;
  const _Size __most = std::max(__large, __size / (64 * __processors));
  return std::max(__least, std::min(__most, __size / (8 * __processors)));
}

/* Returns how large a part of a merge should be at least, which is never smaller than __least: for few processors there
   are enough large ones, and each costs a search for where it begins.  */
template <class _Size> _Size __least_merge_size(_Size __least) {
  const _Size __for_one = 4096;
  return std::max(__least, __for_one / __cilk_backend::__processors());
}

/* Returns in how large parts a range of __size elements is divided if putting the values of two parts together may move
   elements, as in a partition: four for a processor and no more, because each level of the division moves elements once
   more.  */
template <class _Size> _Size __part_size(_Size __size) {
  const _Size __processors = __cilk_backend::__processors();
  return std::max(_Size(1), __size / (4 * __processors));
}

/* Returns a copy of __f, which may be called even if __f changes itself when it is called: the standard lets function
   objects be copied at will, and one object must not be called by two threads.  */
template <class _Function> _Function __own(const _Function &__f) {
  return __f;
}

/* Memory for objects, which its user makes and destroys in it.  It cannot be copied.  */
template <class _Type> class __buffer {
  std::allocator<_Type> _M_allocator;
  const std::size_t _M_size;
  _Type *const _M_memory;

public:
  /* Allocates memory for __size objects.  Throws std::bad_alloc if there is none.  */
  explicit __buffer(std::size_t __size) : _M_size(__size), _M_memory(_M_allocator.allocate(__size)) {}
  __buffer(const __buffer &) = delete;
  __buffer &operator=(const __buffer &) = delete;

  /* Frees the memory.  */
  ~__buffer() {
    _M_allocator.deallocate(_M_memory, _M_size);
  }

  /* Returns whether there is memory.  */
  operator bool() const {
    return _M_memory;
  }

  /* Returns the place of the first object.  */
  _Type *get() const {
    return _M_memory;
  }
};

} // namespace __cilk_backend
} // namespace __pstl

#endif
