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

/* Compares by symbol, then by the base name of the unit.  */
static int compare_statics(const void *left, const void *right) {
  const struct static_function *a = left, *b = right;
  int order = strcmp(a->symbol, b->symbol);
  return order != 0 ? order : strcmp(base_name(a->unit), base_name(b->unit));
}

/* Collects the static functions in the descriptions, once.  */
static void collect_statics(struct bound_object *bound) {
  size_t room = 0;
  if (bound->statics_read)
    return;
  bound->statics_read = true;
  struct names names = {0}; /* copies, because the descriptions may be freed before the static functions */
  struct description_walk walk = {0};
  for (struct description description; object_next(bound->object, &walk, &description);) {
    const char *symbols[] = {description.flags & CILKPROF_SITE_CALLER_LOCAL ? description.caller : "",
                             description.flags & CILKPROF_SITE_CALLEE_LOCAL ? description.callee : ""};
    for (size_t which = 0; which < 2; which++) {
      if (symbols[which][0] == 0)
        continue;
      struct static_function function = {name_of(&names, symbols[which]), name_of(&names, description.unit)};
      if (bound->static_count > 0 && memcmp(&bound->statics[bound->static_count - 1], &function, sizeof function) == 0)
        continue; /* the same as before: calls of one function follow one another */
      bound->statics = grow(bound->statics, bound->static_count, &room, sizeof *bound->statics);
      bound->statics[bound->static_count++] = function;
    }
  }
  if (bound->static_count > 0)
    qsort(bound->statics, bound->static_count, sizeof *bound->statics, compare_statics);
}

void bound_set_symbols(struct bound_object *bound, struct symbols symbols) {
  bound->symbols = symbols;
  bound->symbols_read = true;
  collect_statics(bound);
}

void bound_forget_descriptions(struct bound_object *bound) {
  collect_statics(bound);
  object_forget_descriptions(bound->object);
}

void bound_close(struct bound_object *bound) {
  free(bound->symbols.symbols);
  bound->symbols = (struct symbols){NULL, 0};
  object_close(bound->object);
  if (bound->debug != NULL)
    object_close(bound->debug);
  lines_close(bound->lines);
  bound->lines = NULL;
}

/* Returns the file with the symbols: the object itself if it has any, otherwise its debugging information if that
   has.  */
static const struct object *symbol_file(struct bound_object *bound) {
  const struct object *debug = bound->object->has_symbols ? bound->object : bound_debug(bound);
  return debug->has_symbols ? debug : bound->object;
}

const struct symbols *bound_symbols(struct bound_object *bound) {
  if (!bound->symbols_read)
    bound_set_symbols(bound, symbols_read(symbol_file(bound)->elf));
  return &bound->symbols;
}

static int compare_symbols(const void *left, const void *right) {
  const struct static_function *a = left, *b = right;
  return strcmp(a->symbol, b->symbol);
}

/* Returns the only static function with the symbol of KEY, or NULL if there are none or several.  This is for symbols
   without a source file, or whose file is not one that was compiled, as after linking with -flto.  */
static const struct static_function *find_only(const struct bound_object *bound, const struct static_function *key) {
  const struct static_function *end = bound->statics + bound->static_count;
  const struct static_function *found =
      bsearch(key, bound->statics, bound->static_count, sizeof *bound->statics, compare_symbols);
  if (found == NULL)
    return NULL;
  while (found > bound->statics && compare_symbols(found - 1, key) == 0)
    found--;
  for (const struct static_function *other = found; other < end && compare_symbols(other, key) == 0; other++)
    if (compare_statics(other, found) != 0)
      return NULL;
  return found;
}

const char *bound_unit(struct bound_object *bound, const struct symbol *symbol) {
  struct static_function key = {symbol->given != NULL ? symbol->given : symbol->name,
                                symbol->file != NULL ? symbol->file : ""};
  if (bound->static_count == 0)
    return key.unit;
  const struct static_function *found =
      bsearch(&key, bound->statics, bound->static_count, sizeof *bound->statics, compare_statics);
  if (found == NULL)
    found = find_only(bound, &key);
  return found != NULL ? found->unit : key.unit;
}
