/* The units of static functions that are known by their addresses.
   SPDX-License-Identifier: GPL-3.0-or-later

   The symbol table knows the last name of a static function's source file, the descriptions what the compiler was
   given. Both must come to the same function.  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/objects/binding.h"
#include "cilkprof-report/objects/lines.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

struct static_function {
  const char *symbol, *unit;
};

static int compare_statics(const void *left, const void *right) {
  const struct static_function *a = left, *b = right;
  int order = strcmp(a->symbol, b->symbol);
  return order != 0 ? order : strcmp(base_name(a->unit), base_name(b->unit));
}

static void collect(struct bound_object *bound) {
  size_t room = 0;
  if (bound->statics_read)
    return;
  bound->statics_read = true;
  struct names names = {0}; /* the descriptions may be forgotten before the statics */
  struct description_walk walk = {0};
  for (struct description description; object_next(bound->object, &walk, &description);) {
    const char *symbols[] = {description.flags & CILKPROF_SITE_CALLER_LOCAL ? description.caller : "",
                             description.flags & CILKPROF_SITE_CALLEE_LOCAL ? description.callee : ""};
    for (size_t which = 0; which < 2; which++) {
      if (symbols[which][0] == 0)
        continue;
      struct static_function function = {name_of(&names, symbols[which]), name_of(&names, description.unit)};
      if (bound->static_count > 0 && memcmp(&bound->statics[bound->static_count - 1], &function, sizeof function) == 0)
        continue; /* calls of one function follow one another */
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
  collect(bound);
}

void bound_forget_descriptions(struct bound_object *bound) {
  collect(bound);
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

/* A program that has symbols is not searched for more.  */
static const struct object *bound_symbol_file(struct bound_object *bound) {
  const struct object *debug = bound->object->has_symbols ? bound->object : bound_debug(bound);
  return debug->has_symbols ? debug : bound->object;
}

const struct symbols *bound_symbols(struct bound_object *bound) {
  if (!bound->symbols_read)
    bound_set_symbols(bound, symbols_read(bound_symbol_file(bound)->elf));
  return &bound->symbols;
}

static int compare_symbols(const void *left, const void *right) {
  const struct static_function *a = left, *b = right;
  return strcmp(a->symbol, b->symbol);
}

/* A symbol of which no file is known, or none that was compiled, as of one that was linked with -flto, is the function
   of that name, if there is only one.  */
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
