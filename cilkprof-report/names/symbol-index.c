/* An index of the symbols of all object files by name.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/names/symbol-index.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

static int compare_symbols(const void *left, const void *right) {
  const struct named_symbol *a = left, *b = right;
  int order = strcmp(a->symbol->name, b->symbol->name);
  if (order != 0)
    return order;
  return a->file != b->file ? a->file < b->file ? -1 : 1 : a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

struct symbol_index index_make(struct binding *binding) {
  struct symbol_index index = {.binding = binding};
  for (size_t file = 0; file < binding->count; file++) {
    const struct symbols *symbols = bound_symbols(binding->files[file]);
    for (size_t i = 0; i < symbols->count; i++) {
      index.symbols = grow(index.symbols, index.count, &index.room, sizeof *index.symbols);
      index.symbols[index.count++] = (struct named_symbol){&symbols->symbols[i], file};
    }
  }
  if (index.count > 0)
    qsort(index.symbols, index.count, sizeof *index.symbols, compare_symbols);
  return index;
}

/* Returns whether NAMED, which has the name of FUNCTION, is its symbol.  A local symbol must belong to the same
   unit.  */
static bool is_symbol_of(const struct symbol_index *index, const struct named_symbol *named,
                         const struct function *function) {
  if (!named->symbol->local)
    return function->unit == NULL;
  const char *unit = bound_unit(index->binding->files[named->file], named->symbol);
  return function->unit != NULL && (unit[0] == 0 || strcmp(unit, function->unit) == 0);
}

/* Returns whether NAMED may be the symbol of a global FUNCTION that the linker made local, because it is hidden or was
   linked with -flto.  */
static bool is_made_local(const struct symbol_index *index, const struct named_symbol *named,
                          const struct function *function) {
  return function->unit == NULL && named->symbol->local &&
         bound_unit(index->binding->files[named->file], named->symbol)[0] == 0;
}

/* Callback of first_from: returns whether a symbol sorts before NAME.  */
static bool is_before_name(const void *item, const void *name) {
  const struct named_symbol *named = item;
  return strcmp(named->symbol->name, name) < 0;
}

const struct named_symbol *index_find(const struct symbol_index *index, const struct function *function) {
  const struct named_symbol *made_local = NULL;
  size_t i = first_from(index->symbols, index->count, sizeof *index->symbols, is_before_name, function->symbol);
  for (; i < index->count && strcmp(index->symbols[i].symbol->name, function->symbol) == 0; i++)
    if (is_symbol_of(index, &index->symbols[i], function))
      return &index->symbols[i];
    else if (is_made_local(index, &index->symbols[i], function))
      made_local = &index->symbols[i];
  return made_local;
}
