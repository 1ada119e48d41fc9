#!/bin/sh
# A unit in which nothing spawns does not take the time to compile the events of functions that do.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >serial.c <<'EOC'
__attribute__((noinline)) long half(long n) { return n / 2; }
long halves(long n) { return n ? 1 + halves(half(n)) : 0; }
EOC
cat >spawns.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
long halves(long n);
long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
int main(void) { printf("%ld %ld\n", fib(5), halves(9)); }
EOC
cat >tasks.c <<'EOC'
long halves(long n);
long tasks(long n) {
  long x;
#pragma omp task shared(x)
  x = halves(n);
#pragma omp taskwait
  return x;
}
EOC

# bodies FILE OPTION...: prints how many events that are inlined where a function spawns, or in all functions, are compiled.
bodies() {
  file=$1
  shift
  rm -f dumped*
  cc -fcilkplus -fcilkprof -O2 -fdump-tree-ssa=dumped "$@" -c "$file" -o ignored.o &&
    echo "$(grep -c '^;; Function __cilkprof_h_spawn ' dumped) $(grep -c '^;; Function __cilkprof_h_timed ' dumped)"
}
equal 'nothing spawns' '0 1' "$(bodies serial.c)"
equal 'functions spawn' '1 1' "$(bodies spawns.c)"
equal 'tasks' '1 1' "$(bodies tasks.c -fopenmp)"
equal 'events are wanted everywhere' '1 1' "$(bodies serial.c -fcilkprof-inline)"
equal 'the unit is joined with others at the link' '1 1' "$(bodies serial.c -flto)"

# passes NAME: prints over how many events the pass goes, and over how many other functions.
passes() {
  rm -f dumped*
  cc -fcilkplus -fcilkprof -O2 "-fdump-tree-$1=dumped" -c spawns.c -o ignored.o &&
    awk '/^;; Function / { $3 ~ /^__cilkprof_/ ? events++ : others++ } END { print events + 0, others + 0 }' dumped
}
for pass in early_objsz ethread esra evrp; do
  equal "pass $pass does nothing for events, and leaves them out" '0 2' "$(passes $pass)"
done
true_that 'other passes go over them' "$(passes ssa | cut -d' ' -f1) > 10"

# The units together.
for options in -fcilkprof=hybrid '-fcilkprof=hybrid -flto' -fcilkprof=count '-fcilkprof=count -flto'; do
  cc -fcilkplus -O2 $options serial.c spawns.c -o program && CILKPROF_OUT=profile $RUN ./program >output
  equal "runs: $options" '5 4' "$(cat output)"
  equal "profile: $options" '1 4 7 7 ' "$(cilkprof-report --csv program profile | tr -d '\r"' | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["callee"] ~ /^(fib|half)$/ { print $at["on_work_local_count"] }' | sort -n | tail -4 | tr '\n' ' ')"
done
finish
