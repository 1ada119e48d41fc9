/* tbb::parallel_pipeline: oneTBB's own, but in a profile tasks that depend on each other: a filter of an item begins
   when that before it has ended, a serial one when it has ended for the item before, and the first also when a token is
   free.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifndef __cilkprof__
#include_next <oneapi/tbb/parallel_pipeline.h>
#elif !defined __TBB_parallel_pipeline_H
#define __TBB_parallel_pipeline_H

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

/* An item between two filters, of any type, and how it is destroyed.  */
typedef std::unique_ptr<void, void (*)(void *)> item;

/* Destroys OBJECT, an item that is a Type.  */
template <class Type> void destroy_item(void *object) {
  delete static_cast<Type *>(object);
}

/* Returns an item that holds VALUE.  */
template <class Type> item make_item(Type &&value) {
  typedef typename std::decay<Type>::type own;
  return item(new own(std::forward<Type>(value)), destroy_item<own>);
}

/* Returns what there is in place of an item: it holds nothing.  */
inline item no_item() {
  return item(nullptr, [](void *) {});
}

/* Returns the value of an item, which is an In, for a filter that may move it away.  */
template <class In> typename std::decay<In>::type &&value_of(const item &in) {
  return std::move(*static_cast<typename std::decay<In>::type *>(in.get()));
}

/* Calls BODY, which is that of a filter, and returns the item that it makes of IN.  Only a first filter, which has no
   input, is given CONTROL, and the last one makes no item, as it has no output.  This covers the four forms of `call':
   with an input and an output, an input alone, an output alone, and neither.  */
template <class In, class Out> struct filter_call {
  template <class Body> static item call(const Body &body, const item &in, flow_control &) {
    return make_item<Out>(body(value_of<In>(in)));
  }
};
template <class In> struct filter_call<In, void> {
  template <class Body> static item call(const Body &body, const item &in, flow_control &) {
    body(value_of<In>(in));
    return no_item();
  }
};
template <class Out> struct filter_call<void, Out> {
  template <class Body> static item call(const Body &body, const item &, flow_control &control) {
    return make_item<Out>(body(control));
  }
};
template <> struct filter_call<void, void> {
  template <class Body> static item call(const Body &body, const item &, flow_control &control) {
    body(control);
    return no_item();
  }
};

/* The function of a filter, whichever types it has: makes the next item of one, or a copy of itself.  A std::function is
   not used: the program's functions would be called by code of the C++ library, and be taken for a part of it.  */
struct filter_function {
  virtual ~filter_function() = default;
  virtual item make(const item &in, flow_control &control) const = 0;
  virtual std::unique_ptr<filter_function> copy() const = 0;
};

/* The function of a filter that takes an In, makes an Out, and is given as a Body.  */
template <class In, class Out, class Body> struct typed_filter_function final : filter_function {
  Body body;

  /* Keeps a copy of GIVEN.  */
  explicit typed_filter_function(const Body &given) : body(given) {}

  /* Calls the body for IN.  */
  item make(const item &in, flow_control &control) const override {
    return filter_call<In, Out>::call(body, in, control);
  }

  /* Returns a copy.  */
  std::unique_ptr<filter_function> copy() const override {
    return std::unique_ptr<filter_function>(new typed_filter_function(body));
  }
};

/* One filter: how it runs, and its function.  It can be copied.  */
struct stage {
  filter_mode mode;
  std::unique_ptr<filter_function> function;

  /* Make a filter of what is given, or of OTHER.  This covers the constructors and the assignment.  */
  stage(filter_mode given_mode, std::unique_ptr<filter_function> given)
      : mode(given_mode), function(std::move(given)) {}
  stage(const stage &other) : mode(other.mode), function(other.function->copy()) {}
  stage &operator=(const stage &other) {
    mode = other.mode;
    function = other.function->copy();
    return *this;
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
  auto task = [&] { slot = own.function->make(slot, control); };
  __cilkprof_mark_task("tbb filter", 1, library_task, depend);
  group.call(task);
  __cilkprof_mark_block_end();
}

/* Runs all items through STAGES, at most TOKENS of them at the same time, and waits for them.  It begins no more when
   CONTEXT, which may be NULL, was cancelled or a filter has thrown an exception, which this then throws.  */
inline void run_pipeline(std::size_t tokens, const std::vector<stage> &stages, d1::task_group_context *context) {
  group_state group;
  d1::concrete_filter<controlled, controlled, controlled> first;
  std::vector<item> slots;
  for (std::size_t token = 0; token < tokens; ++token)
    slots.push_back(no_item());
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

  /* Makes a row of the one filter that runs a copy of BODY by MODE.  */
  template <class Body> filter(filter_mode mode, const Body &body) {
    stages.emplace_back(mode, std::unique_ptr<detail::cilkprof::filter_function>(
                                  new detail::cilkprof::typed_filter_function<In, Out, Body>(body)));
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
