#!/bin/sh
# A process that is forked while another thread waits for a lock: there nobody waits, and the other worker is idle
# while one computes.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"

cat >fork.c <<'EOC'
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Two calls each, one of them spawned.  */
static long fib(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

/* The same in this thread alone.  */
static long serial_fib(long n) {
  return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2);
}

/* A thread that has work, and then waits for the lock.  */
static void *waits(void *unused) {
  fib(10);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

/* Forks while another thread waits; the child computes, and is sampled by itself.  */
int main(void) {
  pthread_t thread;
  struct timespec while_it_starts = {0, 300000000};
  fib(10);
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, waits, NULL);
  nanosleep(&while_it_starts, NULL);
  pid_t child = fork();
  if (!child) {
    long first = fib(20); /* sampling begins with this */
    printf("%ld %ld\n", first, serial_fib(40));
    exit(0);
  }
  waitpid(child, NULL, 0);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
EOC
compile fork.c -o fork
sampled ./fork >got 2>&1
echo 6765 102334155 >wanted
same 'the child computes' wanted got
# sum METRIC: of the child's samples, in nanoseconds.
sum() {
  paths "$1" fork cilkprof.out.[0-9]* | awk '{ sum += $NF } END { printf "%.0f\n", sum }'
}
work=$(sum work) idleness=$(sum idleness)
echo "work $work, idleness $idleness" >sums
if [ "$work" -gt 0 ] && [ "$idleness" -gt $((work / 2)) ]; then
  pass 'and its other worker is idle'
else
  fail 'and its other worker is idle' sums
fi

finish
