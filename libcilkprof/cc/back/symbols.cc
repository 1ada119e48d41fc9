/* The symbols of functions as the programmer wrote them.
   SPDX-License-Identifier: GPL-3.0-or-later

   The optimisers copy functions: they specialise them for constant arguments or split them.  The programmer sees one
   function, so all copies go by the symbol of the original.  */

#include "symbols.h"

/* Returns SYMBOL without the suffixes that the optimisers give to copies of functions, and GCC to the body of an OpenMP
   region, which is a part of the function that it was written in.  The suffix .lto_priv, which
   distinguishes static functions of the same name at link time, stays: these are different functions.  */
std::string original_site_symbol(const char *symbol) {
  static const char *const suffixes[] = {".constprop.", ".isra.",      ".part.",    ".cold", ".direct",
                                         ".bare.",      ".localalias", "._omp_fn.", NULL};
  std::string name = symbol + (symbol[0] == '*');
  for (const char *const *suffix = suffixes; *suffix; suffix++)
    name = name.substr(0, name.find(*suffix));
  return name;
}

/* Returns the declaration whose symbol names FUNCTION in other units: FUNCTION itself, or an alias.  One local
   function, __tls_init, initialises the thread-local variables of a unit.  It has an alias for each variable that other
   units use, and these units know it only by the alias.  So that it has the same name everywhere, it goes by its first
   alias in its own unit, too.  */
tree site_decl_with_public_symbol(tree function) {
  cgraph_node *node = cgraph_node::get(function), *first = NULL;
  if (!node || !DECL_ARTIFICIAL(function))
    return function;
  ipa_ref *alias;
  node = node->ultimate_alias_target();
  if (!DECL_NAME(node->decl) || !id_equal(DECL_NAME(node->decl), "__tls_init"))
    return function;
  for (int i = 0; node->iterate_direct_aliases(i, alias); i++) {
    cgraph_node *named = dyn_cast<cgraph_node *>(alias->referring);
    if (named && TREE_PUBLIC(named->decl) && (!first || named->order < first->order))
      first = named;
  }
  return first ? first->decl : node->decl;
}

/* Returns the symbol of FUNCTION without the suffixes that the optimisers give to copies; it is empty for
   NULL_TREE.  */
std::string original_site_symbol(tree function) {
  return function
             ? original_site_symbol(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(site_decl_with_public_symbol(function))))
             : "";
}

/* Returns the identifier of the symbol of the function that the optimisers copied to make FUNCTION, or of FUNCTION
   itself.  */
tree original_site_symbol_identifier(tree function) {
  return get_identifier(original_site_symbol(function).c_str());
}

/* Returns true if A and B are the same function, or copies that the optimisers made of one function.  */
bool copies_of_same_instrumented_function_p(tree a, tree b) {
  return a == b || original_site_symbol(a) == original_site_symbol(b);
}
