/* Fibers that run for long while others wait for their turn: one of these may be what it waits for.
   SPDX-License-Identifier: MIT

   The compiler tells of loops that wait for another thread as far as it recognizes them (posts.c).  In others, nothing
   can let another fiber run: a handler of a signal cannot, in the middle of a function whose frame may be in registers.
   So a timer of the thread's CPU time looks now and then, and if the same fiber has been running for long, a message
   says what may be the cause.  So it does in a region that one thread runs for all, if nothing of what the engine knows
   has changed for long, or if the same section or task has been running.  */

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/teams/teams.h"

enum { SIGNAL = SIGSTKFLT, LONG_LOOKS = 3 };

/* How often the timer looks, in nanoseconds of CPU time.  A test builds the engine with a short one.  */
#ifndef CILKPROF_SPIN_LOOK_NS
#define CILKPROF_SPIN_LOOK_NS 20000000000
#endif

static __thread struct {
  int exists, armed, said; /* EXISTS: -1 if there can be no timer */
  timer_t timer;
  uint64_t seen, looks; /* what had happened at the last look; how often it has looked since */
} watch;

__thread uint64_t __cilkprof_fiber_switches;

/* Makes the timer look at every interval, or never if not ON.  */
static void set_spin_timer(int on) {
  struct timespec interval = {CILKPROF_SPIN_LOOK_NS / 1000000000, CILKPROF_SPIN_LOOK_NS % 1000000000};
  struct itimerspec times = {interval, interval}, never = {.it_value.tv_sec = 0};
  watch.armed = timer_settime(watch.timer, 0, on ? &times : &never, NULL) == 0 && on;
}

/* Says that FIBER has been running for long, or if it is NULL, that one thread runs a region for all.  */
static void say_of_spin(const struct team_fiber *fiber) {
  char why[200] = "one thread runs the region for all, and has been in the same part of it for a long time";
  if (fiber)
    snprintf(why, sizeof why, "thread %llu of %llu has been running for a long time, while the others wait",
             (unsigned long long)fiber->number, (unsigned long long)fiber->team->threads);
  __cilkprof_say(fiber ? __cilkprof_team_name(fiber->team) : "omp parallel", why,
                 "if it waits for another thread, read what it waits for by omp atomic read, or call sched_yield");
}

/* Returns HASH with the BYTES at MEMORY added, which is made of words.  */
static uint64_t hash_with_words(uint64_t hash, const void *memory, size_t bytes) {
  const uint64_t *words = memory;
  for (size_t i = 0; i < bytes / sizeof *words; i++)
    hash = (hash ^ words[i]) * 0x100000001B3u;
  return hash;
}

/* Returns a number that changes when another fiber goes on.  If there are none, it changes with most events: it is made
   of the state of the thread and of its innermost frame and block.  In a section or task, which may wait for another
   one in a loop that calls functions, their events tell nothing: it changes when another block begins.  */
static uint64_t what_has_happened(void) {
  if (__cilkprof_fiber)
    return __cilkprof_fiber_switches;
  const block_t *innermost = THREAD.blocks;
  if (innermost && innermost->kind == __CILKPROF_BLOCK_SPAWN)
    return hash_with_words(0, innermost, offsetof(block_t, grain)); /* what it was when it began */
  const frame_t *frame = THREAD.frames;                             /* in a region, there is one */
  uint64_t hash = hash_with_words(hash_with_words(0, &THREAD, sizeof THREAD), frame, sizeof *frame);
  return frame->block ? hash_with_words(hash, frame->block, sizeof *frame->block) : hash;
}

/* Emulators of x86-64 may call a handler with a stack that is not aligned.  */
#ifdef __x86_64__
#define ALIGNS_STACK __attribute__((force_align_arg_pointer))
#else
#define ALIGNS_STACK
#endif

/* The signal of the timer.  It looks whether something has happened since the last look.  */
static ALIGNS_STACK void look_for_spin(int number) {
  int error = errno;
  int watched = __cilkprof_fiber || (__cilkprof_team_level() > 0 && THREAD.recording);
  uint64_t happened = watched ? what_has_happened() : 0;
  (void)number;
  if (!watched || watch.said)
    set_spin_timer(0); /* until there is a region again */
  else if (watch.seen != happened) {
    watch.seen = happened;
    watch.looks = 0;
  } else if (++watch.looks == LONG_LOOKS) {
    watch.said = 1;
    say_of_spin(__cilkprof_fiber);
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
