#!/bin/sh
# The number of iterations of a cilk_for, which is computed before the loop, and the grain size that is asked for.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

# The number wraps silently, whatever the program's own arithmetic does.
cat >wraps.c <<'EOC'
#include <cilk/cilk.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
static int count;
__attribute__((noinline)) static void add(void) { count++; }
int main(void) {
  volatile long low = LONG_MIN, high = LONG_MAX;
  volatile int least = INT_MIN, most = INT_MAX;
  volatile long long lowest = LLONG_MIN, highest = LLONG_MAX;
  volatile unsigned long all = ULONG_MAX;
  cilk_for (long i = high; i < low; i++) add();
  cilk_for (long i = low; i > high; i--) add();
  cilk_for (long i = high; i <= low; i += 3) add();
  cilk_for (int i = most; i < least; i++) add();
  cilk_for (int i = least; i >= most; i -= 2) add();
  cilk_for (long long i = highest; i < lowest; i++) add();
  cilk_for (unsigned long i = all; i < all; i++) add();
  cilk_for (unsigned long i = all - 1; i > all; i--) add();
  cilk_for (long i = low; i <= low + 2; i++) add();
  cilk_for (long i = high - 2; i < high; i++) add();
  cilk_for (unsigned long i = all - 2; i != all; i++) add();
  printf("%d\n", count);
  return 0;
}
EOC
cp wraps.c wraps.cc
for options in '' -ftrapv '-O2 -ftrapv' '-fsanitize=undefined -fno-sanitize-recover=all' -fwrapv; do
  for file in wraps.c wraps.cc; do
    case $file in *.c) compiler=cc ;; *) compiler=c++ ;; esac
    $compiler $options -fcilkplus -fcilkprof=count $file -o wraps >said 2>&1
    equal "$file $options: no overflow" 7 "$(CILKPROF_OUT=wraps.prof ./wraps 2>&1)"
  done
done

# It is known in both languages: the runtime chooses the same grains.  A grain size that is asked for is taken, in every
# instance of a template, and from members and captures too.
cat >grains.cc <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline, noclone, noipa)) void leaf(long x) { volatile long y = x; for (int i = 0; i < 20; i++) y++; }
static void known(int n) {
  cilk_for (int i = 0; i < n; i++) leaf(i);
  cilk_for (int i = n; i > 0; --i) leaf(i);
  cilk_for (int i = 0; i != n; i += 1) leaf(i);
}
#ifdef __cplusplus
struct S {
  int grain;
  void member(int n) {
#pragma cilk grainsize = grain
    cilk_for (int i = 0; i < n; i++) leaf(i);
  }
  void captured(int n) {
    auto run = [this, n](int more) {
#pragma cilk grainsize = grain + more
      cilk_for (int i = 0; i < n; i++) leaf(i);
    };
    run(0);
  }
};
template <int N, class T> void parameter(T n) {
#pragma cilk grainsize = N
  cilk_for (T i = 0; i < n; i++) leaf(i);
}
#endif
static void variable(int n, int grain) {
#pragma cilk grainsize = grain
  cilk_for (int i = 0; i < n; i++) leaf(i);
#pragma cilk grainsize grain / 2
  cilk_for (int i = 0; i < n; i++) leaf(i);
#pragma cilk grainsize(grain)
  cilk_for (int i = 0; i < n; i++) leaf(i);
#pragma cilk grainsize = grain * 0.5
  cilk_for (int i = 0; i < n; i++) leaf(i);
}
int main(void) {
  known(50000);
  variable(1000, 250);
#ifdef __cplusplus
  S s = {250};
  s.member(1000);
  s.captured(1000);
  parameter<250>(1000);
  parameter<250>(1000L);
  parameter<125>(1000L);
#endif
  return 0;
}
EOC
cp grains.cc grains.c
spans() { # line, span and work of every loop, by instance
  awk -F, '$4 == "loop" { print $2, $9, $8 }' sites.csv | sort
}
for level in -O0 -O2; do
  cc $level -fcilkplus -fcilkprof=count grains.c -o grains
  profile grains
  spans >c.spans
  c++ $level -fcilkplus -fcilkprof=count grains.cc -o grains
  # A comma in a name: only the fields before and behind the names are looked at.
  CILKPROF_OUT=grains.prof ./grains
  cilkprof-report --csv grains grains.prof | sed 's/<[^<>"]*>//g; s/([^()"]*)//g' | tr -d '"\r' >sites.csv
  spans >cc.spans
  equal "$level: loops with a span that is not their work" "$(wc -l <cc.spans)" "$(awk '$2 * 2 < $3' cc.spans | wc -l)"
  awk '$1 < 8' c.spans >wanted
  awk '$1 < 8' cc.spans >got
  same "$level: the same grains in C and C++" wanted got
  awk '$1 > 8 { grains[int($3 / $2 + 0.5)]++ } END { for (n in grains) print n, grains[n] }' cc.spans | sort >got
  printf '4 6\n8 3\n' >wanted
  same "$level: grains that were asked for" wanted got
done
finish
