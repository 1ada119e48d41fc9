/* The front-end plugin for -fcilkplus: declarations that its files share.
   SPDX-License-Identifier: GPL-3.0-or-later

   The keywords expand to code that an unmodified front end can parse and that this plugin recognises afterwards:
     _Cilk_spawn  a pragma, which leaves no token; the call after it is found by its source location (keywords.cc)
     _Cilk_sync   a call of a marker
     _Cilk_for    a for loop around the loop, with a marker as its condition; after #pragma omp simd, around its body
     _Cilk_scope  a for loop around the block, with a marker as its condition
   With -fcilkprof the trees are rewritten so that markers stand where the back-end plugin inserts events (trees.cc,
   lower.cc).  Otherwise nothing of the markers is left.  */

#ifndef CILKPROF_CC_FRONT_H
#define CILKPROF_CC_FRONT_H

#include "libcilkprof/cc/gcc/front-end.h"
#include "libcilkprof/cc/markers.h"

/* The functions of cc/parallel that this folder calls.  */
struct parallel_hooks {
  void (*set_option)(const char *option);            /* an argument of the plugin that is unknown here */
  void (*need_parallel_runtime)(const char *plugin); /* makes the linker complain if the runtime is missing */
  void (*start)(const char *plugin);                 /* registers passes and callbacks */
  void (*rewrite_function)(tree function);           /* in the trees, once the function is complete */
  void (*lower_spawns)(function *fun);               /* in GIMPLE */
  void (*make_reducer)(tree *node, tree attribute, tree functions);
};

/* state.cc.  INSTRUMENTING means that the profiler's events are wanted, PARALLEL that the program is to run in
   parallel (cc/parallel).  At most one of them is set.  DEFERRING means that it is profiled while it runs in
   parallel: INSTRUMENTING is set as well, and spawned calls can be deferred.  OPENCILK_KEYWORDS means that no
   header is needed for the keywords.  */
extern bool instrumenting, parallel, deferring, opencilk_keywords;
extern const parallel_hooks *parallel_hook; /* installed by parallel/hooks.cc when the plugin is loaded */
bool parsed_function_p(tree function);      /* the plugin has processed its trees */
void note_parsed_function(tree function);

/* macros.cc */
cpp_hashnode *lookup_macro_node(const char *name); /* parameters after the name are ignored */
cpp_hashnode *clear_macro_locations(cpp_hashnode *node);
cpp_hashnode *define_hidden_macro(const char *name, const char *value);
bool token_runs_pragma_p(const cpp_token *token); /* when it is expanded */

/* keywords.cc: the keywords as macros.  */
#define SPAWN_OF_CALL  "__cilkprof_spawn_call"
#define SPAWN_OF_OTHER "__cilkprof_spawn_other"
void register_keyword_pragmas(void *, void *);

/* grain.cc: the pragma for the grain size.  */
void define_grain_macros();
bool read_grain_size_pragma(cpp_reader *); /* false after an error */
cpp_hashnode *choose_grain_macro();        /* the macro that gives the grain size of the loop that starts here */
void count_line_after_grain(location_t begins);
void report_unused_grain_pragma();

/* simd.cc: a loop after #pragma omp simd.  */
void define_simd_loop_macro();
cpp_hashnode *choose_loop_macro(cpp_hashnode *plain,
                                const cpp_token *behind); /* the macro for the keyword before BEHIND */
void count_line_after_simd(const cpp_token *first);
void read_simd_pragma_operator(const char *text); /* including the quotes */
void rewrite_simd_loop(tree *place, tree function);
tree *checked_simd_loop(tree loop, tree *grain); /* where the keyword's mark is in the body; NULL if there is none */

/* The tokens after a cilk_spawn.  */
struct spawned_text {
  const cpp_token *first;
  const cpp_token *open; /* the parenthesis before the arguments of what reads like a call; NULL if not found */
  unsigned open_index;   /* its distance from the first token */
  bool like_call;        /* it reads like a call, or is a macro, which may be one */
  bool begins_spawned_call_p() const; /* it could begin a call */
};

/* places.cc: where the program spawns.  */
struct spawn_keyword {
  location_t where;    /* the keyword */
  location_t place;    /* the same in the file: if a macro contains the keyword, where the macro is used */
  location_t next;     /* the token after it; 0 if unknown, in a precompiled header */
  location_t open;     /* the parenthesis before the call's arguments, or 0 */
  const char *name;    /* that token if it is a name, else NULL */
  bool like_call;      /* what follows reads like a call */
  bool crowded;        /* other tokens after it have the same location */
  bool read_here;      /* not in a precompiled header */
  bool before_nothing; /* nothing that could begin a call follows */
  bool reached;        /* it lies in a function that was compiled */
  bool chosen;         /* it may lie in a part of a template that an instance does not have */
  bool matched;        /* with a call */
  location_t inside;   /* the declaration of the function that contains it; 0 if unknown */
  location_t owner;    /* the declaration of the function in which it was matched */
};
vec<spawn_keyword> &all_spawn_keywords();
bool file_has_keywords_p(location_t where);
spawn_keyword *keyword_before_token(location_t token);     /* immediately before it; NULL if there is none */
spawn_keyword *keyword_of_call_arguments(location_t open); /* the keyword of the call whose arguments OPEN begins */
void spawn_keywords_between(location_t from, location_t to, vec<spawn_keyword *> *found);
location_t plain_token_location(location_t location);
location_t location_outside_macros(location_t location); /* inside a macro, where the macro is used */
bool location_in_macro_p(location_t location);
void note_spawn_pragma(cpp_reader *);
void note_spawn_expansion(const spawned_text &);
bool awaiting_spawned_token_p(); /* preprocessed input: the next token is the first after a keyword */
void add_preprocessed_keyword(const spawned_text &, bool block);

/* call-marks.cc: marks on calls that are spawned, and on those that cc/parallel can defer.  */
tree new_spawn_mark(location_t keyword);
tree new_deferrable_mark();
bool spawn_marked_statement_p(const gimple *statement);
bool spawn_marked_call_p(tree call);         /* as spawned */
location_t spawned_call_location(tree call); /* of a call that is marked as spawned */
bool deferrable_marked_p(const gimple *statement);
bool deferrable_marked_p(tree call);

/* spawns.cc: finds and marks the spawned calls of FUNCTION.  */
void mark_spawned_calls(tree function);
void check_parsed_declaration(void *decl, void *);
void check_parsed_type(void *type, void *);
spawn_keyword *
keyword_at_call_location(location_t where); /* the keyword before the call at WHERE; NULL if there is none */
bool spawned_function_p(tree function);     /* some call in this unit spawns it */

/* operations.cc: spawned operations, which are written as calls.  */
bool spawned_operation_p(tree call);
void mark_spawned_operation(tree *place, const char *name);
void mark_spawned_operation_call(tree *place);

/* owners.cc: the function that contains each keyword.  */
location_t keyword_function_location(tree function);
void assign_keywords_to_function(tree function, location_t end); /* those that no function nested in it contains */
void mark_keywords_reached(tree function, location_t end);
void assign_keywords_at_function_end(void *function, void *);
void match_spawn_keyword(spawn_keyword *keyword, tree function);
void report_unmatched_keywords();

/* misuse.cc: reports spawns in conditions.  */
void check_spawns_in_conditions(tree function);

/* marks.cc: markers in trees, and other trees that are built everywhere.  */
tree build_marker_tree(marker which, std::initializer_list<tree> arguments = {});
tree marker_tree_call_in_condition(tree condition); /* NULL_TREE if there is none */
marker marker_tree_in_condition(tree condition);
tree statement_sequence(tree first, tree second, tree third = NULL_TREE);
tree new_tree_temporary(tree type, tree function);

/* checks.cc: errors in the body or head of a construct.  GUARD is the loop that the keyword expands to.  */
tree *checked_cilk_for(tree guard, tree *grain); /* the loop of a cilk_for; NULL after an error */
tree checked_spawned_block(tree guard);          /* the block of a cilk_spawn */
void check_breaks_in_cilk_scopes(tree *body);    /* no break leaves a cilk_scope that is in no loop */
void check_cilk_for_body(tree *body, tree name); /* nothing jumps out of the body of a loop of that name */
tree checked_grain_size(tree guard);             /* the requested grain size, 0 by default; NULL_TREE after an error */

/* trees.cc: rewrites cilk_for, cilk_scope and cilk_sync in FUNCTION.  */
void rewrite_cilk_constructs(tree function);
void hide_syncs_before_labels(tree list); /* from warnings about falling through */

/* jumps.cc: marks the labels of FUNCTION that a jump out of a construct may reach.  The constructs must have been
   rewritten.  */
bool asm_goto_leaves_construct_p(tree statement,
                                 hash_set<tree> *labels); /* it may jump to a label that is not in LABELS */
void mark_construct_arrival_labels(tree function);

/* openmp.cc: puts markers at the OpenMP constructs of FUNCTION.  */
void mark_openmp_constructs(tree function);

/* fortran.cc: has the constructs of each function of Fortran marked, before GCC gimplifies it.  */
void mark_fortran_constructs_when_gimplified();
const char *fortran_loop_construct_name(tree loop, bool in_parallel); /* in the profile */

/* openmp-names.cc */
tree omp_string_literal_tree(const char *text);
tree located_omp_construct_name(const char *construct, location_t where);
void note_omp_limit_once(location_t where, const char *message); /* per translation unit */

/* openmp-atomic.cc: markers at an atomic operation.  */
tree mark_omp_atomic(tree t, location_t where, bool shared);
tree tell_engine_of_omp_flag(tree address, bool written);
bool fixed_omp_address_p(tree address); /* it is the address of the same object every time */

/* openmp-threads.cc: calls that tell the engine which variables REGION copies to all its threads.  */
tree tell_engine_of_omp_copyin(tree region);

/* openmp-locks.cc: records a call of a function of omp.h, which may operate on a lock.  */
void note_omp_lock_call(tree call, tree callee);

void note_detached_omp_task(location_t where);

/* openmp-loops.cc: markers at a loop construct, whose iterations are those of INNER.  */
bool omp_loop_p(tree t);
bool generated_omp_loop_p(tree loop);  /* it is the result of a loop transformation such as tile */
void make_omp_loop_static(tree *loop); /* changes its schedule and nothing else */
bool omp_doacross_loop_p(tree loop);   /* its iterations wait for each other along edges that it names */
void mark_omp_loop(tree *place, tree inner, const char *name, bool nowait, bool shared, tree function);

/* openmp-calls.cc: replaces calls of libgomp by serial code.  */
opt_pass *make_omp_serial_pass();

/* algorithms.cc: calls of std::sort and the like, and what they call.  */
void keep_algorithm_calls(tree function, gimple_seq body);

/* lower.cc: replaces the marks on calls by markers.  */
opt_pass *make_spawn_lowering_pass();

#endif
