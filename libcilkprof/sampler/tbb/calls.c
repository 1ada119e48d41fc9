/* Functions of oneTBB that its headers call.  The calls arrive here, because this library is loaded before oneTBB; each
   calls the function that it hides.
   SPDX-License-Identifier: MIT

   The arguments are references to C++ objects, which are pointers.  A task may throw an exception through a wait.  */

#include <dlfcn.h>

#include "libcilkprof/sampler/tbb/tbb.h"

#define CONTEXT "18task_group_context"

/* Defines a function NAME that is SYMBOL of oneTBB and starts tasks: PARAMETERS are its parameters, ARGUMENTS their
   names, among them `context'.  */
#define STARTS(name, symbol, parameters, arguments)                                                                    \
  EXPORTED void name parameters __asm__(symbol);                                                                       \
  void name parameters {                                                                                               \
    void(*next) parameters;                                                                                            \
    FIND_NEXT(next, symbol)                                                                                            \
    tbb_context_begin(context, __builtin_return_address(0));                                                           \
    next arguments;                                                                                                    \
  }

/* Defines a function NAME that is SYMBOL of oneTBB and runs tasks until those of `context' have ended.  STARTING tells
   that it also starts some.  */
#define WAITS(name, symbol, starting, parameters, arguments)                                                           \
  EXPORTED void name parameters __asm__(symbol);                                                                       \
  void name parameters {                                                                                               \
    void(*next) parameters;                                                                                            \
    FIND_NEXT(next, symbol)                                                                                            \
    if (starting)                                                                                                      \
      tbb_context_begin(context, __builtin_return_address(0));                                                         \
    __attribute__((cleanup(tbb_wait_end))) struct tbb_wait wait;                                                       \
    tbb_wait_begin(&wait, context, (uintptr_t)__builtin_frame_address(0));                                             \
    next arguments;                                                                                                    \
  }

/* spawn, with and without a slot for affinity, submit and enqueue: of task groups, and of tasks that divide
   themselves.  */
STARTS(tbb_spawn, "_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_" CONTEXT "E", (void *task, void *context),
       (task, context))
STARTS(tbb_spawn_near, "_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_" CONTEXT "Et",
       (void *task, void *context, unsigned short slot), (task, context, slot))
STARTS(tbb_submit, "_ZN3tbb6detail2r16submitERNS0_2d14taskERNS2_" CONTEXT "EPNS1_5arenaEm",
       (void *task, void *context, void *arena, uintptr_t critical), (task, context, arena, critical))
STARTS(tbb_enqueue, "_ZN3tbb6detail2r17enqueueERNS0_2d14taskERNS2_" CONTEXT "EPNS2_15task_arena_baseE",
       (void *task, void *context, void *arena), (task, context, arena))

/* Waits: of algorithms, of task groups, and of pipelines.  */
WAITS(tbb_execute_and_wait,
      "_ZN3tbb6detail2r116execute_and_waitERNS0_2d14taskERNS2_" CONTEXT "ERNS2_12wait_contextES6_", true,
      (void *task, void *context, void *waited, void *wait_context), (task, context, waited, wait_context))
WAITS(tbb_wait, "_ZN3tbb6detail2r14waitERNS0_2d112wait_contextERNS2_" CONTEXT "E", false, (void *waited, void *context),
      (waited, context))
WAITS(tbb_parallel_pipeline, "_ZN3tbb6detail2r117parallel_pipelineERNS0_2d1" CONTEXT "EmRKNS2_11filter_nodeE", true,
      (void *context, uintptr_t tokens, void *filter), (context, tokens, filter))

EXPORTED void tbb_destroy(void *context) __asm__("_ZN3tbb6detail2r17destroyERNS0_2d1" CONTEXT "E");
/* The destructor of contexts: forgets CONTEXT.  */
void tbb_destroy(void *context) {
  void (*next)(void *);
  FIND_NEXT(next, "_ZN3tbb6detail2r17destroyERNS0_2d1" CONTEXT "E")
  tbb_context_end(context);
  next(context);
}
