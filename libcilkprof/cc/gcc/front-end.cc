/* What a plugin makes, as the front ends want it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/c++-front-end.h"

/* Since gcc 14 the front end of C++20 asks of every function that is called whether it must be evaluated while
   compiling, and looks for the answer in what it keeps of functions beside the tree.  */
tree known_to_front_end(tree function) {
  if (c_dialect_cxx() && !DECL_LANG_SPECIFIC(function)) {
    retrofit_lang_decl(function);
    SET_DECL_LANGUAGE(function, lang_c);
  }
  return function;
}

bool coroutine_part_p(tree function) {
  return c_dialect_cxx() && DECL_LANG_SPECIFIC(function) &&
         (DECL_COROUTINE_P(function) || coro_get_ramp_function(function));
}
