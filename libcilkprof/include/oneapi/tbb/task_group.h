/* tbb::task_group: oneTBB's own, but in a profile its tasks are run, and measured, where they are made.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifndef __cilkprof__
#include_next <oneapi/tbb/task_group.h>
#elif !defined __TBB_cilkprof_task_group_H
#define __TBB_cilkprof_task_group_H

#include <oneapi/tbb/detail/_cilkprof.h>

/* Markers, which the compiler's plugin replaces by events: a task begins, a task ends, and one waits for its children,
   and with 1 for theirs too.  A task's dependences are as libgomp has them.  */
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

/* How many tasks are around what runs now.  */
inline unsigned &task_depth() {
  static thread_local unsigned depth;
  return depth;
}

/* What a group of tasks has in common: the first exception of them, and whether the others are not to be run.  */
struct group_state {
  const unsigned depth = task_depth();
  bool cancelled = false, deep = false;
  std::exception_ptr thrown;

  /* Calls FUNCTION, unless the group is cancelled.  Its exception is kept, and cancels the group.  */
  template <class Function> __attribute__((__noinline__)) void call(Function &function) noexcept {
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

  /* Runs FUNCTION as a task, which goes on when this returns.  A task that another one of the group makes is not the
     child of what waits.  */
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

/* As the library has it.  */
class task_group {
  detail::cilkprof::group_state state;
  task_group_context *const context;

  task_group_status status(bool was_cancelled) {
    return was_cancelled || detail::cilkprof::cancelled(context) ? canceled : complete;
  }

public:
  task_group() : context(nullptr) {}
  explicit task_group(task_group_context &given) : context(&given) {}
  task_group(const task_group &) = delete;
  task_group &operator=(const task_group &) = delete;

  template <class Function> void run(Function &&function) {
    typename std::decay<Function>::type own(std::forward<Function>(function));
    if (!detail::cilkprof::cancelled(context))
      state.run(own);
  }
  template <class Function> task_group_status run_and_wait(const Function &function) {
    if (!detail::cilkprof::cancelled(context))
      state.call(function);
    return wait();
  }
  template <class Function> void defer(Function &&) {
    static_assert(sizeof(Function) == 0, "-fcilkprof does not follow the tasks of task_group::defer");
  }
  task_group_status wait() {
    return status(state.wait());
  }
  void cancel() {
    state.cancelled = true;
    if (context)
      context->cancel_group_execution();
  }
};

} // namespace tbb

#endif
