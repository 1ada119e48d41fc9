/* The sampling clock, which interrupts a thread at regular intervals of its CPU time, and the signal handler.
   SPDX-License-Identifier: MIT

   perf_event_open counts a thread's CPU time precisely, and interrupts it only in user code, so no system call of
   the program is interrupted.  Where it is not permitted, timers of CPU time are used, which the kernel checks at
   each of its ticks.  Neither runs while the thread sleeps.  However often samples come, each stands for the CPU
   time since the last one.  But where none came for many intervals, although nothing held it back, the thread did not
   run: the host of a virtual machine had its processor, and the CPU time contains that.

   The signal is one that no program uses.  It is not queued, so a program that blocks it for a long time loses
   nothing.  */

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "libcilkprof/sampler/state.h"

/* Some x86 emulators call handlers with a misaligned stack.  */
#ifdef __x86_64__
#define ALIGNED __attribute__((force_align_arg_pointer))
#else
#define ALIGNED
#endif

enum { SIGNAL = SIGSTKFLT, FIRST_FAULTS = 64 };

static struct sigaction before;

/* Returns whether the code at PC comes after a system call: that may have let the signal through, which waited.  */
static bool is_after_system_call(uintptr_t pc) {
  enum { PAGE = 4096, LONGEST = 4 };
#if defined __x86_64__
  static const uint8_t call[] = {0x0f, 0x05};
#else
  static const uint8_t call[] = {0x01, 0x00, 0x00, 0xd4};
#endif
  return pc % PAGE < LONGEST || memcmp((const uint8_t *)pc - sizeof call, call, sizeof call) == 0;
}

/* Returns whether this thread blocks the signal of the clock.  */
static bool is_sampling_blocked(void) {
  sigset_t blocked;
  return pthread_sigmask(SIG_BLOCK, NULL, &blocked) != 0 || sigismember(&blocked, SIGNAL);
}

/* Returns the CPU time of this thread in the kernel.  */
static uint64_t sampled_system_ns(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_THREAD, &usage) < 0)
    return 0;
  return (uint64_t)usage.ru_stime.tv_sec * 1000000000 + (uint64_t)usage.ru_stime.tv_usec * 1000;
}

/* Returns how much of WORK, the CPU time since the last sample of this thread, it did not run: none came for many
   intervals, nor for two ticks of the kernel if a timer takes them, and it was mostly not in the kernel either.  HELD
   says that the signal may have waited.  */
static uint64_t sampled_work_of_host(struct sampled_thread *self, uint64_t work, bool held) {
  enum { INTERVALS = 16, TICKS_NS = 20000000 };
  uint64_t system = self->system_ns, interval = UINT64_C(1000000000) / self->hz;
  self->system_ns = sampled_system_ns();
  if (held || work < INTERVALS * interval + (self->perf ? 0 : TICKS_NS) || self->system_ns - system > work / 2)
    return 0;
  return work - interval;
}

/* Returns where the signal interrupted this thread, by the CONTEXT of the signal handler: program counter, stack
   pointer and, where there is one, link register.  */
static struct interruption sample_interruption(const ucontext_t *context) {
#if defined __x86_64__
  const greg_t *registers = context->uc_mcontext.gregs;
  return (struct interruption){(uintptr_t)registers[REG_RIP], (uintptr_t)registers[REG_RSP], 0, context};
#elif defined __aarch64__
  const mcontext_t *machine = &context->uc_mcontext;
  return (struct interruption){(uintptr_t)machine->pc, (uintptr_t)machine->sp, (uintptr_t)machine->regs[30], context};
#else
#error "where is the program counter?"
#endif
}

/* How many threads have work, and how many processors there are without those of threads that wait for locks.  */
struct activity {
  int working, processors;
};

/* Returns what the threads do now.  */
static struct activity sampled_activity(void) {
  int working = SAMPLER.agent->working(), processors = SAMPLER.agent->processors() - SAMPLER.agent->waiting();
  return (struct activity){working < 1 ? 1 : working, processors};
}

/* Returns the idleness that WORK stands for, in the same unit: (n - n_w) / n_w of it, where n_w threads had work for n
   processors.  */
static uint64_t sampled_idleness(struct activity now, uint64_t work) {
  return now.working >= now.processors ? 0 : work * (uint64_t)(now.processors - now.working) / (uint64_t)now.working;
}

/* Takes a sample of this thread, interrupted at PLACE when the timer was at SINCE: adds the CPU time since the last
   one, and the idleness that it stands for, to its call path.  A thread without work is only counted.  What the others
   do is asked first: they may run out of work because this thread is interrupted.  */
static void take_sample(struct sampled_thread *self, const struct interruption *place, uint64_t since) {
  struct activity now = sampled_activity();
  struct cilkprof_sampling *all = &SAMPLER.shared->sampling;
  uint64_t work = sampler_clock_ns(CLOCK_THREAD_CPUTIME_ID) - self->last_cpu_ns;
  sampler_add_to_counter(&all->cpu_ns, work);
  self->cpu_ns += work;
  if (!SAMPLER.agent->has_work() || (SAMPLER.agent->is_searching && SAMPLER.agent->is_searching(place))) {
    sampler_add_to_counter(&all->idle_samples, 1);
    return;
  }
  self->working_ns += work;
  uint32_t node = __cilkprof_s_path(place);
  sampler_add_to_counter(&all->samples, 1);
  __cilkprof_s_add(node, 1, work, sampled_idleness(now, work), 0);
  __cilkprof_s_counters_add(self, node);
  __cilkprof_s_timeline_add(self, work);
  __cilkprof_s_transition_path(self, node);
  if (SAMPLER.agent->spans)
    SAMPLER.agent->spans->sampled(node, work, since);
  __atomic_store_n(&all->elapsed_ns, sampler_clock_ns(CLOCK_MONOTONIC) - SAMPLER.monotonic_ns, __ATOMIC_RELAXED);
}

/* Makes the clock of this thread interrupt it HZ times for each second of its CPU time from now on.  */
static void set_sampling_rate(struct sampled_thread *self, unsigned hz) {
  uint64_t period = UINT64_C(1000000000) / hz;
  struct timespec every = {.tv_sec = (time_t)(period / 1000000000), .tv_nsec = (long)(period % 1000000000)};
  struct itimerspec times = {every, every};
  if (self->perf)
    ioctl(self->file, PERF_EVENT_IOC_PERIOD, &period);
  else
    timer_settime(self->timer, 0, &times, NULL);
}

/* Returns whether it is too early for a sample at a page fault of this thread at the CPU time NOW: then there will be
   fewer of them.  */
static bool is_fault_too_early(struct sampled_thread *self, uint64_t now) {
  enum { MOST_FAULTS = 4096 };
  if ((now - self->last_cpu_ns) * SAMPLER.hz > UINT64_C(1000000000) / 2)
    return false;
  if (self->faults < MOST_FAULTS) {
    self->faults *= 2;
    ioctl(self->fault_file, PERF_EVENT_IOC_PERIOD, &self->faults);
  }
  return true;
}

/* Adds a sample of the path NODE, 0 if it is unknown, at the CPU time NOW, and tells the agent, which takes samples
   itself: the thread works.  SINCE is the timer when it was interrupted, which may be late if it was HELD.  Each time
   that there are twice as many samples as before, half as many are taken: a short run has enough of them, and a long
   one is not disturbed.  */
static void tell_agent_of_sample(struct sampled_thread *self, uint32_t node, uint64_t now, uint64_t since, bool held) {
  enum { ENOUGH = 1000, LEAST_HZ = 50 };
  struct cilkprof_sampling *all = &SAMPLER.shared->sampling;
  uint64_t work = now - self->last_cpu_ns, of_host = sampled_work_of_host(self, work, held);
  work -= of_host;
  self->last_cpu_ns = now;
  sampler_add_to_counter(&all->cpu_ns, work);
  if (!node)
    return;
  __cilkprof_s_add(node, 1, work, 0, 0);
  uint64_t samples = __atomic_add_fetch(&all->samples, 1, __ATOMIC_RELAXED);
  unsigned hz = __atomic_load_n(&SAMPLER.hz, __ATOMIC_RELAXED);
  if (samples >= ENOUGH && (samples & (samples - 1)) == 0 && hz > LEAST_HZ)
    __atomic_store_n(&SAMPLER.hz, hz /= 2, __ATOMIC_RELAXED);
  if (self->hz != hz)
    set_sampling_rate(self, self->hz = hz);
  SAMPLER.agent->took(node, work, of_host, since, now);
}

/* Takes a sample of this thread, interrupted at PLACE since the timer was SINCE, AT_FAULT or else at a tick of the
   clock, for an agent that takes samples itself.  */
static void take_sample_for_agent(struct sampled_thread *self, const struct interruption *place, uint64_t since,
                                  bool at_fault) {
  uint64_t now = sampler_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  if (!SAMPLER.agent->has_work())
    self->last_cpu_ns = now;
  else if (!at_fault || !is_fault_too_early(self, now))
    tell_agent_of_sample(self, __cilkprof_s_path(place), now, since, is_after_system_call(place->pc));
}

/* Returns whether the last sample of this thread was long before the CPU time NOW; it may also have been after it.  */
static bool is_sample_overdue(const struct sampled_thread *self, uint64_t now) {
  uint64_t since = now - self->last_cpu_ns;
  return (int64_t)since > 0 && since * SAMPLER.hz >= UINT64_C(2000000000);
}

/* Takes a sample of this thread, at the CPU time NOW, where it called the agent, if the last one was long ago: it was
   in the kernel, which the clock does not interrupt.  */
void __cilkprof_s_catch_up(uint64_t now) {
  struct sampled_thread *self = SELF;
  if (!self || !is_sample_overdue(self, now) || !SAMPLER.agent->has_work())
    return;
  self->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  if (atomic_load(&__cilkprof_s_on) && is_sample_overdue(self, now)) /* a sample may have come in between */
    tell_agent_of_sample(self, __cilkprof_s_path_to_agent(), now, read_ticks(), is_sampling_blocked());
  atomic_signal_fence(memory_order_seq_cst);
  self->busy = false;
}

/* Calls the handler that the program had for the sampling signal before, because another process sent the signal and
   not the clock.  */
static void pass_on_sampling_signal(int number, siginfo_t *info, void *context) {
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(number, info, context);
  else if (before.sa_handler == SIG_DFL) {
    sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    raise(number); /* takes effect after this handler, which blocks it */
  } else if (before.sa_handler != SIG_IGN)
    before.sa_handler(number);
}

/* Handles the signal of the sampling clock: takes a sample, unless the thread is in the sampler's own code or sampling
   is off.  Preserves errno.  */
static ALIGNED void handle_sampling_signal(int number, siginfo_t *info, void *context) {
  struct sampled_thread *self = SELF;
  uint64_t since = read_ticks();
  int error = errno;
  if (info->si_code != POLL_IN && info->si_code != POLL_HUP && info->si_code != SI_TIMER) {
    pass_on_sampling_signal(number, info, context);
    errno = error;
    return;
  }
  if (self && !self->busy) {
    atomic_store(&self->in_handler, true);
    struct interruption place = sample_interruption(context);
    if (SAMPLER.agent->took) {
      if (atomic_load(&__cilkprof_s_on))
        take_sample_for_agent(self, &place, since, self->perf && info->si_fd == self->fault_file);
    } else {
      __cilkprof_s_counters_read(self);
      if (atomic_load(&__cilkprof_s_on))
        take_sample(self, &place, since);
      __cilkprof_s_counters_continue(self);
      self->last_cpu_ns = sampler_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    }
    atomic_store_explicit(&self->in_handler, false, memory_order_release);
  }
  errno = error;
}

/* Installs the signal handler that takes samples.  Returns false if that fails.  No other handler may interrupt it,
   because that could jump out of it.  */
bool __cilkprof_s_handler_start(void) {
  struct sigaction action = {.sa_sigaction = handle_sampling_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigfillset(&action.sa_mask);
  return sigaction(SIGNAL, &action, &before) == 0;
}

/* Makes perf_event_open interrupt this thread each time that EVENT, of PERF_TYPE_SOFTWARE, has happened PERIOD times in
   user code.  Returns the descriptor, or -1 if that is not permitted.  */
static int open_perf_sampling(uint64_t event, uint64_t period) {
  struct perf_event_attr attributes = {
      .type = PERF_TYPE_SOFTWARE,
      .size = sizeof attributes,
      .config = event,
      .sample_period = period,
      .wakeup_events = 1,
      .disabled = 1,
      .exclude_kernel = 1,
      .exclude_hv = 1,
  };
  pid_t self = (pid_t)syscall(SYS_gettid);
  struct f_owner_ex owner = {F_OWNER_TID, self};
  int file = (int)syscall(SYS_perf_event_open, &attributes, self, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (file < 0)
    return -1;
  file = __cilkprof_perf_move(file);
  if (fcntl(file, F_SETFL, O_ASYNC | O_NONBLOCK) < 0 || fcntl(file, F_SETSIG, SIGNAL) < 0 ||
      fcntl(file, F_SETOWN_EX, &owner) < 0 || ioctl(file, PERF_EVENT_IOC_ENABLE, 0) < 0) {
    close(file);
    return -1;
  }
  return file;
}

/* Makes perf_event_open interrupt this thread at each sampling interval of its CPU time, and, for an agent that takes
   samples itself, at some page faults: the clock cannot interrupt the kernel, and a program that uses memory for the
   first time is mostly there.  Returns false if that is not permitted.  */
static bool begin_perf_sampling(struct sampled_thread *thread) {
  thread->file = open_perf_sampling(PERF_COUNT_SW_TASK_CLOCK, UINT64_C(1000000000) / SAMPLER.hz);
  thread->fault_file = -1;
  if (thread->file >= 0 && SAMPLER.agent->took)
    thread->fault_file = open_perf_sampling(PERF_COUNT_SW_PAGE_FAULTS, thread->faults = FIRST_FAULTS);
  return thread->file >= 0;
}

/* Makes a timer of CPU time interrupt this thread at each sampling interval.  Returns false if there is no such
   timer.  */
static bool begin_timer_sampling(struct sampled_thread *thread) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGNAL};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  struct timespec period = {.tv_sec = SAMPLER.hz == 1, .tv_nsec = SAMPLER.hz == 1 ? 0 : 1000000000 / SAMPLER.hz};
  struct itimerspec times = {period, period};
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &thread->timer) < 0)
    return false;
  if (timer_settime(thread->timer, 0, &times, NULL) == 0)
    return true;
  timer_delete(thread->timer);
  return false;
}

/* Starts the sampling clock of THREAD, which is the calling one: by perf_event_open, or else by a timer.  Returns false
   if neither works.  */
bool __cilkprof_s_clock_begin(struct sampled_thread *thread) {
  if (!SAMPLER.agent->took)
    __cilkprof_s_counters_begin(thread);
  thread->last_cpu_ns = sampler_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  thread->hz = SAMPLER.hz;
  thread->perf = begin_perf_sampling(thread);
  if (!thread->perf && !begin_timer_sampling(thread)) {
    __cilkprof_s_counters_end(thread);
    return false;
  }
  if (!thread->perf)
    __atomic_store_n(&SAMPLER.shared->sampling.clock, CILKPROF_SAMPLING_TIMER, __ATOMIC_RELAXED);
  return true;
}

/* Adds the CPU time since this thread's last sample to the total but to no path.  That is little, unless the thread
   blocks signals.  */
void __cilkprof_s_clock_rest(void) {
  if (!SELF)
    return;
  uint64_t now = sampler_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  sampler_add_to_counter(&SAMPLER.shared->sampling.cpu_ns, now - SELF->last_cpu_ns);
  SELF->last_cpu_ns = now;
}

/* Stops the sampling clock of THREAD and releases its descriptor or timer.  */
void __cilkprof_s_clock_end(struct sampled_thread *thread) {
  __cilkprof_s_counters_end(thread);
  if (thread->perf) {
    close(thread->file);
    if (thread->fault_file >= 0)
      close(thread->fault_file);
  } else
    timer_delete(thread->timer);
}
