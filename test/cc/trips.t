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
for options in '' '-O2 -ftrapv' '-fsanitize=undefined -fno-sanitize-recover=all' ${LONG:+-ftrapv -fwrapv}; do
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
__attribute__((noinline, noclone, noipa)) void leaf(long x) {
  for (int i = 0; i < 20; i++) __asm__ volatile("" : "+r"(x));
}
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
for level in -O2 ${LONG:+-O0}; do
  cc $level -fcilkplus -fcilkprof=count grains.c -o grains
  profile grains
  spans >c.spans
  c++ $level -fcilkplus -fcilkprof=count grains.cc -o grains
  # A comma in a name: only the fields before and behind the names are looked at.
  CILKPROF_OUT=grains.prof ./grains
  cilkprof-report --csv grains grains.prof | sed 's/<[^<>"]*>//g; s/([^()"]*)//g' | tr -d '"\r' >sites.csv
  spans >cc.spans
  equal "$level: loops with a span that is not their work" "$(wc -l <cc.spans)" "$(awk '$2 * 2 < $3' cc.spans | wc -l)"
  # How many instructions an iteration has may be the language's matter.
  awk '$1 < 8 { printf "%s %.0f\n", $1, $3 / $2 }' c.spans >wanted
  awk '$1 < 8 { printf "%s %.0f\n", $1, $3 / $2 }' cc.spans >got
  same "$level: the same grains in C and C++" wanted got
  awk '$1 > 8 { grains[int($3 / $2 + 0.5)]++ } END { for (n in grains) print n, grains[n] }' cc.spans | sort >got
  printf '4 6\n8 3\n' >wanted
  same "$level: grains that were asked for" wanted got
done

# Of iterators it is their distance, by the class's own operator.  Nothing else is evaluated more often than before, and
# the program computes what its serial elision does.  With one worker a loop of known length is cut into 8.
cat >iterators.cc <<'EOC'
#include <vector>
#include <deque>
#include <list>
#include <cstdio>
#include <cilk/cilk.h>
static int total, ends, distances;
__attribute__((noinline, noclone, noipa)) void leaf(int x) { volatile int y = x; for (int i = 0; i < 20; i++) y++; total += x; }
struct distance_type { long n; operator long() const { return n; } };
struct own { // a random-access iterator that says nothing of itself
  int *p;
  bool operator!=(own o) const { return p != o.p; }
  bool operator<(own o) const { return p < o.p; }
  own &operator++() { ++p; return *this; }
  own operator++(int) { own old = *this; ++p; return old; }
  own &operator+=(int n) { p += n; return *this; }
  distance_type operator-(own o) const { distances++; return {p - o.p}; }
  int &operator*() const { return *p; }
};
struct forward { // has no distance
  int *p;
  bool operator!=(const forward &o) const { return p != o.p; }
  forward &operator++() { ++p; return *this; }
};
struct heavy { // neither copied nor destroyed freely
  int *p;
  static int alive;
  heavy(int *q) : p(q) { alive++; }
  heavy(const heavy &o) : p(o.p) { alive++; }
  ~heavy() { alive--; }
  bool operator!=(const heavy &o) const { return p != o.p; }
  heavy &operator++() { ++p; return *this; }
  friend long operator-(const heavy &a, const heavy &b) { return a.p - b.p; }
};
int heavy::alive;
static int a[2000];
own first() { return {a}; }
own last() { ends++; return {a + 2000}; }
int limit() { ends++; return 2000; }
template <class C> void loops(C &c) {
  cilk_for (auto i = c.begin(); i != c.end(); ++i) leaf(*i); //= 8
  cilk_for (auto i = c.begin(); c.end() != i; i++) leaf(*i); //= 8
  cilk_for (auto i = c.begin(); i < c.end(); i += 2) leaf(*i); //= 8
  cilk_for (auto i = c.rbegin(); i != c.rend(); ++i) leaf(*i); //= 8
  cilk_for (auto &x : c) leaf(x); //= 8
  cilk_for (size_t i = 0; i < c.size(); i++) { if (i == 3) continue; leaf(c[i]); } //= 8
}
int main() {
  for (int i = 0; i < 2000; i++) a[i] = i;
  std::vector<int> v(a, a + 2000);
  std::deque<int> d(a, a + 2000);
  std::list<int> l(a, a + 2000);
  loops(v);
  loops(d);
  cilk_for (own i = first(); i != last(); i++) leaf(*i); //= 8
  cilk_for (own i = first(); i < last(); i += 2) leaf(*i); //= 8
  cilk_for (heavy i = a; i != heavy(a + 2000); ++i) leaf(*i.p); //= 8
  cilk_for (int i = 0; i < limit(); i++) leaf(i); //= 8
  cilk_for (auto i = l.begin(); i != l.end(); ++i) leaf(*i);
  cilk_for (auto i = l.rbegin(); i != l.rend(); ++i) leaf(*i);
  cilk_for (forward i = {a}; i != forward{a + 2000}; ++i) leaf(*i.p);
  printf("%d %d %d %d apart\n", total, ends, heavy::alive, distances);
}
EOC
cat >limits.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
static int total, calls;
__attribute__((noinline, noclone, noipa)) void leaf(int x) { volatile int y = x; for (int i = 0; i < 20; i++) y++; total += x; }
int limit(void) { calls++; return 2000; }
int step(void) { return 2; }
int main(void) {
  static char text[2001];
  int by = 2;
  memset(text, 'x', 2000);
  cilk_for (int i = 0; i < limit(); i++) { if (i % 3) continue; leaf(i); } //= 8
  cilk_for (int i = 2000; i > limit() - 2000; i -= 2) leaf(i); //= 8
  cilk_for (unsigned i = 0; i < strlen(text); i++) leaf(i); //= 8
  cilk_for (char *p = text; p != text + limit(); p++) leaf(*p); //= 8
  cilk_for (char *p = text; p != &text[2000]; p++) leaf(*p); //= 8
  cilk_for (int i = 0; i < (short)(65536 + limit()); i++) leaf(i); //= 8
  cilk_for (int i = 0; i < (short)(65536 + 1000 * by); i++) leaf(i); //= 8
  cilk_for (int i = 0; i < 2000; i += by) leaf(i); //= 8
  cilk_for (int i = 0; i < ({ int n = limit(); n; }); i++) leaf(i);
  cilk_for (int i = 0; i < 2000; i += step()) leaf(i);
  cilk_for (int i = limit(); i < limit(); i++) leaf(i);
  printf("%d %d\n", total, calls);
  return 0;
}
EOC
cp limits.c limits.cc
while read -r file options; do
  [ -n "$file" ] || continue
  case $file in *.c) compiler=cc ;; *) compiler=c++ ;; esac
  awk '/\/\/= 8/ { print FNR }' $file >wanted
  rm -f program elision
  $compiler -w $options -fcilkplus=serial $file -o elision >said 2>&1
  $compiler -w $options -fcilkplus -fcilkprof=count $file -o program >>said 2>&1
  CILKPROF_LOOP_WORKERS=1 CILKPROF_OUT=profile ./program | sed 's/ [0-9]* apart//' >got.output
  ./elision | sed 's/ [0-9]* apart//' >wanted.output
  same "$file $options: what it computes" wanted.output got.output
  cilkprof-report --csv program profile | sed 's/\("[a-z]*"\),"[^"]*","[^"]*",/\1,,,/' |
    awk -F, '$4 ~ /loop/ && $9 && int($8 / $9 + 0.1) == 8 { print $2 }' | sort -nu >got
  same "$file $options: the loops of known length" wanted got
done <<EOL
limits.c -O0
limits.cc -O2
iterators.cc -O0 -std=c++11
iterators.cc -O1 -std=c++20 -D_GLIBCXX_DEBUG
${LONG:+iterators.cc -O2 -std=c++17
iterators.cc -O2 -std=c++20 -fno-exceptions}
EOL
finish
