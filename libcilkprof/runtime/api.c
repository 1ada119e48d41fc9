/* The functions of <cilk/cilk_api.h>: queries and settings of the runtime, and OpenCilk's reducers without compiler
   support.
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk_api.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/runtime/runtime.h"

/* Calls FUNCTION(VALUE) while holding the runtime's lock, and returns what it returns.  */
static int call_with_runtime_lock(int (*function)(const char *), const char *value) {
  __cilkprof_r_lock();
  int status = function(value);
  __cilkprof_r_unlock();
  return status;
}

/* Lets the loops of all threads ask the runtime again whether they are to be divided: there may be other workers now.
   Needs the lock.  */
static void divide_parallel_loops_again(void) {
  for (int i = 0; i < atomic_load(&__cilkprof_r_slots); i++) {
    struct worker *w = atomic_load(&__cilkprof_r_workers[i]);
    if (w && atomic_load(&w->state) != NOBODY)
      __atomic_store_n(w->undivided, 0, __ATOMIC_RELAXED);
  }
}

/* Sets the number of workers to VALUE, in decimal; 0 means as many as there are processors.  Returns
   __CILKRTS_SET_PARAM_SUCCESS, or the code of an error: workers have started already, or VALUE is no such number.
   Needs the lock.  */
static int set_nworkers(const char *value) {
  int number = 0;
  if (atomic_load(&__cilkprof_r_stage) != NOT_STARTED)
    return __CILKRTS_SET_PARAM_LATE;
  if (!value || !*value || value[strspn(value, "0123456789")])
    return __CILKRTS_SET_PARAM_INVALID;
  if (!strcmp(value, "0"))
    number = __cilkprof_r_processors();
  else if (!__cilkprof_r_read_nworkers(value, &number))
    return __CILKRTS_SET_PARAM_XRANGE;
  __cilkprof_r_settings.nworkers = number;
  divide_parallel_loops_again();
  return __CILKRTS_SET_PARAM_SUCCESS;
}

/* Returns true if NAME is a parameter of Cilk Plus other than the number of workers: these are accepted and
   ignored.  */
static bool is_ignored_cilkrts_parameter(const char *name) {
  static const char *const known[] = {"force reduce",  "max user workers", "local stacks",
                                      "shared stacks", "nstacks",          "stack size"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(name, known[i]))
      return true;
  return false;
}

/* Sets the parameter NAME of the runtime to VALUE, as in Cilk Plus.  Only nworkers has an effect.  Returns
   __CILKRTS_SET_PARAM_SUCCESS or the code of an error.  */
EXPORTED int __cilkrts_set_param(const char *name, const char *value) {
  if (!strcmp(name, "nworkers"))
    return call_with_runtime_lock(set_nworkers, value);
  return is_ignored_cilkrts_parameter(name) ? __CILKRTS_SET_PARAM_SUCCESS : __CILKRTS_SET_PARAM_UNIMP;
}

/* Starts the runtime's workers now rather than with the first deferred child.  */
EXPORTED void __cilkrts_init(void) {
  __cilkprof_r_start();
}

/* Stops the runtime's workers until the next child is deferred.  Does nothing if it is called within a task.  */
EXPORTED void __cilkrts_end_cilk(void) {
  __cilkprof_r_stop();
}

/* Returns the configured number of workers; UNUSED makes it callable by call_with_runtime_lock.  Needs the lock.  */
static int configured_nworkers(const char *unused) {
  (void)unused;
  return __cilkprof_r_settings.nworkers;
}

/* Returns the number of workers where it is not known yet.  It is not inlined, so that the usual case need not save
   registers.  */
static __attribute__((noinline)) int find_configured_nworkers(void) {
  return call_with_runtime_lock(configured_nworkers, NULL);
}

/* Returns the number of workers that run the program's children, including the thread that spawns.  Libraries ask for
   it at every parallel loop, in all threads at once, so that takes no lock once the number is known.  */
EXPORTED int __cilkrts_get_nworkers(void) {
  int known = __atomic_load_n(&__cilkprof_r_settings.nworkers, __ATOMIC_RELAXED);
  return __builtin_expect(known != 0, 1) ? known : find_configured_nworkers();
}

/* Returns an upper bound on worker numbers, however many threads spawn.  */
EXPORTED int __cilkrts_get_total_workers(void) {
  return SLOTS;
}

/* Makes this thread a worker and returns its number, or the highest possible one if there are too many workers.  It is
   not inlined, so that the usual case need not save registers.  */
static __attribute__((noinline)) int enter_numbered_worker(void) {
  struct worker *w = __cilkprof_r_enter();
  return w ? w->number : SLOTS - 1;
}

/* Returns the number of this thread's worker, and makes the thread a worker if it is none.  If there are too many
   workers, returns the highest possible number.  Allocators of libraries ask for it at every allocation.  */
EXPORTED int __cilkrts_get_worker_number(void) {
  struct worker *w = __cilkprof_r_self;
  return __builtin_expect(w != NULL, 1) ? w->number : enter_numbered_worker();
}

/* Returns 1 if the runtime has started its workers, otherwise 0.  */
EXPORTED int __cilkrts_is_initialized(void) {
  return atomic_load(&__cilkprof_r_stage) != NOT_STARTED;
}

/* Returns 1 if this thread is within a child or a loop, or was started by the runtime, otherwise 0.  */
EXPORTED int __cilkrts_running_on_workers(void) {
  return __cilkprof_r_self && (__cilkprof_r_self->helper || is_within_task());
}

/* OpenCilk passes a reducer's functions with each use, so each view is preceded by its own: when two views are
   reduced, the right one always has them.  */
struct hyper {
  _Alignas(__CILKPROF_R_ALIGN) void (*reduce)(void *left, void *right);
  _Alignas(__CILKPROF_R_ALIGN) char view[];
};

/* Reduces the view RIGHT of an OpenCilk reducer into LEFT, by the function that precedes RIGHT in memory.  */
static void reduce_hyper_view(void *key, void *left, void *right) {
  (void)key;
  ((struct hyper *)right - 1)->reduce(left, right);
}

/* Frees VIEW of an OpenCilk reducer, together with the function that precedes it in memory.  */
static void destroy_hyper_view(void *key, void *view) {
  (void)key;
  free((struct hyper *)view - 1);
}

static const struct __cilkprof_r_monoid monoid = {NULL, reduce_hyper_view, destroy_hyper_view};

/* A new view of an OpenCilk reducer, and the program's function that makes it.  */
struct hyper_call {
  void (*identity)(void *view);
  void *view;
};

/* Makes the view of the call DATA.  */
static void call_hyper_identity(void *data) {
  const struct hyper_call *call = data;
  call->identity(call->view);
}

/* Returns the current strand's view of the OpenCilk reducer KEY.  If there is none yet, makes one of SIZE bytes by
   IDENTITY, to be reduced by REDUCTION at a join.  */
EXPORTED void *__cilkprof_r_hyper_view(void *key, size_t size, void (*identity)(void *),
                                       void (*reduction)(void *, void *)) {
  if (!__cilkprof_r_views)
    return key;
  void *view = __cilkprof_r_find_view(key);
  if (view)
    return view;
  size_t room = (sizeof(struct hyper) + size + __CILKPROF_R_ALIGN - 1) & -(size_t)__CILKPROF_R_ALIGN;
  struct hyper *made = aligned_alloc(__CILKPROF_R_ALIGN, room);
  if (!made)
    __cilkprof_r_no_memory();
  made->reduce = reduction;
  __cilkprof_r_call_for_views(call_hyper_identity, &(struct hyper_call){identity, made + 1});
  return __cilkprof_r_add_view(key, key, made + 1, &monoid);
}

/* Registers the OpenCilk reducer KEY, constructed in the current strand, as its own view there.  */
EXPORTED void __cilkprof_r_hyper_begin(void *key) {
  __cilkprof_r_reducer_begin(key, key, &monoid);
}
