/* OpenMP loops: the number of their iterations, and their schedules.
   SPDX-License-Identifier: GPL-3.0-or-later

   A loop gets schedule(static), which a team of one executes as it is written, and which can be vectorised, unless
   threads of a team may share it.  The marker tells the engine which schedule it had.  */

#include "front.h"
#include "omp-general.h"
#include "trips.h"
#include "libcilkprof/abi/state.h"

/* Returns true if T is a construct of OpenMP's that distributes the iterations of a loop: for, distribute, taskloop or
   loop.  */
bool omp_loop_p(tree t) {
  return TREE_CODE(t) == OMP_FOR || TREE_CODE(t) == OMP_DISTRIBUTE || TREE_CODE(t) == OMP_TASKLOOP ||
         TREE_CODE(t) == OMP_LOOP;
}

struct omp_schedule {
  int kind = __CILKPROF_SCHEDULE_STATIC;
  tree chunk = NULL_TREE; /* NULL_TREE if none is given */
};

/* Returns the number by which the engine knows the schedule that CLAUSE, a schedule clause, names.  */
static int omp_schedule_kind_of_clause(tree clause) {
  switch (OMP_CLAUSE_SCHEDULE_KIND(clause) & OMP_CLAUSE_SCHEDULE_MASK) {
  case OMP_CLAUSE_SCHEDULE_DYNAMIC:
    return __CILKPROF_SCHEDULE_DYNAMIC;
  case OMP_CLAUSE_SCHEDULE_GUIDED:
    return __CILKPROF_SCHEDULE_GUIDED;
  case OMP_CLAUSE_SCHEDULE_RUNTIME:
    return __CILKPROF_SCHEDULE_RUNTIME;
  default: /* auto leaves the choice to the compiler, and GCC chooses static */
    return __CILKPROF_SCHEDULE_STATIC;
  }
}

/* Sets *FOUND to the schedule, grain size or number of tasks that the clauses of LOOP ask for; leaves it alone if there
   are none.  */
static void read_omp_schedule_clauses(tree loop, omp_schedule *found) {
  for (tree c = OMP_FOR_CLAUSES(loop); c; c = OMP_CLAUSE_CHAIN(c))
    switch (OMP_CLAUSE_CODE(c)) {
    case OMP_CLAUSE_SCHEDULE:
      *found = {omp_schedule_kind_of_clause(c), OMP_CLAUSE_SCHEDULE_CHUNK_EXPR(c)};
      break;
    case OMP_CLAUSE_GRAINSIZE:
      *found = {__CILKPROF_SCHEDULE_GRAINSIZE, OMP_CLAUSE_GRAINSIZE_EXPR(c)};
      break;
    case OMP_CLAUSE_NUM_TASKS:
      *found = {__CILKPROF_SCHEDULE_NUM_TASKS, OMP_CLAUSE_NUM_TASKS_EXPR(c)};
      break;
    default:
      break;
    }
}

/* Callback for walk_tree: returns the ordered construct at PLACE if it is one end of a dependence between
   iterations.  */
static tree find_omp_doacross_edge(tree *place, int *, void *) {
  return TREE_CODE(*place) == OMP_ORDERED && gcc_doacross_edge_p(OMP_ORDERED_CLAUSES(*place)) ? *place : NULL_TREE;
}

/* Returns true if the iterations of LOOP wait for each other along edges that its body names.  */
bool omp_doacross_loop_p(tree loop) {
  return walk_tree_without_duplicates(&OMP_FOR_BODY(loop), find_omp_doacross_edge, NULL);
}

/* Returns true if CLAUSE is removed from LOOP when that is made serial: a schedule, or ordered.  Serial iterations are
   in order without the ordered clause, but the edges of a doacross loop need it.  */
static bool dropped_omp_loop_clause_p(tree clause, tree loop) {
  switch (OMP_CLAUSE_CODE(clause)) {
  case OMP_CLAUSE_SCHEDULE:
  case OMP_CLAUSE_DIST_SCHEDULE:
    return true;
  case OMP_CLAUSE_ORDERED:
    return !omp_doacross_loop_p(loop);
  default:
    return false;
  }
}

/* Removes the clauses from LOOP that would keep it from having a static schedule.  */
static void drop_omp_schedule_clauses(tree loop) {
  if (TREE_CODE(loop) != OMP_FOR && TREE_CODE(loop) != OMP_DISTRIBUTE)
    return;
  for (tree *c = &OMP_FOR_CLAUSES(loop); *c;)
    if (dropped_omp_loop_clause_p(*c, loop))
      *c = OMP_CLAUSE_CHAIN(*c);
    else
      c = &OMP_CLAUSE_CHAIN(*c);
}

/* Callback for walk_tree: moves the schedule of the loop construct at PLACE to DATA, an omp_schedule.  Returns the loop
   that has a head: only the innermost of the nested loops of a composite construct has one.  */
static tree take_omp_loop_schedule(tree *place, int *walk_subtrees, void *data) {
  tree t = *place;
  if (!omp_loop_p(t) && TREE_CODE(t) != OMP_SIMD)
    return NULL_TREE;
  read_omp_schedule_clauses(t, (omp_schedule *)data);
  drop_omp_schedule_clauses(t);
  *walk_subtrees = 0;
  if (OMP_FOR_INIT(t))
    return t;
  return walk_tree_without_duplicates(&OMP_FOR_BODY(t), take_omp_loop_schedule, data);
}

/* Gives the loop construct at LOOP, and those nested in it as parts of a composite one, a static schedule, and changes
   nothing else.  */
void make_omp_loop_static(tree *loop) {
  omp_schedule dropped;
  walk_tree_without_duplicates(loop, take_omp_loop_schedule, &dropped);
}

/* Returns true if LOOP is the result of a loop transformation such as tile.  It has no head yet: GCC creates it from
   the loop in the body during lowering.  */
bool generated_omp_loop_p(tree loop) {
  for (int i = 0; i < TREE_VEC_LENGTH(OMP_FOR_INIT(loop)); i++)
    if (!TREE_VEC_ELT(OMP_FOR_INIT(loop), i))
      return true;
  return false;
}

/* A loop is marked where its head is evaluated.  BEFORE gets the code that must come first, and VARIABLES its
   variables.  */
struct omp_loop_head {
  tree function;
  tree variables = NULL_TREE;
  tree *before; /* NULL if no code can be inserted */

  /* Returns a new variable of TYPE for the code before the loop.  */
  tree new_omp_loop_variable(tree type) {
    tree made = new_tree_temporary(type, function);
    DECL_CHAIN(made) = variables;
    return variables = made;
  }
  tree evaluate_omp_head_once(tree *expression);
  tree omp_loop_trip_count(tree loop);
};

/* Evaluates EXPRESSION, a part of the head of a loop, before the loop if it has side effects.  Returns its value, or
   NULL_TREE if that is impossible, or if the head depends on that of another loop.  */
tree omp_loop_head::evaluate_omp_head_once(tree *expression) {
  if (!*expression || TREE_CODE(*expression) == TREE_VEC || TREE_CODE(*expression) == TREE_LIST)
    return NULL_TREE;
  if (!TREE_SIDE_EFFECTS(*expression))
    return unshare_expr(*expression);
  if (!before)
    return NULL_TREE;
  tree value = new_omp_loop_variable(TREE_TYPE(*expression));
  *before = statement_sequence(*before, build2(MODIFY_EXPR, TREE_TYPE(value), value, *expression));
  return *expression = value;
}

/* Returns the total number of iterations of the collapsed loops of LOOP, an expression; NULL_TREE if it is unknown.  */
tree omp_loop_head::omp_loop_trip_count(tree loop) {
  tree total = NULL_TREE, number = long_unsigned_type_node;
  for (int i = 0; i < TREE_VEC_LENGTH(OMP_FOR_INIT(loop)); i++) {
    tree init = TREE_VEC_ELT(OMP_FOR_INIT(loop), i), condition = TREE_VEC_ELT(OMP_FOR_COND(loop), i),
         step = TREE_VEC_ELT(OMP_FOR_INCR(loop), i);
    if ((TREE_CODE(init) != MODIFY_EXPR && TREE_CODE(init) != INIT_EXPR) || !COMPARISON_CLASS_P(condition))
      return NULL_TREE;
    tree from = evaluate_omp_head_once(&TREE_OPERAND(init, 1));
    if (!from || !evaluate_omp_head_once(&TREE_OPERAND(condition, 1)))
      return NULL_TREE;
    if (TREE_CODE(step) == MODIFY_EXPR && BINARY_CLASS_P(TREE_OPERAND(step, 1)) &&
        !evaluate_omp_head_once(&TREE_OPERAND(TREE_OPERAND(step, 1), 1)))
      return NULL_TREE;
    trip_count known;
    count_cilk_for_trips(condition, step, function, &known, from);
    if (!known.trips || known.condition)
      return NULL_TREE;
    tree trips = fold_convert(number, known.trips);
    total = total ? fold_build2(MULT_EXPR, number, total, trips) : trips;
  }
  return total;
}

/* Callback for walk_tree: returns the tree at PLACE if it is anything but a declaration without initial value.  */
static tree find_effect_before_omp_loop(tree *place, int *walk_subtrees, void *) {
  if (TREE_CODE(*place) == STATEMENT_LIST)
    return NULL_TREE;
  *walk_subtrees = 0;
  return TREE_CODE(*place) == DECL_EXPR && !DECL_INITIAL(DECL_EXPR_DECL(*place)) ? NULL_TREE : *place;
}

/* Returns true if the code before LOOP must be executed before the head can be evaluated.  */
static bool omp_loop_head_comes_late_p(tree loop) {
  return OMP_FOR_PRE_BODY(loop) &&
         walk_tree_without_duplicates(&OMP_FOR_PRE_BODY(loop), find_effect_before_omp_loop, NULL);
}

/* Returns the assignment of VALUE to VARIABLE, which holds a number of iterations.  */
static tree build_omp_trips_assignment(tree variable, tree value) {
  return build2(MODIFY_EXPR, TREE_TYPE(variable), variable, value);
}

/* Returns true if LOOP keeps its schedule, as threads of a team may share it.  With an ordered clause it does not: in
   equal parts, one after the other, its iterations are in order.  */
static bool keeps_omp_schedule_p(tree loop) {
  return TREE_CODE(loop) == OMP_FOR && OMP_FOR_INIT(loop) &&
         !omp_find_clause(OMP_FOR_CLAUSES(loop), OMP_CLAUSE_ORDERED);
}

/* Returns true if the barrier at the end of LOOP is only that: no reduction needs it.  */
static bool plain_omp_loop_barrier_p(tree loop) {
  for (tree c = OMP_FOR_CLAUSES(loop); c; c = OMP_CLAUSE_CHAIN(c))
    if (OMP_CLAUSE_CODE(c) == OMP_CLAUSE_REDUCTION && (OMP_CLAUSE_REDUCTION_TASK(c) || OMP_CLAUSE_REDUCTION_INSCAN(c)))
      return false;
  return TREE_CODE(loop) == OMP_FOR && !omp_find_clause(OMP_FOR_CLAUSES(loop), OMP_CLAUSE_NOWAIT);
}

/* Returns the location of the loop construct OUTER, whose iterations are those of INNER.  Fortran's have none, but
   where their variable is initialised is known.  */
static location_t omp_loop_location(tree outer, tree inner) {
  location_t where = EXPR_LOCATION(outer);
  return where != UNKNOWN_LOCATION ? where : EXPR_LOCATION(TREE_VEC_ELT(OMP_FOR_INIT(inner), 0));
}

/* Takes the barrier at the end of LOOP away.  Returns a call of it, to be placed behind the markers of the loop.  */
static tree take_omp_loop_barrier(tree loop) {
  location_t where = omp_loop_location(loop, loop);
  tree nowait = build_omp_clause(where, OMP_CLAUSE_NOWAIT);
  OMP_CLAUSE_CHAIN(nowait) = OMP_FOR_CLAUSES(loop);
  OMP_FOR_CLAUSES(loop) = nowait;
  tree barrier = build_call_expr_loc(where, builtin_decl_explicit(BUILT_IN_GOMP_BARRIER), 0);
  TREE_SIDE_EFFECTS(barrier) = 1;
  return barrier;
}

/* Puts markers at the loop construct at PLACE, whose iterations are those of INNER, with its NAME in the profile, its
   schedule and the number of iterations.  The markers of a composite loop are around its outermost loop; those of a
   simple one are where its head is evaluated.  SHARED: threads of a team may share it.  */
void mark_omp_loop(tree *place, tree inner, const char *name, bool nowait, bool shared, tree function) {
  tree outer = *place, number = long_unsigned_type_node, zero = build_zero_cst(number);
  bool simple = outer == inner && TREE_CODE(outer) != OMP_TASKLOOP;
  omp_loop_head head = {function, NULL_TREE, simple ? &OMP_FOR_PRE_BODY(inner) : NULL};
  tree trips = head.new_omp_loop_variable(number);
  tree total = !simple && omp_loop_head_comes_late_p(inner) ? NULL_TREE : head.omp_loop_trip_count(inner);
  omp_schedule schedule;
  if (shared && simple && keeps_omp_schedule_p(outer))
    read_omp_schedule_clauses(outer, &schedule);
  else
    walk_tree_without_duplicates(place, take_omp_loop_schedule, &schedule);
  tree barrier = shared && !nowait && plain_omp_loop_barrier_p(outer) ? take_omp_loop_barrier(outer) : NULL_TREE;
  tree chunk = schedule.chunk;
  bool known = chunk && !TREE_SIDE_EFFECTS(chunk) && INTEGRAL_TYPE_P(TREE_TYPE(chunk));
  int kind = schedule.kind | __CILKPROF_BLOCK_TASK | (nowait ? __CILKPROF_BLOCK_NOWAIT : 0);
  tree set = build_omp_trips_assignment(trips, total ? unshare_expr(total) : zero);
  tree begin = build_marker_tree(MARK_TEAM_LOOP, {known ? fold_convert(number, unshare_expr(chunk)) : zero, trips,
                                                  omp_string_literal_tree(name), build_int_cst(number, kind)});
  SET_EXPR_LOCATION(begin, omp_loop_location(outer, inner));
  tree done = trips, clear = NULL_TREE, counting = NULL_TREE, before = NULL_TREE;
  if (simple && !total) { /* the loop counts its iterations */
    done = head.new_omp_loop_variable(number);
    clear = build_omp_trips_assignment(done, zero);
    counting = build_omp_trips_assignment(done, build2(PLUS_EXPR, number, done, build_one_cst(number)));
  }
  OMP_FOR_BODY(inner) = statement_sequence(counting, build_marker_tree(MARK_ITERATE), OMP_FOR_BODY(inner));
  if (simple)
    OMP_FOR_PRE_BODY(inner) = statement_sequence(OMP_FOR_PRE_BODY(inner), set, begin);
  else
    before = statement_sequence(set, begin);
  tree end = build_marker_tree(MARK_LOOP_END, {done});
  SET_EXPR_LOCATION(end, EXPR_LOCATION(begin));
  tree all = statement_sequence(clear, before, outer);
  append_to_statement_list_force(end, &all);
  if (barrier)
    append_to_statement_list_force(barrier, &all);
  *place = build3(BIND_EXPR, void_type_node, head.variables, all, NULL_TREE);
  TREE_SIDE_EFFECTS(*place) = 1;
}
