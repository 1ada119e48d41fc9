#!/bin/sh
# The call graph for callgrind_annotate.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build tree -g

# annotate [OPTION...]: the table of callgrind_annotate, with single blanks, without its rules.
annotate() {
  callgrind_annotate --auto=no "$@" 2>&1 | sed -n '/PROGRAM TOTALS/,$p' | sed 's/  */ /g; /^-*$/d; /file:function/d; s/^ //; s/ $//'
}
"$report" --format=callgrind -o callgrind.out tree tree.out
annotate --threshold=100 callgrind.out | grep -v '^Work *Span$' >got
cat >wanted <<'END'
1,000 (100.0%) 395 (100.0%) PROGRAM TOTALS
550 (55.00%) 150 (37.97%) tree.c:leaf
300 (30.00%) 100 (25.32%) tree.c:build
145 (14.50%) 145 (36.71%) tree.c:main
5 ( 0.50%) 0 tree.c:tiny
END
same 'what functions did themselves' wanted got
annotate --threshold=100 --inclusive=yes --tree=both callgrind.out | grep -v '^Work *Span$' >got
cat >wanted <<'END'
1,000 (100.0%) 395 (100.0%) PROGRAM TOTALS
1,000 (100.0%) 395 (100.0%) * tree.c:main
600 (60.00%) 200 (50.63%) > tree.c:build (1x) []
250 (25.00%) 50 (12.66%) > tree.c:leaf (5x) []
5 ( 0.50%) 0 > tree.c:tiny (1x) []
600 (60.00%) 200 (50.63%) < tree.c:main (1x) []
0 0 < tree.c:build (6x) []
600 (60.00%) 200 (50.63%) * tree.c:build
300 (30.00%) 100 (25.32%) > tree.c:leaf (30x) []
0 0 > tree.c:build (6x) []
300 (30.00%) 100 (25.32%) < tree.c:build (30x) []
250 (25.00%) 50 (12.66%) < tree.c:main (5x) []
550 (55.00%) 150 (37.97%) * tree.c:leaf
5 ( 0.50%) 0 < tree.c:main (1x) []
5 ( 0.50%) 0 * tree.c:tiny
END
same 'with what they called: recursion is counted once' wanted got
"$report" --format=callgrind --metric=span -o callgrind.out tree tree.out
annotate --threshold=100 callgrind.out | grep -v '^Span *Work$' >got
cat >wanted <<'END'
395 (100.0%) 1,000 (100.0%) PROGRAM TOTALS
150 (37.97%) 550 (55.00%) tree.c:leaf
145 (36.71%) 145 (14.50%) tree.c:main
100 (25.32%) 300 (30.00%) tree.c:build
0 5 ( 0.50%) tree.c:tiny
END
same '--metric=span: the span first' wanted got

# Cycles, indirect calls, loops, functions of one name in two files; no warning, and nothing above the program.
build calls
"$report" --format=callgrind -o callgrind.out calls calls.out
callgrind_annotate --auto=no --threshold=100 --inclusive=yes callgrind.out >got 2>errors
holds 'callgrind_annotate accepts all kinds of calls' test $? = 0 -a ! -s errors
awk -F'[ (]' '/[0-9]%/ { gsub(/[, ]/, ""); match($0, /^[0-9]+/); if (substr($0, 1, RLENGTH) + 0 > 1250) print }' got >above
holds 'nothing is above the program' test ! -s above
annotate --threshold=100 callgrind.out | awk '/:/ { gsub(/,/, ""); sum += $1 } END { print sum }' >got
holds 'what functions did themselves adds up' grep -qx 1250 got

# Functions of which only the lines of calls are known, and a call of which no line is.
sed 's/ qsort.c 20 17 / - 0 0 /; s/ qsort.c 2[12] / other.c 22 /' "$TOP/test/report/quicksort.txt" >placeless.txt
build placeless
seq 50 | tee qsort.c >other.c
"$report" --format=callgrind -o callgrind.out placeless placeless.out
callgrind_annotate --auto=yes --threshold=100 callgrind.out >got 2>errors
holds 'callgrind_annotate accepts what has no place' test $? = 0 -a ! -s errors
holds 'no file has an empty name' sh -c '! grep "^[cf][fil]*=([0-9]*) $" callgrind.out'
holds 'a function starts where its first known line is' grep -q '^382,367,532.* 22$' got

# A real program, with code from another file in a function.
PATH=$BUILD_DIR/lib/cilkprof/bin:$PATH
cat >other.h <<'END'
static inline int twice(int n);
__attribute__((noinline)) static int once(int n) { volatile int x = n; return x; }
__attribute__((always_inline)) static inline int twice(int n) { return once(n) + once(n); }
END
cat >real.c <<'END'
#include <cilk/cilk.h>
#include "other.h"
int fib(int n) { if (n < 2) return twice(n) / 2; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
int main(void) { int sum = 0; cilk_for (int i = 0; i < 5; i++) fib(i); return fib(8) + sum != 21; }
END
cc -fcilkplus -O2 -g -fcilkprof=count real.c -o real && CILKPROF_OUT=real.out ./real || give_up 'real.c'
"$report" --format=callgrind -o callgrind.out real real.out
work=$("$report" --format=json real real.out | jq .totals.work)
callgrind_annotate --auto=yes --inclusive=yes --threshold=100 callgrind.out >got 2>errors
holds 'a real program: accepted' test $? = 0 -a ! -s errors
holds 'its total' test "$(sed -n 's/ (100.0%).*PROGRAM TOTALS//p' got | tr -d ,)" = "$work"
holds 'main has all of it' test "$(sed -n 's/ (100.0%).*real.c:main.*//p' got | tr -d ,)" = "$work"
holds 'a loop is a line of its function' sh -c '! grep -q cilk_for callgrind.out'
holds 'code from another file is at the beginning of the function' grep -q -A1 -x 'calls=[0-9]* 2' callgrind.out
holds 'the source is annotated' grep -q 'int fib(int n)' got

finish
