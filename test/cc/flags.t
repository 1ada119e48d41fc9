#!/bin/sh
# One C++ program with many options of the compiler: it computes what its serial elision does, and its sites and their
# counts are the same with all of them.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >program.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <cstdio>
#include <vector>
#define OUTLINE __attribute__((noinline, noclone))
OUTLINE long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
OUTLINE int checked(int x) {
#ifdef __EXCEPTIONS
  if (x < 0) throw x;
#endif
  return x;
}
struct shape {
  virtual ~shape() {}
  virtual int area() const = 0;
};
struct square : shape {
  int side;
  explicit square(int s) : side(s) {}
  OUTLINE int area() const { return side * side; }
};
template <class T> OUTLINE T twice(const T &x) { return x + x; }
int main() {
  std::vector<int> v(100);
  cilk::reducer_opadd<long> sum;
  long caught = 0;
  cilk_for (int i = 0; i < 100; i++) v[i] = twice(i);
  cilk_for (std::vector<int>::iterator i = v.begin(); i != v.end(); ++i) sum += checked(*i);
  cilk_for (int x : v) sum += twice(x);
  int i = 3;
  auto add = [&](int by) OUTLINE { i += by; };
  cilk_spawn add(4);
  cilk_sync;
  square s(5);
  const shape *any = &s;
  int area = cilk_spawn any->area();
  cilk_sync;
#ifdef __EXCEPTIONS
  try {
    cilk_spawn checked(-7);
    cilk_sync;
  } catch (int x) { caught = x; }
#else
  caught = -7;
#endif
  std::printf("%ld %ld %d %d %ld\n", fib(10), sum.get_value(), i, area, caught);
  return 0;
}
EOC

# The folders that the compiler would look in by itself.
explicit=$(g++ -E -v -x c++ /dev/null 2>&1 | awk '/^End of search/ { on = 0 } on { printf " -isystem %s", $1 } /^#include </ { on = 1 }')
cat >options <<EOL
-fno-exceptions
-fno-rtti
-fPIC
-flto
-fsanitize=address
-fsanitize=undefined
-D_GLIBCXX_DEBUG
-fno-inline
-fno-plt
-fvisibility=hidden
-ffast-math
-g3
-nostdinc$explicit
EOL

g++ -w -std=c++11 -isystem "$BUILD_DIR/lib/cilkprof/include" -include cilk/cilk_stub.h program.cc -o elision
./elision >elision.output
holds 'the elision runs' test -s elision.output

# sites PROGRAM: what has the program's own functions for callees, and the loops.
sites() {
  cilkprof-report --csv "$1" "$1.prof" | sed 's/\[[^]]*\]//g' | awk -F'"' '
    { callee = $8; gsub(/<[^<>]*>/, "", callee); sub(/\(.*/, "", callee); split($3, place, ","); split($9, value, ",") }
    $4 == "loop" || callee ~ /(fib|checked|twice|area|lambda)$/ { calls[place[2] " " $4 " " ($4 == "loop" ? "" : callee)] += value[10] }
    END { for (site in calls) if (calls[site]) print site, calls[site] }' | sort
}

# compiled NUMBER OPTION...: in a folder of its own, or two at a time would mix.
compiled() {
  mkdir "$1" && cp program.cc "$1" && cd "$1" && shift || return
  c++ -w "$@" -fcilkplus -fcilkprof=count program.cc -o program >said 2>&1
  CILKPROF_OUT=program.prof ./program >output 2>>said
  sites program >sites 2>>said
}

# Every standard and every option with one level, or with both when all is to be tried; the standards of these in turn.
for standard in 11 14 17 20; do
  for level in -O0 -O2; do ! in_turn 2 || echo "-std=c++$standard $level"; done
done >tried
turn=0
while read -r option; do
  for level in -O2 ${LONG:+-O0}; do
    echo "-std=c++$((11 + 3 * (turn % 4))) $level $option"
    turn=$((turn + 1))
  done
  [ -z "$LONG" ] || turn=$((turn + 1))
done <options >>tried

number=0
while read -r options; do
  compiled $number $options &
  number=$((number + 1))
  [ $((number % 2)) = 0 ] && wait
done <tried
wait

# Without exceptions there is one call less.
grep -v "^$(awk '/checked\(-7/ { print FNR }' program.cc) " 0/sites >without
number=0
while read -r options; do
  name=${options%% -isystem*}
  same "$name: what it computes" elision.output $number/output
  case $options in *no-exceptions*) wanted=without ;; *) wanted=0/sites ;; esac
  same "$name: its sites" $wanted $number/sites
  number=$((number + 1))
done <tried
holds 'there are sites' test "$(wc -l <0/sites)" -ge 11
finish
