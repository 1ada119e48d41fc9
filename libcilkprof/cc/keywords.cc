/* Where the keywords are in the source.
   SPDX-License-Identifier: GPL-3.0-or-later

   cilk_spawn stands before a call anywhere in an expression, and no token that a front end knows can stand there for
   every type of result.  So it expands to a pragma that leaves no token, and the call is recognised by its first
   token's place: right behind the keyword.  The preprocessor's own line table tells both: every expansion of the
   keyword is a map in it. In preprocessed input the pragma is a line of its own, and the next token is the first of the
   line that follows.  */

#include "front.h"

static const char spawn_macro[] = "_Cilk_spawn";
static vec<spawn_keyword> keywords;

location_t plain_location(location_t location) {
  return get_pure_location(line_table, location);
}

bool in_macro(location_t location) {
  return linemap_location_from_macro_expansion_p(line_table, location);
}

static const line_map_macro *macro_map_of(location_t location) {
  return linemap_check_macro(linemap_lookup(line_table, location));
}

/* Preprocessed input: takes the location of the first token after a pragma line.  */
static int awaiting = -1;
static void (*previous_line_change)(cpp_reader *, const cpp_token *, int);

static void line_change(cpp_reader *reader, const cpp_token *token, int parsing_arguments) {
  if (awaiting >= 0 && token->type != CPP_EOF) {
    keywords[awaiting].next = plain_location(token->src_loc);
    awaiting = -1;
  }
  if (previous_line_change)
    previous_line_change(reader, token, parsing_arguments);
}

static void spawn_pragma(cpp_reader *reader) {
  cpp_options *options = cpp_get_options(reader);
  if (!options->preprocessed || options->directives_only)
    return; /* the line table has it */
  keywords.safe_push({line_table->highest_location, 0, true, false, false});
  awaiting = keywords.length() - 1;
  cpp_callbacks *callbacks = cpp_get_callbacks(reader);
  if (callbacks->line_change != line_change) {
    previous_line_change = callbacks->line_change;
    callbacks->line_change = line_change;
  }
}

location_t place_in_file(location_t location) {
  return linemap_resolve_location(line_table, plain_location(location), LRK_MACRO_EXPANSION_POINT, NULL);
}

/* #pragma cilk grainsize = N, for the cilk_for that follows.  */
struct grain_pragma {
  location_t where;
  tree size; /* a constant or a variable */
  bool used;
};
static vec<grain_pragma> grains;

static void grain_size_pragma(cpp_reader *) {
  tree value;
  location_t equals, where;
  if (pragma_lex(&value, &equals) != CPP_EQ) {
    error_at(equals, "expected %<=%> after %<#pragma cilk grainsize%>");
    return;
  }
  enum cpp_ttype type = pragma_lex(&value, &where);
  if (type == CPP_NAME)
    value = lookup_name(value);
  tree rest;
  if ((type != CPP_NUMBER && type != CPP_NAME) || !value || value == error_mark_node ||
      !INTEGRAL_TYPE_P(TREE_TYPE(value)) || pragma_lex(&rest) != CPP_EOF) {
    error_at(where, "%<#pragma cilk grainsize%> needs an integer constant or a variable, and nothing else");
    return;
  }
  grains.safe_push({place_in_file(equals), value, false});
}

tree grain_for(location_t location) {
  location = place_in_file(location);
  grain_pragma *nearest = NULL;
  for (grain_pragma &grain : grains)
    if (!grain.used && grain.where < location)
      nearest = &grain;
  if (!nearest)
    return NULL_TREE;
  nearest->used = true;
  return nearest->size;
}

/* The keywords exist without any header.  */
static void define(const char *name, const char *value) {
  cpp_define_formatted(parse_in, "%s=%s", name, value);
}

static void define_keywords() {
  cpp_callbacks *callbacks = cpp_get_callbacks(parse_in);
  auto described = callbacks->define; /* with -g3; there is no file yet in which it could say that this is */
  if (!flag_preprocess_only)
    callbacks->define = NULL;
  define("__cilk", "200");
  define(spawn_macro, "_Pragma(\"__cilkprof __spawn\")");
  define("_Cilk_sync", "__cilkprof_mark_sync()");
  define("_Cilk_for", "for(;__cilkprof_mark_loop();)for");
  define("_Cilk_scope", "if(!__cilkprof_mark_scope());else");
  callbacks->define = described;
}

void register_pragmas(void *, void *) {
  if (!cpp_get_options(parse_in)->preprocessed)
    define_keywords();
  if (flag_preprocess_only)
    return;
  cpp_get_options(parse_in)->track_macro_expansion = 2;
  cpp_register_pragma(parse_in, "__cilkprof", "__spawn", spawn_pragma, false);
  c_register_pragma_with_expansion("cilk", "grainsize", grain_size_pragma);
}

/* Keywords that the preprocessor has met since the last look.  Inside the body of a macro the next token of that same
   expansion is known; at its end, what follows the expansion counts.  */
vec<spawn_keyword> &spawn_keywords() {
  static unsigned seen;
  for (; seen < LINEMAPS_MACRO_USED(line_table); seen++) {
    line_map_macro *map = LINEMAPS_MACRO_MAP_AT(line_table, seen);
    if (strcmp(linemap_map_get_macro_name(map), spawn_macro))
      continue;
    location_t where = MACRO_MAP_EXPANSION_POINT_LOCATION(map), next = 0;
    while (in_macro(where)) {
      const line_map_macro *around = macro_map_of(where);
      unsigned token = where - MAP_START_LOCATION(around);
      if (token + 1 < MACRO_MAP_NUM_MACRO_TOKENS(around) && MACRO_MAP_LOCATIONS(around)[2 * (token + 1)]) {
        next = where + 1;
        break;
      }
      where = MACRO_MAP_EXPANSION_POINT_LOCATION(around);
    }
    keywords.safe_push({where, next, false, false, false});
  }
  return keywords;
}

static bool stands_behind(location_t token, const spawn_keyword &keyword, int depth) {
  token = plain_location(token);
  if (!token || depth > 64)
    return false;
  if (!in_macro(token)) {
    if (keyword.preprocessed)
      return token == keyword.next;
    return !keyword.next && token > keyword.where && adjacent(keyword.where, token);
  }
  if (keyword.next == token)
    return true;
  const line_map_macro *map = macro_map_of(token);
  unsigned index = token - MAP_START_LOCATION(map);
  return stands_behind(MACRO_MAP_LOCATIONS(map)[2 * index], keyword, depth + 1) ||
         (index == 0 && stands_behind(MACRO_MAP_EXPANSION_POINT_LOCATION(map), keyword, depth + 1));
}

bool stands_behind(location_t token, const spawn_keyword &keyword) {
  return stands_behind(token, keyword, 0);
}
