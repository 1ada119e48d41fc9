/* The samples of a run: the agent of the sampler.
   SPDX-License-Identifier: MIT

   CILKPROF_SAMPLE_HZ  how many samples a second at first; 0: none  */

#include <stdlib.h>
#include <unistd.h>

#include "libcilkprof/engine/profile/sampling.h"

#include "fmt/profile.h"
#include "libcilkprof/common/protocol.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/profile/output.h"
#include "libcilkprof/engine/span/samples.h"
#include "libcilkprof/engine/time/clock.h"
#include "libcilkprof/sampler/sampler.h"
#ifdef __CILKPROF_PARALLEL
#include "libcilkprof/engine/workers/workers.h"
#endif

/* pthread_atfork itself is in a part of the C library that is linked before this one.  */
extern int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *owner);
extern HIDDEN void *__dso_handle;

enum { FIRST_HZ = 1000 };

static const entry_t *sums; /* of the log, while the profile is written */

/* What the sampler asks of parallel runs that are sampled for waste.  */
static int one(void) {
  return 1;
}
static int none(void) {
  return 0;
}

#ifdef __CILKPROF_PARALLEL
/* Returns whether this thread does what is recorded; and the passage that it runs, or NULL.  */
static bool works(void) {
  return __cilkprof_is_worker_recording();
}
static struct sampled_task *running(void) {
  return __cilkprof_running_passage();
}
#else
/* The profiled thread is the only one that is sampled, and it always works.  */
static bool works(void) {
  return true;
}
static struct sampled_task *running(void) {
  return NULL;
}
#endif

/* Takes a sample of the call path NODE, which stands for WORK_NS, in a handler that began at SINCE, at the CPU time
   CPU_NS.  The host had the processor for HOST_NS before.  */
static void took(uint32_t node, uint64_t work_ns, uint64_t host_ns, uint64_t since, uint64_t cpu_ns) {
  profiled_thread()->host.unseen_ns += host_ns;
  __cilkprof_samples_add(node, work_ns);
  __cilkprof_clock_sampled(since, cpu_ns);
}

/* Returns the index in the profile of what is loaded at LOW.  */
static uint32_t object(uintptr_t low) {
  return __cilkprof_profile_object_address((const void *)low).object;
}

/* Writes what of the samples of NODE, the record STACK, is on the span.  */
static void wrote(struct cilkprof_writer *writer, uint32_t node, uint32_t stack) {
  struct cilkprof_stack_span span = {.stack = stack};
  __cilkprof_samples_on_span(node, sums, &span.samples, &span.work_ns);
  if (span.samples)
    cilkprof_write_stack_span(writer, &span);
}

/* Where the engine's code is (rules.mk).  */
extern HIDDEN char __start_cilkprof_engine[], __stop_cilkprof_engine[];

/* Returns whether the code at PC is the engine's.  */
static bool is_own(uintptr_t pc) {
  return pc > (uintptr_t)__start_cilkprof_engine && pc <= (uintptr_t)__stop_cilkprof_engine;
}

#ifdef __CILKPROF_PARALLEL
/* Returns whether the code at PC is the runtime's, or the engine's that calls the program (RUNS_PROGRAM).  */
static bool runs_program(uintptr_t pc) {
  extern HIDDEN char __start_cilkprof_runtime[], __stop_cilkprof_runtime[];
  return pc > (uintptr_t)__start_cilkprof_runtime && pc <= (uintptr_t)__stop_cilkprof_runtime;
}
#else
/* The engine of a serial run calls nothing of the program.  */
static bool runs_program(uintptr_t pc) {
  (void)pc;
  return false;
}
#endif

static const struct sampler_agent agent = {
    .sampled = CILKPROF_SAMPLED_SERIAL,
    .workers = one,
    .processors = one,
    .working = one,
    .waiting = none,
    .has_work = works,
    .running = running,
    .took = took,
    .object = object,
    .wrote = wrote,
    .is_own = is_own,
    .runs_program = runs_program,
};

/* A forked child has no samples.  */
static void sampling_forked(void) {
  __cilkprof_s_forked();
  __cilkprof_samples_forked();
}

/* ThreadSanitizer delays signals: the program was long elsewhere then.  */
extern void __tsan_acquire(void *address) __attribute__((weak));

/* Starts to sample this thread, where strands are timed.  */
void __cilkprof_sampling_start(void) {
  const char *asked = __cilkprof_process_setting(CILKPROF_SAMPLED_AT);
  uint64_t hz = asked ? strtoull(asked, NULL, 10) : __cilkprof_environment_number("CILKPROF_SAMPLE_HZ", 0, FIRST_HZ);
  if (!hz || ENGINE.mode != CILKPROF_MODE_HYBRID || __tsan_acquire)
    return;
  if (__cilkprof_samples_start() < 0 || __register_atfork(NULL, NULL, sampling_forked, &__dso_handle) != 0) {
    __cilkprof_say("out of memory", "the program runs without sampling", NULL);
    return;
  }
  __cilkprof_s_start(&agent, hz < 10000 ? (unsigned)hz : 10000);
}

/* Takes a sample at the end of a strand, at the CPU time NOW_NS, if the last one was long ago.  */
void __cilkprof_sampling_catch_up(uint64_t now_ns) {
  __cilkprof_s_catch_up(now_ns);
}

/* Ends sampling: the run ends.  */
void __cilkprof_sampling_stop(void) {
  __cilkprof_s_stop();
}

/* Lists the objects in which samples are in the profile, before it is written.  */
void __cilkprof_sampling_list_objects(void) {
  __cilkprof_s_list_objects();
}

/* Writes the samples.  ENTRIES are the sums of the log, or NULL.  */
void __cilkprof_sampling_write(struct cilkprof_writer *writer, const entry_t *entries) {
  sums = entries;
  __cilkprof_s_write_samples(writer);
}
