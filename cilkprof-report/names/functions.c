/* The set of functions and their full names.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/names/fortran.h"
#include "cilkprof-report/support/support.h"

/* Callback of hash_table_find: returns whether two functions have the same identity: symbol, unit and, for loops,
   source location.  */
static bool is_same_function_key(const void *array, size_t place, const void *key) {
  const struct function *const *list = array, *a = list[place], *b = key;
  return a->symbol == b->symbol && a->unit == b->unit && a->file == b->file && a->line == b->line &&
         a->column == b->column;
}

/* Returns memory for a function of the set FUNCTIONS.  Functions are allocated in blocks and never move.  */
static struct function *allocate_function_entry(struct functions *functions) {
  enum { BLOCK = 256 };
  if (functions->block_left == 0) {
    functions->block = allocate(BLOCK, sizeof *functions->block);
    functions->block_left = BLOCK;
  }
  functions->block_left--;
  return functions->block++;
}

/* Returns a hash of what identifies the function KEY: symbol, unit and, for loops, source location.  Strings are
   interned, so their addresses are hashed.  */
static uint64_t hash_function_key(const struct function *key) {
  uint64_t names = hash_add(hash_add(hash_add(0, (uintptr_t)key->symbol), (uintptr_t)key->unit), (uintptr_t)key->file);
  return hash_add(names, (uint64_t)key->line << 32 | key->column);
}

/* Returns the function of FUNCTIONS with the identity of KEY, whose strings are interned, and adds it if there is
   none.  */
static struct function *find_or_add_function(struct functions *functions, const struct function *key) {
  size_t place = hash_table_find(&functions->table, hash_function_key(key), is_same_function_key, functions->list, key,
                                 functions->count);
  if (place == functions->count) {
    struct function *function = allocate_function_entry(functions);
    *function = *key;
    function->number = (uint32_t)place;
    functions->list = grow_array(functions->list, functions->count, &functions->room, sizeof *functions->list);
    functions->list[functions->count++] = function;
  }
  return functions->list[place];
}

/* Returns SYMBOL without the suffix that LTO adds to static functions of the same name; the unit tells these apart.
   Allocated, or SYMBOL itself.  */
static const char *function_name_without_lto_suffix(const char *symbol) {
  const char *suffix = strstr(symbol, LTO_SUFFIX);
  return suffix == NULL ? symbol : format_string("%.*s", (int)(suffix - symbol), symbol);
}

/* Returns the interned copy of SYMBOL, a linker symbol, without the suffix that LTO adds.  */
const char *intern_function_symbol(struct functions *functions, const char *symbol) {
  return interned_name_text(&functions->names, function_name_without_lto_suffix(symbol));
}

struct function *function_of_symbol(struct functions *functions, const char *symbol, const char *unit) {
  struct function key = {
      .symbol = intern_function_symbol(functions, symbol),
      .unit = unit != NULL ? interned_name_text(&functions->names, unit) : NULL,
  };
  return find_or_add_function(functions, &key);
}

/* Returns the function of FUNCTIONS with this symbol and, if it is static, this UNIT, or NULL if there is none.  Adds
   nothing.  */
struct function *find_known_function(struct functions *functions, const char *symbol, const char *unit) {
  struct function key = {
      .symbol = find_interned_name(&functions->names, function_name_without_lto_suffix(symbol)),
      .unit = unit != NULL ? find_interned_name(&functions->names, unit) : NULL,
  };
  if (key.symbol == NULL || (unit != NULL && key.unit == NULL))
    return NULL;
  size_t place = hash_table_find(&functions->table, hash_function_key(&key), is_same_function_key, functions->list,
                                 &key, TABLE_NONE);
  return place != TABLE_NONE ? functions->list[place] : NULL;
}

struct function *function_of_debug_symbol(struct functions *functions, const char *symbol, const char *file) {
  const char *known = find_interned_name(&functions->names, function_name_without_lto_suffix(symbol));
  struct function *only = NULL, *same = NULL;
  size_t count = 0;
  for (size_t i = 0; file != NULL && known != NULL && i < functions->count; i++) {
    struct function *each = functions->list[i];
    if (each->symbol != known || each->construct != NULL)
      continue;
    only = each;
    count++;
    if (each->unit != NULL && strcmp(base_name(each->unit), base_name(file)) == 0)
      same = each;
  }
  return same != NULL ? same : count == 1 ? only : function_of_symbol(functions, symbol, file);
}

/* Returns the function that stands for the loop in DESCRIPTION, and adds it if there is none.  Loops of Cilk have no
   callee name, and neither have loops in samples: all of them are cilk_for.  */
struct function *function_of_loop(struct functions *functions, const struct description *description) {
  bool named = description->callee != NULL && description->callee[0] != 0;
  struct function key = {
      .symbol = intern_function_symbol(functions, description->caller),
      .unit = interned_name_text(&functions->names, description->unit),
      .file = interned_name_text(&functions->names, description->file),
      .line = description->line,
      .column = description->column,
      .construct = named ? interned_name_text(&functions->names, description->callee) : "cilk_for",
  };
  return find_or_add_function(functions, &key);
}

struct function *function_of_serial_loop(struct functions *functions, const struct description *description) {
  struct function *loop = function_of_loop(functions, &(struct description){.caller = description->caller,
                                                                            .callee = "loop",
                                                                            .unit = description->unit,
                                                                            .file = description->file,
                                                                            .line = description->line,
                                                                            .column = description->column});
  if (loop->inlined == NULL && description->callee[0] != 0) {
    loop->inlined = intern_function_symbol(functions, description->callee);
    loop->at_call = description->flags & CILKPROF_SITE_AT_CALL;
  }
  return loop;
}

struct function *function_at_address(struct functions *functions, struct bound_object *bound, const char *path,
                                     uint64_t address) {
  const struct symbol *symbol = bound != NULL ? object_symbol_at(bound_object_symbols(bound), address) : NULL;
  if (symbol != NULL)
    return function_of_symbol(functions, symbol->name, symbol->local ? bound_object_unit(bound, symbol) : NULL);
  char *name = format_string("%s+0x%llx", base_name(path), (unsigned long long)address);
  struct function *function = function_of_symbol(functions, name, NULL);
  function->nameless = true;
  free(name);
  return function;
}

/* Callback of qsort: compares two functions by full name, then by number.  */
static int compare_full_function_names(const void *left, const void *right) {
  const struct function *const *a = left, *const *b = right;
  int order = strcmp((*a)->name, (*b)->name);
  return order != 0 ? order : (*a)->number < (*b)->number ? -1 : 1;
}

/* Appends the base names of their units to the names of the static ones among COUNT functions of the same name.  */
static void tell_static_functions_apart(struct function **functions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct function *function = functions[i];
    if (function->unit == NULL || function->file != NULL)
      continue;
    char *unit = escape(base_name(function->unit));
    function->name = format_string("%s (%s)", function->name, unit);
    function->short_name = format_string("%s (%s)", function->short_name, unit);
    free(unit);
  }
}

/* How symbols become names: the style of demangling, and whether the program is one of Fortran.  */
struct function_naming {
  int style;
  bool fortran;
};

/* Returns the name of the function with this SYMBOL, with or without its parameters.  Allocated.  */
static char *function_name_of_symbol(const char *symbol, struct function_naming naming, bool parameters) {
  char *name = naming.fortran ? fortran_function_name(symbol) : NULL;
  return name != NULL ? name : demangle(symbol, naming.style, parameters);
}

/* Sets the full and short names of FUNCTION as NAMING says.  A loop is named by its keyword and source location.  */
static void set_function_names(struct function *function, struct function_naming naming) {
  if (function->symbol[0] == 0) {
    function->name = function->short_name = "<indirect>"; /* callee of an indirect call that was never executed */
  } else if (function->file == NULL) {
    function->name = function_name_of_symbol(function->symbol, naming, true);
    function->short_name = function_name_of_symbol(function->symbol, naming, false);
  } else {
    char *file = escape(base_name(function->file));
    char *inlined = function->inlined != NULL ? function_name_of_symbol(function->inlined, naming, false) : NULL;
    function->inlined_name = inlined != NULL ? brief_name(inlined, 0) : NULL;
    function->name = function->short_name =
        format_string("%s %s:%u%s%s", function->construct, file, function->line, inlined != NULL ? " in " : "",
                      inlined != NULL ? function->inlined_name : "");
    free(inlined);
    free(file);
  }
}

void functions_set_names(struct functions *functions, int style) {
  struct function_naming naming = {style, style != demangle_style("none") && are_fortran_functions(functions)};
  for (size_t i = 0; i < functions->count; i++)
    set_function_names(functions->list[i], naming);
}

/* Sorts BY_NAME of FUNCTIONS by full name.  */
void functions_sort_by_name(struct functions *functions) {
  qsort(functions->by_name, functions->count, sizeof *functions->by_name, compare_full_function_names);
}

/* Makes the names of different functions differ, by adding the units of static functions.  Functions of the same name
   must be adjacent in BY_NAME.  */
void functions_tell_names_apart(struct functions *functions) {
  size_t count = 0;
  struct function **by_name = allocate(functions->count, sizeof *by_name);
  for (size_t i = 0; i < functions->count; i++)
    if (!functions->by_name[i]->merged)
      by_name[count++] = functions->by_name[i];
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && strcmp(by_name[i]->name, by_name[end]->name) == 0; end++)
      ;
    if (end - i > 1)
      tell_static_functions_apart(by_name + i, end - i);
  }
  free(by_name);
}
