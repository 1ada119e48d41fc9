#!/bin/sh
# Reference runs of programs that end in other ways, fork, have threads, and are ended from outside.
# SPDX-License-Identifier: MIT
. "$TOP/test/launcher/lib.sh"
mkdir temporary && export TMPDIR="$PWD/temporary"

cat >ends.c <<'EOC'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "logs.h"
__attribute__((noinline)) static int work(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
static void *other(void *how) {
  work(1000);
  if (how)
    exit(0);
  return NULL;
}
/* Ends the program as if it had done all.  */
static void calm(int signal) {
  (void)signal;
  _exit(0);
}
static void child(const char *how) {
  pid_t made = fork();
  if (made == 0) {
    work(10);
    if (strcmp(how, "fork-exit") == 0)
      exit(0);
    _exit(0);
  }
  waitpid(made, NULL, 0);
}
int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "return";
  pthread_t thread;
  if (strcmp(how, "second") != 0)
    logs();
  work(1000000);
  if (strcmp(how, "exit") == 0)
    exit(0);
  if (strcmp(how, "_exit") == 0)
    _exit(0);
  if (strcmp(how, "quick_exit") == 0)
    quick_exit(0);
  if (strcmp(how, "exec") == 0)
    execl("/proc/self/exe", argv[0], "second", NULL);
  if (strncmp(how, "fork", 4) == 0)
    child(how);
  if (strcmp(how, "orphan") == 0 && fork() != 0)
    syscall(SYS_exit_group, 0); /* nobody sees it */
  if (strcmp(how, "command") == 0)
    return system("CILKPROF_OUT=of-command.out ./ends second");
  if (strcmp(how, "thread") == 0 || strcmp(how, "thread-exit") == 0) {
    pthread_create(&thread, NULL, other, strcmp(how, "thread") == 0 ? NULL : argv);
    pthread_join(thread, NULL);
  }
  int differs = bare() == (strstr(how, "in-bare") != NULL) ? 3 : 0;
  if (strncmp(how, "differ", 6) == 0)
    exit(differs);
  if (strncmp(how, "_differ", 7) == 0)
    _exit(differs);
  if (strcmp(how, "abort") == 0)
    abort();
  if (strcmp(how, "turns") == 0)
    return runs();
  if (strcmp(how, "calm") == 0)
    signal(SIGTERM, calm);
  if (strcmp(how, "wait") == 0 || strcmp(how, "calm") == 0) {
    FILE *ready = fopen("ready", "w");
    fclose(ready);
    for (;;)
      pause();
  }
  return 0;
}
EOC
compile -O2 -pthread -fcilkprof ends.c -o ends

for how in return exit _exit quick_exit exec fork fork-exit thread; do
  launch --runs=2 ./ends $how
  equal "$how: status" 0 $status
  ran "$how: runs" bare bare profiled
  equal "$how: a reference" 2 "$(references ends)"
  equal "$how: nothing is said" 0 "$(wc -l <errors)"
done

launch ./ends thread-exit
holds 'exit in another thread: no reference' grep -q 'the reference run did not end in its first thread' errors
launch ./ends abort
equal 'a signal: status' 134 $status
ran 'a signal: the program is run all the same' bare profiled
holds 'a signal: no reference' grep -q 'the reference run was killed by signal 6 (Aborted)' errors

# It is a reference where it ended as the profiled run did.
for how in differ _differ differ-in-bare _differ-in-bare; do
  launch --runs=2 ./ends $how
  ran "$how: runs" bare bare profiled
  equal "$how: no reference" 0 "$(references ends)"
  equal "$how: the time is unchecked" unchecked "$(checked ends)"
done
equal 'another status: that of the profiled run counts' 0 $status
says 'another status: a line' ' exited with status 0, but with 3 without instrumentation; the times of the profile are not checked'
launch --runs=3 ./ends turns
ran 'a reference that ends in another way each time' bare bare profiled
says 'and a line' 'reference runs exited with status 1 and 2; the times of the profile are not checked'

# Only the process that was started writes; all others that it starts run without events and leave nothing.
rm -f cilkprof.out*
: >took
sh -c 'CILKPROF_REFERENCE_TO=$$:$PWD/took exec ./ends orphan'
sleep 0.2
holds 'what was forked does not write' test ! -s took
sh -c 'CILKPROF_REFERENCE_TO=$$:$PWD/took exec ./ends command'
holds 'the process itself does' grep -q -x '[0-9]* [0-9]* [0-9]* [0-9]*' took
equal 'no profiles' '' "$(ls | grep -e cilkprof.out -e of-command.out -e live)"
sh -c 'CILKPROF_REFERENCE_TO=$$:/nowhere/took exec ./ends' 2>errors
equal 'a file that cannot be written: status' 0 $?
holds 'and nothing is said' test ! -s errors

# What the profiled run is told is believed only if it can be true, and if it is for this process.
# told VALUE: of CILKPROF_REFERENCE; @ is the process.
told() {
  rm -f cilkprof.out
  value=$1 sh -c 'CILKPROF_REFERENCE=$(echo "$value" | sed "s/@/$$/") exec ./ends' 2>errors
  checked ends
}
equal 'a reference that took nearly nothing' contrary "$(told '@:1 0 1 0 0 0 65536 measured')"
equal 'one that took days' contrary "$(told '@:1 0 99999999999999 0 0 0 65536 measured')"
equal 'long strands that are to be worth more' contrary "$(told '@:1 0 1 0 0 0 524288 measured')"
cilkprof-report --format=json ends cilkprof.out | tr -d '\n' |
  sed 's/.*"units_per_second":\([0-9]*\),"burden".*"totals":{"work":\([0-9]*\),.*"run":{"cpu_ns":\([0-9]*\).*/\1 \2 \3/' >values
read -r unit work took <values
true_that 'take what they took all the same' "$work / $unit > 0 && $work / $unit < 2 * $took / 1e9"
equal 'one of no runs' unchecked "$(told '@:0 0 1 0 0 0 65536 measured')"
equal 'one of another process' unchecked "$(told '1:1 0 1 0 0 0 65536 measured')"
for value in '' @ @: @:x '@:1' '@:1 2 3' ':' '@:1 0 2 0 0 0' '@:1 0 2 0 0 0 0 measured' \
  '@:1 0 2 0 0 0 65536' '@:1 0 2 0 0 0 18446744073709551615 measured' '@:1 x 2 0 0 0 65536 measured' \
  '@:18446744073709551615 0 18446744073709551615 0 0 0 65536 measured'; do
  told "$value" >got
  holds "'$value' does no harm" grep -q -x 'unchecked\|contrary' got
  holds "'$value': nothing is said" test ! -s errors
done

# ended NAME SIGNAL STATUS [WORD]: cilkprof-run gets a signal while the program waits.  It waits in its first run, which is a reference.
ended() {
  rm -f ready log cilkprof.out*
  env --default-signal=HUP,TERM cilkprof-run ./ends "${4:-wait}" >out 2>errors &
  launcher=$!
  while [ ! -e ready ]; do sleep 0.05; done
  kill -"$2" $launcher
  wait $launcher
  status=$?
  equal "$1: status" "$3" $status
  ran "$1: the profile is not begun" bare
  equal "$1: nothing is said" 0 "$(grep -c cilkprof errors)"
}
ended 'ended from outside' TERM 143
ended 'hung up' HUP 129
ended 'a program that ends as if nothing had happened' TERM 143 calm
rm -f ready log
cilkprof-run --no-reference ./ends wait >out 2>errors &
launcher=$!
while [ ! -e ready ]; do sleep 0.05; done
kill -TERM $launcher
wait $launcher
equal 'in the profiled run: status' 143 $?
equal 'in the profiled run: what is left' 1 "$(ls | grep -c '^cilkprof.out.*live')"
# Files may not grow: neither the program nor cilkprof-run is ended by it, and what is said is true.
cat >calm.c <<'EOC'
#include <cilk/cilk.h>
static int one(int n) { return n; }
int main(void) { int a = cilk_spawn one(3); int b = one(4); cilk_sync; return a + b - 7; }
EOC
cc -fcilkplus -fcilkprof calm.c -o calm >said 2>&1
{ (ulimit -f 0; cilkprof-run ./calm; echo "status $?") 2>&1 | cat; } >got
cat >wanted <<END
cilkprof-run: ./calm: the limit of file sizes (ulimit -f) is too small for the time of the reference run; the times of the profile are not checked
cilkprof: $PWD/cilkprof.out: File too large; no profile is written
cilkprof-run: ./calm: no profile was written; the program exited with status 0
status 125
END
same 'files may not grow' wanted got
equal 'no temporary files are left' '' "$(ls "$TMPDIR")"
finish
