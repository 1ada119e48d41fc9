#!/bin/sh
# The standards, warnings, sanitizers and other options that builds give: the program is right and nothing is said.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/builds/lib.sh"

strict='-Wall -Wextra -Werror -pedantic-errors -Wshadow -Wconversion -Wundef -Wcast-qual -Wunused-macros -Wredundant-decls'
strict_c="$strict -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wc++-compat -Wnested-externs"
for standard in c89 gnu17 c2x ${LONG:+gnu89 c99 iso9899:199409 gnu99 c11 gnu11 c17 gnu2x}; do
  builds "-std=$standard, strictly" cilkprof-cc -std=$standard -O2 $strict_c prog.c -o program
done
for standard in c++98 gnu++17 c++2b ${LONG:+gnu++98 c++11 gnu++11 c++14 c++17 c++20 gnu++20}; do
  builds "-std=$standard, strictly" cilkprof-c++ -std=$standard -O2 $strict prog.cc -o program
done
builds '-ansi -O0 -g, strictly' cilkprof-cc -ansi -O0 -g $strict_c prog.c -o program
builds '-fno-exceptions -fno-rtti' cilkprof-c++ -O2 -fno-exceptions -fno-rtti $strict prog.cc -o program

# What is wrong with a program is said as without -fcilkprof.  Once is enough: copies of inlined functions repeat it.
cat >careless.c <<'EOC'
#include <cilk/cilk.h>
#include <string.h>
static int unused(int n) { return n; }
int h(int n);
int f(int n, int spare) {
  int x, y[2];
  if (h(n)) x = n;
  memset(y, 0, 12);
  for (int i = 0; i < 3; i++) y[i] = i;
  cilk_spawn h(n - 1);
  cilk_sync;
  switch (n) { case 1: n++; case 2: return y[1]; }
  if (n = 4) return x;
  return (unsigned)n > -1;
}
int g(int *p) { int old = cilk_spawn h(2); if (!p) return *p; }
EOC
cp careless.c careless.cc
for options in -O0 ${LONG:+-O2} '-O3 -g' '-O2 -fanalyzer'; do
  for file in careless.c careless.cc; do
    case $file$options in *.cc*analyzer) continue ;; esac
    for form in -fcilkplus=serial -fcilkprof; do
      cc -fcilkplus $form $options -Wall -Wextra -Wnull-dereference -c $file -o careless.o >warnings 2>&1
      grep 'warning:\|error:' warnings | sort -u >said$form
    done
    same "warnings of $file with $options" said-fcilkplus=serial said-fcilkprof
  done
done
holds 'there are such' grep -q 'warning: .x. may be used uninitialized' said-fcilkprof

# Those that have nothing to do with each other are given together.
for options in \
  -fsanitize=leak -fsanitize=thread -fsanitize=address,undefined ${LONG:+-fsanitize=address -fsanitize=undefined} \
  -fPIC '-fPIE -pie' '-ffreestanding -fno-common -funsigned-char -fshort-enums -fno-strict-aliasing' \
  '-fno-builtin -fno-plt -fvisibility=hidden -fwrapv -fverbose-asm' -ftrapv \
  '-fstack-clash-protection -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wl,-O1,--as-needed,-z,relro,-z,now' \
  '-fno-asynchronous-unwind-tables -fmerge-all-constants' '-fexceptions -g3' -fnon-call-exceptions \
  -finstrument-functions -pg '-ffast-math -funroll-loops -ftree-loop-distribution' '-fno-inline -fno-tree-vectorize -fno-toplevel-reorder' \
  -fwhole-program -fno-unit-at-a-time -mgeneral-regs-only '-gdwarf-4 -gsplit-dwarf' -fsplit-stack \
  -fcf-protection=none; do
  case $options in
  -mgeneral-regs-only) [ "$(uname -m)" = aarch64 ] || continue ;;
  esac
  # Some are not for every processor.
  echo 'int main(void) { return 0; }' | gcc $options -O2 -x c - -o plain >said 2>&1 && [ ! -s said ] || continue
  builds "$options" cilkprof-cc -O2 $options prog.c -o program
done
rm -f gmon.out

# Templates, exceptions, virtual functions and lambdas, at every level and under a sanitizer.
cat >mixed.cc <<'EOC'
#include <cilk/cilk.h>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
struct shape { virtual ~shape() {} virtual double area(int n) const = 0; };
struct square : shape { double area(int n) const override { return n * double(n); } };
struct disc : shape { double area(int n) const override { return 3 * n * double(n); } };
static std::map<std::string, int> words(int n) {
  std::map<std::string, int> m;
  for (int i = 0; i < n; i++) m[std::to_string(i % 7)]++;
  return m;
}
static int risky(int n) { if (n % 3 == 0) throw std::runtime_error("three"); return n; }
static int caught(int n) {
  try { return risky(n); } catch (const std::exception &e) { return -int(std::string(e.what()).size()); }
}
static int sorted(int n) {
  std::vector<int> v;
  for (int i = 0; i < n; i++) v.push_back(i * 7919 % 1009);
  std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
  return v[n / 2];
}
int main() {
  square s; disc d; const shape *all[] = {&s, &d};
  double sum = 0; int c = 0;
  for (int i = 0; i < 6; i++) { double a = cilk_spawn all[i % 2]->area(i); cilk_sync; sum += a; }
  std::map<std::string, int> m = cilk_spawn words(100);
  std::function<int(int)> f = caught;
  cilk_for (int i = 0; i < 9; i++) c += f(i);
  cilk_sync;
  int k = cilk_spawn sorted(100);
  cilk_sync;
  std::printf("%g %d %d %d\n", sum, c, m["3"], k);
}
EOC
cat >wanted <<'END'
125 12 14 509
loop main cilk_for 1
spawn main disc::area const 3
spawn main sorted 1
spawn main square::area const 3
spawn main words 1
END
for options in '-O3 -fchecking' '-O0 -fsanitize=address,undefined' ${LONG:+-O0}; do
  rm -f mixed mixed.prof
  cilkprof-c++ $options mixed.cc -o mixed >said 2>&1
  CILKPROF_OUT=mixed.prof ./mixed >>said 2>&1
  cilkprof-report --csv mixed mixed.prof 2>>said | tr -d '"\r' | awk -F, '$1 == "mixed.cc" && ($4 == "spawn" || $4 == "loop") {
    gsub(/\(int\)/, ""); sub(/ mixed.*/, "", $6); print $4, $5, $6, $15 }' | sort >>said
  same "C++ with $options" wanted said
done
finish
