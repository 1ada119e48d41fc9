/* An index of the symbols of all object files by name.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SYMBOL_INDEX_H
#define CILKPROF_REPORT_SYMBOL_INDEX_H

#include "cilkprof-report/names/functions.h"

/* A symbol and its object file.  */
struct named_symbol {
  const struct symbol *symbol;
  size_t file; /* index in the binding */
};

struct symbol_index {
  struct binding *binding;
  struct named_symbol *symbols; /* sorted by name */
  size_t count, room;
};

/* Returns an index of all symbols of the files in BINDING.  Its array must be freed.  */
struct symbol_index make_named_symbol_index(struct binding *binding);

/* Returns the symbol of FUNCTION, which is a local one of its unit if it is static, or NULL if there is none.  */
const struct named_symbol *find_named_symbol(const struct symbol_index *index, const struct function *function);

#endif
