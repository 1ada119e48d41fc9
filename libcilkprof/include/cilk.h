/* Programs for Cilk++, the C++ of Cilk Arts: its keywords, its main, and what it asks the runtime.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_ARTS_CILK_H
#define CILK_ARTS_CILK_H

#pragma GCC system_header
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

#define cilk_main main

#ifdef __cplusplus
namespace cilk {

/* Returns how many workers the runtime has; 1 in a serial run.  */
inline int current_worker_count() {
  return __cilkrts_get_nworkers();
}

/* Calls FUNCTION with the arguments and returns its result.  In Cilk++ only this could call a function that spawns from
   one that does not; here any function can spawn, so these are plain calls.  This covers the four overloads.  */
inline void run(void (*function)()) {
  function();
}
template <typename R, typename P1, typename A1> R run(R (*function)(P1), const A1 &a1) {
  return function(a1);
}
template <typename R, typename P1, typename P2, typename A1, typename A2>
R run(R (*function)(P1, P2), const A1 &a1, const A2 &a2) {
  return function(a1, a2);
}
template <typename R, typename P1, typename P2, typename P3, typename A1, typename A2, typename A3>
R run(R (*function)(P1, P2, P3), const A1 &a1, const A2 &a2, const A3 &a3) {
  return function(a1, a2, a3);
}

class context {
public:
  /* Does nothing: the number of workers is a setting of the runtime (__cilkrts_set_param, CILK_NWORKERS).  */
  void set_worker_count(unsigned) {}

  /* Returns how many workers the runtime has; 1 in a serial run.  */
  unsigned get_worker_count() const {
    return (unsigned)__cilkrts_get_nworkers();
  }

  /* Returns FUNCTION(ARGUMENT), as cilk::run does without a context.  */
  int run(int (*function)(void *), void *argument) {
    return function(argument);
  }
};

/* Returns a new context, which destroy_context deletes.  All contexts share the one runtime.  */
inline context *create_context() {
  return new context;
}

/* Deletes a context that create_context returned.  */
inline void destroy_context(context *made) {
  delete made;
}

} // namespace cilk
#endif

#endif
