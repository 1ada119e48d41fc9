/* Macros that the preprocessor knows from the start.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"

/* The parameters behind the name of a macro are not looked at.  */
cpp_hashnode *macro_node(const char *name) {
  return cpp_lookup(parse_in, (const unsigned char *)name, strcspn(name, "("));
}

/* What GCC says of the expansion is said where the keyword stands: its tokens have no place of their own.  */
cpp_hashnode *without_place(cpp_hashnode *node) {
  for (unsigned i = 0; i < node->value.macro->count; i++)
    node->value.macro->exp.tokens[i].src_loc = BUILTINS_LOCATION;
  return node;
}

/* Without a word to -g3, which has no file yet to say that this is in, and to -dD; nor to those who want C of 1989.  */
cpp_hashnode *define_macro(const char *name, const char *value) {
  cpp_callbacks *callbacks = cpp_get_callbacks(parse_in);
  cpp_options *options = cpp_get_options(parse_in);
  auto described = callbacks->define;
  auto warned = options->warn_variadic_macros;
  callbacks->define = NULL;
  options->warn_variadic_macros = 0;
  cpp_define_formatted(parse_in, "%s=%s", name, value);
  callbacks->define = described;
  options->warn_variadic_macros = warned;
  return without_place(macro_node(name));
}
