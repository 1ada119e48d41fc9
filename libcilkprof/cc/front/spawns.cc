/* Finds the calls that are spawned.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "front.h"

/* The C++ front end has a second kind of call, for results of class type.  Markers are left out because they have the
   locations of other calls.  */
static bool call_p(tree t) {
  return TREE_CODE(t) == AGGR_INIT_EXPR || (TREE_CODE(t) == CALL_EXPR && marker_of(get_callee_fndecl(t)) == NO_MARKER);
}

static tree called_function(tree call) {
  tree function = TREE_OPERAND(call, 1);
  return function && TREE_CODE(function) == ADDR_EXPR ? TREE_OPERAND(function, 0) : NULL_TREE;
}

static bool constructor_p(tree call) {
  tree function = called_function(call);
  return function && TREE_CODE(function) == FUNCTION_DECL && DECL_CXX_CONSTRUCTOR_P(function);
}

/* A conversion that C++ puts around a call begins with the same token as the call.  */
static bool converts_p(tree call) {
  tree function = called_function(call);
  return function && TREE_CODE(function) == FUNCTION_DECL && c_dialect_cxx() &&
         (DECL_CXX_CONSTRUCTOR_P(function) || DECL_CONV_FN_P(function));
}

struct candidate {
  tree *call;
  location_t initialised; /* if the call has no location: that of the variable that gets its value */
  location_t returned;    /* or that of the end of the return statement */
  spawn_keyword *keyword; /* that spawns it */
  bool placed;
};

struct search {
  auto_vec<candidate> candidates;
  hash_set<tree> visited;
  hash_set<spawn_keyword *> taken; /* by an enclosing call, or permanently */
  hash_set<spawn_keyword *> found;
  hash_map<spawn_keyword *, tree *> folded; /* to the expression that replaces a call which C has folded */
  hash_map<tree, spawn_keyword *> cast;     /* calls with the keyword before a cast */
  location_t place = 0;                     /* of the expression around the next call that has no location */
  location_t initialised = 0, returned = 0;
  location_t last = 0; /* location of any expression */
};

static location_t start_of(location_t where) {
  return where ? get_range_from_loc(line_table, where).m_start : 0;
}

spawn_keyword *keyword_of_call(location_t where) {
  spawn_keyword *found = keyword_before(start_of(where));
  return found || !c_dialect_cxx() ? found : keyword_of_arguments(where);
}

/* The location of a call in parentheses is that of the parentheses.  In C the callee still has its own location; in C++
   the location is that of the parenthesis before the arguments.  */
static spawn_keyword *keyword_of(tree call, location_t where) {
  spawn_keyword *found = keyword_of_call(where);
  if (found || !where || c_dialect_cxx())
    return found;
  tree callee = TREE_OPERAND(call, 1);
  found = keyword_before(where);
  return found || !EXPR_P(callee) ? found : keyword_before(start_of(EXPR_LOCATION(callee)));
}

/* The variable that GCC creates for the result has the location of the call, which is used if a keyword is there.  */
static location_t place_of_slot(tree call) {
  tree slot = TREE_CODE(call) == AGGR_INIT_EXPR ? AGGR_INIT_EXPR_SLOT(call) : NULL_TREE;
  location_t where = slot && VAR_P(slot) && DECL_ARTIFICIAL(slot) ? DECL_SOURCE_LOCATION(slot) : 0;
  return where && keyword_of(call, where) ? where : 0;
}

/* Handles `cilk_spawn (void)f(x);'.  */
static void look_through_cast(tree t, search *state) {
  spawn_keyword *keyword = CONVERT_EXPR_P(t) ? keyword_before(start_of(EXPR_LOCATION(t))) : NULL;
  if (!keyword)
    return;
  while (CONVERT_EXPR_P(t) || TREE_CODE(t) == NON_LVALUE_EXPR || TREE_CODE(t) == TARGET_EXPR)
    t = TREE_OPERAND(t, TREE_CODE(t) == TARGET_EXPR ? 1 : 0);
  if (call_p(t))
    state->cast.put(t, keyword);
}

static bool constant_p(tree t, bool zero) {
  t = tree_strip_any_location_wrapper(t);
  return TREE_CODE(t) == INTEGER_CST && integer_zerop(t) == zero;
}

/* The index of an operand that is never evaluated but that C++ keeps; 0 if there is none.  */
static int dead_operand(tree t) {
  switch ((int)TREE_CODE(t)) {
  case COND_EXPR:
    return constant_p(TREE_OPERAND(t, 0), false) ? 2 : constant_p(TREE_OPERAND(t, 0), true) ? 1 : 0;
  case TRUTH_ANDIF_EXPR:
  case TRUTH_ORIF_EXPR:
    return constant_p(TREE_OPERAND(t, 0), TREE_CODE(t) == TRUTH_ANDIF_EXPR) ? 1 : 0;
  default:
    return 0;
  }
}

/* Records what T says about the location of the next call inside it.  */
static void note_surroundings(tree t, search *state) {
  if (EXPR_HAS_LOCATION(t))
    state->last = MAX(state->last, place_in_file(get_range_from_loc(line_table, EXPR_LOCATION(t)).m_finish));
  if (TREE_CODE(t) == TARGET_EXPR && EXPR_HAS_LOCATION(t) && TARGET_EXPR_INITIAL(t) && call_p(TARGET_EXPR_INITIAL(t)) &&
      !EXPR_HAS_LOCATION(TARGET_EXPR_INITIAL(t)))
    state->place = EXPR_LOCATION(t);
  else if (TREE_CODE(t) == INIT_EXPR && VAR_P(TREE_OPERAND(t, 0)) && call_p(TREE_OPERAND(t, 1)))
    state->initialised = DECL_SOURCE_LOCATION(TREE_OPERAND(t, 0));
  else if (TREE_CODE(t) == RETURN_EXPR)
    state->returned = EXPR_LOCATION(t);
}

static tree collect_call(tree *place, int *walk_subtrees, void *data);

/* C++ keeps unevaluated operands; calls in them are not spawned.  */
static void pass_over_dead(tree t, int *walk_subtrees, search *state) {
  int dead = dead_operand(t);
  if (dead || (int)TREE_CODE(t) == SIZEOF_EXPR || (int)TREE_CODE(t) == ALIGNOF_EXPR)
    *walk_subtrees = 0;
  for (int i = 0; dead && i < TREE_OPERAND_LENGTH(t); i++)
    if (i != dead)
      walk_tree(&TREE_OPERAND(t, i), collect_call, state, &state->visited);
}

/* The walk reaches outer calls first.  Of calls that begin with the same token, as in `f(x)(y)' or `a.b().c()', the
   outermost is spawned.  Separate calls can have one location, too, where a parameter pack is expanded.  */
static tree collect_call(tree *place, int *walk_subtrees, void *data) {
  search *state = (search *)data;
  tree t = *place;
  note_surroundings(t, state);
  look_through_cast(t, state);
  if (c_dialect_cxx())
    pass_over_dead(t, walk_subtrees, state);
  if (!call_p(t)) {
    spawn_keyword *before = !c_dialect_cxx() && EXPR_P(t) ? keyword_before(start_of(EXPR_LOCATION(t))) : NULL;
    if (before && before->like_call && before->name && !VOID_TYPE_P(TREE_TYPE(t)))
      state->folded.put(before, place);
    return NULL_TREE;
  }
  location_t where = EXPR_HAS_LOCATION(t) ? EXPR_LOCATION(t) : state->place ? state->place : place_of_slot(t);
  spawn_keyword **before_cast = state->cast.get(t), *keyword = before_cast ? *before_cast : keyword_of(t, where);
  if (keyword && state->taken.contains(keyword))
    keyword = NULL;
  unsigned index = state->candidates.length();
  state->candidates.safe_push({place, state->initialised, state->returned, keyword, where != 0});
  state->place = 0;
  state->initialised = state->returned = 0;
  if (!keyword)
    return NULL_TREE;
  bool outermost = !converts_p(t);
  if (outermost)
    state->taken.add(keyword);
  *walk_subtrees = 0;
  for (int i = 1; i < VL_EXP_OPERAND_LENGTH(t); i++)
    walk_tree(&TREE_OPERAND(t, i), collect_call, state, &state->visited);
  for (unsigned i = index + 1; i < state->candidates.length() && !outermost; i++)
    if (state->candidates[i].keyword == keyword)
      state->candidates[index].keyword = NULL;
  state->found.add(keyword);
  if (!keyword->crowded)
    state->taken.remove(keyword);
  else
    state->taken.add(keyword);
  return NULL_TREE;
}

/* In `S q = cilk_spawn h ();' the call has no location, but the variable or the end of the return statement has.  It
   must be within a few lines of the keyword, with no other keyword between.  */
static bool initialises_behind(const candidate &c, const spawn_keyword *keyword) {
  if (c.placed || constructor_p(*c.call) || (!c.initialised && !c.returned))
    return false;
  location_t from = c.initialised ? plain_location(c.initialised) : keyword->place;
  location_t to = c.initialised ? keyword->place : plain_location(c.returned);
  if (from >= to || expand_location(to).line - expand_location(from).line > 4)
    return false;
  auto_vec<spawn_keyword *> between;
  keywords_between(from, to, &between);
  return between.length() == 1;
}

/* A spawned function is neither inlined nor assumed to have no side effects.  */
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

/* Replaces the call by one with the mark as an additional argument.  Being an argument, it does not change the order in
   which the others are evaluated.  */
static void mark_call(tree *place, location_t keyword) {
  tree call = *place;
  int operands = VL_EXP_OPERAND_LENGTH(call);
  tree marked = build_vl_exp(TREE_CODE(call), operands + 1);
  tree length = TREE_OPERAND(marked, 0);
  memcpy((void *)marked, (void *)call, offsetof(struct tree_exp, operands));
  VL_EXP_CHECK(marked)->exp.operands[0] = length;
  for (int i = 1; i < operands; i++)
    TREE_OPERAND(marked, i) = TREE_OPERAND(call, i);
  TREE_OPERAND(marked, operands) = spawned_mark(keyword);
  TREE_SIDE_EFFECTS(marked) = 1;
  *place = marked;
  if (instrumenting)
    keep_function(called_function(call));
}

/* In a template, a call that returns a class may have no location at all.  Then the call is the outermost without a
   location in the innermost expression around the keyword.  */
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

static candidate *find_call_around(tree function, const spawn_keyword *keyword, vec<candidate> &candidates) {
  surrounding search = {keyword->place, NULL};
  tree *found = NULL;
  hash_set<tree> visited;
  walk_tree(&DECL_SAVED_TREE(function), find_surrounding, &search, &visited);
  if (search.expression)
    walk_tree_without_duplicates(search.expression, find_call_without_place, &found);
  for (candidate &c : candidates)
    if (found && !c.keyword && *c.call == *found)
      return &c;
  return NULL;
}

/* In a precompiled header the token after the keyword is unknown, so the nearest call after it is taken.  */
static candidate *find_nearest(const spawn_keyword *keyword, vec<candidate> &candidates) {
  candidate *nearest = NULL;
  for (candidate &c : candidates) {
    location_t start = plain_location(start_of(EXPR_LOCATION(*c.call)));
    if (!c.keyword && start > keyword->where && !in_macro(start) &&
        (!nearest || start < plain_location(start_of(EXPR_LOCATION(*nearest->call)))))
      nearest = &c;
  }
  return nearest;
}

static candidate *find_call(tree function, const spawn_keyword *keyword, vec<candidate> &candidates) {
  if (!keyword->next && !in_macro(keyword->where))
    return find_nearest(keyword, candidates);
  for (candidate &c : candidates)
    if (!c.keyword && initialises_behind(c, keyword))
      return &c;
  return c_dialect_cxx() && !in_macro(keyword->where) ? find_call_around(function, keyword, candidates) : NULL;
}

/* Spawns the operation that the front end has made of a call of a built-in function such as abs.  */
static void spawn_folded(tree *place, const char *name) {
  tree value = save_expr(*place), type = TREE_TYPE(value);
  tree begin = build_mark(MARK_BLOCK, {build_string_literal(strlen(name) + 1, name)});
  SET_EXPR_LOCATION(begin, EXPR_LOCATION(value));
  tree after = build2(COMPOUND_EXPR, type, build_mark(MARK_BLOCK_END), value);
  *place = build2(COMPOUND_EXPR, type, begin, build2(COMPOUND_EXPR, type, value, after));
}

/* Matches the keywords of the function that have no call yet.  Keywords in a lambda belong to that.  */
static void find_others(tree function, search *state) {
  auto_vec<spawn_keyword *> inside;
  location_t start = start_of_function(function);
  location_t end = MAX(state->last, place_in_file(DECL_STRUCT_FUNCTION(function)->function_end_locus));
  own_keywords(function, end);
  reach_keywords(function, end);
  keywords_between(start, end, &inside);
  for (spawn_keyword *keyword : inside) {
    if (state->found.contains(keyword) || (keyword->matched && keyword->owner != start))
      continue;
    if (candidate *c = find_call(function, keyword, state->candidates)) {
      c->keyword = keyword;
      state->found.add(keyword);
    } else if (tree **place = state->folded.get(keyword)) {
      if (instrumenting)
        spawn_folded(*place, keyword->name);
      keyword->matched = true;
    }
  }
}

void mark_spawned_calls(tree function) {
  if (!file_has_keywords(DECL_SOURCE_LOCATION(function)))
    return;
  search state;
  walk_tree(&DECL_SAVED_TREE(function), collect_call, &state, &state.visited);
  find_others(function, &state);
  /* Innermost calls come first, because marking a call copies it.  */
  for (unsigned i = state.candidates.length(); i-- > 0;) {
    candidate &c = state.candidates[i];
    if (!c.keyword)
      continue;
    match_keyword(c.keyword, function);
    if ((instrumenting || parallel) && !marked_p(*c.call) && !deferrable_p(*c.call)) {
      mark_call(c.call, c.keyword->place);
      if (c_dialect_cxx())
        clear_fold_cache(); /* it has simplified copies of enclosing expressions without the mark */
    }
  }
}

/* The compiler copies default values to wherever they are used.  The copies have other locations, so a spawn in them
   could not be found.  */
static tree refuse_spawn(tree *place, int *, void *where) {
  spawn_keyword *keyword = EXPR_P(*place) ? keyword_of_call(EXPR_LOCATION(*place)) : NULL;
  if (keyword && !keyword->matched) {
    error_at(keyword->where, "%<cilk_spawn%> in a %s", (const char *)where);
    keyword->matched = true; /* report it only once */
  }
  return NULL_TREE;
}

static void refuse_spawns(tree value, const char *where) {
  if (value && value != error_mark_node && TREE_CODE(value) != DEFERRED_PARSE)
    walk_tree_without_duplicates(&value, refuse_spawn, (void *)where);
}

static void refuse_in_declaration(tree decl) {
  if (TREE_CODE(decl) == FIELD_DECL)
    refuse_spawns(DECL_INITIAL(decl), "default member initializer");
  if (TREE_CODE(decl) == FUNCTION_DECL)
    for (tree type = TYPE_ARG_TYPES(TREE_TYPE(decl)); type; type = TREE_CHAIN(type))
      refuse_spawns(TREE_PURPOSE(type), "default argument");
}

void declaration_parsed(void *decl, void *) {
  if (c_dialect_cxx() && decl && DECL_P((tree)decl) && spawn_keywords().length())
    refuse_in_declaration((tree)decl);
}

void type_parsed(void *type, void *) {
  if (!c_dialect_cxx() || !type || !CLASS_TYPE_P((tree)type) || !spawn_keywords().length())
    return;
  for (tree member = TYPE_FIELDS((tree)type); member; member = DECL_CHAIN(member))
    refuse_in_declaration(member);
}
