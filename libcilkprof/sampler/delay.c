/* Time that sampled threads had work and no processor, because other programs had it.
   SPDX-License-Identifier: MIT

   The kernel counts how long each thread was ready to run without a processor, and does not know whether the thread had
   work.  A thread is delayed where it computes: its delay is divided between work and idleness as its CPU time is.  */

#include <sys/syscall.h>
#include <unistd.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/sampler/state.h"

/* Begins to count the delays of THREAD, which is the calling one.  */
void __cilkprof_s_delay_begin(struct sampled_thread *thread) {
  thread->number = (int)syscall(SYS_gettid);
  thread->delay_ns = __cilkprof_delay_ns(thread->number);
  thread->cpu_ns = thread->working_ns = 0;
}

/* Adds the delay of THREAD since the last call, as far as the thread had work, to that of the run.  A delay that the
   system does not tell makes the whole unknown.  */
void __cilkprof_s_delay_add(struct sampled_thread *thread) {
  uint64_t now = __cilkprof_delay_ns(thread->number), cpu = thread->cpu_ns, working = thread->working_ns;
  if (now == CILKPROF_NO_DELAY || thread->delay_ns == CILKPROF_NO_DELAY)
    atomic_store(&SAMPLER.delays_unknown, true);
  else if (cpu > 0)
    atomic_fetch_add(&SAMPLER.delayed_ns, (uint64_t)((double)(now - thread->delay_ns) * (double)working / (double)cpu));
  thread->delay_ns = now;
  thread->cpu_ns = thread->working_ns = 0;
}

/* Adds the delays of all threads that are sampled now, and stores the delay of the whole run for the profile.  */
void __cilkprof_s_delay_finish(void) {
  for (int i = 0; i < MAX_THREADS; i++) {
    struct sampled_thread *thread = atomic_load(&SAMPLER.threads[i]);
    if (thread && atomic_load(&thread->taken))
      __cilkprof_s_delay_add(thread);
  }
  if (!atomic_load(&SAMPLER.delays_unknown))
    SAMPLER.shared->sampling.delayed_ns = atomic_load(&SAMPLER.delayed_ns);
}
