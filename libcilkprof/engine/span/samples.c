/* Samples in the on-span log.
   SPDX-License-Identifier: MIT

   The handler that takes a sample adds it to those that wait, at any moment; the events do the rest.  While an event is
   at it, the handler leaves a sample out of the log, though not out of the work: that is rare, and no matter of where
   the program is.  */

#include "libcilkprof/engine/span/samples.h"
#include "libcilkprof/engine/memory.h"

enum { MOST_PATHS = 1 << 20, MOST_WAITING = 1 << 14 };

/* A call path that has samples; its number is that of the sampler's node.  Every log has paths of its own, which are
   summed in them.  */
struct sampled_path {
  struct tally tally;
  uint64_t count, work_ns; /* of those that are pushed now */
  uint32_t next;           /* the next path that has any; 0: there is none */
};

/* A sample that waits to be pushed.  */
struct sample {
  uint64_t next; /* the number of the next one in its list; 0: it is the last */
  uint64_t path, work_ns;
};

/* What a thread has of samples, which the log of another does not share.  */
struct strand_samples {
  uint64_t waiting;    /* the first one that waits for the end of this strand */
  uint64_t measured;   /* those from this one on are of strands whose time is known */
  uint64_t free, used; /* the first one that is free again; the highest number that was in use */
  int busy;            /* an event moves them */
  struct sample list[MOST_WAITING];
  struct sampled_path paths[MOST_PATHS];
};

/* Starts to take samples of this thread in.  Returns 0, or -1 if there is no memory.  */
int __cilkprof_samples_start(void) {
  struct strand_samples **samples = &profiled_thread()->samples;
  if (!*samples)
    *samples = __cilkprof_reserve(sizeof **samples);
  return *samples ? 0 : -1;
}

/* Makes events push samples, or not, as WAITS says.  The next event that books a child, spawns or syncs does what is
   rare then.  */
static void expect_events_to_push(int waits) {
  THREAD.sampled = waits ? __CILKPROF_LONG : 0;
  THREAD.long_child = waits ? 0 : __CILKPROF_LONG_CHILD;
}

/* Makes events push the samples that wait in this thread, if there are any, after its state was replaced.  */
void __cilkprof_samples_expected(void) {
  const struct strand_samples *samples = profiled_thread()->samples;
  if (samples)
    expect_events_to_push(samples->waiting != 0);
}

/* Returns one of SAMPLES that is free, in front of those that wait.  If there is none, returns one of PATH that waits,
   or NULL: in a strand of hours.  */
static struct sample *take_sample_for_path(struct strand_samples *samples, uint64_t path) {
  uint64_t number = samples->free;
  if (number)
    samples->free = samples->list[number].next;
  else if (samples->used < MOST_WAITING - 1)
    number = ++samples->used;
  if (number) {
    samples->list[number] = (struct sample){samples->waiting, path, 0};
    samples->waiting = number;
    return &samples->list[number];
  }
  for (number = samples->waiting; number; number = samples->list[number].next)
    if (samples->list[number].path == path)
      return &samples->list[number];
  return NULL;
}

/* Adds a sample of the call path PATH, in a signal handler.  It stands for WORK_NS.  */
void __cilkprof_samples_add(uint32_t path, uint64_t work_ns) {
  struct strand_samples *samples = profiled_thread()->samples;
  struct sample *sample = !samples || samples->busy || !THREAD.recording ? NULL : take_sample_for_path(samples, path);
  if (!sample)
    return;
  sample->work_ns += work_ns;
  expect_events_to_push(1);
}

/* Begins and ends an event's work on the samples of this thread, which begin returns; the handler adds none meanwhile.
   NULL: none are taken.  */
static struct strand_samples *begin_moving_samples(void) {
  struct strand_samples *samples = profiled_thread()->samples;
  if (samples)
    samples->busy = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return samples;
}
static void end_moving_samples(struct strand_samples *samples) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (samples)
    samples->busy = 0;
}

/* Adds up those of SAMPLES that wait by their paths, and frees them.  Returns the first path that has any.  */
static uint32_t add_up_samples_by_path(struct strand_samples *samples) {
  uint32_t first = 0;
  while (samples->waiting) {
    struct sample *sample = &samples->list[samples->waiting];
    struct sampled_path *path = &samples->paths[sample->path];
    uint64_t next = sample->next;
    if (!path->count++) {
      path->next = first;
      first = (uint32_t)sample->path;
    }
    path->work_ns += sample->work_ns;
    sample->next = samples->free;
    samples->free = samples->waiting;
    samples->waiting = next;
  }
  return first;
}

/* Returns the key of an entry for samples of PATH, which is of no root.  */
static uint64_t entry_key_of_path(struct sampled_path *path) {
  path->tally.tree = UINT64_MAX;
  return (uint64_t)&path->tally | __CILKPROF_ENTRY_TALLY;
}

/* Pushes PART of WHOLE of the samples of PATH, at TOP of the log, and returns the new top.  Drops them where the log is
   not kept.  */
static entry_t *push_samples_of_path(struct sampled_path *path, entry_t *top, uint64_t part, uint64_t whole) {
  if (THREAD.recording && top < THREAD.limit) {
    uint64_t work = (uint64_t)((unsigned __int128)path->work_ns * part / whole);
    *top++ = (entry_t){.key = entry_key_of_path(path), .count = path->count, .work = work};
  }
  path->count = path->work_ns = 0;
  return top;
}

/* Pushes PART of WHOLE of the samples that wait, at TOP of the log.  Returns the new top.  */
entry_t *__cilkprof_push_part_of_samples(entry_t *top, uint64_t part, uint64_t whole) {
  struct strand_samples *samples = begin_moving_samples();
  for (uint32_t next = samples ? add_up_samples_by_path(samples) : 0; next;) {
    struct sampled_path *path = &samples->paths[next];
    next = path->next;
    top = push_samples_of_path(path, top, part, whole);
  }
  if (samples)
    samples->measured = 0;
  expect_events_to_push(0);
  end_moving_samples(samples);
  return top;
}

/* Returns how many nanoseconds the strand takes that ends now, as its samples tell; 0 if it has none, or only one,
   which may stand for what was before.  From now on that is known.  */
uint64_t __cilkprof_samples_of_strand(void) {
  struct strand_samples *samples = begin_moving_samples();
  uint64_t all = 0, first = 0, count = 0;
  for (uint64_t number = samples ? samples->waiting : 0; number && number != samples->measured; count++) {
    first = samples->list[number].work_ns;
    all += first;
    number = samples->list[number].next;
  }
  if (samples)
    samples->measured = samples->waiting;
  end_moving_samples(samples);
  return count < 2 ? 0 : (all - first) / (count - 1) * count;
}

/* Pushes the samples that wait, at TOP of the log.  Returns the new top.  */
EXPORT entry_t *__cilkprof_push_samples(entry_t *top) {
  return __cilkprof_push_part_of_samples(top, 1, 1);
}

/* Makes the samples that wait for the end of this strand wait in the list HELD; gives those that were in it to this
   strand.  */
void __cilkprof_samples_hold(uint64_t *held) {
  struct strand_samples *samples = begin_moving_samples();
  uint64_t before = *held;
  if (samples) {
    *held = samples->waiting;
    samples->waiting = samples->measured = before;
    expect_events_to_push(before != 0);
  }
  end_moving_samples(samples);
}

/* Gives the samples in HELD to the strand that ends now, which took UNITS, where such strands take MEAN.  */
void __cilkprof_samples_carry(uint64_t *held, uint64_t units, uint64_t mean) {
  struct strand_samples *samples = begin_moving_samples();
  for (uint64_t number = samples ? *held : 0, next; number; number = next) {
    struct sample *sample = &samples->list[number];
    next = sample->next;
    if (mean)
      sample->work_ns = (uint64_t)((unsigned __int128)sample->work_ns * units / mean);
    sample->next = samples->waiting;
    samples->waiting = number;
  }
  *held = 0;
  if (samples)
    samples->measured = samples->waiting;
  expect_events_to_push(1);
  end_moving_samples(samples);
}

/* Pushes the samples of the last strand, when the run ends.  */
void __cilkprof_samples_end(void) {
  if (THREAD.recording && profiled_thread()->samples && profiled_thread()->samples->waiting)
    THREAD.top = marked_log_top(__cilkprof_push_samples(__cilkprof_p_log_top()));
}

/* Drops all samples, in a forked child.  */
void __cilkprof_samples_forked(void) {
  if (profiled_thread()->samples)
    add_up_samples_by_path(profiled_thread()->samples);
  expect_events_to_push(0);
}

/* Returns the number of the call path whose samples the entry with KEY, of this thread's log, has; and the key of such
   an entry for PATH.  */
uint64_t __cilkprof_samples_path_of_entry(uint64_t key) {
  return (uint64_t)((const struct sampled_path *)(key - __CILKPROF_ENTRY_TALLY) - profiled_thread()->samples->paths);
}
uint64_t __cilkprof_samples_entry_of_path(uint64_t path) {
  return entry_key_of_path(&profiled_thread()->samples->paths[path]);
}

/* Stores how many samples of PATH are on the span, and what they stand for, in *COUNT and *WORK_NS.  ENTRIES are the
   sums of the log, or NULL.  */
void __cilkprof_samples_on_span(uint32_t path, const entry_t *entries, uint64_t *count, uint64_t *work_ns) {
  uint32_t sum = entries ? profiled_thread()->samples->paths[path].tally.folded : 0;
  *count = sum ? entries[sum - 1].count : 0;
  *work_ns = sum ? entries[sum - 1].work : 0;
}
