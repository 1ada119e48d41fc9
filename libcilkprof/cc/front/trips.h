/* The number of iterations of a cilk_for.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_TRIPS_H
#define CILKPROF_CC_TRIPS_H

/* trips.cc: TRIPS is an expression for the number, to be evaluated after the initialisation of the loop, or before it
   if START is the initial value of the variable.  It is NULL_TREE if the number is unknown before the loop has run.  */
struct trip_count {
  tree trips = NULL_TREE;
  /* The loop evaluates its limit before every iteration.  If that has side effects, LIMIT is the evaluation before the
     first iteration, which must precede that of TRIPS, and CONDITION is the condition with its value.  */
  tree limit = NULL_TREE, condition = NULL_TREE;
  auto_vec<tree> variables; /* that these expressions use */
};
void count_cilk_for_trips(tree condition, tree step, tree function, trip_count *count, tree start = NULL_TREE);

tree stepped_cilk_for_variable(tree step, tree *by, bool *down);

/* The comparison in the head of a loop.  */
struct comparison {
  enum tree_code code;
  tree *left, *right;
  bool of_objects; /* with an operator of their class */
};
bool read_cilk_for_condition(tree condition, comparison *found);
tree strip_transparent_cilk_for_trees(tree t); /* removes conversions and other transparent nodes */
const char *cilk_for_operator_name(tree call);
tree *cilk_for_call_argument(tree call, int index);
int cilk_for_call_argument_count(tree call);
tree *cilk_for_operand_object(tree *operand); /* the object that an operand of an operator is or refers to */

/* loop-forms.cc */
void check_cilk_for_head(tree guard, tree loop);

/* iterators.cc */
tree build_cilk_for_iterator_distance(tree from, tree to,
                                      location_t where); /* an integer; NULL_TREE if the class has no operator */
tree copy_cilk_for_expression(tree expression);
bool trivially_copied_iterator_p(tree type);

#endif
