/* What the reducers of the least and of the greatest value share.  <cilk/reducer_min_max.h> includes this.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_EXTREME_H
#define CILK_REDUCER_EXTREME_H

#pragma GCC system_header
#include <cilk/reducer_arithmetic.h>
#include <functional>
#include <limits>
#include <utility>

namespace cilk {
namespace internal {

/* Which end is sought: whether Y replaces X, by the comparator of the order, and where numbers start.  */
struct least {
  /* Returns whether Y is less than X.  */
  template <typename Compare, typename Type> static bool beats(const Compare &compare, const Type &y, const Type &x) {
    return compare(y, x);
  }

  /* Returns a value that no other is greater than: infinity, or the largest of the type.  */
  template <typename Type> static Type start(bool infinite) {
    return infinite ? std::numeric_limits<Type>::infinity() : std::numeric_limits<Type>::max();
  }
};
struct greatest {
  /* Returns whether Y is greater than X.  */
  template <typename Compare, typename Type> static bool beats(const Compare &compare, const Type &y, const Type &x) {
    return compare(x, y);
  }

  /* Returns a value that no other is less than: minus infinity, or the smallest of the type.  */
  template <typename Type> static Type start(bool infinite) {
    return infinite ? -std::numeric_limits<Type>::infinity() : std::numeric_limits<Type>::min();
  }
};
template <typename Direction> struct only_for {
  /* Accepts a Direction: calc_min of a maximum, or calc_max of a minimum, does not compile.  */
  static void allow(Direction) {}
};

/* A number in its usual order is compared from the start; of any other type, the first value is taken as it comes.  */
template <typename Type, typename Compare, typename Direction, bool = false> struct extreme_start {
  enum { known = false };

  /* Does nothing: with an order of its own, no value is known to lose against all others.  */
  static void set(Type &) {}
};
template <typename Type, typename Direction> struct extreme_start<Type, std::less<Type>, Direction, true> {
  enum { known = true };

  /* Sets VALUE to one that loses against all others.  */
  static void set(Type &value) {
    value = Direction::template start<Type>(std::numeric_limits<Type>::has_infinity);
  }
};

/* A comparator that is a function is a pointer to it from here on.  */
template <typename Compare> struct comparator { typedef Compare type; };
template <typename R, typename A, typename B> struct comparator<R(A, B)> { typedef R (*type)(A, B); };

/* The right side of `view = max_of(max_of(view, x), y)'.  */
template <typename View> class extreme_proxy : public right_side<View, typename View::value_type> {
  typedef right_side<View, typename View::value_type> base;

public:
  typedef typename View::direction direction;
  typedef typename View::value_type value_type;
  typedef typename View::index_type index_type;
  typedef typename View::key_type key_type;
  typedef extreme_proxy rhs_proxy;

  /* Keeps the view and the value to the right of it.  */
  extreme_proxy(const View *view, const value_type &value) : base(view, value) {}

  /* Returns a right side with the better of its value and X.  */
  extreme_proxy with(const value_type &x) const {
    return extreme_proxy(this->m_view, this->m_view->beats(x, this->m_value) ? x : this->m_value);
  }
};

/* A view whose value is a KEY to compare, or a pair of an index and a key.  */
template <typename Value, typename Index, typename Key, typename Compare, typename Direction> class extreme_view {
  typedef extreme_start<Key, Compare, Direction, std::numeric_limits<Key>::is_specialized> start;
  Compare m_compare;

  /* Returns the part of VALUE that is compared: VALUE itself, or the second of a pair.  This covers the four
     overloads.  */
  static const Key &key(const Key &value) {
    return value;
  }
  static const Key &key(const std::pair<Index, Key> &value) {
    return value.second;
  }
  static Key &key(Key &value) {
    return value;
  }
  static Key &key(std::pair<Index, Key> &value) {
    return value.second;
  }

protected:
  Value m_value;
  bool m_is_set;

  /* Replaces the value by X if X is better, or if there is no value yet.  */
  void calc(const Value &x) {
    if ((!start::known && !m_is_set) || beats(x, m_value))
      m_value = x;
    m_is_set = true;
  }

public:
  typedef Value value_type;
  typedef Index index_type;
  typedef Key key_type;
  typedef Direction direction;
  typedef extreme_proxy<extreme_view> rhs_proxy;

  /* Makes a view without a value: one that loses against all others, where such a value is known.  This covers the
     default comparator and COMPARE.  */
  extreme_view() : m_compare(), m_value(), m_is_set(false) {
    start::set(key(m_value));
  }
  extreme_view(const Compare &compare) : m_compare(compare), m_value(), m_is_set(false) {
    start::set(key(m_value));
  }

  /* Makes a view with VALUE.  This covers the default comparator and COMPARE.  */
  extreme_view(const Value &value) : m_compare(), m_value(value), m_is_set(true) {}
  extreme_view(const Value &value, const Compare &compare) : m_compare(compare), m_value(value), m_is_set(true) {}

  /* Returns the comparator that defines the order.  */
  const Compare &comparator() const {
    return m_compare;
  }

  /* Returns whether Y would replace X: whether it is less, or greater for a maximum.  */
  bool beats(const Value &y, const Value &x) const {
    return Direction::beats(m_compare, key(y), key(x));
  }

  /* Takes the value of RIGHT if it has one and that is better.  */
  void reduce(extreme_view *right) {
    if (right->m_is_set)
      calc(right->m_value);
  }

  /* Returns whether the view was given any value.  */
  bool is_set() const {
    return m_is_set;
  }

  /* Returns the least or greatest value so far, without its index.  */
  const Key &get_reference() const {
    return key(m_value);
  }

  /* Replaces the value by VALUE, even if that is worse.  */
  void view_set_value(const Value &value) {
    m_value = value;
    m_is_set = true;
  }

  /* Replaces the value by a copy of VALUE, even if that is worse.  */
  void view_move_in(Value &value) {
    view_set_value(value);
  }

  /* Copies the value to VALUE.  */
  void view_move_out(Value &value) {
    value = m_value;
  }

  /* Returns the value, a pair if it has an index.  */
  Value view_get_value() const {
    return m_value;
  }

  /* Takes X if it is less; only for a minimum.  */
  extreme_view &calc_min(const Value &x) {
    only_for<Direction>::allow(least());
    calc(x);
    return *this;
  }

  /* Takes X if it is greater; only for a maximum.  */
  extreme_view &calc_max(const Value &x) {
    only_for<Direction>::allow(greatest());
    calc(x);
    return *this;
  }

  /* Returns the right side of `view = min_of(view, x)' or max_of.  */
  rhs_proxy with(const Value &x) const {
    return rhs_proxy(this, x);
  }

  /* Takes the value of RIGHT, a min_of or max_of of this view, if it is better.  */
  extreme_view &operator=(const rhs_proxy &right) {
    calc(right.value_for(this));
    return *this;
  }
};

struct no_index {};

template <typename Index, typename Type, typename Compare, typename Direction>
class extreme_index_view : public extreme_view<std::pair<Index, Type>, Index, Type, Compare, Direction> {
  typedef std::pair<Index, Type> pair;
  typedef extreme_view<pair, Index, Type, Compare, Direction> base;

public:
  /* Makes a view from any of a value with its index, an index alone, and a comparator.  This covers the eight
     constructors; without a value, the index is the one that is returned if no value comes.  */
  extreme_index_view() {}
  extreme_index_view(const Compare &compare) : base(compare) {}
  extreme_index_view(const pair &value) : base(value) {}
  extreme_index_view(const pair &value, const Compare &compare) : base(value, compare) {}
  extreme_index_view(const Index &index, const Type &value) : base(pair(index, value)) {}
  extreme_index_view(const Index &index, const Type &value, const Compare &compare)
      : base(pair(index, value), compare) {}
  extreme_index_view(const Index &index) {
    set_default_index(index);
  }
  extreme_index_view(const Index &index, const Compare &compare) : base(compare) {
    set_default_index(index);
  }

  /* Sets the index that is returned as long as there is no value.  */
  void set_default_index(const Index &index) {
    this->m_value.first = index;
  }

  /* Returns the index of the least or greatest value.  */
  const Index &get_index_reference() const {
    return this->m_value.first;
  }
  using base::calc_max;
  using base::calc_min;

  /* Takes X at INDEX if it is less; only for a minimum.  */
  extreme_index_view &calc_min(const Index &index, const Type &x) {
    base::calc_min(pair(index, x));
    return *this;
  }

  /* Takes X at INDEX if it is greater; only for a maximum.  */
  extreme_index_view &calc_max(const Index &index, const Type &x) {
    base::calc_max(pair(index, x));
    return *this;
  }

  /* Takes the value and index of RIGHT if it is better.  */
  extreme_index_view &operator=(const typename base::rhs_proxy &right) {
    base::operator=(right);
    return *this;
  }
};

/* The view of values with an index, or without.  */
template <typename Index, typename Type, typename Compare, typename Direction> struct extreme_view_of {
  typedef extreme_index_view<Index, Type, Compare, Direction> type;
};
template <typename Type, typename Compare, typename Direction>
struct extreme_view_of<no_index, Type, Compare, Direction> {
  typedef extreme_view<Type, no_index, Type, Compare, Direction> type;
};

/* The comparator is the views': others get that of the leftmost.  */
template <typename Index, typename Type, typename Compare, typename Direction, bool Align>
struct extreme_monoid
    : monoid_with_view<typename extreme_view_of<Index, Type, typename comparator<Compare>::type, Direction>::type,
                       Align> {
  typedef void like_leftmost;
  typedef typename extreme_view_of<Index, Type, typename comparator<Compare>::type, Direction>::type view_type;

  /* Constructs a view without a value at VIEW, with the comparator of LEFTMOST.  */
  void identity_like(view_type *view, const view_type *leftmost) const {
    ::new (static_cast<void *>(view)) view_type(leftmost->comparator());
  }
};

/* An older reducer, which is its own view.  */
template <typename Self, typename Monoid, typename Unaligned>
class legacy_extreme : public legacy_reducer<Self, Monoid, Unaligned> {
  typedef legacy_reducer<Self, Monoid, Unaligned> base;
  typedef typename Monoid::view_type view_type;

public:
  typedef typename view_type::direction direction;
  typedef typename view_type::index_type index_type;
  typedef typename view_type::key_type key_type;
  typedef typename view_type::rhs_proxy rhs_proxy;
  typedef key_type basic_value_type;

  /* Constructs the reducer with the arguments of its view.  This covers the four constructors.  */
  legacy_extreme() {}
  template <typename T1> explicit legacy_extreme(const T1 &x1) : base(x1) {}
  template <typename T1, typename T2> legacy_extreme(const T1 &x1, const T2 &x2) : base(x1, x2) {}
  template <typename T1, typename T2, typename T3>
  legacy_extreme(const T1 &x1, const T2 &x2, const T3 &x3) : base(x1, x2, x3) {}

  /* Returns whether the reducer was given any value.  */
  bool is_set() const {
    return this->view().is_set();
  }

  /* Returns the least or greatest value so far.  */
  const key_type &get_reference() const {
    return this->view().get_reference();
  }

  /* Takes X if it is less; only for a minimum.  */
  Self &calc_min(const key_type &x) {
    this->view().calc_min(x);
    return **this;
  }

  /* Takes X if it is greater; only for a maximum.  */
  Self &calc_max(const key_type &x) {
    this->view().calc_max(x);
    return **this;
  }

  /* Returns the right side of `reducer = min_of(reducer, x)' or max_of.  */
  rhs_proxy with(const typename Monoid::value_type &x) const {
    return this->view().with(x);
  }

  /* Takes the value of RIGHT, a min_of or max_of of this reducer, if it is better: operator= of the derived
     classes.  */
  Self &assign(const rhs_proxy &right) {
    this->view() = right;
    return **this;
  }
};

template <typename Self, typename Monoid, typename Unaligned>
class legacy_extreme_index : public legacy_extreme<Self, Monoid, Unaligned> {
  typedef legacy_extreme<Self, Monoid, Unaligned> base;
  typedef typename base::index_type Index;
  typedef typename base::key_type Type;

public:
  /* Constructs the reducer with the arguments of its view.  This covers the four constructors.  */
  legacy_extreme_index() {}
  template <typename T1> explicit legacy_extreme_index(const T1 &x1) : base(x1) {}
  template <typename T1, typename T2> legacy_extreme_index(const T1 &x1, const T2 &x2) : base(x1, x2) {}
  template <typename T1, typename T2, typename T3>
  legacy_extreme_index(const T1 &x1, const T2 &x2, const T3 &x3) : base(x1, x2, x3) {}

  /* Replaces index and value, even if VALUE is worse.  */
  void set_value(const Index &index, const Type &value) {
    base::set_value(std::pair<Index, Type>(index, value));
  }

  /* Returns the least or greatest value so far, without its index.  */
  const Type &get_value() const {
    return this->get_reference();
  }

  /* Returns the index of the least or greatest value.  This covers both functions.  */
  const Index &get_index() const {
    return get_index_reference();
  }
  const Index &get_index_reference() const {
    return this->view().get_index_reference();
  }

  /* Takes X at INDEX if it is less; only for a minimum.  */
  Self &calc_min(const Index &index, const Type &x) {
    this->view().calc_min(index, x);
    return **this;
  }

  /* Takes X at INDEX if it is greater; only for a maximum.  */
  Self &calc_max(const Index &index, const Type &x) {
    this->view().calc_max(index, x);
    return **this;
  }
};

/* What min_of and max_of accept: a view, an older reducer or a right side that seeks that end.  */
template <typename Operand, typename Direction, typename = Direction> struct extreme_operand {};
template <typename Operand, typename Direction>
struct extreme_operand<Operand, Direction, typename Operand::direction> {
  typedef typename Operand::rhs_proxy proxy;
  typedef typename Operand::value_type value;
  typedef typename Operand::index_type index;
  typedef typename Operand::key_type key;
};

} // namespace internal
} // namespace cilk

#endif
