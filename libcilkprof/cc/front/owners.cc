/* Which function each keyword stands in, and the keywords behind which no call was found.
   SPDX-License-Identifier: GPL-3.0-or-later

   What a template or a generic lambda spawns comes by once for every instance, or never; functions that are inside
   others come by on their own.  So each keyword knows the innermost function around it.  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "front.h"

location_t start_of_function(tree function) {
  return plain_location(DECL_SOURCE_LOCATION(function));
}

/* Two functions may come from one use of a macro, and are at one place then.  */
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

/* Of a function that chooses by `if constexpr', and of an instance, there may be parts only.  */
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

/* All of a template, or what is behind a function's last expression.  */
void function_ended(void *data, void *) {
  tree function = (tree)data;
  if (!c_dialect_cxx() || !function || function == error_mark_node ||
      !file_has_keywords(DECL_SOURCE_LOCATION(function)))
    return;
  own_keywords(function, input_location);
  if (!scope_chain->x_processing_template_decl && !pattern_p(function))
    reach_keywords(function, input_location);
}

/* What initialises the variables of a file is made up.  */
static bool made_up_p(tree function) {
  for (const char *name : {"__static_initialization_and_destruction", "__tls_init", "_GLOBAL__"})
    if (DECL_NAME(function) && startswith(IDENTIFIER_POINTER(DECL_NAME(function)), name))
      return true;
  return false;
}

/* It stands before a call in FUNCTION.  */
void match_keyword(spawn_keyword *keyword, tree function) {
  if (!keyword->matched && made_up_p(function))
    error_at(keyword->where, "%<cilk_spawn%> outside of a function");
  keyword->matched = true;
  keyword->owner = start_of_function(function);
}

/* A keyword in a template that is never used is not reached.  A call that is evaluated when it is compiled is gone, or
   one whose value is not needed; and `new' is no call.  */
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
