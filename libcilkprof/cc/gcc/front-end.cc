/* Declarations that plugins make, completed as the front ends expect them; coroutines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"

/* Completes FUNCTION, which a plugin has made, so that it looks to the front end like a declaration that was parsed,
   and returns it.  Since gcc 14 the C++20 front end asks whether each called function must be evaluated at compile
   time, and reads the answer from the data that it keeps with declarations of its own.  */
tree complete_gcc_function_decl(tree function) {
  if (c_dialect_cxx() && !DECL_LANG_SPECIFIC(function)) {
    retrofit_lang_decl(function);
    SET_DECL_LANGUAGE(function, lang_c);
  }
  return function;
}

/* Returns true if FUNCTION is a C++ coroutine, or one of the functions into which GCC splits it.  */
bool gcc_coroutine_part_p(tree function) {
  return c_dialect_cxx() && DECL_LANG_SPECIFIC(function) &&
         (DECL_COROUTINE_P(function) || coro_get_ramp_function(function));
}
