/* Which calls are spawned.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"

/* The C++ front end has a second kind of call, for results of class type.  It is told by name: its code's number is
   known only to that front end.  */
static bool call_p(tree t) {
  return TREE_CODE(t) == CALL_EXPR || !strcmp(get_tree_code_name(TREE_CODE(t)), "aggr_init_expr");
}

struct candidate {
  tree *call;
  location_t start; /* of its first token; 0: unknown */
  tree initialised; /* the variable that it initialises, where its own place is unknown */
};

struct search {
  vec<candidate> *candidates;
  location_t place; /* of the expression just around the next call that has none of its own */
  tree initialised;
};

/* Outermost calls come first: of calls that begin with the same token, `f(x)(y)' or `a.b().c()', it is the outermost
   that is spawned.  */
static tree collect_call(tree *place, int *, void *data) {
  search *state = (search *)data;
  tree t = *place;
  if (TREE_CODE(t) == TARGET_EXPR && EXPR_HAS_LOCATION(t) && TARGET_EXPR_INITIAL(t) && call_p(TARGET_EXPR_INITIAL(t)) &&
      !EXPR_HAS_LOCATION(TARGET_EXPR_INITIAL(t)))
    state->place = EXPR_LOCATION(t);
  else if (TREE_CODE(t) == INIT_EXPR && VAR_P(TREE_OPERAND(t, 0)) && call_p(TREE_OPERAND(t, 1)))
    state->initialised = TREE_OPERAND(t, 0);
  else if (call_p(t)) {
    location_t where = EXPR_HAS_LOCATION(t) ? EXPR_LOCATION(t) : state->place;
    location_t start = where ? get_range_from_loc(line_table, where).m_start : 0;
    state->candidates->safe_push({place, start, state->initialised});
    state->place = 0;
    state->initialised = NULL_TREE;
  }
  return NULL_TREE;
}

static tree called_function(tree call) {
  tree function = TREE_OPERAND(call, 1);
  return function && TREE_CODE(function) == ADDR_EXPR ? TREE_OPERAND(function, 0) : NULL_TREE;
}

static bool constructor_p(tree call) {
  tree function = called_function(call);
  return function && TREE_CODE(function) == FUNCTION_DECL && DECL_CXX_CONSTRUCTOR_P(function);
}

/* `S q = cilk_spawn h ();': the call has no place, but the variable has: on the keyword's line or a little above, with
   no other keyword between.  */
static bool initialises_behind(const candidate &c, const spawn_keyword &keyword, const vec<spawn_keyword> &all) {
  if (!c.initialised || c.start || constructor_p(*c.call))
    return false;
  location_t variable = plain_location(DECL_SOURCE_LOCATION(c.initialised));
  if (variable >= keyword.where || expand_location(keyword.where).line - expand_location(variable).line > 4)
    return false;
  for (const spawn_keyword &other : all)
    if (other.where > variable && other.where < keyword.where)
      return false;
  return true;
}

/* Compared by name: in a precompiled header it is another declaration.  */
static const char mark_name[] = "__cilkprof_spawned_call";

static tree mark_argument() {
  tree mark = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(mark_name), char_type_node);
  DECL_EXTERNAL(mark) = TREE_PUBLIC(mark) = TREE_ADDRESSABLE(mark) = DECL_ARTIFICIAL(mark) = TREE_USED(mark) = 1;
  return build1(ADDR_EXPR, build_pointer_type(char_type_node), mark);
}

bool spawned_call_p(const gimple *statement) {
  unsigned count = is_gimple_call(statement) ? gimple_call_num_args(statement) : 0;
  if (!count)
    return false;
  tree last = gimple_call_arg(statement, count - 1);
  if (TREE_CODE(last) != ADDR_EXPR || !VAR_P(TREE_OPERAND(last, 0)) || !DECL_NAME(TREE_OPERAND(last, 0)))
    return false;
  return !strcmp(IDENTIFIER_POINTER(DECL_NAME(TREE_OPERAND(last, 0))), mark_name);
}

/* A spawned function stays a function: it is not inlined, and not taken to be without effect.  */
static const char spawned_attribute[] = "cilkprof spawned";

bool spawned_function_p(tree function) {
  return lookup_attribute(spawned_attribute, DECL_ATTRIBUTES(function)) != NULL_TREE;
}

static void keep_function(tree function) {
  if (!function || TREE_CODE(function) != FUNCTION_DECL || fndecl_built_in_p(function) ||
      spawned_function_p(function) || lookup_attribute("always_inline", DECL_ATTRIBUTES(function)))
    return;
  DECL_UNINLINABLE(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier(spawned_attribute), NULL_TREE, DECL_ATTRIBUTES(function));
  TREE_READONLY(function) = DECL_PURE_P(function) = DECL_LOOPING_CONST_OR_PURE_P(function) = 0;
}

/* The call with one more argument.  The mark survives whatever the front end and the gimplifier do to the call, and its
   arguments are evaluated before it, as they must be.  */
static void mark_call(tree *place) {
  tree call = *place;
  int operands = VL_EXP_OPERAND_LENGTH(call);
  tree marked = build_vl_exp(TREE_CODE(call), operands + 1);
  tree length = TREE_OPERAND(marked, 0);
  memcpy((void *)marked, (void *)call, offsetof(struct tree_exp, operands));
  VL_EXP_CHECK(marked)->exp.operands[0] = length;
  for (int i = 1; i < operands; i++)
    TREE_OPERAND(marked, i) = TREE_OPERAND(call, i);
  TREE_OPERAND(marked, operands) = mark_argument();
  TREE_SIDE_EFFECTS(marked) = 1;
  *place = marked;
  keep_function(called_function(call));
}

/* In a template the call of a function with a class for result may have no place at all.  Then the innermost expression
   around the keyword has one, and the call is the outermost in it without.  */
struct surrounding {
  location_t keyword;
  tree *expression;
};

static tree find_surrounding(tree *place, int *, void *data) {
  surrounding *search = (surrounding *)data;
  if (!EXPR_P(*place) || !EXPR_HAS_LOCATION(*place))
    return NULL_TREE;
  source_range range = get_range_from_loc(line_table, EXPR_LOCATION(*place));
  location_t start = plain_location(range.m_start), finish = plain_location(range.m_finish);
  if (!in_macro(start) && !in_macro(finish) && start < search->keyword && search->keyword < finish)
    search->expression = place;
  return NULL_TREE;
}

static tree find_call_without_place(tree *place, int *, void *data) {
  if (!call_p(*place) || EXPR_HAS_LOCATION(*place) || constructor_p(*place))
    return NULL_TREE;
  *(tree **)data = place;
  return *place;
}

static candidate *find_call_around(tree function, const spawn_keyword &keyword, vec<candidate> &candidates) {
  surrounding search = {keyword.where, NULL};
  tree *found = NULL;
  hash_set<tree> visited;
  walk_tree(&DECL_SAVED_TREE(function), find_surrounding, &search, &visited);
  if (search.expression)
    walk_tree_without_duplicates(search.expression, find_call_without_place, &found);
  for (candidate &c : candidates)
    if (found && c.call && *c.call == *found)
      return &c;
  return NULL;
}

static bool within(location_t where, tree function) {
  location_t start = plain_location(DECL_SOURCE_LOCATION(function));
  location_t end = plain_location(DECL_STRUCT_FUNCTION(function)->function_end_locus);
  if (in_macro(where) || in_macro(start) || in_macro(end))
    return true; /* places inside and outside of macros cannot be ordered */
  return where >= start && (!end || where <= end);
}

static candidate *find_call(const spawn_keyword &keyword, vec<candidate> &candidates, const vec<spawn_keyword> &all) {
  candidate *nearest = NULL;
  for (candidate &c : candidates)
    if (c.call && stands_behind(c.start, keyword) &&
        (!nearest || place_in_file(c.start) < place_in_file(nearest->start)))
      nearest = &c;
  if (nearest)
    return nearest;
  for (candidate &c : candidates)
    if (c.call && initialises_behind(c, keyword, all))
      return &c;
  return NULL;
}

static void report(const spawn_keyword &keyword) {
  error_at(keyword.where, "%<cilk_spawn%> must be followed by a function call");
}

void mark_spawned_calls(tree function) {
  vec<spawn_keyword> &keywords = spawn_keywords();
  if (!keywords.length())
    return;
  auto_vec<candidate> candidates;
  search state = {&candidates, 0, NULL_TREE};
  hash_set<tree> visited;
  walk_tree(&DECL_SAVED_TREE(function), collect_call, &state, &visited);
  for (spawn_keyword &keyword : keywords) {
    if (!within(keyword.where, function))
      continue;
    candidate *found = find_call(keyword, candidates, keywords);
    if (!found && c_dialect_cxx() && !keyword.matched)
      found = find_call_around(function, keyword, candidates);
    if (found) {
      if (instrumenting)
        mark_call(found->call);
      found->call = NULL;
      keyword.matched = true;
    }
    keyword.reached |= !in_macro(keyword.where);
    /* In C nothing of a function is compiled later than the function; in C++ a lambda is.  */
    if (!keyword.matched && !c_dialect_cxx() && keyword.reached) {
      report(keyword);
      keyword.matched = true;
    }
  }
}

/* A keyword in a template that is never used is not reached.  A call that C++ evaluated at compile time is gone.  */
void report_unmatched_keywords() {
  for (const spawn_keyword &keyword : spawn_keywords())
    if (keyword.reached && !keyword.matched && !looks_like_call(keyword.where))
      report(keyword);
}
