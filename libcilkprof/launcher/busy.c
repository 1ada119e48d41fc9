/* What other programs take of the processors while trials run.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <unistd.h>

#include "libcilkprof/launcher/trials.h"

/* Returns how long the processors of SET have been busy since the machine started, in seconds, as the kernel counts it
   in ticks; a negative number if it does not tell.  */
double launcher_busy_seconds(const cpu_set_t *set) {
  FILE *file = fopen("/proc/stat", "re");
  char line[512];
  double ticks = 0;
  int found = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    unsigned long long user, nice, system, idle, waiting, interrupts, soft, stolen;
    unsigned number;
    if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &number, &user, &nice, &system, &idle, &waiting,
               &interrupts, &soft, &stolen) != 9 ||
        number >= CPU_SETSIZE || !CPU_ISSET(number, set))
      continue;
    ticks += (double)(user + nice + system + interrupts + soft + stolen);
    found++;
  }
  if (file != NULL)
    fclose(file);
  return found == CPU_COUNT(set) ? ticks / (double)sysconf(_SC_CLK_TCK) : -1;
}

/* Returns whether other programs had a notable part of the processors while a trial ran on as many as it has workers:
   these were busy for BUSY seconds, and the trial used CPU_SECONDS of them in SECONDS.  Less than SHORTEST is within
   the error of the kernel's ticks, and changes no time much.  */
bool is_launched_trial_disturbed(double busy, double cpu_seconds, double seconds, unsigned processors) {
  const double shortest = 0.05, notable = 0.1;
  double others = busy - cpu_seconds;
  return others > shortest && others > notable * seconds * processors;
}
