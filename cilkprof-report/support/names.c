/* Interned strings and demangled symbols.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define PACKAGE "cilkprof" /* required by bfd.h */
#include <bfd.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* Returns a hash of STRING.  It takes eight bytes at a time, because large programs have many long names.  */
static uint64_t hash_name(const char *string) {
  size_t length = strlen(string);
  uint64_t hash = length, word = 0;
  for (; length >= sizeof word; string += sizeof word, length -= sizeof word) {
    memcpy(&word, string, sizeof word);
    hash = hash_add(hash, word);
  }
  word = 0;
  memcpy(&word, string, length);
  return hash_add(hash, word);
}

/* Returns whether the interned string at index PLACE of ARRAY equals the string KEY.  For hash_table_find.  */
static bool is_interned_name(const void *array, size_t place, const void *key) {
  const char *const *strings = array;
  return strcmp(strings[place], key) == 0;
}

/* Returns a copy of STRING that lives as long as the process.  Copies share blocks of memory, because they are small
   and many.  */
static const char *copy_interned_name(struct names *names, const char *string) {
  enum { BLOCK = 1 << 16 };
  size_t size = strlen(string) + 1;
  if (size > names->left) {
    names->left = size > BLOCK ? size : BLOCK;
    names->block = reallocate(NULL, names->left, 1);
  }
  char *kept = memcpy(names->block, string, size);
  names->block += size;
  names->left -= size;
  return kept;
}

/* Returns the index of STRING in NAMES, and adds a copy of it if it is not there.  */
size_t interned_name_number(struct names *names, const char *string) {
  size_t place =
      hash_table_find(&names->table, hash_name(string), is_interned_name, names->strings, string, names->count);
  if (place == names->count) {
    names->strings = grow_array(names->strings, names->count, &names->room, sizeof *names->strings);
    names->strings[names->count++] = copy_interned_name(names, string);
  }
  return place;
}

const char *interned_name_text(struct names *names, const char *string) {
  size_t place = interned_name_number(names, string);
  return names->strings[place];
}

const char *find_interned_name(struct names *names, const char *string) {
  size_t place =
      hash_table_find(&names->table, hash_name(string), is_interned_name, names->strings, string, TABLE_NONE);
  return place != TABLE_NONE ? names->strings[place] : NULL;
}

/* Values from demangle.h, which Debian does not ship.  */
enum {
  PARAMETERS = 1 << 0,
  QUALIFIERS = 1 << 1,
  STYLE_NONE = -1,
};

int demangle_style(const char *name) {
  static const struct {
    const char *name;
    int style;
  } styles[] = {
      {"none", STYLE_NONE}, {"auto", 1 << 8},   {"gnu-v3", 1 << 14}, {"java", 1 << 2},
      {"gnat", 1 << 15},    {"dlang", 1 << 16}, {"rust", 1 << 17},
  };
  for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
    if (strcmp(styles[i].name, name) == 0)
      return styles[i].style;
  fail(name, "unknown style of symbols; known are auto, gnu-v3, java, gnat, dlang, rust and none");
}

char *fortran_module_procedure_name(const char *symbol) {
  static const char infix[] = "_MOD_";
  const char *module = strncmp(symbol, "__", 2) == 0 ? symbol + 2 : "", *end = strstr(module, infix);
  if (end == NULL || end == module || end[strlen(infix)] == 0)
    return NULL;
  return format_string("%.*s::%s", (int)(end - module), module, end + strlen(infix));
}

char *demangle(const char *symbol, int style, bool parameters) {
  int options = style | QUALIFIERS | (parameters ? PARAMETERS : 0);
  errno = 0;
  char *demangled = style != STYLE_NONE ? bfd_demangle(NULL, symbol, options) : NULL;
  check_memory_result(demangled);
  if (demangled == NULL && style != STYLE_NONE)
    demangled = fortran_module_procedure_name(symbol);
  char *escaped = escape(demangled != NULL ? demangled : symbol);
  free(demangled);
  return escaped;
}
