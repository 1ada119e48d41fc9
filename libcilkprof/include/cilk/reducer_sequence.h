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

  /* Makes an empty view.  */
  sequence_view() {}

  /* Makes a view with the contents of OTHER, which is then empty.  */
  explicit sequence_view(move_in_wrapper<Container> other) : m_value(other.value().get_allocator()) {
    m_value.swap(other.value());
  }

  /* Makes a view as the container is constructed from the same arguments.  This covers the overloads for one to four
     arguments.  */
  template <typename T1> sequence_view(const T1 &x1) : m_value(x1) {}
  template <typename T1, typename T2> sequence_view(const T1 &x1, const T2 &x2) : m_value(x1, x2) {}
  template <typename T1, typename T2, typename T3>
  sequence_view(const T1 &x1, const T2 &x2, const T3 &x3) : m_value(x1, x2, x3) {}
  template <typename T1, typename T2, typename T3, typename T4>
  sequence_view(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4) : m_value(x1, x2, x3, x4) {}

  /* Returns the container's allocator.  */
  typename Container::allocator_type get_allocator() const {
    return m_value.get_allocator();
  }

  /* Moves the contents of FROM to TO, and leaves FROM empty.  Containers of different allocators cannot be swapped, so
     their elements are copied.  */
  static void move(Container &from, Container &to) {
    if (from.get_allocator() == to.get_allocator())
      to.swap(from);
    else
      to = from;
    from.clear();
  }

  /* Replaces the view's contents by those of OTHER, which is then empty.  */
  void view_move_in(Container &other) {
    move(other, m_value);
  }

  /* Replaces the contents of OTHER by those of the view, which is then empty.  */
  void view_move_out(Container &other) {
    move(m_value, other);
  }

  /* Replaces the view's contents by a copy of OTHER.  */
  void view_set_value(const Container &other) {
    m_value = other;
  }

  /* Returns the container.  */
  const Container &view_get_value() const {
    return m_value;
  }

  /* Returns a reference to the container; const if the view is.  This covers both overloads.  */
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
  /* Makes the monoid, whose later views have the allocator OTHER.  */
  sequence_monoid(const allocator &other = allocator()) : m_allocator(other) {}

  /* Constructs an empty view at VIEW, with the monoid's allocator.  */
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

  /* Constructs the reducer with the arguments of its container.  This covers the five constructors.  */
  legacy_sequence() {}
  template <typename T1> legacy_sequence(const T1 &x1) : base(x1) {}
  template <typename T1, typename T2> legacy_sequence(const T1 &x1, const T2 &x2) : base(x1, x2) {}
  template <typename T1, typename T2, typename T3>
  legacy_sequence(const T1 &x1, const T2 &x2, const T3 &x3) : base(x1, x2, x3) {}
  template <typename T1, typename T2, typename T3, typename T4>
  legacy_sequence(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4) : base(x1, x2, x3, x4) {}

  /* Returns the container of the calling strand's view; const if the reducer is.  This covers both overloads.  */
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
