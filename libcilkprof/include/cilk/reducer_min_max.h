/* Reducers that keep the least or the greatest value, alone or with its index.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_MIN_MAX_H
#define CILK_REDUCER_MIN_MAX_H

#pragma GCC system_header
#include <cilk/reducer_min_max_c.h>

#ifdef __cplusplus
#include <cilk/reducer_extreme.h>

namespace cilk {

template <typename Type, typename Compare = std::less<Type>, bool Align = false>
struct op_min : internal::extreme_monoid<internal::no_index, Type, Compare, internal::least, Align> {};
template <typename Index, typename Type, typename Compare = std::less<Type>, bool Align = false>
struct op_min_index : internal::extreme_monoid<Index, Type, Compare, internal::least, Align> {};

template <typename Type, typename Compare = std::less<Type> >
class reducer_min : public internal::legacy_extreme<reducer_min<Type, Compare>, op_min<Type, Compare, true>,
                                                    op_min<Type, Compare, false> > {
  typedef internal::legacy_extreme<reducer_min, op_min<Type, Compare, true>, op_min<Type, Compare, false> > base;

public:
  typedef op_min<Type, Compare, true> Monoid;

  /* Makes a reducer without a value or with VALUE, and with the default order or that of COMPARE.  This covers the four
     constructors.  */
  reducer_min() {}
  explicit reducer_min(const Type &value) : base(value) {}
  explicit reducer_min(const Compare &compare) : base(compare) {}
  reducer_min(const Type &value, const Compare &compare) : base(value, compare) {}

  /* Takes the value of RIGHT, a min_of this reducer, if it is less.  */
  reducer_min &operator=(const typename base::rhs_proxy &right) {
    return this->assign(right);
  }
};
template <typename Index, typename Type, typename Compare = std::less<Type> >
class reducer_min_index : public internal::legacy_extreme_index<reducer_min_index<Index, Type, Compare>,
                                                                op_min_index<Index, Type, Compare, true>,
                                                                op_min_index<Index, Type, Compare, false> > {
  typedef internal::legacy_extreme_index<reducer_min_index, op_min_index<Index, Type, Compare, true>,
                                         op_min_index<Index, Type, Compare, false> >
      base;

public:
  typedef op_min_index<Index, Type, Compare, true> Monoid;

  /* Makes a reducer without a value or with VALUE at INDEX, and with the default order or that of COMPARE.  This covers
     the four constructors.  */
  reducer_min_index() {}
  explicit reducer_min_index(const Compare &compare) : base(compare) {}
  reducer_min_index(const Index &index, const Type &value) : base(index, value) {}
  reducer_min_index(const Index &index, const Type &value, const Compare &compare) : base(index, value, compare) {}

  /* Takes the value and index of RIGHT, a min_of this reducer, if it is less.  */
  reducer_min_index &operator=(const typename base::rhs_proxy &right) {
    return this->assign(right);
  }
};

template <typename Type, typename Compare, bool Align>
struct legacy_reducer_downcast<reducer<op_min<Type, Compare, Align> > > {
  typedef reducer_min<Type, Compare> type;
};
template <typename Index, typename Type, typename Compare, bool Align>
struct legacy_reducer_downcast<reducer<op_min_index<Index, Type, Compare, Align> > > {
  typedef reducer_min_index<Index, Type, Compare> type;
};

/* In the namespace of the views, where they are looked for first.  */
namespace internal {

/* Returns the right side of `r = min_of(r, x)', for a view, reducer or right side OPERAND and a value X, in any order.
   This covers the overloads without and with an INDEX of X.  */
template <typename Operand>
inline typename extreme_operand<Operand, least>::proxy
min_of(const Operand &operand, const typename extreme_operand<Operand, least>::value &x) {
  return operand.with(x);
}
template <typename Operand>
inline typename extreme_operand<Operand, least>::proxy min_of(const typename extreme_operand<Operand, least>::value &x,
                                                              const Operand &operand) {
  return operand.with(x);
}
template <typename Operand>
inline typename extreme_operand<Operand, least>::proxy
min_of(const Operand &operand, const typename extreme_operand<Operand, least>::index &index,
       const typename extreme_operand<Operand, least>::key &x) {
  return operand.with(typename Operand::value_type(index, x));
}
template <typename Operand>
inline typename extreme_operand<Operand, least>::proxy
min_of(const typename extreme_operand<Operand, least>::index &index,
       const typename extreme_operand<Operand, least>::key &x, const Operand &operand) {
  return operand.with(typename Operand::value_type(index, x));
}

} // namespace internal
using internal::min_of;

template <typename Type, typename Compare = std::less<Type>, bool Align = false>
struct op_max : internal::extreme_monoid<internal::no_index, Type, Compare, internal::greatest, Align> {};
template <typename Index, typename Type, typename Compare = std::less<Type>, bool Align = false>
struct op_max_index : internal::extreme_monoid<Index, Type, Compare, internal::greatest, Align> {};

template <typename Type, typename Compare = std::less<Type> >
class reducer_max : public internal::legacy_extreme<reducer_max<Type, Compare>, op_max<Type, Compare, true>,
                                                    op_max<Type, Compare, false> > {
  typedef internal::legacy_extreme<reducer_max, op_max<Type, Compare, true>, op_max<Type, Compare, false> > base;

public:
  typedef op_max<Type, Compare, true> Monoid;

  /* Makes a reducer without a value or with VALUE, and with the default order or that of COMPARE.  This covers the four
     constructors.  */
  reducer_max() {}
  explicit reducer_max(const Type &value) : base(value) {}
  explicit reducer_max(const Compare &compare) : base(compare) {}
  reducer_max(const Type &value, const Compare &compare) : base(value, compare) {}

  /* Takes the value of RIGHT, a max_of this reducer, if it is greater.  */
  reducer_max &operator=(const typename base::rhs_proxy &right) {
    return this->assign(right);
  }
};
template <typename Index, typename Type, typename Compare = std::less<Type> >
class reducer_max_index : public internal::legacy_extreme_index<reducer_max_index<Index, Type, Compare>,
                                                                op_max_index<Index, Type, Compare, true>,
                                                                op_max_index<Index, Type, Compare, false> > {
  typedef internal::legacy_extreme_index<reducer_max_index, op_max_index<Index, Type, Compare, true>,
                                         op_max_index<Index, Type, Compare, false> >
      base;

public:
  typedef op_max_index<Index, Type, Compare, true> Monoid;

  /* Makes a reducer without a value or with VALUE at INDEX, and with the default order or that of COMPARE.  This covers
     the four constructors.  */
  reducer_max_index() {}
  explicit reducer_max_index(const Compare &compare) : base(compare) {}
  reducer_max_index(const Index &index, const Type &value) : base(index, value) {}
  reducer_max_index(const Index &index, const Type &value, const Compare &compare) : base(index, value, compare) {}

  /* Takes the value and index of RIGHT, a max_of this reducer, if it is greater.  */
  reducer_max_index &operator=(const typename base::rhs_proxy &right) {
    return this->assign(right);
  }
};

template <typename Type, typename Compare, bool Align>
struct legacy_reducer_downcast<reducer<op_max<Type, Compare, Align> > > {
  typedef reducer_max<Type, Compare> type;
};
template <typename Index, typename Type, typename Compare, bool Align>
struct legacy_reducer_downcast<reducer<op_max_index<Index, Type, Compare, Align> > > {
  typedef reducer_max_index<Index, Type, Compare> type;
};

namespace internal {

/* Returns the right side of `r = max_of(r, x)', for a view, reducer or right side OPERAND and a value X, in any order.
   This covers the overloads without and with an INDEX of X.  */
template <typename Operand>
inline typename extreme_operand<Operand, greatest>::proxy
max_of(const Operand &operand, const typename extreme_operand<Operand, greatest>::value &x) {
  return operand.with(x);
}
template <typename Operand>
inline typename extreme_operand<Operand, greatest>::proxy
max_of(const typename extreme_operand<Operand, greatest>::value &x, const Operand &operand) {
  return operand.with(x);
}
template <typename Operand>
inline typename extreme_operand<Operand, greatest>::proxy
max_of(const Operand &operand, const typename extreme_operand<Operand, greatest>::index &index,
       const typename extreme_operand<Operand, greatest>::key &x) {
  return operand.with(typename Operand::value_type(index, x));
}
template <typename Operand>
inline typename extreme_operand<Operand, greatest>::proxy
max_of(const typename extreme_operand<Operand, greatest>::index &index,
       const typename extreme_operand<Operand, greatest>::key &x, const Operand &operand) {
  return operand.with(typename Operand::value_type(index, x));
}

} // namespace internal
using internal::max_of;

} // namespace cilk
#endif

#endif
