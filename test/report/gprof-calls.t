#!/bin/sh
# The calls of every function and of every arc that the real gprof prints are those that the report prints.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

if ! command -v gprof >/dev/null; then
  echo '1..0 # SKIP gprof is not installed'
  exit 0
fi

calls() {
  awk -f "$TOP/test/report/gprof-calls.awk" | sort
}

# compare NAME FILE...: builds the program twice, runs it, and compares what both tools say.
gnu=${CC:-gcc} ours=$BUILD_DIR/bin/cilkprof-cc
compare() {
  program=$1
  shift
  if ! { $gnu -pg -O0 -g -DELISION "$@" -o with-pg && ./with-pg >said 2>&1 &&
    "$ours" -fcilkplus -fcilkprof=count -O0 -g "$@" -o with-cilkprof && ./with-cilkprof >said 2>&1; } \
    2>errors; then
    fail "$program: both programs run" errors
    return
  fi
  gprof -b -p -q with-pg gmon.out | calls >wanted
  "$report" -b -p -q --traditional-columns with-cilkprof cilkprof.out | calls >got
  holds "$program: gprof tells something" test "$(grep -c '^entry .* \(from\|to\) ' wanted)" -ge 4
  comm -23 wanted got >missing
  if [ -s missing ]; then
    { echo 'only gprof:'; cat missing; echo 'only the report:'; comm -13 wanted got; } >said
    fail "$program" said
  else
    pass "$program"
  fi
}

cat >recursion.c <<'END'
static int leaf(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
static int fib(int n) {
  return n < 2 ? leaf(10) : fib(n - 1) + fib(n - 2);
}
static int deep(int n) {
  return n == 0 ? leaf(1000) : deep(n - 1);
}
int unused(void);
int unused(void) {
  return leaf(1);
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 40; i++)
    sum += fib(15) + deep(i) + leaf(20000);
  return sum == 1;
}
END
compare 'recursion' recursion.c

cat >cycles.c <<'END'
static int leaf(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
int odd(int n), a(int n), b(int n), c(int n), d(int n);
int even(int n) {
  leaf(3000);
  return n == 0 ? 1 : odd(n - 1);
}
int odd(int n) {
  return n == 0 ? leaf(5) : even(n - 1);
}
int a(int n) {
  return n <= 0 ? leaf(10) : b(n - 1) + c(n - 2);
}
int b(int n) {
  return n <= 0 ? leaf(20) : c(n - 1) + b(n - 3);
}
int c(int n) {
  return n <= 0 ? d(1) : a(n - 1);
}
int d(int n) {
  return leaf(n) + even(2);
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 30; i++)
    sum += even(i) + a(i / 2) + b(3) + odd(7);
  return sum == 1;
}
END
compare 'cycles of two and of three functions' cycles.c

cat >pointers.c <<'END'
#include <stdlib.h>
typedef int operation(int);
static int work(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
static int twice(int n) {
  return work(n) + work(n);
}
int apply(operation *what, int n);
static int nested(int n) {
  return n <= 0 ? 0 : apply(n % 2 ? nested : twice, n - 1);
}
static operation *const table[] = {work, twice, nested};
int apply(operation *what, int n) {
  return what(n);
}
static int compare(const void *left, const void *right) {
  return work(3) + *(const int *)left - *(const int *)right;
}
int main(void) {
  int sum = 0, numbers[100];
  for (int i = 0; i < 100; i++)
    numbers[i] = i * 37 % 100;
  qsort(numbers, 100, sizeof *numbers, compare);
  for (int i = 0; i < 300; i++)
    sum += table[i % 3](i) + apply(table[i % 2], 2000);
  return sum == 1;
}
END
compare 'function pointers' pointers.c

cat >first.c <<'END'
int second(int n);
static int same(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
int first(int n) {
  return n == 0 ? same(500) : second(n - 1);
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += first(i) + same(10000);
  return sum == 1;
}
END
cat >second.c <<'END'
int first(int n);
static int other(int n) {
  volatile int sum = n;
  return sum + 1;
}
int second(int n) {
  return n == 0 ? other(1) : first(n - 1) + other(2);
}
END
compare 'several files' first.c second.c

cat >spawns.c <<'END'
#ifdef ELISION
#define cilk_spawn
#define cilk_sync
#else
#include <cilk/cilk.h>
#endif
static int leaf(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
static int fib(int n) {
  if (n < 2)
    return leaf(100);
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}
static int both(int n);
static int half(int n) {
  int a = cilk_spawn both(n / 2);
  int b = leaf(n);
  cilk_sync;
  return a + b;
}
static int both(int n) {
  return n == 0 ? leaf(1) : half(n) + half(n / 3);
}
int main(void) {
  int sum = fib(18) + both(1000);
  return sum == 1;
}
END
compare 'spawns' spawns.c

cat >shapes.cc <<'END'
struct Shape {
  virtual ~Shape() {}
  virtual int area(int n) const = 0;
  int twice(int n) const { return area(n) + area(n); }
};
template <int sides> struct Regular : Shape {
  int area(int n) const override {
    volatile int sum = 0;
    for (int i = 0; i < n * sides; i++)
      sum += i;
    return sum;
  }
};
struct Group : Shape {
  const Shape &a, &b;
  Group(const Shape &x, const Shape &y) : a(x), b(y) {}
  int area(int n) const override { return a.area(n) + b.twice(n); }
};
namespace {
int total(const Shape &shape, int n) { return n == 0 ? 0 : shape.area(n) + total(shape, n - 1); }
} // namespace
int main() {
  Regular<3> triangle;
  Regular<4> square;
  Group inner(triangle, square), outer(inner, inner);
  int sum = 0;
  for (int i = 0; i < 50; i++)
    sum += total(outer, 20) + square.twice(i);
  return sum == 1;
}
END
gnu=${CXX:-g++} ours=$BUILD_DIR/bin/cilkprof-c++
compare 'virtual functions and templates' shapes.cc

"$report" -b -q --no-demangle with-cilkprof cilkprof.out >got
holds 'a constructor is one function, whichever of its symbols is called' grep -q ' 2/2 *_ZN5ShapeC[12]Ev \[' got
holds 'also by its own name' sh -c '! grep -q "_ZN5GroupC[12]E[^ ]*$" got'

finish
