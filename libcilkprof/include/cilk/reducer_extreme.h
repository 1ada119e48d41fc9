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
  template <typename Compare, typename Type> static bool beats(const Compare &compare, const Type &y, const Type &x) {
    return compare(y, x);
  }
  template <typename Type> static Type start(bool infinite) {
    return infinite ? std::numeric_limits<Type>::infinity() : std::numeric_limits<Type>::max();
  }
};
struct greatest {
  template <typename Compare, typename Type> static bool beats(const Compare &compare, const Type &y, const Type &x) {
    return compare(x, y);
  }
  template <typename Type> static Type start(bool infinite) {
    return infinite ? -std::numeric_limits<Type>::infinity() : std::numeric_limits<Type>::min();
  }
};
template <typename Direction> struct only_for {
  static void allow(Direction) {}
};

/* A number in its usual order is compared from the start; of any other type, the first value is taken as it comes.  */
template <typename Type, typename Compare, typename Direction, bool = false> struct extreme_start {
  enum { known = false };
  static void set(Type &) {}
};
template <typename Type, typename Direction> struct extreme_start<Type, std::less<Type>, Direction, true> {
  enum { known = true };
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

  extreme_proxy(const View *view, const value_type &value) : base(view, value) {}
  extreme_proxy with(const value_type &x) const {
    return extreme_proxy(this->m_view, this->m_view->beats(x, this->m_value) ? x : this->m_value);
  }
};

/* A view whose value is a KEY to compare, or a pair of an index and a key.  */
template <typename Value, typename Index, typename Key, typename Compare, typename Direction> class extreme_view {
  typedef extreme_start<Key, Compare, Direction, std::numeric_limits<Key>::is_specialized> start;
  Compare m_compare;

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

  extreme_view() : m_compare(), m_value(), m_is_set(false) {
    start::set(key(m_value));
  }
  extreme_view(const Compare &compare) : m_compare(compare), m_value(), m_is_set(false) {
    start::set(key(m_value));
  }
  extreme_view(const Value &value) : m_compare(), m_value(value), m_is_set(true) {}
  extreme_view(const Value &value, const Compare &compare) : m_compare(compare), m_value(value), m_is_set(true) {}

  const Compare &comparator() const {
    return m_compare;
  }
  bool beats(const Value &y, const Value &x) const {
    return Direction::beats(m_compare, key(y), key(x));
  }
  void reduce(extreme_view *right) {
    if (right->m_is_set)
      calc(right->m_value);
  }
  bool is_set() const {
    return m_is_set;
  }
  const Key &get_reference() const {
    return key(m_value);
  }
  void view_set_value(const Value &value) {
    m_value = value;
    m_is_set = true;
  }
  void view_move_in(Value &value) {
    view_set_value(value);
  }
  void view_move_out(Value &value) {
    value = m_value;
  }
  Value view_get_value() const {
    return m_value;
  }

  extreme_view &calc_min(const Value &x) {
    only_for<Direction>::allow(least());
    calc(x);
    return *this;
  }
  extreme_view &calc_max(const Value &x) {
    only_for<Direction>::allow(greatest());
    calc(x);
    return *this;
  }
  rhs_proxy with(const Value &x) const {
    return rhs_proxy(this, x);
  }
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

  void set_default_index(const Index &index) {
    this->m_value.first = index;
  }
  const Index &get_index_reference() const {
    return this->m_value.first;
  }
  using base::calc_max;
  using base::calc_min;
  extreme_index_view &calc_min(const Index &index, const Type &x) {
    base::calc_min(pair(index, x));
    return *this;
  }
  extreme_index_view &calc_max(const Index &index, const Type &x) {
    base::calc_max(pair(index, x));
    return *this;
  }
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

  legacy_extreme() {}
  template <typename T1> explicit legacy_extreme(const T1 &x1) : base(x1) {}
  template <typename T1, typename T2> legacy_extreme(const T1 &x1, const T2 &x2) : base(x1, x2) {}
  template <typename T1, typename T2, typename T3>
  legacy_extreme(const T1 &x1, const T2 &x2, const T3 &x3) : base(x1, x2, x3) {}

  bool is_set() const {
    return this->view().is_set();
  }
  const key_type &get_reference() const {
    return this->view().get_reference();
  }
  Self &calc_min(const key_type &x) {
    this->view().calc_min(x);
    return **this;
  }
  Self &calc_max(const key_type &x) {
    this->view().calc_max(x);
    return **this;
  }
  rhs_proxy with(const typename Monoid::value_type &x) const {
    return this->view().with(x);
  }
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
  legacy_extreme_index() {}
  template <typename T1> explicit legacy_extreme_index(const T1 &x1) : base(x1) {}
  template <typename T1, typename T2> legacy_extreme_index(const T1 &x1, const T2 &x2) : base(x1, x2) {}
  template <typename T1, typename T2, typename T3>
  legacy_extreme_index(const T1 &x1, const T2 &x2, const T3 &x3) : base(x1, x2, x3) {}

  void set_value(const Index &index, const Type &value) {
    base::set_value(std::pair<Index, Type>(index, value));
  }
  const Type &get_value() const {
    return this->get_reference();
  }
  const Index &get_index() const {
    return get_index_reference();
  }
  const Index &get_index_reference() const {
    return this->view().get_index_reference();
  }
  Self &calc_min(const Index &index, const Type &x) {
    this->view().calc_min(index, x);
    return **this;
  }
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
