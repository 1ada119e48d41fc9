/* The function that contains each keyword, and errors about keywords without a call.
   SPDX-License-Identifier: GPL-3.0-or-later

   A template or a generic lambda is processed once for every instance, or never, and a nested function separately from
   the one around it.  So each keyword records the innermost function that contains it.  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "front.h"

/* Returns the location of the declaration of FUNCTION, by which keywords know the function that contains them.  */
location_t keyword_function_location(tree function) {
  return plain_token_location(DECL_SOURCE_LOCATION(function));
}

/* Records that the keywords between the beginning of FUNCTION and END lie in a function that was compiled, unless a
   nested function contains them.  Two functions that come from one use of a macro have the same location.  */
void mark_keywords_reached(tree function, location_t end) {
  auto_vec<spawn_keyword *> between;
  location_t start = keyword_function_location(function);
  spawn_keywords_between(start, end, &between);
  for (spawn_keyword *keyword : between)
    if (!keyword->inside || (keyword->inside == start && !keyword->chosen))
      keyword->reached |= !location_in_macro_p(keyword->where) || !location_in_macro_p(start);
}

/* Callback for walk_tree: returns the statement at PLACE if it is an `if constexpr'.  */
static tree find_keyword_in_if_constexpr(tree *place, int *, void *) {
  return TREE_CODE(*place) == IF_STMT && IF_STMT_CONSTEXPR_P(*place) ? *place : NULL_TREE;
}

/* Records that FUNCTION, which ends at END, contains the keywords in it that no function nested in it contains.  A
   function with `if constexpr', or an instance of a template, may lack some parts.  */
void assign_keywords_to_function(tree function, location_t end) {
  auto_vec<spawn_keyword *> inside;
  spawn_keywords_between(DECL_SOURCE_LOCATION(function), end, &inside);
  tree *body = &DECL_SAVED_TREE(function);
  bool chooses = c_dialect_cxx() && inside.length() && *body &&
                 walk_tree_without_duplicates(body, find_keyword_in_if_constexpr, NULL) != NULL_TREE;
  for (spawn_keyword *keyword : inside)
    if (!keyword->inside) {
      keyword->inside = keyword_function_location(function);
      keyword->chosen = chooses;
    }
}

/* Returns true if FUNCTION is a template itself and not an instance of one.  */
static bool keyword_template_pattern_p(tree function) {
  return DECL_LANG_SPECIFIC(function) && DECL_TEMPLATE_INFO(function) && !DECL_USE_TEMPLATE(function);
}

/* Notes that the function DATA, a tree, contains the keywords in it: a callback when GCC has parsed a C++ function.
   This covers templates, and keywords after the last expression of a function.  */
void assign_keywords_at_function_end(void *data, void *) {
  tree function = (tree)data;
  if (!c_dialect_cxx() || !function || function == error_mark_node ||
      !file_has_keywords_p(DECL_SOURCE_LOCATION(function)))
    return;
  assign_keywords_to_function(function, input_location);
  if (!scope_chain->x_processing_template_decl && !keyword_template_pattern_p(function))
    mark_keywords_reached(function, input_location);
}

/* Returns true if FUNCTION is one that GCC generates to initialise the global variables of a file.  */
static bool generated_keyword_initialiser_p(tree function) {
  for (const char *name : {"__static_initialization_and_destruction", "__tls_init", "_GLOBAL__"})
    if (DECL_NAME(function) && startswith(IDENTIFIER_POINTER(DECL_NAME(function)), name))
      return true;
  return false;
}

/* Records that KEYWORD spawns a call in FUNCTION.  Reports an error if that only initialises global variables, because
   the keyword is outside of all functions.  */
void match_spawn_keyword(spawn_keyword *keyword, tree function) {
  if (!keyword->matched && generated_keyword_initialiser_p(function))
    error_at(keyword->where, "%<cilk_spawn%> outside of a function");
  keyword->matched = true;
  keyword->owner = keyword_function_location(function);
}

/* Reports every cilk_spawn of the unit for which no call was found.  A keyword in a template without instances is not
   reached.  A call can vanish because it is evaluated at compile time or its value is not needed, or because other
   code replaces it; `new' and the construction of a variable are no calls, and run all the same.  */
void report_unmatched_keywords() {
  for (const spawn_keyword &keyword : all_spawn_keywords())
    if (keyword.matched)
      continue;
    else if (keyword.before_nothing || (keyword.reached && !keyword.like_call))
      error_at(keyword.where, "%<cilk_spawn%> must be followed by a function call");
    else if (keyword.read_here && !keyword.inside && !seen_error())
      error_at(keyword.where, "%<cilk_spawn%> outside of a function");
    else if (keyword.reached)
      warning_at(keyword.where, 0,
                 "%<cilk_spawn%> spawns nothing: no call is left to spawn; what is left of it runs serially");
}
