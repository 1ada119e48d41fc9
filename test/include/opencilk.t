#!/bin/sh
# OpenCilk's reducers: variables.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"

cat >sum.c <<'EOC'
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef _CILK_H
#error "programs ask for OpenCilk like this"
#endif
void zero_i(void *v);
void plus_i(void *l, void *r);
void zero_i(void *v) { *(int *)v = 0; }
void plus_i(void *l, void *r) { *(int *)l += *(int *)r; }
typedef int cilk_reducer(zero_i, plus_i) add_reducer;
int cilk_reducer(zero_i, plus_i) global = 100;
extern int cilk_reducer(zero_i, plus_i) global;
struct pair {
  int _Hyperobject(zero_i, plus_i) sum;
  int other;
};
static void walk(int depth, int cilk_reducer(zero_i, plus_i) *count) {
  if (depth == 0) {
    ++*count;
    return;
  }
  cilk_spawn walk(depth - 1, count);
  walk(depth - 1, count);
  cilk_sync;
}
int main(void) {
  int cilk_reducer(zero_i, plus_i) sum = 7;
  int i;
  add_reducer typed = 3;
  struct pair pair = {1, 2};
  int *view;
  cilk_for (i = 0; i < 10; i++) {
    sum += i;
    typed += 1;
    pair.sum += i;
    global -= 1;
  }
  walk(6, &global);
  __cilkrts_reducer_register(&sum, sizeof sum, zero_i, plus_i);
  view = (int *)__hyper_lookup(&sum, sizeof sum, zero_i, plus_i);
  *view += 1000;
  __cilkrts_reducer_unregister(&sum);
  cilk_scope {
    cilk_spawn walk(2, &typed);
  }
  printf("%d %d %d %d\n", sum, typed, pair.sum, global);
  return 0;
}
EOC
cp sum.c sum.cc
wants '1052 17 46 154'
prints sum.c gnu89 c99 c11 c2x
prints sum.cc c++98 c++11 c++17 c++20

cat >classes.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <cilk/ostream_reducer.h>
#include <iomanip>
#include <iostream>
#include <vector>
template <typename T> static void empty(void *v) { new (v) std::vector<T>; }
template <typename T> static void concatenate(void *l, void *r) {
  auto *left = static_cast<std::vector<T> *>(l), *right = static_cast<std::vector<T> *>(r);
  left->insert(left->end(), right->begin(), right->end());
  right->~vector();
}
static void fizz(int n, cilk::ostream_reducer<char> &out) {
  if (n > 0) {
    cilk_spawn fizz(n - 1, out);
    out << n << ' ';
    cilk_sync;
  }
}
int main() {
  cilk::opadd_reducer<double> sum = 0.5;
  std::vector<int> cilk_reducer(empty<int>, concatenate<int>) order;
  cilk_for (int i = 0; i < 8; i++) {
    sum += i;
    order.push_back(i * i);
  }
  cilk::ostream_reducer<char> out(std::cout);
  out << sum << '\n';
  cilk_for (std::size_t i = 0; i < 8; i++)
    out << std::setw(3) << i * i;
  for (std::size_t i = 0; i < order.size(); i++)
    if (order[i] != int(i * i)) out << "wrong";
  out << std::endl;
  fizz(4, out);
  out << '\n';
  auto *heap = new cilk::ostream_reducer<char>(std::cout);
  *heap << "heap\n";
  delete heap;
  return 0;
}
EOC
wants 28.5 '  0  1  4  9 16 25 36 49' '1 2 3 4 ' heap
prints classes.cc c++11 c++17 c++20
cat >holder.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/holder>
#include <cilk/opadd_reducer>
#include <cstdio>
int main() {
  cilk::opadd_reducer<int> sum = 0;
  cilk::holder<int> last;
  cilk_for (int i = 0; i < 10; i++) { last = i; sum += last; }
  std::printf("%d\n", sum);
}
EOC
wants 45
prints holder.cc c++11 c++20
# Statements without a call can be spawned, and the compiler knows reducers without a header.
cat >statements.c <<'EOC'
#include <stdio.h>
static void zero(void *v) { *(int *)v = 0; }
static void plus(void *l, void *r) { *(int *)l += *(int *)r; }
static int same(int i) { return i; }
static int x[4];
int main(void) {
  struct { int n; } one = {5}, *p = &one;
  int _Hyperobject(zero, plus) sum = 3;
  _Cilk_spawn x[0]++;
  _Cilk_spawn ++x[1];
  _Cilk_spawn x[same(2)]--;
  _Cilk_spawn p->n++;
  _Cilk_sync;
  _Cilk_for (int i = 0; i < 10; i++) sum += i;
  printf("%d %d %d %d %d\n", x[0], x[1], x[2], p->n, sum);
  return 0;
}
EOC
wants '1 1 -1 6 48'
prints statements.c c99 c2x
# With -fopencilk no keyword needs the header, which may be included all the same.
cat >bare.cc <<'EOC'
#ifdef HEADER
#include <cilk/cilk.h>
#endif
#include <cstdio>
struct loud { ~loud() { std::puts("deleted"); } };
static void zero(void *v) { *(int *)v = 0; }
static void plus(void *l, void *r) { *(int *)l += *(int *)r; }
int main() {
  int cilk_reducer(zero, plus) sum = 1;
  loud *made = new loud;
  cilk_scope { cilk_spawn delete made; }
  cilk_for (int i = 0; i < 5; i++) sum += i;
  cilk_sync;
  std::printf("%d\n", sum);
}
EOC
wants deleted 11
file=bare.cc
for options in -fopencilk '-fopencilk -fcilkprof=count' '-fopencilk -DHEADER'; do
  compiled "$file $options" -O1 $options && run_prints "$file $options"
done
# What is said to the race detector is not heard.
cat >quiet.c <<'EOC'
#include <cilk/cilk.h>
#include <cilk/cilksan.h>
#include <stdio.h>
int main(void) {
  int sum = 0;
  Cilksan_fake_mutex mutex;
  __cilksan_register_lock_explicit(&mutex);
  __cilksan_disable_checking();
  cilk_for (int i = 0; i < 10; i++) {
#ifdef __cplusplus
    Cilksan_fake_lock_guard guard(&mutex);
#else
    __cilksan_acquire_lock(&mutex);
#endif
    __atomic_fetch_add(&sum, i, __ATOMIC_RELAXED); /* the lock is a fake */
#ifndef __cplusplus
    __cilksan_release_lock(&mutex);
#endif
  }
  __cilksan_begin_atomic();
  __cilksan_end_atomic();
  __cilksan_enable_checking();
  __cilksan_unregister_lock_explicit(&mutex);
  printf("%d %d\n", sum, __cilksan_is_checking_enabled());
  return 0;
}
EOC
cp quiet.c quiet.cc
wants '45 0'
prints quiet.c c99 c2x
prints quiet.cc c++98 c++20
finish
