#!/bin/sh
# Where a short loop is run by a plain call that GCC inlines, nothing is left there of what a divided one needs.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"

cat >plain.cc <<'EOC'
#include <cilk/cilk.h>
struct walk { int from, level; int *levels; };
void visit(int n, int from, int level, int *levels);
void visit(int n, int from, int level, int *levels) {
  walk w = {from, level, levels};
  const walk &captured = w;
  cilk_for (int i = 0; i < n; i++)
    if (!__atomic_load_n(&captured.levels[i + captured.from], __ATOMIC_RELAXED))
      __atomic_store_n(&captured.levels[i + captured.from], captured.level, __ATOMIC_RELAXED);
}
int guess(int n);
int guess(int n) {
  int found;
  cilk_for (int i = 0; i < n; i++)
    if (i == 7) found = i;
  return found;
}
EOC

# counts NAME NUMBER PATTERN: so many lines of the code of `visit' have it.
counts() {
  found=$(awk '/^;; Function /{inside = /visit/ && !/_omp_fn/} inside' plain.cc.*.optimized | grep -c -e "$3")
  if [ "$found" = "$2" ]; then pass "$1"; else fail "$1: $found"; fi
}

if ! c++ -O2 -Wall -Wextra -Werror -fcilkplus -dumpbase plain.cc -fdump-tree-optimized -c plain.cc -o plain.o >said 2>&1 ||
  [ -s said ]; then
  give_up 'it compiles, and a variable that a loop may set is not said to be used uninitialised' said
fi
pass 'it compiles, and a variable that a loop may set is not said to be used uninitialised'
counts 'the body is inlined' 1 'atomic_load_4'
counts 'iterations are stored once' 1 '__cilkprof_r_range.*\[1\] = '
counts 'and not read again' 0 ' = .*__cilkprof_r_range.*\[1\]'
counts 'what the loop captures is in registers' 0 '= .*w\.\(from\|level\)'
counts 'the number of iterations is that of the program' 0 'MAX_EXPR'
counts 'an exception is known by what the runtime returns' 0 ' = .*__cilkprof_r_range.*\[5\]'

# A large function that one loop alone calls is inlined into it, as into a serial loop, though the body is there twice; one
# that others call too is not.
cat >once.c <<'EOC'
#include <cilk/cilk.h>
#define STEP(k) if (a[(i + k) % n] > k) a[i] += a[(i * k) % n] / (k + 1); else a[i] -= k * i;
#define STEPS(k) STEP(k) STEP(k + 1) STEP(k + 2) STEP(k + 3)
static void once(int *a, int i, int n) { STEPS(1) STEPS(5) }
static void often(int *a, int i, int n) { STEPS(2) STEPS(6) }
void walk(int *a, int n);
void walk(int *a, int n) {
  cilk_for (int i = 0; i < n; i++) {
    once(a, i, n);
    often(a, i, n);
  }
}
void others(int *a, int n);
void others(int *a, int n) {
  for (int i = 0; i < n; i++)
    often(a, i, n);
  often(a, 1, n);
}
EOC
cc -O2 -fcilkplus -c once.c -o once.o >said 2>&1 || give_up 'once.c compiles' said
nm once.o | awk '{ print $NF }' | grep -x 'once\|often' >got
echo often >wanted
same 'what one loop alone calls is inlined' wanted got
finish
