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

finish
