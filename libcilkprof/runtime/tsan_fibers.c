/* Children under ThreadSanitizer: each runs on a fiber, so that it looks like a thread of its own.
   SPDX-License-Identifier: MIT

   A race between a child and the continuation of its spawn must be found even if one thread runs both.  So each child
   is made to look like a thread: it runs on a fiber of ThreadSanitizer, which is ordered with others only by its spawn
   and its join.  Each fiber has a stack of its own, or else two children would seem to share the variables that they
   had at the same address, one after the other.  Creating a fiber takes a millisecond, so fibers are reused: races
   between two children that run on the same fiber are not found.  */

#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "libcilkprof/runtime/runtime.h"

enum {
  NO_ORDER = 1,    /* flag for a switch between fibers that implies no order (no_sync in ThreadSanitizer) */
  FIBERS = 32,     /* per worker; they remain with it when its thread ends */
  EARLY = 16,      /* how many to create early: what happens before a fiber is created is ordered before it */
  MAX_FIBERS = 192 /* in the process; ThreadSanitizer ends programs with too many threads, 500 on some machines */
};
#define STACK_SIZE ((size_t)16 << 20)

static _Atomic int made;

struct fiber {
  void *fiber; /* NULL if not created yet */
  void *stack;
  struct task *task; /* NULL if the fiber is free */
  ucontext_t here, there;
};

struct fibers {
  struct fiber all[FIBERS];
};

/* Tells ThreadSanitizer that accesses to this thread's thread-local variables of MODULE are no races, because the
   fibers of a thread share them.  Called by dl_iterate_phdr, and returns 0 to go on.  */
static int tsan_allow_thread_locals(struct dl_phdr_info *module, size_t size, void *unused) {
  (void)size;
  for (int i = 0; module->dlpi_tls_data && i < module->dlpi_phnum; i++)
    if (module->dlpi_phdr[i].p_type == PT_TLS)
      AnnotateBenignRaceSized(__FILE__, __LINE__, module->dlpi_tls_data, module->dlpi_phdr[i].p_memsz, "thread-local");
  (void)unused;
  return 0;
}

/* Creates the fiber F of ThreadSanitizer and maps its stack.  Returns false if there are too many in the process, or if
   there is no memory.  */
static bool create_tsan_fiber(struct fiber *f) {
  if (atomic_load(&made) >= MAX_FIBERS)
    return false;
  f->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (f->stack == MAP_FAILED)
    return false;
  f->fiber = __tsan_create_fiber(0);
  atomic_fetch_add(&made, 1);
  return true;
}

/* Prepares this worker's thread for ThreadSanitizer, if the program is linked with it: tells it that accesses to the
   thread's thread-local variables are not races, because fibers of one thread share them, and creates some fibers
   early.  */
void __cilkprof_r_tsan_thread(void) {
  struct worker *w = __cilkprof_r_self;
  if (tsan_watches() && AnnotateBenignRaceSized)
    dl_iterate_phdr(tsan_allow_thread_locals, NULL);
  if (!__tsan_create_fiber || w->fibers || !(w->fibers = calloc(1, sizeof *w->fibers)))
    return;
  for (int i = 0; i < EARLY && create_tsan_fiber(&w->fibers->all[i]); i++)
    ;
}

/* Returns a random free fiber of the worker W, or a new one if none is free; NULL if there are too many.  */
static __attribute__((noinline)) struct fiber *pick_tsan_fiber(struct worker *w) {
  unsigned at = (unsigned)(next_worker_random(w) >> 40);
  struct fiber *fresh = NULL;
  for (int i = 0; w->fibers && i < FIBERS; i++) {
    struct fiber *f = &w->fibers->all[(at + (unsigned)i) % FIBERS];
    if (!f->fiber)
      fresh = f;
    else if (!f->task)
      return f;
  }
  return fresh && create_tsan_fiber(fresh) ? fresh : NULL;
}

static THREAD struct fiber *entered;

/* Calls the child T in the current fiber, after its spawn and before its join as ThreadSanitizer sees it.  */
static void call_child_under_tsan(struct task *t) {
  __tsan_acquire(t);
  t->function(t->closure);
  __tsan_release(&t->done);
}

/* Runs the task of the fiber that was just entered.  It is the first function on the stack of that fiber.  */
static void begin_tsan_fiber(void) {
  call_child_under_tsan(entered->task);
}

/* Runs the child T on a fiber of ThreadSanitizer, so that it seems to be a thread of its own; without a free fiber, on
   the current one.  */
void __cilkprof_r_tsan_call(struct task *t) {
  struct fiber *f = pick_tsan_fiber(__cilkprof_r_self);
  if (!f || getcontext(&f->there)) {
    call_child_under_tsan(t);
    return;
  }
  void *before = __tsan_get_current_fiber();
  f->task = t;
  f->there.uc_stack.ss_sp = f->stack;
  f->there.uc_stack.ss_size = STACK_SIZE;
  f->there.uc_link = &f->here;
  makecontext(&f->there, begin_tsan_fiber, 0);
  entered = f;
  __tsan_switch_to_fiber(f->fiber, NO_ORDER);
  swapcontext(&f->here, &f->there);
  __tsan_switch_to_fiber(before, NO_ORDER);
  f->task = NULL;
}
