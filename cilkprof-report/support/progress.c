/* Shows the progress of steps that take longer than a second.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "cilkprof-report/support/progress.h"

enum { STEPS = 256 }; /* the clock is read once in this many steps */
static const uint64_t FIRST_NS = 1000000000, NEXT_NS = 200000000;

/* Returns the monotonic time in nanoseconds, by which the percentage is shown and updated.  */
static uint64_t progress_clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void progress_step(struct progress *progress, size_t done, size_t all) {
  if (done % STEPS != 0)
    return;
  uint64_t now = progress_clock_ns();
  if (progress->start_ns == 0)
    progress->start_ns = now;
  if (now - progress->start_ns < FIRST_NS || now - progress->shown_ns < NEXT_NS || !isatty(STDERR_FILENO))
    return;
  progress->shown_ns = now;
  fprintf(stderr, "\rcilkprof-report: %s: %zu%%", progress->what, all > 0 ? 100 * done / all : 100);
}

void progress_end(struct progress *progress) {
  if (progress->shown_ns > 0)
    fputs("\r\033[K", stderr);
}
