/* What the processor counts in the samples of each call path: instructions, cycles, cache misses, where there are such
   counters.
   SPDX-License-Identifier: MIT

   A sample stands for what was counted since the last one, as it does for the CPU time.  What the sampler itself does
   is left out: the counters are read at the beginning of the signal handler and again at its end.  */

#include <sys/mman.h>

#include "libcilkprof/sampler/state.h"

static const unsigned ALL = PERF_BIT(PERF_COUNTERS) - 1;
static const unsigned NEEDED = PERF_BIT(PERF_INSTRUCTIONS) | PERF_BIT(PERF_CYCLES);

/* Allocates the counts of all nodes, which take no memory before they are used.  Returns false if that fails.  */
static bool map_sampled_counts(void) {
  const size_t size = MAX_NODES * sizeof(struct node_counts);
  if (atomic_load(&SAMPLER.counts))
    return true;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  struct node_counts *none = NULL;
  if (memory == MAP_FAILED)
    return false;
  if (!atomic_compare_exchange_strong(&SAMPLER.counts, &none, (struct node_counts *)memory))
    munmap(memory, size);
  return true;
}

/* Sets which counters there are before the first thread has any: all of them.  The counts of an earlier process, which
   forked this one, are forgotten.  */
void __cilkprof_s_counters_start(void) {
  struct node_counts *before = atomic_exchange(&SAMPLER.counts, NULL);
  if (before)
    munmap(before, MAX_NODES * sizeof *before);
  atomic_store(&SAMPLER.counted, ALL);
}

/* Begins to count what THREAD, the calling one, does.  What one thread cannot count is counted for none.  */
void __cilkprof_s_counters_begin(struct sampled_thread *thread) {
  if (__cilkprof_perf_open(&thread->counters, ALL, NEEDED) &&
      !(map_sampled_counts() && __cilkprof_perf_read(&thread->counters, &thread->counted)))
    __cilkprof_perf_close(&thread->counters);
  atomic_fetch_and(&SAMPLER.counted, thread->counters.opened);
}

/* Ends counting what THREAD does.  */
void __cilkprof_s_counters_end(struct sampled_thread *thread) {
  __cilkprof_perf_close(&thread->counters);
}

/* Reads the counters of THREAD, the calling one, at the beginning of a sample.  */
void __cilkprof_s_counters_read(struct sampled_thread *thread) {
  thread->has_counts = thread->counters.opened && __cilkprof_perf_read(&thread->counters, &thread->counts);
}

/* Adds what THREAD counted from its last sample to this one to the path that ends at NODE.  Where others use the
   counters too, ours may not have run: then all is added to a later path.  */
void __cilkprof_s_counters_add(struct sampled_thread *thread, uint32_t node) {
  uint64_t values[PERF_COUNTERS];
  if (!thread->has_counts)
    return;
  if (!__cilkprof_perf_difference(&thread->counted, &thread->counts, values)) {
    thread->has_counts = false;
    return;
  }
  for (int i = 0; i < PERF_COUNTERS; i++)
    sampler_add_to_counter(&atomic_load(&SAMPLER.counts)[node].of[i], values[i]);
}

/* Continues to count THREAD, the calling one, at the end of a sample.  */
void __cilkprof_s_counters_continue(struct sampled_thread *thread) {
  if (thread->has_counts)
    __cilkprof_perf_read(&thread->counters, &thread->counted);
}

/* Moves the counts of node FROM to node TO.  No other thread uses FROM.  */
void __cilkprof_s_counters_move(uint32_t from, uint32_t to) {
  struct node_counts *counts = atomic_load_explicit(&SAMPLER.counts, memory_order_relaxed);
  for (int i = 0; counts && i < PERF_COUNTERS; i++) {
    sampler_add_to_counter(&counts[to].of[i], counts[from].of[i]);
    counts[from].of[i] = 0;
  }
}

/* Writes what was counted in the samples of NODE, if anything was.  STACK is its number in the file.  */
void __cilkprof_s_counters_write(struct cilkprof_writer *writer, uint32_t node, uint32_t stack) {
  const struct node_counts *counts = atomic_load(&SAMPLER.counts);
  unsigned counted = atomic_load(&SAMPLER.counted);
  if (!counts || (counted & NEEDED) != NEEDED || !counts[node].of[PERF_CYCLES])
    return;
  const uint64_t *of = counts[node].of;
  cilkprof_write_counters(writer,
                          &(struct cilkprof_counters){
                              .stack = stack,
                              .instructions = of[PERF_INSTRUCTIONS],
                              .cycles = of[PERF_CYCLES],
                              .misses = counted & PERF_BIT(PERF_MISSES) ? of[PERF_MISSES] : CILKPROF_NOT_COUNTED,
                              .hitm = counted & PERF_BIT(PERF_HITM) ? of[PERF_HITM] : CILKPROF_NOT_COUNTED,
                          });
}
