/* The front end's side of -fcilkplus: what the parts of this plugin share.
   SPDX-License-Identifier: GPL-3.0-or-later

   The keywords expand to what an unchanged front end can parse and this plugin can find again:
     _Cilk_spawn  a pragma: no token at all; the call behind it is found by its place in the source (keywords.cc)
     _Cilk_sync   a call of a marker
     _Cilk_for    a for-loop around the loop, with a marker as its condition
     _Cilk_scope  an if-statement with a marker as its condition
   With -fcilkprof the trees are rewritten so that markers stand in the code where the back end's plugin inserts events
   (trees.cc, lower.cc); without it, so that nothing of them is left.  */

#ifndef CILKPROF_CC_FRONT_H
#define CILKPROF_CC_FRONT_H

#include "gcc-plugin.h"
#include "tree.h"
#include "c-family/c-common.h" /* it must come before the headers of diagnostics */
#include "c-family/c-pragma.h"
#include "cpplib.h"
#include "line-map.h"
#include "input.h"
#include "gcc-headers.h"
#include "markers.h"

/* What only a front end has.  The link-time compiler loads this plugin too, and must find nothing amiss.  */
extern cpp_reader *parse_in __attribute__((weak));
extern c_language_kind c_language __attribute__((weak));
extern tree c_global_trees[CTI_MAX] __attribute__((weak));
extern enum cpp_ttype pragma_lex(tree *, location_t *) __attribute__((weak));
extern void c_register_pragma_with_expansion(const char *, const char *, pragma_handler_1arg) __attribute__((weak));
extern tree lookup_name(tree) __attribute__((weak));

/* Whether events are wanted, not only the language.  */
extern bool instrumenting;

/* keywords.cc: where spawns were written.  */
struct spawn_keyword {
  location_t where;  /* the keyword */
  location_t next;   /* the token behind it, where its location is known exactly; else 0 */
  bool preprocessed; /* from a pragma line in preprocessed input */
  bool matched;      /* with a call */
  bool reached;      /* lies in a function that was compiled */
};
vec<spawn_keyword> &spawn_keywords();
bool stands_behind(location_t token, const spawn_keyword &keyword);
location_t plain_location(location_t location);
location_t place_in_file(location_t location); /* of the use of a macro, if it is inside one */
bool in_macro(location_t location);
void register_pragmas(void *, void *);

/* source-text.cc: whether only blanks, comments and opening parentheses stand between the keyword and the token at
   LOCATION; and whether what stands behind it reads like a call.  */
bool adjacent(location_t keyword, location_t location);
bool looks_like_call(location_t keyword);

/* The grain size that a pragma gave for the loop at LOCATION, or NULL_TREE.  */
tree grain_for(location_t location);

/* spawns.cc: adds a last argument to every spawned call in FUNCTION, by which lower.cc knows it.  */
void mark_spawned_calls(tree function);
void report_unmatched_keywords();
bool spawned_call_p(const gimple *statement);
bool spawned_function_p(tree function); /* it is, somewhere in this unit */

/* trees.cc: rewrites cilk_for, cilk_scope and cilk_sync in FUNCTION.  */
void rewrite_constructs(tree function);

/* lower.cc */
opt_pass *make_lowering_pass();

#endif
