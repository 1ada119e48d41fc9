/* Spawned blocks, which GCC outlines like OpenMP tasks, and memory for temporaries in spawned calls.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>
#include <string.h>

#include "libcilkprof/runtime/runtime.h"

/* Notes the frame to which the block that this thread spawns next belongs.  */
EXPORTED void __cilkprof_r_block_frame(struct __cilkprof_r_frame *frame) {
  __cilkprof_r_spawned_block.frame = (struct frame *)frame;
}

/* Makes the CLOSURE of a spawned block from DATA: by COPY, or if that is NULL by copying SIZE bytes.  */
static void fill_deferred_block_closure(void *closure, void *data, void (*copy)(void *, void *), size_t size) {
  if (copy)
    copy(closure, data);
  else
    memcpy(closure, data, size);
}

/* Spawns a block of SITE, with the arguments that GCC passes to GOMP_task: defers BODY with a closure made from DATA,
   or calls it at once and keeps its exception for __cilkprof_r_block_end.  */
EXPORTED void __cilkprof_r_spawn_block(void (*body)(void *), void *data, void (*copy)(void *, void *), long length,
                                       long align, struct __cilkprof_r_site *site) {
  struct frame *frame = __cilkprof_r_spawned_block.frame;
  size_t size = (size_t)length;
  size_t alignment = align > __CILKPROF_R_ALIGN ? (size_t)align : __CILKPROF_R_ALIGN;
  bool defers = __cilkprof_r_want && !short_parallel_runs(site);
  struct task *t = defers ? new_deferred_task(size, alignment) : NULL;
  __cilkprof_r_spawned_block.thrown.functions = NULL;
  if (t) {
    fill_deferred_block_closure(t->closure, data, copy, size);
    t->function = body;
    t->site = site;
    __cilkprof_r_defer(frame, t, __builtin_return_address(0));
  } else if (copy) {
    char room[size + alignment], *closure = room + (-(uintptr_t)room & (alignment - 1));
    copy(closure, data);
    __cilkprof_r_spawned_block.thrown = __cilkprof_r_call_child(body, closure, site);
  } else
    __cilkprof_r_spawned_block.thrown = __cilkprof_r_call_child(body, data, site);
}

/* Rethrows the exception of the block that this thread spawned last, if that was run at once and threw one.  */
EXPORTED void __cilkprof_r_block_end(void) {
  struct kept kept = __cilkprof_r_spawned_block.thrown;
  __cilkprof_r_spawned_block.thrown.functions = NULL;
  rethrow_kept_exception(kept);
}

/* Allocates SIZE bytes for the temporaries in the arguments of a spawned call.  Aborts the program if there is no
   memory.  */
EXPORTED void *__cilkprof_r_block(unsigned long size) {
  void *block = aligned_alloc(__CILKPROF_R_ALIGN, (size + __CILKPROF_R_ALIGN - 1) & -(unsigned long)__CILKPROF_R_ALIGN);
  if (!block)
    __cilkprof_r_no_memory();
  return block;
}

/* Frees memory for temporaries that __cilkprof_r_block allocated.  */
EXPORTED void __cilkprof_r_block_free(void *block) {
  free(block);
}
