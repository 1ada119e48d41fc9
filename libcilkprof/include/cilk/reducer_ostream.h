/* Reducers that write to a stream in the order of the serial program.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_OSTREAM_H
#define CILK_REDUCER_OSTREAM_H

#pragma GCC system_header
#include <cilk/reducer_arithmetic.h>
#include <ostream>
#include <sstream>

namespace cilk {

/* A stream of its own with the buffer of another.  Views that are not the leftmost keep what is written to them.  */
template <typename Char, typename Traits> class op_basic_ostream_view : public std::basic_ostream<Char, Traits> {
  typedef std::basic_ostream<Char, Traits> stream;
  std::basic_stringbuf<Char, Traits> m_kept;

public:
  typedef stream value_type;

  /* Makes a later view, which keeps what is written to it.  */
  op_basic_ostream_view() : stream(0) {
    this->init(&m_kept);
  }

  /* Makes the leftmost view, which writes to the buffer of OTHER, with its flags and state.  */
  op_basic_ostream_view(const stream &other) : stream(other.rdbuf()) {
    this->flags(other.flags());
    this->setstate(other.rdstate());
  }

  /* Writes what RIGHT has kept to this view, and takes over its errors.  */
  void reduce(op_basic_ostream_view *right) {
    std::basic_string<Char, Traits> text = right->m_kept.str();
    this->write(text.data(), static_cast<std::streamsize>(text.size()));
    this->setstate(right->rdstate());
  }
};

template <typename Char, typename Traits = std::char_traits<Char>, bool Align = false>
struct op_basic_ostream : monoid_with_view<op_basic_ostream_view<Char, Traits>, Align> {};
typedef op_basic_ostream<char> op_ostream;
typedef op_basic_ostream<wchar_t> op_wostream;

class reducer_ostream;
template <bool Align> struct legacy_reducer_downcast<reducer<op_basic_ostream<char, std::char_traits<char>, Align> > > {
  typedef reducer_ostream type;
};

class reducer_ostream
    : public internal::legacy_reducer<reducer_ostream, op_basic_ostream<char, std::char_traits<char>, true>,
                                      op_ostream> {
  typedef internal::legacy_reducer<reducer_ostream, op_basic_ostream<char, std::char_traits<char>, true>, op_ostream>
      base;

public:
  typedef op_basic_ostream<char, std::char_traits<char>, true> Monoid;

  /* Makes a reducer whose leftmost view writes to STREAM.  */
  explicit reducer_ostream(const std::ostream &stream) : base(stream) {}

  /* Returns the calling strand's view.  */
  std::ostream &get_reference() {
    return view();
  }

  /* Writes X to the calling strand's view, which it returns.  */
  template <typename T> std::ostream &operator<<(const T &x) {
    return view() << x;
  }

  /* Applies MANIPULATOR, such as std::endl, to the calling strand's view.  */
  reducer_ostream &operator<<(std::ostream &(*manipulator)(std::ostream &)) {
    manipulator(view());
    return *this;
  }
};

} // namespace cilk

#endif
