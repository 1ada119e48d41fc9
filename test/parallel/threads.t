#!/bin/sh
# What the runtime and its threads must not change for the program: how the process ends, errno, what a small stack or an
# unlimited one can hold, and what a signal handler may do.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"
unset CILK_NWORKERS CILKPROF_FORCE_STEALS

cat >threads.c <<'EOC'
#include <cilk/cilk.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
static __attribute__((noinline)) int fib(int n) {
  if (n < 2) return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}
static void *spawns(void *n) { return (void *)(long)fib((int)(long)n); }
static int in_thread(const pthread_attr_t *attributes, int n) {
  pthread_t thread;
  void *result;
  if (pthread_create(&thread, attributes, spawns, (void *)(long)n) || pthread_join(thread, &result)) abort();
  return (int)(long)result;
}
static pthread_t first;
static void *ends_last(void *n) {
  pthread_join(first, NULL);
  if (n) fib((int)(long)n);
  puts("the last thread ends");
  fflush(stdout);
  return NULL;
}
static int small(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, 16384)) return 8;
  return in_thread(&attributes, 6);
}
static volatile int begun;
static __attribute__((noinline)) void uses_stack(int mb) {
  volatile char room[1 << 20];
  for (int i = 0; i < 1 << 20; i += 4096) room[i] = 1;
  if (mb) uses_stack(mb - 1);
  room[0] = 2;
}
static void stolen(int mb) {
  begun = 1;
  uses_stack(mb);
}
static void deep(int mb) {
  cilk_spawn stolen(mb);
  while (!begun) sched_yield();
  cilk_sync;
}
static sigjmp_buf place;
static volatile int alarms, wrong, jumps;
static void handle(int number) {
  int sum = 0;
  if (number != SIGALRM || fib(5) != 5) wrong = 1;
  cilk_for (int i = 0; i < 10; i++) __atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);
  if (sum != 45) wrong = 1;
  alarms++;
  if (jumps) siglongjmp(place, 1);
}
static void handle_fully(int number, siginfo_t *info, void *context) {
  if (info->si_signo != number || !context) wrong = 1;
  handle(number);
}
static void sum(long n, long *to) {
  *to = 0;
  cilk_for (long i = 0; i < n; i++) __atomic_fetch_add(to, i, __ATOMIC_RELAXED);
}
static void works(int until) {
  for (long s; alarms < until;) {
    if (fib(10) != 55) wrong = 1;
    sum(100, &s);
    if (s != 4950) wrong = 1;
    free(malloc(1000));
  }
}
static void leaves_by_jumps(int until) {
  while (alarms < until)
    if (!sigsetjmp(place, 1))
      for (jumps = 1;;) ; /* before that there is no place to jump to */
  jumps = 0;
}
static int handlers(int full, int other_stack) {
  struct itimerval soon = {{0, 300}, {0, 300}};
  struct sigaction action = {.sa_flags = SA_RESTART | (full ? SA_SIGINFO : 0) | (other_stack ? SA_ONSTACK : 0)}, found;
  stack_t other = {.ss_sp = malloc(1 << 20), .ss_size = 1 << 20};
  if (full) action.sa_sigaction = handle_fully;
  else action.sa_handler = handle;
  if (sigaltstack(&other, NULL) || sigaction(SIGALRM, &action, NULL) || sigaction(SIGALRM, NULL, &found) ||
      (full ? found.sa_sigaction != handle_fully : found.sa_handler != handle))
    return 1;
  setitimer(ITIMER_REAL, &soon, NULL);
  works(300);
  leaves_by_jumps(310);
  works(600);
  soon = (struct itimerval){0};
  setitimer(ITIMER_REAL, &soon, NULL);
  if (signal(SIGALRM, SIG_DFL) != (full ? (void (*)(int))handle_fully : handle)) return 3;
  if (signal(SIGALRM, handle) != SIG_DFL || signal(SIGALRM, SIG_IGN) != handle) return 4;
  if (sigaction(SIGALRM, NULL, &found) || found.sa_handler != SIG_IGN) return 5;
  return wrong;
}
static int keeps_errno(void) {
  int squares[100];
  errno = 77;
  fib(12);
  if (errno != 77) return 1;
  cilk_for (int i = 0; i < 100; i++) squares[i] = i * i;
  return errno != 77 || squares[9] != 81;
}
int main(int argc, char *argv[]) {
  const char *part = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi(argv[2]) : 0;
  if (!strcmp(part, "errno")) return keeps_errno();
  if (!strcmp(part, "small")) return small() != 8;
  if (!strcmp(part, "deep")) deep(n);
  if (!strcmp(part, "restart")) {
    for (int i = 0; i < n; i++)
      if (in_thread(NULL, 15) != 610) return 1;
    return 0;
  }
  if (!strcmp(part, "handlers")) return handlers(n & 1, n & 2);
  if (!strcmp(part, "leave")) {
    pthread_t last;
    first = pthread_self();
    if (pthread_create(&last, NULL, ends_last, (void *)(long)n)) return 1;
    if (argc > 3) in_thread(NULL, 12);
    else fib(12);
    pthread_exit(NULL);
  }
  return 0;
}
EOC
for way in '' -static '-fcilkprof=parallel'; do
  cc -O2 -g -fcilkplus $way threads.c -o threads >said 2>&1 || give_up "threads.c compiles $way" said
  holds "the first thread that spawns has a stack of 16 KB, and counts the processors $way" timeout 100 ./threads small
  for setting in CILK_NWORKERS=4 'CILK_NWORKERS=4 CILKPROF_FORCE_STEALS=1'; do
    with="$setting $way"
    holds "errno stays as it is, $with" env $setting timeout 100 ./threads errno
    holds "a thread that spawns has a stack of 16 KB, $with" env $setting timeout 100 ./threads small
    holds "threads that spawn come and go, $with" env $setting timeout 100 ./threads restart 50
    case $way in
    *cilkprof*) ;;
    *)
      for how in 0 1 2 3; do
        holds "signal handlers spawn, $how, $with" env $setting timeout -k 1 100 ./threads handlers $how
      done
      ;;
    esac
    for leave in 'leave 0' 'leave 12' 'leave 0 thread' 'leave 12 thread'; do
      env $setting timeout -k 1 100 ./threads $leave >got 2>said
      echo "status $?" >>got
      { echo 'the last thread ends' && echo 'status 0'; } >wanted
      same "the process ends with its last thread: $leave, $with" wanted got
    done
    if (ulimit -s unlimited) 2>/dev/null; then
      holds "children of a helper use 300 MB of stack if that is unlimited, $with" \
        sh -c 'ulimit -s unlimited && exec "$@"' sh env $setting timeout 100 ./threads deep 300
    fi
  done
done

finish
