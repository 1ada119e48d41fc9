/* Parallel algorithms of libraries, which a profile shows under the names that the program calls them by.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"

/* Returns true if FUNCTION is one that takes an execution policy, such as std::sort.  All are in headers that do
   nothing but pass the call on.  */
static bool parallel_algorithm_p(tree function) {
  const char *file = LOCATION_FILE(DECL_SOURCE_LOCATION(function));
  return file && strstr(file, "/pstl/glue_") && in_system_header_at(DECL_SOURCE_LOCATION(function));
}

/* Returns true if FUNCTION is in the namespace of what takes the place of oneTBB's algorithms: it calls the program's
   functions for whole pieces of a range, or as tasks.  */
static bool algorithm_part_p(tree function) {
  for (tree around = DECL_CONTEXT(function); around; around = get_containing_scope(around))
    if (TREE_CODE(around) == NAMESPACE_DECL && DECL_NAME(around) &&
        !strcmp(IDENTIFIER_POINTER(DECL_NAME(around)), "cilkprof"))
      return in_system_header_at(DECL_SOURCE_LOCATION(function));
  return false;
}

/* Callback for walk_gimple_seq: the statement AT keeps its call if it calls a parallel algorithm from the program's own
   code, or, from a part of an algorithm, which INFO says, the program's own code.  Were the algorithm inlined,
   functions inside of the library would be what the program calls; were the program's code, it would be the
   library's.  */
static tree keep_algorithm_call(gimple_stmt_iterator *at, bool *handled, walk_stmt_info *info) {
  const gimple *statement = gsi_stmt(*at);
  *handled = false;
  tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (!callee)
    return NULL_TREE;
  bool in_part = *(bool *)info->info, users = !in_system_header_at(DECL_SOURCE_LOCATION(callee));
  if (in_part ? users && marker_of_decl(callee) == NO_MARKER && !DECL_IS_UNDECLARED_BUILTIN(callee)
              : parallel_algorithm_p(callee) && !in_system_header_at(gimple_location(statement)))
    DECL_UNINLINABLE(callee) = 1;
  return NULL_TREE;
}

/* Keeps the calls of parallel algorithms, and those that they make, in FUNCTION with BODY, which is to be measured.  */
void keep_algorithm_calls(tree function, gimple_seq body) {
  walk_stmt_info info;
  memset(&info, 0, sizeof info);
  if (!c_dialect_cxx())
    return;
  bool in_part = algorithm_part_p(function);
  info.info = &in_part;
  walk_gimple_seq(body, keep_algorithm_call, NULL, &info);
}
