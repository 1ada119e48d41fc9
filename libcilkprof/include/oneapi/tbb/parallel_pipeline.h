/* tbb::parallel_pipeline: oneTBB's own, but in a profile tasks that depend on each other: a filter of an item begins
   when that before it has ended, a serial one when it has ended for the item before, and the first also when a token is
   free.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifndef __cilkprof__
#include_next <oneapi/tbb/parallel_pipeline.h>
#elif !defined __TBB_parallel_pipeline_H
#define __TBB_parallel_pipeline_H

#include <functional>
#include <memory>
#include <oneapi/tbb/detail/_pipeline_filters.h>
#include <oneapi/tbb/task_group.h>
#include <utility>
#include <vector>

namespace tbb {

/* For which items a filter can run at the same time: for any, or for one after another, in any order or in theirs.  The
   values are the library's.  */
enum class filter_mode : unsigned int { parallel, serial_out_of_order, serial_in_order };

namespace detail {
namespace cilkprof {
struct controlled;
}
namespace d1 {

/* The library lets its filters alone make the object by which a first filter says that there are no more items.  */
template <> class concrete_filter<cilkprof::controlled, cilkprof::controlled, cilkprof::controlled> {
public:
  flow_control control;

  /* Returns whether the first filter has said that there are no more items.  */
  bool stopped() const {
    return control.is_pipeline_stopped;
  }
};

} // namespace d1
} // namespace detail

using detail::d1::flow_control;

namespace detail {
namespace cilkprof {

/* An item between two filters.  */
typedef std::shared_ptr<void> item;

/* One filter: how it runs, and its function.  */
struct stage {
  filter_mode mode;
  std::function<item(const item &, flow_control &)> function;
};

/* Calls BODY, which is that of a filter, and returns the item that it makes of IN.  Only a first filter, which has no
   input, is given CONTROL, and the item of the last one is NULL, as it has no output.  This covers the four forms of
   `call': with an input and an output, an input alone, an output alone, and neither.  */
template <class In, class Out> struct filter_call {
  template <class Body> static item call(const Body &body, const item &in, flow_control &) {
    return std::make_shared<Out>(body(std::move(*static_cast<typename std::decay<In>::type *>(in.get()))));
  }
};
template <class In> struct filter_call<In, void> {
  template <class Body> static item call(const Body &body, const item &in, flow_control &) {
    body(std::move(*static_cast<typename std::decay<In>::type *>(in.get())));
    return nullptr;
  }
};
template <class Out> struct filter_call<void, Out> {
  template <class Body> static item call(const Body &body, const item &, flow_control &control) {
    return std::make_shared<Out>(body(control));
  }
};
template <> struct filter_call<void, void> {
  template <class Body> static item call(const Body &body, const item &, flow_control &control) {
    body(control);
    return nullptr;
  }
};

/* Runs filter NUMBER of STAGES for the item in SLOT, where it leaves what it makes of it, as a task of GROUP.  This
   waits for the task before it in the slot and, if the filter is serial, for the last task of the filter.  The task has
   a list of dependences as libgomp has them: how many there are and how many of these are for output, then their
   addresses.  A first filter sets CONTROL when there are no more items.  */
inline void run_filter(group_state &group, const std::vector<stage> &stages, std::size_t number, item &slot,
                       flow_control &control) {
  const stage &own = stages[number];
  const std::size_t waits = own.mode == filter_mode::parallel ? 1 : 2;
  const void *const depend[] = {reinterpret_cast<const void *>(waits), reinterpret_cast<const void *>(waits), &slot,
                                &own};
  auto task = [&] { slot = own.function(slot, control); };
  __cilkprof_mark_task("tbb filter", 1, library_task, depend);
  group.call(task);
  __cilkprof_mark_block_end();
}

/* Runs all items through STAGES, at most TOKENS of them at the same time, and waits for them.  It begins no more when
   CONTEXT, which may be NULL, was cancelled or a filter has thrown an exception, which this then throws.  */
inline void run_pipeline(std::size_t tokens, const std::vector<stage> &stages, d1::task_group_context *context) {
  group_state group;
  d1::concrete_filter<controlled, controlled, controlled> first;
  std::vector<item> slots(tokens);
  for (std::size_t token = 0; !group.cancelled && !cancelled(context); token = (token + 1) % tokens) {
    run_filter(group, stages, 0, slots[token], first.control);
    if (first.stopped())
      break;
    for (std::size_t number = 1; number < stages.size(); ++number)
      run_filter(group, stages, number, slots[token], first.control);
  }
  group.wait();
}

} // namespace cilkprof
} // namespace detail

/* Filters in a row, as a list of stages.  The first one's input is an In, the last one's output an Out.  */
template <class In, class Out> class filter {
  std::vector<detail::cilkprof::stage> stages;
  template <class I, class O> friend class filter;
  friend void parallel_pipeline(std::size_t, const filter<void, void> &);
  friend void parallel_pipeline(std::size_t, const filter<void, void> &, task_group_context &);

public:
  /* Makes a row without filters.  */
  filter() = default;

  /* Makes a row of the one filter that runs BODY by MODE.  The function of its stage is a copy of BODY, called for an
     item of any type.  */
  template <class Body> filter(filter_mode mode, const Body &body) {
    stages.push_back({mode, [body](const detail::cilkprof::item &in, flow_control &control) {
                        return detail::cilkprof::filter_call<In, Out>::call(body, in, control);
                      }});
  }

  /* Removes all filters.  */
  void clear() {
    stages.clear();
  }

  /* Returns the filters of this row and, behind them, those of NEXT, whose input is the output of these.  */
  template <class Next> filter<In, Next> operator&(const filter<Out, Next> &next) const {
    filter<In, Next> both;
    both.stages = stages;
    both.stages.insert(both.stages.end(), next.stages.begin(), next.stages.end());
    return both;
  }
};

/* Returns a row of the one filter that runs BODY by MODE.  */
template <class In, class Out, class Body> filter<In, Out> make_filter(filter_mode mode, const Body &body) {
  return filter<In, Out>(mode, body);
}

/* Runs all items through the filters of CHAIN, at most TOKENS of them at the same time.  All is inside of one task, so
   that the filters depend on each other only and not on tasks of the program.  It is not inlined, so that it is in the
   profile by its own name.  */
__attribute__((__noinline__)) inline void parallel_pipeline(std::size_t tokens, const filter<void, void> &chain) {
  detail::cilkprof::group_state whole;
  auto task = [&] { detail::cilkprof::run_pipeline(tokens, chain.stages, nullptr); };
  whole.run(task);
  whole.wait();
}

/* Runs all items through the filters of CHAIN, at most TOKENS of them at the same time, until CONTEXT is cancelled.  It
   is one task, and is not inlined, for the reasons above.  */
__attribute__((__noinline__)) inline void parallel_pipeline(std::size_t tokens, const filter<void, void> &chain,
                                                            task_group_context &context) {
  detail::cilkprof::group_state whole;
  auto task = [&] { detail::cilkprof::run_pipeline(tokens, chain.stages, &context); };
  whole.run(task);
  whole.wait();
}

/* Puts FIRST and SECOND in one row and runs all items through it and OTHERS, which are further filters and perhaps a
   context, at most TOKENS of them at the same time.  */
template <class First, class Second, class... Others>
void parallel_pipeline(std::size_t tokens, const First &first, const Second &second, const Others &...others) {
  parallel_pipeline(tokens, first & second, others...);
}

} // namespace tbb

#endif
