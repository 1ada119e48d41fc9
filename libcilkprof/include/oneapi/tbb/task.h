/* tbb::task: oneTBB's own, but in a profile a task cannot be suspended: another thread would go on with it.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifndef __cilkprof__
#include_next <oneapi/tbb/task.h>
#elif !defined __TBB_task_H
#define __TBB_task_H

#include <oneapi/tbb/detail/_cilkprof.h>

namespace tbb {
inline namespace v1 {
namespace task {
using detail::d1::current_context;
#if __TBB_RESUMABLE_TASKS
using detail::d1::resume;
using detail::d1::suspend_point;

/* Is refused by the compiler.  */
template <class Function> void suspend(Function) {
  static_assert(sizeof(Function) == 0, "-fcilkprof does not follow the resumable tasks of task::suspend");
}
#endif
} // namespace task
} // namespace v1
} // namespace tbb

#endif
