/* A program that is interrupted anywhere, and unwound each time: up to main, and through as many calls of a function as
   there are.
   SPDX-License-Identifier: MIT  */

#include <alloca.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libcilkprof/sampler/unwind.h"

/* An emulator cannot do so much.  */
#ifndef ENOUGH
#define ENOUGH   20000
#define EVERY_NS 50000
#endif

__thread struct sampled_thread *__cilkprof_s_self;
static struct sampled_thread self;

int main(void);
static volatile int depth;
static volatile sig_atomic_t taken, lost, wrong;
static volatile uintptr_t lost_at, wrong_at, last_at;
static volatile double sink;

#define FUNCTION __attribute__((noinline))

FUNCTION void test_samples_recurse(int n);

/* Handler of the timer: unwinds the interrupted stack and checks the calls that it finds.  */
static void test_samples_look(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  struct unwinder unwinder;
  struct rules rules;
  int calls = 0, in_main = 0;
  __cilkprof_s_unwind_from(&unwinder, context);
  uintptr_t pc = unwinder.pc;
  do {
    if (!__cilkprof_s_rules_at(unwinder.pc - !unwinder.exact, &rules))
      continue;
    calls += rules.begin == (uintptr_t)test_samples_recurse;
    in_main |= rules.begin == (uintptr_t)main;
    last_at = unwinder.pc;
  } while (__cilkprof_s_unwind(&unwinder));
  taken++;
  if (!in_main) {
    lost++;
    lost_at = pc;
  } else if (calls != depth && calls != depth + 1) {
    wrong++;
    wrong_at = pc;
  }
}

/* Callback of qsort: compares numbers.  */
FUNCTION int test_samples_order(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

/* Returns about X; a leaf function, which may have no frame to unwind.  */
FUNCTION double test_samples_leaf(double x) {
  return x * 1.0000001 + 1e-9;
}

/* Calls qsort, so that code of the C library calls back into the program.  */
FUNCTION void test_samples_sorts(int n) {
  int numbers[64];
  for (int i = 0; i < 64; i++)
    numbers[i] = (i * 37 + n) % 64;
  qsort(numbers, 64, sizeof *numbers, test_samples_order);
  sink += numbers[n % 64];
}

/* Uses alloca, so that the stack pointer moves within the function.  */
FUNCTION void test_samples_moves_stack(int n) {
  char *room = alloca((size_t)(n % 7) * 100 + 16);
  snprintf(room, 16, "%d", n);
  sink += (double)strlen(room);
}

/* Calls the mathematical library in a loop, for samples in code without frame pointers.  */
FUNCTION void test_samples_computes(double x) {
  double a[32];
  for (int i = 0; i < 32; i++)
    a[i] = test_samples_leaf(sin(x + i));
  for (int i = 0; i < 32; i++)
    sink += a[i];
}

/* Handler of a signal, inside of which the timer may fire.  */
static void test_samples_on_signal(int number) {
  (void)number;
  test_samples_computes(1);
}

/* Calls all of the above, N calls deep.  */
FUNCTION void test_samples_recurse(int n) {
  depth++;
  if (n > 0)
    test_samples_recurse(n - 1);
  else
    for (int i = 0; i < 4; i++) {
      test_samples_sorts(i);
      test_samples_moves_stack(i);
      test_samples_computes(i);
      raise(SIGUSR1);
    }
  depth--;
}

/* Recurses while a timer interrupts it, until ENOUGH samples are taken.  Prints how many did not reach main (lost), and
   how many found the wrong number of calls; for people, also where.  */
int main(void) {
  struct sigaction action = {.sa_sigaction = test_samples_look, .sa_flags = SA_SIGINFO | SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  struct itimerspec often = {{0, EVERY_NS}, {0, EVERY_NS}};
  timer_t timer;
  pthread_attr_t attributes;
  void *low;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  self.stack_begin = (uintptr_t)low;
  self.stack_end = (uintptr_t)low + size;
  __cilkprof_s_loaded_start();
  __cilkprof_s_self = &self;
  sigaction(SIGALRM, &action, NULL);
  signal(SIGUSR1, test_samples_on_signal);
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &often, NULL);
  for (int i = 0; taken < ENOUGH; i++)
    test_samples_recurse(i % 20);
  timer_delete(timer);
  printf("%d lost, %d wrong\n", (int)lost, (int)wrong);
  fprintf(stderr, "main %p recurse %p lost at %p wrong at %p last %p\n", (void *)(uintptr_t)main,
          (void *)(uintptr_t)test_samples_recurse, (void *)lost_at, (void *)wrong_at, (void *)last_at);
  return 0;
}
