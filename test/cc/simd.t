#!/bin/sh
# Pragmas for vectors before a cilk_for: the loop is a cilk_for in the profile, computes what its serial elision does, is
# warned of as that is, and vectorised where that is.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >pragmas.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#define OPERATOR(...) _Pragma(#__VA_ARGS__)
#define SIMD_FOR _Pragma("omp simd") cilk_for
#define ALL(i, n, body) _Pragma("omp simd") cilk_for (int i = 0; i < n; i++) body
#define PLUS 3
static double a[1000], b[1000];
static int bound(int n) { return n; }
void add(double *x, double *y, int n) {
#pragma omp simd
  cilk_for (int i = 0; i < n; i++) x[i] += PLUS * y[i]; //= loop
#pragma omp simd safelen(4) aligned(x : 8)
  cilk_for (int i = n - 1; i >= 0; i--) x[i] += 3 * y[i]; //= loop
#pragma simd
  cilk_for (int i = 0; i < n; i++) x[i] += 3 * y[i]; //= loop
#pragma simd vectorlength(4)
  cilk_for (int i = 0; i < n; i++) x[i] += 3 * y[i]; //= loop
#pragma GCC ivdep
  cilk_for (int i = 0; i < n; i++) x[i] += 3 * y[i]; //= loop
#pragma GCC unroll 4
  cilk_for (int i = 0; i < n; i++) x[i] += 3 * y[i]; //= loop
#pragma omp simd
#pragma cilk grainsize = 100

  cilk_for (int i = 0; i < n; i++) x[i] += 3 * y[i]; //= loop
#pragma cilk grainsize = n / 10
#pragma omp simd
  cilk_for (int i = 0; i < n; i++) x[i] += 3 * y[i]; //= loop
}
void operators(double *x, double *y, int n) {
  _Pragma("omp simd") cilk_for (int i = 0; i < n; i++) x[i] += 3 * y[i]; //= loop
  OPERATOR(omp simd safelen(8))
  cilk_for (int i = 0; i < n; i++) x[i] += 3 * y[i]; //= loop
  SIMD_FOR (int i = 0; i < n; i++) x[i] += 3 * y[i]; //= loop
  ALL(i, n, x[i] += 3 * y[i]); //= loop
  ALL(i, n, { x[i] += 3 * y[i]; y[i]++; }) //= loop
}
void others(double *x, double *y, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++) x[i] += 3 * y[i];
  cilk_for (int i = 0; i < n; i++) x[i] += 3 * y[i]; //= loop
#pragma omp simd
  cilk_for (int i = 0; i < n; i++) //= loop
    cilk_for (int j = 0; j < 2; j++) //= loop
      x[i] += 3 * y[i];
}
double sum(double *x, int n, int step) {
  double s = 0;
  int last = 0;
#pragma omp simd reduction(+ : s) lastprivate(last)
  cilk_for (int i = bound(0); i < n; i += step) { //= loop
    last = i;
    if (i == 9) continue;
    s += x[i];
  }
  return s + last;
}
int main(void) {
  for (int i = 0; i < 1000; i++) a[i] = i, b[i] = 1;
  add(a, b, 1000);
  operators(a, b, 1000);
  others(a, b, 1000);
  printf("%g %g\n", a[43], sum(a, 1000, 3));
  return 0;
}
EOC
# What only C++ has: a template, a loop over a range.
{
  sed '/^int main/,$d' pragmas.c
  cat <<'EOC'
#include <vector>
template <class T> T twice(std::vector<T> &v) {
  T s = 0;
#pragma omp simd
  cilk_for (unsigned i = 0; i < v.size(); i++) v[i] *= 2; //= loop
#pragma omp simd reduction(+ : s)
  cilk_for (T *i = v.data(); i != v.data() + v.size(); ++i) s += *i; //= loop
#pragma omp simd
  cilk_for (double &x : b) x += 1; //= loop
  return s + b[3];
}
int main() {
  std::vector<double> v(a, a + 1000);
  printf("%g\n", twice(v));
EOC
  sed '1,/^int main/d' pragmas.c
} >pragmas.cc

mkdir elision
for file in pragmas.c pragmas.cc; do
  case $file in *.c) compiler=cc ;; *) compiler=c++ ;; esac
  sed '/include <cilk/s/.*//; s/cilk_for/for/; /pragma simd/s/.*//; /grainsize/s/.*//' $file >elision/$file
  awk '/= loop/ { print FNR }' $file >wanted.lines
  for options in -O0 '-O3 -fopenmp' '-O2 -fopenmp-simd -save-temps' ${LONG:+'-O0 -fopenmp-simd' '-O2 -fopenmp-simd'}; do
    case $LONG$file$options in pragmas.cc-O[02]*) continue ;; esac # as in C
    said='-Wall -Wextra -Wno-unknown-pragmas -fopt-info-vec'
    (cd elision && $compiler $said $options $file -o elision) >wanted.said 2>&1
    ./elision/elision >wanted
    rm -f program
    $compiler $said $options -fcilkplus -fcilkprof=count $file -o program >got.said 2>&1
    CILKPROF_OUT=profile ./program >got
    same "$file $options: what it computes" wanted got
    cilkprof-report --csv program profile | tr -d '"' | awk -F, '$4 == "loop" { print $2 }' | sort -nu >got.lines
    same "$file $options: every loop is one" wanted.lines got.lines
    for lines in wanted got; do
      awk -F: 'FNR == NR { loop[$1] = 1; next } / vectorized|warning/ && loop[$2] { print $2, /warning/ ? $0 : "" }' \
        wanted.lines $lines.said | sort -nu >$lines.vectors
    done
    same "$file $options: vectorised where its elision is" wanted.vectors got.vectors
    rm -f program
    $compiler $options -fcilkplus=serial $file -o program 2>said
    ./program >got
    same "$file $options: not instrumented" wanted got
    [ "$options" != -O0 ] || continue # without the pragma, what it carries along is a race
    rm -f program
    $compiler $options -fcilkplus $file -o program 2>said
    CILK_NWORKERS=4 CILKPROF_FORCE_STEALS=1 ./program >got
    same "$file $options: in parallel" wanted got
  done
  holds "$file: there are vectors" test -s wanted.vectors
done
finish
