#!/bin/sh
# Calls of functions that cannot spawn: most are counted and not followed.  Programs see no difference, counts of calls are
# exact, and the time divides among the sites inside as where all calls are followed (CILKPROF_FOLLOW).
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# counts: how often each call was made.  Calls by code without instrumentation are estimated, and left out; so are those of
# signal handlers, which are only counted where they interrupt counted code.
counts() {
  sed 's/, /;/g' sites.csv | awk -F, 'NR > 1 && $4 != "entry" && $4 != "serial" && $5 !~ /^handler/ {
    print $1, $2, $3, $4, $5, $6, $15 }' | sort
}

# A walk of a tree in a cilk_for: recursion, a leaf, and calls below each other.
cat >walk.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
struct box { float low, high; struct box *left, *right; };
static struct box boxes[4096];
static int used;
static struct box *build(float low, float high, int depth) {
  struct box *box = &boxes[used++];
  *box = (struct box){low, high, NULL, NULL};
  if (depth) {
    float middle = low + (high - low) * 0.4f;
    box->left = build(low, middle, depth - 1);
    box->right = build(middle, high, depth - 1);
  }
  return box;
}
__attribute__((noinline)) static int inside(const struct box *box, float x) { return x >= box->low && x <= box->high; }
__attribute__((noinline)) static int walk(const struct box *box, float x) {
  if (!inside(box, x)) return 0;
  return box->left ? walk(box->left, x) + walk(box->right, x) : 1;
}
int main(int argc, char **argv) {
  int n = atoi(argv[argc - 1]), sum = 0;
  int *out = calloc((size_t)n, sizeof *out);
  struct box *root = build(0, 1, 10);
  cilk_for (int i = 0; i < n; i++) out[i] = walk(root, (float)(i % 997) / 997);
  for (int i = 0; i < n; i++) sum += out[i];
  printf("%d\n", sum);
  return 0;
}
END
for level in -O0 "-O2 -flto" ${LONG:+-O2}; do
  compile $level -fcilkprof=hybrid walk.c -o walk
  both "walk $level" walk 20000
done
compile -O2 -fcilkprof=count walk.c -o walk-count
profile walk-count 20000
counts >count-counts
compile -O2 -fcilkprof=hybrid walk.c -o walk
profile walk 20000
counts >counted-counts
same 'count mode counts the same' count-counts counted-counts
# The share of each site in the work of the walk, in percent, as where all calls are followed.
shares() {
  awk -F, 'NR > 1 && $5 == "walk" || $6 == "walk" { work[$5 ">" $6 $3] = $16; sum += $16 }
    END { for (site in work) printf "%s %.1f\n", site, 100 * work[site] / sum }' sites.csv | sort
}
shares >counted
CILKPROF_FOLLOW=1 profile walk 20000
shares >followed
paste -d' ' counted followed >together
holds 'shares of sites differ by at most 3 points' awk '{ d = $2 - $4; if (d > 3 || d < -3) exit 1 } END { exit !NR }' together
# It is for speed: most of the events are gone.
if command -v valgrind >/dev/null && [ -z "$RUN" ]; then
  for follow in 0 1; do
    CILKPROF_FOLLOW=$follow CILKPROF_OUT=none valgrind --tool=callgrind --callgrind-out-file=/dev/null ./walk 20000 2>&1 |
      sed -n 's/,//g; s/.*Collected : //p' >instructions.$follow
  done
  true_that 'counted calls run less than half of the instructions' "2 * $(cat instructions.0) < $(cat instructions.1)"
fi

# Serial functions call one by a pointer that spawns after all: all spawns are there, and the work.
cat >after-all.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
__attribute__((noinline)) static int leaf(int n) { int s = 0; for (int i = 0; i < n; i++) s ^= i * n; return s; }
__attribute__((noinline)) static int spawns(int n) { int a = cilk_spawn leaf(n); int b = leaf(n + 1); cilk_sync; return a + b; }
__attribute__((noinline)) static int calls(int n) { return leaf(n) + leaf(n / 2); }
static int (*volatile function)(int) = calls;
__attribute__((noinline)) static int apply(int n) { return function(n) + leaf(3); }
__attribute__((noinline)) static int outer(int n) { return apply(n) + 1; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3000; i++) { if (i == 1500) function = spawns; if (i == 2500) function = calls; sum += outer(i % 50); }
  int a = cilk_spawn outer(7);
  sum += outer(9);
  cilk_sync;
  printf("%d\n", sum + a);
  return 0;
}
END
compile -O2 -fcilkprof=hybrid after-all.c -o after-all
CILKPROF_FOLLOW=1 profile after-all
followed=$(whole Spawns)
profile after-all
equal 'a function that spawns after all: its spawns' "$followed" "$(whole Spawns)"
equal 'and what is computed' "$(cat after-all.stdout)" "$(CILKPROF_FOLLOW=1 CILKPROF_OUT=other $RUN ./after-all)"

# Control leaves counted code otherwise than by a return.
cat >leaves.cc <<'END'
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
static jmp_buf target;
static volatile sig_atomic_t signals;
__attribute__((noinline)) static int leaf(int n) { return n * 7 % 13; }
static void handler(int) { signals = signals + leaf(14) + 1; }
__attribute__((noinline)) static int throws(int n) { if (n % 5 == 0) throw std::runtime_error("five"); return leaf(n); }
__attribute__((noinline)) static int jumps(int n) { if (n % 7 == 0) longjmp(target, n + 1); return leaf(n); }
__attribute__((noinline)) static int raises(int n) { if (n % 11 == 0) raise(SIGUSR1); return leaf(n); }
__attribute__((noinline)) static int forks(int n) {
  if (n % 40) return leaf(n);
  int status;
  pid_t child = fork();
  if (!child) _exit(leaf(3));
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}
__attribute__((noinline)) static int catches(int n) { try { return throws(n); } catch (const std::exception &e) { return -1; } }
__attribute__((noinline)) static int below(int n) { return n ? below(n - 1) + leaf(n) : throws(5); }
__attribute__((noinline)) static int exits(int n) { if (n == 90) exit(3); return leaf(n); }
struct Guard { int *to; ~Guard() { *to += leaf(1); } };
int main() {
  int sum = 0;
  signal(SIGUSR1, handler);
  for (int i = 1; i < 200; i++) {
    try { Guard guard{&sum}; sum += throws(i); } catch (const std::runtime_error &) { sum += 2; }
    try { sum += below(i % 9); } catch (const std::runtime_error &) { sum += 3; }
    sum += catches(i) + raises(i) + forks(i);
  }
  for (volatile int i = 1; i < 200; i++)
    if (!setjmp(target)) sum += jumps(i); else sum += 5;
  std::thread other([&] { int own = 0; for (int i = 1; i < 500; i++) own += catches(i); sum += own; });
  other.join();
  std::printf("%d %d\n", sum, (int)signals);
  std::fflush(stdout);
  for (int i = 0; i < 100; i++) sum += exits(i);
  return 0;
}
END
c++ -fcilkplus -O2 -fcilkprof=hybrid leaves.cc -o leaves -pthread >compiler-said 2>&1 || give_up 'c++ leaves.cc' compiler-said
both 'exceptions, jumps, signals, fork, threads, exit' leaves

# How sure the times are: a call is long once in 29 times, so few calls of the sample say what share the rest has.
cat >uneven.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
static volatile long sum;
__attribute__((noinline)) static void light(long i) { sum += i; }
__attribute__((noinline)) static void heavy(long i) { for (long k = 0; k < 2000; k++) sum += k * i; }
__attribute__((noinline)) static void both(long i) { light(i); if (i * 61 % 29 == 5) heavy(i); }
__attribute__((noinline)) static void each(long from, long to) {
  if (to - from > 1) {
    cilk_spawn each(from, (from + to) / 2);
    each((from + to) / 2, to);
    cilk_sync;
  } else
    both(from);
}
int main(void) { each(0, 100000); printf("%ld\n", sum); return 0; }
END
compile -O2 -fcilkprof=hybrid uneven.c -o uneven
profile uneven
true_that 'most calls were counted' "$(field 'both>light' counted) > 10 * $(field 'both>light' followed)"
true_that 'and each once' "$(field 'both>light' counted) + $(field 'both>light' followed) == 100000"
true_that 'the site of calls that were timed says so' "$(field 'each>both' timed) > 0"
true_that 'the work of the short call is not sure' \
  "$(field 'both>light' on_work_local_error) * 20 > $(field 'both>light' on_work_local_work)"
CILKPROF_FOLLOW=1 CILKPROF_OUT=uneven.all $RUN ./uneven >/dev/null
cilkprof-report --csv uneven uneven.all | tr -d '\r"' >sites.csv
equal 'where all calls are followed nothing is estimated' '0 0' "$(total counted) $(total on_work_local_error)"

# Random programs of three languages.
same_counts() { # FIRST LAST [LANGUAGE]
  "$TOP/test/oracle/counted" "$@"
}
holds 'random programs of Cilk' same_counts 0 5
holds 'random programs of C++' same_counts 0 2 c++
holds 'random programs of OpenMP' same_counts 0 4 openmp
finish
