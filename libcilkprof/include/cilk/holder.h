/* Holders: scratch space that parallel strands do not share, and a serial run does not need.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_HOLDER_H
#define CILK_HOLDER_H

#ifndef __cplusplus
#error "<cilk/holder.h> is for C++"
#endif

#pragma GCC system_header
#include <cilk/reducer.h>
#include <memory>

namespace cilk {

/* Whose value remains after a sync.  In a serial run it is the last one's.  */
enum holder_policy {
  holder_keep_indeterminate,
  holder_keep_last,
  holder_keep_last_copy,
  holder_keep_last_swap,
  holder_keep_last_move
};

namespace internal {

template <typename From, typename To> struct converts {
  static char test(const To &);
  static char (&test(...))[2];
  static const From &from();
  enum { value = sizeof(test(from())) == 1 };
};

/* What a view starts with: a value, or what a function returns.  */
template <typename Type, bool IsValue> struct held {
  template <typename From> static const From &start(const From &value) {
    return value;
  }
};
template <typename Type> struct held<Type, false> {
  template <typename From> static Type start(const From &function) {
    return function();
  }
};

} // namespace internal

template <typename Type, holder_policy Policy = holder_keep_indeterminate, typename Allocator = std::allocator<Type> >
class holder_monoid : public monoid_base<Type> {
  Allocator m_allocator;

public:
  holder_monoid(const Allocator &allocator = Allocator()) : m_allocator(allocator) {}
  void reduce(Type *left, Type *right) const {
    if (Policy != holder_keep_indeterminate)
      *left = *right;
  }
  Allocator get_allocator() const {
    return m_allocator;
  }
};

template <typename Type, holder_policy Policy = holder_keep_indeterminate, typename Allocator = std::allocator<Type> >
class holder : public reducer<holder_monoid<Type, Policy, Allocator> > {
  typedef holder_monoid<Type, Policy, Allocator> monoid;
  typedef reducer<monoid> base;

public:
  holder(const Allocator &allocator = Allocator()) : base(monoid(allocator)) {}
  holder(const Type &value, const Allocator &allocator = Allocator()) : base(monoid(allocator), value) {}
  template <typename Start>
  holder(const Start &start, const Allocator &allocator = Allocator())
      : base(monoid(allocator), internal::held<Type, internal::converts<Start, Type>::value>::start(start)) {}
};

} // namespace cilk

#endif
