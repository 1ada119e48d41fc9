/* Profiles of a running program on request: by a signal (CILKPROF_SIGNAL), or at intervals (CILKPROF_INTERVAL, in
   seconds).
   SPDX-License-Identifier: MIT

   A signal may arrive anywhere in the program, while its frames are in registers.  So the handler only leaves a
   request.  It is answered where a profile can be complete: at the next call of code without instrumentation, or at the
   return from it.  For intervals, the time is checked at the same points, because a timer's signal would interrupt the
   program's system calls.  */

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/engine/run/run.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/time/clock.h"

enum { BY_SIGNAL = 1, BY_INTERVAL = 2 };

static uint64_t interval_ns, next_ns; /* NEXT_NS: when the next profile at an interval is due */

/* Handles the signal that CILKPROF_SIGNAL names: leaves a request for a profile, which __cilkprof_answer answers where
   the profile can be complete.  */
static void request_profile_by_signal(int number) {
  (void)number;
  __atomic_fetch_or(&ENGINE.requests, BY_SIGNAL, __ATOMIC_RELAXED);
}

/* Returns the number of the signal NAME, which CILKPROF_SIGNAL gives as in USR1, SIGUSR1 or 10; 0 if there is no such
   signal.  */
static int request_signal_number(const char *name) {
  char *end;
  long number = strtol(name, &end, 10);
  if (*name && !*end)
    return number > 0 && number <= SIGRTMAX ? (int)number : 0;
  if (strncmp(name, "SIG", 3) == 0)
    name += 3;
  for (int i = 1; i < SIGRTMIN; i++) {
    const char *known = sigabbrev_np(i);
    if (known && strcmp(known, name) == 0)
      return i;
  }
  return 0;
}

/* Makes the signal NAME request a profile, unless the program or its parent already handles or ignores it.  Says so on
   standard error if it cannot be used.  */
static void start_request_signal(const char *name) {
  struct sigaction before, action = {.sa_handler = request_profile_by_signal, .sa_flags = SA_RESTART};
  int number = request_signal_number(name);
  if (!number || sigaction(number, NULL, &before) < 0)
    __cilkprof_say("CILKPROF_SIGNAL", "not a signal that can be used", "ignored");
  else if (before.sa_handler != SIG_DFL)
    __cilkprof_say("CILKPROF_SIGNAL", "the program already uses this signal", "ignored");
  else if (sigaction(number, &action, NULL) < 0)
    __cilkprof_say("CILKPROF_SIGNAL", strerror(errno), "ignored");
}

/* Starts to take requests for profiles while the program runs: by the signal in CILKPROF_SIGNAL if it is set, and every
   INTERVAL seconds unless that is 0.  */
void __cilkprof_requests_start(uint64_t interval) {
  const char *name = secure_getenv("CILKPROF_SIGNAL");
  if (name && *name)
    start_request_signal(name);
  if (interval) {
    interval_ns = (interval < UINT32_MAX ? interval : UINT32_MAX) * 1000000000;
    next_ns = __cilkprof_now_ns() + interval_ns;
    __atomic_fetch_or(&ENGINE.requests, BY_INTERVAL, __ATOMIC_RELAXED); /* a signal may have come */
  }
}

/* Writes a profile of the running program if one was requested by a signal or is due by the interval.  Called when
   ENGINE.requests is set, and only where __cilkprof_snapshot may be called.  */
void __cilkprof_answer(void) {
  if (!THREAD.recording || ENGINE.process != ENGINE.pid)
    return; /* a thread that is not profiled leaves the request to the one that is */
  int requests = __atomic_fetch_and(&ENGINE.requests, ~BY_SIGNAL, __ATOMIC_RELAXED);
  if (!(requests & BY_SIGNAL) && __cilkprof_now_ns() < next_ns)
    return;
  __cilkprof_snapshot();
  next_ns = __cilkprof_now_ns() + interval_ns;
}
