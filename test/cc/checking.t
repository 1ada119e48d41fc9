#!/bin/sh
# GCC's own checks of its inner state find nothing to complain of, at every level of optimisation and in every mode.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

mkdir plain plain/cilk
printf '#define cilk_spawn\n#define cilk_sync ((void)0)\n#define cilk_for for\n' >plain/cilk/cilk.h
cat >mixed.cc <<'EOC'
#include <cilk/cilk.h>
#include <map>
#include <string>
#include <vector>
#include <algorithm>
struct S { std::string name; S(int n) : name(n, 'x') {} virtual ~S() {} virtual int size() const { return name.size(); } };
template <class T> T add(T a, T b) { T c = cilk_spawn std::max(a, b); T d = std::min(a, b); cilk_sync; return c + d; }
int collect(const std::vector<S *> &all) {
  std::map<int, int> sizes;
  for (const S *s : all) { int n = cilk_spawn s->size(); sizes[n]++; }
  cilk_sync;
  cilk_for (unsigned i = 0; i < all.size(); i++) if (all[i]->size() > 3) throw i;
  return add(sizes.begin()->first, 3);
}
int main() { std::vector<S *> v; v.push_back(new S(2)); return collect(v) != 5; }
EOC
for mode in count hybrid clock; do
  for level in -O0 -O1 -O2 -O3 -Os -Og '-O2 -g' '-O2 -fPIC' '-O3 -march=native'; do
    : >got
    for source in "$programs"/*.c mixed.cc; do
      case $source in *.c) compiler=cc ;; *) compiler=c++ ;; esac
      $compiler $level -fchecking -fcilkplus -fcilkprof=$mode -Wall -Wextra -c "$source" -o checked.o >>got 2>&1
    done
    : >wanted
    for source in "$programs"/*.c; do
      cc $level -Iplain -Wall -Wextra -c "$source" -o checked.o >>wanted 2>&1
    done
    same "$mode $level: only the warnings of gcc itself" wanted got
  done
done
finish
