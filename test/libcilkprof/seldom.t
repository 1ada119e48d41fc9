#!/bin/sh
# Functions that seldom spawn: calls of them are counted as long as they do not, and functions that decide first of all
# whether they spawn run without events where they do not.  Programs see no difference, and no call is lost or counted
# twice.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# counts: how often each function was called.  One that begins to spawn in counted code is called by nobody, as far as can
# be told.
counts() {
  sed 's/, /;/g' sites.csv | awk -F, 'NR > 1 && ($4 == "call" || $4 == "spawn" || $4 == "entry") { calls[$6] += $15 }
    END { for (name in calls) print name, calls[name] }' | sort
}
# counted NAME: how many calls of the function were counted, in percent.
counted() {
  sed 's/, /;/g' sites.csv | awk -F, -v name="$1" '$4 == "call" && index($6, name) == 1 { sum += $15; counted += $31 }
    END { print sum ? int(100 * counted / sum) : 0 }'
}

cat >seldom.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#define APART __attribute__((noinline))
static volatile long sink;
static long entered, grain = 100;
struct pair { long first[5], second; };

APART static void leaf(long i) { sink += i; }
/* Decides first of all, by its parameters and by memory.  */
APART static void divide(long from, long to) {
  if (to - from <= grain) {
    for (long i = from; i < to; i++) leaf(i);
    return;
  }
  cilk_spawn divide(from, (from + to) / 2);
  divide((from + to) / 2, to);
  cilk_sync;
}
/* In a loop, with a structure as its parameter and result.  */
APART static struct pair halve(struct pair p) {
  while (1) {
    if (p.second < grain) { leaf(p.first[3]++); return p; }
    p.second /= 2;
    cilk_spawn leaf(p.second);
    cilk_sync;
  }
}
#ifndef TICK
#define TICK 1
#endif
/* Something happens before the decision, and must not happen twice.  */
APART static long tick(long n) {
  entered += TICK;
  if (n <= grain) { leaf(n); return n; }
  cilk_spawn leaf(n);
  leaf(n + 1);
  cilk_sync;
  return 2 * n;
}
APART static void all(long n) {
  struct pair p = halve((struct pair){{n, n, n, n, n}, n % 50});
  divide(0, n);
  leaf(p.first[3] + (TICK ? tick(n) : n));
}
APART static void some(long n) { all(n); leaf(n); }
int main(void) {
  for (int i = 0; i < 20000; i++)
    some(i == 12000 ? 5000 : i == 15000 ? 3000 : 3 + i % 5);
  printf("%ld %ld\n", sink, entered);
  return 0;
}
END
compile -O2 -fcilkprof=count seldom.c -o counts
profile counts
counts >counts-counts
spawns=$(whole Spawns)
for level in -O0 "-O3 -flto" ${LONG:+-O2}; do
  compile $level -fcilkprof=hybrid seldom.c -o seldom
  both "seldom $level" seldom
  same "seldom $level: count mode counts the same" counts-counts counted-counts
  equal "seldom $level: spawns" "$spawns" "$(whole Spawns)"
done
# Until the first one spawns.
sed -i 's/12000 ? 5000/19000 ? 5000/; s/15000 ? 3000/19500 ? 3000/' seldom.c
compile -O2 -DTICK=0 -fcilkprof=hybrid seldom.c -o seldom
profile seldom
for name in some all divide halve; do
  true_that "most calls of $name are counted" "$(counted $name) > 80"
done
# What a reference run computes.
equal 'without events the program says the same' "$(cat seldom.stdout)" "$(CILKPROF_REFERENCE_TO=took $RUN ./seldom)"

# A parallel loop in the first calls of a function, which are followed: most of its iterations are counted all the same.
cat >loop.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#define APART __attribute__((noinline))
static long out[100000];
APART static long leaf(long i) { return i ^ 5; }
APART static void loop(long n) { cilk_for (long i = 0; i < n; i++) out[i] += leaf(i); }
APART static long all(long n) { loop(n); return out[n / 2]; }
int main(void) {
  long sum = 0;
  for (int i = 0; i < 4; i++) sum += all(100000);
  printf("%ld\n", sum);
  return 0;
}
END
compile -O2 -fcilkprof=hybrid loop.c -o loop
both 'a parallel loop' loop
if command -v valgrind >/dev/null && [ -z "$RUN" ]; then
  for follow in 0 1; do
    CILKPROF_FOLLOW=$follow CILKPROF_OUT=none valgrind --tool=callgrind --callgrind-out-file=/dev/null ./loop 2>&1 |
      sed -n 's/,//g; s/.*Collected : //p' >instructions.$follow
  done
  true_that 'it runs less than half of the instructions' "2 * $(cat instructions.0) < $(cat instructions.1)"
fi

# Functions that recur in turns, of which one spawns.
cat >turns.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#define APART __attribute__((noinline))
long spawning(int n), between(int n), last(int n);
APART long spawning(int n) {
  if (n < 2) return n;
  long x = cilk_spawn between(n - 1), y = between(n - 2);
  cilk_sync;
  return x + y;
}
APART long between(int n) { return last(n) + 1; }
APART long last(int n) { return spawning(n) - 1; }
int main(void) {
  printf("%ld\n", spawning(18));
  return 0;
}
END
compile -O2 -fcilkprof=hybrid turns.c -o turns
both 'in turns' turns

# Templates, references, exceptions.
cat >templates.cc <<'END'
#include <cilk/cilk.h>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
#define APART __attribute__((noinline))
template <typename F> APART void parallel_for(size_t from, size_t to, F &&f, long grain) {
  if (grain == 0)
    cilk_for (size_t i = from; i < to; i++) f(i);
  else if (to - from <= (size_t)grain)
    for (size_t i = from; i < to; i++) f(i);
  else {
    size_t middle = from + (to - from) / 2;
    cilk_spawn parallel_for(from, middle, f, grain);
    parallel_for(middle, to, f, grain);
    cilk_sync;
  }
}
template <typename T> struct sequence {
  std::vector<T> values;
  template <typename F> APART sequence(size_t n, F f) : values(n) {
    parallel_for(0, n, [&](size_t i) { values[i] = f(i); }, 64);
  }
};
APART static double distance(const sequence<double> &a, const sequence<double> &b) {
  sequence<double> d(a.values.size(), [&](size_t i) { return a.values[i] * b.values[i]; });
  double sum = 0;
  for (double each : d.values) sum += each;
  if (sum > 3e6) throw std::runtime_error("too far");
  return sum;
}
APART static std::string name(size_t n) {
  sequence<char> text(n, [](size_t i) { return (char)('a' + i % 26); });
  return std::string(text.values.begin(), text.values.end());
}
int main() {
  double sum = 0;
  size_t letters = 0, thrown = 0;
  for (int i = 0; i < 5000; i++) {
    size_t n = i == 3000 ? 1000 : 3;
    sequence<double> a(n, [&](size_t k) { return (double)(k + i); });
    sequence<double> b(n, [&](size_t k) { return (double)(i % 700 == 6 ? 4000 : 2 * k); });
    try {
      sum += distance(a, b);
    } catch (const std::exception &) {
      thrown++;
    }
    letters += name(4 + i % 3).size();
  }
  printf("%.0f %zu %zu\n", sum, letters, thrown);
}
END
compile -x c++ -O2 -fcilkprof=hybrid templates.cc -o templates
both 'templates' templates
compile -x c++ -O2 -fcilkprof=count templates.cc -o counts
profile counts
spawns=$(whole Spawns)
profile templates
equal 'templates: spawns' "$spawns" "$(whole Spawns)"

# OpenMP: a function that makes tasks only for large pieces.
cat >tasks.c <<'END'
#include <stdio.h>
#define APART __attribute__((noinline))
static volatile long sink;
APART static void leaf(long i) { sink += i; }
APART static void divide(long from, long to) {
  if (to - from <= 50) {
    for (long i = from; i < to; i++) leaf(i);
    return;
  }
#pragma omp task
  divide(from, (from + to) / 2);
  divide((from + to) / 2, to);
#pragma omp taskwait
}
APART static void all(long n) { leaf(n); divide(0, n); }
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8000; i++) all(i == 5000 ? 4000 : 5);
  printf("%ld\n", sink);
  return 0;
}
END
compile -O2 -fopenmp -fcilkprof=hybrid tasks.c -o tasks
both 'tasks' tasks

# Parallel loops: their iterations run without events until one spawns.  After that they are followed.
cat >iterations.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#define APART __attribute__((noinline))
static volatile long sink;
APART static void leaf(long i) { sink += i; }
APART static void divide(long from, long to) {
  if (to - from <= 50) {
    for (long i = from; i < to; i++) leaf(i);
    return;
  }
  cilk_spawn divide(from, (from + to) / 2);
  divide((from + to) / 2, to);
  cilk_sync;
}
APART static void rest(long n) { divide(0, n); }
APART static void row(long large) {
  for (long i = 0; i < 40; i++) divide(0, i == large ? 300 : 3);
}
APART static long iterate(long n, long large) {
  long met = 0;
  cilk_for (long i = 0; i < n; i++) {
    divide(0, i == large ? 300 : 7);
    if (i % 3 == 0) continue;
    rest(i % 40);
    if (i == large) met++;
  }
  return met;
}
int main(int argc, char **argv) {
  for (long i = 0; i < 60; i++) row(argc > 1 && i == 50 ? 20 : -1);
  long met = iterate(20000, argc > 1 ? 16000 : -1);
  printf("%ld %ld\n", met, sink);
  return 0;
}
END
compile -O2 -fcilkplus -fcilkprof=hybrid iterations.c -o iterations
profile iterations
true_that 'iterations are counted although what they call may spawn' "$(counted leaf) > 80"
both 'iterations' iterations
profile iterations large
true_that 'until one of them spawns' "$(counted leaf) > 50"
both 'iterations, one of which spawns' iterations large

# A function in a recursion that spawns nearly always does, too: it does not look whether its call is counted.
cat >recursion.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#define APART __attribute__((noinline))
static long walk(long n);
static volatile long sink;
APART static long step(long n) { sink += n; return walk(n) + 1; }
APART static long walk(long n) {
  if (n <= 0) return 1;
  long a = cilk_spawn step(n - 1);
  long b = step(n - 1);
  cilk_sync;
  return a + b;
}
int main(int argc, char **argv) { printf("%ld\n", step(argc > 1 ? atol(argv[1]) : 12)); return 0; }
END
# recursion_instructions MODE: how many are executed for 8,192 more calls of each function.
recursion_instructions() {
  compile -O2 -fcilkplus -fcilkprof="$1" recursion.c -o "recursion-$1"
  for depth in 12 13; do
    CILKPROF_OUT=none valgrind --tool=callgrind --callgrind-out-file=/dev/null "./recursion-$1" $depth 2>&1 |
      sed -n 's/,//g; s/.*Collected : //p'
  done | xargs | awk '{ print $2 - $1 }'
}
if command -v valgrind >/dev/null && [ -z "$RUN" ]; then
  true_that 'a recursion that spawns takes few instructions more than in count mode' \
    "10 * $(recursion_instructions hybrid) < 11 * $(recursion_instructions count)"
fi
finish
