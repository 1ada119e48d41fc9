/* Between Cilk Plus's compiler and its runtime, as far as programs use it, for a serial run: there is one worker, which
   never steals.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_INTERNAL_ABI_H
#define CILK_INTERNAL_ABI_H

#pragma GCC system_header
#include <cilk/cilk_api.h>

typedef uint32_t cilk32_t;
typedef uint64_t cilk64_t;
typedef void (*__cilk_abi_f32_t)(void *data, cilk32_t low, cilk32_t high);
typedef void (*__cilk_abi_f64_t)(void *data, cilk64_t low, cilk64_t high);
typedef void *__cilkrts_void_ptr;
typedef void *__CILK_JUMP_BUFFER[5];

#define CILK_SETJMP(buffer)  __builtin_setjmp(buffer)
#define CILK_LONGJMP(buffer) __builtin_longjmp(buffer, 1)

#define CILK_FRAME_STOLEN    0x01
#define CILK_FRAME_UNSYNCHED 0x02
#define CILK_FRAME_DETACHED  0x04
#define CILK_FRAME_EXCEPTING 0x10
#define CILK_FRAME_LAST      0x80
#define CILK_FRAME_EXITING   0x0100
#define CILK_FRAME_SUSPENDED 0x8000
#define CILK_FRAME_VERSION   (__CILKRTS_ABI_VERSION << 24)

typedef struct __cilkrts_stack_frame __cilkrts_stack_frame;

typedef struct __cilkrts_worker {
  int32_t self;
  __cilkrts_stack_frame *current_stack_frame;
  __cilkrts_pedigree pedigree;
} __cilkrts_worker, *__cilkrts_worker_ptr;

struct __cilkrts_stack_frame {
  uint32_t flags;
  int32_t size;
  __cilkrts_stack_frame *call_parent;
  __cilkrts_worker *worker;
  void *except_data;
  __CILK_JUMP_BUFFER ctx;
  __cilkrts_pedigree parent_pedigree;
};

__CILKRTS_BEGIN_EXTERN_C

/* One for all files of a program.  */
extern __cilkrts_worker __cilkrts_serial_worker;
__attribute__((__weak__)) __cilkrts_worker __cilkrts_serial_worker = {0, 0, {0, 0}};

/* Returns the worker that runs this code: one for the whole program, with the current pedigree in it.  */
__CILKRTS_INLINE __cilkrts_worker_ptr __cilkrts_get_tls_worker(void) {
  __cilkrts_serial_worker.pedigree = __cilkrts_get_pedigree();
  return &__cilkrts_serial_worker;
}

/* Returns the worker that runs this code.  Cilk Plus calls this where the worker is known to exist.  */
__CILKRTS_INLINE __cilkrts_worker_ptr __cilkrts_get_tls_worker_fast(void) {
  return __cilkrts_get_tls_worker();
}

/* Returns the worker that runs this code.  Cilk Plus makes one for a thread that has none.  */
__CILKRTS_INLINE __cilkrts_worker_ptr __cilkrts_bind_thread_1(void) {
  return __cilkrts_get_tls_worker();
}

/* Initialises FRAME, of a function that spawns, and makes it the worker's innermost one.  */
__CILKRTS_INLINE void __cilkrts_enter_frame_1(__cilkrts_stack_frame *frame) {
  frame->flags = CILK_FRAME_VERSION;
  frame->worker = __cilkrts_get_tls_worker();
  frame->call_parent = frame->worker->current_stack_frame;
  frame->worker->current_stack_frame = frame;
}

/* Enters FRAME: __cilkrts_enter_frame_1 by the name that it had first.  */
__CILKRTS_INLINE void __cilkrts_enter_frame(__cilkrts_stack_frame *frame) {
  __cilkrts_enter_frame_1(frame);
}

/* Enters FRAME: __cilkrts_enter_frame_1 where the worker is known to exist.  */
__CILKRTS_INLINE void __cilkrts_enter_frame_fast(__cilkrts_stack_frame *frame) {
  __cilkrts_enter_frame_1(frame);
}

/* Enters FRAME: __cilkrts_enter_frame_1 where the worker is known to exist.  */
__CILKRTS_INLINE void __cilkrts_enter_frame_fast_1(__cilkrts_stack_frame *frame) {
  __cilkrts_enter_frame_1(frame);
}

/* Leaves FRAME: its caller's frame is the worker's innermost one again.  */
__CILKRTS_INLINE void __cilkrts_leave_frame(__cilkrts_stack_frame *frame) {
  frame->worker->current_stack_frame = frame->call_parent;
}

/* Does nothing: in a serial run all children of FRAME have returned.  */
__CILKRTS_INLINE void __cilkrts_sync(__cilkrts_stack_frame *frame) {
  (void)frame;
}

/* Does nothing: it suspended the runtime's workers.  */
__CILKRTS_INLINE void __cilkrts_suspend(void) {}

/* Does nothing: it resumed the runtime's workers.  */
__CILKRTS_INLINE void __cilkrts_resume(void) {}

#ifdef __cilk
/* Runs a cilk_for whose loop body the program made a function: BODY(DATA, LOW, HIGH) for ranges of GRAIN of COUNT
   iterations.  If GRAIN is 0, for an eighth of them.  */
static __inline__ __attribute__((__unused__)) void __cilkrts_cilk_for_64(__cilk_abi_f64_t body, void *data,
                                                                         cilk64_t count, int grain) {
  cilk64_t step = grain > 0 ? (cilk64_t)grain : (count + 7) / 8, low;
  if (!count)
    return;
  _Cilk_for(low = 0; low < count; low += step) body(data, low, count - low < step ? count : low + step);
}

/* Runs a cilk_for as __cilkrts_cilk_for_64 does, with a counter of 32 bits.  */
static __inline__ __attribute__((__unused__)) void __cilkrts_cilk_for_32(__cilk_abi_f32_t body, void *data,
                                                                         cilk32_t count, int grain) {
  cilk32_t step = grain > 0 ? (cilk32_t)grain : count / 8 + 1, low;
  _Cilk_for(low = 0; low < count; low += step) body(data, low, count - low < step ? count : low + step);
}
#endif

__CILKRTS_END_EXTERN_C

#endif
