/* The front end's side of -fcilkplus: what the parts of this plugin share.
   SPDX-License-Identifier: GPL-3.0-or-later

   The keywords expand to what an unchanged front end can parse and this plugin can find again:
     _Cilk_spawn  a pragma: no token at all; the call behind it is found by its place in the source (keywords.cc)
     _Cilk_sync   a call of a marker
     _Cilk_for    a for-loop around the loop, with a marker as its condition; behind #pragma omp simd, around its body
     _Cilk_scope  a for-loop with a marker as its condition, around the block
   With -fcilkprof the trees are rewritten so that markers stand in the code where the back end's plugin inserts events
   (trees.cc, lower.cc); without it, so that nothing of them is left.  */

#ifndef CILKPROF_CC_FRONT_H
#define CILKPROF_CC_FRONT_H

#include "libcilkprof/cc/gcc/front-end.h"
#include "libcilkprof/cc/markers.h"

/* Whether events are wanted, not only the language; whether the program is to run in parallel (cc/parallel).  Never
   both.  */
extern bool instrumenting, parallel;

/* front.cc */
bool parsed_function_p(tree function); /* its trees were seen */
void note_parsed(tree function);       /* one that is made here */

/* keywords.cc: the macros.  */
#define SPAWN_OF_CALL  "__cilkprof_spawn_call"
#define SPAWN_OF_OTHER "__cilkprof_spawn_other"
void register_pragmas(void *, void *);
void watch_lines(); /* of preprocessed input: preprocessed_token is told the first of a line */
cpp_hashnode *define_macro(const char *name, const char *value);

/* grain.cc: the pragma for the grain size.  */
void define_grain();
void grain_size_pragma(cpp_reader *);
cpp_hashnode *choose_grain(); /* which macro stands for it in the loop that begins */
void line_after_grain(location_t begins);
void report_unused_grain();

/* simd.cc: a loop behind #pragma omp simd.  */
void define_loop();
cpp_hashnode *choose_loop(cpp_hashnode *plain,
                          const cpp_token *behind); /* which macro stands for the keyword before it */
void line_after_simd(const cpp_token *first);
void pragma_operator(const char *text); /* with its quotes */
void rewrite_simd(tree *place, tree function);
tree *checked_simd(tree loop, tree *grain); /* where the keyword's mark is in the body; NULL: there is none */

/* What stands behind a keyword.  */
struct spawned_text {
  const cpp_token *first;
  const cpp_token *open; /* the parenthesis before the arguments of what reads like a call; NULL: it was not found */
  unsigned open_index;   /* how many tokens behind the first it is */
  bool like_call;        /* or a macro, which may be one */
  bool begins() const;   /* something that could be a call */
};

/* places.cc: where spawns were written.  */
struct spawn_keyword {
  location_t where;    /* the keyword */
  location_t place;    /* the same in the file, where a macro is used if it comes from one */
  location_t next;     /* the token behind it; 0: not known, in a precompiled header */
  location_t open;     /* the parenthesis before the call's arguments, or 0 */
  const char *name;    /* that token, if it is a name; else NULL */
  bool like_call;      /* what follows reads like a call */
  bool crowded;        /* other tokens behind it have the same place */
  bool read_here;      /* not in a precompiled header */
  bool before_nothing; /* that could begin a call */
  bool reached;        /* it lies in a function that was compiled */
  bool chosen;         /* it may lie in a part of a template that an instance does not have */
  bool matched;        /* with a call */
  location_t inside;   /* where the function is declared in which it lies; 0: not known */
  location_t owner;    /* the same of the one in which it was matched */
};
vec<spawn_keyword> &spawn_keywords();
bool file_has_keywords(location_t where);
spawn_keyword *keyword_before(location_t token);      /* right before it; NULL: none is */
spawn_keyword *keyword_of_arguments(location_t open); /* of the call whose arguments it opens */
void keywords_between(location_t from, location_t to, vec<spawn_keyword *> *found);
location_t plain_location(location_t location);
location_t place_in_file(location_t location); /* of the use of a macro, if it is inside one */
bool in_macro(location_t location);
void spawn_pragma(cpp_reader *);
void spawn_expanded(const spawned_text &);
bool awaiting_token(); /* in preprocessed input: the first behind a keyword */
void preprocessed_token(const spawned_text &, bool block);

/* spawns.cc: adds a last argument to every spawned call in FUNCTION, by which lower.cc knows it.  */
void mark_spawned_calls(tree function);
void declaration_parsed(void *decl, void *);
void type_parsed(void *type, void *);
bool spawned_call_p(const gimple *statement);
bool marked_p(tree call);
location_t place_of_spawn(tree call);             /* of one that is marked */
spawn_keyword *keyword_of_call(location_t where); /* that stands before the call at WHERE; NULL: none does */
bool spawned_function_p(tree function);           /* it is, somewhere in this unit */

/* owners.cc: which functions they are in.  */
location_t start_of_function(tree function);
void own_keywords(tree function, location_t end); /* those in it that no function inside it has */
void reach_keywords(tree function, location_t end);
void function_ended(void *function, void *);
void match_keyword(spawn_keyword *keyword, tree function);
void report_unmatched_keywords();

/* misuse.cc: complains of spawns in conditions.  */
void check_spawns(tree function);

/* trees.cc: rewrites cilk_for, cilk_scope and cilk_sync in FUNCTION.  */
void rewrite_constructs(tree function);
tree build_mark(marker which, std::initializer_list<tree> arguments = {});
tree marker_call_in(tree condition); /* NULL_TREE: there is none */
marker marker_in_condition(tree condition);
tree *checked_loop(tree guard, tree *grain); /* the loop behind a cilk_for, which is looked at; NULL after an error */
tree checked_block(tree guard);              /* the same of the block behind a cilk_spawn */
void hide_syncs_before_labels(tree list);    /* from warnings */
void check_scopes(tree *body);               /* that no break is in a cilk_scope that is in no loop */
void check_loop(tree *body);                 /* that nothing leaves it */
tree checked_grain(tree guard);              /* that was asked for, 0 if none was; NULL_TREE after an error */
tree sequence(tree first, tree second, tree third = NULL_TREE);
tree temporary(tree type, tree function);

/* jumps.cc: marks labels in FUNCTION, whose constructs are rewritten, where a jump may arrive that left some.  */
bool leaving_asm_p(tree statement, hash_set<tree> *labels); /* it may jump to another label than these */
void mark_arrivals(tree function);

/* openmp.cc: puts markers at OpenMP's constructs in FUNCTION.  */
void mark_openmp(tree function);
void need_openmp(); /* at the end of a unit: tells the linker, if it has any */
tree construct_name(const char *construct, location_t where); /* with its place */
void say_once(location_t where, const char *message);         /* in a unit */

/* openmp-atomic.cc: the same at an atomic operation.  Whether one object is at ADDRESS whenever control is there.  */
tree as_atomic(tree t, location_t where);
bool fixed_address_p(tree address);

/* openmp-locks.cc: CALL is one of omp.h's, perhaps of a lock.  */
void note_lock(tree call, tree callee);

/* openmp-detach.cc: a task is detached.  */
void note_detach(location_t where);

/* openmp-loops.cc: the same at a loop, whose iterations are those of INNER.  */
bool omp_loop_p(tree t);
bool generated_loop_p(tree loop); /* what a loop transformation makes, as tile */
void make_static(tree *loop);     /* and nothing else */
bool doacross_p(tree loop);       /* its iterations wait for one another, by edges that it names */
void mark_omp_loop(tree *place, tree inner, const char *name, bool nowait, tree function);

/* openmp-calls.cc: makes them serial.  */
opt_pass *make_serial_pass();

/* lower.cc */
opt_pass *make_lowering_pass();

#endif
