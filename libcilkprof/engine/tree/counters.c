/* The processor's counters in sections: instructions, cycles, misses of the last-level cache.
   SPDX-License-Identifier: MIT

   Most virtual machines have no such counters, and systems may forbid their use.  Then nothing is counted, without a
   message: the report says what to do instead.  */

#include <unistd.h>

#include "libcilkprof/common/perf.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/tree/tree.h"

enum {
  MAX_TIMES = 4096
}; /* sections of a name that are counted: a reading takes a microsecond, and only the mean is needed */

struct tree_counters {
  struct perf_counters open;
  int process;
  struct perf_reading begin;
  int counting; /* a section is open, and BEGIN is set */
  struct cilkprof_tree_counts counts[];
};

/* Returns the processor's counters for at most NAMES names of sections, or NULL if they are not available.  */
struct tree_counters *__cilkprof_counters_make(size_t names) {
  const unsigned all = PERF_BIT(PERF_INSTRUCTIONS) | PERF_BIT(PERF_CYCLES) | PERF_BIT(PERF_MISSES);
  struct perf_counters open;
  if (!__cilkprof_perf_open(&open, all, all))
    return NULL;
  struct tree_counters *counters = __cilkprof_reserve(sizeof *counters + names * sizeof *counters->counts);
  if (!counters) {
    __cilkprof_perf_close(&open);
    return NULL;
  }
  counters->open = open;
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
                       __cilkprof_perf_read(&counters->open, &counters->begin);
}

/* Ends counting for a section with the name of index NAME, and adds what the processor's COUNTERS counted to the counts
   of that name.  COUNTERS may be NULL.  */
void __cilkprof_counters_end(struct tree_counters *counters, uint64_t name) {
  struct perf_reading end;
  uint64_t values[PERF_COUNTERS];
  __cilkprof_section_ended();
  if (!counters || !counters->counting || counters->process != ENGINE.process ||
      !__cilkprof_perf_read(&counters->open, &end))
    return;
  counters->counting = 0;
  if (!__cilkprof_perf_difference(&counters->begin, &end, values))
    return;
  struct cilkprof_tree_counts *counts = &counters->counts[name];
  counts->name = name;
  counts->times++;
  counts->nanoseconds += end.enabled - counters->begin.enabled;
  counts->instructions += values[PERF_INSTRUCTIONS];
  counts->cycles += values[PERF_CYCLES];
  counts->misses += values[PERF_MISSES];
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
