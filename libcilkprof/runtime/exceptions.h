/* The interface between the runtime, which is C, and exceptions.cc, which only C++ programs link.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_PARALLEL_EXCEPTIONS_H
#define CILKPROF_PARALLEL_EXCEPTIONS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The operations on a kept exception.  They travel with it, so that the runtime refers to no C++ symbol.  */
struct kept_functions {
  void (*rethrow)(void *exception);
  void (*forget)(void *exception);
  /* Ends the handling of a thrown exception that a kept one replaces.  Returns false if that is not possible,
     because it is a foreign exception or the forced unwinding of a thread.  */
  bool (*end)(void *thrown);
};

struct kept {
  const struct kept_functions *functions; /* NULL if there is no exception */
  void *exception;
};

/* Keeps an exception of the child, loop body or block that this thread runs.  Only the first one is kept.  */
void __cilkprof_r_keep(struct kept exception);

#ifdef __cplusplus
}
#endif

#endif
