/* #pragma cilk grainsize = EXPRESSION, for the cilk_for that follows.  OpenCilk omits the equals sign.
   SPDX-License-Identifier: GPL-3.0-or-later

   The expression becomes the definition of a macro that the macro for cilk_for uses.  So the front end parses it at the
   loop, with the scope, the template arguments and the lambda captures that apply there.  */

#include "front.h"

static const unsigned longest = 63; /* tokens */
static cpp_hashnode *given, *none;
static struct {
  bool pending;
  location_t where;
  unsigned lines; /* that have begun since the pragma */
} grain;

/* Defines the macros for the grain size of a cilk_for: one with room for the tokens of a pragma, and one that is 0 for
   loops without a pragma.  */
void define_grain_macros() {
  char room[2 * longest + 1];
  for (unsigned i = 0; i < longest; i++)
    memcpy(room + 2 * i, "0 ", 2);
  room[2 * longest] = 0;
  given = define_hidden_macro("__cilkprof_grain_given", room);
  none = define_hidden_macro("__cilkprof_grain_none", "0");
}

/* Warns about a grainsize pragma that no cilk_for has followed, and forgets it.  This is only a warning, as in other
   Cilk compilers, because a macro may turn the loop into a plain one in serial builds.  */
void report_unused_grain_pragma() {
  if (grain.pending)
    warning_at(grain.where, OPT_Wpragmas, "%<#pragma cilk grainsize%> is not followed by a %<cilk_for%>");
  grain.pending = false;
}

/* Notes that a line begins at BEGINS, and warns about a pending grainsize pragma if that is the second line after it.
   The loop must begin on the first.  */
void count_line_after_grain(location_t begins) {
  if (grain.pending && begins > grain.where && ++grain.lines == 2)
    report_unused_grain_pragma();
}

/* Returns the macro that gives the grain size of the cilk_for that starts here: that of the pending pragma, which is
   then used up, or the one that is 0.  */
cpp_hashnode *choose_grain_macro() {
  bool chosen = grain.pending;
  grain.pending = false;
  return chosen ? given : none;
}

/* Reads the expression of a grainsize pragma from READER into the macro for the next cilk_for.  Returns false after
   reporting that it is missing or too long.  */
bool read_grain_size_pragma(cpp_reader *reader) {
  const cpp_token *token = cpp_get_token(reader);
  location_t where = token->src_loc;
  report_unused_grain_pragma();
  if (token->type == CPP_EQ)
    token = cpp_get_token(reader);
  cpp_macro *macro = given->value.macro;
  unsigned count = 0;
  for (; token->type != CPP_EOF; token = cpp_get_token(reader)) {
    if (token->type == CPP_PADDING)
      continue;
    if (!count)
      where = token->src_loc;
    if (count < longest)
      macro->exp.tokens[count] = *token;
    count++;
  }
  if (!count || count > longest) {
    error_at(where, "%<#pragma cilk grainsize%> needs an expression, of %u tokens at most", longest);
    return false;
  }
  macro->count = count;
  grain = {true, where, 0};
  return true;
}
