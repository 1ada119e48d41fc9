/* What the code of a parallel region asks OpenMP about threads, and what it does with the answers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Where constructs of OpenMP divide the work of a region, one thread can run all of it, unless the program does with
   the number of a thread what only that thread can do.  As an index or an offset, the number gives each thread a place
   of its own; an if without an else lets the first thread do something for all; printf shows it.  With all of these, a
   team of one is as good as any other.  */

#include "front.h"
#include "openmp-calls.h"

bool asks_for_omp_thread_p(tree callee) {
  return callee && DECL_NAME(callee) &&
         (id_equal(DECL_NAME(callee), "omp_get_thread_num") || id_equal(DECL_NAME(callee), "omp_get_num_threads"));
}

bool lets_omp_threads_run_p(tree call) {
  tree callee = get_callee_fndecl(call);
  if (!callee || !DECL_NAME(callee))
    return false;
  for (const char *name :
       {"sched_yield", "pthread_yield", "thrd_yield", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep", "sleep"})
    if (id_equal(DECL_NAME(callee), name))
      return true;
  return fndecl_built_in_p(callee, BUILT_IN_SYNC_SYNCHRONIZE);
}

/* What the code of a region says about threads.  */
struct thread_questions {
  hash_set<tree> numbers; /* variables that have the number of the thread */
  bool number = false;    /* it asks for that, */
  bool count = false;     /* or how many threads there are */
  bool divided = false;   /* constructs divide work */
  bool waits = false;     /* it lets other threads run, for which it may wait */
  bool sections = false;  /* it has sections, */
  bool atomic = false;    /* and reads variables that others may change */
  bool needed = false;    /* each thread does what no other one can do for it */
};

/* Returns true if T asks for the number of the thread.  */
static bool omp_thread_number_call_p(tree t) {
  tree callee = TREE_CODE(t) == CALL_EXPR ? get_callee_fndecl(t) : NULL_TREE;
  return callee && DECL_NAME(callee) && id_equal(DECL_NAME(callee), "omp_get_thread_num");
}

/* Returns T without conversions and the like around it.  */
static tree strip_around_omp_number(tree t) {
  while (t && (CONVERT_EXPR_P(t) || TREE_CODE(t) == CLEANUP_POINT_EXPR || TREE_CODE(t) == NON_LVALUE_EXPR ||
               TREE_CODE(t) == SAVE_EXPR || TREE_CODE(t) == VIEW_CONVERT_EXPR || TREE_CODE(t) == TRUTH_NOT_EXPR))
    t = TREE_OPERAND(t, 0);
  return t;
}

/* Returns the variable that T, a declaration or an assignment, sets, and what to, in *VALUE; NULL_TREE: none.  */
static tree variable_that_is_set(tree t, tree *value) {
  tree variable = NULL_TREE;
  if (TREE_CODE(t) == DECL_EXPR) {
    variable = DECL_EXPR_DECL(t);
    *value = VAR_P(variable) ? DECL_INITIAL(variable) : NULL_TREE;
  } else if (TREE_CODE(t) == MODIFY_EXPR || TREE_CODE(t) == INIT_EXPR) {
    variable = TREE_OPERAND(t, 0);
    *value = TREE_OPERAND(t, 1);
  }
  return variable && VAR_P(variable) ? variable : NULL_TREE;
}

/* Returns true if T reads a variable atomically, as a section may that waits for another one: by OpenMP, by a function
   that GCC knows, or by std::atomic.  */
static bool reads_omp_atomic_p(tree t) {
  if (TREE_CODE(t) == OMP_ATOMIC_READ)
    return true;
  tree callee = TREE_CODE(t) == CALL_EXPR ? get_callee_fndecl(t) : NULL_TREE,
       type = callee && DECL_NAME(callee) ? DECL_CONTEXT(callee) : NULL_TREE,
       name = type && TYPE_P(type) ? TYPE_IDENTIFIER(type) : NULL_TREE;
  return (callee && fndecl_built_in_p(callee, BUILT_IN_NORMAL) && DECL_NAME(callee) &&
          startswith(IDENTIFIER_POINTER(DECL_NAME(callee)), "__atomic_load")) ||
         (name && (startswith(IDENTIFIER_POINTER(name), "atomic") || startswith(IDENTIFIER_POINTER(name), "__atomic")));
}

/* Callback for walk_tree: adds to DATA, thread_questions, what the tree at PLACE says.  */
static tree find_questions_for_omp_thread(tree *place, int *walk_subtrees, void *data) {
  thread_questions *found = (thread_questions *)data;
  tree t = *place, callee = TREE_CODE(t) == CALL_EXPR ? get_callee_fndecl(t) : NULL_TREE, value = NULL_TREE;
  if (asks_for_omp_thread_p(callee))
    *(omp_thread_number_call_p(t) ? &found->number : &found->count) = true;
  found->waits |= callee && lets_omp_threads_run_p(t);
  found->sections |= TREE_CODE(t) == OMP_SECTIONS;
  found->atomic |= reads_omp_atomic_p(t);
  found->divided |= omp_loop_p(t) || TREE_CODE(t) == OMP_SECTIONS || TREE_CODE(t) == OMP_TASK ||
                    TREE_CODE(t) == OMP_PARALLEL || TREE_CODE(t) == OMP_SINGLE;
  tree variable = variable_that_is_set(t, &value);
  value = variable ? strip_around_omp_number(value) : NULL_TREE;
  if (value && omp_thread_number_call_p(value))
    found->numbers.add(variable);
  if (TYPE_P(t))
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* Returns true if T is the number of the thread by itself.  */
static bool omp_thread_number_p(tree t, thread_questions *found) {
  t = strip_around_omp_number(t);
  return t && (omp_thread_number_call_p(t) || (DECL_P(t) && found->numbers.contains(t)));
}

/* Returns true if CONDITION, or a condition that it has with "and", is that the thread is the first one.  */
static bool first_omp_thread_p(tree condition, thread_questions *found) {
  tree t = condition;
  while (t && (CONVERT_EXPR_P(t) || TREE_CODE(t) == CLEANUP_POINT_EXPR))
    t = TREE_OPERAND(t, 0);
  if (!t)
    return false;
  if (TREE_CODE(t) == TRUTH_NOT_EXPR)
    return omp_thread_number_p(TREE_OPERAND(t, 0), found);
  if (TREE_CODE(t) == EQ_EXPR)
    return (integer_zerop(TREE_OPERAND(t, 1)) && omp_thread_number_p(TREE_OPERAND(t, 0), found)) ||
           (integer_zerop(TREE_OPERAND(t, 0)) && omp_thread_number_p(TREE_OPERAND(t, 1), found));
  return (TREE_CODE(t) == TRUTH_ANDIF_EXPR || TREE_CODE(t) == TRUTH_AND_EXPR) &&
         (first_omp_thread_p(TREE_OPERAND(t, 0), found) || first_omp_thread_p(TREE_OPERAND(t, 1), found));
}

/* Returns true if T is an if without an else; C++ has a tree code of its own for it.  */
static bool if_without_else_p(tree t) {
  bool is_if = TREE_CODE(t) == COND_EXPR || strcmp(get_tree_code_name(TREE_CODE(t)), "if_stmt") == 0;
  tree other = is_if ? TREE_OPERAND(t, 2) : NULL_TREE;
  return is_if && (!other || !TREE_SIDE_EFFECTS(other));
}

/* Callback for walk_tree: stops at a place where the number of the thread, in DATA, thread_questions, is used for
   something that a team of one cannot do.  */
static tree find_use_of_omp_number(tree *place, int *walk_subtrees, void *data) {
  thread_questions *found = (thread_questions *)data;
  tree t = *place, value;
  if (TYPE_P(t) || TREE_CODE(t) == OMP_CLAUSE) {
    *walk_subtrees = 0;
    return NULL_TREE;
  }
  if (omp_thread_number_call_p(t) || (DECL_P(t) && found->numbers.contains(t)))
    return t;
  if (tree variable = variable_that_is_set(t, &value)) {
    *walk_subtrees = 0;
    bool set = value && found->numbers.contains(variable) && omp_thread_number_p(value, found);
    return value && !set ? walk_tree(&value, find_use_of_omp_number, data, NULL) : NULL_TREE;
  }
  if (TREE_CODE(t) == BIND_EXPR) { /* what its variables are set to is in their declarations */
    *walk_subtrees = 0;
    return walk_tree(&BIND_EXPR_BODY(t), find_use_of_omp_number, data, NULL);
  }
  if (TREE_CODE(t) == ARRAY_REF || TREE_CODE(t) == POINTER_PLUS_EXPR) {
    *walk_subtrees = 0;
    return walk_tree(&TREE_OPERAND(t, 0), find_use_of_omp_number, data, NULL);
  }
  if (if_without_else_p(t) && first_omp_thread_p(TREE_OPERAND(t, 0), found)) {
    *walk_subtrees = 0;
    return walk_tree(&TREE_OPERAND(t, 1), find_use_of_omp_number, data, NULL);
  }
  if (TREE_CODE(t) == CALL_EXPR && get_callee_fndecl(t) && stdarg_p(TREE_TYPE(get_callee_fndecl(t))))
    *walk_subtrees = 0;
  return NULL_TREE;
}

bool make_omp_region_ask_for_team_p(tree region) {
  thread_questions found;
  walk_tree_without_duplicates(&OMP_PARALLEL_BODY(region), find_questions_for_omp_thread, &found);
  if (found.number && found.divided)
    found.needed = walk_tree(&OMP_PARALLEL_BODY(region), find_use_of_omp_number, &found, NULL);
  tree body = OMP_PARALLEL_BODY(region);
  if (OMP_PARALLEL_COMBINED(region) && found.sections && found.atomic && !found.count &&
      TREE_CODE(body) == BIND_EXPR) { /* GCC needs one there */
    tree asks = build_fn_decl("omp_get_num_threads", build_function_type_list(integer_type_node, NULL_TREE));
    BIND_EXPR_BODY(body) = statement_sequence(build_call_expr(asks, 0), BIND_EXPR_BODY(body));
    found.count = true;
  }
  return found.count || found.waits || (found.number && (!found.divided || found.needed));
}
