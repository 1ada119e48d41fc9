#!/bin/sh
# Atomic updates that the compiler sees are named beside the bounds: in a loop, and in a function that a loop calls.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >program.h <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
static long shared, own[4096];
EOC
cat >called.c <<'EOC'
#include "program.h"
static __attribute__((noinline)) void count(long i) { for (int k = 0; k < 9; k++) __atomic_fetch_add(&shared, i, __ATOMIC_RELAXED); }
int main(void) { cilk_for (long i = 0; i < 4096; i++) count(i); printf("%ld\n", shared); }
EOC
cat >inside.c <<'EOC'
#include "program.h"
int main(void) { cilk_for (long i = 0; i < 4096; i++) { long old = own[0]; while (!__atomic_compare_exchange_n(&own[0], &old, old + i, 0, 5, 5)); }
  printf("%ld\n", own[0]); }
EOC
cat >none.c <<'EOC'
#include "program.h"
static __attribute__((noinline)) void count(long i) { for (int k = 0; k < 9; k++) __atomic_store_n(&own[i], own[i] + k, __ATOMIC_RELAXED); }
int main(void) { cilk_for (long i = 0; i < 4096; i++) count(i); printf("%ld\n", __atomic_load_n(&own[1], __ATOMIC_RELAXED)); }
EOC

# says PROGRAM: what the verdict says beside the bounds.
says() {
  cc -O2 -g -fcilkplus -fcilkprof=count "$1.c" -o "$1" >said 2>&1 && $RUN "./$1" >said 2>&1 || give_up "$1 runs" said
  "$BUILD_DIR/bin/cilkprof-report" -b --verdict --processors=8 "$1" cilkprof.out | tr '\n' ' ' | tr -s ' ' |
    grep -o 'Not in the bounds: [^,]*' >got
}
says called
echo 'Not in the bounds: count at called.c:3' >wanted
same 'a function that is called in a loop' wanted got
says inside
echo 'Not in the bounds: cilk_for inside.c:2' >wanted
same 'the body of a loop' wanted got
says none
same 'loads and stores are none' /dev/null got

# reduces NAME: what the verdict says beside the bounds of a program of OpenMP.
reduces() {
  cc -O2 -g -fopenmp -fcilkprof=count "$1.c" -o "$1" >said 2>&1 && $RUN "./$1" >said 2>&1 || give_up "$1 runs" said
  "$BUILD_DIR/bin/cilkprof-report" -b --verdict --processors=8 "$1" cilkprof.out | tr '\n' ' ' | tr -s ' ' |
    grep -o 'Not in the bounds: [^,]*' >got
}
cat >sum.c <<'EOC'
#include <stdio.h>
static double values[4096];
int main(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 4096; i++)
    for (int k = 0; k < 9; k++)
      sum += values[i] * k;
  return printf("%g\n", sum) < 0;
}
EOC
reduces sum
same 'a reduction is no atomic update of the loop' /dev/null got
cat >beside.c <<'EOC'
#include <stdio.h>
static long shared, own[4096];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 4096; i++)
    for (int k = 0; k < 90; k++)
      own[i] += i * k % 7;
#pragma omp parallel for
  for (int i = 0; i < 4096; i++)
    for (int k = 0; k < 9; k++)
      __atomic_fetch_add(&shared, own[i], __ATOMIC_RELAXED);
  return printf("%ld\n", shared) < 0;
}
EOC
reduces beside
same 'nor one of another loop of the function' /dev/null got
sed 's/k < 90;/k < 9;/; s/k < 9; k++)$/k < 20; k++)/' beside.c >more.c
reduces more
echo 'Not in the bounds: omp parallel for more.c:8' >wanted
same 'which is named itself, where it matters' wanted got

finish
