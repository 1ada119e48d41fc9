/* Finds the calls that are spawned.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "front.h"

/* Returns true if T is a call in the program, of either kind: the C++ front end has a second one, for results of class
   type.  Markers are left out because they have the locations of other calls.  */
static bool program_call_at_keyword_p(tree t) {
  return TREE_CODE(t) == AGGR_INIT_EXPR ||
         (TREE_CODE(t) == CALL_EXPR && marker_of_decl(get_callee_fndecl(t)) == NO_MARKER);
}

/* Returns the declaration of the function that CALL names; NULL_TREE if it calls through a pointer.  */
static tree function_called_at_keyword(tree call) {
  tree function = TREE_OPERAND(call, 1);
  return function && TREE_CODE(function) == ADDR_EXPR ? TREE_OPERAND(function, 0) : NULL_TREE;
}

/* Returns true if CALL calls a constructor of a C++ class.  */
static bool spawned_constructor_call_p(tree call) {
  tree function = function_called_at_keyword(call);
  return function && TREE_CODE(function) == FUNCTION_DECL && DECL_CXX_CONSTRUCTOR_P(function);
}

/* Returns true if CALL is a conversion to or from a C++ class.  One that C++ puts around a call begins with the same
   token as the call.  */
static bool spawned_conversion_call_p(tree call) {
  tree function = function_called_at_keyword(call);
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

/* Returns the location where the source range of WHERE begins, or 0 if WHERE is 0.  */
static location_t keyword_range_start(location_t where) {
  return where ? get_range_from_loc(line_table, where).m_start : 0;
}

/* Returns the cilk_spawn before the call at WHERE; NULL if there is none.  */
spawn_keyword *keyword_at_call_location(location_t where) {
  spawn_keyword *found = keyword_before_token(keyword_range_start(where));
  return found || !c_dialect_cxx() ? found : keyword_of_call_arguments(where);
}

/* Returns the cilk_spawn before CALL, whose location is WHERE; NULL if there is none.  The location of a call in
   parentheses is that of the parentheses.  In C the callee still has its own location; in C++ the location is that of
   the parenthesis before the arguments.  */
static spawn_keyword *keyword_of_call_tree(tree call, location_t where) {
  spawn_keyword *found = keyword_at_call_location(where);
  if (found || !where || c_dialect_cxx())
    return found;
  tree callee = TREE_OPERAND(call, 1);
  found = keyword_before_token(where);
  return found || !EXPR_P(callee) ? found : keyword_before_token(keyword_range_start(EXPR_LOCATION(callee)));
}

/* Returns the location of the variable that GCC creates for the result of CALL if a keyword is there, else 0.  It has
   the location of the call.  */
static location_t spawned_slot_location(tree call) {
  tree slot = TREE_CODE(call) == AGGR_INIT_EXPR ? AGGR_INIT_EXPR_SLOT(call) : NULL_TREE;
  location_t where = slot && VAR_P(slot) && DECL_ARTIFICIAL(slot) ? DECL_SOURCE_LOCATION(slot) : 0;
  return where && keyword_of_call_tree(call, where) ? where : 0;
}

/* Records in STATE the keyword before a cast T of a call, as in `cilk_spawn (void)f(x);'.  */
static void note_keyword_before_cast(tree t, search *state) {
  spawn_keyword *keyword = CONVERT_EXPR_P(t) ? keyword_before_token(keyword_range_start(EXPR_LOCATION(t))) : NULL;
  if (!keyword)
    return;
  while (CONVERT_EXPR_P(t) || TREE_CODE(t) == NON_LVALUE_EXPR || TREE_CODE(t) == TARGET_EXPR)
    t = TREE_OPERAND(t, TREE_CODE(t) == TARGET_EXPR ? 1 : 0);
  if (program_call_at_keyword_p(t))
    state->cast.put(t, keyword);
}

/* Returns true if T is an integer constant that is 0, if ZERO is set, or not 0 otherwise.  */
static bool constant_spawn_condition_p(tree t, bool zero) {
  t = tree_strip_any_location_wrapper(t);
  return TREE_CODE(t) == INTEGER_CST && integer_zerop(t) == zero;
}

/* Returns the index of an operand of T that is never evaluated but that C++ keeps; 0 if there is none.  */
static int dead_operand_around_keyword(tree t) {
  switch ((int)TREE_CODE(t)) {
  case COND_EXPR:
    return constant_spawn_condition_p(TREE_OPERAND(t, 0), false)  ? 2
           : constant_spawn_condition_p(TREE_OPERAND(t, 0), true) ? 1
                                                                  : 0;
  case TRUTH_ANDIF_EXPR:
  case TRUTH_ORIF_EXPR:
    return constant_spawn_condition_p(TREE_OPERAND(t, 0), TREE_CODE(t) == TRUTH_ANDIF_EXPR) ? 1 : 0;
  default:
    return 0;
  }
}

/* Records in STATE the source locations that T gives for a call inside it: the furthest end of any expression so far,
   the temporary or variable that the call initialises, or the return statement around it.  */
static void note_source_around_keyword_call(tree t, search *state) {
  if (EXPR_HAS_LOCATION(t))
    state->last = MAX(state->last, location_outside_macros(get_range_from_loc(line_table, EXPR_LOCATION(t)).m_finish));
  if (TREE_CODE(t) == TARGET_EXPR && EXPR_HAS_LOCATION(t) && TARGET_EXPR_INITIAL(t) &&
      program_call_at_keyword_p(TARGET_EXPR_INITIAL(t)) && !EXPR_HAS_LOCATION(TARGET_EXPR_INITIAL(t)))
    state->place = EXPR_LOCATION(t);
  else if (TREE_CODE(t) == INIT_EXPR && VAR_P(TREE_OPERAND(t, 0)) && program_call_at_keyword_p(TREE_OPERAND(t, 1)))
    state->initialised = DECL_SOURCE_LOCATION(TREE_OPERAND(t, 0));
  else if (TREE_CODE(t) == RETURN_EXPR)
    state->returned = EXPR_LOCATION(t);
}

static tree collect_spawn_candidate(tree *place, int *walk_subtrees, void *data);

/* Keeps the walk of STATE out of operands of T that are never evaluated, but that C++ keeps, and visits the others.  */
static void skip_unevaluated_spawn_operands(tree t, int *walk_subtrees, search *state) {
  int dead = dead_operand_around_keyword(t);
  if (dead || (int)TREE_CODE(t) == SIZEOF_EXPR || (int)TREE_CODE(t) == ALIGNOF_EXPR)
    *walk_subtrees = 0;
  for (int i = 0; dead && i < TREE_OPERAND_LENGTH(t); i++)
    if (i != dead)
      walk_tree(&TREE_OPERAND(t, i), collect_spawn_candidate, state, &state->visited);
}

/* Callback for walk_tree: adds the call at PLACE, and the keyword before it, to DATA, a struct search.  Outer calls
   come first.  Of calls that begin with the same token, as in `f(x)(y)' or `a.b().c()', the outermost is spawned.
   Separate calls can have one location, too, where a parameter pack is expanded.  */
static tree collect_spawn_candidate(tree *place, int *walk_subtrees, void *data) {
  search *state = (search *)data;
  tree t = *place;
  note_source_around_keyword_call(t, state);
  note_keyword_before_cast(t, state);
  if (c_dialect_cxx())
    skip_unevaluated_spawn_operands(t, walk_subtrees, state);
  if (!program_call_at_keyword_p(t)) {
    spawn_keyword *before =
        !c_dialect_cxx() && EXPR_P(t) ? keyword_before_token(keyword_range_start(EXPR_LOCATION(t))) : NULL;
    if (before && before->like_call && before->name && !VOID_TYPE_P(TREE_TYPE(t)))
      state->folded.put(before, place);
    return NULL_TREE;
  }
  location_t where = EXPR_HAS_LOCATION(t) ? EXPR_LOCATION(t) : state->place ? state->place : spawned_slot_location(t);
  spawn_keyword **before_cast = state->cast.get(t),
                *keyword = before_cast ? *before_cast : keyword_of_call_tree(t, where);
  if (keyword && state->taken.contains(keyword))
    keyword = NULL;
  unsigned index = state->candidates.length();
  state->candidates.safe_push({place, state->initialised, state->returned, keyword, where != 0});
  state->place = 0;
  state->initialised = state->returned = 0;
  if (!keyword)
    return NULL_TREE;
  bool outermost = !spawned_conversion_call_p(t);
  if (outermost)
    state->taken.add(keyword);
  *walk_subtrees = 0;
  for (int i = 1; i < VL_EXP_OPERAND_LENGTH(t); i++)
    walk_tree(&TREE_OPERAND(t, i), collect_spawn_candidate, state, &state->visited);
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

/* Returns true if the candidate C, a call without location, is the one after KEYWORD.  In `S q = cilk_spawn h ();' the
   variable, or the end of the return statement, has a location.  It must be within a few lines of the keyword, with no
   other keyword between.  */
static bool initialises_behind_keyword_p(const candidate &c, const spawn_keyword *keyword) {
  if (c.placed || spawned_constructor_call_p(*c.call) || (!c.initialised && !c.returned))
    return false;
  location_t from = c.initialised ? plain_token_location(c.initialised) : keyword->place;
  location_t to = c.initialised ? keyword->place : plain_token_location(c.returned);
  if (from >= to || expand_location(to).line - expand_location(from).line > 4)
    return false;
  auto_vec<spawn_keyword *> between;
  spawn_keywords_between(from, to, &between);
  return between.length() == 1;
}

/* A spawned function is neither inlined nor assumed to have no side effects.  */
static const char spawned_attribute[] = "cilkprof spawned";

/* Returns true if some call in this unit, compiled with -fcilkprof, spawns FUNCTION.  */
bool spawned_function_p(tree function) {
  return lookup_attribute(spawned_attribute, DECL_ATTRIBUTES(function)) != NULL_TREE;
}

/* Keeps FUNCTION, which is spawned, from being inlined and from being taken for one without side effects.  */
static void keep_spawned_function(tree function) {
  if (!function || TREE_CODE(function) != FUNCTION_DECL || fndecl_built_in_p(function) ||
      spawned_function_p(function) || lookup_attribute("always_inline", DECL_ATTRIBUTES(function)))
    return;
  DECL_UNINLINABLE(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier(spawned_attribute), NULL_TREE, DECL_ATTRIBUTES(function));
  TREE_READONLY(function) = DECL_PURE_P(function) = DECL_LOOPING_CONST_OR_PURE_P(function) = 0;
}

/* Replaces the call at PLACE by one with the mark of spawned calls, located at KEYWORD, as an additional argument.
   Being an argument, it does not change the order in which the others are evaluated.  */
static void add_spawn_mark(tree *place, location_t keyword) {
  tree call = *place;
  int operands = VL_EXP_OPERAND_LENGTH(call);
  tree marked = build_vl_exp(TREE_CODE(call), operands + 1);
  tree length = TREE_OPERAND(marked, 0);
  memcpy((void *)marked, (void *)call, offsetof(struct tree_exp, operands));
  VL_EXP_CHECK(marked)->exp.operands[0] = length;
  for (int i = 1; i < operands; i++)
    TREE_OPERAND(marked, i) = TREE_OPERAND(call, i);
  TREE_OPERAND(marked, operands) = new_spawn_mark(keyword);
  TREE_SIDE_EFFECTS(marked) = 1;
  *place = marked;
  if (instrumenting)
    keep_spawned_function(function_called_at_keyword(call));
}

/* In a template, a call that returns a class may have no location at all.  Then the call is the outermost without a
   location in the innermost expression around the keyword.  */
struct surrounding {
  location_t keyword;
  tree *expression;
};

/* Callback for walk_tree: stores in DATA, a struct surrounding, the innermost expression around the keyword.  */
static tree find_expression_around_keyword(tree *place, int *, void *data) {
  surrounding *search = (surrounding *)data;
  if (!EXPR_P(*place) || !EXPR_HAS_LOCATION(*place))
    return NULL_TREE;
  source_range range = get_range_from_loc(line_table, EXPR_LOCATION(*place));
  location_t start = plain_token_location(range.m_start), finish = plain_token_location(range.m_finish);
  if (!location_in_macro_p(start) && !location_in_macro_p(finish) && start < search->keyword &&
      search->keyword < finish)
    search->expression = place;
  return NULL_TREE;
}

/* Callback for walk_tree: stops at a call without location that is no constructor's; DATA gets its place.  */
static tree find_unlocated_spawned_call(tree *place, int *, void *data) {
  if (!program_call_at_keyword_p(*place) || EXPR_HAS_LOCATION(*place) || spawned_constructor_call_p(*place))
    return NULL_TREE;
  *(tree **)data = place;
  return *place;
}

/* Returns the outermost call without location in the innermost expression around KEYWORD in FUNCTION, or NULL.  */
static candidate *find_call_around_keyword(tree function, const spawn_keyword *keyword, vec<candidate> &candidates) {
  surrounding search = {keyword->place, NULL};
  tree *found = NULL;
  hash_set<tree> visited;
  walk_tree(&DECL_SAVED_TREE(function), find_expression_around_keyword, &search, &visited);
  if (search.expression)
    walk_tree_without_duplicates(search.expression, find_unlocated_spawned_call, &found);
  for (candidate &c : candidates)
    if (found && !c.keyword && *c.call == *found)
      return &c;
  return NULL;
}

/* Returns the nearest call after KEYWORD, or NULL, for a precompiled header, where the token after it is unknown.  */
static candidate *find_call_nearest_keyword(const spawn_keyword *keyword, vec<candidate> &candidates) {
  candidate *nearest = NULL;
  for (candidate &c : candidates) {
    location_t start = plain_token_location(keyword_range_start(EXPR_LOCATION(*c.call)));
    if (!c.keyword && start > keyword->where && !location_in_macro_p(start) &&
        (!nearest || start < plain_token_location(keyword_range_start(EXPR_LOCATION(*nearest->call)))))
      nearest = &c;
  }
  return nearest;
}

/* Returns the candidate in FUNCTION that KEYWORD spawns, although no call has the location of the token after it; NULL
   if there is none.  */
static candidate *find_call_of_keyword(tree function, const spawn_keyword *keyword, vec<candidate> &candidates) {
  if (!keyword->next && !location_in_macro_p(keyword->where))
    return find_call_nearest_keyword(keyword, candidates);
  for (candidate &c : candidates)
    if (!c.keyword && initialises_behind_keyword_p(c, keyword))
      return &c;
  return c_dialect_cxx() && !location_in_macro_p(keyword->where)
             ? find_call_around_keyword(function, keyword, candidates)
             : NULL;
}

/* Finds calls for the keywords of FUNCTION that have none yet in STATE.  Those in a lambda belong to that.  */
static void match_remaining_keywords(tree function, search *state) {
  auto_vec<spawn_keyword *> inside;
  location_t start = keyword_function_location(function);
  location_t end = MAX(state->last, location_outside_macros(DECL_STRUCT_FUNCTION(function)->function_end_locus));
  assign_keywords_to_function(function, end);
  mark_keywords_reached(function, end);
  spawn_keywords_between(start, end, &inside);
  for (spawn_keyword *keyword : inside) {
    if (state->found.contains(keyword) || (keyword->matched && keyword->owner != start))
      continue;
    if (candidate *c = find_call_of_keyword(function, keyword, state->candidates)) {
      c->keyword = keyword;
      state->found.add(keyword);
    } else if (tree **place = state->folded.get(keyword)) {
      if (instrumenting)
        mark_spawned_operation(*place, keyword->name);
      keyword->matched = true;
    }
  }
}

/* Finds the calls in FUNCTION that a cilk_spawn stands before, and marks them as spawned.  */
void mark_spawned_calls(tree function) {
  if (!file_has_keywords_p(DECL_SOURCE_LOCATION(function)))
    return;
  search state;
  walk_tree(&DECL_SAVED_TREE(function), collect_spawn_candidate, &state, &state.visited);
  match_remaining_keywords(function, &state);
  /* Innermost calls come first, because marking a call copies it.  */
  for (unsigned i = state.candidates.length(); i-- > 0;) {
    candidate &c = state.candidates[i];
    if (!c.keyword)
      continue;
    match_spawn_keyword(c.keyword, function);
    if ((instrumenting || parallel) && !spawn_marked_call_p(*c.call) && !deferrable_marked_p(*c.call)) {
      if (!spawned_operation_p(*c.call))
        add_spawn_mark(c.call, c.keyword->place);
      else if (instrumenting)
        mark_spawned_operation_call(c.call);
      if (c_dialect_cxx())
        clear_fold_cache(); /* it has simplified copies of enclosing expressions without the mark */
    }
  }
}

/* Callback for walk_tree: reports a cilk_spawn before the tree at PLACE, in a default value that WHERE describes.  The
   compiler copies default values to wherever they are used.  The copies have other locations, so a spawn in them could
   not be found.  */
static tree refuse_spawn_in_default(tree *place, int *, void *where) {
  spawn_keyword *keyword = EXPR_P(*place) ? keyword_at_call_location(EXPR_LOCATION(*place)) : NULL;
  if (keyword && !keyword->matched) {
    error_at(keyword->where, "%<cilk_spawn%> in a %s", (const char *)where);
    keyword->matched = true; /* report it only once */
  }
  return NULL_TREE;
}

/* Reports each cilk_spawn in VALUE, a default value that WHERE describes in words.  VALUE may be NULL_TREE.  */
static void refuse_spawns_in_value(tree value, const char *where) {
  if (value && value != error_mark_node && TREE_CODE(value) != DEFERRED_PARSE)
    walk_tree_without_duplicates(&value, refuse_spawn_in_default, (void *)where);
}

/* Reports each cilk_spawn in a default member initialiser or a default argument of DECL.  */
static void refuse_spawns_in_declaration(tree decl) {
  if (TREE_CODE(decl) == FIELD_DECL)
    refuse_spawns_in_value(DECL_INITIAL(decl), "default member initializer");
  if (TREE_CODE(decl) == FUNCTION_DECL)
    for (tree type = TYPE_ARG_TYPES(TREE_TYPE(decl)); type; type = TREE_CHAIN(type))
      refuse_spawns_in_value(TREE_PURPOSE(type), "default argument");
}

/* Callback for each declaration DECL that was parsed: reports each cilk_spawn in its default values.  */
void check_parsed_declaration(void *decl, void *) {
  if (c_dialect_cxx() && decl && DECL_P((tree)decl) && all_spawn_keywords().length())
    refuse_spawns_in_declaration((tree)decl);
}

/* Callback for each class TYPE that was parsed: reports each cilk_spawn in default values of its members.  */
void check_parsed_type(void *type, void *) {
  if (!c_dialect_cxx() || !type || !CLASS_TYPE_P((tree)type) || !all_spawn_keywords().length())
    return;
  for (tree member = TYPE_FIELDS((tree)type); member; member = DECL_CHAIN(member))
    refuse_spawns_in_declaration(member);
}
