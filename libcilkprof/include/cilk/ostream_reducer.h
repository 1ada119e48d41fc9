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
template <typename Char, typename Traits = std::char_traits<Char> > using ostream_reducer = ostream_view<Char, Traits>;

} // namespace cilk
#endif

#endif
