/* The functions of <cilk/cilk_api.h>: queries and settings of the runtime, and OpenCilk's reducers without compiler
   support.
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk_api.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/runtime/runtime.h"

static int with_lock(int (*function)(const char *), const char *value) {
  __cilkprof_r_lock();
  int status = function(value);
  __cilkprof_r_unlock();
  return status;
}

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
  return __CILKRTS_SET_PARAM_SUCCESS;
}

/* The other parameters of Cilk Plus are accepted and ignored.  */
static bool is_known(const char *name) {
  static const char *const known[] = {"force reduce",  "max user workers", "local stacks",
                                      "shared stacks", "nstacks",          "stack size"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(name, known[i]))
      return true;
  return false;
}

EXPORTED int __cilkrts_set_param(const char *name, const char *value) {
  if (!strcmp(name, "nworkers"))
    return with_lock(set_nworkers, value);
  return is_known(name) ? __CILKRTS_SET_PARAM_SUCCESS : __CILKRTS_SET_PARAM_UNIMP;
}

EXPORTED void __cilkrts_init(void) {
  __cilkprof_r_start();
}

EXPORTED void __cilkrts_end_cilk(void) {
  __cilkprof_r_stop();
}

static int nworkers(const char *unused) {
  (void)unused;
  return __cilkprof_r_settings.nworkers;
}

EXPORTED int __cilkrts_get_nworkers(void) {
  return with_lock(nworkers, NULL);
}

/* An upper bound on worker numbers, however many threads spawn.  */
EXPORTED int __cilkrts_get_total_workers(void) {
  return SLOTS;
}

EXPORTED int __cilkrts_get_worker_number(void) {
  struct worker *w = __cilkprof_r_enter();
  return w ? w->number : SLOTS - 1;
}

EXPORTED int __cilkrts_is_initialized(void) {
  return atomic_load(&__cilkprof_r_stage) != NOT_STARTED;
}

EXPORTED int __cilkrts_running_on_workers(void) {
  return __cilkprof_r_self && (__cilkprof_r_self->helper || __cilkprof_r_self->depth);
}

/* OpenCilk passes a reducer's functions with each use, so each view is preceded by its own: when two views are
   reduced, the right one always has them.  */
struct hyper {
  _Alignas(__CILKPROF_R_ALIGN) void (*reduce)(void *left, void *right);
  _Alignas(__CILKPROF_R_ALIGN) char view[];
};

static void reduce(void *key, void *left, void *right) {
  (void)key;
  ((struct hyper *)right - 1)->reduce(left, right);
}

static void destroy(void *key, void *view) {
  (void)key;
  free((struct hyper *)view - 1);
}

static const struct __cilkprof_r_monoid monoid = {NULL, reduce, destroy};

EXPORTED void *__cilkprof_r_hyper_view(void *key, size_t size, void (*identity)(void *),
                                       void (*reduction)(void *, void *)) {
  void *view = __cilkprof_r_find_view(key);
  if (view)
    return view;
  size_t room = (sizeof(struct hyper) + size + __CILKPROF_R_ALIGN - 1) & -(size_t)__CILKPROF_R_ALIGN;
  struct hyper *made = aligned_alloc(__CILKPROF_R_ALIGN, room);
  if (!made)
    __cilkprof_r_no_memory();
  made->reduce = reduction;
  identity(made + 1);
  return __cilkprof_r_add_view(key, key, made + 1, &monoid);
}

EXPORTED void __cilkprof_r_hyper_begin(void *key) {
  __cilkprof_r_reducer_begin(key, key, &monoid);
}
