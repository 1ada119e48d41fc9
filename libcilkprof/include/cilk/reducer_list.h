/* Reducers that append to a list, or prepend.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_LIST_H
#define CILK_REDUCER_LIST_H

#pragma GCC system_header
#include <cilk/reducer_sequence.h>
#include <list>

namespace cilk {

template <typename Type, typename Allocator = std::allocator<Type> >
class op_list_append_view : public internal::sequence_view<std::list<Type, Allocator> > {
  typedef std::list<Type, Allocator> list;
  typedef internal::sequence_view<list> base;
  typedef typename list::iterator iterator;

  iterator place() {
    return this->m_value.end();
  }

public:
  __CILK_SEQUENCE_CONSTRUCTORS(op_list_append_view, base)

  void reduce(op_list_append_view *right) {
    splice_back(right->m_value);
  }
  void push_back(const Type &element) {
    this->m_value.push_back(element);
  }
  void insert_back(typename list::size_type n, const Type &element) {
    this->m_value.insert(place(), n, element);
  }
  template <typename Iterator> void insert_back(Iterator first, Iterator last) {
    this->m_value.insert(place(), first, last);
  }
  void splice_back(list &other) {
    splice_back(other, other.begin(), other.end());
  }
  void splice_back(list &other, iterator element) {
    iterator next = element;
    splice_back(other, element, ++next);
  }
  void splice_back(list &other, iterator first, iterator last) {
    if (other.get_allocator() == this->m_value.get_allocator())
      this->m_value.splice(place(), other, first, last);
    else {
      insert_back(first, last);
      other.erase(first, last);
    }
  }
};

template <typename Type, typename Allocator = std::allocator<Type>, bool Align = false>
struct op_list_append : internal::sequence_monoid<op_list_append_view<Type, Allocator>, Align> {
  op_list_append() {}
  op_list_append(const Allocator &other)
      : internal::sequence_monoid<op_list_append_view<Type, Allocator>, Align>(other) {}
};

template <typename Type, typename Allocator = std::allocator<Type> >
class reducer_list_append
    : public internal::legacy_sequence<reducer_list_append<Type, Allocator>, Type,
                                       op_list_append<Type, Allocator, true>, op_list_append<Type, Allocator, false> > {
  typedef internal::legacy_sequence<reducer_list_append, Type, op_list_append<Type, Allocator, true>,
                                    op_list_append<Type, Allocator, false> >
      base;

public:
  typedef std::list<Type, Allocator> list_type;
  typedef Type list_value_type;
  typedef op_list_append<Type, Allocator, true> Monoid;
  reducer_list_append() {}
  reducer_list_append(const list_type &initial) : base(initial) {}
  void push_back(const Type &element) {
    this->view().push_back(element);
  }
};

template <typename Type, typename Allocator, bool Align>
struct legacy_reducer_downcast<reducer<op_list_append<Type, Allocator, Align> > > {
  typedef reducer_list_append<Type, Allocator> type;
};

template <typename Type, typename Allocator = std::allocator<Type> >
class op_list_prepend_view : public internal::sequence_view<std::list<Type, Allocator> > {
  typedef std::list<Type, Allocator> list;
  typedef internal::sequence_view<list> base;
  typedef typename list::iterator iterator;

  iterator place() {
    return this->m_value.begin();
  }

public:
  __CILK_SEQUENCE_CONSTRUCTORS(op_list_prepend_view, base)

  void reduce(op_list_prepend_view *right) {
    splice_front(right->m_value);
  }
  void push_front(const Type &element) {
    this->m_value.push_front(element);
  }
  void insert_front(typename list::size_type n, const Type &element) {
    this->m_value.insert(place(), n, element);
  }
  template <typename Iterator> void insert_front(Iterator first, Iterator last) {
    this->m_value.insert(place(), first, last);
  }
  void splice_front(list &other) {
    splice_front(other, other.begin(), other.end());
  }
  void splice_front(list &other, iterator element) {
    iterator next = element;
    splice_front(other, element, ++next);
  }
  void splice_front(list &other, iterator first, iterator last) {
    if (other.get_allocator() == this->m_value.get_allocator())
      this->m_value.splice(place(), other, first, last);
    else {
      insert_front(first, last);
      other.erase(first, last);
    }
  }
};

template <typename Type, typename Allocator = std::allocator<Type>, bool Align = false>
struct op_list_prepend : internal::sequence_monoid<op_list_prepend_view<Type, Allocator>, Align> {
  op_list_prepend() {}
  op_list_prepend(const Allocator &other)
      : internal::sequence_monoid<op_list_prepend_view<Type, Allocator>, Align>(other) {}
};

template <typename Type, typename Allocator = std::allocator<Type> >
class reducer_list_prepend : public internal::legacy_sequence<reducer_list_prepend<Type, Allocator>, Type,
                                                              op_list_prepend<Type, Allocator, true>,
                                                              op_list_prepend<Type, Allocator, false> > {
  typedef internal::legacy_sequence<reducer_list_prepend, Type, op_list_prepend<Type, Allocator, true>,
                                    op_list_prepend<Type, Allocator, false> >
      base;

public:
  typedef std::list<Type, Allocator> list_type;
  typedef Type list_value_type;
  typedef op_list_prepend<Type, Allocator, true> Monoid;
  reducer_list_prepend() {}
  reducer_list_prepend(const list_type &initial) : base(initial) {}
  void push_front(const Type &element) {
    this->view().push_front(element);
  }
};

template <typename Type, typename Allocator, bool Align>
struct legacy_reducer_downcast<reducer<op_list_prepend<Type, Allocator, Align> > > {
  typedef reducer_list_prepend<Type, Allocator> type;
};

} // namespace cilk

#endif
