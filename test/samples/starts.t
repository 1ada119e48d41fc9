#!/bin/sh
# Sampling that cannot start leaves nothing behind; a thread that has ended leaves nothing to the next; a process that is
# forked adds nothing to the samples of its parent, however sampling was started.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"
unset OMP_NUM_THREADS OMP_TOOL OMP_TOOL_LIBRARIES LD_PRELOAD

# A system without clocks that interrupt.
cat >system.c <<'EOC'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer) {
  (void)clock, (void)event, (void)timer;
  errno = EAGAIN;
  return -1;
}
long syscall(long number, ...) {
  static long (*system)(long, long, long, long, long, long, long);
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_perf_event_open) {
    errno = EACCES;
    return -1;
  }
  if (!system)
    system = (long (*)(long, long, long, long, long, long, long))dlsym(RTLD_NEXT, "syscall");
  return system(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
EOC
cat >nothing.c <<'EOC'
#include <cilk/cilk.h>
static __attribute__((noinline)) int nothing(int n) { return n; }
int main(void) {
  int n = cilk_spawn nothing(0);
  cilk_sync;
  return n;
}
EOC
compile nothing.c -o nothing
PATH=/usr/bin:$PATH gcc -shared -fPIC system.c -o system.so >said 2>&1 || give_up 'the system is compiled' said
mkdir folder
(cd folder && CILKPROF_SAMPLE=1 LD_PRELOAD=$PWD/../system.so ../nothing >../errors 2>&1)
holds 'no clock: it is said' grep -q 'out of memory or timers; the program runs without sampling' errors
holds 'no clock: no file is left' test -z "$(ls folder)"

# One thread after the other waits for a lock, each for less than a sampling interval.
cat >waits.c <<'EOC'
#include <omp.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready;
/* Waits for the lock, in a region of this thread alone.  */
#define WAITER(name) \
  static __attribute__((noinline)) void name(void) { ready = 1; pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); } \
  static void *name##_thread(void *unused) { _Pragma("omp parallel num_threads(1)") name(); return unused; }
WAITER(first)
WAITER(second)
/* Lets THREAD wait for so many milliseconds.  */
static void hold(void *(*thread)(void *), long ms) {
  pthread_t waiting;
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  ready = 0;
  pthread_mutex_lock(&lock);
  pthread_create(&waiting, NULL, thread, NULL);
  while (!ready)
    ;
  nanosleep(&time, NULL);
  pthread_mutex_unlock(&lock);
  pthread_join(waiting, NULL);
}
int main(void) {
#pragma omp parallel num_threads(2)
  ready = 0;
  hold(first_thread, 900);
  hold(second_thread, 300);
  return 0;
}
EOC
(PATH=/usr/bin:$PATH && gcc -O2 -g -fopenmp waits.c -o waits) >said 2>&1 || give_up 'waits.c is compiled' said
timeout 120 cilkprof-run -F 1 ./waits >said 2>&1 || give_up 'it runs' said
paths waiting ./waits >got 2>said
holds 'waiting is not that of another thread' test "$(grep -c second got)" = 0

# A process that is forked, where OpenMP's runtime loaded the tool itself.
libomp=$(ls /usr/lib/llvm-*/lib/libomp.so.5 2>/dev/null | tail -n 1)
cat >forks.c <<'EOC'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "burn.h"
APART in_parent(void) { burn(0.2); sink = 1; }
APART in_child(void) { burn(0.2); sink = 2; }
int main(void) {
#pragma omp parallel num_threads(2)
  in_parent();
  pid_t child = fork();
  if (!child) {
#pragma omp parallel num_threads(2)
    in_child();
    exit(0);
  }
  waitpid(child, NULL, 0);
  return 0;
}
EOC
(PATH=/usr/bin:$PATH && gcc -O2 -g -fopenmp -I"$TOP/test/samples" forks.c -o forks) >said 2>&1 || give_up 'forks.c is compiled' said
rm -f cilkprof.out*
CILKPROF_SAMPLE=1 LD_PRELOAD=$libomp OMP_TOOL_LIBRARIES=$BUILD_DIR/lib/cilkprof/libcilkprof-openmp.so timeout 120 ./forks >said 2>&1
paths work ./forks >got 2>said
holds 'the parent is sampled' grep -q in_parent got
holds 'its child is not, in the same file' test "$(grep -c in_child got)" = 0
finish
