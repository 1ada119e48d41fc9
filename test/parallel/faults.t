#!/bin/sh
# Wrong settings, no threads, no memory, little address space: programs stay right, and say at most one line.
# SPDX-License-Identifier: MIT
. "$TOP/test/parallel/lib.sh"

by_hand spawns spawns.c
by_hand exceptions exceptions.cc
$CC -shared -fPIC -Wall -Wextra -Werror "$TOP/test/parallel/faults.c" -o faults.so -ldl >said 2>&1 || give_up 'what fails' said

processors=$(nproc)
for wrong in abc 0 -1 1000000 '2 3' 2x 99999999999999999999; do
  CILK_NWORKERS=$wrong ./spawns fib 15 >got 2>&1
  echo "status $?" >>got
  printf '%s\n' "cilkprof: CILK_NWORKERS=$wrong: not a number of workers; using $processors" 'status 0' >wanted
  same "CILK_NWORKERS=$wrong" wanted got
done
CILK_NWORKERS= ./spawns fib 15 >got 2>&1
same 'an empty one is none' /dev/null got

(ulimit -f 0; CILK_NWORKERS=x ./spawns fib 15 2>unsaid)
holds 'files may not grow: one that takes what is said ends no program' test $? = 0

# threads NUMBER COMMAND...: how many the process has at its end.
cat >threads.c <<'EOC'
#include <dirent.h>
#include <stdio.h>
static __attribute__((destructor)) void count(void) {
  DIR *tasks = opendir("/proc/self/task");
  int number = -2;
  while (tasks && readdir(tasks))
    number++;
  fprintf(stderr, "%d\n", number);
}
EOC
$CC -shared -fPIC threads.c -o threads.so
threads() {
  LD_PRELOAD=./threads.so CILK_NWORKERS=$2 ./spawns $1 2>&1
}
holds 'a program that spawns nothing starts no thread' test "$(threads nothing 4)" = 1
holds 'one worker starts none' test "$(threads 'fib 15' 1)" = 1
holds 'four workers are three more threads' test "$(threads 'fib 15' 4)" = 4

for most in 0 1 2; do
  for part in 'fib 20' loops blocks 'many 20000'; do
    holds "only $most threads to be had: $part" \
      env FAIL_THREADS=$most LD_PRELOAD=./faults.so CILK_NWORKERS=4 timeout 300 ./spawns $part
  done
done
for part in 'fib 20' large loops blocks 'many 20000'; do
  holds "no memory for tasks: $part" \
    env FAIL_TASKS=1 LD_PRELOAD=./faults.so CILK_NWORKERS=2 CILKPROF_FORCE_STEALS=1 timeout 300 ./spawns $part
done
for part in first continuation far loops; do
  holds "no memory for tasks: exceptions, $part" \
    env FAIL_TASKS=1 LD_PRELOAD=./faults.so CILK_NWORKERS=2 CILKPROF_FORCE_STEALS=1 timeout 300 ./exceptions $part 20
done
(ulimit -v 100000 && CILK_NWORKERS=8 timeout 300 ./spawns fib 25) >said 2>&1
holds 'in an address space of 100 MB' test $? = 0

# The most that was resident, in KB: 10 million children of one frame need no memory for each.
cat >resident.c <<'EOC'
#include <stdio.h>
#include <sys/resource.h>
static __attribute__((destructor)) void most(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  fprintf(stderr, "%ld\n", usage.ru_maxrss);
}
EOC
$CC -shared -fPIC resident.c -o resident.so
resident() {
  LD_PRELOAD=./resident.so CILK_NWORKERS=$1 timeout 300 ./spawns many $2 2>&1
}
for workers in 2 8; do
  few=$(resident $workers 1000) many=$(resident $workers 10000000)
  echo "$few KB for a thousand, $many KB for ten million" >said
  if [ $((many - few)) -lt 2048 ]; then
    pass "ten million children in 2 MB, $workers workers"
  else
    fail "ten million children in 2 MB, $workers workers" said
  fi
done

finish
