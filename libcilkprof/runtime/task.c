/* Memory for deferred children, and calls of children that keep their exceptions.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>
#include <string.h>

#include "libcilkprof/runtime/runtime.h"

/* Does nothing.  The start-up code of programs and libraries refers to it, so that the runtime is linked, or the
   linker's message says what to do.  */
EXPORTED void __cilkprof_r_is_missing_link_with_fcilkplus(void) {}

/* Keeps EXCEPTION of the child, loop body or block that this thread runs, for the join.  Only the first one is kept;
   others are dropped.  */
EXPORTED void __cilkprof_r_keep(struct kept exception) {
  if (__cilkprof_r_range.thrown) {
    forget_kept_exception(exception);
    return;
  }
  __cilkprof_r_range.thrown = exception.functions;
  __cilkprof_r_range.exception = exception.exception;
}

/* Calls a child of SITE that is not deferred, with a pedigree of its own, and returns the exception that it kept.  */
struct kept __cilkprof_r_call_child(void (*function)(void *), void *closure, struct __cilkprof_r_site *site) {
  struct __cilkprof_r_pedigree birth = __cilkprof_r_pedigree;
  __cilkprof_r_pedigree = (struct __cilkprof_r_pedigree){0, &birth};
  call_undivided_by_worker(site, 1, function, closure);
  birth.rank++;
  __cilkprof_r_pedigree = birth;
  return take_kept_exception();
}

/* Calls the child T in the thread of W and measures it, unless it is a part of a loop.  */
void __cilkprof_r_call_measured_child(struct worker *w, struct task *t) {
  enum { UNMEASURED = 3 };
  w->unmeasured = UNMEASURED;
  t->began = read_ticks();
  t->function(t->closure);
  if (t->site)
    __cilkprof_r_learn(t->site, 1, read_ticks() - t->began, false);
}

/* Returns SIZE rounded up to a multiple of ALIGN, which is a power of 2.  */
static size_t rounded_deferred_closure_size(size_t size, size_t align) {
  return (size + align - 1) & ~(align - 1);
}

/* Makes a task with a closure of SIZE bytes, aligned to ALIGN, and starts the helpers if they are not running.  NULL
   means that the child must be called directly: no other worker could run it, there is no memory, or this is a signal
   handler.  */
struct task *__cilkprof_r_make_task(size_t size, size_t align) {
  if (is_worker_in_handler())
    return NULL;
  struct worker *w = __cilkprof_r_self;
  if (!w || atomic_load_explicit(&__cilkprof_r_stage, memory_order_relaxed) != STARTED)
    w = __cilkprof_r_start();
  if (!w)
    return NULL;
  struct task *t = aligned_alloc(_Alignof(struct task), sizeof *t);
  if (!t)
    return NULL;
  memset(t, 0, offsetof(struct task, small));
  t->owner = w;
  t->closure = t->small;
  if (size > sizeof t->small || align > _Alignof(struct task))
    t->closure = aligned_alloc(align, rounded_deferred_closure_size(size, align));
  if (t->closure)
    return t;
  free(t);
  return NULL;
}

/* Frees T, which is done, and its closure.  */
void __cilkprof_r_free_task(struct task *t) {
  if (t->closure != t->small)
    free(t->closure);
  free(t);
}
