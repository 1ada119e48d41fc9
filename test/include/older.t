#!/bin/sh
# Programs for Cilk++ and for what Cilk Plus had beside its reducers: mutexes, a stopwatch, the interface of the runtime, and
# spawns that are written without the keywords.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"

# Cilk++: its names of headers, its main, its hyperobjects.
cat >arts.cc <<'EOC'
#include <cilk.h>
#include <cilk_mutex.h>
#include <cilkscreen.h>
#include <cilkview.h>
#include <fake_mutex.h>
#include <reducer_list.h>
#include <reducer_max.h>
#include <reducer_min.h>
#include <reducer_opadd.h>
#include <reducer_opand.h>
#include <reducer_opor.h>
#include <reducer_opxor.h>
#include <reducer_ostream.h>
#include <reducer_string.h>
#include <climits>
#include <iostream>
#include <vector>
static cilk::mutex lock;
static cilk::fake_mutex pretended;
static int total;
static void nothing() { total += 100; }
static int twice(int x) { return 2 * x; }
static long sum(int x, long y) { return x + y; }
static void all(int *x, int y, int z) { *x = y + z; }
static int with_pointer(void *x) { return *(int *)x; }
static void count(int i) {
  lock.lock();
  total += i;
  lock.unlock();
  if (lock.try_lock()) lock.unlock();
  pretended.lock();
  pretended.unlock();
}
int cilk_main(int argc, char *argv[]) {
  cilk::hyperobject<cilk::reducer_opadd<int> > added;
  cilk::hyperobject<cilk::reducer_max<int> > most(INT_MIN);
  std::vector<cilk::mutex> locks(cilk::current_worker_count());
  cilk::context context, *made = cilk::create_context();
  cilk::cilkview watch;
  int x = 0;
  (void)argv;
  watch.start();
  cilk_for (int i = 0; i < 10; i++) {
    count(i);
    added() += i;
    most() = cilk::max_of(most(), i);
  }
  watch.stop();
  watch.dump("loop", false);
  cilk::run(nothing);
  cilk::run(all, &x, 3, 4);
  made->set_worker_count(4);
  std::cout << total << ' ' << added().get_value() << ' ' << most().get_value() << ' ' << locks.size() << '\n'
            << cilk::run(twice, 4) << ' ' << cilk::run(sum, 4, 5L) << ' ' << x << ' ' << context.get_worker_count() << ' '
            << made->run(with_pointer, &x) << ' ' << (watch.accumulated_milliseconds() < 100000) << ' ' << argc << '\n';
  cilk::destroy_context(made);
  return 0;
}
EOC
wants '145 45 9 1' '8 9 7 1 7 1 1'
prints_serially arts.cc c++98 c++11 c++20
cilkprof-report -b --regions arts profile >regions
holds 'a stopwatch is a region' grep -q ' 1  loop$' regions

cat >guards.cc <<'EOC'
#include <cilktools/cilkview.h>
#include <cilktools/fake_mutex.h>
#include <cilktools/lock_guard.h>
#include <cilk/cilk_mutex.h>
#include <cilk/metaprogramming.h>
#include <cilk/reducer_file.h>
#include <iostream>
struct Empty {};
struct Full { int x; };
using namespace cilk::internal;
static void pass(int which) { __CILKRTS_STATIC_ASSERT(sizeof(int) >= 2, "an int"); std::cout << which << '\n'; }
int main() {
  cilkscreen::fake_mutex fake;
  cilk::mutex other;
  int connected = -1;
  cilkview_report_t report = {0, 0, "x", CV_REPORT_WRITE_TO_LOG};
  {
    cilkscreen::lock_guard<cilkscreen::fake_mutex> guard(fake);
    cilkscreen::lock_guard<cilk::mutex> second(other);
    std::cout << "held\n";
  }
  std::cout << fake.try_lock() << '\n';
  fake.unlock();
  storage_for_object<Full> room;
  new (&room.object()) Full();
  room.object().x = 3;
  condition<false, char *, int>::type four = 4;
  __cilkview_connected(connected);
  __cilkview_puts("text");
  __cilkscreen_puts("text");
  __cilkview_use_default_grain_size();
  std::cout << class_is_empty<Empty>::value << class_is_empty<Full>::value << ' ' << align_of<double>::value << ' '
            << room.object().x << four << ' ' << (connected >= 0) << report.label << __cilkrts_get_nworkers() << '\n';
  pass(5);
  return 0;
}
EOC
wants held 1 '10 8 34 1x1' 5
prints_serially guards.cc c++98 c++11 c++20

# The interface between Cilk Plus's compiler and its runtime.
cat >interface.c <<'EOC'
#include <internal/abi.h>
#include <internal/cilk_version.h>
#include <internal/metacall.h>
#include <cilk/cilk_api_linux.h>
#include <cilk/cilk_undocumented.h>
#include <stdio.h>
static void body32(void *data, cilk32_t low, cilk32_t high) { for (; low < high; low++) ((int *)data)[low]++; }
static void body64(void *data, cilk64_t low, cilk64_t high) { for (; low < high; low++) ((int *)data)[low]++; }
int main(void) {
  int counts[20] = {0}, i, sum = 0;
  metacall_data_t call = {METACALL_TOOL_SYSTEM, HYPER_IGNORE_MEMORY_BLOCK, 0};
  __cilkrts_stack_frame frame;
  __cilkrts_worker *worker = __cilkrts_bind_thread_1();
  __cilkrts_enter_frame_1(&frame);
  __cilkrts_cilk_for_32(body32, counts, 20, 0);
  __cilkrts_cilk_for_32(body32, counts, 20, 7);
  __cilkrts_cilk_for_64(body64, counts, 20, 3);
  __cilkrts_cilk_for_64(body64, counts, 0, 0);
  __cilkrts_sync(&frame);
  for (i = 0; i < 20; i++) sum += counts[i] == 3;
  printf("%d %d %d %d\n", sum, worker->self, worker->current_stack_frame == &frame, worker == __cilkrts_get_tls_worker());
  __cilkrts_leave_frame(&frame);
  __cilkrts_bump_worker_rank();
  printf("%d %d %d %d\n", worker->current_stack_frame == 0, (int)__cilkrts_get_tls_worker()->pedigree.rank, VERSION_MAJOR, call.code);
  return __cilkrts_get_sf() != 0;
}
EOC
cp interface.c interface.cc
wants '20 0 1 1' '1 1 2 6'
prints_serially interface.c gnu89 c11
prints_serially interface.cc c++98 c++17
cilkprof-report --csv interface profile | tr -d '\r"' >sites.csv
equal 'a loop by hand is a cilk_for' 3 "$(awk -F, '$4 == "loop" { count += $15 } END { print count + 0 }' sites.csv)"

cat >fake.cc <<'EOC'
#include <internal/cilk_fake.h>
#include <cstdio>
int fib(int n) {
  CILK_FAKE_PROLOG();
  if (n < 2) return n;
  int a, b;
  CILK_FAKE_SPAWN_R(a, fib(m), int m = n - 1);
  b = fib(n - 2);
  CILK_FAKE_SYNC();
  return a + b;
}
void print(int n) { std::printf("%d\n", n); }
int main() {
  CILK_FAKE_PROLOG();
  CILK_FAKE_SPAWN(print(3), );
  CILK_FAKE_SYNC();
  print(fib(10));
  CILK_FAKE_EPILOG();
}
EOC
cat >fake.c <<'EOC'
#include <internal/cilk_fake.h>
#include <stdio.h>
int fib(int n);
static void helper(__cilkrts_stack_frame *parent, int *a, int n) {
  CILK_FAKE_SPAWN_HELPER_PROLOG(*parent);
  __cilk_fake_detach(&__cilk_sf);
  *a = fib(n - 1);
  CILK_FAKE_SPAWN_HELPER_EPILOG();
}
int fib(int n) {
  int a, b;
  CILK_FAKE_PROLOG();
  if (n < 2) return n;
  CILK_FAKE_CALL_SPAWN_HELPER(helper(&__cilk_sf, &a, n));
  b = fib(n - 2);
  CILK_FAKE_SYNC();
  CILK_FAKE_EPILOG();
  return a + b;
}
int main(void) { printf("%d\n", fib(10)); return 0; }
EOC
wants 3 55
prints_serially fake.cc c++11 c++20
cilkprof-report --csv fake profile | tr -d '\r"' >sites.csv
equal 'spawns without the keyword are spawns' 89 "$(awk -F, '$4 == "spawn" { count += $15 } END { print count + 0 }' sites.csv)"
wants 55
prints_serially fake.c c99 c11
cilkprof-report --csv fake profile | tr -d '\r"' >sites.csv
equal 'and so are those of a function that helps' 88 "$(awk -F, '$4 == "spawn" { count += $15 } END { print count + 0 }' sites.csv)"

# OpenCilk's classes that are reducers.
cat >classes.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/reducer>
#include <cstdio>
#include <new>
struct Sum : __reducer_base {
  int value = 0;
  std::size_t size() const override { return sizeof(Sum); }
  __reducer_base *identity(void *view) override { return new (view) Sum; }
  void reduce(__reducer_base *left, __reducer_base *right) override {
    static_cast<Sum *>(left)->value += static_cast<Sum *>(right)->value;
  }
};
int main() {
  Sum sum;
  int plain = 0;
  __reducer_callbacks callbacks = {sizeof plain, [](void *v) { *(int *)v = 0; }, [](void *l, void *r) { *(int *)l += *(int *)r; }};
  cilk_for (int i = 0; i < 10; i++) {
    static_cast<Sum *>(__hyper_lookup_class(&sum))->value += i;
    *static_cast<int *>(__hyper_lookup_internal_1(&plain, callbacks)) += i;
  }
  std::printf("%d %d\n", sum.value, plain);
}
EOC
wants '45 45'
prints_serially classes.cc c++11 c++17
finish
