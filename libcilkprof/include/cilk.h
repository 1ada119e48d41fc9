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

inline int current_worker_count() {
  return __cilkrts_get_nworkers();
}

/* Cilk++ told functions that spawn from others, which called the former by these.  */
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
  void set_worker_count(unsigned) {}
  unsigned get_worker_count() const {
    return (unsigned)__cilkrts_get_nworkers();
  }
  int run(int (*function)(void *), void *argument) {
    return function(argument);
  }
};

inline context *create_context() {
  return new context;
}

inline void destroy_context(context *made) {
  delete made;
}

} // namespace cilk
#endif

#endif
