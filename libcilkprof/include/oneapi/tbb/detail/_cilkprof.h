/* What the stand-ins of oneTBB's algorithms share, which profiled programs have in place of the library's own.
   SPDX-License-Identifier: MIT

   The algorithms run serially here, written with Cilk's spawns and loops, so that they are measured.  Their functions
   are in namespace tbb, so that the report has the names that programs use; those of the library's own headers that
   call others find them in its inner namespace too.  All types are the library's.  */

#ifndef __TBB_cilkprof_H
#define __TBB_cilkprof_H

#pragma GCC system_header

/* The library's class is not used: it would make threads.  */
#define task_group __cilkprof_library_task_group
#include_next <oneapi/tbb/task_group.h>
#include_next <oneapi/tbb/blocked_range.h>
#include_next <oneapi/tbb/partitioner.h>
#undef task_group

#include <exception>
#include <type_traits>

namespace tbb {
inline namespace v1 {
using detail::proportional_split;
using detail::split;
} // namespace v1
namespace detail {
namespace cilkprof {

/* In how many pieces a range is divided.  A simple_partitioner divides it as far as it can be; the others look for idle
   threads, which there are not: they divide it as for 32 threads, a static one into a piece for each.  */
enum pieces { static_pieces = 32, automatic_pieces = 256, all_pieces = 1 << 30 };

/* Returns in how many pieces the partitioner among the options of an algorithm divides a range.  A partitioner is the
   first of them.  This covers the four overloads: without options, with a simple partitioner, with a static one, and
   with another one or none.  */
inline pieces pieces_of() {
  return automatic_pieces;
}
template <class... Options> pieces pieces_of(const d1::simple_partitioner &, Options &&...) {
  return all_pieces;
}
template <class... Options> pieces pieces_of(const d1::static_partitioner &, Options &&...) {
  return static_pieces;
}
template <class Other, class... Options> pieces pieces_of(const Other &, Options &&...) {
  return automatic_pieces;
}

/* Returns the context among the options of an algorithm, by which it can be cancelled; NULL if there is none.  This
   covers the three overloads: no option is left, the first is a context, and the first is something else.  */
inline d1::task_group_context *context_of() {
  return nullptr;
}
template <class... Options> d1::task_group_context *context_of(d1::task_group_context &context, Options &&...) {
  return &context;
}
template <class Other, class... Options> d1::task_group_context *context_of(const Other &, Options &&...options) {
  return context_of(options...);
}

/* Returns whether CONTEXT, which may be NULL, was cancelled.  */
inline bool cancelled(d1::task_group_context *context) {
  return context && context->is_group_execution_cancelled();
}

} // namespace cilkprof
} // namespace detail
} // namespace tbb

#endif
