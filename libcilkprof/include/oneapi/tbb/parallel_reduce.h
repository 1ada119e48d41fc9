/* tbb::parallel_reduce and parallel_deterministic_reduce: oneTBB's own, but in a profile spawns of Cilk.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifndef __cilkprof__
#include_next <oneapi/tbb/parallel_reduce.h>
#elif !defined __TBB_parallel_reduce_H
#define __TBB_parallel_reduce_H

#include <oneapi/tbb/detail/_cilkprof.h>

namespace tbb {
namespace detail {
namespace cilkprof {

/* Applies BODY to the pieces of RANGE, at most PIECES: the right half has a body of its own, which is joined to that of
   the left one.  Once CONTEXT, which may be NULL, was cancelled nothing is applied or joined.  */
template <class Range, class Body>
void divide_reduce(Range &range, Body &body, unsigned pieces, d1::task_group_context *context) {
  if (pieces > 1 && range.is_divisible()) {
    Range right(range, split());
    Body right_body(body, split());
    _Cilk_spawn divide_reduce(range, body, pieces / 2, context);
    divide_reduce(right, right_body, pieces - pieces / 2, context);
    _Cilk_sync;
    if (!cancelled(context))
      body.join(right_body);
  } else if (!cancelled(context))
    body(range);
}

/* A body made of functions: a value, what adds a piece of the range to it, and what joins two values.  */
template <class Range, class Value, class Function, class Join> class reducing_body {
  const Value &identity;
  const Function &function;
  const Join &join_values;

public:
  Value value;

  /* Makes a body whose value is IDENTITY_.  FUNCTION_ adds a piece to a value, JOIN_ joins two values.  */
  reducing_body(const Value &identity_, const Function &function_, const Join &join_)
      : identity(identity_), function(function_), join_values(join_), value(identity_) {}

  /* Makes a body as OTHER, for the right half of a range: its value is the identity again.  */
  reducing_body(reducing_body &other, split)
      : identity(other.identity), function(other.function), join_values(other.join_values), value(other.identity) {}

  /* Adds the piece RANGE to the value.  */
  void operator()(Range &range) {
    value = function(range, const_cast<const Value &>(value));
  }

  /* Joins the value of RIGHT, which is of what follows, to the own one.  */
  void join(reducing_body &right) {
    value = join_values(const_cast<const Value &>(value), const_cast<const Value &>(right.value));
  }
};

/* Whether OPTIONS, the arguments of a reduction from its third on, are none or begin with a partitioner or a context,
   so that the second argument is a body.  */
template <class... Options> struct has_options : std::true_type {};
template <class First, class... Options>
struct has_options<First, Options...>
    : std::integral_constant<bool, std::is_same<First, d1::simple_partitioner>::value ||
                                       std::is_same<First, d1::auto_partitioner>::value ||
                                       std::is_same<First, d1::static_partitioner>::value ||
                                       std::is_same<First, d1::affinity_partitioner>::value ||
                                       std::is_same<First, d1::task_group_context>::value> {};

/* Applies BODY to RANGE, unless that is empty, in at most PIECES.  CONTEXT, which may be NULL, can cancel it.  */
template <class Range, class Body>
void reduce_body(const Range &range, Body &body, unsigned pieces, d1::task_group_context *context) {
  Range whole(range);
  if (!whole.empty())
    divide_reduce(whole, body, pieces, context);
}

/* Returns the values of FUNCTION for at most PIECES of RANGE, joined by JOIN; IDENTITY if RANGE is empty.  CONTEXT,
   which may be NULL, can cancel it.  */
template <class Range, class Value, class Function, class Join>
Value reduce_value(const Range &range, const Value &identity, const Function &function, const Join &join,
                   unsigned pieces, d1::task_group_context *context) {
  reducing_body<Range, Value, Function, Join> body(identity, function, join);
  reduce_body(range, body, pieces, context);
  return body.value;
}

} // namespace cilkprof
} // namespace detail

/* Applies BODY, which can be split and joined, to RANGE.  OPTIONS are a partitioner, a context by which the reduction
   can be cancelled, both in this order, or none.  Like the other functions here that programs call it is not inlined,
   so that it is in the profile by its own name.  */
template <class Range, class Body, class... Options>
__attribute__((__noinline__))
typename std::enable_if<detail::cilkprof::has_options<typename std::decay<Options>::type...>::value>::type
parallel_reduce(const Range &range, Body &body, Options &&...options) {
  detail::cilkprof::reduce_body(range, body, detail::cilkprof::pieces_of(options...),
                                detail::cilkprof::context_of(options...));
}

/* Returns the values of FUNCTION for the pieces of RANGE, joined by JOIN; IDENTITY if RANGE is empty.  A call of
   FUNCTION adds a piece to the value that it is given, at first IDENTITY.  OPTIONS are as above.  */
template <class Range, class Value, class Function, class Join, class... Options>
__attribute__((__noinline__))
typename std::enable_if<!detail::cilkprof::has_options<typename std::decay<Function>::type>::value, Value>::type
parallel_reduce(const Range &range, const Value &identity, const Function &function, const Join &join,
                Options &&...options) {
  return detail::cilkprof::reduce_value(range, identity, function, join, detail::cilkprof::pieces_of(options...),
                                        detail::cilkprof::context_of(options...));
}

/* Applies BODY, which can be split and joined, to RANGE, in pieces that depend on RANGE alone: as small as can be,
   unless a static_partitioner is among OPTIONS, which are as above.  */
template <class Range, class Body, class... Options>
__attribute__((__noinline__))
typename std::enable_if<detail::cilkprof::has_options<typename std::decay<Options>::type...>::value>::type
parallel_deterministic_reduce(const Range &range, Body &body, Options &&...options) {
  const detail::cilkprof::pieces pieces = detail::cilkprof::pieces_of(options..., simple_partitioner());
  detail::cilkprof::reduce_body(range, body,
                                pieces == detail::cilkprof::static_pieces ? pieces : detail::cilkprof::all_pieces,
                                detail::cilkprof::context_of(options...));
}

/* Returns the values of FUNCTION for the pieces of RANGE, joined by JOIN; IDENTITY if RANGE is empty.  The pieces
   depend on RANGE alone: they are as small as can be, unless a static_partitioner is among OPTIONS, which are as
   above.  */
template <class Range, class Value, class Function, class Join, class... Options>
__attribute__((__noinline__))
typename std::enable_if<!detail::cilkprof::has_options<typename std::decay<Function>::type>::value, Value>::type
parallel_deterministic_reduce(const Range &range, const Value &identity, const Function &function, const Join &join,
                              Options &&...options) {
  const detail::cilkprof::pieces pieces = detail::cilkprof::pieces_of(options..., simple_partitioner());
  return detail::cilkprof::reduce_value(range, identity, function, join,
                                        pieces == detail::cilkprof::static_pieces ? pieces
                                                                                  : detail::cilkprof::all_pieces,
                                        detail::cilkprof::context_of(options...));
}

namespace detail {
namespace d1 {
using tbb::parallel_deterministic_reduce;
using tbb::parallel_reduce;
} // namespace d1
} // namespace detail
} // namespace tbb

#endif
