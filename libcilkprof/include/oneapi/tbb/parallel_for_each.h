/* tbb::parallel_for_each: oneTBB's own, but in a profile spawns of Cilk, and tasks for what a feeder adds.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifndef __cilkprof__
#include_next <oneapi/tbb/parallel_for_each.h>
#elif !defined __TBB_parallel_for_each_H
#define __TBB_parallel_for_each_H

#include <iterator>
#include <oneapi/tbb/task_group.h>
#include <utility>

namespace tbb {

/* By which the body of a loop adds items to it.  */
template <class Item> class feeder {
protected:
  feeder() = default;
  ~feeder() = default;

public:
  virtual void add(const Item &item) = 0;
  virtual void add(Item &&item) = 0;
};

namespace detail {
namespace cilkprof {

/* Runs the body for added items, each as a task.  */
template <class Item, class Body> class task_feeder final : public feeder<Item> {
  const Body &body;
  group_state &group;

public:
  task_feeder(const Body &body_, group_state &group_) : body(body_), group(group_) {}
  void add(const Item &item) override {
    add(Item(item));
  }
  void add(Item &&item) override {
    Item own(std::move(item));
    auto task = [&] { body(std::move(own), static_cast<feeder<Item> &>(*this)); };
    group.run(task);
  }
};

/* Calls BODY for all items.  Without a feeder each is a spawn.  */
template <class Iterator, class Body>
auto each_item(Iterator first, Iterator last, const Body &body, d1::task_group_context *context, int)
    -> decltype(body(*first), void()) {
  for (; first != last; ++first)
    if (!cancelled(context))
      _Cilk_spawn body(*first);
}

/* With a feeder each is a task, like those that are added.  */
template <class Iterator, class Body>
void each_item(Iterator first, Iterator last, const Body &body, d1::task_group_context *context, long) {
  typedef typename std::iterator_traits<Iterator>::value_type item;
  group_state group;
  task_feeder<item, Body> feeds(body, group);
  for (; first != last; ++first) {
    auto task = [&] { body(*first, static_cast<feeder<item> &>(feeds)); };
    if (!cancelled(context))
      group.run(task);
  }
  group.wait();
}

} // namespace cilkprof
} // namespace detail

/* Calls BODY for the items from FIRST to before LAST.  */
template <class Iterator, class Body, class... Options>
__attribute__((__noinline__))
typename std::enable_if<sizeof(typename std::iterator_traits<Iterator>::value_type) != 0>::type
parallel_for_each(Iterator first, Iterator last, const Body &body, Options &&...options) {
  detail::cilkprof::each_item(first, last, body, detail::cilkprof::context_of(options...), 0);
}

/* Calls BODY for the items of RANGE.  */
template <class Range, class Body, class... Options>
__attribute__((__noinline__)) auto parallel_for_each(Range &&range, const Body &body, Options &&...options)
    -> decltype(std::begin(range), void()) {
  detail::cilkprof::each_item(std::begin(range), std::end(range), body, detail::cilkprof::context_of(options...), 0);
}

namespace detail {
namespace d1 {
using tbb::feeder;
using tbb::parallel_for_each;
} // namespace d1
} // namespace detail
} // namespace tbb

#endif
