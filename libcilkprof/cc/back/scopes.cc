/* Scopes: where the code of inlined functions came from.
   SPDX-License-Identifier: GPL-3.0-or-later

   An inlined function leaves a scope, a BLOCK whose origin is the function and whose location is that of the call.  A
   statement knows its scope, and what is around that, with and without -g.  */

#include "back.h"

/* Returns true if SCOPE is that of a function that was inlined, and not of the body of a region or task of OpenMP,
   which was outlined from the same function and inlined again.  */
static bool scope_of_function_in_source_p(tree scope) {
  if (!inlined_function_outer_scope_p(scope))
    return false;
  tree function = block_ultimate_origin(scope);
  return !(function && DECL_P(function) && DECL_NAME(function) &&
           strstr(IDENTIFIER_POINTER(DECL_NAME(function)), "._omp_fn."));
}

/* Returns the scope of an inlined function that is BLOCK or the next one around it, or NULL_TREE if there is none.  */
static tree scope_of_inlined_function(tree block) {
  while (block && TREE_CODE(block) == BLOCK && !scope_of_function_in_source_p(block))
    block = BLOCK_SUPERCONTEXT(block);
  return block && TREE_CODE(block) == BLOCK ? block : NULL_TREE;
}

/* Returns the number of inlined calls around STATEMENT.  */
int inlining_depth_of_site_statement(const gimple *statement) {
  int depth = 0;
  tree scope = scope_of_inlined_function(gimple_block(statement));
  for (; scope; scope = scope_of_inlined_function(BLOCK_SUPERCONTEXT(scope)))
    depth++;
  return depth;
}

/* Returns the function that STATEMENT was inlined with, the innermost one; NULL_TREE: none.  */
tree innermost_inlined_function(const gimple *statement) {
  tree scope = scope_of_inlined_function(gimple_block(statement));
  return scope ? block_ultimate_origin(scope) : NULL_TREE;
}

/* Returns where STATEMENT, or the inlined call that it is part of, was written so DEEP in inlined functions;
   UNKNOWN_LOCATION if it is not so deep.  */
location_t location_at_inlining_depth(const gimple *statement, int deep) {
  int depth = inlining_depth_of_site_statement(statement);
  if (depth <= deep)
    return depth == deep ? LOCATION_LOCUS(gimple_location(statement)) : UNKNOWN_LOCATION;
  tree scope = scope_of_inlined_function(gimple_block(statement));
  while (--depth > deep)
    scope = scope_of_inlined_function(BLOCK_SUPERCONTEXT(scope));
  return LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(scope));
}

/* Returns where STATEMENT is in the source, and the inlined function whose code it is.  For code of a library's header
   that is where the program's own code calls the inlined function of the library, if it does.  */
user_place user_place_of_site_statement(const gimple *statement) {
  user_place found = {LOCATION_LOCUS(gimple_location(statement)), NULL_TREE, false}, best = found;
  tree scope = scope_of_inlined_function(gimple_block(statement));
  if (scope)
    best.function = block_ultimate_origin(scope);
  for (; scope && in_system_header_at(found.place); scope = scope_of_inlined_function(BLOCK_SUPERCONTEXT(scope)))
    found = {LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(scope)), block_ultimate_origin(scope), true};
  return found.at_call && !in_system_header_at(found.place) && found.place > BUILTINS_LOCATION ? found : best;
}
