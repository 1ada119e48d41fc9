/* What the run takes, and whether that can be what the program takes by itself.
   SPDX-License-Identifier: MIT

   Events cost time beside the strands that are measured, and change what these take.  cilkprof-run tells what the
   program took without events.  If that can be true, the unit of the profile is chosen so that the work is exactly
   that: all values are scaled alike, so every relation between them stays as it is.  The profile keeps both.  */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "libcilkprof/common/protocol.h"
#include "libcilkprof/engine/profile/usage.h"
#include "libcilkprof/engine/time/clock.h"

enum {
  MOST_OF_RUN = 11, /* tenths of the run's time that a reference may take: without events it cannot take longer, */
  MOST_SCALE = 16,  /* times that long strands may be worth more or less: more is no correction, */
  LEAST_OF_WORK = 1 /* and tenths of the measured work that it must: it did not do something else */
};

static struct {
  int pid; /* of the process that is measured; 0: none is */
  struct cilkprof_usage start;
  struct cilkprof_usage_record record;
  int reference_status;
  uint64_t units_per_second; /* of the profile; 0: it is not written yet */
  char path[PATH_MAX];       /* for what was measured */
} usage;

static uint64_t nanoseconds(const struct timeval *time) {
  return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_usec * 1000;
}

struct cilkprof_usage __cilkprof_usage_now(void) {
  int error = errno;
  struct rusage used = {0};
  struct timespec cpu = {0};
  getrusage(RUSAGE_THREAD, &used);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
  errno = error;
  return (struct cilkprof_usage){(uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec, nanoseconds(&used.ru_stime),
                                 (uint64_t)used.ru_minflt, (uint64_t)used.ru_majflt};
}

struct cilkprof_usage __cilkprof_usage_since(const struct cilkprof_usage *start) {
  struct cilkprof_usage now = __cilkprof_usage_now();
  now.cpu_ns -= start->cpu_ns;
  now.system_ns -= start->system_ns;
  now.minor_faults -= start->minor_faults;
  now.major_faults -= start->major_faults;
  return now;
}

static void forget_reference(void) {
  usage.record.reference_runs = 0;
  usage.record.reference = (struct cilkprof_usage){0};
}

void __cilkprof_usage_status(int status) {
  if ((status & 255) != usage.reference_status)
    forget_reference();
}

static void at_exit_handler(int status, void *nothing) {
  (void)nothing;
  __cilkprof_usage_status(status);
}

static void read_reference(const char *setting) {
  struct cilkprof_usage *used = &usage.record.reference;
  uint64_t scale = 0;
  int length = 0;
  if (!setting ||
      sscanf(setting, "%" SCNu64 " %d " CILKPROF_USAGE_READ " %" SCNu64 " %n", &usage.record.reference_runs,
             &usage.reference_status, &used->cpu_ns, &used->system_ns, &used->minor_faults, &used->major_faults, &scale,
             &length) != 7 ||
      !usage.record.reference_runs || scale < CILKPROF_TIMED_SCALE / MOST_SCALE ||
      scale > CILKPROF_TIMED_SCALE * MOST_SCALE || !length || strlen(setting + length) >= sizeof usage.path ||
      on_exit(at_exit_handler, NULL) != 0) {
    forget_reference();
    return;
  }
  strcpy(usage.path, setting + length);
  __cilkprof_timed_start(scale);
}

static uint64_t in_ns(uint64_t units, uint64_t unit) {
  unsigned __int128 ns = (unsigned __int128)units * 1000000000 / unit;
  return ns >> 64 ? UINT64_MAX : (uint64_t)ns;
}

/* To cilkprof-run.  */
static void say_measured(uint64_t all_ns, uint64_t timed_ns) {
  char line[64];
  int length = snprintf(line, sizeof line, CILKPROF_MEASURED "\n", all_ns, timed_ns);
  int file = open(usage.path, O_WRONLY | O_TRUNC | O_CLOEXEC);
  ssize_t written = file < 0 ? -1 : write(file, line, (size_t)length);
  (void)written; /* then there is no better run after this one */
  if (file >= 0)
    close(file);
}

/* A count of instructions is the same every time, and so is its profile.  */
void __cilkprof_usage_start(void) {
  if (ENGINE.mode == CILKPROF_MODE_COUNT)
    return;
  read_reference(__cilkprof_reference_setting(CILKPROF_REFERENCE));
  usage.pid = getpid();
  usage.start = __cilkprof_usage_now();
}

/* The copy of the process that writes a snapshot has what the process itself had taken.  */
void __cilkprof_usage_stop(void) {
  if (usage.pid == getpid())
    usage.record.run = __cilkprof_usage_since(&usage.start);
}

static int plausible(uint64_t work_ns) {
  uint64_t took = usage.record.reference.cpu_ns, run = usage.record.run.cpu_ns;
  return usage.record.reference_runs && took && took / MOST_OF_RUN <= run / 10 && took / LEAST_OF_WORK >= work_ns / 10;
}

/* A snapshot is not of the whole run, and neither is what was left out on the way.  Where long strands are worth more
   or less than they took, the work still takes as long as was measured, until there is something better.  */
void __cilkprof_usage_check(int pid, uint64_t work) {
  uint64_t unit = __cilkprof_units_per_second(), as_timed, timed = __cilkprof_timed_units(&as_timed);
  uint64_t measured = timed <= work ? work - timed + as_timed : 0, measured_ns = unit ? in_ns(measured, unit) : 0;
  if (pid != getpid() || pid != usage.pid || ENGINE.flags & (CILKPROF_INCOMPLETE | CILKPROF_SATURATED))
    forget_reference();
  usage.units_per_second = measured ? (uint64_t)((unsigned __int128)unit * work / measured) : unit;
  usage.record.units_per_second = usage.units_per_second;
  if (!measured_ns || !plausible(measured_ns))
    return;
  say_measured(measured_ns, in_ns(as_timed, unit));
  unsigned __int128 scaled = (unsigned __int128)work * 1000000000 / usage.record.reference.cpu_ns;
  if (scaled && scaled >> 64 == 0)
    usage.units_per_second = (uint64_t)scaled;
}

uint64_t __cilkprof_usage_units_per_second(void) {
  return usage.units_per_second ? usage.units_per_second : __cilkprof_units_per_second();
}

void __cilkprof_usage_write(struct cilkprof_writer *writer, int pid) {
  if (usage.pid && pid == usage.pid)
    cilkprof_write_usage(writer, &usage.record);
}
