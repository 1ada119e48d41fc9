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

location_t plain_location(location_t location) {
  return get_pure_location(line_table, location);
}

bool in_macro(location_t location) {
  return linemap_location_from_macro_expansion_p(line_table, location);
}

static const line_map_macro *macro_map_of(location_t location) {
  return linemap_check_macro(linemap_lookup(line_table, location));
}

location_t place_in_file(location_t location) {
  return linemap_resolve_location(line_table, plain_location(location), LRK_MACRO_EXPANSION_POINT, NULL);
}

/* The line table only has a few thousand columns, and tokens beyond share one location.  There, a new map gives the
   token after a keyword a location of its own.  */
static bool crowded;

static void separate_line() {
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

static const char *name_of(const cpp_token *token) {
  return token->type == CPP_NAME ? (const char *)NODE_NAME(token->val.node.node) : NULL;
}

static location_t location_of(const cpp_token *token) {
  return token ? plain_location(token->src_loc) : 0;
}

bool spawned_text::begins() const {
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

void spawn_expanded(const spawned_text &text) {
  expansions.put(LINEMAPS_MACRO_USED(line_table), {location_of(text.first), location_of(text.open), text.open_index,
                                                   name_of(text.first), crowded, !text.begins()});
}

static void add(const spawn_keyword &keyword) {
  if (keyword.next)
    by_next.put(keyword.next, keywords.length());
  if (keyword.open)
    by_open.put(keyword.open, keywords.length());
  keywords.safe_push(keyword);
  for (location_t place = keyword.place; place;) {
    const line_map_ordinary *map = linemap_check_ordinary(linemap_lookup(line_table, place));
    if (files.add(ORDINARY_MAP_FILE_NAME(map)))
      break;
    place = linemap_included_from(map);
  }
}

/* In preprocessed input: the next token is the first after a pragma line.  */
static bool awaiting;

bool awaiting_token() {
  return awaiting;
}

void spawn_pragma(cpp_reader *reader) {
  cpp_options *options = cpp_get_options(reader);
  if (!options->preprocessed || options->directives_only) {
    separate_line();
    return;
  }
  awaiting = true;
}

/* gcc 11 writes the pragma of a keyword in a macro argument before the whole macro.  Then no call follows the pragma;
   if a statement does, the missing call would go unnoticed.  */
void preprocessed_token(const spawned_text &text, bool block) {
  spawn_keyword keyword = {};
  awaiting = false;
  if (block)
    return;
  keyword.where = keyword.place = keyword.next = location_of(text.first);
  keyword.open = location_of(text.open);
  keyword.name = name_of(text.first);
  keyword.like_call = text.like_call;
  keyword.before_nothing = !text.begins();
  keyword.read_here = true;
  add(keyword);
}

/* The token that is BEHIND tokens after WHERE in the same expansion; 0 if the expansion ends before.  */
static location_t in_expansion(location_t where, unsigned behind) {
  const line_map_macro *map = macro_map_of(where);
  unsigned index = where - MAP_START_LOCATION(map) + behind;
  return index < MACRO_MAP_NUM_MACRO_TOKENS(map) && MACRO_MAP_LOCATIONS(map)[2 * index] ? where + behind : 0;
}

/* Inside the body of a macro the next token of the expansion follows the keyword; at the end of the body, the token
   after the expansion does.  */
static void add_expansion(unsigned index, const line_map_macro *map, bool like_call) {
  spawn_keyword keyword = {};
  expansion *known = expansions.get(index);
  location_t where = expansion_point(map);
  while (in_macro(where) && !(keyword.next = in_expansion(where, 1)))
    where = expansion_point(macro_map_of(where));
  if (known) {
    keyword.open = !known->open ? 0 : keyword.next ? in_expansion(where, 1 + known->open_index) : known->open;
    keyword.next = keyword.next ? keyword.next : known->next;
    keyword.name = known->name;
    keyword.crowded = known->crowded;
    keyword.before_nothing = known->before_nothing;
    keyword.read_here = true;
  }
  keyword.like_call = like_call;
  keyword.where = where;
  keyword.place = place_in_file(where);
  add(keyword);
}

vec<spawn_keyword> &spawn_keywords() {
  static unsigned seen;
  for (; seen < LINEMAPS_MACRO_USED(line_table); seen++) {
    const line_map_macro *map = LINEMAPS_MACRO_MAP_AT(line_table, seen);
    const char *name = linemap_map_get_macro_name(map);
    if (!strcmp(name, SPAWN_OF_CALL) || !strcmp(name, SPAWN_OF_OTHER))
      add_expansion(seen, map, !strcmp(name, SPAWN_OF_CALL));
  }
  return keywords;
}

/* This is a fast check: most functions are in headers without keywords.  */
bool file_has_keywords(location_t where) {
  return spawn_keywords().length() && files.contains(LOCATION_FILE(place_in_file(where)));
}

/* A token can be known by its own location, by that in a macro argument, or, if it is the first token of a macro, by
   that of the use of the macro.  */
static spawn_keyword *find(keyword_index &index, location_t token, int depth = 0) {
  token = plain_location(token);
  if (!token || depth > 64)
    return NULL;
  if (unsigned *found = index.get(token))
    return &keywords[*found];
  if (!in_macro(token))
    return NULL;
  const line_map_macro *map = macro_map_of(token);
  unsigned position = token - MAP_START_LOCATION(map);
  spawn_keyword *found = find(index, MACRO_MAP_LOCATIONS(map)[2 * position], depth + 1);
  return found || position ? found : find(index, expansion_point(map), depth + 1);
}

spawn_keyword *keyword_before(location_t token) {
  return find(by_next, token);
}

spawn_keyword *keyword_of_arguments(location_t open) {
  return find(by_open, open);
}

static int by_place(const void *a, const void *b) {
  location_t x = keywords[*(const unsigned *)a].place, y = keywords[*(const unsigned *)b].place;
  return x < y ? -1 : x > y;
}

/* Indices of the keywords in the order of their places, which is only sorted again when it must be.  */
static vec<unsigned> sorted;

static unsigned first_from(location_t place) {
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

void keywords_between(location_t from, location_t to, vec<spawn_keyword *> *found) {
  bool ordered = true;
  for (unsigned i = sorted.length(); i < keywords.length(); i++) {
    ordered &= !i || keywords[sorted[i - 1]].place <= keywords[i].place;
    sorted.safe_push(i);
  }
  if (!ordered)
    sorted.qsort(by_place);
  for (unsigned i = first_from(place_in_file(from)), end = first_from(place_in_file(to) + 1); i < end; i++)
    found->safe_push(&keywords[sorted[i]]);
}
