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

/* How a function or an array is kept.  */
template <typename From> struct stored { typedef From type; };
template <typename R> struct stored<R()> { typedef R (*type)(); };
template <typename T, std::size_t N> struct stored<T[N]> { typedef const T *type; };

/* What every view starts with: a copy of a value, or what a function returns.  */
template <typename Type> struct holder_start {
  /* The destructor of both kinds of start, which is called through this class.  */
  virtual ~holder_start() {}
  virtual void make(Type *view) const = 0;
  virtual holder_start *copy() const = 0;
};
template <typename Type, typename From, bool IsValue> class held : public holder_start<Type> {
  From m_from;

public:
  /* Keeps a copy of the value that every view starts with.  */
  held(const From &from) : m_from(from) {}

  /* Constructs VIEW as a copy of the value.  */
  void make(Type *view) const {
    ::new (static_cast<void *>(view)) Type(m_from);
  }

  /* Returns a new copy of this object, which the caller deletes.  */
  held *copy() const {
    return new held(m_from);
  }
};
template <typename Type, typename From> class held<Type, From, false> : public holder_start<Type> {
  From m_from;

public:
  /* Keeps the function that returns what a view starts with.  */
  held(const From &from) : m_from(from) {}

  /* Constructs VIEW from what the function returns.  */
  void make(Type *view) const {
    ::new (static_cast<void *>(view)) Type(m_from());
  }

  /* Returns a new copy of this object, which the caller deletes.  */
  held *copy() const {
    return new held(m_from);
  }
};

/* What of a later view remains in an earlier one.  */
template <holder_policy Policy> struct keep_of_later {
  /* Copies the later value into the earlier view.  */
  template <typename Type> static void reduce(Type *left, Type *right) {
    *left = *right;
  }
};
template <> struct keep_of_later<holder_keep_indeterminate> {
  /* Keeps the earlier value, whichever that is.  */
  template <typename Type> static void reduce(Type *, Type *) {}
};
template <> struct keep_of_later<holder_keep_last_swap> {
  /* Swaps the values of the earlier and the later view.  */
  template <typename Type> static void reduce(Type *left, Type *right) {
    using std::swap;
    swap(*left, *right);
  }
};
#if __cplusplus >= 201103L
template <> struct keep_of_later<holder_keep_last_move> {
  /* Moves the later value into the earlier view.  */
  template <typename Type> static void reduce(Type *left, Type *right) {
    *left = std::move(*right);
  }
};
#endif

} // namespace internal

template <typename Type, holder_policy Policy = holder_keep_indeterminate, typename Allocator = std::allocator<Type> >
class holder_monoid : public monoid_base<Type> {
  Allocator m_allocator;
  internal::holder_start<Type> *m_start; /* 0: the type's own */

  holder_monoid &operator=(const holder_monoid &);

public:
  /* Makes a monoid whose views start with the default of their type.  */
  holder_monoid(const Allocator &allocator = Allocator()) : m_allocator(allocator), m_start(0) {}

  /* Makes a monoid whose views start with what START makes; deletes START in the end.  */
  holder_monoid(internal::holder_start<Type> *start, const Allocator &allocator)
      : m_allocator(allocator), m_start(start) {}

  /* Copies OTHER and what its views start with.  */
  holder_monoid(const holder_monoid &other)
      : monoid_base<Type>(other), m_allocator(other.m_allocator), m_start(other.m_start ? other.m_start->copy() : 0) {}

  /* Deletes what the views start with.  */
  ~holder_monoid() {
    delete m_start;
  }

  /* Constructs VIEW with what views start with.  */
  void identity(Type *view) const {
    if (m_start)
      m_start->make(view);
    else
      ::new (static_cast<void *>(view)) Type();
  }

  /* Keeps in LEFT the value that the policy chooses of the two.  */
  void reduce(Type *left, Type *right) const {
    internal::keep_of_later<Policy>::reduce(left, right);
  }

  /* Returns the allocator that the constructor was given.  */
  Allocator get_allocator() const {
    return m_allocator;
  }
};

template <typename Type, holder_policy Policy = holder_keep_indeterminate, typename Allocator = std::allocator<Type> >
class holder : public reducer<holder_monoid<Type, Policy, Allocator> > {
  typedef holder_monoid<Type, Policy, Allocator> monoid;
  typedef reducer<monoid> base;

public:
  /* Makes a holder whose views start with the default of their type.  */
  holder(const Allocator &allocator = Allocator()) : base(monoid(allocator)) {}

  /* Makes a holder whose views start as copies of START, or with what it returns if it is a function.  */
  template <typename Start>
  holder(const Start &start, const Allocator &allocator = Allocator())
      : base(monoid(
            new internal::held<Type, typename internal::stored<Start>::type, internal::converts<Start, Type>::value>(
                start),
            allocator)) {}
};

} // namespace cilk

#endif
