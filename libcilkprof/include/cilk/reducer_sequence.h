/* What the reducers that make a list, a vector or a string share.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_SEQUENCE_H
#define CILK_REDUCER_SEQUENCE_H

#pragma GCC system_header
#include <cilk/reducer_arithmetic.h>

namespace cilk {
namespace internal {

/* A view of a standard container.  It is constructed as the container is, or takes the contents of one that is moved
 * in.  */
template <typename Container> class sequence_view {
protected:
  Container m_value;

public:
  typedef Container value_type;
  typedef const Container &return_type_for_get_value;

  sequence_view() {}
  explicit sequence_view(move_in_wrapper<Container> other) : m_value(other.value().get_allocator()) {
    m_value.swap(other.value());
  }
  template <typename T1> sequence_view(const T1 &x1) : m_value(x1) {}
  template <typename T1, typename T2> sequence_view(const T1 &x1, const T2 &x2) : m_value(x1, x2) {}
  template <typename T1, typename T2, typename T3>
  sequence_view(const T1 &x1, const T2 &x2, const T3 &x3) : m_value(x1, x2, x3) {}
  template <typename T1, typename T2, typename T3, typename T4>
  sequence_view(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4) : m_value(x1, x2, x3, x4) {}

  typename Container::allocator_type get_allocator() const {
    return m_value.get_allocator();
  }

  /* Containers of different allocators cannot be swapped.  */
  static void move(Container &from, Container &to) {
    if (from.get_allocator() == to.get_allocator())
      to.swap(from);
    else
      to = from;
    from.clear();
  }
  void view_move_in(Container &other) {
    move(other, m_value);
  }
  void view_move_out(Container &other) {
    move(m_value, other);
  }
  void view_set_value(const Container &other) {
    m_value = other;
  }
  const Container &view_get_value() const {
    return m_value;
  }
  Container &view_get_reference() {
    return m_value;
  }
  const Container &view_get_reference() const {
    return m_value;
  }
};

/* The monoid may be given the allocator of later views.  */
template <typename View, bool Align> class sequence_monoid : public monoid_with_view<View, Align> {
  typedef typename View::value_type::allocator_type allocator;
  allocator m_allocator;

public:
  sequence_monoid(const allocator &other = allocator()) : m_allocator(other) {}
  void identity(View *view) const {
    ::new (static_cast<void *>(view)) View(m_allocator);
  }
};

/* An older reducer of a sequence.  */
template <typename Self, typename Element, typename Monoid, typename Unaligned>
class legacy_sequence : public legacy_reducer<Self, Monoid, Unaligned> {
  typedef legacy_reducer<Self, Monoid, Unaligned> base;
  typedef typename Monoid::value_type container;

public:
  typedef Element basic_value_type;

  legacy_sequence() {}
  template <typename T1> legacy_sequence(const T1 &x1) : base(x1) {}
  template <typename T1, typename T2> legacy_sequence(const T1 &x1, const T2 &x2) : base(x1, x2) {}
  template <typename T1, typename T2, typename T3>
  legacy_sequence(const T1 &x1, const T2 &x2, const T3 &x3) : base(x1, x2, x3) {}
  template <typename T1, typename T2, typename T3, typename T4>
  legacy_sequence(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4) : base(x1, x2, x3, x4) {}
  container &get_reference() {
    return this->view().view_get_reference();
  }
  const container &get_reference() const {
    return this->view().view_get_reference();
  }
};

} // namespace internal
} // namespace cilk

/* The constructors of a class NAME that hands them on to its BASE.  */
#define __CILK_SEQUENCE_CONSTRUCTORS(name, base)                                                                       \
  name() {}                                                                                                            \
  template <typename T1> name(const T1 &x1) : base(x1) {}                                                              \
  template <typename T1, typename T2> name(const T1 &x1, const T2 &x2) : base(x1, x2) {}                               \
  template <typename T1, typename T2, typename T3>                                                                     \
  name(const T1 &x1, const T2 &x2, const T3 &x3) : base(x1, x2, x3) {}                                                 \
  template <typename T1, typename T2, typename T3, typename T4>                                                        \
  name(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4) : base(x1, x2, x3, x4) {}

#endif
