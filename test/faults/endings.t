#!/bin/sh
# However a run ends, its profile is left: whole where the program ended it, in the live file where it was ended.  The
# status is that of the program without the profiler.
# SPDX-License-Identifier: MIT
. "$TOP/test/faults/lib.sh"

cat >end.cc <<'EOC'
#include <cilk/cilk.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <stdexcept>
extern "C" {
int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
__attribute__((noinline)) int overflow(volatile char *above) { volatile char here[4096]; here[0] = above[0]; return overflow(here) + here[0]; }
}
static volatile int *nowhere, zero;
static void handler(int signal) { const char text[] = "handled\n"; if (write(1, text, sizeof text - 1) < 0) abort(); _exit(signal); }
static int child_status() { int status; wait(&status); return WEXITSTATUS(status); }
__attribute__((noinline)) static void end(const char *how, int number) {
  char shell[] = "sh", option[] = "-c", command[] = "exit 3", *arguments[] = {shell, option, command, NULL};
  char variable[] = "A=3", *environment[] = {variable, NULL};
  if (!strcmp(how, "exit")) exit(3);
  if (!strcmp(how, "_exit")) _exit(3);
  if (!strcmp(how, "_Exit")) _Exit(3);
  if (!strcmp(how, "quick_exit")) quick_exit(3);
  if (!strcmp(how, "execl")) execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
  if (!strcmp(how, "execlp")) execlp("sh", "sh", "-c", "exit 3", (char *)NULL);
  if (!strcmp(how, "execle")) execle("/bin/sh", "sh", "-c", "exit $A", (char *)NULL, environment);
  if (!strcmp(how, "execv")) execv("/bin/sh", arguments);
  if (!strcmp(how, "execve")) execve("/bin/sh", arguments, environ);
  if (!strcmp(how, "execvp")) execvp("sh", arguments);
  if (!strcmp(how, "execvpe")) execvpe("sh", arguments, environ);
  if (!strcmp(how, "failing exec")) { execl("/none/such", "such", (char *)NULL); exit(errno == ENOENT ? 3 : 4); }
  if (!strcmp(how, "vfork")) { if (vfork() == 0) _exit(3); exit(child_status()); }
  if (!strcmp(how, "fork, exec")) { if (fork() == 0) execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL); exit(child_status()); }
  if (!strcmp(how, "fork, _exit")) { if (fork() == 0) { fib(9); _exit(3); } exit(child_status()); }
  if (!strcmp(how, "exception")) throw std::runtime_error("nobody catches it");
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "overflow")) { char here = 1; overflow(&here); }
  if (!strcmp(how, "segv")) *nowhere = 1;
  if (!strcmp(how, "kill")) { kill(getpid(), number); for (;;) pause(); }
  if (!strcmp(how, "handled")) { signal(number, handler); raise(number); }
  if (!strcmp(how, "ignored")) { signal(number, SIG_IGN); raise(number); exit(3); }
  if (!strcmp(how, "wait")) for (;;) { puts("waiting"); fflush(stdout); pause(); }
}
__attribute__((noinline)) static void depth(int n, const char *how, int number) {
  if (n == 0) { end(how, number); return; }
  cilk_spawn fib(5);
  depth(n - 1, how, number);
}
int main(int argc, char *argv[]) {
  fib(10);
  depth(5, argv[1], argc > 2 ? atoi(argv[2]) : 0);
  return 3;
}
EOC
ulimit -c 0
c++ -O1 -fcilkplus end.cc -o plain 2>compiler-said && c++ -O1 -fcilkplus -fcilkprof=count end.cc -o end 2>>compiler-said ||
  give_up 'end.cc' compiler-said
profile end return
grep fib sites.csv | cut -d, -f2-6,15 >fibs

true_that 'the calls of fib are known' "$(wc -l <fibs) >= 4"

# run HOW [NUMBER]: both programs; what they said and their statuses are in wanted and got.  In the background a shell
# ignores signals, and so would they.
run() {
  rm -f cilkprof.out*
  { env --default-signal ./plain "$@"; echo "status $?"; } >wanted 2>&1
  { env --default-signal ./end "$@"; echo "status $?"; } >got 2>&1
  sed 's/[0-9]* \(Aborted\|Killed\|Terminated\|Seg\)/N \1/; s/^.*: *line.*$//; s|\./[a-z]*|PROGRAM|' wanted >a
  sed 's/[0-9]* \(Aborted\|Killed\|Terminated\|Seg\)/N \1/; s/^.*: *line.*$//; s|\./[a-z]*|PROGRAM|' got >b
}
# figures FILE: the calls of fib are as they were in the run that returned.
figures() {
  cilkprof-report --csv end "$1" 2>/dev/null | tr -d '\r"' | grep fib | cut -d, -f2-6,15 | diff fibs - >difference
}
complete() {
  cmp a b && [ "$(ls cilkprof.out*)" = cilkprof.out ] && figures cilkprof.out && cilkprof-report -i end | grep -q 'flags: *none'
}
for how in return exit _exit _Exit quick_exit execl execlp execle execv execve execvp execvpe 'failing exec' vfork 'fork, exec'; do
  run "$how"
  fault "$how" 'the same status, and the whole profile' complete
done
run 'fork, _exit'
fault 'fork, _exit' 'a profile of each process' \
  sh -c 'cmp a b && test $(ls cilkprof.out* | wc -l) = 2 && cilkprof-report -p end cilkprof.out.* >said'

incomplete() {
  cmp a b && [ "$(ls cilkprof.out* | sed 's/[0-9]*//g')" = cilkprof.out..live ] && figures cilkprof.out.*.live &&
    cilkprof-report --summary end cilkprof.out.*.live | grep -q 'did not finish'
}
for how in exception abort overflow segv; do
  run $how
  tried kills
  fault "$how" 'the same status, and a live file, marked as incomplete' incomplete
done
for number in 1 2 3 4 6 7 8 9 11 13 14 15 24 25 31; do
  run kill $number
  tried kills
  fault "signal $number" 'the same status, and a live file, marked as incomplete' incomplete
done
CILKPROF_CONTEXTS=1
export CILKPROF_CONTEXTS
run kill 9
unset CILKPROF_CONTEXTS
cilkprof-report --summary end cilkprof.out.*.live >got
fault 'a live file' 'one line says what it lacks' \
  sh -c 'grep -q "this is its live file, which has no spans, contexts, regions, roots or unfinished calls" got && ! grep -q "The critical path is unknown" got'
cilkprof-report --contexts end cilkprof.out.*.live >got
fault 'the contexts of a live file' 'a line says that it never has any' grep -q 'has none: a live file never has' got
for number in 2 11 15; do
  run handled $number
  fault "signal $number, with a handler that calls _exit" 'the same status, and a profile' \
    sh -c 'cmp a b && cilkprof-report -p end cilkprof.out >said'
  run ignored $number
  fault "signal $number, ignored" 'the same status, and the whole profile' complete
done

# While it runs, and when it is killed from outside at any moment.
rm -f cilkprof.out*
./end wait >waiting &
pid=$!
until grep -q waiting waiting 2>/dev/null; do sleep 0.1; done
fault 'a program that still runs' 'its live file can be read' figures cilkprof.out.$pid.live
kill -9 $pid
wait $pid 2>/dev/null
fault 'kill -9 from outside' 'its live file can be read' figures cilkprof.out.$pid.live
cat >long.c <<'EOC'
#include <cilk/cilk.h>
int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
int main(void) { for (;;) fib(20); }
EOC
compile -O2 -fcilkprof=hybrid long.c -o long
for delay in 0.1 0.13 0.17 0.2 0.25 0.3; do
  rm -f cilkprof.out*
  ./long &
  pid=$!
  sleep $delay
  kill -9 $pid
  wait $pid 2>/dev/null
  tried kills
  [ ! -f cilkprof.out.$pid.live ] || cilkprof-report --csv long cilkprof.out.$pid.live 2>&1 || echo wrong
done >killed
fault 'kill -9 at any moment' 'the live file can be read' sh -c '! grep wrong killed'
cilkprof-report long >got 2>stderr
fault 'a report on a run that was killed' 'one line that names the live file' one_line 'cilkprof.out: No such file.*; cilkprof.out.[0-9]*.live was left by a run'
cilkprof-report --summary long cilkprof.out.*.live >got 2>stderr
fault 'a report on a live file' 'the span is not known' grep -q 'Span: *not known' got
rm -f cilkprof.out*
CILKPROF_LIVE=0 ./end kill 9 2>/dev/null
fault 'CILKPROF_LIVE=0' 'no live file' sh -c '! ls cilkprof.out* 2>/dev/null'
finish
