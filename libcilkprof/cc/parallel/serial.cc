/* -Wcilk-serial: constructs that cannot run in parallel.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "parallel.h"

bool warn_cilk_serial;

int simd_depth;

/* A longjmp can only reach frames of its own thread.  */
static bool calls_setjmp;

/* Callback for walk_tree: returns the call at PLACE if it may return twice, as setjmp does.  */
static tree find_setjmp_against_parallel(tree *place, int *, void *) {
  tree function = TREE_CODE(*place) == CALL_EXPR ? get_callee_fndecl(*place) : NULL_TREE;
  return function && flags_from_decl_or_type(function) & ECF_RETURNS_TWICE ? *place : NULL_TREE;
}

/* Records whether FUNCTION calls setjmp: then nothing in it is deferred.  */
void note_setjmp_against_parallel(tree function) {
  calls_setjmp =
      walk_tree_without_duplicates(&DECL_SAVED_TREE(function), find_setjmp_against_parallel, NULL) != NULL_TREE;
}

/* Returns the reason why nothing can be deferred at the current position of the walk over a function, or NULL.  After
   an error nothing is outlined, because that would only repeat the errors.  */
const char *reason_not_made_parallel() {
  if (seen_error())
    return "errors"; /* never shown */
  if (simd_depth)
    return "it is in a simd loop";
  return calls_setjmp ? "the function around it calls setjmp" : NULL;
}

/* Warns, with -Wcilk-serial, that the CONSTRUCT at WHERE runs serially, and for which REASON.  */
void warn_not_made_parallel(location_t where, const char *construct, const char *reason) {
  if (warn_cilk_serial && !seen_error())
    warning_at(where, 0, "this %qs runs serially: %s [%<-Wcilk-serial%>]", construct, reason);
}
