#!/bin/sh
# Programs with oneTBB in a profile: they compute what they do with the library, and have the work and the span of the same
# programs with Cilk.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/tbb.sh"

# near NAME WANTED GOT: to one in a hundred, as the library's functions take instructions too.
near() {
  true_that "$1: $3 is near $2" "($3) >= 0.99 * ($2) && ($3) <= 1.01 * ($2)"
}

# of_library NAME: with LONG, what the file `wanted' says is what NAME.cc prints with the library alone.
of_library() {
  [ -n "$LONG" ] || return
  g++ -std=c++17 -O2 "$1.cc" -o library -ltbb >said 2>&1 && $RUN ./library >got 2>said
  same "$1: and with the library" wanted got
}

# twins NAME: NAME.cc with oneTBB, and with Cilk where CILK is defined.
twins() {
  measured "$1" -DCILK || return
  cilk_work=$work cilk_span=$span
  cp "$1.stdout" wanted
  measured "$1" || return
  same "$1: the output is that with Cilk" wanted "$1.stdout"
  near "$1: work" "$cilk_work" "$work"
  near "$1: span" "$cilk_span" "$span"
  cilkprof-report -b --verdict "$1" "$1.prof" >verdict 2>&1
  holds "$1: it is known which calls are on the critical path" sh -c '! grep "No span data" verdict'
  of_library "$1"
}

# A recursion with a group in each function.
cat >fib.cc <<'EOC'
#include "spin.h"
static long fib(int n) {
  if (n < 2)
    return n + 0 * spin(60000);
  long a, b;
#ifdef CILK
  a = cilk_spawn fib(n - 1);
  b = fib(n - 2);
  cilk_sync;
#else
  tbb::task_group g;
  g.run([&] { a = fib(n - 1); });
  g.run_and_wait([&] { b = fib(n - 2); });
#endif
  return a + b;
}
int main() {
  std::printf("%ld\n", fib(10));
}
EOC
twins fib

# Tasks that outlive the function that makes them, and tasks that are made by tasks of their group.
cat >groups.cc <<'EOC'
#include "spin.h"
#ifndef CILK
static void make(tbb::task_group &g, long *x) {
  for (int i = 0; i < 10; i++)
    g.run([i, x] { x[i] = spin(10000 * (i + 1)); });
}
static void chain(tbb::task_group &g, int n) {
  spin(20000);
  if (n > 0)
    g.run([&g, n] { chain(g, n - 1); });
  spin(30000);
}
#else
static void set(long *x, long n) { *x = spin(n); }
static void chain(int n) {
  spin(20000);
  if (n > 0)
    cilk_spawn chain(n - 1);
  spin(30000);
}
#endif
int main() {
  long x[10], sum = 0;
#ifdef CILK
  for (int i = 0; i < 10; i++)
    cilk_spawn set(&x[i], 10000 * (i + 1));
  spin(50000);
  cilk_sync;
  chain(9);
#else
  tbb::task_group g;
  make(g, x);
  spin(50000);
  g.wait();
  g.run([&] { chain(g, 9); });
  g.wait();
#endif
  for (long each : x)
    sum += each;
  std::printf("%ld\n", sum);
}
EOC
twins groups
tr -s ' \n' ' ' <verdict >got
holds 'groups: the verdict names the function of a task, and where it is run' \
  grep -q "'make::{lambda#1}'.* takes [0-9.]*% of the span when '[a-z]*' calls it at groups.cc:5, through 'tbb::task_group::run" got

# Loops over numbers, with a step, over ranges with a simple partitioner, over items; calls at the same time.
cat >loops.cc <<'EOC'
#include "spin.h"
static std::vector<long> v(64);
static void set(int i) { v[i] += spin(1000 * (i % 7 + 1)); }
static void range(int from, int to) {
  for (int i = from; i < to; i++)
    set(i);
}
#ifdef CILK
static void divide(int from, int to) {
  if (to - from > 4) {
    cilk_spawn divide(from, (from + to) / 2);
    divide((from + to) / 2, to);
  } else
    range(from, to);
}
#endif
int main() {
#ifdef CILK
  cilk_for (int i = 0; i < 64; ++i) set(i);
  cilk_for (int i = 1; i < 64; i += 5) set(i);
  divide(0, 64);
  for (int i = 0; i < 64; i += 3)
    cilk_spawn set(i);
  cilk_sync;
  cilk_spawn set(1);
  cilk_spawn set(2);
  set(3);
  cilk_sync;
#else
  tbb::parallel_for(0, 64, [](int i) { set(i); });
  tbb::parallel_for(1, 64, 5, [](int i) { set(i); });
  tbb::parallel_for(tbb::blocked_range<int>(0, 64, 4), [](const tbb::blocked_range<int> &r) { range(r.begin(), r.end()); },
                    tbb::simple_partitioner());
  std::vector<int> items;
  for (int i = 0; i < 64; i += 3)
    items.push_back(i);
  tbb::parallel_for_each(items, [](int i) { set(i); });
  tbb::parallel_invoke([] { set(1); }, [] { set(2); }, [] { set(3); });
#endif
  long sum = 0;
  for (long each : v)
    sum += each;
  std::printf("%ld\n", sum);
}
EOC
twins loops
cilkprof-report -b --sites loops loops.prof >sites
for name in parallel_for parallel_for_each parallel_invoke; do
  holds "tbb::$name is at a line of the program" grep -q "call  *loops.cc:[0-9]*  *main -> tbb::$name" sites
done

# Reductions with functions and with a body: the halves at the same time, then their values.
cat >reduces.cc <<'EOC'
#include "spin.h"
static long cost(int from, int to) {
  long x = 0;
  for (int i = from; i < to; i++)
    x += spin(2000 + i) & 15;
  return x;
}
#ifdef CILK
static long reduce(int from, int to) {
  if (to - from <= 8)
    return cost(from, to);
  long a = cilk_spawn reduce(from, (from + to) / 2), b = reduce((from + to) / 2, to);
  cilk_sync;
  return a + b;
}
#else
struct body {
  long sum = 0;
  body() = default;
  body(body &, tbb::split) {}
  void operator()(const tbb::blocked_range<int> &r) { sum += cost(r.begin(), r.end()); }
  void join(body &right) { sum += right.sum; }
};
#endif
int main() {
#ifdef CILK
  std::printf("%ld %ld %ld\n", reduce(0, 256), reduce(0, 256), reduce(0, 256));
#else
  tbb::blocked_range<int> all(0, 256, 8);
  auto f = [](const tbb::blocked_range<int> &r, long x) { return x + cost(r.begin(), r.end()); };
  auto plus = [](long x, long y) { return x + y; };
  body b;
  tbb::parallel_reduce(all, b, tbb::simple_partitioner());
  long x = tbb::parallel_reduce(all, 0L, f, plus, tbb::simple_partitioner());
  std::printf("%ld %ld %ld\n", b.sum, x, tbb::parallel_deterministic_reduce(all, 0L, f, plus));
#endif
}
EOC
twins reduces

# A pipeline: the work is that of all filters, the span that of the longest chain, here of the parallel filter with two
# tokens, which every second item waits for; with many tokens of the serial filter.
cat >pipeline.cc <<'EOC'
#include "spin.h"
int main(int argc, char **) {
  int next = 0;
  long sum = 0;
  tbb::parallel_pipeline(argc == 1 ? 2 : 100,
    tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control &control) {
      if (next == 40)
        control.stop();
      return next++;
    }) &
    tbb::make_filter<int, long>(tbb::filter_mode::parallel, [](int i) { return spin(20000) + i; }) &
    tbb::make_filter<long, void>(tbb::filter_mode::serial_in_order, [&](long x) { sum += x + 0 * spin(4000); }));
  std::printf("%ld\n", sum);
}
EOC
if measured pipeline; then
  # In units of 4000 iterations: 40 items of 5 + 1.
  near 'two tokens: half of the items, one after the other' 2 "$work / $span"
  profile pipeline many
  # One item, and the serial filter of the others.
  near 'many tokens: the first item, and the last filter of all others' '(40 * 6) / (5 + 40)' "$(whole Work) / $(whole Span)"
  echo 7999600780 >wanted
  same 'pipeline: the output' wanted pipeline.stdout
  of_library pipeline
fi

# What is computed with the rest: scans, sorts, feeders, contexts that are cancelled, exceptions, arenas.
cat >rest.cc <<'EOC'
#include "spin.h"
#include <algorithm>
#include <atomic>
#include <stdexcept>
struct scan {
  long sum = 0;
  const std::vector<long> &in;
  std::vector<long> &out;
  scan(const std::vector<long> &i, std::vector<long> &o) : in(i), out(o) {}
  scan(scan &other, tbb::split) : in(other.in), out(other.out) {}
  template <class Tag> void operator()(const tbb::blocked_range<int> &r, Tag) {
    for (int i = r.begin(); i < r.end(); i++) {
      sum += in[i];
      if (Tag::is_final_scan())
        out[i] = sum;
    }
  }
  void reverse_join(scan &left) { sum += left.sum; }
  void assign(scan &other) { sum = other.sum; }
};
int main() {
  std::vector<long> v(5000), w(5000);
  for (int i = 0; i < 5000; i++)
    v[i] = i * 7919 % 5003;
  for (int n : {0, 1, 2, 3, 5000}) {
    scan s(v, w);
    tbb::parallel_scan(tbb::blocked_range<int>(0, n), s);
    std::printf("%ld %ld\n", s.sum, n ? w[n - 1] : 0);
  }
  long all = tbb::parallel_scan(tbb::blocked_range<int>(0, 5000, 100), 0L, [&](const tbb::blocked_range<int> &r, long x, bool last) {
    for (int i = r.begin(); i < r.end(); i++) {
      x += v[i];
      if (last)
        w[i] = x;
    }
    return x;
  }, [](long x, long y) { return x + y; }, tbb::simple_partitioner());
  std::printf("%ld %ld\n", all, w[2500]);
  tbb::parallel_sort(v.begin(), v.end());
  tbb::parallel_sort(v, std::greater<long>());
  std::printf("%ld %d\n", v[1], (int)std::is_sorted(v.rbegin(), v.rend()));
  std::atomic<int> count{0};
  std::vector<int> items{1, 2, 3, 4, 5};
  tbb::parallel_for_each(items.begin(), items.end(), [&](int x, tbb::feeder<int> &more) {
    count += x;
    if (x > 1)
      more.add(x / 2);
  });
  std::printf("%d\n", count.load());
  try {
    tbb::task_group g;
    g.run([] { throw std::runtime_error("of a task"); });
    g.wait();
  } catch (const std::exception &thrown) {
    std::puts(thrown.what());
  }
  try {
    tbb::parallel_for(0, 10, [](int i) { if (i == 5) throw std::runtime_error("of a loop"); });
  } catch (const std::exception &thrown) {
    std::puts(thrown.what());
  }
  tbb::task_group_context context;
  context.cancel_group_execution();
  tbb::parallel_for(tbb::blocked_range<int>(0, 10), [&](const tbb::blocked_range<int> &) { std::puts("never"); }, context);
  tbb::task_arena arena(2);
  std::printf("%d %d\n", arena.execute([] { return 3; }), tbb::this_task_arena::isolate([] { return 4; }));
  tbb::affinity_partitioner affinity;
  tbb::parallel_for(tbb::blocked_range2d<int>(0, 10, 0, 10), [&](const tbb::blocked_range2d<int> &r) { count += (int)(r.rows().size() * r.cols().size()); }, affinity);
  std::printf("%d\n", count.load());
}
EOC
if measured rest; then
  cat >wanted <<'END'
0 0
0 0
2916 2916
3745 3745
12504984 12504984
12504984 6262348
5001 1
23
of a task
of a loop
3 4
123
END
  same 'the rest: the output' wanted rest.stdout
  of_library rest
fi

# Without -fcilkprof it is the library's; what is not followed is refused in a line.
echo '#include <oneapi/tbb.h>' >all.cc
c++ -std=c++17 -fcilkplus -E all.cc >preprocessed 2>said
holds 'without -fcilkprof it is the library' sh -c 'grep -q start_for preprocessed && ! grep -q divide_for preprocessed'
echo '#include <tbb/flow_graph.h>
int main() { tbb::flow::graph g; g.wait_for_all(); }' >graph.cc
c++ -std=c++17 -fcilkprof -c graph.cc 2>said
equal 'a flow graph is refused, in a line' '1 1' "$(grep -c 'error: ' said) $(grep -c 'error: .*does not follow the flow graphs' said)"
echo '#include <tbb/task.h>
#include <tbb/task_group.h>
void defer() { tbb::task_group g; g.defer([] {}); }
void suspend() { tbb::task::suspend([](tbb::task::suspend_point) {}); }' >tasks.cc
c++ -std=c++17 -fcilkprof -c tasks.cc 2>said
equal 'so are deferred tasks and resumable ones' '2 1 1' "$(grep -c 'error: ' said) $(grep -c \
  'error: .*does not follow the tasks of task_group::defer' said) $(grep -c \
  'error: .*does not follow the resumable tasks of task::suspend' said)"
for standard in c++11 c++20 ${LONG:+c++14}; do
  holds "all headers in $standard" c++ -std=$standard $warnings -fcilkprof -fsyntax-only all.cc
done
finish
