/* Workers without work sleep, and nobody polls.  Who sleeps says so first and then looks once more whether there is
   work or the awaited child is done; who adds work or ends a child does that first and then looks who
   sleeps.  Between the two steps of both is a fence, so at least one sees the other.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libcilkprof/runtime/runtime.h"

/* worker.asleep.  Who changes it from ASLEEP_HUNGRY to another value counts it out of `hungry'.  */
enum { AWAKE, ASLEEP_HUNGRY /* work wakes it as well */, ASLEEP_WAITING, WOKEN_BY_WORK };

static void futex(_Atomic unsigned *word, int operation, unsigned value) {
  syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

static bool rouse(struct worker *w, unsigned from, unsigned to) {
  if (!atomic_compare_exchange_strong(&w->asleep, &from, to))
    return false;
  if (from == ASLEEP_HUNGRY)
    atomic_fetch_sub(&__cilkprof_r_hungry, 1);
  return true;
}

static bool wake(struct worker *w, unsigned from, unsigned to) {
  if (!rouse(w, from, to))
    return false;
  futex(&w->asleep, FUTEX_WAKE, 1);
  return true;
}

/* Whether any child waits; not whether it can be had.  */
static bool work_waits(void) {
  int slots = atomic_load_explicit(&__cilkprof_r_slots, memory_order_acquire);
  for (int i = 0; i < slots; i++) {
    struct worker *w = atomic_load_explicit(&__cilkprof_r_workers[i], memory_order_acquire);
    if (w && deque_size(&w->deque) > 0)
      return true;
  }
  return false;
}

/* Sleeps until AWAITED, if it is not NULL, is done, or until there is work, if W STEALS.  True: it was woken by
   work, and if it does not take any it is to wake another.  */
bool __cilkprof_r_rest(struct worker *w, struct task *awaited, bool steals) {
  unsigned as = steals ? ASLEEP_HUNGRY : ASLEEP_WAITING;
  int saved = errno;
  atomic_store_explicit(&w->awaited, awaited, memory_order_relaxed);
  if (steals)
    atomic_fetch_add(&__cilkprof_r_hungry, 1);
  atomic_store(&w->asleep, as);
  atomic_thread_fence(memory_order_seq_cst);
  if ((awaited && atomic_load_explicit(&awaited->done, memory_order_acquire)) || (steals && work_waits()) ||
      atomic_load(&__cilkprof_r_stopping))
    rouse(w, as, AWAKE);
  while (atomic_load_explicit(&w->asleep, memory_order_acquire) == as)
    futex(&w->asleep, FUTEX_WAIT, as);
  bool by_work = atomic_exchange(&w->asleep, AWAKE) == WOKEN_BY_WORK;
  atomic_store_explicit(&w->awaited, NULL, memory_order_relaxed);
  errno = saved;
  return by_work;
}

/* There is work.  The fence is between it and the look at who sleeps.  */
void __cilkprof_r_wake_one(void) {
  atomic_thread_fence(memory_order_seq_cst);
  if (__builtin_expect(atomic_load_explicit(&__cilkprof_r_hungry, memory_order_relaxed) <= 0, 1))
    return;
  int slots = atomic_load_explicit(&__cilkprof_r_slots, memory_order_acquire), saved = errno;
  for (int i = 0; i < slots; i++) {
    struct worker *w = atomic_load_explicit(&__cilkprof_r_workers[i], memory_order_acquire);
    if (w && atomic_load_explicit(&w->asleep, memory_order_relaxed) == ASLEEP_HUNGRY &&
        wake(w, ASLEEP_HUNGRY, WOKEN_BY_WORK))
      break;
  }
  errno = saved;
}

/* DONE, which W spawned, is done: if W sleeps for it, it need not any longer.  DONE itself may be another task by
   now.  */
void __cilkprof_r_wake_waiting(struct worker *w, const struct task *done) {
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&w->asleep, memory_order_relaxed) == AWAKE ||
      atomic_load_explicit(&w->awaited, memory_order_relaxed) != done)
    return;
  int saved = errno;
  if (!wake(w, ASLEEP_HUNGRY, AWAKE))
    wake(w, ASLEEP_WAITING, AWAKE);
  errno = saved;
}

void __cilkprof_r_wake_all(void) {
  int slots = atomic_load_explicit(&__cilkprof_r_slots, memory_order_acquire);
  for (int i = 0; i < slots; i++) {
    struct worker *w = atomic_load_explicit(&__cilkprof_r_workers[i], memory_order_acquire);
    if (w)
      wake(w, ASLEEP_HUNGRY, WOKEN_BY_WORK);
  }
}

/* Between two looks for work; TIMES: the looks before this one.  */
void __cilkprof_r_pause(unsigned times) {
  if (times % 64 == 63) {
    sched_yield();
    return;
  }
  for (int i = 0; i < 8; i++) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
  }
}
