/* An index of the symbols of all object files by name.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/names/symbol-index.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

/* Callback of qsort: compares two symbols by name, then by the number of their file and by address.  */
static int compare_named_symbols(const void *left, const void *right) {
  const struct named_symbol *a = left, *b = right;
  int order = strcmp(a->symbol->name, b->symbol->name);
  if (order != 0)
    return order;
  return a->file != b->file ? a->file < b->file ? -1 : 1 : a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

/* Returns an index, by name, of all symbols of the files in BINDING.  Its array of symbols must be freed.  */
struct symbol_index make_named_symbol_index(struct binding *binding) {
  struct symbol_index index = {.binding = binding};
  for (size_t file = 0; file < binding->count; file++) {
    const struct symbols *symbols = bound_object_symbols(binding->files[file]);
    for (size_t i = 0; i < symbols->count; i++) {
      index.symbols = grow_array(index.symbols, index.count, &index.room, sizeof *index.symbols);
      index.symbols[index.count++] = (struct named_symbol){&symbols->symbols[i], file};
    }
  }
  if (index.count > 0)
    qsort(index.symbols, index.count, sizeof *index.symbols, compare_named_symbols);
  return index;
}

/* Returns whether NAMED, a symbol that has the name of FUNCTION, is its symbol.  A local symbol must belong to the same
   unit.  */
static bool is_named_symbol_of_function(const struct symbol_index *index, const struct named_symbol *named,
                                        const struct function *function) {
  if (!named->symbol->local)
    return function->unit == NULL;
  const char *unit = bound_object_unit(index->binding->files[named->file], named->symbol);
  return function->unit != NULL && (unit[0] == 0 || strcmp(unit, function->unit) == 0);
}

/* Returns whether NAMED may be the symbol of a global FUNCTION that the linker made local, because it is hidden or was
   linked with -flto.  */
static bool is_named_symbol_made_local(const struct symbol_index *index, const struct named_symbol *named,
                                       const struct function *function) {
  return function->unit == NULL && named->symbol->local &&
         bound_object_unit(index->binding->files[named->file], named->symbol)[0] == 0;
}

/* Callback of sorted_lower_bound: returns whether a symbol of the index sorts before NAME.  */
static bool is_named_symbol_before(const void *item, const void *name) {
  const struct named_symbol *named = item;
  return strcmp(named->symbol->name, name) < 0;
}

/* Returns the symbol of FUNCTION in INDEX, which is a local one of its unit if the function is static, or NULL if there
   is none.  */
const struct named_symbol *find_named_symbol(const struct symbol_index *index, const struct function *function) {
  const struct named_symbol *made_local = NULL;
  size_t i = sorted_lower_bound(index->symbols, index->count, sizeof *index->symbols, is_named_symbol_before,
                                function->symbol);
  for (; i < index->count && strcmp(index->symbols[i].symbol->name, function->symbol) == 0; i++)
    if (is_named_symbol_of_function(index, &index->symbols[i], function))
      return &index->symbols[i];
    else if (is_named_symbol_made_local(index, &index->symbols[i], function))
      made_local = &index->symbols[i];
  return made_local;
}
