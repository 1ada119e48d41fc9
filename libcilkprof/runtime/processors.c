/* The number of processors that this process may use: limited by its affinity mask and the CPU quota of its control
   groups.
   SPDX-License-Identifier: MIT  */

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/runtime/runtime.h"

/* Returns the number of processors in the affinity mask of this thread; 1 if it is unknown.  */
static int worker_limit_by_affinity(void) {
  for (int most = 1024; most <= 1 << 20; most *= 2) {
    cpu_set_t *set = CPU_ALLOC(most);
    size_t size = CPU_ALLOC_SIZE(most);
    if (!set)
      break;
    int count = sched_getaffinity(0, size, set) ? 0 : CPU_COUNT_S(size, set);
    CPU_FREE(set);
    if (count)
      return count;
  }
  return 1;
}

/* Reads the first line of the control group's file FOLDER/NAME into LINE, of SIZE bytes.  Returns false if it cannot be
   read.  The path is not on the stack: the thread that asks first may have a small one.  */
static bool read_worker_limit_line(const char *folder, const char *name, char *line, int size) {
  static char path[4096];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return false;
  FILE *file = fopen(path, "re");
  bool read = file && fgets(line, size, file);
  if (file)
    fclose(file);
  return read;
}

/* Returns the CPU quota of the control group in FOLDER as a number of processors, rounded up; 0 if it has none.  SECOND
   tells version 2 of control groups from version 1.  */
static long worker_limit_by_quota(const char *folder, bool second) {
  char line[128];
  long quota = 0, period = 0;
  if (second) {
    if (!read_worker_limit_line(folder, "cpu.max", line, sizeof line) || sscanf(line, "%ld %ld", &quota, &period) != 2)
      return 0;
  } else {
    if (!read_worker_limit_line(folder, "cpu.cfs_quota_us", line, sizeof line) || sscanf(line, "%ld", &quota) != 1)
      return 0;
    if (!read_worker_limit_line(folder, "cpu.cfs_period_us", line, sizeof line) || sscanf(line, "%ld", &period) != 1)
      return 0;
  }
  return quota > 0 && period > 0 ? (quota + period - 1) / period : 0;
}

/* Returns the smallest CPU quota, in processors, of the control group PATH below MOUNT and of its ancestors; LEAST if
   none is smaller than that.  */
static int worker_limit_by_groups(const char *mount, const char *path, bool second, int least) {
  static char folder[4096];
  int length = snprintf(folder, sizeof folder, "%s%s", mount, path);
  if (length >= (int)sizeof folder)
    return least;
  for (;;) {
    long quota = worker_limit_by_quota(folder, second);
    if (quota && quota < least)
      least = (int)quota;
    char *slash = strrchr(folder, '/');
    if (!slash || (size_t)(slash - folder) < strlen(mount))
      return least;
    *slash = 0;
  }
}

/* Returns the smaller of LEAST and the CPU quotas, in processors, of the control group in LINE.  A line of
   /proc/self/cgroup is NUMBER:CONTROLLERS:PATH; in version 2 there are no controllers.  */
static int worker_limit_by_line(char *line, int least) {
  char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!path)
    return least;
  *path++ = 0;
  controllers++;
  path[strcspn(path, "\n")] = 0;
  if (!*controllers) {
    least = worker_limit_by_groups("/sys/fs/cgroup", path, true, least);
    return worker_limit_by_groups("/sys/fs/cgroup/unified", path, true, least);
  }
  char *rest = NULL;
  for (char *name = strtok_r(controllers, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
    if (!strcmp(name, "cpu")) {
      least = worker_limit_by_groups("/sys/fs/cgroup/cpu", path, false, least);
      least = worker_limit_by_groups("/sys/fs/cgroup/cpu,cpuacct", path, false, least);
      return worker_limit_by_groups("/sys/fs/cgroup/cpu", "/", false,
                                    least); /* in a container, PATH is that of the host */
    }
  return least;
}

/* Returns the number of processors that this process may use, by its affinity mask and the CPU quotas of its control
   groups, and at most MAX_WORKERS.  Needs the lock, or that no other thread asks.  */
int __cilkprof_r_processors(void) {
  int count = worker_limit_by_affinity();
  FILE *file = fopen("/proc/self/cgroup", "re");
  char *line = NULL;
  size_t room = 0;
  while (file && getline(&line, &room, file) > 0)
    count = worker_limit_by_line(line, count);
  free(line);
  if (file)
    fclose(file);
  return count > MAX_WORKERS ? MAX_WORKERS : count;
}
