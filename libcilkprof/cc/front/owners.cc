/* The function that contains each keyword, and errors about keywords without a call.
   SPDX-License-Identifier: GPL-3.0-or-later

   A template or a generic lambda is processed once for every instance, or never, and a nested function separately from
   the one around it.  So each keyword records the innermost function that contains it.  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "front.h"

location_t start_of_function(tree function) {
  return plain_location(DECL_SOURCE_LOCATION(function));
}

/* Two functions that come from one use of a macro have the same location.  */
void reach_keywords(tree function, location_t end) {
  auto_vec<spawn_keyword *> between;
  location_t start = start_of_function(function);
  keywords_between(start, end, &between);
  for (spawn_keyword *keyword : between)
    if (!keyword->inside || (keyword->inside == start && !keyword->chosen))
      keyword->reached |= !in_macro(keyword->where) || !in_macro(start);
}

static tree find_choice(tree *place, int *, void *) {
  return TREE_CODE(*place) == IF_STMT && IF_STMT_CONSTEXPR_P(*place) ? *place : NULL_TREE;
}

/* A function with `if constexpr', or an instance of a template, may lack some parts.  */
void own_keywords(tree function, location_t end) {
  auto_vec<spawn_keyword *> inside;
  keywords_between(DECL_SOURCE_LOCATION(function), end, &inside);
  tree *body = &DECL_SAVED_TREE(function);
  bool chooses =
      c_dialect_cxx() && inside.length() && *body && walk_tree_without_duplicates(body, find_choice, NULL) != NULL_TREE;
  for (spawn_keyword *keyword : inside)
    if (!keyword->inside) {
      keyword->inside = start_of_function(function);
      keyword->chosen = chooses;
    }
}

static bool pattern_p(tree function) {
  return DECL_LANG_SPECIFIC(function) && DECL_TEMPLATE_INFO(function) && !DECL_USE_TEMPLATE(function);
}

/* Handles templates, and keywords after the last expression of a function.  */
void function_ended(void *data, void *) {
  tree function = (tree)data;
  if (!c_dialect_cxx() || !function || function == error_mark_node ||
      !file_has_keywords(DECL_SOURCE_LOCATION(function)))
    return;
  own_keywords(function, input_location);
  if (!scope_chain->x_processing_template_decl && !pattern_p(function))
    reach_keywords(function, input_location);
}

/* The functions that initialise the global variables of a file are generated.  */
static bool made_up_p(tree function) {
  for (const char *name : {"__static_initialization_and_destruction", "__tls_init", "_GLOBAL__"})
    if (DECL_NAME(function) && startswith(IDENTIFIER_POINTER(DECL_NAME(function)), name))
      return true;
  return false;
}

/* Records that the keyword spawns a call in FUNCTION.  */
void match_keyword(spawn_keyword *keyword, tree function) {
  if (!keyword->matched && made_up_p(function))
    error_at(keyword->where, "%<cilk_spawn%> outside of a function");
  keyword->matched = true;
  keyword->owner = start_of_function(function);
}

/* A keyword in a template without instances is not reached.  A call can vanish because it is evaluated at compile time
   or its value is not needed, and `new' is not a call.  */
void report_unmatched_keywords() {
  for (const spawn_keyword &keyword : spawn_keywords())
    if (keyword.matched)
      continue;
    else if (keyword.before_nothing || (keyword.reached && !keyword.like_call))
      error_at(keyword.where, "%<cilk_spawn%> must be followed by a function call");
    else if (keyword.read_here && !keyword.inside && !seen_error())
      error_at(keyword.where, "%<cilk_spawn%> outside of a function");
    else if (keyword.reached)
      warning_at(keyword.where, 0, "%<cilk_spawn%> spawns nothing: no call is left behind it");
}
