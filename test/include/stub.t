#!/bin/sh
# <cilk/cilk_stub.h>: the same program with a compiler that knows nothing of Cilk.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"

cat >stub.c <<'EOC'
#include <cilk/cilk_stub.h>
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>
#ifdef __cilk
#error "there is no Cilk"
#endif
#ifndef CILK_STUB
#error "this is the stub"
#endif
void zero(void *view);
void plus(void *left, void *right);
void zero(void *view) { *(int *)view = 0; }
void plus(void *left, void *right) { *(int *)left += *(int *)right; }
static int fib(int n) {
  int x, y;
  if (n < 2)
    return n;
  x = cilk_spawn fib(n - 1);
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}
int main(void) {
  int cilk_reducer(zero, plus) sum = 1;
  int i, x = 0;
  CILK_C_REDUCER_OPADD(total, int, 2);
  cilk_for (i = 0; i < 10; i++) {
    sum += i;
    REDUCER_VIEW(total) += i;
  }
  cilk_scope {
    x = _Cilk_spawn fib(12);
    _Cilk_sync;
  }
  printf("%d %d %d %d\n", sum, REDUCER_VIEW(total), x, __cilkrts_get_nworkers());
  return 0;
}
EOC
cp stub.c stub.cc
echo '46 47 144 1' >wanted
include=$BUILD_DIR/lib/cilkprof/include
path=$PATH
PATH=$(getconf PATH)
for standard in gnu89 c99 c11 c2x; do
  gcc -std=$standard $warnings -isystem "$include" stub.c -o stub >said 2>&1 && ./stub >got 2>>said || cp said got
  same "gcc -std=$standard" wanted got
done
for standard in c++98 c++11 c++17 c++20; do
  g++ -std=$standard $warnings -isystem "$include" stub.cc -o stub >said 2>&1 && ./stub >got 2>>said || cp said got
  same "g++ -std=$standard" wanted got
done
gcc -include "$include/cilk/cilk_stub.h" -I"$include" $warnings stub.c -o stub >said 2>&1 && ./stub >got 2>>said ||
  cp said got
same 'gcc -include' wanted got
PATH=$BUILD_DIR/lib/cilkprof/bin:$path
gcc -fcilkplus -fcilkprof $warnings stub.c -o stub >said 2>&1 && CILKPROF_OUT=profile ./stub >got 2>>said || cp said got
same 'with the plugin, which has nothing to do' wanted got
finish
