#!/bin/sh
# Names of C++ in the report: brief, as long as they tell functions apart.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/tap.sh"

PATH=$BUILD_DIR/lib/cilkprof/bin:$BUILD_DIR/bin:$PATH
cat >names.cc <<'EOC'
#include <cilk/cilk.h>
#include <functional>
#include <vector>
#define KEPT __attribute__((noinline))
namespace {
template <typename T> struct Tree {
  std::vector<T> items;
  KEPT long walk(long n) const { volatile long s = 0; for (long i = 0; i < n; i++) s = s + i; return s; }
};
template <typename T> KEPT long only(T t) { volatile T u = t; return (long)u; }
}
struct Less {
  KEPT bool operator<(const Less &o) const { return this < &o; }
  KEPT long operator()(long x) const { return x * 3; }
  KEPT Less *operator->() { return this; }
};
template <typename F> KEPT void parallel(long n, F f) { cilk_for (long i = 0; i < n; i++) f(i); }
volatile long sink;
int main() {
  Tree<std::pair<int, std::vector<int>>> pairs;
  Tree<int> numbers;
  Less l, m;
  std::function<long(long)> next = [](long x) { return x + 1; };
  auto kept = [](long x) KEPT { return x ^ 5; };
  parallel(50, [&](long i) { sink = sink + pairs.walk(1000) + l(i) + (l < m) + next(i) + kept(i); });
  sink = sink + numbers.walk(100000) + only(3.5) + (l.operator->() == &l);
  return 0;
}
EOC
c++ -O1 -std=c++11 -fcilkplus -fcilkprof=count names.cc -o names && ./names || give_up 'the program runs'
cilkprof-report -b --sites names | sed -n 's/.* -> //p' | sort -u >got
# has NAME LINE, lacks NAME PATTERN
has() {
  if grep -qxF -e "$2" got; then pass "$1"; else fail "$1" got; fi
}
lacks() {
  if grep -q -e "$2" got; then fail "$1" got; else pass "$1"; fi
}
has 'of a template there is one: without its arguments' only
has 'there are two: with them' 'Tree<int>::walk'
has 'of which those inside are left out' 'Tree<std::pair>::walk'
has 'a function object' 'Less::operator()'
has 'an operator that looks like an argument' 'Less::operator<'
has 'one with an arrow' 'Less::operator->'
has 'a lambda' 'main::{lambda#2}'
has 'the library' 'std::_Function_handler::_M_invoke'
lacks 'no allocator is left' allocator
lacks 'no nameless namespace' anonymous
cilkprof-report --verdict --processors=8 names | tr '\n' ' ' | tr -s ' ' >got
lacks 'nor in the verdict' 'allocator\|anonymous'
holds 'which names the function' grep -q "bottleneck: 'Tree<int>::walk'" got
cilkprof-report -b --full-names --sites names >got
holds '--full-names shows all' grep -q '(anonymous namespace)::Tree<std::pair<int, std::vector<int, std::allocator<int> > > >::walk' got
cilkprof-report --csv names >got
holds 'so do exports' grep -q 'anonymous namespace)::only<double>(double)' got

# Selecting them.
shown() { # OPTION...: callees of the call sites
  cilkprof-report -b --sites "$@" names | sed -n 's/.* -> //p' | sed 1d | sort -u
}
shown --focus=walk >got
printf '%s\n' 'Tree<int>::walk' 'Tree<std::pair>::walk' >wanted
same 'a name without what it is inside of' wanted got
shown --focus=Less::operator\< >got
echo 'Less::operator<' >wanted
same 'or with some of it' wanted got
shown --focus='/walk|operator/' >got
printf '%s\n' 'Less::operator()' 'Less::operator->' 'Less::operator<' 'Tree<int>::walk' 'Tree<std::pair>::walk' | sort >wanted
same 'a regular expression' wanted got
shown --ignore='/^std::/' >got
lacks 'without some' '^std::'
has 'the others are there' 'Tree<std::pair>::walk'
cilkprof-report -b -pwalk names | grep -c '::walk$' >got
has 'options of gprof take the same' 2
cilkprof-report -b -q -k'/^main$///walk/' names >got
lacks 'arcs too' 'main (1)$'
shown --top=2 >got
holds '--top=2: two rows' test "$(wc -l <got)" = 2
cilkprof-report -b --sites --top=2 names | tail -n 1 >got
holds 'and how many more' grep -qx '\.\.\. and [0-9]* more' got
cilkprof-report -b -p --top=1 names | grep -c '::walk$' >got
has 'the flat profile' 1
cilkprof-report --focus='/(/' names >got 2>&1
holds 'what is no regular expression' grep -qx 'cilkprof-report: /(/: invalid regular expression: .*' got

# Functions that differ in nothing but their parameters, and of which no place is known, as in libraries without debugging
# information: their parameters or a word of these tell them apart, not names of hundreds of characters.
cat >overloads.cc <<'EOC'
#include <map>
#include <string>
#include <vector>
using Key = std::map<std::string, std::vector<std::pair<int, std::string>>>;
template <typename T> struct Store {
  long find(const T &) { return 1; }
  long find(const T &) const { return 2; }
  long fill(long, const T &, const std::vector<T> &, const std::vector<std::vector<T>> &, const T *) { return 3; }
  long fill(long, const T &, const std::vector<T> &, const std::vector<std::vector<T>> &, T *) { return 4; }
  long fill(long, const T &, const std::vector<T> &, const std::vector<std::vector<T>> &, int) { return 4; }
};
template struct Store<Key>;
EOC
c++ -c overloads.cc || give_up 'overloads are compiled'
{
  printf 'mode count\ncommand ./overloads\ntotals 60 0 0\nsite outside 0 a.cc 1 1 - main a.cc\n'
  printf 'on_%s 1 60 60 60  1 60 60 60  1 10 10 10\n' work span
  nm overloads.o | sed -n 's/.* W \(_ZNK*5Store.*\)/\1/p' | while read -r symbol; do
    printf 'site call 0 a.cc 2 1 main %s a.cc\n' "$symbol"
    printf 'on_%s 1 10 10 10  1 10 10 10  1 10 10 10\n' work span
  done
} >overloads.txt
make_profile=$BUILD_DIR/test/report/make-profile
$make_profile program overloads.txt >overloads.c
cc -Wl,--build-id overloads.c -o overloads && $make_profile profile overloads.txt overloads >overloads.out ||
  give_up 'overloads are built'
cilkprof-report -b --sites overloads overloads.out | sed -n 's/.* main -> //p' | sort >got
cat >wanted <<'END'
Store<std::map>::fill [int]
Store<std::map>::fill [std::map, *]
Store<std::map>::fill [std::map, const]
Store<std::map>::find(std::map const&)
Store<std::map>::find(std::map const&) const
END
same 'parameters tell functions apart, in few words' wanted got
cilkprof-report -b --full-names --sites overloads overloads.out | awk 'length() > 400' | wc -l >got
holds '--full-names has them all' grep -qx 5 got
finish
