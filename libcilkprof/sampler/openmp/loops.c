/* Loops: the functions by which threads ask OpenMP's runtime for chunks, and make tasks.
   SPDX-License-Identifier: MIT

   Few runtimes tell a tool of chunks, or where a loop is of which they make tasks.  This library is loaded before them,
   so the program's calls arrive here: those of gcc's code, GOMP_..., and those of clang's, __kmpc_....  */

#include <dlfcn.h>

#include "libcilkprof/sampler/openmp/openmp.h"

/* Notes that this thread has asked for a chunk.  */
static void chunk_begins(void) {
  struct task *task = openmp_watched && openmp_self ? paths_running() : NULL;
  if (task && !task->waits)
    paths_chunk_begins(task);
  openmp_event_ends();
}

/* Returns the next definition of the function NAME, the runtime's, which is kept at FOUND.  */
static void *next_definition(const char *name, void *_Atomic *found) {
  void *next = atomic_load_explicit(found, memory_order_relaxed);
  if (!next) {
    next = dlsym(RTLD_NEXT, name);
    atomic_store_explicit(found, next, memory_order_relaxed);
  }
  return next;
}

/* Defines the function NAME with these PARAMETERS, which are passed on as ARGUMENTS.  The chunk before it has ended
   when it is called, and the next one begins when it returns.  */
#define CHUNK(type, name, parameters, arguments)                                                                       \
  __attribute__((visibility("default"))) type name parameters;                                                         \
  type name parameters {                                                                                               \
    static void *_Atomic found;                                                                                        \
    type(*next) parameters = (type(*) parameters)next_definition(#name, &found);                                       \
    chunk_begins();                                                                                                    \
    type more = next arguments;                                                                                        \
    openmp_event_ends();                                                                                               \
    return more;                                                                                                       \
  }
/* Defines likewise a function that begins a loop, and returns its first chunk.  */
#define START(type, name, parameters, arguments)                                                                       \
  __attribute__((visibility("default"))) type name parameters;                                                         \
  type name parameters {                                                                                               \
    static void *_Atomic found;                                                                                        \
    type(*next) parameters = (type(*) parameters)next_definition(#name, &found);                                       \
    openmp_loop_caller = __builtin_return_address(0);                                                                  \
    type more = next arguments;                                                                                        \
    openmp_loop_caller = NULL;                                                                                         \
    if (more)                                                                                                          \
      chunk_begins();                                                                                                  \
    return more;                                                                                                       \
  }
typedef unsigned long long ull;
#define GOMP_START(name)                                                                                               \
  START(bool, GOMP_loop_##name##_start, (long from, long to, long step, long size, long *begin, long *end),            \
        (from, to, step, size, begin, end))                                                                            \
  START(bool, GOMP_loop_ull_##name##_start, (bool up, ull from, ull to, ull step, ull size, ull *begin, ull *end),     \
        (up, from, to, step, size, begin, end))
#define GOMP_START_OF_RUNTIME(name)                                                                                    \
  START(bool, GOMP_loop_##name##_start, (long from, long to, long step, long *begin, long *end),                       \
        (from, to, step, begin, end))                                                                                  \
  START(bool, GOMP_loop_ull_##name##_start, (bool up, ull from, ull to, ull step, ull *begin, ull *end),               \
        (up, from, to, step, begin, end))
#define GOMP_CHUNK(name)                                                                                               \
  CHUNK(bool, GOMP_loop_##name##_next, (long *begin, long *end), (begin, end))                                         \
  CHUNK(bool, GOMP_loop_ull_##name##_next, (ull * begin, ull * end), (begin, end))
#define KMPC_CHUNK(suffix, type)                                                                                       \
  CHUNK(int, __kmpc_dispatch_next_##suffix,                                                                            \
        (void *place, int thread, int *last, type *lower, type *upper, type *stride),                                  \
        (place, thread, last, lower, upper, stride))

GOMP_CHUNK(dynamic)
GOMP_CHUNK(guided)
GOMP_CHUNK(runtime)
GOMP_CHUNK(nonmonotonic_dynamic)
GOMP_CHUNK(nonmonotonic_guided)
GOMP_CHUNK(nonmonotonic_runtime)
GOMP_CHUNK(maybe_nonmonotonic_runtime)
/* Defines likewise a function that makes tasks of a loop.  */
#define TASKS(name, parameters, arguments)                                                                             \
  __attribute__((visibility("default"))) void name parameters;                                                         \
  void name parameters {                                                                                               \
    static void *_Atomic found;                                                                                        \
    void(*next) parameters = (void(*) parameters)next_definition(#name, &found);                                       \
    const void *outer = openmp_loop_caller; /* the runtime may call one of them from another */                        \
    openmp_loop_caller = outer ? outer : __builtin_return_address(0);                                                  \
    next arguments;                                                                                                    \
    openmp_loop_caller = outer;                                                                                        \
  }
/* gcc tells debuggers that calls which make a task are where the construct around them is.  The body of the task is
   where it should be.  */
__attribute__((visibility("default"))) void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *),
                                                      long size, long align, bool now, unsigned flags, void **depend,
                                                      int priority, void *detach);
void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long align, bool now,
               unsigned flags, void **depend, int priority, void *detach) {
  static void *_Atomic found;
  __typeof__(&GOMP_task) next = (__typeof__(&GOMP_task))next_definition("GOMP_task", &found);
  openmp_task_body = (const char *)(uintptr_t)body + 1;
  next(body, data, copy, size, align, now, flags, depend, priority, detach);
}
TASKS(GOMP_taskloop,
      (void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long align, unsigned flags,
       unsigned long tasks, int priority, long from, long to, long step),
      (body, data, copy, size, align, flags, tasks, priority, from, to, step))
TASKS(GOMP_taskloop_ull,
      (void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long align, unsigned flags,
       unsigned long tasks, int priority, ull from, ull to, ull step),
      (body, data, copy, size, align, flags, tasks, priority, from, to, step))
TASKS(__kmpc_taskloop,
      (void *place, int thread, void *task, int wanted, uint64_t *lower, uint64_t *upper, int64_t step, int nogroup,
       int schedule, uint64_t size, void *copy),
      (place, thread, task, wanted, lower, upper, step, nogroup, schedule, size, copy))
GOMP_START(dynamic)
GOMP_START(guided)
GOMP_START_OF_RUNTIME(runtime)
GOMP_START(nonmonotonic_dynamic)
GOMP_START(nonmonotonic_guided)
GOMP_START_OF_RUNTIME(nonmonotonic_runtime)
GOMP_START_OF_RUNTIME(maybe_nonmonotonic_runtime)
KMPC_CHUNK(4, int32_t)
KMPC_CHUNK(4u, uint32_t)
KMPC_CHUNK(8, int64_t)
KMPC_CHUNK(8u, uint64_t)
