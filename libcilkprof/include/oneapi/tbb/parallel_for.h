/* tbb::parallel_for: oneTBB's own, but in a profile loops and spawns of Cilk.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifndef __cilkprof__
#include_next <oneapi/tbb/parallel_for.h>
#elif !defined __TBB_parallel_for_H
#define __TBB_parallel_for_H

#include <oneapi/tbb/detail/_cilkprof.h>

namespace tbb {
namespace detail {
namespace cilkprof {

/* Calls BODY for the pieces of RANGE, at most PIECES, at the same time.  No more are begun when CONTEXT, which may be
   NULL, was cancelled.  */
template <class Range, class Body>
void divide_for(Range &range, const Body &body, unsigned pieces, d1::task_group_context *context) {
  if (pieces > 1 && range.is_divisible()) {
    Range right(range, split());
    _Cilk_spawn divide_for(range, body, pieces / 2, context);
    divide_for(right, body, pieces - pieces / 2, context);
  } else if (!cancelled(context))
    body(range);
}

} // namespace cilkprof
} // namespace detail

/* Calls BODY for the pieces of RANGE, unless it is empty.  OPTIONS are a partitioner, a context by which the loop can
   be cancelled, both in this order, or none.  Like the other functions here that programs call it is not inlined, so
   that it is in the profile by its own name.  */
template <class Range, class Body, class... Options>
__attribute__((__noinline__)) typename std::enable_if<!std::is_integral<Range>::value>::type
parallel_for(const Range &range, const Body &body, Options &&...options) {
  Range whole(range);
  if (!whole.empty())
    detail::cilkprof::divide_for(whole, body, detail::cilkprof::pieces_of(options...),
                                 detail::cilkprof::context_of(options...));
}

/* Calls FUNCTION for the numbers from FIRST to before LAST, as a loop of Cilk.  OPTIONS are as above; a partitioner has
   no effect.  */
template <class Index, class Function, class... Options>
__attribute__((__noinline__))
typename std::enable_if<std::is_integral<Index>::value && !std::is_integral<Function>::value>::type
parallel_for(Index first, Index last, const Function &function, Options &&...options) {
  detail::d1::task_group_context *context = detail::cilkprof::context_of(options...);
  if (!context)
    _Cilk_for(Index i = first; i < last; ++i) function(i);
  else
    _Cilk_for(Index i = first; i < last; ++i) if (!detail::cilkprof::cancelled(context)) function(i);
}

/* Calls FUNCTION for the numbers FIRST, FIRST + STEP and so on, to before LAST, as a loop of Cilk.  Throws what the
   library does if STEP is not positive.  OPTIONS are as above; a partitioner has no effect.  */
template <class Index, class Function, class... Options>
__attribute__((__noinline__)) typename std::enable_if<std::is_integral<Index>::value>::type
parallel_for(Index first, Index last, Index step, const Function &function, Options &&...options) {
  if (!(step > 0))
    detail::throw_exception(detail::exception_id::nonpositive_step);
  detail::d1::task_group_context *context = detail::cilkprof::context_of(options...);
  _Cilk_for(Index i = first; i < last; i += step) if (!detail::cilkprof::cancelled(context)) function(i);
}

namespace detail {
namespace d1 {
using tbb::parallel_for;
}
} // namespace detail
} // namespace tbb

#endif
