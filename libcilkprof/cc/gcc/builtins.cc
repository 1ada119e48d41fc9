/* Built-in functions, which the compiler of Fortran knows few of.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/middle-end.h"
#include "langhooks.h"

/* Returns the declaration of the built-in function WHICH.  The front ends of C and C++ declare all of them, that of
   Fortran only those that it uses itself: those that plugins need are declared here.  */
tree gcc_builtin_decl(built_in_function which) {
  const struct {
    built_in_function which;
    const char *name;
    tree parameter; /* its type; all return a pointer */
  } undeclared[] = {{BUILT_IN_DWARF_CFA, "__builtin_dwarf_cfa", NULL_TREE},
                    {BUILT_IN_RETURN_ADDRESS, "__builtin_return_address", unsigned_type_node},
                    {BUILT_IN_EXTRACT_RETURN_ADDR, "__builtin_extract_return_addr", ptr_type_node}};
  if (tree known = builtin_decl_explicit(which))
    return known;
  for (const auto &each : undeclared)
    if (each.which == which) {
      tree type = build_function_type_list(ptr_type_node, each.parameter, NULL_TREE);
      tree made = add_builtin_function(each.name, type, which, BUILT_IN_NORMAL, NULL, NULL_TREE);
      TREE_NOTHROW(made) = 1;
      set_builtin_decl(which, made, true);
      return made;
    }
  gcc_unreachable();
}
