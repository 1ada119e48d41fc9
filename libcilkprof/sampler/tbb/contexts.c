/* Where the program starts the tasks of a context, by the context's address.
   SPDX-License-Identifier: MIT

   A context is in this table from the first task that is started in it until it is destroyed.  The handlers of other
   threads read it at any time; nobody waits.  If there is no room, the tasks have an unknown origin.  */

#include <dlfcn.h>

#include "libcilkprof/sampler/tbb/tbb.h"

enum { SETS = 1024, WAYS = 8 };

static struct context_entry {
  const void *_Atomic context; /* NULL: free */
  struct task_origin *_Atomic origin;
  struct task_origin *previous; /* that of tasks before the last wait, which a handler may still read */
  _Atomic uint64_t number;
  atomic_bool is_waited; /* all tasks have ended, so the next may be started elsewhere */
} contexts[SETS][WAYS];

static const char reserved; /* its address is in entries that are being filled */
static _Atomic uint64_t last_number;

/* Returns the entries in one of which CONTEXT is.  */
static struct context_entry *set_of_context(const void *context) {
  uintptr_t bits = (uintptr_t)context >> 4;
  return contexts[(bits ^ bits >> 10 ^ bits >> 20) % SETS];
}

/* Returns the entry of CONTEXT; NULL if there is none.  */
static struct context_entry *find_context(const void *context) {
  struct context_entry *set = set_of_context(context);
  for (int i = 0; i < WAYS; i++)
    if (atomic_load_explicit(&set[i].context, memory_order_acquire) == context)
      return &set[i];
  return NULL;
}

/* Makes ORIGIN that of the tasks in ENTRY, with a new number.  The origin before the last one is released: it is too
   old for a handler to read it.  */
static void set_context_origin(struct context_entry *entry, struct task_origin *origin) {
  __cilkprof_s_origin_release(entry->previous);
  atomic_store_explicit(&entry->number, 0, memory_order_release);
  entry->previous = atomic_exchange_explicit(&entry->origin, origin, memory_order_acq_rel);
  atomic_store_explicit(&entry->number, origin ? atomic_fetch_add(&last_number, 1) + 1 : 0, memory_order_release);
}

/* Notes that a call that returns to SITE starts tasks of CONTEXT, unless tasks of it are under way already: those that
   tasks start belong to the call that started these.  */
void tbb_context_begin(const void *context, const void *site) {
  if (!SELF || !atomic_load_explicit(&__cilkprof_s_on, memory_order_relaxed))
    return;
  struct context_entry *entry = find_context(context), *set = set_of_context(context);
  if (entry) {
    if (atomic_load_explicit(&entry->is_waited, memory_order_relaxed) && atomic_exchange(&entry->is_waited, false))
      set_context_origin(entry, __cilkprof_s_origin_new(site, true, (uintptr_t)__builtin_frame_address(0)));
    return;
  }
  for (int i = 0; i < WAYS; i++) {
    const void *none = NULL;
    if (!atomic_compare_exchange_strong(&set[i].context, &none, (const void *)&reserved))
      continue;
    atomic_store_explicit(&set[i].is_waited, false, memory_order_relaxed);
    set_context_origin(&set[i], __cilkprof_s_origin_new(site, true, (uintptr_t)__builtin_frame_address(0)));
    atomic_store_explicit(&set[i].context, context, memory_order_release);
    return;
  }
}

/* Notes that all tasks of CONTEXT have ended: the next ones that are started in it may come from another place.  */
void tbb_context_waited(const void *context) {
  struct context_entry *entry = find_context(context);
  if (entry)
    atomic_store_explicit(&entry->is_waited, true, memory_order_relaxed);
}

/* Forgets CONTEXT, which is destroyed: no task of it exists.  */
void tbb_context_end(const void *context) {
  struct context_entry *entry;
  while ((entry = find_context(context)) != NULL) {
    set_context_origin(entry, NULL);
    __cilkprof_s_origin_release(entry->previous);
    entry->previous = NULL;
    atomic_store_explicit(&entry->context, NULL, memory_order_release);
  }
}

/* Returns where the tasks of CONTEXT were started, with the number 0 if that is unknown.  Called in the signal handler
   of a thread that runs one of them.  */
struct tbb_origin tbb_context_origin(const void *context) {
  struct tbb_origin found = {NULL, 0};
  struct context_entry *entry = context ? find_context(context) : NULL;
  if (!entry)
    return found;
  uint64_t number = atomic_load_explicit(&entry->number, memory_order_acquire);
  found.origin = atomic_load_explicit(&entry->origin, memory_order_acquire);
  if (number && found.origin && atomic_load_explicit(&entry->number, memory_order_acquire) == number)
    found.number = number;
  else
    found.origin = NULL;
  return found;
}

/* Returns the context of the task that this thread runs; NULL if it runs none.  Only called in a thread in which oneTBB
   has run a task or started one.  */
const void *tbb_current_context(void) {
  const void *(*next)(void);
  FIND_NEXT(next, "_ZN3tbb6detail2r115current_contextEv")
  return next ? next() : NULL;
}
