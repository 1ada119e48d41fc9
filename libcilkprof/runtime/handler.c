/* Signal handlers of the program that spawn.
   SPDX-License-Identifier: MIT

   A handler may interrupt the runtime or the allocator anywhere, so while it runs its thread defers nothing: what it
   spawns is called, and its loops are not divided.  Threads that steal may still set its flag to defer, but then it
   finds no task to use again, and is given no new one.  */

#include <signal.h>

#include "libcilkprof/runtime/runtime.h"

THREAD uintptr_t __cilkprof_r_handler;

/* Returns true if this thread is still in the handler that began at __cilkprof_r_handler.  If that was left by a jump,
   it is in none from here on.  */
bool __cilkprof_r_still_in_handler(void) {
  stack_t other;
  uintptr_t began = __cilkprof_r_handler;
  bool still = (uintptr_t)__builtin_frame_address(0) < began;
  if (!sigaltstack(NULL, &other) && began - (uintptr_t)other.ss_sp < other.ss_size)
    still = other.ss_flags & SS_ONSTACK;
  if (!still)
    __cilkprof_r_handler = 0;
  return still;
}

EXPORTED void __cilkprof_r_call_handler(void (*handler)(int, siginfo_t *, void *), int number, siginfo_t *info,
                                        void *context);

/* Calls HANDLER, a signal handler of the program, with its arguments.  What it interrupts finds all as it was.  */
EXPORTED void __cilkprof_r_call_handler(void (*handler)(int, siginfo_t *, void *), int number, siginfo_t *info,
                                        void *context) {
  struct worker *w = __cilkprof_r_self;
  struct task *free = w ? w->free : NULL;
  struct __cilkprof_r_range range = __cilkprof_r_range;
  struct spawned_block block = __cilkprof_r_spawned_block;
  uintptr_t outer = __cilkprof_r_handler;
  unsigned char want = __cilkprof_r_want;
  __cilkprof_r_handler = (uintptr_t)__builtin_frame_address(0);
  __cilkprof_r_want = 0;
  __cilkprof_r_range.thrown = NULL;
  if (w)
    w->free = NULL;
  handler(number, info, context);
  if (w)
    w->free = free;
  __cilkprof_r_spawned_block = block;
  __cilkprof_r_range = range;
  __cilkprof_r_handler = outer;
  if (want)
    __cilkprof_r_want = 1;
}
