/* Spawned blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   The block shares the variables around it, so the child gets their addresses.  */

#include "parallel.h"

/* Replaces the spawned block at PLACE by BODY as a region that GCC outlines and the runtime may defer, in the frame of
   R; by the plain BODY if it must stay serial.  */
void build_parallel_block(tree *place, tree body, region *r) {
  location_t where = EXPR_LOCATION(*place);
  if (const char *why = reason_not_made_parallel()) {
    warn_not_made_parallel(where, "cilk_spawn", why);
    *place = body;
    return;
  }
  tree frame = fold_convert(ptr_type_node, build_spawn_address_of(parallel_frame_of_region(r)));
  tree begin = build_runtime_call("__cilkprof_r_block_frame", void_type_node, false, {frame}), end = NULL_TREE;
  SET_EXPR_LOCATION(begin, where);
  if (c_dialect_cxx() && flag_exceptions) { /* the compiler assumes that the region throws nothing */
    end = build_runtime_call("__cilkprof_r_block_end", void_type_node, true, {});
    SET_EXPR_LOCATION(end, where); /* for warnings about the code after it */
  }
  *place = build_spawn_statement_list({begin, build_outlined_block(build_spawn_exception_catch(body), where), end});
}
