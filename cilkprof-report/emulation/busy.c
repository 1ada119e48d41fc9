/* What other programs take of the processors while something is measured.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "cilkprof-report/emulation/busy.h"

/* Returns how long the processors that this process may use have been busy since the machine started, in seconds, as
   the kernel counts it in ticks, and stores their number; 0 if the kernel does not tell.  */
static double calibration_busy_seconds(unsigned *processors) {
  cpu_set_t set;
  FILE *file = sched_getaffinity(0, sizeof set, &set) == 0 ? fopen("/proc/stat", "re") : NULL;
  char line[512];
  double ticks = 0;
  *processors = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    unsigned long long user, nice, system, idle, waiting, interrupts, soft, stolen;
    unsigned number;
    if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &number, &user, &nice, &system, &idle, &waiting,
               &interrupts, &soft, &stolen) != 9 ||
        number >= CPU_SETSIZE || !CPU_ISSET(number, &set))
      continue;
    ticks += (double)(user + nice + system + interrupts + soft + stolen);
    ++*processors;
  }
  if (file != NULL)
    fclose(file);
  return ticks / (double)sysconf(_SC_CLK_TCK);
}

/* Returns the CPU time of this process and of its children that have ended, in seconds.  */
static double calibration_own_seconds(void) {
  double seconds = 0;
  static const int who[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
  for (size_t i = 0; i < sizeof who / sizeof *who; i++) {
    struct rusage used;
    if (getrusage(who[i], &used) == 0)
      seconds += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  }
  return seconds;
}

/* Begins to watch what other programs take of the processors.  */
struct busy_watch begin_calibration_watch(void) {
  struct timespec now;
  struct busy_watch watch;
  clock_gettime(CLOCK_MONOTONIC, &now);
  watch.started = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  watch.busy = calibration_busy_seconds(&watch.processors);
  watch.own = calibration_own_seconds();
  return watch;
}

/* Returns how much of the processors other programs had since WATCH began, from 0 to 1; 0 if that is not known.  */
double calibration_share_of_others(const struct busy_watch *watch) {
  struct busy_watch now = begin_calibration_watch();
  double available = (now.started - watch->started) * watch->processors;
  double others = now.busy - watch->busy - (now.own - watch->own);
  return available > 0 && others > 0 ? others < available ? others / available : 1 : 0;
}
