/* Where the program has spawn keywords, and which token follows each.
   SPDX-License-Identifier: GPL-3.0-or-later

   The preprocessor's line table has a map for every expansion of the keyword, with its location; keywords.cc supplies
   the token that follows.  In preprocessed input the pragma is on a line of its own, and the token is the first of the
   next line.  */

#include "front.h"

static vec<spawn_keyword> keywords;
typedef hash_map<int_hash<location_t, 0>, unsigned> keyword_index;
static keyword_index by_next, by_open; /* map the token after it, and the parenthesis, to the keyword */

static hash_set<nofree_string_hash> files; /* that have keywords, or include such files, perhaps inside a function */
static hash_set<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>> filed; /* the maps in the line table of such files */

/* Returns LOCATION, of a token, without the range or the block that GCC may have packed into it.  */
location_t plain_token_location(location_t location) {
  return get_pure_location(line_table, location);
}

/* Returns true if LOCATION is that of a token in the expansion of a macro.  */
bool location_in_macro_p(location_t location) {
  return linemap_location_from_macro_expansion_p(line_table, location);
}

/* Returns the map in the preprocessor's line table of the macro expansion that LOCATION is in.  */
static const line_map_macro *macro_expansion_map(location_t location) {
  return linemap_check_macro(linemap_lookup(line_table, location));
}

/* Returns LOCATION as a place in the file: inside a macro, where the outermost macro is used.  */
location_t location_outside_macros(location_t location) {
  return linemap_resolve_location(line_table, plain_token_location(location), LRK_MACRO_EXPANSION_POINT, NULL);
}

/* The line table only has a few thousand columns, and tokens beyond share one location.  There, a new map gives the
   token after a keyword a location of its own.  */
static bool crowded;

/* Begins a new map in the line table if the current line is so long that its tokens share a location, so that the token
   after a keyword gets one of its own.  */
static void separate_crowded_keyword_line() {
  static linenum_type crowded_line;
  const unsigned safe_columns = 3900;
  const line_map_ordinary *map = LINEMAPS_LAST_ORDINARY_MAP(line_table);
  linenum_type line = SOURCE_LINE(map, line_table->highest_line);
  crowded = SOURCE_COLUMN(map, line_table->highest_location) > safe_columns || (crowded && line == crowded_line);
  if (!crowded)
    return;
  crowded_line = line;
  linemap_add(line_table, LC_RENAME, ORDINARY_MAP_IN_SYSTEM_HEADER_P(map), ORDINARY_MAP_FILE_NAME(map), line);
}

/* What is known when the keyword is expanded, to be added to the map that GCC creates next.  */
struct expansion {
  location_t next, open;
  unsigned open_index;
  const char *name;
  bool crowded, before_nothing;
};
static hash_map<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>, expansion> expansions;

/* Returns the text of TOKEN if it is a name, else NULL.  */
static const char *token_name(const cpp_token *token) {
  return token->type == CPP_NAME ? (const char *)NODE_NAME(token->val.node.node) : NULL;
}

/* Returns the plain location of TOKEN, or 0 if that is NULL.  */
static location_t token_location(const cpp_token *token) {
  return token ? plain_token_location(token->src_loc) : 0;
}

/* Returns true if the first token after a cilk_spawn could begin a call.  */
bool spawned_text::begins_spawned_call_p() const {
  switch (first->type) {
  case CPP_NAME:
  case CPP_OPEN_PAREN:
  case CPP_OPEN_SQUARE:
  case CPP_OPEN_BRACE:
  case CPP_SCOPE:
  case CPP_PRAGMA:
    return true;
  default:
    return false;
  }
}

/* Records the tokens that follow a cilk_spawn, TEXT, for the map that GCC creates next for the expansion of the
   keyword.  */
void note_spawn_expansion(const spawned_text &text) {
  expansions.put(LINEMAPS_MACRO_USED(line_table),
                 {token_location(text.first), token_location(text.open), text.open_index, token_name(text.first),
                  crowded, !text.begins_spawned_call_p()});
}

/* Records that the file of PLACE has keywords, and that those that include it do, by all names that #line has given
   them so far: a function may have begun under another one.  */
static void note_files_with_keyword(location_t place) {
  while (place) {
    const line_map_ordinary *map = linemap_check_ordinary(linemap_lookup(line_table, place));
    location_t includer = linemap_included_from(map);
    for (unsigned i = map - LINEMAPS_ORDINARY_MAP_AT(line_table, 0) + 1; i-- > 0;) {
      map = LINEMAPS_ORDINARY_MAP_AT(line_table, i);
      if (linemap_included_from(map) != includer)
        continue; /* in a file that this one includes */
      if (filed.add(i))
        return;
      files.add(ORDINARY_MAP_FILE_NAME(map));
      if (map->reason == LC_ENTER)
        break;
    }
    place = includer;
  }
}

/* Adds KEYWORD to the list of keywords and to the indices by its tokens, and records that its file, and those that
   include it, have keywords.  */
static void add_spawn_keyword(const spawn_keyword &keyword) {
  if (keyword.next)
    by_next.put(keyword.next, keywords.length());
  if (keyword.open)
    by_open.put(keyword.open, keywords.length());
  keywords.safe_push(keyword);
  note_files_with_keyword(keyword.place);
}

/* In preprocessed input: the next token is the first after a pragma line.  */
static bool awaiting;

/* Returns true if, in preprocessed input, the next token is the first after the pragma of a cilk_spawn.  */
bool awaiting_spawned_token_p() {
  return awaiting;
}

/* Handles the pragma to which a cilk_spawn expands: in preprocessed input the next token will be recorded, elsewhere a
   crowded line is separated.  */
void note_spawn_pragma(cpp_reader *reader) {
  cpp_options *options = cpp_get_options(reader);
  if (!options->preprocessed || options->directives_only) {
    separate_crowded_keyword_line();
    return;
  }
  awaiting = true;
}

/* Adds the keyword of a pragma in preprocessed input, which TEXT follows; a BLOCK has its own marker and needs none.
   gcc 11 writes the pragma of a keyword in a macro argument before the whole macro.  Then no call follows the pragma;
   if a statement does, the missing call would go unnoticed.  */
void add_preprocessed_keyword(const spawned_text &text, bool block) {
  spawn_keyword keyword = {};
  awaiting = false;
  if (block)
    return;
  keyword.where = keyword.place = keyword.next = token_location(text.first);
  keyword.open = token_location(text.open);
  keyword.name = token_name(text.first);
  keyword.like_call = text.like_call;
  keyword.before_nothing = !text.begins_spawned_call_p();
  keyword.read_here = true;
  add_spawn_keyword(keyword);
}

/* Returns the location of the token that is BEHIND tokens after WHERE in the same macro expansion; 0 if the expansion
   ends before.  */
static location_t token_in_expansion(location_t where, unsigned behind) {
  const line_map_macro *map = macro_expansion_map(where);
  unsigned index = where - MAP_START_LOCATION(map) + behind;
  return index < MACRO_MAP_NUM_MACRO_TOKENS(map) && MACRO_MAP_LOCATIONS(map)[2 * index] ? where + behind : 0;
}

/* Adds the keyword whose expansion is number INDEX in the line table, MAP.  Inside the body of a macro the next token
   of the expansion follows the keyword; at the end of the body, the token after the expansion does.  */
static void add_expanded_keyword(unsigned index, const line_map_macro *map, bool like_call) {
  spawn_keyword keyword = {};
  expansion *known = expansions.get(index);
  location_t where = gcc_macro_expansion_point(map);
  while (location_in_macro_p(where) && !(keyword.next = token_in_expansion(where, 1)))
    where = gcc_macro_expansion_point(macro_expansion_map(where));
  if (known) {
    keyword.open = !known->open ? 0 : keyword.next ? token_in_expansion(where, 1 + known->open_index) : known->open;
    keyword.next = keyword.next ? keyword.next : known->next;
    keyword.name = known->name;
    keyword.crowded = known->crowded;
    keyword.before_nothing = known->before_nothing;
    keyword.read_here = true;
  }
  keyword.like_call = like_call;
  keyword.where = where;
  keyword.place = location_outside_macros(where);
  add_spawn_keyword(keyword);
}

/* Returns all occurrences of cilk_spawn so far, after adding those that have been expanded since the last call.  */
vec<spawn_keyword> &all_spawn_keywords() {
  static unsigned seen;
  for (; seen < LINEMAPS_MACRO_USED(line_table); seen++) {
    const line_map_macro *map = LINEMAPS_MACRO_MAP_AT(line_table, seen);
    const char *name = linemap_map_get_macro_name(map);
    if (!strcmp(name, SPAWN_OF_CALL) || !strcmp(name, SPAWN_OF_OTHER))
      add_expanded_keyword(seen, map, !strcmp(name, SPAWN_OF_CALL));
  }
  return keywords;
}

/* Returns true if the file of WHERE has spawn keywords, or includes a file that has.  This is a fast check: most
   functions are in headers without keywords.  */
bool file_has_keywords_p(location_t where) {
  return all_spawn_keywords().length() && files.contains(LOCATION_FILE(location_outside_macros(where)));
}

/* Returns the keyword that INDEX has for TOKEN, or NULL.  A token can be known by its own location, by that in a macro
   argument, or, if it is the first token of a macro, by that of the use of the macro.  DEPTH limits the recursion.  */
static spawn_keyword *find_keyword_by_token(keyword_index &index, location_t token, int depth = 0) {
  token = plain_token_location(token);
  if (!token || depth > 64)
    return NULL;
  if (unsigned *found = index.get(token))
    return &keywords[*found];
  if (!location_in_macro_p(token))
    return NULL;
  const line_map_macro *map = macro_expansion_map(token);
  unsigned position = token - MAP_START_LOCATION(map);
  spawn_keyword *found = find_keyword_by_token(index, MACRO_MAP_LOCATIONS(map)[2 * position], depth + 1);
  return found || position ? found : find_keyword_by_token(index, gcc_macro_expansion_point(map), depth + 1);
}

/* Returns the cilk_spawn immediately before the TOKEN at that location; NULL if there is none.  */
spawn_keyword *keyword_before_token(location_t token) {
  return find_keyword_by_token(by_next, token);
}

/* Returns the cilk_spawn of the call whose arguments the parenthesis at OPEN begins; NULL if there is none.  */
spawn_keyword *keyword_of_call_arguments(location_t open) {
  return find_keyword_by_token(by_open, open);
}

/* Compares two keywords, given by pointers to their indices, by their places in the file, for sorting.  */
static int compare_keyword_places(const void *a, const void *b) {
  location_t x = keywords[*(const unsigned *)a].place, y = keywords[*(const unsigned *)b].place;
  return x < y ? -1 : x > y;
}

/* Indices of the keywords in the order of their places, which is only sorted again when it must be.  */
static vec<unsigned> sorted;

/* Returns the position, in the sorted list, of the first keyword at PLACE or after it.  */
static unsigned first_keyword_from(location_t place) {
  unsigned low = 0, high = sorted.length();
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (keywords[sorted[middle]].place < place)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Appends the keywords whose places in the file are FROM, TO or between them to FOUND.  */
void spawn_keywords_between(location_t from, location_t to, vec<spawn_keyword *> *found) {
  bool ordered = true;
  for (unsigned i = sorted.length(); i < keywords.length(); i++) {
    ordered &= !i || keywords[sorted[i - 1]].place <= keywords[i].place;
    sorted.safe_push(i);
  }
  if (!ordered)
    sorted.qsort(compare_keyword_places);
  for (unsigned i = first_keyword_from(location_outside_macros(from)),
                end = first_keyword_from(location_outside_macros(to) + 1);
       i < end; i++)
    found->safe_push(&keywords[sorted[i]]);
}
