/* The resources that the run uses, and scaling the profile to the time of a reference run.
   SPDX-License-Identifier: MIT

   Events take time themselves, and change the time that the measured strands take.  cilkprof-run tells what the program
   took without events, in reference runs.  If that is plausible, the unit of the profile is chosen so that the work is
   exactly that time.  All values are scaled alike, so every relation between them stays as it is.  The profile has both
   units.  */

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
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/profile/usage.h"
#include "libcilkprof/engine/time/clock.h"

/* A plausible reference takes at most MOST_OF_RUN tenths of this run's time, because it cannot take longer without
   events, and at least LEAST_OF_WORK tenths of the measured work, because otherwise it did something else.  Long
   strands are scaled by at most MAX_SCALE, up or down: more would not be a correction.  */
enum { MOST_OF_RUN = 11, MAX_SCALE = 16, LEAST_OF_WORK = 1 };

static struct {
  int pid; /* the process that is measured; 0: none is */
  struct cilkprof_usage start;
  uint64_t start_ns, start_delay_ns; /* when it began, and how long it had been ready without a processor before */
  struct cilkprof_usage_record record;
  int reference_status;
  uint64_t units_per_second; /* of the profile; 0: it is not known yet */
  char path[PATH_MAX];       /* the file for what was measured, which cilkprof-run reads */
} usage;

/* Returns TIME, as getrusage gives it, in nanoseconds.  */
static uint64_t usage_nanoseconds(const struct timeval *time) {
  return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_usec * 1000;
}

/* Returns what this thread has used so far: CPU time, system time and page faults.  Preserves errno.  */
struct cilkprof_usage __cilkprof_usage_now(void) {
  int error = errno;
  struct rusage used = {0};
  struct timespec cpu = {0};
  getrusage(RUSAGE_THREAD, &used);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
  errno = error;
  return (struct cilkprof_usage){(uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec,
                                 usage_nanoseconds(&used.ru_stime), (uint64_t)used.ru_minflt, (uint64_t)used.ru_majflt};
}

/* Returns what this thread has used since START, which __cilkprof_usage_now returned.  The kernel looks at every tick
   what a thread does, and divides all its time by that: after the first tick in the kernel, also what it had taken for
   the program's own time before START may be system time.  So there may seem to be more of it than time since.  */
struct cilkprof_usage __cilkprof_usage_since(const struct cilkprof_usage *start) {
  struct cilkprof_usage now = __cilkprof_usage_now();
  now.cpu_ns -= start->cpu_ns;
  now.system_ns -= start->system_ns;
  if (now.system_ns > now.cpu_ns)
    now.system_ns = now.cpu_ns;
  now.minor_faults -= start->minor_faults;
  now.major_faults -= start->major_faults;
  return now;
}

/* Records the part of the run's elapsed time in which it had no processor: other programs had it, or other machines of
   the host, whose time the CPU time contains or not, or the run waited.  */
static void record_usage_waits(void) {
  uint64_t delay = __cilkprof_delay_ns(0), elapsed = __cilkprof_now_ns() - usage.start_ns;
  if (delay == CILKPROF_NO_DELAY || usage.start_delay_ns == CILKPROF_NO_DELAY)
    return;
  uint64_t delayed = delay - usage.start_delay_ns + __cilkprof_host_took_in_all(),
           known = delayed + usage.record.run.cpu_ns;
  usage.record.delayed_ns = delayed;
  usage.record.blocked_ns = elapsed > known ? elapsed - known : 0;
}

/* Drops the reference, what the program took without events: the profile is not scaled to it.  */
static void forget_reference_usage(void) {
  usage.record.reference_runs = 0;
  usage.record.reference = (struct cilkprof_usage){0};
}

/* Drops the reference if its runs did not end with STATUS, that of the program: then they did something else.  */
void __cilkprof_usage_status(int status) {
  if ((status & 255) != usage.reference_status)
    forget_reference_usage();
}

/* Drops the reference, at the program's exit, if its runs did not end with STATUS.  */
static void check_reference_at_exit(int status, void *nothing) {
  (void)nothing;
  __cilkprof_usage_status(status);
}

/* Reads the reference, what the program took without events, from SETTING, which cilkprof-run wrote
   (common/protocol.h); NULL: there is none.  */
static void read_reference_usage(const char *setting) {
  struct cilkprof_usage *used = &usage.record.reference;
  uint64_t scale = 0;
  int length = 0;
  if (!setting ||
      sscanf(setting, "%" SCNu64 " %d " CILKPROF_USAGE_READ " %" SCNu64 " %n", &usage.record.reference_runs,
             &usage.reference_status, &used->cpu_ns, &used->system_ns, &used->minor_faults, &used->major_faults, &scale,
             &length) != 7 ||
      !usage.record.reference_runs || scale < CILKPROF_TIMED_SCALE / MAX_SCALE ||
      scale > CILKPROF_TIMED_SCALE * MAX_SCALE || !length || strlen(setting + length) >= sizeof usage.path ||
      on_exit(check_reference_at_exit, NULL) != 0) {
    forget_reference_usage();
    return;
  }
  strcpy(usage.path, setting + length);
  __cilkprof_timed_start(scale);
}

/* Returns UNITS of the profile in nanoseconds, at most the largest number of 64 bits.  */
static uint64_t profile_units_in_ns(uint64_t units, uint64_t units_per_second) {
  unsigned __int128 ns = (unsigned __int128)units * 1000000000 / units_per_second;
  return ns >> 64 ? UINT64_MAX : (uint64_t)ns;
}

/* Tells cilkprof-run how many nanoseconds were measured: ALL_NS in all strands, TIMED_NS in the long ones that were
   timed.  */
static void report_usage_to_launcher(uint64_t all_ns, uint64_t timed_ns) {
  char line[64];
  int length = snprintf(line, sizeof line, CILKPROF_MEASURED "\n", all_ns, timed_ns);
  int file = open(usage.path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
  ssize_t written = file < 0 ? -1 : write(file, line, (size_t)length);
  (void)written; /* if it fails, cilkprof-run makes no better run after this one */
  if (file >= 0)
    close(file);
}

/* Begins measuring what the run uses, and reads the reference.  Counted instructions are not scaled: their profile is
   the same in every run.  */
void __cilkprof_usage_start(void) {
  if (ENGINE.mode == CILKPROF_MODE_COUNT)
    return;
  read_reference_usage(__cilkprof_process_setting(CILKPROF_REFERENCE));
  usage.pid = getpid();
  usage.start = __cilkprof_usage_now();
  usage.start_ns = __cilkprof_now_ns();
  usage.start_delay_ns = __cilkprof_delay_ns(0);
}

/* Records what the run has used, when the measurement ends or pauses for a snapshot.  A copy of the process, which
   writes a snapshot, keeps what the process itself had used.  */
void __cilkprof_usage_stop(void) {
  if (usage.pid != getpid())
    return;
  usage.record.run = __cilkprof_usage_since(&usage.start);
  record_usage_waits();
}

/* Returns whether the reference is plausible for a run with WORK_NS nanoseconds of work.  */
static int is_reference_plausible(uint64_t work_ns) {
  uint64_t took = usage.record.reference.cpu_ns, run = usage.record.run.cpu_ns;
  return usage.record.reference_runs && took && took / MOST_OF_RUN <= run / 10 && took / LEAST_OF_WORK >= work_ns / 10;
}

/* Chooses the unit of the profile of process PID, which is about to be written: with a plausible reference, WORK units
   are the time that it took.  The reference is dropped if the profile is not of the whole run: in a snapshot, or if
   something was not recorded.  If long strands were scaled, the unit first makes the work as long as it was measured
   without that scale; a plausible reference then replaces this unit.  */
void __cilkprof_usage_check(int pid, uint64_t work) {
  uint64_t unit = __cilkprof_units_per_second(), as_timed, timed = __cilkprof_timed_units(&as_timed);
  uint64_t measured = timed <= work ? work - timed + as_timed : 0,
           measured_ns = unit ? profile_units_in_ns(measured, unit) : 0;
  if (pid != getpid() || pid != usage.pid || ENGINE.flags & (CILKPROF_INCOMPLETE | CILKPROF_SATURATED))
    forget_reference_usage();
  usage.units_per_second = measured ? (uint64_t)((unsigned __int128)unit * work / measured) : unit;
  usage.record.units_per_second = usage.units_per_second;
  if (!measured_ns || !is_reference_plausible(measured_ns))
    return;
  report_usage_to_launcher(measured_ns, profile_units_in_ns(as_timed, unit));
  unsigned __int128 scaled = (unsigned __int128)work * 1000000000 / usage.record.reference.cpu_ns;
  if (scaled && scaled >> 64 == 0)
    usage.units_per_second = (uint64_t)scaled;
}

/* Returns how many units of the profile are one second: as __cilkprof_usage_check chose, or those of the run if it has
   not yet.  */
uint64_t __cilkprof_usage_units_per_second(void) {
  return usage.units_per_second ? usage.units_per_second : __cilkprof_units_per_second();
}

/* Writes the record of what the run used to the profile of process PID, if that is the process that was measured.  */
void __cilkprof_usage_write(struct cilkprof_writer *writer, int pid) {
  if (usage.pid && pid == usage.pid)
    cilkprof_write_usage(writer, &usage.record);
}
