/* Recorders: what a worker needs to record a passage, besides its thread.
   SPDX-License-Identifier: MIT

   The records of an object are those of the first worker.  A recorder has others of the same layout, and
   instrumented code adds the distance to them, which is in the thread, to the address of a record.  There is one
   object: programs with instrumented libraries are not compiled for parallel runs.  A worker that waits for a child
   and runs another meanwhile needs a second recorder, so every thread has a list of those that it does not use.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/engine/workers/workers.h"

static __thread struct recorder *unused;

static struct __cilkprof_thread first_worker; /* when it was set up */
static uint64_t *first_flags;                 /* of the sites in all records then; NULL: there is no memory */

/* Returns the size of the record of a function, with which records begin.  */
static size_t function_record_size(void) {
  return (sizeof(function_t) + __CILKPROF_LINE - 1) / __CILKPROF_LINE * __CILKPROF_LINE;
}

/* Makes new recorders measure like this thread, the first worker, which has been set up, and notes the flags of all
   sites, before any is reached.  */
void __cilkprof_recorders_start(void) {
  size_t functions = (size_t)((char *)ENGINE.record_sites - ENGINE.records) / function_record_size(),
         sites = (size_t)(ENGINE.record_sites_end - ENGINE.record_sites);
  first_worker = THREAD;
  first_flags = __cilkprof_reserve((functions + sites) * sizeof *first_flags + 1);
  for (size_t i = 0; first_flags && i < functions; i++)
    first_flags[i] = ((const function_t *)(ENGINE.records + i * function_record_size()))->outside.flags;
  for (size_t i = 0; first_flags && i < sites; i++)
    first_flags[functions + i] = ENGINE.record_sites[i].flags;
}

/* Makes the site at TO one of FUNCTION like the site FROM, which had FLAGS before it was reached.  */
static void copy_unreached_site(site_t *to, const site_t *from, uint64_t flags, function_t *function) {
  uint64_t given = __CILKPROF_SITE_SPAWN | __CILKPROF_SITE_FOREIGN | __CILKPROF_SITE_LEAF | __CILKPROF_SITE_SERIAL;
  to->flags = flags & (given | ~(uint64_t)0 << __CILKPROF_SITE_WORK);
  to->function = function;
  to->description = from->description;
  to->target = from->target;
}

/* Makes records for a recorder, whose functions are called from outside by OUTSIDE.  Returns the distance to them from
   those of the first worker; 0: there is no memory.  The first worker goes on meanwhile, so nothing is read of its
   records that changes.  */
static uint64_t copy_records_of_program(function_t *outside) {
  char *memory = first_flags ? __cilkprof_reserve((size_t)(ENGINE.records_end - ENGINE.records)) : NULL;
  uint64_t distance = (uint64_t)memory - (uint64_t)ENGINE.records, *flags = first_flags;
  if (!memory)
    return 0;
  for (char *at = ENGINE.records; at < (char *)ENGINE.record_sites; at += function_record_size()) {
    const function_t *from = (const function_t *)at;
    function_t *to = (function_t *)(at + distance);
    to->mode = from->mode;
    to->address = from->address;
    copy_unreached_site(&to->outside, &from->outside, *flags++, from->outside.function ? outside : NULL);
  }
  for (site_t *from = ENGINE.record_sites; from < ENGINE.record_sites_end; from++)
    copy_unreached_site((site_t *)((uint64_t)from + distance), from, *flags++,
                        (function_t *)((uint64_t)from->function + distance));
  return distance;
}

/* Makes the state of RECORDER in which a passage begins, which this thread has for now.  Returns 0, or -1 if there is
   no memory.  */
static int begin_recorder_state(struct recorder *recorder) {
  THREAD = (struct __cilkprof_thread){.profiled = &recorder->profiled};
  if (!(THREAD.records = copy_records_of_program(&recorder->outside)) || __cilkprof_log_start() < 0 ||
      __cilkprof_frames_start() < 0)
    return -1;
  THREAD.scale = first_worker.scale;
  THREAD.long_strand = first_worker.long_strand;
  THREAD.look_after = first_worker.look_after;
  recorder->profiled.timing_points.random = (uint64_t)recorder; /* not 0 */
  THREAD.foreign.key = 1;
  THREAD.recording = 1;
  recorder->state = THREAD;
  return 0;
}

/* Returns a new recorder; NULL if there is no memory.  */
static struct recorder *new_recorder(void) {
  struct recorder *recorder = __cilkprof_reserve(sizeof *recorder);
  struct __cilkprof_thread before = THREAD;
  int made = recorder && begin_recorder_state(recorder) == 0;
  THREAD = before;
  return made ? recorder : NULL;
}

/* Returns a recorder that this thread does not use; NULL if there is no memory.  */
struct recorder *__cilkprof_recorder_take(void) {
  struct recorder *recorder = unused;
  if (!recorder)
    return new_recorder();
  unused = recorder->next;
  return recorder;
}

/* Gives RECORDER back, whose records have been cleared.  */
void __cilkprof_recorder_give(struct recorder *recorder) {
  recorder->next = unused;
  unused = recorder;
}
