/* Blocks that are spawned.
   SPDX-License-Identifier: GPL-3.0-or-later

   The variables around it are shared, so what the child has of them is their addresses.  */

#include "parallel.h"

void parallel_block(tree *place, region *r) {
  tree body = checked_block(*place);
  location_t where = EXPR_LOCATION(*place);
  region inside = {r->function, NULL_TREE, NULL, false};
  parallelise_part(&body, &inside);
  if (const char *why = whole_function_serial()) {
    stays_serial(where, "cilk_spawn", why);
    *place = body;
    return;
  }
  tree frame = fold_convert(ptr_type_node, address_of(frame_of(r)));
  tree begin = runtime_call("__cilkprof_r_block_frame", void_type_node, false, {frame}), end = NULL_TREE;
  SET_EXPR_LOCATION(begin, where);
  if (c_dialect_cxx() && flag_exceptions) { /* the region throws nothing, as far as the compiler knows */
    end = runtime_call("__cilkprof_r_block_end", void_type_node, true, {});
    SET_EXPR_LOCATION(end, where); /* for warnings about what follows */
  }
  *place = statements({begin, outlined_block(caught(body), where), end});
}
