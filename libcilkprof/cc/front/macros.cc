/* Macros that are defined before the first line of a unit is read.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"

/* Returns the preprocessor's node for the macro NAME, which need not be defined.  Parameters after the name are
   ignored.  */
cpp_hashnode *lookup_macro_node(const char *name) {
  return cpp_lookup(parse_in, (const unsigned char *)name, strcspn(name, "("));
}

/* Takes the locations from the tokens of the macro NODE, and returns NODE.  Then GCC reports problems in the expansion
   at the keyword.  */
cpp_hashnode *clear_macro_locations(cpp_hashnode *node) {
  for (unsigned i = 0; i < node->value.macro->count; i++)
    node->value.macro->exp.tokens[i].src_loc = BUILTINS_LOCATION;
  return node;
}

/* Defines the macro NAME as VALUE, without locations, and returns its node.  The definition is hidden from -g3, which
   has no file yet to attribute it to, and from -dD.  Warnings about variadic macros in C90 are suppressed.  */
cpp_hashnode *define_hidden_macro(const char *name, const char *value) {
  cpp_callbacks *callbacks = cpp_get_callbacks(parse_in);
  cpp_options *options = cpp_get_options(parse_in);
  auto described = callbacks->define;
  auto warned = options->warn_variadic_macros;
  callbacks->define = NULL;
  options->warn_variadic_macros = 0;
  cpp_define_formatted(parse_in, "%s=%s", name, value);
  callbacks->define = described;
  options->warn_variadic_macros = warned;
  return clear_macro_locations(lookup_macro_node(name));
}

/* Returns true if the macro NODE may expand to a _Pragma, by itself or by a macro that is not in VISITED.  */
static bool macro_runs_pragma_p(cpp_hashnode *node, hash_set<cpp_hashnode *> *visited) {
  if (!cpp_user_macro_p(node))
    return cpp_macro_p(node) && id_equal(HT_IDENT_TO_GCC_IDENT(HT_NODE(node)), "_Pragma");
  if (visited->add(node))
    return false;
  const cpp_macro *macro = node->value.macro;
  if (!macro || macro->kind != cmk_macro)
    return true; /* not known yet: of a module */
  for (unsigned i = 0; i < macro->count; i++) {
    const cpp_token &token = macro->exp.tokens[i];
    if (token.type == CPP_NAME && macro_runs_pragma_p(token.val.node.node, visited))
      return true;
  }
  return false;
}

/* Returns true if TOKEN may expand to a _Pragma.  */
bool token_runs_pragma_p(const cpp_token *token) {
  hash_set<cpp_hashnode *> visited;
  return token->type == CPP_NAME && macro_runs_pragma_p(token->val.node.node, &visited);
}
