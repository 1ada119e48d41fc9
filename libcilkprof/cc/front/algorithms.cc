/* Parallel algorithms of the C++ library, which a profile shows under the names that the program calls them by.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"

/* Returns true if FUNCTION is one that takes an execution policy, such as std::sort.  All are in headers that do
   nothing but pass the call on.  */
static bool parallel_algorithm_p(tree function) {
  const char *file = LOCATION_FILE(DECL_SOURCE_LOCATION(function));
  return file && strstr(file, "/pstl/glue_") && in_system_header_at(DECL_SOURCE_LOCATION(function));
}

/* Callback for walk_gimple_seq: the statement AT, if it calls a parallel algorithm from the program's own code, keeps
   that call.  Were it inlined, functions inside of the library would be what the program calls in its place.  */
static tree keep_algorithm_call(gimple_stmt_iterator *at, bool *handled, walk_stmt_info *) {
  const gimple *statement = gsi_stmt(*at);
  *handled = false;
  tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (callee && parallel_algorithm_p(callee) && !in_system_header_at(gimple_location(statement)))
    DECL_UNINLINABLE(callee) = 1;
  return NULL_TREE;
}

/* Keeps the calls of parallel algorithms in BODY, of a function that is to be measured.  */
void keep_algorithm_calls(gimple_seq body) {
  walk_stmt_info info;
  memset(&info, 0, sizeof info);
  if (c_dialect_cxx())
    walk_gimple_seq(body, keep_algorithm_call, NULL, &info);
}
