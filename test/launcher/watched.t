#!/bin/sh
# OpenMP programs that are watched as they are, and end, fork, execute, close or delete what they should not: they print and
# return what they do alone, and what is said is one line.  Programs that cannot be watched, and wrong numbers of threads.
# SPDX-License-Identifier: MIT
. "$TOP/test/launcher/lib.sh"
unset OMP_NUM_THREADS OMP_TOOL OMP_TOOL_LIBRARIES CILKPROF_SAMPLE CILKPROF_SAMPLE_HZ CILKPROF_OUT LD_PRELOAD

cat >ends.c <<'EOC'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void work(void) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100000; i++)
    sum += i;
  printf("%ld\n", sum);
  fflush(stdout);
}
int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  work();
  if (!strcmp(how, "close"))
    for (int i = 0; i < 1024; i++) close(i);
  if (!strcmp(how, "delete")) unlink(argv[0]);
  if (!strcmp(how, "chdir") && chdir("/")) return 1;
  if (!strcmp(how, "fork")) {
    int status = 0;
    if (!fork()) return printf("child\n") < 0;
    wait(&status);
    printf("%d\n", status);
  }
  if (!strcmp(how, "itself")) execl("/proc/self/exe", argv[0], "_exit", NULL);
  if (!strcmp(how, "other")) execlp("echo", "echo", "other", NULL);
  work();
  if (!strcmp(how, "_exit")) _exit(7);
  if (!strcmp(how, "inside")) {
#pragma omp parallel
#pragma omp master
    exit(9);
  }
  if (!strcmp(how, "abort")) abort();
  return 0;
}
EOC
gcc -O2 -g -fopenmp ends.c -o ends >said 2>&1 || give_up 'ends.c compiles' said

# watched NAME ARGUMENT: as alone; at most one line is said, by cilkprof.
watched() {
  cp ends program
  ./program $2 >wanted 2>/dev/null </dev/null
  echo "status $?" >>wanted
  cp ends program
  rm -f cilkprof.out*
  cilkprof run ./program $2 >got 2>errors </dev/null
  echo "status $?" >>got
  same "$1" wanted got
  holds "$1: at most a line is said" test "$(grep -c '^cilkprof: ' errors)" = "$(wc -l <errors)" -a "$(wc -l <errors)" -le 1
}
for how in none close delete chdir fork itself other _exit inside abort; do
  watched "$how" $how
done
for value in disabled rubbish; do
  OMP_TOOL=$value watched "OMP_TOOL=$value"
done
for value in '' 0 rubbish %s%n 99999999999999999999; do
  CILKPROF_WATCHED=$value watched "CILKPROF_WATCHED=$value"
done

# wrong NAME PATTERN STATUS COMMAND...: one line that matches.
wrong() {
  name=$1 pattern=$2 wanted=$3
  shift 3
  "$@" >out 2>errors </dev/null
  equal "$name: status" "$wanted" $?
  holds "$name: a line" test "$(wc -l <errors)" = 1
  cp errors said
  if grep -q -e "^cilkprof\(-run\)*: .*$pattern" errors; then pass "$name: it says why"; else fail "$name: it says why" errors; fi
}
for number in 0 x -1 1025 99999999999999999999; do
  wrong "-j$number" 'not a number from 1 to 1024' 125 cilkprof run -j$number ./ends
done
# libgomp says so of its own; libomp, which takes its place, might end the program.
./ends >wanted
for value in 0 -3 2x 2,,2 99999999999999999999; do
  OMP_NUM_THREADS=$value wrong "OMP_NUM_THREADS=$value" 'not a number of threads; ignored' 0 cilkprof-run ./ends 2>/dev/null
  same "OMP_NUM_THREADS=$value: it computes the same" wanted out
done

cp ends other
printf '\377' | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
wrong 'another processor' 'another kind of processor' 125 cilkprof run ./other
if [ "$(id -u)" = 0 ] && command -v setpriv >said; then
  cp ends privileged
  chmod 4755 privileged
  mkdir -m 777 folder
  chmod 755 .
  wrong 'set-user-ID' 'set-user-ID' 125 \
    setpriv --reuid nobody --clear-groups env -C folder PATH="$PATH" cilkprof run ../privileged
  wrong 'set-user-ID of a user like this' 'cilkprof report' 0 cilkprof run ./privileged
fi
finish
