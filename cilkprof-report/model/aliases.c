/* Merges functions that have two symbols.  C++ compilers give a constructor or destructor one symbol for complete
   objects and one for base classes, both at the same address.  Callers use either; the report must show one function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/names/symbol-index.h"
#include "cilkprof-report/support/support.h"

/* Returns whether the functions A and B have symbols with the same address in the same file, and so are one function
   with two symbols.  */
static bool is_same_model_function(const struct symbol_index *index, const struct function *a,
                                   const struct function *b) {
  const struct named_symbol *x = find_named_symbol(index, a), *y = find_named_symbol(index, b);
  return x != NULL && y != NULL && x->file == y->file && x->symbol->address == y->symbol->address;
}

/* Callback of qsort: compares two functions by full name, then by symbol.  */
static int compare_model_function_names(const void *left, const void *right) {
  const struct function *const *a = left, *const *b = right;
  int order = strcmp((*a)->name, (*b)->name);
  return order != 0 ? order : strcmp((*a)->symbol, (*b)->symbol);
}

/* Returns whether A and B have the same name and may therefore be the same function.  */
static bool may_be_model_alias(const struct function *a, const struct function *b) {
  return a->file == NULL && b->file == NULL && a->unit == b->unit && strcmp(a->name, b->name) == 0;
}

/* Sets SHOWN[i] to the function of which function number i is an alias.  BY_NAME has all functions, sorted by name.
   Returns whether there are any aliases.  Symbols are read only if two functions may be aliases.  */
static bool find_model_aliases(struct function **by_name, size_t count, struct binding *binding,
                               struct function **shown) {
  struct symbol_index index = {0};
  bool found = false;
  for (size_t i = 1; i < count; i++) {
    struct function *before = shown[by_name[i - 1]->number], *function = by_name[i];
    if (!may_be_model_alias(before, function))
      continue;
    if (index.binding == NULL)
      index = make_named_symbol_index(binding);
    if (!is_same_model_function(&index, before, function))
      continue;
    shown[function->number] = before;
    function->merged = found = true;
  }
  free(index.symbols);
  return found;
}

/* Merges functions that have several symbols, by replacing them in all call sites, and sorts all functions of MODEL by
   name.  */
void merge_model_aliases(struct model *model, struct binding *binding) {
  size_t count = model->functions.count;
  struct function **by_name = allocate(count, sizeof *by_name), **shown = allocate(count, sizeof *shown);
  for (size_t i = 0; i < count; i++)
    by_name[i] = shown[i] = model->functions.list[i];
  qsort(by_name, count, sizeof *by_name, compare_model_function_names);
  if (find_model_aliases(by_name, count, binding, shown))
    model_replace_functions(model, shown);
  free(shown);
  model->functions.by_name = by_name;
}
