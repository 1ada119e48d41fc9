/* Workers without work sleep, after they have looked for it for a while; nobody polls for long.
   SPDX-License-Identifier: MIT

   A worker announces that it sleeps and then checks once more for work or the end of the awaited task.  Whoever adds
   work or completes a task does that first and then checks who sleeps.  Both sides have a fence between the two steps,
   so at least one of them sees the other.  */

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libcilkprof/runtime/runtime.h"

/* The values of worker.asleep.  Whoever changes it from ASLEEP_HUNGRY decrements __cilkprof_r_hungry.  */
enum { AWAKE, ASLEEP_HUNGRY /* woken by new work, too */, ASLEEP_WAITING, WOKEN_BY_WORK };

/* Makes the system call futex for WORD, on which a worker sleeps: waits while WORD has the VALUE, or wakes as many as
   VALUE says.  */
static void worker_futex(_Atomic unsigned *word, int operation, unsigned value) {
  syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

/* Changes the sleeping state of W from FROM to TO, and no longer counts it as hungry for work if it was.  Returns false
   if its state is not FROM.  */
static bool mark_worker_awake(struct worker *w, unsigned from, unsigned to) {
  if (!atomic_compare_exchange_strong(&w->asleep, &from, to))
    return false;
  if (from == ASLEEP_HUNGRY)
    atomic_fetch_sub(&__cilkprof_r_hungry, 1);
  return true;
}

/* Wakes W if its sleeping state is FROM, which becomes TO.  Returns false if it is not.  */
static bool wake_worker(struct worker *w, unsigned from, unsigned to) {
  if (!mark_worker_awake(w, from, to))
    return false;
  worker_futex(&w->asleep, FUTEX_WAKE, 1);
  return true;
}

/* Returns whether any child waits in a worker's deque.  By now another thief may have taken it.  */
static bool has_work_in_deques(void) {
  int slots = atomic_load_explicit(&__cilkprof_r_slots, memory_order_acquire);
  for (int i = 0; i < slots; i++) {
    struct worker *w = atomic_load_explicit(&__cilkprof_r_workers[i], memory_order_acquire);
    if (w && deque_size(&w->deque) > 0)
      return true;
  }
  return false;
}

/* A worker that sleeps is woken by a system call of whoever has work, and begins tens of microseconds later.  So it
   looks for work as long as it may pay, by how long it was idle before.  */
enum { FIRST_PATIENCE_US = 50, MAX_PATIENCE_US = 200 };

/* Sleeps until AWAITED, if it is not NULL, is done, or until there is work, if W STEALS.  Returns true if it was
   woken by work: if W then takes none, it must wake another worker.  */
static bool worker_sleep_until_woken(struct worker *w, struct task *awaited, bool steals) {
  unsigned as = steals ? ASLEEP_HUNGRY : ASLEEP_WAITING;
  int saved = errno;
  atomic_store_explicit(&w->awaited, awaited, memory_order_relaxed);
  if (steals)
    atomic_fetch_add(&__cilkprof_r_hungry, 1);
  atomic_store(&w->asleep, as);
  atomic_thread_fence(memory_order_seq_cst);
  if ((awaited && atomic_load_explicit(&awaited->done, memory_order_acquire)) || (steals && has_work_in_deques()) ||
      atomic_load(&__cilkprof_r_stopping))
    mark_worker_awake(w, as, AWAKE);
  while (atomic_load_explicit(&w->asleep, memory_order_acquire) == as)
    worker_futex(&w->asleep, FUTEX_WAIT, as);
  bool by_work = atomic_exchange(&w->asleep, AWAKE) == WOKEN_BY_WORK;
  atomic_store_explicit(&w->awaited, NULL, memory_order_relaxed);
  errno = saved;
  return by_work;
}

/* Wakes one of the workers that sleep until there is work, if any; or ALL, which then see that the runtime stops.  */
void __cilkprof_r_wake_hungry(bool all) {
  int slots = atomic_load_explicit(&__cilkprof_r_slots, memory_order_acquire), saved = errno;
  for (int i = 0; i < slots; i++) {
    struct worker *w = atomic_load_explicit(&__cilkprof_r_workers[i], memory_order_acquire);
    if (w && atomic_load_explicit(&w->asleep, memory_order_relaxed) == ASLEEP_HUNGRY &&
        wake_worker(w, ASLEEP_HUNGRY, WOKEN_BY_WORK) && !all)
      break;
  }
  errno = saved;
}

/* Wakes W if it sleeps until its task DONE is done.  By now the memory of DONE may belong to another task.  */
void __cilkprof_r_wake_waiting(struct worker *w, const struct task *done) {
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&w->asleep, memory_order_relaxed) == AWAKE ||
      atomic_load_explicit(&w->awaited, memory_order_relaxed) != done)
    return;
  int saved = errno;
  if (!wake_worker(w, ASLEEP_HUNGRY, AWAKE))
    wake_worker(w, ASLEEP_WAITING, AWAKE);
  errno = saved;
}

/* Pauses for a moment after LOOKS failed attempts to find work, sometimes by letting other threads run.  */
static void pause_worker_before_look(unsigned looks) {
  if (looks % 64 == 63) {
    sched_yield();
    return;
  }
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("isb"); /* YIELD does nothing on most processors */
#endif
}

/* Learns how long W should look for work, now that it slept and was IDLE for so many ticks in all: longer if it would
   have found some by that, and less after each time that it would not.  */
static void learn_worker_patience(struct worker *w, uint64_t idle) {
  uint64_t us = __cilkprof_r_settings.ticks_per_us;
  if (idle <= MAX_PATIENCE_US * us)
    w->patience = MAX_PATIENCE_US * us;
  else if (w->patience > 2 * LEAST_PATIENCE_US * us)
    w->patience /= 2;
}

/* Waits a moment before the worker W looks for work again, in a SEARCH that had no success yet.  After a while it
   sleeps, until AWAITED, if it is not NULL, is done, or until there is work, if W STEALS.  Returns true if it was woken
   by work: if W then takes none, it must wake another worker.  */
bool __cilkprof_r_wait(struct worker *w, struct search *search, struct task *awaited, bool steals) {
  enum { LOOKS_PER_TIME = 16 };
  if (!search->looks++) {
    search->since = read_ticks();
    if (!w->patience)
      w->patience = FIRST_PATIENCE_US * __cilkprof_r_settings.ticks_per_us;
  }
  if (search->looks % LOOKS_PER_TIME || read_ticks() - search->since < w->patience) {
    pause_worker_before_look(search->looks);
    return false;
  }
  bool by_work = worker_sleep_until_woken(w, awaited, steals);
  learn_worker_patience(w, read_ticks() - search->since);
  return by_work;
}
