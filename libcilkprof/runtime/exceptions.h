/* Between the runtime, which is C, and exceptions.cc, which only programs of C++ link.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_PARALLEL_EXCEPTIONS_H
#define CILKPROF_PARALLEL_EXCEPTIONS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What can be done with a kept exception.  It travels with it, so that the runtime refers to nothing of C++.  */
struct kept_functions {
  void (*rethrow)(void *exception);
  void (*forget)(void *exception);
  /* An exception that was thrown and is to be replaced by a kept one ends here; false: that may not be, it is not
     of C++ or unwinds a thread that ends.  */
  bool (*end)(void *thrown);
};

struct kept {
  const struct kept_functions *functions; /* NULL: there is none */
  void *exception;
};

/* For the child, the loop's body or the block that this thread runs; of several the first stays.  */
void __cilkprof_r_keep(struct kept exception);

#ifdef __cplusplus
}
#endif

#endif
