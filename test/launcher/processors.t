#!/bin/sh
# Which processors trials are run on: one of each core first, and no more than the control group gives time for.
# SPDX-License-Identifier: MIT
. "$TOP/test/launcher/lib.sh"

# A machine of the test's own: eight processors, two on a core, and what ./machine has of /proc and /sys.  Where a program
# is put is written down.
cat >machine.c <<'EOC'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
FILE *fopen(const char *path, const char *mode) {
  FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
  char own[4096];
  snprintf(own, sizeof own, "machine%s", path);
  return real(strncmp(path, "/sys/", 5) == 0 || strcmp(path, "/proc/self/cgroup") == 0 ? own : path, mode);
}
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
  memset(set, 0, size);
  for (int i = 0; i < 8; i++)
    CPU_SET(i, set);
  return 0;
}
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set) {
  FILE *log = fopen("places", "a");
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, set))
      fprintf(log, "%d ", i);
  fprintf(log, "\n");
  fclose(log);
  return 0;
}
EOC
gcc -shared -fPIC machine.c -o machine.so -ldl || give_up 'the machine is compiled'

# on OPTION...: where the program was put, on a machine.
on() {
  rm -f places cilkprof.trials
  LD_PRELOAD=$PWD/machine.so cilkprof-run --runs=1 "$@" true >out 2>errors
  sort -u places >got 2>/dev/null
}
# group LINE FILE TEXT...: the control group and its files.
group() {
  rm -rf machine
  mkdir -p machine/proc/self
  echo "$1" >machine/proc/self/cgroup
  shift
  while [ $# -gt 0 ]; do
    mkdir -p "machine/sys/fs/cgroup/${1%/*}"
    echo "$2" >"machine/sys/fs/cgroup/$1"
    shift 2
  done
}

on --trials
printf '0 \n0 1 \n0 1 2 3 \n0 1 2 3 4 5 6 7 \n' >wanted
same 'nothing is known of the machine: all, in their order' wanted got
on --trials=3,5
printf '0 \n0 1 2 \n0 1 2 3 4 \n' >wanted
same 'other numbers' wanted got
on --trials=9
holds 'more than there are' grep -q '9: not a number from 1 to 8' errors
for i in 0 1 2 3 4 5 6 7; do
  mkdir -p machine/sys/devices/system/cpu/cpu$i/topology
  [ $i -lt 4 ] && echo "$((i / 2 * 2))-$((i / 2 * 2 + 1))" || echo "$((i / 2 * 2)),$((i / 2 * 2 + 1))"
done >lists
for i in 0 1 2 3 4 5 6 7; do
  sed -n "$((i + 1))p" lists >machine/sys/devices/system/cpu/cpu$i/topology/thread_siblings_list
done
on --trials=1,2,4,5
printf '0 \n0 1 2 4 6 \n0 2 \n0 2 4 6 \n' >wanted
same 'two on a core: the first of every core, then others' wanted got
on --copies=4
printf '0 \n2 \n4 \n6 \n' >wanted
same 'copies too' wanted got

printf '0 \n0 1 \n0 1 2 \n' >wanted
group 0::/a/b a/b/cpu.max '350000 100000'
on --trials
same 'a control group of version 2' wanted got
group 0::/a/b a/b/cpu.max 'max 100000' a/cpu.max '300000 100000'
on --trials
same 'one that it is in' wanted got
group 4:cpu,cpuacct:/a cpu,cpuacct/a/cpu.cfs_quota_us 300000 cpu,cpuacct/a/cpu.cfs_period_us 100000
on --trials
same 'version 1' wanted got
on --copies
holds 'as many copies' test "$(grep -c '^copies 3 ' cilkprof.trials)" = 3
on --trials=4
printf '0 \n0 1 2 3 \n' >wanted
same 'more may be asked for' wanted got
holds 'with a line' grep -q -e '--trials: the control group allows 3 processors' errors
group 0::/a a/cpu.max '50000 100000'
on --trials
echo '0 ' >wanted
same 'less than one is one' wanted got
on --copies
holds 'no copies then' grep -q -e '--copies: the control group allows one processor' errors
printf '0 \n0 1 \n0 1 2 3 \n0 1 2 3 4 5 6 7 \n' >wanted
group 0::/a a/cpu.max 'max 100000'
on --trials
same 'no limit' wanted got
group 4:cpu:/ cpu/cpu.cfs_quota_us -1 cpu/cpu.cfs_period_us 100000
on --trials
same 'none of version 1' wanted got
group '9:cpuset:/a' cpuset/a/cpu.max '100000 100000'
on --trials
same 'a group of another kind' wanted got
group 'nonsense'
on --trials
same 'nonsense' wanted got
finish
