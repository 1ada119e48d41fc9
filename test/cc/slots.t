#!/bin/sh
# What a program holds for its call sites: 8 bytes for each, no relocation, and once what several units have.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

# section NAME FILE: its bytes.
section() {
  size -A -d "$2" | awk -v name="$1" '$1 == name { sum += $2 } END { print sum + 0 }'
}
# functions COUNT: a unit with so many functions that a function calls, of which others can be entered, none is a leaf.
functions() {
  echo 'int leaf(int n);'
  for i in $(seq "$1"); do
    echo "__attribute__((noinline)) int f$i(int n) { return leaf(n) + leaf(n + 1) + $i; }"
  done
  echo 'int all(int n) { int sum = 0;'
  for i in $(seq "$1"); do echo "sum += f$i(n);"; done
  echo 'return sum; }'
}
cat >leaf.c <<'EOC'
__attribute__((noinline)) int leaf(int n) { volatile int x = n; return x; }
int all(int n);
int main(void) { return all(1) == 0; }
EOC
compile -O2 -fcilkprof=count -c leaf.c
relocations() {
  readelf -rW "$1" | grep -c RELATIV
}
for many in 5 50; do
  functions $many >functions.c
  compile -O2 -fcilkprof=count -c functions.c -o functions.o
  # A function: a slot and its address; its two calls of another unit's function: a slot and the address, each; its call.
  equal "$many functions: bytes" $(((16 + 2 * 16) * many + 16 + 8 * many)) "$(section cilkprof_slots functions.o)"
  compile -fcilkprof=count leaf.o functions.o -o functions$many
  profile functions$many
  equal "$many functions: the calls" $((2 * many)) "$(awk -F, '/,leaf,/ { n++ } END { print n }' sites.csv)"
done
equal 'ten times the sites, the same relocations' "$(relocations functions5)" "$(relocations functions50)"
equal 'descriptions are not loaded' '' "$(readelf -SW functions50 | sed -n 's/.* cilkprof_sites .* A .*/loaded/p')"

# Templates that three units have.
cat >shared.h <<'EOC'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
template <class T> struct Index {
  std::map<std::string, std::vector<T>> lists;
  void add(const std::string &key, T value) { lists[key].push_back(value); }
  void sort() { for (auto &list : lists) std::sort(list.second.begin(), list.second.end()); }
  __attribute__((noinline)) T sum() const {
    T total = 0;
    for (auto &list : lists) for (T value : list.second) total += value;
    return total;
  }
};
template <class T> __attribute__((noinline)) T part(int n) {
  Index<T> index;
  for (int i = 0; i < n; i++) index.add(std::to_string(i % 7), T(i));
  index.sort();
  return index.sum();
}
EOC
for unit in one two three; do
  echo "#include \"shared.h\"
  double $unit(int n) { return part<int>(n) + part<double>(n); }" >$unit.cc
done
cat >main.cc <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
double one(int n), two(int n), three(int n);
int main() { double a = cilk_spawn one(100), b = cilk_spawn two(100); double c = three(100); cilk_sync; printf("%g\n", a + b + c); }
EOC
echo '#include <cilk/cilk.h>
int main() { cilk_sync; return 0; }' >empty.cc
units='main.cc one.cc two.cc three.cc'
c++ -std=c++17 -O2 -fcilkplus=serial $units -o bare || give_up 'the templates are compiled'
c++ -std=c++17 -O2 -fcilkplus -fcilkprof=hybrid -c $units || give_up 'they are compiled with -fcilkprof'
c++ -fcilkplus -fcilkprof=hybrid main.o one.o two.o three.o -o profiled || give_up 'they are linked'
c++ -std=c++17 -O2 -fcilkplus -fcilkprof=hybrid empty.cc -o empty || give_up 'the engine alone'
profile profiled
equal 'the program prints the same' "$(./bare)" "$(cat profiled.stdout)"
equal 'what it calls in all three units is one site' 3 "$(awk -F, '/Index<double>::sum/ { print $15 }' sites.csv)"
true_that "templates of three units are there once" \
  "$(section cilkprof_slots profiled) < 0.6 * ($(section cilkprof_slots one.o) + $(section cilkprof_slots two.o) + $(section cilkprof_slots three.o))"
equal 'and so are their copies without events' 1 "$(nm profiled | grep -c 'IndexIdE.*sum.*bare')"
# bytes FILE: that are loaded.
bytes() {
  size -d "$1" | awk 'NR == 2 { print $4 }'
}
net=$(($(bytes profiled) - $(bytes empty)))
true_that "beside the engine, $net bytes in place of $(bytes bare)" "$net > $(bytes bare) && $net <= 3 * $(bytes bare)"
finish
