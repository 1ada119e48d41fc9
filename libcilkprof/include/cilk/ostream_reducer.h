/* OpenCilk's reducer that writes to a stream: a stream with the buffer of another.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_OSTREAM_REDUCER_H
#define CILK_OSTREAM_REDUCER_H

#pragma GCC system_header
#ifdef __cplusplus
#include <cilk/reducer_ostream.h>

namespace cilk {

template <typename Char, typename Traits = std::char_traits<Char> >
using ostream_view = op_basic_ostream_view<Char, Traits>;
#ifdef __cilkprof_parallel__
/* An alias cannot have the attribute, but a member can.  */
template <typename Char, typename Traits> struct __ostream_reducer {
  typedef ostream_view<Char, Traits> view_type;

  /* Constructs a view that keeps what is written to it.  */
  static void identity(void *view) {
    ::new (view) view_type();
  }

  /* Writes what RIGHT has kept to LEFT, and destroys RIGHT.  */
  static void reduce(void *left, void *right) {
    static_cast<view_type *>(left)->reduce(static_cast<view_type *>(right));
    static_cast<view_type *>(right)->~view_type();
  }
  typedef view_type type __attribute__((__cilkprof_reducer__(__ostream_reducer::identity, __ostream_reducer::reduce)));
};
template <typename Char, typename Traits = std::char_traits<Char> >
using ostream_reducer = typename __ostream_reducer<Char, Traits>::type;
#else
template <typename Char, typename Traits = std::char_traits<Char> > using ostream_reducer = ostream_view<Char, Traits>;
#endif

} // namespace cilk
#endif

#endif
