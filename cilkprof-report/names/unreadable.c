/* Names functions whose symbols BFD cannot demangle, such as those of newer versions of C++.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/names/symbol-index.h"
#include "cilkprof-report/support/support.h"

/* Returns whether the name of FUNCTION is a C++ symbol that was not demangled.  */
static bool is_unreadable_function_name(const struct function *function) {
  return function->file == NULL && strncmp(function->name, "_Z", strlen("_Z")) == 0;
}

/* Returns a name for a function whose symbol cannot be demangled: the base name of the file and the line of PLACE.
   Allocated.  */
static const char *function_name_from_place(const struct function_place *place) {
  char *file = escape(base_name(place->file));
  const char *name = format_string("%s:%u", file, place->line);
  free(file);
  return name;
}

/* Returns a name for a function whose symbol cannot be demangled: the base name of the object file and the address of
   FUNCTION.  Returns NULL if no open object file has the symbol.  Allocated.  */
static const char *function_name_from_address(const struct symbol_index *index, const struct function *function) {
  const struct named_symbol *named = find_named_symbol(index, function);
  if (named == NULL)
    return NULL;
  char *file = escape(base_name(index->binding->files[named->file]->object->path));
  const char *name = format_string("%s+0x%llx", file, (unsigned long long)named->symbol->address);
  free(file);
  return name;
}

/* Names those FUNCTIONS whose symbols cannot be demangled by their source locations or addresses.  */
void functions_name_unreadable(struct functions *functions, struct binding *binding) {
  struct symbol_index index = {0};
  for (size_t i = 0; i < functions->count; i++) {
    struct function *function = functions->list[i];
    if (!is_unreadable_function_name(function))
      continue;
    bool placed = function->place.file != NULL && function->place.line > 0;
    if (!placed && index.binding == NULL)
      index = make_named_symbol_index(binding);
    const char *name =
        placed ? function_name_from_place(&function->place) : function_name_from_address(&index, function);
    function->short_name = name != NULL ? name : function->short_name;
  }
  free(index.symbols);
}
