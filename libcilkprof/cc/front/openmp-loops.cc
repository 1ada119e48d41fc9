/* OpenMP loops: the number of their iterations, and their schedules.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every loop gets schedule(static), which a team of one executes as it is written, and which can be vectorised.  The
   marker tells the engine which schedule it had.  */

#include "front.h"
#include "omp-general.h"
#include "trips.h"
#include "libcilkprof/abi/state.h"

bool omp_loop_p(tree t) {
  return TREE_CODE(t) == OMP_FOR || TREE_CODE(t) == OMP_DISTRIBUTE || TREE_CODE(t) == OMP_TASKLOOP ||
         TREE_CODE(t) == OMP_LOOP;
}

struct omp_schedule {
  int kind = __CILKPROF_SCHEDULE_STATIC;
  tree chunk = NULL_TREE; /* NULL_TREE if none is given */
};

static int kind_of_schedule(tree clause) {
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

static void read_clauses(tree loop, omp_schedule *found) {
  for (tree c = OMP_FOR_CLAUSES(loop); c; c = OMP_CLAUSE_CHAIN(c))
    switch (OMP_CLAUSE_CODE(c)) {
    case OMP_CLAUSE_SCHEDULE:
      *found = {kind_of_schedule(c), OMP_CLAUSE_SCHEDULE_CHUNK_EXPR(c)};
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

static tree find_edge(tree *place, int *, void *) {
  return TREE_CODE(*place) == OMP_ORDERED && doacross_edge_p(OMP_ORDERED_CLAUSES(*place)) ? *place : NULL_TREE;
}

bool doacross_p(tree loop) {
  return walk_tree_without_duplicates(&OMP_FOR_BODY(loop), find_edge, NULL);
}

/* Serial iterations are in order without the ordered clause, but the edges of a doacross loop need it.  */
static bool dropped_p(tree clause, tree loop) {
  switch (OMP_CLAUSE_CODE(clause)) {
  case OMP_CLAUSE_SCHEDULE:
  case OMP_CLAUSE_DIST_SCHEDULE:
    return true;
  case OMP_CLAUSE_ORDERED:
    return !doacross_p(loop);
  default:
    return false;
  }
}

static void drop_clauses(tree loop) {
  if (TREE_CODE(loop) != OMP_FOR && TREE_CODE(loop) != OMP_DISTRIBUTE)
    return;
  for (tree *c = &OMP_FOR_CLAUSES(loop); *c;)
    if (dropped_p(*c, loop))
      *c = OMP_CLAUSE_CHAIN(*c);
    else
      c = &OMP_CLAUSE_CHAIN(*c);
}

/* Only the innermost of the nested loops of a composite construct has a loop head.  */
static tree take_schedule(tree *place, int *walk_subtrees, void *data) {
  tree t = *place;
  if (!omp_loop_p(t) && TREE_CODE(t) != OMP_SIMD)
    return NULL_TREE;
  read_clauses(t, (omp_schedule *)data);
  drop_clauses(t);
  *walk_subtrees = 0;
  if (OMP_FOR_INIT(t))
    return t;
  return walk_tree_without_duplicates(&OMP_FOR_BODY(t), take_schedule, data);
}

void make_static(tree *loop) {
  omp_schedule dropped;
  walk_tree_without_duplicates(loop, take_schedule, &dropped);
}

/* Such a loop has no head yet: GCC creates it from the loop in the body during lowering.  */
bool generated_loop_p(tree loop) {
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

  tree new_variable(tree type) {
    tree made = temporary(type, function);
    DECL_CHAIN(made) = variables;
    return variables = made;
  }
  tree evaluated_once(tree *expression);
  tree trips(tree loop);
};

/* Evaluates an expression with side effects before the loop.  Returns NULL_TREE if that is impossible, or if the head
   of the loop depends on that of another.  */
tree omp_loop_head::evaluated_once(tree *expression) {
  if (!*expression || TREE_CODE(*expression) == TREE_VEC || TREE_CODE(*expression) == TREE_LIST)
    return NULL_TREE;
  if (!TREE_SIDE_EFFECTS(*expression))
    return unshare_expr(*expression);
  if (!before)
    return NULL_TREE;
  tree value = new_variable(TREE_TYPE(*expression));
  *before = sequence(*before, build2(MODIFY_EXPR, TREE_TYPE(value), value, *expression));
  return *expression = value;
}

/* The total number of iterations of the collapsed loops; NULL_TREE if it is unknown.  */
tree omp_loop_head::trips(tree loop) {
  tree total = NULL_TREE, number = long_unsigned_type_node;
  for (int i = 0; i < TREE_VEC_LENGTH(OMP_FOR_INIT(loop)); i++) {
    tree init = TREE_VEC_ELT(OMP_FOR_INIT(loop), i), condition = TREE_VEC_ELT(OMP_FOR_COND(loop), i),
         step = TREE_VEC_ELT(OMP_FOR_INCR(loop), i);
    if ((TREE_CODE(init) != MODIFY_EXPR && TREE_CODE(init) != INIT_EXPR) || !COMPARISON_CLASS_P(condition))
      return NULL_TREE;
    tree from = evaluated_once(&TREE_OPERAND(init, 1));
    if (!from || !evaluated_once(&TREE_OPERAND(condition, 1)))
      return NULL_TREE;
    if (TREE_CODE(step) == MODIFY_EXPR && BINARY_CLASS_P(TREE_OPERAND(step, 1)) &&
        !evaluated_once(&TREE_OPERAND(TREE_OPERAND(step, 1), 1)))
      return NULL_TREE;
    trip_count known;
    count_trips(condition, step, function, &known, from);
    if (!known.trips || known.condition)
      return NULL_TREE;
    tree trips = fold_convert(number, known.trips);
    total = total ? fold_build2(MULT_EXPR, number, total, trips) : trips;
  }
  return total;
}

/* Finds anything but declarations.  */
static tree find_effect(tree *place, int *walk_subtrees, void *) {
  if (TREE_CODE(*place) == STATEMENT_LIST)
    return NULL_TREE;
  *walk_subtrees = 0;
  return TREE_CODE(*place) == DECL_EXPR && !DECL_INITIAL(DECL_EXPR_DECL(*place)) ? NULL_TREE : *place;
}

/* Returns true if the code before the loop must be executed before the head can be evaluated.  */
static bool head_comes_late_p(tree loop) {
  return OMP_FOR_PRE_BODY(loop) && walk_tree_without_duplicates(&OMP_FOR_PRE_BODY(loop), find_effect, NULL);
}

static tree assign(tree variable, tree value) {
  return build2(MODIFY_EXPR, TREE_TYPE(variable), variable, value);
}

/* The markers of a composite loop are around its outermost loop; those of a simple one are where its head is
   evaluated.  */
void mark_omp_loop(tree *place, tree inner, const char *name, bool nowait, tree function) {
  tree outer = *place, number = long_unsigned_type_node, zero = build_zero_cst(number);
  bool simple = outer == inner && TREE_CODE(outer) != OMP_TASKLOOP;
  omp_loop_head head = {function, NULL_TREE, simple ? &OMP_FOR_PRE_BODY(inner) : NULL};
  tree trips = head.new_variable(number);
  tree total = !simple && head_comes_late_p(inner) ? NULL_TREE : head.trips(inner);
  omp_schedule schedule;
  walk_tree_without_duplicates(place, take_schedule, &schedule);
  tree chunk = schedule.chunk;
  bool known = chunk && !TREE_SIDE_EFFECTS(chunk) && INTEGRAL_TYPE_P(TREE_TYPE(chunk));
  int kind = schedule.kind | __CILKPROF_BLOCK_TASK | (nowait ? __CILKPROF_BLOCK_NOWAIT : 0);
  tree set = assign(trips, total ? total : zero);
  tree begin = build_mark(MARK_TEAM_LOOP, {known ? fold_convert(number, unshare_expr(chunk)) : zero, trips,
                                           string_literal(name), build_int_cst(number, kind)});
  SET_EXPR_LOCATION(begin, EXPR_LOCATION(outer));
  tree done = trips, clear = NULL_TREE, counting = NULL_TREE, before = NULL_TREE;
  if (simple && !total) { /* the loop counts its iterations */
    done = head.new_variable(number);
    clear = assign(done, zero);
    counting = assign(done, build2(PLUS_EXPR, number, done, build_one_cst(number)));
  }
  OMP_FOR_BODY(inner) = sequence(counting, build_mark(MARK_ITERATE), OMP_FOR_BODY(inner));
  if (simple)
    OMP_FOR_PRE_BODY(inner) = sequence(OMP_FOR_PRE_BODY(inner), set, begin);
  else
    before = sequence(set, begin);
  tree end = build_mark(MARK_LOOP_END, {done});
  SET_EXPR_LOCATION(end, EXPR_LOCATION(outer));
  tree all = sequence(clear, before, outer);
  append_to_statement_list_force(end, &all);
  *place = build3(BIND_EXPR, void_type_node, head.variables, all, NULL_TREE);
  TREE_SIDE_EFFECTS(*place) = 1;
}
