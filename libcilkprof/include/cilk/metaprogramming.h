/* Reducers on the heap, and what programs that define their own use to do so.
   SPDX-License-Identifier: MIT

   Cilk Plus aligned some reducers to cache lines, which `new' did not do for it.  These are not aligned so: `new'
   serves.  */

#ifndef CILK_METAPROGRAMMING_H
#define CILK_METAPROGRAMMING_H

#pragma GCC system_header
#ifdef __cplusplus
#include <cilk/common.h>

namespace cilk {

/* Returns a new T, constructed with the arguments; aligned_delete deletes it.  This covers the overloads for up to five
   arguments.  C++'s own new aligns as the type needs.  */
template <typename T> T *aligned_new() {
  return new T();
}
template <typename T, typename T1> T *aligned_new(const T1 &x1) {
  return new T(x1);
}
template <typename T, typename T1, typename T2> T *aligned_new(const T1 &x1, const T2 &x2) {
  return new T(x1, x2);
}
template <typename T, typename T1, typename T2, typename T3> T *aligned_new(const T1 &x1, const T2 &x2, const T3 &x3) {
  return new T(x1, x2, x3);
}
template <typename T, typename T1, typename T2, typename T3, typename T4>
T *aligned_new(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4) {
  return new T(x1, x2, x3, x4);
}
template <typename T, typename T1, typename T2, typename T3, typename T4, typename T5>
T *aligned_new(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4, const T5 &x5) {
  return new T(x1, x2, x3, x4, x5);
}

/* Deletes an object that aligned_new returned.  */
template <typename T> void aligned_delete(const T *object) {
  delete object;
}

namespace internal {

template <class Class> struct class_is_empty { static const bool value = __is_empty(Class); };

template <typename Type> struct align_of { static const std::size_t value = __alignof__(Type); };

template <std::size_t Size, std::size_t Alignment> struct aligned_storage {
  char m_bytes[Size] __attribute__((__aligned__(Alignment)));
};

/* Room for an object that is made later.  */
template <typename Type> class storage_for_object : aligned_storage<sizeof(Type), __alignof__(Type)> {
public:
  /* Returns the object, which somebody must have constructed in this memory; const if the memory is.  This covers both
     overloads.  */
  Type &object() {
    return *static_cast<Type *>(static_cast<void *>(this->m_bytes));
  }
  const Type &object() const {
    return *static_cast<const Type *>(static_cast<const void *>(this->m_bytes));
  }
};

template <bool Condition, typename IfTrue, typename IfFalse> struct condition { typedef IfTrue type; };
template <typename IfTrue, typename IfFalse> struct condition<false, IfTrue, IfFalse> { typedef IfFalse type; };

template <bool> struct static_assert_failure;
template <> struct static_assert_failure<true> {};

} // namespace internal
} // namespace cilk

#define __CILKRTS_STATIC_ASSERT(condition, message)                                                                    \
  typedef char __cilkrts_asserted[sizeof(::cilk::internal::static_assert_failure<(condition)>)] __attribute__((unused))
#endif

#endif
