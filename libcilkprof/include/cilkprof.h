/* What a program can ask of the profiler: see cilkprof.h(3).  Without -fcilkprof every call does nothing, but for those
   of forks by hand: they are for programs as they are.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_H
#define CILKPROF_H

#pragma GCC system_header
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define __CILKPROF_API static __inline__ __attribute__((always_inline, unused))

/* For tools: an invocation that is open.  */
struct cilkprof_invocation {
  struct cilkprof_invocation *parent; /* NULL: it has none */
  int spawned;                        /* it was spawned, not called */
  void *extra;                        /* the tool's own; NULL when the function is entered */
  const char *function;               /* its symbol */
  const char *caller, *file;          /* of the call: the symbol, the source file; empty where they are not known */
  unsigned line;
};

/* Any of them may be NULL.  */
struct cilkprof_callbacks {
  void (*after_enter)(struct cilkprof_invocation *invocation);
  void (*before_sync)(struct cilkprof_invocation *invocation); /* that joins children */
  void (*before_leave)(struct cilkprof_invocation *invocation);
};

#ifdef __cilkprof__
int __cilkprof_api_callbacks(const struct cilkprof_callbacks *callbacks) __attribute__((nothrow));
int __cilkprof_api_write(void) __attribute__((nothrow));
void __cilkprof_api_start(const char *label) __attribute__((nothrow));
void __cilkprof_api_stop(const char *label) __attribute__((nothrow));
void __cilkprof_api_strand(const char *name) __attribute__((nothrow));
int __cilkprof_api_point(uint64_t values[3]) __attribute__((nothrow)); /* work, span, burdened span up to here */
#else
#define __cilkprof_api_write()       0
#define __cilkprof_api_start(label)  ((void)(label))
#define __cilkprof_api_stop(label)   ((void)(label))
#define __cilkprof_api_strand(name)  ((void)(name))
#define __cilkprof_api_point(values) ((void)(values))
#endif

/* Begins a region with this LABEL: its work and span up to cilkprof_stop(LABEL), which must be on the same serial path,
   get a row of their own in the report.  */
__CILKPROF_API void cilkprof_start(const char *label) {
  __cilkprof_api_start(label);
}

/* Ends the region that cilkprof_start began with the same LABEL.  */
__CILKPROF_API void cilkprof_stop(const char *label) {
  __cilkprof_api_stop(label);
}

/* Counts what the calling function itself does, from here to its next call of this function or its end, also under
   NAME.  NULL ends that.  */
__CILKPROF_API void cilkprof_strand(const char *name) {
  __cilkprof_api_strand(name);
}

/* Makes the functions that were compiled with -fcilkprof-callbacks call CALLBACKS from now on, or nothing if it is
   NULL.  Returns 0, or -1 if they will not be called, as in a file compiled without that option.  */
__CILKPROF_API int cilkprof_register_callbacks(const struct cilkprof_callbacks *callbacks) {
#ifdef __cilkprof_callbacks__
  return __cilkprof_api_callbacks(callbacks);
#else
  (void)callbacks;
  return -1;
#endif
}

/* Writes the profile now, as if the program ended here, and lets it go on.  Returns 0, or -1 if the file cannot be
   written.  */
__CILKPROF_API int cilkprof_write(void) {
  return __cilkprof_api_write();
}

/* Forks by hand, for threads and tasks of the program's own: see cilkprof.h(3).  A program that `cilkprof ./prog' runs
   has a library loaded with it that exports these functions by their names, for other languages.  Here they are looked
   up once, so a program needs no library, and without the profiler each costs a load and a branch.  */
struct __cilkprof_forks {
  uint64_t (*spawn)(const char *name);
  void (*begin)(uint64_t task), (*end)(uint64_t task), (*wait)(void), (*sync)(void);
};

#ifndef __CILKPROF_FORKS_EXPORTED
__extension__ static __typeof__(void *(void *, const char *)) __cilkprof_dlsym __attribute__((weakref("dlsym")));

/* Returns the profiler's functions; NULL if the program is not being profiled.  By the section of what it has found,
   the profiler knows that the program forks by hand.  */
__CILKPROF_API const struct __cilkprof_forks *__cilkprof_forks_if_profiled(void) {
  static const struct __cilkprof_forks *found __attribute__((section("cilkprof_forks"))) =
      (const struct __cilkprof_forks *)1;
  const struct __cilkprof_forks *forks = __atomic_load_n(&found, __ATOMIC_RELAXED);
  if (__builtin_expect(forks == (const struct __cilkprof_forks *)1, 0)) {
    forks = __cilkprof_dlsym ? (const struct __cilkprof_forks *)__cilkprof_dlsym(0, "__cilkprof_forks") : 0;
    __atomic_store_n(&found, forks, __ATOMIC_RELAXED);
  }
  return forks;
}

/* Makes a task, which may run from here on in any thread.  Returns its number; 0 if the program is not being profiled.
   The report has a row for each NAME, which is copied, or if that is NULL for each place that calls this.  */
__CILKPROF_API uint64_t cilkprof_spawn(const char *name) {
  const struct __cilkprof_forks *forks = __cilkprof_forks_if_profiled();
  return forks ? forks->spawn(name) : 0;
}

/* Begins TASK, which cilkprof_spawn returned, in this thread.  */
__CILKPROF_API void cilkprof_task_begin(uint64_t task) {
  const struct __cilkprof_forks *forks = __cilkprof_forks_if_profiled();
  if (forks && task)
    forks->begin(task);
}

/* Ends TASK, the last one that this thread has begun and not ended: before anybody who waits for it can go on.  */
__CILKPROF_API void cilkprof_task_end(uint64_t task) {
  const struct __cilkprof_forks *forks = __cilkprof_forks_if_profiled();
  if (forks && task)
    forks->end(task);
}

/* The task that this thread runs, or the program's own part in its first thread, begins to wait for all tasks that it
   has spawned: what the thread does until cilkprof_sync, except for tasks that it runs, is not the program's work.  */
__CILKPROF_API void cilkprof_wait(void) {
  const struct __cilkprof_forks *forks = __cilkprof_forks_if_profiled();
  if (forks)
    forks->wait();
}

/* It has waited for them, and goes on.  */
__CILKPROF_API void cilkprof_sync(void) {
  const struct __cilkprof_forks *forks = __cilkprof_forks_if_profiled();
  if (forks)
    forks->sync();
}
#endif

#ifdef __cplusplus
}

/* A region that is as long as a variable lives.  */
namespace cilkprof {

class region {
public:
  /* Begins the region NAME.  */
  __attribute__((always_inline)) explicit region(const char *name) : label(name) {
    cilkprof_start(label);
  }

  /* Ends the region, also if an exception leaves the block.  */
  __attribute__((always_inline)) ~region() {
    cilkprof_stop(label);
  }

private:
  region(const region &);
  region &operator=(const region &);
  const char *label;
};

} // namespace cilkprof
#endif
#endif
