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

/* An object by which the body of a parallel_for_each adds items to the loop, as the library has it.  */
template <class Item> class feeder {
protected:
  /* Only the loop makes and destroys feeders.  This covers both functions.  */
  feeder() = default;
  ~feeder() = default;

public:
  /* Adds ITEM to the items of the loop.  This covers both overloads, which copy and move it.  */
  virtual void add(const Item &item) = 0;
  virtual void add(Item &&item) = 0;
};

namespace detail {
namespace cilkprof {

/* A feeder that runs the body for each added item as a task of a group.  */
template <class Item, class Body> class task_feeder final : public feeder<Item> {
  const Body &body;
  group_state &group;

public:
  /* Makes a feeder of the loop with BODY_, whose tasks are in GROUP_.  */
  task_feeder(const Body &body_, group_state &group_) : body(body_), group(group_) {}

  /* Runs the body for a copy of ITEM, as a task.  */
  void add(const Item &item) override {
    add(Item(item));
  }

  /* Runs the body for ITEM, which it moves from, as a task that has ended when this returns.  The body may add further
     items by this feeder.  */
  void add(Item &&item) override {
    Item own(std::move(item));
    auto task = [&] { body(std::move(own), static_cast<feeder<Item> &>(*this)); };
    group.run(task);
  }
};

/* Calls BODY for the items from FIRST to before LAST, each in a spawn, until CONTEXT, which may be NULL, is cancelled.
   The last parameter is an int, so that 0 selects this overload if BODY can be called without a feeder.  */
template <class Iterator, class Body>
auto each_item(Iterator first, Iterator last, const Body &body, d1::task_group_context *context, int)
    -> decltype(body(*first), void()) {
  for (; first != last; ++first)
    if (!cancelled(context))
      _Cilk_spawn body(*first);
}

/* Calls BODY with a feeder for the items from FIRST to before LAST, each in a task, like the items that BODY adds, and
   waits for all.  It begins no more when CONTEXT, which may be NULL, was cancelled.  Throws what a call of BODY has
   thrown.  The last parameter is a long, so that 0 selects this overload only if the other one does not fit.  */
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

/* Calls BODY for the items from FIRST to before LAST.  OPTIONS are none, or a context by which the loop can be
   cancelled.  It is not inlined, so that it is in the profile by its own name.  */
template <class Iterator, class Body, class... Options>
__attribute__((__noinline__))
typename std::enable_if<sizeof(typename std::iterator_traits<Iterator>::value_type) != 0>::type
parallel_for_each(Iterator first, Iterator last, const Body &body, Options &&...options) {
  detail::cilkprof::each_item(first, last, body, detail::cilkprof::context_of(options...), 0);
}

/* Calls BODY for the items of RANGE, which is a container or an array.  OPTIONS are as above, and it is not
   inlined for the same reason.  */
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
