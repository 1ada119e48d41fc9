/* Fibers that run for long while others wait for their turn: one of these may be what it waits for.
   SPDX-License-Identifier: MIT

   The compiler tells of loops that wait for another thread as far as it recognizes them (posts.c).  In others, nothing
   can let another fiber run: a handler of a signal cannot, in the middle of a function whose frame may be in registers.
   So a timer of the thread's CPU time looks now and then, and if the same fiber runs since long, a message says what
   may be the cause.  */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/names/descriptions.h"
#include "libcilkprof/engine/teams/teams.h"

enum { SIGNAL = SIGSTKFLT, LONG_LOOKS = 3 };

/* How often the timer looks, in nanoseconds of CPU time.  A test builds the engine with a short one.  */
#ifndef CILKPROF_SPIN_LOOK_NS
#define CILKPROF_SPIN_LOOK_NS 20000000000
#endif

static __thread struct {
  int exists, armed, said; /* EXISTS: -1 if there can be no timer */
  timer_t timer;
  uint64_t switches, looks; /* between fibers, at the last look; how often it has looked since */
} watch;

__thread uint64_t __cilkprof_fiber_switches;

/* Makes the timer look at every interval, or never if not ON.  */
static void set_spin_timer(int on) {
  struct timespec interval = {CILKPROF_SPIN_LOOK_NS / 1000000000, CILKPROF_SPIN_LOOK_NS % 1000000000};
  struct itimerspec times = {interval, interval}, never = {.it_value.tv_sec = 0};
  watch.armed = timer_settime(watch.timer, 0, on ? &times : &never, NULL) == 0 && on;
}

/* Says that FIBER runs since long.  */
static void say_of_spinning_fiber(const struct team_fiber *fiber) {
  const site_t *site = fiber->team->site;
  const char *region =
      site && site->description ? __cilkprof_description_string(__cilkprof_describe(site->description), CALLEE) : "";
  char why[200];
  snprintf(why, sizeof why, "thread %llu of %llu runs since long, and the others do not run meanwhile",
           (unsigned long long)fiber->number, (unsigned long long)fiber->team->threads);
  __cilkprof_say(*region ? region : "omp parallel", why,
                 "if it waits for one of them, read what it waits for by omp atomic read, or call sched_yield");
}

/* Emulators of x86-64 may call a handler with a stack that is not aligned.  */
#ifdef __x86_64__
#define ALIGNS_STACK __attribute__((force_align_arg_pointer))
#else
#define ALIGNS_STACK
#endif

/* The signal of the timer.  It looks whether the same fiber runs as before.  */
static ALIGNS_STACK void look_for_spin(int number) {
  const struct team_fiber *fiber = __cilkprof_fiber;
  int error = errno;
  (void)number;
  if (!fiber || watch.said)
    set_spin_timer(0); /* until there is a team again */
  else if (watch.switches != __cilkprof_fiber_switches) {
    watch.switches = __cilkprof_fiber_switches;
    watch.looks = 0;
  } else if (++watch.looks == LONG_LOOKS) {
    watch.said = 1;
    say_of_spinning_fiber(fiber);
  }
  errno = error;
}

/* Makes the timer of this thread.  Returns 0, or -1 if there can be none, or the program uses its signal.  */
static int make_spin_timer(void) {
  struct sigaction before, action = {.sa_handler = look_for_spin, .sa_flags = SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGNAL};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  if (sigaction(SIGNAL, NULL, &before) < 0 || (before.sa_handler != SIG_DFL && before.sa_handler != look_for_spin) ||
      sigaction(SIGNAL, &action, NULL) < 0)
    return -1;
  return timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &watch.timer);
}

void __cilkprof_team_watch_spins(void) {
  if (watch.armed || watch.said || watch.exists < 0)
    return;
  int error = errno;
  if (!watch.exists)
    watch.exists = make_spin_timer() == 0 ? 1 : -1;
  if (watch.exists > 0)
    set_spin_timer(1);
  errno = error;
}
