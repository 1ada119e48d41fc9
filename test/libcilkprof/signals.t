#!/bin/sh
# Signal handlers that call instrumented code leave the profile of what they interrupt as it is.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >signals.c <<'EOC'
#include <cilk/cilk.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
static volatile int handled;
static jmp_buf out;
static int how;
int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
static void handler(int signal) {
  (void)signal;
  fib(5);
  if (++handled == 50 && how == 'j') longjmp(out, 1);
  if (handled == 50 && how == 'e') exit(3);
}
int main(int argc, char *argv[]) {
  how = argv[argc - 1][0];
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_NODEFER};
  struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
  sigaction(SIGALRM, &action, NULL);
  if (!setjmp(out)) {
    if (how != 'n') setitimer(ITIMER_REAL, &often, NULL);
    fib(28);
    while (how != 'n' && handled < 50) fib(20);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  printf("%d\n", handled >= 50);
  return 0;
}
EOC
for mode in count hybrid clock; do
  compile -O2 -fcilkprof=$mode signals.c -o signals
  profile signals none
  field 'main>fib' on_work_top_call_site_work >wanted
  for run in 1 2 3; do
    profile signals interrupted
    equal "$mode, run $run: the program runs, and was interrupted" '0 1' "$status $(cat signals.stdout)"
    [ $mode = count ] || continue
    equal "$mode, run $run: the interrupted call has the same work" "$(cat wanted)" "$(field 'main>fib' on_work_top_call_site_work)"
  done
  for run in 1 2 3 4 5; do # wherever it interrupts
    profile signals jump
    equal "$mode, run $run: a handler that jumps away" '0 1' "$status $(cat signals.stdout)"
    profile signals exit
    equal "$mode, run $run: a handler that exits" 3 "$status"
  done
done
finish
