/* tbb::parallel_invoke: oneTBB's own, but in a profile spawns of Cilk.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifndef __cilkprof__
#include_next <oneapi/tbb/parallel_invoke.h>
#elif !defined __TBB_parallel_invoke_H
#define __TBB_parallel_invoke_H

#include <oneapi/tbb/detail/_cilkprof.h>

namespace tbb {
namespace detail {
namespace cilkprof {

/* Calls FUNCTION and OTHERS, at the same time.  A context may be behind them, and does nothing here.  This covers the
   three overloads: nothing is left, a context is, and a function is.  */
inline void invoke_all() {}
inline void invoke_all(d1::task_group_context &) {}
template <class Function, class... Others>
typename std::enable_if<!std::is_same<typename std::decay<Function>::type, d1::task_group_context>::value>::type
invoke_all(const Function &function, Others &&...others) {
  _Cilk_spawn function();
  invoke_all(others...);
}

} // namespace cilkprof
} // namespace detail

/* Calls FUNCTIONS, at the same time.  The last of them may be a context instead, which has no effect.  It is not
   inlined, so that it is in the profile by its own name.  */
template <class... Functions> __attribute__((__noinline__)) void parallel_invoke(Functions &&...functions) {
  detail::cilkprof::invoke_all(functions...);
}

namespace detail {
namespace d1 {
using tbb::parallel_invoke;
}
} // namespace detail
} // namespace tbb

#endif
