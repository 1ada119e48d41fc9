/* Reducers that append to a vector.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_VECTOR_H
#define CILK_REDUCER_VECTOR_H

#pragma GCC system_header
#include <cilk/reducer_sequence.h>
#include <list>
#include <vector>

namespace cilk {

template <typename Type, typename Alloc>
class op_vector_view : public internal::sequence_view<std::vector<Type, Alloc> > {
  typedef std::vector<Type, Alloc> vector;
  typedef internal::sequence_view<vector> base;

public:
  /* The view is constructed as a vector is.  */
  __CILK_SEQUENCE_CONSTRUCTORS(op_vector_view, base)

  void reduce(op_vector_view *right) {
    insert_back(right->m_value.begin(), right->m_value.end());
  }

  /* Appends ELEMENT.  */
  void push_back(const Type &element) {
    this->m_value.push_back(element);
  }

  /* Appends ELEMENT.  */
  void insert_back(const Type &element) {
    push_back(element);
  }

  /* Appends ELEMENT N times.  */
  void insert_back(typename vector::size_type n, const Type &element) {
    this->m_value.insert(this->m_value.end(), n, element);
  }

  /* Appends copies of the elements from FIRST up to LAST.  */
  template <typename Iterator> void insert_back(Iterator first, Iterator last) {
    this->m_value.insert(this->m_value.end(), first, last);
  }
};

template <typename Type, typename Alloc = std::allocator<Type> >
struct op_vector : internal::sequence_monoid<op_vector_view<Type, Alloc>, false> {
  /* Makes the monoid, whose later views have the allocator OTHER.  */
  op_vector(const Alloc &other = Alloc()) : internal::sequence_monoid<op_vector_view<Type, Alloc>, false>(other) {}
};

} // namespace cilk

#endif
