/* Cilk programs without the keywords, as Cilk Plus's authors wrote them for compilers that had none.  Here they are the
   keywords.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_INTERNAL_FAKE_H
#define CILK_INTERNAL_FAKE_H

#pragma GCC system_header
#include <cilk/cilk.h>
#include <internal/abi.h>

/* A function that spawns: the first thing in it, and in C the last.  */
#define CILK_FAKE_PROLOG()                                                                                             \
  __cilkrts_stack_frame __cilk_sf;                                                                                     \
  __cilk_sf.flags = CILK_FRAME_VERSION
#define CILK_FAKE_PROLOG_FAST(worker) CILK_FAKE_PROLOG()
#define CILK_FAKE_SYNC()              _Cilk_sync
#define CILK_FAKE_EPILOG()            _Cilk_sync

/* The call, and statements that are executed before it.  */
#define CILK_FAKE_SPAWN(call, ...)                                                                                     \
  do {                                                                                                                 \
    (void)&__cilk_sf;                                                                                                  \
    __VA_ARGS__;                                                                                                       \
    _Cilk_spawn call;                                                                                                  \
  } while (0)
#define CILK_FAKE_SPAWN_R(result, call, ...)                                                                           \
  do {                                                                                                                 \
    (void)&__cilk_sf;                                                                                                  \
    __VA_ARGS__;                                                                                                       \
    (result) = _Cilk_spawn call;                                                                                       \
  } while (0)

/* In C a function of the program's own makes the call.  */
#define CILK_FAKE_CALL_SPAWN_HELPER(helper) _Cilk_spawn helper
#define CILK_FAKE_SPAWN_HELPER_PROLOG(parent)                                                                          \
  __cilkrts_stack_frame __cilk_sf;                                                                                     \
  __cilk_sf.call_parent = &(parent)
#define CILK_FAKE_SPAWN_HELPER_EPILOG() ((void)&__cilk_sf)
#define CILK_FAKE_SPAWN_HELPER_BODY(parent, call, ...)                                                                 \
  CILK_FAKE_SPAWN_HELPER_PROLOG(parent);                                                                               \
  __VA_ARGS__;                                                                                                         \
  call;                                                                                                                \
  CILK_FAKE_SPAWN_HELPER_EPILOG()

/* Does nothing: it made FRAME's continuation available to thieves.  */
__CILKRTS_INLINE void __cilk_fake_detach(__cilkrts_stack_frame *frame) {
  (void)frame;
}

#endif
