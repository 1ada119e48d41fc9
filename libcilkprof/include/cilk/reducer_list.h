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

  /* Returns where elements are added: at the end.  */
  iterator place() {
    return this->m_value.end();
  }

public:
  /* The view is constructed as a list is.  */
  __CILK_SEQUENCE_CONSTRUCTORS(op_list_append_view, base)

  void reduce(op_list_append_view *right) {
    splice_back(right->m_value);
  }

  /* Appends ELEMENT.  */
  void push_back(const Type &element) {
    this->m_value.push_back(element);
  }

  /* Appends ELEMENT N times.  */
  void insert_back(typename list::size_type n, const Type &element) {
    this->m_value.insert(place(), n, element);
  }

  /* Appends copies of the elements from FIRST up to LAST.  */
  template <typename Iterator> void insert_back(Iterator first, Iterator last) {
    this->m_value.insert(place(), first, last);
  }

  /* Moves to the end of the list: all elements of OTHER, ELEMENT of OTHER, or those from FIRST up to LAST.  This covers
     the three overloads.  Lists of different allocators cannot be spliced, so their elements are copied and erased.  */
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
  /* Makes the monoid, whose later views have a default allocator or OTHER.  This covers both constructors.  */
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

  /* Makes a reducer with an empty list, or with a copy of INITIAL.  This covers both constructors.  */
  reducer_list_append() {}
  reducer_list_append(const list_type &initial) : base(initial) {}

  /* Appends ELEMENT.  */
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

  /* Returns where elements are added: at the beginning.  */
  iterator place() {
    return this->m_value.begin();
  }

public:
  /* The view is constructed as a list is.  */
  __CILK_SEQUENCE_CONSTRUCTORS(op_list_prepend_view, base)

  void reduce(op_list_prepend_view *right) {
    splice_front(right->m_value);
  }

  /* Prepends ELEMENT.  */
  void push_front(const Type &element) {
    this->m_value.push_front(element);
  }

  /* Prepends ELEMENT N times.  */
  void insert_front(typename list::size_type n, const Type &element) {
    this->m_value.insert(place(), n, element);
  }

  /* Prepends copies of the elements from FIRST up to LAST, in that order.  */
  template <typename Iterator> void insert_front(Iterator first, Iterator last) {
    this->m_value.insert(place(), first, last);
  }

  /* Moves to the beginning of the list: all elements of OTHER, ELEMENT of OTHER, or those from FIRST up to LAST.  This
     covers the three overloads.  Lists of different allocators cannot be spliced, so their elements are copied and
     erased.  */
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
  /* Makes the monoid, whose later views have a default allocator or OTHER.  This covers both constructors.  */
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

  /* Makes a reducer with an empty list, or with a copy of INITIAL.  This covers both constructors.  */
  reducer_list_prepend() {}
  reducer_list_prepend(const list_type &initial) : base(initial) {}

  /* Prepends ELEMENT.  */
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
