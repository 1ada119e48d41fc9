/* The processor's counters of a thread: one group of events of perf_event_open.
   SPDX-License-Identifier: MIT  */

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "libcilkprof/common/perf.h"

enum { HIGH_FILE = 600 };

/* Returns the processor's own number of the event that counts loads of modified lines of other processors; 0 if it is
   not known.  No name of the kernel stands for it.  Intel's processors have had the same number since 2011; Arm's have
   no such event in common.  */
static uint64_t perf_hitm_event(void) {
#ifdef __x86_64__
  enum { HITM_OF_INTEL = 0x4d2 };
  unsigned most, b, c, d;
  if (__get_cpuid(0, &most, &b, &c, &d) && b == signature_INTEL_ebx && c == signature_INTEL_ecx &&
      d == signature_INTEL_edx)
    return HITM_OF_INTEL;
#endif
  return 0;
}

/* Sets EVENT to the description of COUNTER for the system.  Returns false if this processor has no such event.
   Processors other than x86 may count misses of the first-level cache as generic cache misses, so misses of the last
   level are asked for there.  */
static bool describe_perf_event(int counter, struct perf_event_attr *event) {
  *event = (struct perf_event_attr){
      .size = sizeof *event,
      .type = PERF_TYPE_HARDWARE,
      .exclude_kernel = 1,
      .exclude_hv = 1,
      .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
  };
  switch (counter) {
  case PERF_INSTRUCTIONS:
    event->config = PERF_COUNT_HW_INSTRUCTIONS;
    return true;
  case PERF_CYCLES:
    event->config = PERF_COUNT_HW_CPU_CYCLES;
    return true;
  case PERF_MISSES:
#ifdef __x86_64__
    event->config = PERF_COUNT_HW_CACHE_MISSES;
#else
    event->type = PERF_TYPE_HW_CACHE;
    event->config = PERF_COUNT_HW_CACHE_LL | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
#endif
    return true;
  default:
    event->type = PERF_TYPE_RAW;
    event->config = perf_hitm_event();
    return event->config != 0;
  }
}

int __cilkprof_perf_move(int file) {
  int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, HIGH_FILE);
  if (high < 0)
    return file;
  close(file);
  return high;
}

/* Returns whether the descriptor of COUNTER is still that of its event.  */
static bool is_perf_file_ours(const struct perf_counters *counters, int counter) {
  uint64_t id = 0;
  return ioctl(counters->files[counter], PERF_EVENT_IOC_ID, &id) == 0 && id == counters->ids[counter];
}

/* Opens COUNTER as a member of the group whose first event has the descriptor LEADER, or -1.  Returns false if it is
   not available.  */
static bool open_perf_counter(struct perf_counters *counters, int counter, int leader) {
  struct perf_event_attr event;
  if (!describe_perf_event(counter, &event))
    return false;
  int file = (int)syscall(SYS_perf_event_open, &event, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
  if (file < 0)
    return false;
  file = __cilkprof_perf_move(file);
  if (ioctl(file, PERF_EVENT_IOC_ID, &counters->ids[counter]) < 0) {
    close(file);
    return false;
  }
  counters->files[counter] = file;
  counters->opened |= PERF_BIT(counter);
  return true;
}

bool __cilkprof_perf_open(struct perf_counters *counters, unsigned wanted, unsigned needed) {
  int leader = -1;
  counters->opened = 0;
  for (int i = 0; i < PERF_COUNTERS; i++) {
    if (!(wanted & PERF_BIT(i)))
      continue;
    if (open_perf_counter(counters, i, leader)) {
      leader = leader < 0 ? counters->files[i] : leader;
    } else if (needed & PERF_BIT(i)) {
      __cilkprof_perf_close(counters);
      return false;
    }
  }
  return counters->opened != 0;
}

bool __cilkprof_perf_read(const struct perf_counters *counters, struct perf_reading *reading) {
  struct {
    uint64_t count, enabled, running, values[PERF_COUNTERS];
  } group;
  size_t count = (size_t)__builtin_popcount(counters->opened), size = sizeof group - (PERF_COUNTERS - count) * 8;
  if (!count)
    return false;
  int leader = __builtin_ctz(counters->opened);
  if (!is_perf_file_ours(counters, leader) || read(counters->files[leader], &group, size) != (ssize_t)size ||
      group.count != count)
    return false;
  reading->enabled = group.enabled;
  reading->running = group.running;
  for (int i = 0, place = 0; i < PERF_COUNTERS; i++)
    reading->values[i] = counters->opened & PERF_BIT(i) ? group.values[place++] : 0;
  return true;
}

bool __cilkprof_perf_difference(const struct perf_reading *begin, const struct perf_reading *end, uint64_t *counts) {
  uint64_t enabled = end->enabled - begin->enabled, running = end->running - begin->running;
  if (!enabled || !running || running > enabled)
    return false;
  for (int i = 0; i < PERF_COUNTERS; i++)
    counts[i] = (uint64_t)((unsigned __int128)(end->values[i] - begin->values[i]) * enabled / running);
  return true;
}

void __cilkprof_perf_close(struct perf_counters *counters) {
  for (int i = 0; i < PERF_COUNTERS; i++)
    if (counters->opened & PERF_BIT(i) && is_perf_file_ours(counters, i))
      close(counters->files[i]);
  counters->opened = 0;
}
