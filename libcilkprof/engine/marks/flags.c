/* Variables of the program by which threads of an OpenMP team wait for each other.
   SPDX-License-Identifier: MIT

   The compiler calls these functions, before every call of which the innermost frame knows what it has done.  */

#include <errno.h>

#include "libcilkprof/engine/engine.h"
#include "libcilkprof/engine/teams/teams.h"

extern EXPORT void __cilkprof_api_omp_poll(const void *address);
extern EXPORT void __cilkprof_api_omp_post(const void *address);

/* Tells that the thread is about to read the variable at ADDRESS, or has executed a flush if that is NULL.  */
void __cilkprof_api_omp_poll(const void *address) {
  int error = errno;
  __cilkprof_fiber_polls(address);
  errno = error;
}

/* Tells that the thread has written to the variable at ADDRESS.  */
void __cilkprof_api_omp_post(const void *address) {
  int error = errno;
  __cilkprof_fiber_posts(address);
  errno = error;
}
