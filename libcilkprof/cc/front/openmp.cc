/* Puts markers at the OpenMP constructs in the trees of a function.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC lowers the constructs as usual, so their clauses keep their meaning.  Markers are added where the parallelism is:
     loops                      mark_team_loop before, mark_iterate in the body, mark_loop_end (openmp-loops.cc)
     section, single nowait     mark_task ... mark_block_end
     single, master, masked     mark_called ... mark_block_end, a row of its own in the profile
     parallel                   mark_called ... mark_block_end, a row of its own in the profile; combined with a loop
                                only a scope, because the loop has the row
     critical, ordered, atomic  mark_lock ... mark_block_end (openmp-atomic.cc)
   Tasks, and the functions into which GCC outlines the bodies, are handled in openmp-calls.cc.  */

#include "front.h"
#include "openmp-calls.h"
#include "omp-general.h"
#include "libcilkprof/abi/state.h"

struct found_construct {
  tree *place;
  tree inner;       /* for a loop construct: the loop that has the iterations */
  const char *name; /* of a loop or a parallel region; NULL if it has none */
  bool nowait;
  bool shared = false; /* a loop: threads of a team may run it, each with its part; an atomic operation: they may wait
                          for each other by it */
};

struct construct_search {
  auto_vec<found_construct> found;
  hash_set<tree> parts; /* of composite constructs, which are not marked by themselves */
  /* Loops, atomic operations and calls in regions: that do not look at thread numbers, so that one thread runs them,
     and that do.  */
  hash_set<tree> in_plain_regions, in_team_regions;
  int parallel = -1;        /* index of the last parallel region that was found */
  bool in_combined = false; /* the next loop belongs to a combined construct such as parallel for */
};

/* Returns the name of the loop construct LOOP in the profile, such as "omp for", or "omp do" in Fortran.  IN_PARALLEL
   says that it is combined with a parallel region.  */
static const char *omp_loop_construct_name(tree loop, bool in_parallel) {
  switch (TREE_CODE(loop)) {
  case OMP_TASKLOOP:
    return "omp taskloop";
  case OMP_DISTRIBUTE:
    return "omp distribute";
  case OMP_LOOP:
    return in_parallel ? "omp parallel loop" : "omp loop";
  default:
    if (lang_GNU_Fortran())
      return fortran_loop_construct_name(loop, in_parallel);
    return in_parallel ? "omp parallel for" : "omp for";
  }
}

/* Callback for walk_tree: returns the loop of a composite construct that has a loop head.  Everything in between is
   recorded in DATA, a construct_search, as part of the construct.  */
static tree find_omp_composite_loop(tree *place, int *, void *data) {
  construct_search *search = (construct_search *)data;
  if (TREE_CODE(*place) == OMP_PARALLEL)
    search->parts.add(*place);
  if (!omp_loop_p(*place) && TREE_CODE(*place) != OMP_SIMD)
    return NULL_TREE;
  search->parts.add(*place);
  return OMP_FOR_INIT(*place) ? *place : NULL_TREE;
}

/* Adds the loop construct at PLACE to what SEARCH has found, unless it is part of a composite one.  Tells the user what
   the profile cannot show of it.  */
static void note_omp_loop_construct(tree *place, construct_search *search) {
  tree t = *place;
  if (search->parts.add(t))
    return;
  tree inner = OMP_FOR_INIT(t) ? t : walk_tree_without_duplicates(&OMP_FOR_BODY(t), find_omp_composite_loop, search);
  omp_clause_code clause = TREE_CODE(t) == OMP_TASKLOOP ? OMP_CLAUSE_NOGROUP : OMP_CLAUSE_NOWAIT;
  bool nowait = !search->in_combined && omp_find_clause(OMP_FOR_CLAUSES(t), clause);
  const char *name = omp_loop_construct_name(t, search->in_combined);
  if (inner && generated_omp_loop_p(inner)) {
    note_omp_limit_once(EXPR_LOCATION(t), "the iterations of a tiled or unrolled loop count as one strand");
    make_omp_loop_static(place);
    if (search->in_combined)
      search->found[search->parallel].name = name;
  } else if (inner)
    search->found.safe_push({place, inner, name, nowait, !search->in_plain_regions.contains(t)});
  tree ordered = inner ? omp_find_clause(OMP_FOR_CLAUSES(inner), OMP_CLAUSE_ORDERED) : NULL_TREE;
  if (ordered && omp_doacross_loop_p(inner))
    note_omp_limit_once(EXPR_LOCATION(t), "the span ignores dependences between the iterations of a doacross loop");
  search->in_combined = false;
}

/* Makes CALL, of CALLEE in the program's source, one of the engine's function.  GCC makes calls of CALLEE itself to
   divide loops: these do not tell that the program divides its work by thread numbers.  */
static void ask_engine_for_omp_thread(tree call, tree callee) {
  char *name = concat("__cilkprof_", IDENTIFIER_POINTER(DECL_NAME(callee)), NULL);
  tree function = build_fn_decl(name, TREE_TYPE(callee));
  TREE_NOTHROW(function) = 1;
  DECL_IGNORED_P(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  CALL_EXPR_FN(call) = build_fold_addr_expr(function);
  free(name);
}

/* Callback for walk_tree: adds the loop, atomic operation or call at PLACE to DATA, a set of such.  */
static tree collect_omp_parts(tree *place, int *walk_subtrees, void *data) {
  switch (TREE_CODE(*place)) {
  case OMP_ATOMIC:
  case OMP_ATOMIC_READ:
  case CALL_EXPR:
    ((hash_set<tree> *)data)->add(*place);
    break;
  default:
    if (omp_loop_p(*place))
      ((hash_set<tree> *)data)->add(*place);
    if (TYPE_P(*place))
      *walk_subtrees = 0;
  }
  return NULL_TREE;
}

static const char no_limit[] = "the number of threads is ignored: the span assumes as many as can be used";
static location_t omp_threads_set_at; /* the first place in the unit that sets the number */

/* Tells the user that the number of threads that the unit sets is ignored, if it sets one.  Called at the end of a unit
   without regions that are run by teams, which have that number.  */
void note_omp_threads_ignored() {
  if (omp_threads_set_at)
    note_omp_limit_once(omp_threads_set_at, no_limit);
}

/* Adds the parallel region at PLACE to what SEARCH has found, unless it is part of a composite construct.  */
static void note_omp_parallel_construct(tree *place, construct_search *search) {
  tree t = *place;
  if (search->parts.contains(t))
    return;
  bool looks = make_omp_region_ask_for_team_p(t);
  walk_tree_without_duplicates(&OMP_PARALLEL_BODY(t), collect_omp_parts,
                               looks ? &search->in_team_regions : &search->in_plain_regions);
  search->in_combined = OMP_PARALLEL_COMBINED(t);
  search->parallel = search->found.length();
  /* A combined region has no row of its own, unless it is run by a team: that tells how often it was entered.  */
  search->found.safe_push({place, NULL_TREE, search->in_combined && !looks ? NULL : "omp parallel", false});
  tree threads = omp_find_clause(OMP_PARALLEL_CLAUSES(t), OMP_CLAUSE_NUM_THREADS);
  if (threads && !looks && !integer_onep(OMP_CLAUSE_NUM_THREADS_EXPR(threads)))
    omp_threads_set_at = omp_threads_set_at ? omp_threads_set_at : OMP_CLAUSE_LOCATION(threads);
}

/* Adds the sections construct at PLACE to what SEARCH has found.  A region is no longer combined with its sections, or
   one call of libgomp would begin both.  */
static void note_omp_sections_construct(tree *place, construct_search *search) {
  bool nowait = !search->in_combined && omp_find_clause(OMP_SECTIONS_CLAUSES(*place), OMP_CLAUSE_NOWAIT);
  search->found.safe_push({place, NULL_TREE, NULL, nowait});
  if (search->in_combined) {
    found_construct &region = search->found[search->parallel];
    OMP_PARALLEL_COMBINED(*region.place) = 0;
    region.name = "omp parallel sections";
  }
  search->in_combined = false;
}

/* Handles the call T of a function.  Warns if the profile cannot show its effect, because it runs with one thread.
   Other functions of omp.h may operate on locks, which are recorded.  */
static void note_omp_call(tree t) {
  tree callee = get_callee_fndecl(t);
  if (asks_for_omp_thread_p(callee))
    ask_engine_for_omp_thread(t, callee);
  else if (callee && DECL_NAME(callee) && id_equal(DECL_NAME(callee), "omp_get_team_num"))
    note_omp_limit_once(EXPR_LOCATION(t), "there is one team: work divided by team number counts as serial");
  else if (callee && DECL_NAME(callee) && id_equal(DECL_NAME(callee), "omp_set_num_threads"))
    omp_threads_set_at = omp_threads_set_at ? omp_threads_set_at : EXPR_LOCATION(t);
  else if (callee && DECL_NAME(callee) && startswith(IDENTIFIER_POINTER(DECL_NAME(callee)), "omp_"))
    note_omp_lock_call(t, callee);
  else if (callee && fndecl_built_in_p(callee, BUILT_IN_SYNC_SYNCHRONIZE)) /* what GCC turns a flush into */
    note_omp_limit_once(EXPR_LOCATION(t), "the span ignores synchronization through flush");
}

/* Callback for walk_tree: adds the OpenMP construct at PLACE to DATA, a construct_search, or notes what the profile
   leaves out about it.  */
static tree find_omp_construct(tree *place, int *walk_subtrees, void *data) {
  construct_search *search = (construct_search *)data;
  tree t = *place;
  if (omp_loop_p(t)) {
    note_omp_loop_construct(place, search);
    return NULL_TREE;
  }
  switch (gcc_openmp_masked_p(t) ? OMP_MASTER : TREE_CODE(t)) {
  case OMP_PARALLEL:
    note_omp_parallel_construct(place, search);
    break;
  case OMP_SECTIONS:
    note_omp_sections_construct(place, search);
    break;
  case OMP_SECTION:
  case OMP_SINGLE:
  case OMP_MASTER:
  case OMP_CRITICAL:
  case OMP_ORDERED:
  case OMP_ATOMIC:
  case OMP_ATOMIC_READ:
  case OMP_ATOMIC_CAPTURE_OLD:
  case OMP_ATOMIC_CAPTURE_NEW:
    search->found.safe_push(
        {place, NULL_TREE, NULL, false, search->in_team_regions.contains(t) || !search->in_plain_regions.contains(t)});
    break;
  case OMP_TASK:
    if (tree detach = omp_find_clause(OMP_TASK_CLAUSES(t), OMP_CLAUSE_DETACH))
      note_detached_omp_task(OMP_CLAUSE_LOCATION(detach));
    break;
  case OMP_TARGET:
    note_omp_limit_once(EXPR_LOCATION(t), "target regions are not measured");
    *walk_subtrees = 0;
    break;
  case CALL_EXPR:
    if ((search->in_team_regions.contains(t) || !search->in_plain_regions.contains(t)) && lets_omp_threads_run_p(t)) {
      note_omp_call(t);
      *place = build2(COMPOUND_EXPR, TREE_TYPE(t), tell_engine_of_omp_flag(null_pointer_node, false), t);
      TREE_SIDE_EFFECTS(*place) = 1;
      *walk_subtrees = 0;
    } else if (!search->in_plain_regions.contains(t) || search->in_team_regions.contains(t) ||
               !asks_for_omp_thread_p(get_callee_fndecl(t)))
      note_omp_call(t);
    break;
  default:
    break;
  }
  return NULL_TREE;
}

/* Returns BODY between the marker BEGIN and a marker LAST, both of which get the location WHERE.  */
static tree put_between_omp_markers(tree begin, location_t where, tree body, marker last = MARK_BLOCK_END) {
  tree end = build_marker_tree(last);
  SET_EXPR_LOCATION(begin, where);
  SET_EXPR_LOCATION(end, where);
  return statement_sequence(begin, body, end);
}

/* Returns BODY between the markers of a task, named after CONSTRUCT and its location WHERE: a part that any thread of
   the team may execute.  */
static tree mark_as_omp_task(const char *construct, location_t where, tree body) {
  tree number = long_unsigned_type_node;
  return put_between_omp_markers(build_marker_tree(MARK_TASK, {located_omp_construct_name(construct, where),
                                                               build_int_cst(number, __CILKPROF_SHARE),
                                                               build_zero_cst(number), null_pointer_node}),
                                 where, body);
}

/* Returns BODY between the markers of a block with a row of its own in the profile, named after CONSTRUCT and its
   location WHERE.  */
static tree mark_as_omp_block(const char *construct, location_t where, tree body) {
  return put_between_omp_markers(build_marker_tree(MARK_CALLED, {located_omp_construct_name(construct, where)}), where,
                                 body);
}

/* Returns the critical section T at WHERE between the markers of a lock.  All critical sections with the same name take
   the same lock.  */
static tree mark_omp_critical(tree t, location_t where) {
  tree name = OMP_CRITICAL_NAME(t);
  char *text = name ? xasprintf("omp critical (%s)", IDENTIFIER_POINTER(name)) : xstrdup("omp critical");
  tree begin = build_marker_tree(MARK_LOCK, {omp_string_literal_tree(text)});
  free(text);
  return put_between_omp_markers(begin, where, t);
}

/* Replaces the ordered construct at PLACE by its body between the markers of a lock.  The loop has lost its ordered
   clause, as its iterations are in order anyway.  The edges of a doacross loop are kept.  */
static void mark_omp_ordered(tree *place) {
  tree t = *place, clauses = OMP_ORDERED_CLAUSES(t);
  location_t where = EXPR_LOCATION(t);
  if (!omp_find_clause(clauses, OMP_CLAUSE_SIMD) && !gcc_doacross_edge_p(clauses))
    *place = put_between_omp_markers(build_marker_tree(MARK_LOCK, {located_omp_construct_name("omp ordered", where)}),
                                     where, OMP_ORDERED_BODY(t));
}

/* Puts markers at CONSTRUCT, an OpenMP construct in FUNCTION, or at its body, as its kind requires.  */
static void mark_omp_construct(const found_construct &construct, tree function) {
  tree *place = construct.place, t = *place;
  location_t where = EXPR_LOCATION(t);
  tree copied;
  switch (gcc_openmp_masked_p(t) ? OMP_MASTER : TREE_CODE(t)) {
  case OMP_PARALLEL:
    copied = tell_engine_of_omp_copyin(t);
    *place = construct.name
                 ? put_between_omp_markers(
                       build_marker_tree(MARK_CALLED, {located_omp_construct_name(construct.name, where)}), where, t)
                 : put_between_omp_markers(build_marker_tree(MARK_SCOPE), where, t, MARK_SCOPE_END);
    if (copied)
      *place = statement_sequence(copied, *place);
    break;
  case OMP_SECTIONS:
    /* A marker separates it from a parallel region around it, or one call of libgomp would begin both.  */
    *place = construct.nowait ? statement_sequence(build_marker_tree(MARK_ENTRY), t)
                              : put_between_omp_markers(build_marker_tree(MARK_GROUP), where, t, MARK_SCOPE_END);
    break;
  case OMP_SECTION:
    OMP_SECTION_BODY(t) = mark_as_omp_task("omp section", where, OMP_SECTION_BODY(t));
    break;
  case OMP_SINGLE:
    OMP_SINGLE_BODY(t) = omp_find_clause(OMP_SINGLE_CLAUSES(t), OMP_CLAUSE_NOWAIT)
                             ? mark_as_omp_task("omp single", where, OMP_SINGLE_BODY(t))
                             : mark_as_omp_block("omp single", where, OMP_SINGLE_BODY(t));
    break;
  case OMP_MASTER:
    OMP_BODY(t) = mark_as_omp_block(gcc_openmp_masked_p(t) ? "omp masked" : "omp master", where, OMP_BODY(t));
    break;
  case OMP_CRITICAL:
    *place = mark_omp_critical(t, where);
    break;
  case OMP_ORDERED:
    mark_omp_ordered(place);
    break;
  case OMP_ATOMIC:
  case OMP_ATOMIC_READ:
  case OMP_ATOMIC_CAPTURE_OLD:
  case OMP_ATOMIC_CAPTURE_NEW:
    *place = mark_omp_atomic(t, where, construct.shared);
    break;
  default:
    mark_omp_loop(place, construct.inner, construct.name, construct.nowait, construct.shared, function);
  }
}

/* Puts markers at all OpenMP constructs in the trees of FUNCTION.  */
void mark_openmp_constructs(tree function) {
  construct_search search;
  walk_tree_without_duplicates(&DECL_SAVED_TREE(function), find_omp_construct, &search);
  /* Innermost constructs come first, because an outer one replaces them.  */
  for (unsigned i = search.found.length(); i-- > 0;)
    mark_omp_construct(search.found[i], function);
}
