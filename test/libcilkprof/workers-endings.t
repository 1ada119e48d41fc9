#!/bin/sh
# However a parallel run ends, its profile is as that of a serial run, or a line says why there is none.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >ending.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const char *how;
static volatile int waiting;
static int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return x + y;
}
static int child(int n) {
  if (n == 1 && !strcmp(how, "exit")) exit(7);
  if (n == 1 && !strcmp(how, "wait")) for (waiting = 1;;) pause();
  return fib(n + 10);
}
static int work(void) {
  int a = cilk_spawn child(1), b = child(2);
  if (!strcmp(how, "wait")) {
    while (!waiting) usleep(1000);
    exit(5);
  }
  cilk_sync;
  return a + b;
}
int main(int argc, char **argv) {
  how = argc > 1 ? argv[1] : "";
  fib(12); /* the other workers come to work */
  int sum = work();
  printf("%d\n", sum);
  fflush(stdout);
  if (!strcmp(how, "forever")) for (;;) work();
  return 0;
}
END
compile -w -O2 -g -fcilkprof=parallel ending.c -o ending
export CILK_NWORKERS=2 CILKPROF_FORCE_STEALS=1 CILKPROF_OUT=prof

# ends HOW: runs the program; what it says is in told, with its status.
ends() {
  rm -f prof*
  timeout 60 $RUN ./ending "$1" >stdout 2>told </dev/null
  echo "status $?" >>told
}
ends exit
printf '%s\n' 'cilkprof: no profile: a spawned call or an iteration that other workers may run has ended the program; end it after the sync' \
  'status 7' >wanted
# The emulator of another processor may end by a signal after the line, where the program exits while workers run.
[ -z "$RUN" ] || { sed -i '$d' wanted && sed -i '1!d' told; }
same 'exit in a child that was deferred: a line, and the status of the program' wanted told
holds 'and no file' test ! -e prof

ends wait
echo 'status 5' >wanted
same 'exit while a child waits forever in another worker: the program ends' wanted told
cilkprof-report --brief --summary ending prof >summary 2>&1
holds 'the profile says that it lacks some' grep -q 'part of its work is missing' summary
cilkprof-report --csv ending prof 2>&1 | tr -d '\r"' >sites.csv
equal 'and has what was done' 1 "$(field 'main>fib' on_work_top_caller_count)"

$RUN ./ending forever >stdout 2>told &
killed=$!
for second in 1 2 3 4 5 6 7 8 9 10; do [ -s stdout ] || sleep 1; done
kill -9 $killed
wait $killed 2>/dev/null
equal 'kill -9: the status' 137 $?
same 'kill -9: nothing is said' /dev/null told
rm -f prof
cilkprof-report ending prof >told 2>&1
equal 'kill -9: the report says in a line that there is no profile' 1 "$(grep -c 'prof: No such file' told)"

# unwritten NAME: the program has ended, and its profile was not written.
unwritten() {
  holds "$1: a line, and the status of the program" \
    sh -c 'cat told; test "$(wc -l <told)" = 2 && grep -q "^cilkprof: .*; no profile is written$" told && grep -q "^status 0$" told'
}
for where in /dev/full /nonexistent/prof; do
  export CILKPROF_OUT=$where
  ends ''
  unwritten $where
done
export CILKPROF_OUT=prof
if [ -z "$RUN" ]; then # the limit would be that of an emulator
  (ulimit -f 1 && ends '')
  unwritten 'a file size limit'
  holds 'and no file' test ! -e prof
fi
finish
