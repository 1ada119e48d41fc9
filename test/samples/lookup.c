/* A program that is interrupted in the first call of a library function, while the dynamic linker looks up what that
   calls: at every so many instructions, each in a process of its own, and unwound up to main.
   SPDX-License-Identifier: MIT  */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcilkprof/sampler/unwind.h"

enum { EVERY = 11, MOST = 20000, CANNOT = 2 };

__thread struct sampled_thread *__cilkprof_s_self;
static struct sampled_thread self;

int main(void);
static volatile sig_atomic_t lost;

/* Handler of the signal: unwinds the interrupted stack, and notes whether that does not lead to main.  */
static void test_samples_look(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  struct unwinder unwinder;
  struct rules rules;
  bool in_main = false;
  __cilkprof_s_unwind_from(&unwinder, context);
  do
    in_main |= __cilkprof_s_rules_at(unwinder.pc - !unwinder.exact, &rules) && rules.begin == (uintptr_t)main;
  while (__cilkprof_s_unwind(&unwinder));
  lost |= !in_main;
}

/* Finds the bounds of this thread's stack, for the unwinder.  */
static void test_samples_find_stack(void) {
  pthread_attr_t attributes;
  void *low;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  self.stack_begin = (uintptr_t)low;
  self.stack_end = (uintptr_t)low + size;
  __cilkprof_s_self = &self;
}

/* Body of a thread, which does nothing.  */
static void *test_samples_return(void *argument) {
  return argument;
}

/* Lets CHILD, which has stopped, execute COUNT instructions, then sends the signal, and waits for its end.  Returns its
   exit status; -1 if it ends before.  */
static int test_samples_interrupt(pid_t child, int count) {
  int status;
  waitpid(child, &status, 0);
  for (int i = 0; i < count && WIFSTOPPED(status); i++) {
    ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
    waitpid(child, &status, 0);
  }
  if (!WIFSTOPPED(status))
    return WEXITSTATUS(status) == CANNOT ? CANNOT : -1;
  ptrace(PTRACE_CONT, child, NULL, SIGUSR1);
  while (waitpid(child, &status, 0) == child && WIFSTOPPED(status))
    ptrace(PTRACE_CONT, child, NULL, NULL);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Interrupts a call of pthread_create after 0, EVERY, 2 * EVERY ... instructions, until it has returned before that.
   Prints how many stacks did not lead to main; for people, also of how many.  */
int main(void) {
  struct sigaction action = {.sa_sigaction = test_samples_look, .sa_flags = SA_SIGINFO};
  int bad = 0, all = 0, status = 0;
  __cilkprof_s_loaded_start();
  test_samples_find_stack();
  sigaction(SIGUSR1, &action, NULL);
  for (int count = 0; count < MOST && status >= 0 && status != CANNOT; count += EVERY, all++) {
    pid_t child = fork();
    if (child == 0) {
      pthread_t thread;
      if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
        _exit(CANNOT);
      raise(SIGSTOP);
      pthread_create(&thread, NULL, test_samples_return, NULL);
      pthread_join(thread, NULL);
      _exit(lost);
    }
    status = test_samples_interrupt(child, count);
    bad += status == 1;
  }
  printf("%d lost\n", bad);
  fprintf(stderr, "of %d\n", all);
  return 0;
}
