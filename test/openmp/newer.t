#!/bin/sh
# What later versions of OpenMP brought, as far as this gcc knows it: loop transformations, metadirectives, dispatch (gcc 15),
# doacross clauses, ordered(1), taskwait nowait (gcc 13).  It is followed or said not to be, and computes the same.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/openmp/lib.sh"

cat >newer.c <<'EOC'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static int a[64][64], v[1000];
#if __GNUC__ >= 15
static void tiled(void) {
#pragma omp parallel for
#pragma omp tile sizes(8, 8)
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++) a[i][j] = i * 64 + j;
}
static void unrolled(void) {
#pragma omp parallel for
#pragma omp unroll partial(4)
  for (int i = 0; i < 1000; i++) v[i] = i;
#pragma omp unroll full
  for (int i = 0; i < 8; i++) v[i]++;
}
static void alone(void) {
#pragma omp tile sizes(16)
  for (int i = 0; i < 1000; i++) v[i] += 2;
}
static void meta(void) {
#pragma omp metadirective when(implementation = {vendor(gnu)} : parallel for) otherwise(for)
  for (int i = 0; i < 1000; i++) v[i] *= 2;
#pragma omp metadirective when(user = {condition(v[3] > 100000)} : parallel) otherwise(single)
  v[0]++;
}
static int twice_gnu(int x) { return 2 * x; }
#pragma omp declare variant(twice_gnu) match(construct = {dispatch})
static int twice(int x) { return x + x; }
static void dispatched(void) {
  int y;
#pragma omp dispatch
  y = twice(21);
  v[1] += y;
}
#else
static void tiled(void) {}
static void unrolled(void) {}
static void alone(void) {}
static void meta(void) {}
static void dispatched(void) {}
#endif
#if __GNUC__ >= 13
static void waits(void) {
  int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x) shared(x)
    x = 1;
#pragma omp taskwait depend(in : x) nowait
#pragma omp task depend(in : x) depend(out : y) shared(x, y)
    y = x + 1;
#pragma omp taskwait depend(in : y)
    v[2] += y;
  }
}
static void scopes(void) {
  int s = 0;
#pragma omp parallel
  {
#pragma omp scope reduction(+ : s)
    s += 3;
#pragma omp masked
    v[3]++;
  }
  v[4] += s > 0;
}
static void crossed(void) {
  int c[20][20] = {{0}};
#pragma omp parallel for ordered(2)
  for (int i = 1; i < 20; i++)
    for (int j = 1; j < 20; j++) {
#pragma omp ordered doacross(sink : i - 1, j) doacross(sink : i, j - 1)
      c[i][j] = c[i - 1][j] + c[i][j - 1] + 1;
#pragma omp ordered doacross(source :)
    }
  v[5] += c[19][19];
#pragma omp parallel for ordered(1)
  for (int i = 0; i < 10; i++) {
#pragma omp ordered
    v[6] = v[6] * 3 + i;
  }
}
#else
static void waits(void) {}
static void scopes(void) {}
static void crossed(void) {}
#endif
int main(void) {
  tiled(), unrolled(), alone(), meta(), dispatched(), waits(), scopes(), crossed();
  long sum = 0;
  for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) sum = sum * 31 + a[i][j];
  for (int i = 0; i < 1000; i++) sum = sum * 31 + v[i];
  printf("%ld\n", sum);
}
EOC
cp newer.c newer.cc
# knows VERSION
knows() {
  [ "$(gcc -dumpversion | cut -d. -f1)" -ge "$1" ]
}
for file in newer.c newer.cc; do
  case $file in *.c) compiler=cc ;; *) compiler=c++ ;; esac
  for options in -O0 -O2; do
    $compiler $options -fopenmp $file -o plain || give_up "$file $options: gcc itself"
    OMP_NUM_THREADS=1 ./plain >wanted
    for mode in count hybrid; do
      in_turn 2 || continue
      $compiler $options -fchecking -fopenmp -fcilkprof=$mode $file -o newer >notes 2>&1 || give_up "$file $options $mode" notes
      CILKPROF_OUT=newer.prof ./newer >got 2>&1
      same "$file $options, $mode: what it computes" wanted got
    done
    cilkprof-report -b --sites newer newer.prof >got 2>&1
    ! knows 15 || holds "$file $options: a tiled loop is said to be one strand" grep -q 'note: .*tiled or unrolled' notes
    ! knows 15 || holds "$file $options: its region has a row" grep -q 'tiled -> omp parallel for newer' got
    ! knows 15 || holds "$file $options: the loop that a metadirective chose" grep -q 'loop .*meta -> omp parallel for newer' got
    ! knows 13 || holds "$file $options: a doacross loop" grep -q 'note: .*dependences between the iterations of a doacross loop' notes
    ! knows 13 || holds "$file $options: ordered(1) is a lock" grep -q 'crossed -> omp ordered newer' got
  done
done
finish
