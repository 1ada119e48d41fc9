/* The time that the host of a virtual machine takes from its processors.
   SPDX-License-Identifier: MIT

   The CPU time of a thread often contains it, as the machine does not stop while its host runs another one.  The kernel
   counts it for each processor, in ticks of 10 ms.  So it is read at some of the looks at the CPU time, and taken off
   strands that are so long that it matters.  Where the kernel does not know, samples that did not come tell of it.  */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/time/clock.h"

enum {
  READ_EVERY_NS = 20000000,
  COST_OF_READING = 200, /* reading takes at most one in so many parts of the time */
  LONGEST_LINE = 256,
  MAX_PROCESSORS = 1024 /* of others nothing is known */
};

/* For each processor, how long the host has had it since the machine started, in nanoseconds.  */
static uint64_t host_had[MAX_PROCESSORS];

/* Notes what LINE, of /proc/stat, says of a processor, where a second has so many TICKS.  Returns how much more the
   host has taken of it, in nanoseconds, if its number is A or B, or if A is -1.  */
static uint64_t note_host_ticks_in_line(const char *line, long ticks, int a, int b) {
  unsigned number;
  uint64_t stolen;
  if (sscanf(line, "cpu%u %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &number, &stolen) != 2 || number >= MAX_PROCESSORS)
    return 0;
  uint64_t had = stolen * (1000000000 / (uint64_t)ticks), more = had > host_had[number] ? had - host_had[number] : 0;
  host_had[number] = had;
  return a < 0 || (int)number == a || (int)number == b ? more : 0;
}

/* Reads what the host has taken of all processors.  Returns how much of A and B since the last time, in nanoseconds; of
   all if A is -1; 0 if the system does not say.  Preserves errno.  */
static uint64_t read_timer_of_host(int a, int b) {
  int error = errno, file = open("/proc/stat", O_RDONLY | O_CLOEXEC);
  char text[4096], *end;
  long ticks = sysconf(_SC_CLK_TCK);
  uint64_t more = 0;
  size_t filled = 0;
  ssize_t size;
  while (file >= 0 && ticks > 0 && (size = read(file, text + filled, sizeof text - 1 - filled)) > 0) {
    char *line = text;
    text[filled + (size_t)size] = 0;
    for (; (end = strchr(line, '\n')); line = end + 1)
      more += note_host_ticks_in_line(line, ticks, a, b);
    filled = strlen(line);
    if (filled >= LONGEST_LINE || strncmp(line, "cpu", filled < 3 ? filled : 3) != 0)
      break; /* the lines of processors come first */
    memmove(text, line, filled);
  }
  if (file >= 0)
    close(file);
  errno = error;
  return more;
}

/* Returns how much the host has taken since the last time, in nanoseconds: of the processors that this thread had then
   and has now.  */
static uint64_t read_timer_of_host_here(struct timer_of_host *host) {
  int before = host->processor;
  host->processor = sched_getcpu();
  uint64_t took = host->processor < 0 ? 0 : read_timer_of_host(host->processor, before);
  host->all_ns += took;
  return took;
}

/* Begins to read what the host takes, if it has ever taken something.  */
void __cilkprof_host_start(void) {
  struct timer_of_host *host = &profiled_thread()->host;
  host->reads = read_timer_of_host(-1, -1) != 0;
  host->processor = sched_getcpu();
  host->every = (uint64_t)((unsigned __int128)READ_EVERY_NS * ENGINE.timer_hz / 1000000000);
  host->last = __cilkprof_p_timer();
}

/* Returns how many nanoseconds the host has taken since it was last asked, as samples tell, or as the system does if
   that is long ago, or if a strand that takes so many TICKS is that long.  */
uint64_t __cilkprof_host_took(uint64_t ticks) {
  struct timer_of_host *host = &profiled_thread()->host;
  uint64_t now = __cilkprof_p_timer(), unseen = host->unseen_ns, took = 0;
  if (host->reads && (now - host->last >= host->every || ticks >= host->every / 2)) {
    took = read_timer_of_host_here(host);
    uint64_t cost = __cilkprof_p_timer() - now;
    host->last = now;
    if (host->every < cost * COST_OF_READING)
      host->every = cost * COST_OF_READING;
  }
  host->unseen_ns = 0;
  if (took < unseen) {
    host->all_ns += unseen - took;
    took = unseen;
  }
  return took;
}

/* Returns how much the host has taken since the measurement began, in nanoseconds.  */
uint64_t __cilkprof_host_took_in_all(void) {
  struct timer_of_host *host = &profiled_thread()->host;
  if (host->reads)
    read_timer_of_host_here(host);
  return host->all_ns;
}
