/* Spawned blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   The block shares the variables around it, so the child gets their addresses.  */

#include "parallel.h"

void parallel_block(tree *place, tree body, region *r) {
  location_t where = EXPR_LOCATION(*place);
  if (const char *why = whole_function_serial()) {
    stays_serial(where, "cilk_spawn", why);
    *place = body;
    return;
  }
  tree frame = fold_convert(ptr_type_node, address_of(frame_of(r)));
  tree begin = runtime_call("__cilkprof_r_block_frame", void_type_node, false, {frame}), end = NULL_TREE;
  SET_EXPR_LOCATION(begin, where);
  if (c_dialect_cxx() && flag_exceptions) { /* the compiler assumes that the region throws nothing */
    end = runtime_call("__cilkprof_r_block_end", void_type_node, true, {});
    SET_EXPR_LOCATION(end, where); /* for warnings about the code after it */
  }
  *place = statements({begin, outlined_block(caught(body), where), end});
}
