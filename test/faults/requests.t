#!/bin/sh
# Profiles of a program that goes on: by a signal, and every so often.
# SPDX-License-Identifier: MIT
. "$TOP/test/faults/lib.sh"

cat >on.c <<'EOC'
#include <cilk/cilk.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
static int last_fib(int n) { return fib(n); }
int main(int argc, char *argv[]) {
  fib(10);
  if (argv[1][0] == 's') raise(SIGUSR1);
  if (argv[1][0] == 'w') sleep(2);
  if (argv[1][0] == 't') sleep(2);
  usleep(1);
  if (rename("cilkprof.out", "early.out") < 0 && argc > 2) return 4;
  last_fib(12);
  puts("done");
  return 3;
}
EOC
for mode in count hybrid; do
  compile -O2 -fcilkprof=$mode on.c -o on
  rm -f early.out
  CILKPROF_SIGNAL=USR1 ./on signal now >got 2>stderr
  status=$?
  fault "$mode: CILKPROF_SIGNAL" 'a whole profile while it runs, and another at its end' \
    sh -c "test $status = 3 -a ! -s stderr && cilkprof-report -i on early.out | grep -q 'flags: *none' && cilkprof-report -p on cilkprof.out >said"
  cilkprof-report --csv on early.out | tr -d '\r"' >early.csv
  cilkprof-report --csv on cilkprof.out | tr -d '\r"' >late.csv
  fault "$mode: CILKPROF_SIGNAL" 'the first one has what was done before' \
    sh -c "! grep -q last_fib early.csv && grep -q fib early.csv && test \$(wc -l <early.csv) -lt \$(wc -l <late.csv)"
done
rm -f early.out
CILKPROF_INTERVAL=1 ./on wait now >got 2>stderr
status=$?
fault 'CILKPROF_INTERVAL=1' 'a whole profile while it runs' \
  sh -c "test $status = 3 -a ! -s stderr && cilkprof-report -i on early.out | grep -q 'flags: *none'"
CILKPROF_SIGNAL=NONE ./on x >got 2>stderr
fault 'CILKPROF_SIGNAL=NONE' 'one line' one_line '^cilkprof: CILKPROF_SIGNAL: not a signal'
(trap '' USR1 && CILKPROF_SIGNAL=USR1 ./on x >got 2>stderr)
fault 'CILKPROF_SIGNAL of a signal that is ignored' 'one line, and it stays ignored' one_line '^cilkprof: CILKPROF_SIGNAL: the program already uses this signal'
CILKPROF_INTERVAL=often ./on x >got 2>stderr
fault 'CILKPROF_INTERVAL=often' 'one line' one_line '^cilkprof: CILKPROF_INTERVAL: not a number'

# Many processes at once: names of their own, and one name for all.
cat >quick.c <<'EOC'
#include <cilk/cilk.h>
int f(int n) { return n + 1; }
int main(void) { int a = cilk_spawn f(1); cilk_sync; return a - 2; }
EOC
compile -O1 -fcilkprof=count quick.c -o quick
mkdir many
many=0
while [ $many -lt 150 ]; do
  CILKPROF_OUT=many/%p ./quick &
  CILKPROF_OUT=many/one ./quick &
  many=$((many + 1))
  [ $((many % 25)) != 0 ] || wait
done 2>stderr
wait
tried faults 300
fault '150 processes that write to names with %p' 'as many profiles' test "$(ls many | grep -c '^[0-9]*$')" = 150
fault '150 processes that write to one name' 'one whole profile, and nothing else is left' \
  sh -c 'test $(ls many | grep -vc "^[0-9]*$") = 1 && cilkprof-report -p quick many/one >said && test ! -s stderr'
fault 'all of them' 'can be added up' sh -c 'cilkprof-report --summary quick many/* | grep -q "Spawns: *151"'
finish
