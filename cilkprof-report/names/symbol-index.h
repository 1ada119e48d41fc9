/* The symbols of all files by their names.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SYMBOL_INDEX_H
#define CILKPROF_REPORT_SYMBOL_INDEX_H

#include "cilkprof-report/names/functions.h"

/* A symbol of one of the files.  */
struct named_symbol {
  const struct symbol *symbol;
  size_t file; /* in the binding */
};

struct symbol_index {
  struct binding *binding;
  struct named_symbol *symbols; /* by name */
  size_t count, room;
};

struct symbol_index index_make(struct binding *binding);

/* The symbol of FUNCTION: of its file where it is static, a global one else; NULL when there is none.  */
const struct named_symbol *index_find(const struct symbol_index *index, const struct function *function);

#endif
