#!/bin/sh
# Functions that decide first of all whether they spawn, called by functions that spawn: calls of them are counted where
# they do not, and those that do are followed as if nothing had been.  Every site has the calls that it made, and no
# function seems to be called by code without instrumentation.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# counts: how often each call was made.
counts() {
  sed 's/, /;/g' sites.csv | awk -F, 'NR > 1 && ($4 == "call" || $4 == "spawn" || $4 == "entry") {
    calls[$1 " " $2 " " $3 " " $4 " " $5 " " $6] += $15 } END { for (site in calls) print site, calls[site] }' | sort
}

# counted LINE: how many calls that the line makes were counted, in percent.
counted() {
  sed 's/, /;/g' sites.csv | awk -F, -v line="$1" '$2 == line && ($4 == "call" || $4 == "spawn") {
    sum += $15; counted += $31 } END { print sum ? int(100 * counted / sum) : 0 }'
}

# line FILE TEXT: the number of the line that has TEXT.
line() {
  grep -nF "$2" "$1" | sed 's/:.*//'
}

cat >guarded.c <<'END'
#include <cilk/cilk.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#define APART __attribute__((noinline))
static long out[100000], handled;
static jmp_buf back;
APART static long few(long i) { if (i == 77777) longjmp(back, 1); return i * 5 % 11; }
APART static void fill(long from, long to) {
  if (to - from <= 64) {
    for (long i = from; i < to; i++) out[i] += few(i);
    return;
  }
  cilk_spawn fill(from, (from + to) / 2);
  fill((from + to) / 2, to);
  cilk_sync;
}
struct big { long values[12]; };
APART static struct big halved(struct big b, long n) {
  if (n < 5) { b.values[n] += few(n); return b; }
  cilk_spawn fill(n, n + 3);
  b.values[0]++;
  cilk_sync;
  return b;
}
static void handler(int signal) { handled += signal; fill(5, 9); fill(50, 200); }
APART static struct big turn(long k, struct big b) {
  cilk_spawn fill(0, 3 + k % 5); /* spawned, always short */
  fill(100, 104 + k % 3); /* always short */
  cilk_sync;
  if (k % 100 == 0) fill(1000, 40000); /* always long */
  fill(200, k % 50 == 7 ? 900 : 220); /* seldom long */
  fill(300, k < 2000 || k % 16 == 0 ? 700 : 310); /* long at first */
  if (k % 500 == 3) raise(SIGUSR1);
  if (setjmp(back) == 0 && k % 300 == 9) fill(77770, 77780); /* left by a jump */
  return halved(b, k % 40 == 0 ? 6 : k % 4); /* with structures */
}
int main(int argc, char **argv) {
  struct big b = {{0}};
  long sum = 0, n = atol(argv[argc - 1]);
  signal(SIGUSR1, handler);
  for (long k = 0; k < n; k++) b = turn(k, b);
  for (long i = 0; i < 100000; i++) sum = sum * 3 + out[i];
  for (long i = 0; i < 12; i++) sum = sum * 5 + b.values[i];
  printf("%ld %ld\n", sum, handled);
  return 0;
}
END
for options in -O0 -O3 "-O2 -flto" ${LONG:+-O1 -O2 "-O2 -fno-optimize-sibling-calls" "-O2 -fPIC"}; do
  compile $options -fcilkprof=hybrid guarded.c -o guarded
  both "guarded $options" guarded 20000
done
compile -O2 -fcilkprof=hybrid guarded.c -o guarded
profile guarded 20000
for case in 'spawned, always short' 'always short' 'seldom long' 'with structures'; do
  true_that "guarded, $case: counted" "$(counted "$(line guarded.c "/* $case")") > 80"
done
true_that 'guarded, long at first: counted later' "$(counted "$(line guarded.c '/* long at first')") > 50"
equal 'guarded, always long: followed' 0 "$(counted "$(line guarded.c '/* always long')")"
equal 'guarded: no call by code without instrumentation' '' \
  "$(awk -F, '$4 == "entry" && $6 != "main" { print $6 }' sites.csv | sort -u)"
if command -v valgrind >/dev/null && [ -z "$RUN" ]; then
  for follow in 0 1; do
    CILKPROF_FOLLOW=$follow CILKPROF_OUT=none \
      valgrind --tool=callgrind --callgrind-out-file=/dev/null ./guarded 1000 2>&1 |
      sed -n 's/,//g; s/.*Collected : //p' >instructions.$follow
  done
  true_that 'guarded: fewer instructions' "$(cat instructions.0) < 0.9 * $(cat instructions.1)"
fi

# A library of templates: small sequences are made, and an exception may leave them.  The function that makes them is
# counted itself, at first: in it, the first one that is long is called by nobody, as far as can be told.
counts() {
  sed 's/, /;/g' sites.csv | awk -F, 'NR > 1 && ($4 == "call" || $4 == "spawn" || $4 == "entry") { calls[$6] += $15 }
    END { for (name in calls) print name, calls[name] }' | sort
}
cat >library.cc <<'END'
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>
template <class F> [[gnu::noinline]] void parallel_for(long from, long to, const F &f, long grain) {
  if (to - from <= grain)
    for (long i = from; i < to; i++) f(i);
  else {
    cilk_spawn parallel_for(from, (from + to) / 2, f, grain);
    parallel_for((from + to) / 2, to, f, grain);
    cilk_sync;
  }
}
template <class T> struct sequence {
  std::vector<T> values;
  template <class F> sequence(long n, const F &f) : values(n) {
    parallel_for(0, n, [&](long i) { values[i] = f(i); }, 100);
  }
};
/* The spawn is in a function that calls this one in turn, by closures that refer to its variables.  */
template <class L, class R> [[gnu::noinline]] void both(const L &left, const R &right) {
  cilk_spawn left();
  right();
  cilk_sync;
}
[[gnu::noinline]] void reverse(long *from, long *to) {
  long n = to - from, half = n / 2;
  if (n < 20) {
    for (long i = 0; i < half; i++) std::swap(from[i], to[-1 - i]);
    return;
  }
  both([&] { for (long i = 0; i < half; i++) std::swap(from[i], to[i - half]); },
       [&] { if (n > 40) reverse(from + 1, from + 1 + n % 3); });
  both([&] { reverse(from, from + half); }, [&] { reverse(to - half, to); });
}
[[gnu::noinline]] long value(long i) {
  if (i % 1000 == 999) throw std::runtime_error("value");
  return i * 3 % 7;
}
[[gnu::noinline]] long count(long k) {
  long sum = 0;
  sequence<long> odd(k % 9, [&](long i) { return value(i + k); });
  sequence<int> even(k % 300 == 0 ? 500 : 4, [&](long i) { return int(i); });
  for (long v : odd.values) sum += v;
  for (int v : even.values) sum += v;
  return sum;
}
[[gnu::noinline]] long caught(long k) {
  try {
    return count(k);
  } catch (const std::exception &) {
    return 1;
  }
}
[[gnu::noinline]] long both_of(long k) {
  long values[100];
  for (long i = 0; i < 100; i++) values[i] = i * k;
  long a = cilk_spawn caught(k);
  long b = caught(k + 1);
  cilk_sync;
  reverse(values, values + (k % 64 == 5 ? 100 : 5 + k % 7));
  return a + b + values[4];
}
int main(int, char **argv) {
  long sum = 0, n = std::atol(argv[1]);
  for (long k = 0; k < n; k++) sum = sum * 3 + both_of(k);
  std::printf("%ld\n", sum);
}
END
for options in -O1 -O2 -O3; do
  in_turn 3 || continue
  compile -x c++ $options -fcilkprof=hybrid library.cc -lstdc++ -o library
  both "library $options" library 3000
  true_that "library $options, in a recursion: counted" "$(counted "$(line library.cc '  reverse(values')") > 80"
done

# A function without constructs decides first of all whether it calls what may spawn.  Nothing is known of it before one
# call has spawned; from then on those that do are followed, as if nothing had been, and the others are still counted.
cat >deciding.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#define APART __attribute__((noinline))
static long out[100000];
APART static long few(long i) { return i * 5 % 11; }
APART static void fill(long from, long to, long grain) {
  if (to - from <= grain) {
    for (long i = from; i < to; i++) out[i] += few(i);
    return;
  }
  cilk_spawn fill(from, (from + to) / 2, grain);
  fill((from + to) / 2, to, grain);
  cilk_sync;
}
APART static long pack(long n) { /* seldom spawns */
  if (n <= 64) {
    long sum = 0;
    for (long i = 0; i < n; i++) sum += few(i);
    return sum;
  }
  long *made = malloc((size_t)n * sizeof *made);
  for (long i = 0; i < n; i++) made[i] = few(i);
  fill(0, n, 64);
  long sum = made[n - 1] + out[n - 1];
  free(made);
  return sum;
}
APART static long checked(long n) { /* mostly passes its guard, and seldom spawns */
  if (n == 0) return 1;
  fill(0, n, 64);
  return out[n - 1];
}
APART static long within(long n) { return pack(n) + checked(n % 500 == 3 ? n + 500 : n % 20); }
int main(int argc, char **argv) {
  long sum = 0, n = atol(argv[argc - 1]);
  for (long k = 0; k < n; k++) {
    sum = sum * 3 + pack(k % 230 == 7 ? 2000 : k % 10); /* decides */
    sum += checked(k % 400 == 9 ? 900 : k % 7);
    sum += within(k % 330 == 11 ? 3000 + k : k % 9);
    cilk_spawn fill(k % 5000, k % 5000 + 2, 64);
    cilk_sync;
  }
  for (long i = 0; i < 100000; i++) sum = sum * 3 + out[i];
  printf("%ld\n", sum);
  return 0;
}
END
for options in -O1 -O2 -O3; do
  in_turn 3 || continue
  compile $options -fcilkprof=hybrid deciding.c -o deciding
  both "deciding $options" deciding 20000
  true_that "deciding $options: counted" "$(counted "$(line deciding.c '/* decides */')") > 80"
  equal "deciding $options: few calls seem to be made by code without instrumentation" '' \
    "$(sed 's/, /;/g' sites.csv | awk -F, '$4 == "entry" && $6 != "main" && $15 > 12 { print $6, $15 }')"
done
finish
