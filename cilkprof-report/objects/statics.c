/* Finds the translation units of static functions from their symbols.
   SPDX-License-Identifier: GPL-3.0-or-later

   The symbol table has the base name of the source file of a static function; the descriptions have the path that was
   given to the compiler.  Both must identify the same function.  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/objects/binding.h"
#include "cilkprof-report/objects/lines.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* A static function as the descriptions name it.  */
struct static_function {
  const char *symbol, *unit;
};

/* Callback of qsort and bsearch: compares two static functions by symbol, then by the base name of the unit.  */
static int compare_object_statics(const void *left, const void *right) {
  const struct static_function *a = left, *b = right;
  int order = strcmp(a->symbol, b->symbol);
  return order != 0 ? order : strcmp(base_name(a->unit), base_name(b->unit));
}

/* Collects the static functions that the descriptions of BOUND name, sorted by symbol, on the first call.  */
static void collect_object_statics(struct bound_object *bound) {
  size_t room = 0;
  if (bound->statics_read)
    return;
  bound->statics_read = true;
  struct names names = {0}; /* copies, because the descriptions may be freed before the static functions */
  struct description_walk walk = {0};
  for (struct description description; object_next_description(bound->object, &walk, &description);) {
    const char *symbols[] = {description.flags & CILKPROF_SITE_CALLER_LOCAL ? description.caller : "",
                             description.flags & CILKPROF_SITE_CALLEE_LOCAL ? description.callee : ""};
    for (size_t which = 0; which < 2; which++) {
      if (symbols[which][0] == 0)
        continue;
      struct static_function function = {interned_name_text(&names, symbols[which]),
                                         interned_name_text(&names, description.unit)};
      if (bound->static_count > 0 && memcmp(&bound->statics[bound->static_count - 1], &function, sizeof function) == 0)
        continue; /* the same as before: calls of one function follow one another */
      bound->statics = grow_array(bound->statics, bound->static_count, &room, sizeof *bound->statics);
      bound->statics[bound->static_count++] = function;
    }
  }
  if (bound->static_count > 0)
    qsort(bound->statics, bound->static_count, sizeof *bound->statics, compare_object_statics);
}

/* Makes SYMBOLS the symbols of the file BOUND, instead of those that it has itself.  */
void bound_object_set_symbols(struct bound_object *bound, struct symbols symbols) {
  bound->symbols = symbols;
  bound->symbols_read = true;
  collect_object_statics(bound);
}

/* Frees the descriptions of BOUND.  The static functions that they name are kept.  */
void bound_object_forget_descriptions(struct bound_object *bound) {
  collect_object_statics(bound);
  object_forget_descriptions(bound->object);
}

/* Closes the file BOUND and its debugging information, and frees its symbols, which are large for large programs.  */
void bound_object_close(struct bound_object *bound) {
  free(bound->symbols.symbols);
  bound->symbols = (struct symbols){NULL, 0};
  object_close(bound->object);
  if (bound->debug != NULL)
    object_close(bound->debug);
  close_debug_lines(bound->lines);
  bound->lines = NULL;
}

/* Returns the file with the symbols of BOUND: the object itself if it has any, otherwise its debugging information if
   that has.  */
static const struct object *bound_object_symbol_file(struct bound_object *bound) {
  const struct object *debug = bound->object->has_symbols ? bound->object : bound_object_debug(bound);
  return debug->has_symbols ? debug : bound->object;
}

/* Returns the function symbols of the file BOUND, which are read on the first call.  */
const struct symbols *bound_object_symbols(struct bound_object *bound) {
  if (!bound->symbols_read)
    bound_object_set_symbols(bound, read_elf_symbols(bound_object_symbol_file(bound)->elf));
  return &bound->symbols;
}

/* Callback of bsearch: compares two static functions by symbol.  */
static int compare_object_static_symbols(const void *left, const void *right) {
  const struct static_function *a = left, *b = right;
  return strcmp(a->symbol, b->symbol);
}

/* Returns the only static function with the symbol of KEY, or NULL if there are none or several.  This is for symbols
   without a source file, or whose file is not one that was compiled, as after linking with -flto.  */
static const struct static_function *find_only_object_static(const struct bound_object *bound,
                                                             const struct static_function *key) {
  const struct static_function *end = bound->statics + bound->static_count;
  const struct static_function *found =
      bsearch(key, bound->statics, bound->static_count, sizeof *bound->statics, compare_object_static_symbols);
  if (found == NULL)
    return NULL;
  while (found > bound->statics && compare_object_static_symbols(found - 1, key) == 0)
    found--;
  for (const struct static_function *other = found; other < end && compare_object_static_symbols(other, key) == 0;
       other++)
    if (compare_object_statics(other, found) != 0)
      return NULL;
  return found;
}

/* Returns the translation unit of a local SYMBOL of BOUND, as the descriptions name it, or else as the symbol table
   does; "" if neither knows it.  */
const char *bound_object_unit(struct bound_object *bound, const struct symbol *symbol) {
  struct static_function key = {symbol->given != NULL ? symbol->given : symbol->name,
                                symbol->file != NULL ? symbol->file : ""};
  if (bound->static_count == 0)
    return key.unit;
  const struct static_function *found =
      bsearch(&key, bound->statics, bound->static_count, sizeof *bound->statics, compare_object_statics);
  if (found == NULL)
    found = find_only_object_static(bound, &key);
  return found != NULL ? found->unit : key.unit;
}
