/* What the processor counts in sections: instructions, cycles, misses of the last-level cache.
   SPDX-License-Identifier: MIT

   Most virtual machines have no such counters, and systems may forbid them: then nothing is counted, and nothing is
   said, as the report says what to do instead.  */

#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/tree/tree.h"

enum { INSTRUCTIONS, CYCLES, MISSES, COUNTERS };
enum { HIGH_FILE = 600 };   /* programs may count on low numbers of files */
enum { MOST_TIMES = 4096 }; /* of a name: a reading takes a microsecond, and the mean is what is asked for */

/* As the system writes them, all of one moment.  */
struct reading {
  uint64_t count, enabled, running; /* nanoseconds */
  uint64_t values[COUNTERS];
};

struct tree_counters {
  int file, process;
  uint64_t id; /* by which the file is known to be the one that was opened */
  struct reading begin;
  int counting; /* a section */
  struct cilkprof_tree_counts counts[];
};

/* The generic misses of caches are those of the first level on some processors.  */
static struct perf_event_attr event(int counter) {
  struct perf_event_attr event = {.size = sizeof event, .type = PERF_TYPE_HARDWARE};
  event.config = counter == INSTRUCTIONS ? PERF_COUNT_HW_INSTRUCTIONS : PERF_COUNT_HW_CPU_CYCLES;
  if (counter == MISSES) {
#ifdef __x86_64__
    event.config = PERF_COUNT_HW_CACHE_MISSES;
#else
    event.type = PERF_TYPE_HW_CACHE;
    event.config = PERF_COUNT_HW_CACHE_LL | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
#endif
  }
  event.exclude_kernel = event.exclude_hv = 1;
  event.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return event;
}

static int move_away(int file) {
  int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, HIGH_FILE);
  if (high < 0)
    return file;
  close(file);
  return high;
}

/* All are in one group, which the first stands for; -1: there are none.  */
static int open_group(void) {
  int files[COUNTERS], leader = -1;
  for (int i = 0; i < COUNTERS; i++) {
    struct perf_event_attr attributes = event(i);
    files[i] = move_away((int)syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC));
    if (files[i] < 0) {
      while (i-- > 0)
        close(files[i]);
      return -1;
    }
    leader = files[0];
  }
  return leader;
}

/* The program may have closed the file, and have another of its own under that number: it is not read from.  */
static int take_reading(const struct tree_counters *counters, struct reading *reading) {
  uint64_t id = 0;
  return ioctl(counters->file, PERF_EVENT_IOC_ID, &id) == 0 && id == counters->id &&
         read(counters->file, reading, sizeof *reading) == sizeof *reading && reading->count == COUNTERS;
}

struct tree_counters *__cilkprof_counters_make(size_t names) {
  int file = open_group();
  if (file < 0)
    return NULL;
  struct tree_counters *counters = __cilkprof_reserve(sizeof *counters + names * sizeof *counters->counts);
  if (!counters || ioctl(file, PERF_EVENT_IOC_ID, &counters->id) < 0)
    return NULL;
  counters->file = file;
  counters->process = getpid();
  return counters;
}

/* Nothing is done here: by these two functions valgrind's callgrind is told where to divide what it counts.  */
__attribute__((noipa)) void __cilkprof_section_begins(void) {
  __asm__ volatile("" ::: "memory");
}

__attribute__((noipa)) void __cilkprof_section_ended(void) {
  __asm__ volatile("" ::: "memory");
}

void __cilkprof_counters_begin(struct tree_counters *counters, uint64_t name) {
  __cilkprof_section_begins();
  if (!counters)
    return;
  counters->counting = counters->counts[name].times < MOST_TIMES && counters->process == ENGINE.process &&
                       take_reading(counters, &counters->begin);
}

/* Where others used the counters as well, these ran for a part of the time.  */
static uint64_t scaled(uint64_t value, uint64_t enabled, uint64_t running) {
  return (uint64_t)((unsigned __int128)value * enabled / running);
}

void __cilkprof_counters_end(struct tree_counters *counters, uint64_t name) {
  struct reading end;
  __cilkprof_section_ended();
  if (!counters || !counters->counting || counters->process != ENGINE.process || !take_reading(counters, &end))
    return;
  const struct reading *begin = &counters->begin;
  counters->counting = 0;
  uint64_t enabled = end.enabled - begin->enabled, running = end.running - begin->running;
  if (!enabled || !running || running > enabled)
    return;
  struct cilkprof_tree_counts *counts = &counters->counts[name];
  counts->name = name;
  counts->times++;
  counts->nanoseconds += enabled;
  counts->instructions += scaled(end.values[INSTRUCTIONS] - begin->values[INSTRUCTIONS], enabled, running);
  counts->cycles += scaled(end.values[CYCLES] - begin->values[CYCLES], enabled, running);
  counts->misses += scaled(end.values[MISSES] - begin->values[MISSES], enabled, running);
}

size_t __cilkprof_counters_copy(const struct tree_counters *counters, size_t names, struct cilkprof_tree_counts *to) {
  size_t count = 0;
  for (size_t i = 0; counters && i < names; i++)
    if (counters->counts[i].times)
      to[count++] = counters->counts[i];
  return count;
}
