#!/bin/sh
# Static functions, of one name in two files too: each is one function, however it is called and linked.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >first.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
int other(int (*)(int), int);
static __attribute__((noinline)) int leaf(int x) { volatile int y = x; for (int i = 0; i < 10; i++) y++; return y; }
static int compare(const void *a, const void *b) { volatile int d = *(const int *)a - *(const int *)b; for (int i = 0; i < 3; i++) d++; return d - 3; }
int main(void) {
  int (*volatile p)(int) = leaf;
  int a[5] = {3, 1, 2, 5, 4};
  int x = p(3);
  x += leaf(3);
  x += cilk_spawn p(4);
  cilk_sync;
  x += other(leaf, 4);
  qsort(a, 5, sizeof *a, compare);
  printf("%d %d\n", x, a[0]);
  return 0;
}
EOC
cat >second.c <<'EOC'
static __attribute__((noinline)) int leaf(int x) { volatile int y = x; for (int i = 0; i < 20; i++) y++; return y; }
__attribute__((noinline)) int other(int (*f)(int), int x) { int (*volatile g)(int) = leaf; return f(x) + leaf(x) + g(x); }
EOC
cat >wanted <<'EOC'
call first.c:10 main -> leaf (first.c)
call first.c:11 main -> leaf (first.c)
call first.c:14 main -> other
call first.c:15 main -> qsort
call second.c:2 other -> leaf (first.c)
call second.c:2 other -> leaf (second.c)
call second.c:2 other -> leaf (second.c)
entry first.c:6 <spontaneous> -> compare
entry first.c:7 <spontaneous> -> main
spawn first.c:12 main -> leaf (first.c)
EOC
for options in -O0 -O2 '-O0 -flto' '-O2 -flto' '-O2 -flto -fPIE -pie'; do
  cc -w $options -fcilkplus -fcilkprof=count first.c second.c -o program
  CILKPROF_OUT=profile ./program >output 2>&1
  cilkprof-report -b --sites program profile | sed -n 's/.* \(call\|spawn\|entry\)  *\([^ ]*\)  *\(.* -> .*\)/\1 \2 \3/p' | sort >got
  same "$options" wanted got
done
# The same in C++; there the names are mangled.
cp first.c first.cc
cp second.c second.cc
sed 's/first\.c/&c/g; s/second\.c/&c/g' wanted >wanted.cc
c++ -w -O2 -flto -fcilkplus -fcilkprof=count first.cc second.cc -o program
CILKPROF_OUT=profile ./program >output 2>&1
cilkprof-report -b --sites program profile | sed -n 's/.* \(call\|spawn\|entry\)  *\([^ ]*\)  *\(.* -> .*\)/\1 \2 \3/p' |
  sed 's/([^.()]*)//g' | sort >got
same 'C++' wanted.cc got
finish
