/* A spawned child that is deferred: its memory, and how it comes to wait in the deque.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>

#include "libcilkprof/runtime/runtime.h"

/* Called when the program or a library starts.  */
EXPORTED void __cilkprof_r_is_missing_link_with_fcilkplus(void) {}

EXPORTED void __cilkprof_r_keep(struct kept exception) {
  if (__cilkprof_r_thrown.functions)
    forget_if(exception);
  else
    __cilkprof_r_thrown = exception;
}

/* Calls a child, a body or a block at once.  What it keeps is returned.  */
struct kept __cilkprof_r_call(void (*function)(void *), void *closure) {
  struct kept thrown = {NULL, NULL};
  swap_kept(&thrown, &__cilkprof_r_thrown);
  function(closure);
  swap_kept(&thrown, &__cilkprof_r_thrown);
  return thrown;
}

/* The same of a child that is spawned and not deferred.  */
struct kept __cilkprof_r_call_child(void (*function)(void *), void *closure) {
  struct __cilkprof_r_pedigree birth = __cilkprof_r_pedigree;
  __cilkprof_r_pedigree = (struct __cilkprof_r_pedigree){0, &birth};
  struct kept thrown = __cilkprof_r_call(function, closure);
  birth.rank++;
  __cilkprof_r_pedigree = birth;
  return thrown;
}

static size_t rounded(size_t size, size_t align) {
  return (size + align - 1) & ~(align - 1);
}

/* With room for a closure; NULL: the child is to be called directly, because nobody else could run it or because
   there is no memory.  */
struct task *__cilkprof_r_new_task(size_t size, size_t align) {
  struct worker *w = __cilkprof_r_self;
  if (!w || atomic_load_explicit(&__cilkprof_r_stage, memory_order_relaxed) != STARTED)
    w = __cilkprof_r_start();
  if (!w)
    return NULL;
  struct task *t = w->free;
  if (t)
    w->free = t->next;
  else if (!(t = aligned_alloc(_Alignof(struct task), sizeof *t)))
    return NULL;
  t->closure = t->small;
  t->sampled.site = NULL;
  t->sampled.origin = NULL;
  if (size > sizeof t->small || align > _Alignof(struct task))
    t->closure = aligned_alloc(align, rounded(size, align));
  t->owner = w;
  if (t->closure)
    return t;
  t->next = w->free;
  w->free = t;
  return NULL;
}

/* ThreadSanitizer gets each task fresh from malloc, because it takes what is done at one address for ordered.  */
void __cilkprof_r_release_task(struct worker *w, struct task *t) {
  if (t->closure != t->small)
    free(t->closure);
  if (tsan_watches()) {
    free(t);
    return;
  }
  t->next = w->free;
  w->free = t;
}
