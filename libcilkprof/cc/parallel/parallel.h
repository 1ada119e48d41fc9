/* -fcilkplus with parallel execution: the code that cilk_spawn, cilk_sync and cilk_for become.
   SPDX-License-Identifier: GPL-3.0-or-later

   The first step works on the trees of a complete function.  A function that spawns gets a frame (abi/parallel.h), and
   joins its children on every way out:
     { frame.deferred = 0; try body finally if (frame.deferred) join (&frame); }
   A spawned call gets extra arguments (enum tail), which survive whatever the front end and the gimplifier do to it.
   The second step works on GIMPLE, where the call's own arguments are values.  There the call becomes
     if (want) { closure = {arguments}; spawn (&frame, child, &closure, size); } else the plain call;
   with child (void *closure) a new function.  Nothing is captured, so nothing is shared by accident.

   A cilk_for or a spawned block does need captures.  It is passed to the gimplifier as an OpenMP region, which GCC
   outlines; afterwards the calls of libgomp are replaced by calls of the runtime.  */

#ifndef CILKPROF_CC_PARALLEL_H
#define CILKPROF_CC_PARALLEL_H

#include "libcilkprof/cc/front/front.h"

/* A part of the program that has a frame: a function, a spawned block, an iteration of a cilk_for, a cilk_scope, a try
   block or an exception handler.  */
struct region {
  tree function;
  tree frame;      /* NULL_TREE if it has not needed one so far */
  region *outside; /* for a try block or a handler: the region that a sync in it waits for as well */
  bool returning;  /* the walk is inside the value of a return statement */
};

/* The arguments that are added to a spawned call, after its own.  */
enum tail {
  TAIL_BLOCK,   /* address of the pointer to the block with its temporaries, or NULL */
  TAIL_LOCAL,   /* where that pointer points if the child is not deferred */
  TAIL_CLEANUP, /* the function that destroys the temporaries, or NULL */
  TAIL_RESULT,  /* where to store the result, or NULL */
  TAIL_STORE,   /* the function that stores it there, or NULL for a plain object */
  TAIL_DONE,    /* address of a byte that is set when the result is there, or NULL */
  TAIL_FRAME,
  TAIL_MARK,
  TAIL_LENGTH
};

/* parallel.cc: the walk over a function.  spawns.cc goes on with it in the arguments of spawned calls.  */
void parallelise_function(tree function);
tree parallelise_tree(tree *place, int *walk_subtrees, void *region);

/* build.cc: trees.  */
tree build_runtime_call(const char *name, tree result, bool throws, std::initializer_list<tree> arguments);
tree new_spawn_variable(tree type, const char *name, tree function);
tree build_spawn_address_of(tree lvalue);
tree build_spawn_statement_list(std::initializer_list<tree> list); /* without those that are NULL_TREE */
tree build_spawn_assignment(tree to, tree value);
tree build_spawn_converted_value(tree type, tree value); /* between numbers, or between pointers */
tree build_spawn_memory_reference(tree pointer, unsigned HOST_WIDE_INT offset, tree type);
bool fits_closure_p(tree type); /* it has a fixed size and a usual alignment */
tree build_spawn_variable_scope(tree variables, tree body);
tree build_unlikely_spawn_test(tree condition);
void register_thread_variable_roots(const char *plugin);
tree runtime_thread_variable(const char *name, tree type);
tree new_spawn_site_variable(bool recursive = false); /* what the runtime learns of a spawn or a loop */
tree build_spawn_want_test();                         /* true if a child is to be deferred */
tree build_spawn_exception_catch(tree body);          /* in C++, passes the exceptions of BODY to the runtime */
tree new_spawn_helper_function(const char *suffix, location_t where, tree first, tree *parameter,
                               tree second = NULL_TREE, tree *other = NULL);
void finish_spawn_helper_function(tree function, tree body);
tree copy_spawn_tree_replacing(tree expression, tree from, tree to, tree function); /* a copy, for use in FUNCTION */

/* tags.cc: makes the addresses of added code recognisable in the debugging information.  */
enum tag { TAG_SPAWN, TAG_SYNC, TAG_FOR, TAG_REDUCER, TAGS };
void register_tag_roots(const char *plugin);
tree build_tagged_scope(tag which, tree statement, location_t where);
void declare_statement_tag(gimple *statement); /* before GCC emits debugging information for the unit */
void tag_loop_statements(gimple_seq statements, gimple *loop);
void place_code_tags(function *fun); /* before anything is inlined into FUN */

/* frames.cc */
tree parallel_frame_of_region(region *r);
tree build_parallel_sync_joins(region *r, location_t where);
tree wrap_in_parallel_frame(tree body, region *r);
void join_parallel_frame_before_destructors(tree *body, region *r);

/* temporaries.cc: moves the temporaries in the arguments of a call to where the child finds them.  */
struct moved_temporaries {
  tree begin = NULL_TREE; /* to be evaluated before the arguments; NULL_TREE if there are no temporaries */
  tree block, local, cleanup;
};
const char *move_spawn_temporaries(tree call, region *r, moved_temporaries *moved); /* NULL, or why it is impossible */
void move_copied_spawn_temporaries(tree call); /* in a function that GCC copied afterwards, such as a constructor */

/* spawns.cc.  The first returns true for a statement that spawns, or a part of one, all of which it has visited.  */
bool defer_spawn_in_statement(tree *place, region *r);
void call_spawned_operands_directly(tree expression, region *r); /* spawned calls whose values EXPRESSION needs */
void forget_destructor_guards();                                 /* when a function begins */
void guard_spawned_destructor(tree cleanup); /* of a variable that a child may not have initialised */

/* ranges.cc: the variables by which compiled loops and the runtime tell each other what to run.  */
enum range_word { RANGE_LOW, RANGE_HIGH, RANGE_GRAIN, RANGE_PLAIN_RUNS, RANGE_UNDIVIDED, RANGE_THROWN };
tree parallel_range_variable();
tree build_parallel_range_word(range_word which); /* an lvalue */
void choose_plain_parallel_loop(gimple_stmt_iterator *at, tree function, tree data, tree site);

/* plain.cc: makes loops that are run by a plain call as fast as serial ones.  */
static const char loop_body_attribute[] = "cilkprof loop body"; /* of functions with the bodies of loops */
void start_plain_parallel_loops(const char *plugin);

/* once.cc: has functions inlined that only one loop calls.  */
void start_inlining_in_parallel_loops(const char *plugin);

/* loops.cc, blocks.cc.  Bodies have been visited before; WHERE is the location of the keyword.  */
bool build_parallel_loop(tree *place, tree *inner, tree grain, location_t where,
                         tree function); /* INNER is in *PLACE; false: it stays serial */
void build_parallel_simd_loop(tree *place, tree grain, location_t where, tree function);
void build_parallel_block(tree *place, tree body, region *r);

/* reducers.cc: OpenCilk reducers.  */
void make_reducer(tree *node, tree attribute, tree functions); /* NODE is a declaration or a type */
void replace_reducers_by_views(tree function);

/* closures.cc */
void lower_parallel_spawns(function *fun);

/* outlined.cc: GCC's outlining for OpenMP, without -fopenmp.  */
void start_parallel_outlining(const char *plugin);
tree build_outlined_loop(tree body, tree clauses, location_t where);
tree parallel_own_copy_clause(tree variable,
                              tree clauses); /* adds a clause: every range has its own copy of VARIABLE */
tree build_outlined_block(tree body, location_t where);

/* link.cc */
void need_parallel_runtime(const char *plugin);

/* pedigrees.cc */
extern bool pedigrees;              /* the program keeps them */
tree build_pedigree_rank_advance(); /* to be executed after a sync */
tree build_call_with_pedigree(tree call, tree function);
tree build_iteration_with_pedigree(tree body, tree number, tree function, tree *before);

/* serial.cc: constructs that stay serial.  */
extern bool warn_cilk_serial;
extern int simd_depth; /* the number of `#pragma omp simd' loops around the current position of the walk */
void note_setjmp_against_parallel(tree function);
const char *reason_not_made_parallel(); /* why nothing can be deferred at the current position, or NULL */
void warn_not_made_parallel(location_t where, const char *construct, const char *reason);

#endif
