/* What the reducers of an operator share.  <cilk/reducer_opadd.h> and the others include this.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_ARITHMETIC_H
#define CILK_REDUCER_ARITHMETIC_H

#pragma GCC system_header
#include <cilk/reducer.h>

#ifdef __cplusplus

namespace cilk {
namespace internal {

/* The right side of `view = view OP x OP y': the view, and x OP y.  */
template <typename View, typename Type> class right_side {
protected:
  const View *m_view;
  Type m_value;

public:
  /* Keeps the view and the value to the right of it.  */
  right_side(const View *view, const Type &value) : m_view(view), m_value(value) {}

  /* Returns the value to combine with VIEW.  Asserts that VIEW is also the view on the right side.  */
  const Type &value_for(const View *view) const {
    __CILKRTS_ASSERT(view == m_view);
    (void)view;
    return m_value;
  }
};

/* An older reducer is its own view, for which SELF has the operators.  It converts to the reducer that replaced it.  */
template <typename Self, typename Monoid, typename Unaligned> class legacy_reducer : public reducer<Monoid> {
  typedef reducer<Monoid> base;

protected:
  /* Constructs the reducer with the arguments.  This covers the five constructors.  */
  legacy_reducer() {}
  template <typename T1> explicit legacy_reducer(const T1 &x1) : base(x1) {}
  template <typename T1, typename T2> legacy_reducer(const T1 &x1, const T2 &x2) : base(x1, x2) {}
  template <typename T1, typename T2, typename T3>
  legacy_reducer(const T1 &x1, const T2 &x2, const T3 &x3) : base(x1, x2, x3) {}
  template <typename T1, typename T2, typename T3, typename T4>
  legacy_reducer(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4) : base(x1, x2, x3, x4) {}

public:
  typedef typename base::view_type view_type;
  typedef view_type View;
  typedef Monoid monoid_type;

  /* Returns the reducer itself, which is its own view; const if the reducer is.  This covers the operators * and
     ->.  */
  Self &operator*() {
    return static_cast<Self &>(*this);
  }
  const Self &operator*() const {
    return static_cast<const Self &>(*this);
  }
  Self *operator->() {
    return static_cast<Self *>(this);
  }
  const Self *operator->() const {
    return static_cast<const Self *>(this);
  }

  /* Converts to the reducer that replaced this class; const if this is.  This covers both overloads.  */
  operator reducer<Unaligned> &() {
    return *reinterpret_cast<reducer<Unaligned> *>(this);
  }
  operator const reducer<Unaligned> &() const {
    return *reinterpret_cast<const reducer<Unaligned> *>(this);
  }
};

} // namespace internal
} // namespace cilk

/* Three parts of an operator's reducer, in namespace cilk: its view class, which has IDENTITY and, through the macros
   MORE and MORE_PROXY, members that only this operator has; the conversion to the older class; and that class's
   members.  */
#define __CILK_OPERATOR_VIEW(name, op, identity, more, more_proxy)                                                     \
  template <typename Type> class name : public scalar_view<Type> {                                                     \
  public:                                                                                                              \
    class rhs_proxy : public internal::right_side<name, Type> {                                                        \
    public:                                                                                                            \
      rhs_proxy(const name *view, const Type &value) : internal::right_side<name, Type>(view, value) {}                \
      rhs_proxy &operator op(const Type &x) {                                                                          \
        this->m_value op## = x;                                                                                        \
        return *this;                                                                                                  \
      }                                                                                                                \
      more_proxy(rhs_proxy)                                                                                            \
    };                                                                                                                 \
    name() : scalar_view<Type>(identity) {}                                                                            \
    explicit name(const Type &value) : scalar_view<Type>(value) {}                                                     \
    void reduce(name *right) {                                                                                         \
      this->m_value op## = right->m_value;                                                                             \
    }                                                                                                                  \
    name &operator op##=(const Type &x) {                                                                              \
      this->m_value op## = x;                                                                                          \
      return *this;                                                                                                    \
    }                                                                                                                  \
    rhs_proxy operator op(const Type &x) const {                                                                       \
      return rhs_proxy(this, x);                                                                                       \
    }                                                                                                                  \
    name &operator=(const rhs_proxy &right) {                                                                          \
      this->m_value op## = right.value_for(this);                                                                      \
      return *this;                                                                                                    \
    }                                                                                                                  \
    more(name)                                                                                                         \
  };

#define __CILK_NO_MORE(name)

/* The older class starts with Type(), be that the identity or not.  */
#define __CILK_OPERATOR_LEGACY(name, op, monoid, more)                                                                 \
  template <typename Type>                                                                                             \
  class name : public internal::legacy_reducer<name<Type>, monoid<Type, true>, monoid<Type, false> > {                 \
    typedef internal::legacy_reducer<name<Type>, monoid<Type, true>, monoid<Type, false> > base;                       \
                                                                                                                       \
  public:                                                                                                              \
    typedef monoid<Type, true> Monoid;                                                                                 \
    typedef typename base::view_type::rhs_proxy rhs_proxy;                                                             \
    name() : base(Type()) {}                                                                                           \
    explicit name(const Type &value) : base(value) {}                                                                  \
    name &operator op##=(const Type &x) {                                                                              \
      this->view() op## = x;                                                                                           \
      return *this;                                                                                                    \
    }                                                                                                                  \
    friend rhs_proxy operator op(const name &reducer, const Type &x) {                                                 \
      return reducer.view() op x;                                                                                      \
    }                                                                                                                  \
    name &operator=(const rhs_proxy &right) {                                                                          \
      this->view() = right;                                                                                            \
      return *this;                                                                                                    \
    }                                                                                                                  \
    more(name)                                                                                                         \
  };                                                                                                                   \
  template <typename Type, bool Align> struct legacy_reducer_downcast<reducer<monoid<Type, Align> > > {                \
    typedef name<Type> type;                                                                                           \
  };

#endif

#endif
