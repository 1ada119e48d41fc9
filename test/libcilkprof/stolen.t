#!/bin/sh
# A strand in whose time no sample came did not run: the host of a virtual machine had the processor, and the CPU time
# does not tell.  What holds samples back is no sign of it: system calls, page faults, blocked signals.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"
plain=$(PATH=${PATH#*:*:} command -v gcc)

# A CPU time that goes on while the thread sleeps.
cat >clock.c <<'EOC'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
  return (int)syscall(SYS_clock_gettime, clock == CLOCK_THREAD_CPUTIME_ID ? CLOCK_MONOTONIC : clock, now);
}
EOC
# One child of a thousand takes long; prints how long, in seconds.
cat >stolen.c <<'EOC'
#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
static volatile long x;
static void spin(long n) {
  for (long i = 0; i < n; i++) x++;
}
static void map(size_t bytes, int flags) {
  char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  memset(at, 1, bytes);
  munmap(at, bytes);
}
static void blocked(void) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  spin(100000000);
  sigprocmask(SIG_SETMASK, &before, NULL);
}
static void handler(int number) { (void)number; spin(100000000); }
static double now(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
static __attribute__((noinline)) void step(const char *what, double *took) {
  double begin = now();
  if (!strcmp(what, "stolen")) nanosleep(&(struct timespec){1, 0}, NULL);
  else if (!strcmp(what, "spins")) spin(100000000);
  else if (!strcmp(what, "blocked")) blocked();
  else if (!strcmp(what, "handler")) raise(SIGUSR1);
  else if (!strcmp(what, "populate")) map(200 << 20, MAP_POPULATE);
  else if (!strcmp(what, "faults")) map(200 << 20, 0);
  else spin(5000);
  *took = now() - begin;
}
int main(int argc, char **argv) {
  struct sigaction action = {.sa_handler = handler};
  double took[1000];
  sigfillset(&action.sa_mask);
  sigaction(SIGUSR1, &action, NULL);
  for (int i = 0; i < 1000; i++)
    cilk_spawn step(i == 500 ? argv[argc - 1] : "", &took[i]);
  cilk_sync;
  printf("%.6f\n", took[500]);
  return 0;
}
EOC
"$plain" -O2 -c clock.c -o clock.o >said 2>&1 || give_up 'clock.c compiles' said
span() {
  sed -n 's/^ *Span: *//p' summary.txt | awk '{ print $1 * ($2 == "s" ? 1 : $2 == "ms" ? 1e-3 : $2 == "us" ? 1e-6 : 1e-9) }'
}
compile -O2 -fcilkprof stolen.c clock.o -o asleep
profile asleep stolen
true_that 'a second in which nothing ran is no work' "$(span) < 0.5"
cilkprof-report -b asleep asleep.prof | tr -s '\n ' ' ' >verdict
holds 'the verdict says that the machine is busy' grep -q 'Busy machine: .* by the host of a virtual machine' verdict
compile -O2 -fcilkprof stolen.c -o awake
for what in spins blocked handler populate faults; do
  profile awake $what
  true_that "$what: what ran is work" "$(span) > $(cat awake.stdout) / 2"
done
finish
