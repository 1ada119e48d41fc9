/* The processors on which programs may run.
   SPDX-License-Identifier: MIT

   Two hardware threads of one core are together only about one and a half times as fast as one.  So the first
   threads of all cores come first.  */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/launcher/launcher.h"

/* Returns how many of the ALLOWED processors of the same core precede processor NUMBER; 0 for the first hardware thread
   of a core.  The system's list of them is like "0,4" or "0-1".  */
static unsigned launcher_place_on_core(int number, const cpu_set_t *allowed) {
  char path[96];
  unsigned before = 0;
  int first, last;
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", number);
  FILE *file = fopen(path, "re");
  while (file != NULL && fscanf(file, "%d", &first) == 1) {
    if (fscanf(file, "-%d", &last) != 1)
      last = first;
    for (int i = first; i <= last && i < number; i++)
      before += CPU_ISSET(i, allowed) != 0;
    if (fgetc(file) != ',')
      break;
  }
  if (file != NULL)
    fclose(file);
  return before;
}

/* Returns the CPU quota of the control group in FOLDER as a number of processors, rounded down but at least 1; 0 if it
   is unlimited.  */
static unsigned launcher_group_quota(const char *folder) {
  static const char *const names[][2] = {{"cpu.max", NULL}, {"cpu.cfs_quota_us", "cpu.cfs_period_us"}};
  for (int i = 0; i < 2; i++) {
    double quota = 0, period = 0;
    for (int part = 0; part < 2 && names[i][part] != NULL; part++) {
      char path[PATH_MAX];
      snprintf(path, sizeof path, "%s/%s", folder, names[i][part]);
      FILE *file = fopen(path, "re");
      if (file == NULL)
        continue;
      if (part == 1 ? fscanf(file, "%lf", &period) != 1 : fscanf(file, "%lf %lf", &quota, &period) < 1)
        quota = 0; /* "max" */
      fclose(file);
    }
    if (quota > 0 && period > 0)
      return quota < period ? 1 : (unsigned)(quota / period);
  }
  return 0;
}

/* Returns the smallest CPU quota, in processors, of GROUP, which is below ROOT, and of its ancestors up to ROOT; 0 if
   none of them has one.  */
static unsigned launcher_least_quota(const char *root, const char *group) {
  char folder[PATH_MAX];
  unsigned least = 0;
  if (snprintf(folder, sizeof folder, "%s%s", root, group) >= (int)sizeof folder)
    return 0;
  for (char *end = folder + strlen(folder); end != NULL && end >= folder + strlen(root); end = strrchr(folder, '/')) {
    *end = 0;
    unsigned quota = launcher_group_quota(folder);
    if (quota > 0 && (least == 0 || quota < least))
      least = quota;
  }
  return least;
}

/* Returns whether CONTROLLERS, such as "cpu,cpuacct", include the CPU controller of control groups.  Version 2 lists
   none, which counts as well.  */
static bool has_launcher_cpu_controller(const char *controllers) {
  for (const char *at = controllers; *at != 0; at += strcspn(at, ","), at += *at == ',')
    if (strcspn(at, ",") == 3 && strncmp(at, "cpu", 3) == 0)
      return true;
  return *controllers == 0;
}

/* Returns the CPU quota of this process, in processors, by all of its control groups; 0 if it is unlimited.  Lines of
   /proc/self/cgroup are like "0::/group" or "4:cpu,cpuacct:/group".  */
static unsigned launcher_cpu_quota(void) {
  FILE *file = fopen("/proc/self/cgroup", "re");
  char line[PATH_MAX], root[PATH_MAX];
  unsigned least = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    char *controllers = strchr(line, ':'), *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (group == NULL)
      continue;
    *group++ = 0;
    group[strcspn(group, "\n")] = 0;
    if (!has_launcher_cpu_controller(++controllers))
      continue;
    snprintf(root, sizeof root, "/sys/fs/cgroup%s%.64s", *controllers != 0 ? "/" : "", controllers);
    unsigned quota = launcher_least_quota(root, group);
    if (quota > 0 && (least == 0 || quota < least))
      least = quota;
  }
  if (file != NULL)
    fclose(file);
  return least;
}

/* Finds the processors on which this process and the programs that it runs may run, those that share no core with an
   earlier one first, and how many of them the control group's quota allows.  */
struct processors find_launcher_processors(void) {
  struct processors found = {.numbers = {0}, .count = 0};
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    CPU_ZERO(&allowed);
    CPU_SET(0, &allowed);
  }
  unsigned all = (unsigned)CPU_COUNT(&allowed);
  for (unsigned place = 0; found.count < all; place++)
    for (int number = 0; number < CPU_SETSIZE; number++)
      if (CPU_ISSET(number, &allowed) && launcher_place_on_core(number, &allowed) == place)
        found.numbers[found.count++] = number;
  unsigned quota = launcher_cpu_quota();
  found.share = quota > 0 && quota < found.count ? quota : found.count;
  return found;
}
