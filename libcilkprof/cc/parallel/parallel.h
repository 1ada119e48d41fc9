/* -fcilkplus that runs in parallel: what cilk_spawn, cilk_sync and cilk_for become.
   SPDX-License-Identifier: GPL-3.0-or-later

   First in the trees, when a function is complete.  A function that spawns gets a frame (abi/parallel.h), and joins its
   children wherever it is left:
     { frame.deferred = 0; try body finally if (frame.deferred) join (&frame); }
   A spawned call gets more arguments, which survive whatever the front end and the gimplifier do to it (enum tail).
   Then in GIMPLE, where all its own arguments are values, it becomes
     if (want) { closure = {arguments}; spawn (&frame, child, &closure, size); } else the plain call;
   with child (void *closure) a new function.  Nothing is captured, so that nothing is shared by accident.

   cilk_for and spawned blocks need captures: to the gimplifier they are regions of OpenMP's, which it outlines; behind
   that the runtime's functions are called in place of libgomp's.  */

#ifndef CILKPROF_CC_PARALLEL_H
#define CILKPROF_CC_PARALLEL_H

#include "libcilkprof/cc/front/front.h"

/* What has a frame: a function, a block that is spawned, an iteration of a cilk_for, a cilk_scope; and what an
   exception can be caught in.  */
struct region {
  tree function;
  tree frame;      /* NULL_TREE: it needs none so far */
  region *outside; /* of a try block or a handler: what a sync in it waits for as well */
  bool returning;  /* what is looked at is the value of a return */
};

/* The arguments that are added to a spawned call, behind its own.  */
enum tail {
  TAIL_BLOCK,   /* address of the pointer to what its temporaries are in, or NULL */
  TAIL_LOCAL,   /* what that points to if the child is not to be deferred */
  TAIL_CLEANUP, /* the function that destroys these, or NULL */
  TAIL_RESULT,  /* where the result is to be stored, or NULL */
  TAIL_STORE,   /* the function that stores it there, or NULL: it is a plain object */
  TAIL_DONE,    /* address of the byte that says that the result is there, or NULL */
  TAIL_FRAME,
  TAIL_MARK,
  TAIL_LENGTH
};

/* parallel.cc: the walk over a function.  */
void parallelise(tree function);
void parallelise_part(tree *part, region *r);
tree visit_parallel(tree *place, int *walk_subtrees, void *region);

/* build.cc: trees.  */
tree runtime_call(const char *name, tree result, bool throws, std::initializer_list<tree> arguments);
tree new_variable(tree type, const char *name, tree function);
tree address_of(tree lvalue);
tree statements(std::initializer_list<tree> list); /* those that are not NULL_TREE */
tree assign(tree to, tree value);
tree converted(tree type, tree value); /* between numbers, and pointers */
tree memory_at(tree pointer, unsigned HOST_WIDE_INT offset, tree type);
tree scope_of(tree variables, tree body);
tree unlikely(tree condition);
tree wanted();          /* a child is to be deferred */
tree caught(tree body); /* its exceptions are handed to the runtime; of C++ alone */
tree new_function(const char *suffix, location_t where, tree first, tree *parameter, tree second = NULL_TREE,
                  tree *other = NULL);
void finish_function_body(tree function, tree body);
tree replaced(tree expression, tree from, tree to, tree function); /* a copy, for that function */

/* tags.cc: what the compiler adds can be told by its address, where there is debugging information.  */
enum tag { TAG_SPAWN, TAG_SYNC, TAG_FOR, TAG_REDUCER, TAGS };
void register_tags(const char *plugin);
tree tagged(tag which, tree statement, location_t where);
void declare_tag(gimple *statement); /* before GCC describes the unit */
void place_tags(function *fun);      /* of a function as it is before anything is inlined */

/* frames.cc */
tree frame_of(region *r);
tree build_sync(region *r, location_t where);
tree with_frame(tree body, region *r);
void join_before_destructors(tree *body, region *r);

/* temporaries.cc: the temporaries in the arguments of a call go to where the child finds them.  */
struct moved_temporaries {
  tree begin = NULL_TREE; /* to be done before the arguments are evaluated; NULL_TREE: there are none */
  tree block, local, cleanup;
};
const char *move_temporaries(tree call, region *r, moved_temporaries *moved); /* not NULL: why that cannot be */
void move_copied_temporaries(tree call); /* of a function that was copied afterwards, as constructors are */

/* spawns.cc: true, if it is a statement that spawns, or part of one; then all of it was visited.  */
bool spawn_in_statement(tree *place, region *r);
void call_used_directly(tree expression, region *r); /* spawned calls whose values it needs */
bool deferrable_p(const gimple *statement);
bool deferrable_p(tree call);
void guard_destructor(tree cleanup); /* of a variable that a child may or may not have made */

/* loops.cc, blocks.cc */
void parallel_loop(tree *place, region *r);
void parallel_simd(tree *place, region *r);
void parallel_block(tree *place, region *r);

/* reducers.cc: OpenCilk's reducers.  */
void make_reducer(tree *node, tree attribute, tree functions); /* of a declaration or a type */
void use_views(tree function);

/* closures.cc */
void lower_parallel_spawns(function *fun);

/* outlined.cc: OpenMP's machinery without -fopenmp.  */
void start_outlining(const char *plugin);
tree outlined_loop(tree body, tree clauses, location_t where);
tree own_copy(tree variable, tree clauses); /* one more clause: every range has a copy of it */
tree outlined_block(tree body, location_t where);

/* link.cc */
void need_runtime(const char *plugin);

/* pedigrees.cc */
extern bool pedigrees; /* whether they are kept */
tree next_strand();    /* behind a sync */
tree as_child(tree call, tree function);
tree as_iteration(tree body, tree number, tree function, tree *before);

/* serial.cc: what stays serial.  */
extern bool warn_cilk_serial;
extern int simd_depth; /* loops with `#pragma omp simd' around what is visited */
void look_for_setjmp(tree function);
const char *whole_function_serial(); /* not NULL: why nothing can be deferred where the walk is */
void stays_serial(location_t where, const char *construct, const char *reason);

#endif
