/* Reducers that append to a string.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_STRING_H
#define CILK_REDUCER_STRING_H

#pragma GCC system_header
#include <cilk/reducer_sequence.h>
#include <list>
#include <string>

namespace cilk {

template <typename Char, typename Traits, typename Alloc>
class op_basic_string_view : public internal::sequence_view<std::basic_string<Char, Traits, Alloc> > {
  typedef internal::sequence_view<std::basic_string<Char, Traits, Alloc> > base;

public:
  /* The view is constructed as a string is.  */
  __CILK_SEQUENCE_CONSTRUCTORS(op_basic_string_view, base)

  void reduce(op_basic_string_view *right) {
    this->m_value += right->m_value;
  }

  /* Appends X, a character or a string.  */
  template <typename T> op_basic_string_view &operator+=(const T &x) {
    this->m_value += x;
    return *this;
  }

  /* Appends what std::string's append takes: the three overloads are for one, two and three arguments.  */
  template <typename T1> op_basic_string_view &append(const T1 &x1) {
    this->m_value.append(x1);
    return *this;
  }
  template <typename T1, typename T2> op_basic_string_view &append(const T1 &x1, const T2 &x2) {
    this->m_value.append(x1, x2);
    return *this;
  }
  template <typename T1, typename T2, typename T3>
  op_basic_string_view &append(const T1 &x1, const T2 &x2, const T3 &x3) {
    this->m_value.append(x1, x2, x3);
    return *this;
  }

  /* Appends the character X.  */
  void push_back(Char x) {
    this->m_value.push_back(x);
  }
};

template <typename Char, typename Traits = std::char_traits<Char>, typename Alloc = std::allocator<Char>,
          bool Align = false>
struct op_basic_string : internal::sequence_monoid<op_basic_string_view<Char, Traits, Alloc>, Align> {
  /* Makes the monoid, whose later views have the allocator OTHER.  */
  op_basic_string(const Alloc &other = Alloc())
      : internal::sequence_monoid<op_basic_string_view<Char, Traits, Alloc>, Align>(other) {}
};
typedef op_basic_string<char> op_string;
typedef op_basic_string<wchar_t> op_wstring;

template <typename Char, typename Traits = std::char_traits<Char>, typename Alloc = std::allocator<Char> >
class reducer_basic_string : public internal::legacy_sequence<reducer_basic_string<Char, Traits, Alloc>, Char,
                                                              op_basic_string<Char, Traits, Alloc, true>,
                                                              op_basic_string<Char, Traits, Alloc, false> > {
  typedef internal::legacy_sequence<reducer_basic_string, Char, op_basic_string<Char, Traits, Alloc, true>,
                                    op_basic_string<Char, Traits, Alloc, false> >
      base;

public:
  typedef std::basic_string<Char, Traits, Alloc> string_type;
  typedef typename string_type::size_type size_type;
  typedef op_basic_string<Char, Traits, Alloc, true> Monoid;

  /* The reducer is constructed as a string is.  */
  __CILK_SEQUENCE_CONSTRUCTORS(reducer_basic_string, base)

  /* Appends TEXT, its first COUNT characters, COUNT of them from OFFSET on, or COUNT times X.  This covers the five
     overloads.  */
  void append(const Char *text) {
    this->view().append(text);
  }
  void append(const Char *text, size_type count) {
    this->view().append(text, count);
  }
  void append(const string_type &text, size_type offset, size_type count) {
    this->view().append(text, offset, count);
  }
  void append(const string_type &text) {
    this->view().append(text);
  }
  void append(size_type count, Char x) {
    this->view().append(count, x);
  }

  /* Appends the character X.  */
  void push_back(Char x) {
    this->view().push_back(x);
  }

  /* Appends a character or a string.  This covers the three overloads.  */
  reducer_basic_string &operator+=(Char x) {
    this->view() += x;
    return *this;
  }
  reducer_basic_string &operator+=(const Char *text) {
    this->view() += text;
    return *this;
  }
  reducer_basic_string &operator+=(const string_type &text) {
    this->view() += text;
    return *this;
  }
};
typedef reducer_basic_string<char> reducer_string;
typedef reducer_basic_string<wchar_t> reducer_wstring;

template <typename Char, typename Traits, typename Alloc, bool Align>
struct legacy_reducer_downcast<reducer<op_basic_string<Char, Traits, Alloc, Align> > > {
  typedef reducer_basic_string<Char, Traits, Alloc> type;
};

} // namespace cilk

#endif
