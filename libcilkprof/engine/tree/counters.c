/* The processor's counters in sections: instructions, cycles, misses of the last-level cache.
   SPDX-License-Identifier: MIT

   Most virtual machines have no such counters, and systems may forbid their use.  Then nothing is counted, without a
   message: the report says what to do instead.  */

#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/tree/tree.h"

enum { INSTRUCTIONS, CYCLES, MISSES, COUNTERS };
enum { HIGH_FILE = 600 }; /* the descriptor is moved here: programs may expect to get low numbers */
enum {
  MAX_TIMES = 4096
}; /* sections of a name that are counted: a reading takes a microsecond, and only the mean is needed */

/* The counters at one moment, in the layout in which the system writes them.  */
struct reading {
  uint64_t count, enabled, running; /* nanoseconds */
  uint64_t values[COUNTERS];
};

struct tree_counters {
  int file, process;
  uint64_t id; /* the system's number of the event, to check that FILE is still what was opened */
  struct reading begin;
  int counting; /* a section is open, and BEGIN is set */
  struct cilkprof_tree_counts counts[];
};

/* Returns the description of COUNTER for the system.  Processors other than x86 may count misses of the first-level
   cache as generic cache misses, so misses of the last level are asked for there.  */
static struct perf_event_attr tree_counter_event(int counter) {
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

/* Moves the descriptor FILE to a high number, and returns that, or FILE itself if that fails.  */
static int move_tree_counter_file(int file) {
  int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, HIGH_FILE);
  if (high < 0)
    return file;
  close(file);
  return high;
}

/* Opens all counters of the processor as one group.  Returns the descriptor of its first one, or -1 if any is not
   available.  */
static int open_tree_counters(void) {
  int files[COUNTERS], leader = -1;
  for (int i = 0; i < COUNTERS; i++) {
    struct perf_event_attr attributes = tree_counter_event(i);
    files[i] =
        move_tree_counter_file((int)syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC));
    if (files[i] < 0) {
      while (i-- > 0)
        close(files[i]);
      return -1;
    }
    leader = files[0];
  }
  return leader;
}

/* Reads COUNTERS into READING, and returns whether it could.  The program may have closed the descriptor and opened
   another file with the same number: nothing is read from that.  */
static int read_tree_counters(const struct tree_counters *counters, struct reading *reading) {
  uint64_t id = 0;
  return ioctl(counters->file, PERF_EVENT_IOC_ID, &id) == 0 && id == counters->id &&
         read(counters->file, reading, sizeof *reading) == sizeof *reading && reading->count == COUNTERS;
}

/* Returns the processor's counters for at most NAMES names of sections, or NULL if they are not available.  */
struct tree_counters *__cilkprof_counters_make(size_t names) {
  int file = open_tree_counters();
  if (file < 0)
    return NULL;
  struct tree_counters *counters = __cilkprof_reserve(sizeof *counters + names * sizeof *counters->counts);
  if (!counters || ioctl(file, PERF_EVENT_IOC_ID, &counters->id) < 0)
    return NULL;
  counters->file = file;
  counters->process = getpid();
  return counters;
}

/* Does nothing.  It is called where a section begins that is in no other one, to tell valgrind's callgrind where to
   divide its counts.  */
__attribute__((noipa)) void __cilkprof_section_begins(void) {
  __asm__ volatile("" ::: "memory");
}

/* Does nothing.  It is called where a section ends that is in no other one, to tell valgrind's callgrind where to
   divide its counts.  */
__attribute__((noipa)) void __cilkprof_section_ended(void) {
  __asm__ volatile("" ::: "memory");
}

/* Begins counting with the processor's COUNTERS for a section with the name of index NAME, unless enough sections of
   that name were counted.  COUNTERS may be NULL.  */
void __cilkprof_counters_begin(struct tree_counters *counters, uint64_t name) {
  __cilkprof_section_begins();
  if (!counters)
    return;
  counters->counting = counters->counts[name].times < MAX_TIMES && counters->process == ENGINE.process &&
                       read_tree_counters(counters, &counters->begin);
}

/* Returns VALUE, a count of the time RUNNING, scaled to the time ENABLED: where others use the counters as well, ours
   run for a part of it only.  */
static uint64_t scaled_tree_counter(uint64_t value, uint64_t enabled, uint64_t running) {
  return (uint64_t)((unsigned __int128)value * enabled / running);
}

/* Ends counting for a section with the name of index NAME, and adds what the processor's COUNTERS counted to the counts
   of that name.  COUNTERS may be NULL.  */
void __cilkprof_counters_end(struct tree_counters *counters, uint64_t name) {
  struct reading end;
  __cilkprof_section_ended();
  if (!counters || !counters->counting || counters->process != ENGINE.process || !read_tree_counters(counters, &end))
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
  counts->instructions += scaled_tree_counter(end.values[INSTRUCTIONS] - begin->values[INSTRUCTIONS], enabled, running);
  counts->cycles += scaled_tree_counter(end.values[CYCLES] - begin->values[CYCLES], enabled, running);
  counts->misses += scaled_tree_counter(end.values[MISSES] - begin->values[MISSES], enabled, running);
}

/* Copies the counts of all names that have any to TO, and returns their number.  NAMES is the number of names; COUNTERS
   may be NULL.  */
size_t __cilkprof_counters_copy(const struct tree_counters *counters, size_t names, struct cilkprof_tree_counts *to) {
  size_t count = 0;
  for (size_t i = 0; counters && i < names; i++)
    if (counters->counts[i].times)
      to[count++] = counters->counts[i];
  return count;
}
