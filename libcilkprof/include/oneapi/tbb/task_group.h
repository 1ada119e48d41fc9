/* tbb::task_group: oneTBB's own, but in a profile its tasks are run, and measured, where they are made.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifndef __cilkprof__
#include_next <oneapi/tbb/task_group.h>
#elif !defined __TBB_cilkprof_task_group_H
#define __TBB_cilkprof_task_group_H

#include <oneapi/tbb/detail/_cilkprof.h>

/* Markers, which the compiler's plugin replaces by events.  By __cilkprof_mark_task a task begins: its name in the
   report, whether it is deferred, flags, and its dependences as libgomp has them, or NULL.  By
   __cilkprof_mark_block_end it ends.  By __cilkprof_mark_taskwait a task waits for its children, and with 1 for theirs
   too.  */
extern "C" {
void __cilkprof_mark_task(const char *, unsigned long, unsigned long, const void *);
void __cilkprof_mark_block_end(void);
void __cilkprof_mark_taskwait(unsigned long);
}

namespace tbb {
namespace detail {
namespace cilkprof {

/* A flag of a task for which there need be no parallel region of OpenMP (abi/state.h).  */
enum : unsigned long { library_task = 0x80000000ul };

/* Returns the counter of the tasks around what this thread runs now.  */
inline unsigned &task_depth() {
  static thread_local unsigned depth;
  return depth;
}

/* What a group of tasks has in common: how many tasks are around what made it, whether further tasks are not to be run,
   whether a task of it was made by another task, and the first exception.  */
struct group_state {
  const unsigned depth = task_depth();
  bool cancelled = false, deep = false;
  std::exception_ptr thrown;

  /* Calls FUNCTION, unless the group is cancelled.  Its exception is kept, and cancels the group.  */
  template <class Function> __attribute__((__always_inline__)) void call(Function &function) noexcept {
    if (cancelled)
      return;
    ++task_depth();
    try {
      function();
    } catch (...) {
      cancelled = true;
      if (!thrown)
        thrown = std::current_exception();
    }
    --task_depth();
  }

  /* Runs FUNCTION as a task, which in the measured program goes on when this returns.  A task that is made inside of
     another one is not a child of what waits for the group, which then has to wait for grandchildren too.  */
  template <class Function> __attribute__((__noinline__)) void run(Function &function) {
    deep |= task_depth() != depth;
    __cilkprof_mark_task("tbb task", 1, library_task, nullptr);
    call(function);
    __cilkprof_mark_block_end();
  }

  /* Waits for the tasks, and throws the exception that one has thrown.  Returns whether they were cancelled.  */
  __attribute__((__noinline__)) bool wait() {
    if (deep)
      __cilkprof_mark_taskwait(1);
    else
      __cilkprof_mark_taskwait(0);
    const bool was_cancelled = cancelled;
    const std::exception_ptr first = thrown;
    cancelled = deep = false;
    thrown = nullptr;
    if (first)
      std::rethrow_exception(first);
    return was_cancelled;
  }
};

} // namespace cilkprof
} // namespace detail

/* A group of tasks with the interface of the library's class.  Functions that run tasks or wait for them are not inlined,
   so that they are in the profile by their own names.  */
class task_group {
  detail::cilkprof::group_state state;
  task_group_context *const context;

  /* Returns how the group ended.  WAS_CANCELLED: its tasks were cancelled, or one has thrown an exception.  */
  task_group_status status(bool was_cancelled) {
    return was_cancelled || detail::cilkprof::cancelled(context) ? canceled : complete;
  }

public:
  /* Make a group that only `cancel' or an exception cancels, or one that is also cancelled by way of GIVEN.  It cannot
     be copied.  This covers the constructors and the assignment.  */
  task_group() : context(nullptr) {}
  explicit task_group(task_group_context &given) : context(&given) {}
  task_group(const task_group &) = delete;
  task_group &operator=(const task_group &) = delete;

  /* Runs a copy of FUNCTION, which may be moved from, as a task of the group, unless this is cancelled.  */
  template <class Function> __attribute__((__noinline__)) void run(Function &&function) {
    typename std::decay<Function>::type own(std::forward<Function>(function));
    if (!detail::cilkprof::cancelled(context))
      state.run(own);
  }

  /* Calls FUNCTION, unless the group is cancelled, then waits for the tasks.  Returns how the group ended.  */
  template <class Function> __attribute__((__noinline__)) task_group_status run_and_wait(const Function &function) {
    if (!detail::cilkprof::cancelled(context))
      state.call(function);
    return wait();
  }

  /* Is refused by the compiler: the library would run the task later, where it could not be measured.  */
  template <class Function> void defer(Function &&) {
    static_assert(sizeof(Function) == 0, "-fcilkprof does not follow the tasks of task_group::defer");
  }

  /* Waits for the tasks, and throws the exception that one has thrown.  Returns how the group ended.  */
  __attribute__((__noinline__)) task_group_status wait() {
    return status(state.wait());
  }

  /* Cancels the group, and its context if it has one: tasks that have not begun are not run.  */
  void cancel() {
    state.cancelled = true;
    if (context)
      context->cancel_group_execution();
  }
};

} // namespace tbb

#endif
