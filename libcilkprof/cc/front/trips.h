/* The number of iterations of a cilk_for.  SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_TRIPS_H
#define CILKPROF_CC_TRIPS_H

/* trips.cc: an expression for it, to be evaluated after the loop's initialisation, or where START is what its variable
   is initialised with, before; NULL_TREE: it is not known before the loop ran.  */
struct trip_count {
  tree trips = NULL_TREE;
  /* What the variable is compared with is evaluated before every iteration.  Where that has effects, LIMIT is its
     evaluation before the first, which comes before that of the number, and CONDITION what follows from it.  */
  tree limit = NULL_TREE, condition = NULL_TREE;
  auto_vec<tree> variables; /* that these need */
};
void count_trips(tree condition, tree step, tree function, trip_count *count, tree start = NULL_TREE);

/* The loop's variable, and by how much the step increases it, or decreases it if it is DOWN (bytes, for a pointer).  */
tree stepped_variable(tree step, tree *by, bool *down);

/* What the head of a loop says.  */
struct comparison {
  enum tree_code code;
  tree *left, *right;
  bool of_objects; /* by an operator of their class */
};
bool read_condition(tree condition, comparison *found);
tree strip(tree t); /* of what changes nothing in it but the type */
const char *called_operator(tree call);
tree *argument(tree call, int index);
int arguments(tree call);
tree *object_of(tree *operand); /* of an operator: what it is or refers to */

/* loop-forms.cc */
void check_loop_head(tree guard, tree loop);

/* iterators.cc */
tree iterator_distance(tree from, tree to, location_t where); /* an integer; NULL_TREE: the class has no operator */
tree copy_expression(tree expression);
bool copied_freely_p(tree type);

#endif
