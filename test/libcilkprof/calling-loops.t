#!/bin/sh
# Serial loops that call functions, in functions that are followed: most iterations run in a body without events.  Programs
# see no difference, however they leave such a loop; counts of calls are exact, and most of the events are gone.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
. "$TOP/test/libcilkprof/counted.sh"

# All ways to leave a loop; loops of no iteration and of one; loops in loops; callees by pointers; a child before the loop.
cat >ways.c <<'END'
#include <cilk/cilk.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static volatile long zero;
static jmp_buf away;
__attribute__((noinline)) static long small(long i) { return (i * 7 + zero) % 13; }
__attribute__((noinline)) static long calls(long i) { return small(i) + (i % 3 ? small(i + 1) : 0); }
__attribute__((noinline)) static long jumps(long i) { if (i == 777) longjmp(away, 1); return small(i); }
static long (*volatile chosen[2])(long) = {small, calls};
__attribute__((noinline)) static long by_pointer(long i) { return chosen[i & 1](i); }
__attribute__((noinline)) static long leaves_by_break(long n, long last) {
  long s = cilk_spawn small(n);
  for (long i = 0; i < n; i++) { s += calls(i); if (i == last) break; s ^= small(s & 1023); }
  cilk_sync;
  return s;
}
__attribute__((noinline)) static long leaves_by_return(long n, long last) {
  long s = cilk_spawn small(n), t = 0;
  cilk_sync;
  while (1) { t += small(t + n); if (t > last) return s + t; if (n > 100000) goto out; n++; }
out:
  return s - t;
}
__attribute__((noinline)) static long nested(long n) {
  long s = cilk_spawn calls(n);
  cilk_sync;
  for (long i = 0; i < n; i++) {
    if (i % 5 == 2) continue;
    for (long k = 0; k < i % 7; k++) s += calls(k + i);
    s ^= by_pointer(i);
  }
  for (long i = 0; i < n; i++) s ^= chosen[i & 1](i);
  for (long i = 0; i < n; i++) for (long k = 0; k < 3; k++) s += small(i * k);
  return s;
}
__attribute__((noinline)) static long children_around(long n) {
  long s = 0, parts[4];
  for (int k = 0; k < 4; k++) {
    parts[k] = cilk_spawn calls(n + k);
    for (long i = 0; i < n; i++) s += small(i ^ k);
  }
  cilk_sync;
  return s + parts[0] + parts[1] + parts[2] + parts[3];
}
__attribute__((noinline)) static long recursive(long n) {
  long s = 0;
  if (n < 3) return calls(n);
  long a = cilk_spawn recursive(n - 1);
  for (long i = 0; i < n * 3; i++) s += small(i);
  s += recursive(n - 3);
  for (long i = 0; i < n; i++) s += calls(i);
  cilk_sync;
  return s + a;
}
__attribute__((noinline)) static long jumped(long n) { long s = 0; for (long i = 0; i < n; i++) s += jumps(i); return s; }
int main(int argc, char **argv) {
  long n = atol(argv[argc - 1]), s = 0;
  for (long i = 0; i < 300; i++) s += leaves_by_break(i % 40, i % 23) + leaves_by_break(0, 0) + leaves_by_break(1, 5);
  s += leaves_by_break(n, n / 2) + leaves_by_break(n, n) + leaves_by_return(1, n);
  s += nested(n / 4) + children_around(n / 8) + recursive(12);
  if (!setjmp(away)) s += jumped(n); else s += 17;
  for (long i = 0; i < n; i++) s ^= calls(i);
  printf("%ld\n", s);
  fflush(stdout);
  for (long i = 0; i < n; i++) { s += small(i); if (i == n - 9) exit(4); }
  return 0;
}
END
for options in -O1 "-O2 -flto" -O3 ${LONG:+-O2 "-O2 -g -fPIE" "-O2 -fno-tree-ch"}; do
  compile $options -fcilkprof=hybrid ways.c -o ways
  both "ways $options" ways 20000
done
compile -O2 -fcilkprof=hybrid ways.c -o ways
profile ways 20000
equal 'the loops have no rows of their own' 0 "$(awk -F, '$4 == "serial" && $15 == 0' sites.csv | wc -l)"

# A recursion that calls itself in such a loop, and a function that seldom spawns: counted code may reach them in one
# stretch, and then nobody knows by which call.
cat >recursion.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
__attribute__((noinline)) static long small(long i) { return i * 7 % 13; }
__attribute__((noinline)) static long recursive(long n) {
  long s = 0;
  if (n < 3) return small(n);
  long a = cilk_spawn recursive(n - 1);
  for (long i = 0; i < n * 3; i++) s += i == n ? recursive(n - 3) : small(i);
  cilk_sync;
  return s + a;
}
__attribute__((noinline)) static long spawns(long n) { long a = cilk_spawn small(n); long b = small(n + 1); cilk_sync; return a + b; }
__attribute__((noinline)) static long seldom(long n) { if (n % 900 < 890) return small(n); return spawns(n); }
int main(void) {
  long s = recursive(16);
  for (long i = 0; i < 9000; i++) s += seldom(i);
  printf("%ld\n", s);
  return 0;
}
END
# entries: how often each function was entered, by whatever call.
entries() {
  awk -F, 'NR > 1 && $4 != "serial" { calls[$6] += $15 } END { for (callee in calls) print callee, calls[callee] }' sites.csv | sort
}
compile -O2 -fcilkprof=hybrid recursion.c -o recursion
CILKPROF_FOLLOW=1 profile recursion
said=$(cat recursion.stdout) entered=$(entries)
profile recursion
equal 'recursion, and spawns that are rare: what the program says' "$said" "$(cat recursion.stdout)"
equal 'recursion, and spawns that are rare: how often each function was entered' "$entered" "$(entries)"

# Functions that spawn after all: from some iteration on, and in every second one.
cat >after-all.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
__attribute__((noinline)) static long leaf(long n) { long s = 0; for (long i = 0; i < n % 9; i++) s ^= i * n; return s; }
__attribute__((noinline)) static long spawns(long n) { long a = cilk_spawn leaf(n); long b = leaf(n + 1); cilk_sync; return a + b; }
__attribute__((noinline)) static long calls(long n) { return leaf(n) + leaf(n / 2); }
static long (*volatile table[2])(long) = {calls, spawns};
__attribute__((noinline)) static long by_pointer(long n, int which) { return table[which](n); }
__attribute__((noinline)) static long all(long n) {
  long s = cilk_spawn leaf(n);
  for (long i = 0; i < n; i++) s += by_pointer(i, i >= 2100 && i < 2105) + leaf(i);
  for (long i = 0; i < n; i++) s += by_pointer(i, i & 1);
  cilk_sync;
  return s;
}
int main(void) { printf("%ld\n", all(4000) + all(300) + all(4000)); return 0; }
END
compile -O2 -fcilkprof=hybrid after-all.c -o after-all
both 'functions that spawn after all' after-all

# Exceptions that are caught in the iteration, outside of the loop, and outside of its function; objects with destructors.
cat >throws.cc <<'END'
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>
static volatile long zero;
struct Guard { long &to; explicit Guard(long &t) : to(t) {} ~Guard(); };
__attribute__((noinline)) Guard::~Guard() { to++; }
__attribute__((noinline)) static long small(long n) { if (n % 50 == 7) throw std::runtime_error("seven"); return (n * 3 + zero) % 17; }
template <typename Value> __attribute__((noinline)) static Value sum_of(const std::vector<Value> &values, long last) {
  Value s = cilk_spawn small(1);
  for (const Value &each : values) {
    Guard guard(s);
    try { s += small(each); } catch (const std::exception &) { s += 2; }
    if (each == last) throw last;
    s += small(each % 7);
  }
  cilk_sync;
  return s;
}
__attribute__((noinline)) static long caught_outside(long n) {
  long s = cilk_spawn small(2), last = 0;
  try { for (long i = 0; i < n; i++) { s += small(i % 7); last = i; if (i == n / 2) s += small(7); } }
  catch (const std::runtime_error &) { s += last; }
  for (long i = 0; i < n; i++) s += small(i % 7);
  cilk_sync;
  return s;
}
int main(int argc, char **argv) {
  long n = std::atol(argv[argc - 1]), s = 0;
  std::vector<long> values;
  for (long i = 0; i < n; i++) values.push_back(i);
  for (long round = 0; round < 4; round++)
    try { s += sum_of(values, n - 3 * round); } catch (long last) { s += last; }
  s += caught_outside(n) + caught_outside(3) + caught_outside(n);
  std::printf("%ld\n", s);
  return 0;
}
END
for options in -O1 -O2 -O3; do
  in_turn 3 || continue
  c++ -fcilkplus $options -fcilkprof=hybrid throws.cc -o throws >compiler-said 2>&1 || give_up 'c++ throws.cc' compiler-said
  both "exceptions $options" throws 5000
done

# Threads of the program's own are in the same loops.  They are not recorded, and do not change what is known of these.
cat >threads.cc <<'END'
#include <cilk/cilk.h>
#include <cstdio>
#include <thread>
#include <vector>
static volatile long zero;
__attribute__((noinline)) static long small(long i) { return (i * 7 + zero) % 13; }
__attribute__((noinline)) static long loops(long n) {
  long s = cilk_spawn small(n);
  cilk_sync;
  for (long i = 0; i < n; i++) s += small(s ^ i);
  for (long k = 0; k < n / 4; k++) for (long i = 0; i < (k & 3); i++) s += small(s ^ i);
  return s;
}
int main() {
  std::vector<long> r(4);
  std::vector<std::thread> t;
  for (int k = 0; k < 4; k++) t.emplace_back([&r, k] { for (int j = 0; j < 200; j++) r[k] += loops(1000 + k); });
  long s = 0;
  for (int j = 0; j < 200; j++) s += loops(1000);
  for (auto &e : t) e.join();
  printf("%ld %ld %ld %ld %ld\n", s, r[0], r[1], r[2], r[3]);
}
END
c++ -fcilkplus -O2 -fcilkprof=hybrid threads.cc -o threads -pthread >compiler-said 2>&1 || give_up 'c++ threads.cc' compiler-said
both 'threads' threads
equal 'threads: the calls of the first one' 274800 "$(awk -F, '$6 ~ /^small/ { calls += $15 } END { print calls }' sites.csv)"

# The shares of calls are those that they have where all is followed: the long call has nearly all of the work.
cat >shares.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
static volatile long sum;
__attribute__((noinline)) static void light(long i) { sum += i; }
__attribute__((noinline)) static void heavy(long i) { for (long k = 0; k < 300; k++) sum += k * i; }
__attribute__((noinline)) static void both_of(long i) { light(i); heavy(i); }
int main(void) { for (long i = 0; i < 100000; i++) { both_of(i); light(i); } printf("%ld\n", sum); return 0; }
END
compile -O2 -fcilkprof=hybrid shares.c -o shares
both shares shares
true_that 'most calls were counted' "$(field 'both_of>heavy' counted) > 10 * $(field 'both_of>heavy' followed)"
true_that 'the long call has most of the time' "$(field 'both_of>heavy' on_work_local_work) > 10 * $(field 'both_of>light' on_work_local_work)"

# Most of the events are gone.
cat >many.c <<'END'
#include <stdio.h>
__attribute__((noinline)) static long small(long i) { return i * 7 % 13; }
__attribute__((noinline)) static long calls(long i) { return small(i) + small(i + 1); }
int main(void) { long s = 0; for (long i = 0; i < 200000; i++) s += calls(s ^ i); printf("%ld\n", s); return 0; }
END
compile -O2 -fcilkprof=hybrid many.c -o many
fewer many many
# A function without constructs that calls one that spawns: it is followed, although it could be counted, and its own loop
# has a second body.
cat >mixed.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
static long values[256];
__attribute__((noinline)) static long leaf(long i) { return values[i & 255] * 3 + i; }
__attribute__((noinline)) static long inner(long i) { return i & 1 ? leaf(i) : leaf(i + 1) + leaf(i + 2); }
__attribute__((noinline)) static long walk(long n) {
  if (n < 2) return n;
  long a = cilk_spawn walk(n - 1);
  long b = walk(n - 2);
  cilk_sync;
  return a + b;
}
__attribute__((noinline)) static long mixed(long n, long k) {
  long sum = walk(4 + k % 3);
  for (long i = 0; i < n; i++) sum += inner(i ^ k);
  return sum;
}
int main(int argc, char **argv) {
  long n = atol(argv[argc - 1]), sum = 0;
  for (long i = 0; i < 256; i++) values[i] = i * i % 17;
  for (long k = 0; k < 20; k++) sum = sum * 5 + mixed(n, k);
  printf("%ld\n", sum);
  return 0;
}
END
for options in -O1 -O2 -O3; do
  in_turn 3 || continue
  compile $options -fcilkprof=hybrid mixed.c -o mixed
  both "mixed $options" mixed 5000
done
compile -O2 -fcilkprof=hybrid mixed.c -o mixed
compile -O2 -fcilkplus=serial mixed.c -o bare
if command -v valgrind >/dev/null && [ -z "$RUN" ]; then
  for program in mixed bare; do
    CILKPROF_OUT=none valgrind --tool=callgrind --callgrind-out-file=/dev/null ./$program 5000 2>&1 |
      sed -n 's/,//g; s/.*Collected : //p' >instructions.$program
  done
  true_that "mixed: fewer instructions than with events ($(cat instructions.mixed), $(cat instructions.bare))" \
    "$(cat instructions.mixed) < 8 * $(cat instructions.bare)"
fi
finish
