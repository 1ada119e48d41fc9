/* Strings as the report keeps and prints them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define PACKAGE "cilkprof" /* bfd.h wants it */
#include <bfd.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/names.h"
#include "cilkprof-report/support.h"

static uint64_t hash_string(const char *string) {
  uint64_t hash = 0;
  for (; *string != 0; string++)
    hash = (hash ^ (unsigned char)*string) * UINT64_C(0x100000001B3) + 1;
  return hash_add(0, hash);
}

static bool is_string(const void *array, size_t place, const void *key) {
  const char *const *strings = array;
  return strcmp(strings[place], key) == 0;
}

const char *name_of(struct names *names, const char *string) {
  size_t place = table_find(&names->table, hash_string(string), is_string, names->strings, string, names->count);
  if (place == names->count) {
    names->strings = grow(names->strings, names->count, &names->room, sizeof *names->strings);
    names->strings[names->count++] = format_string("%s", string);
  }
  return names->strings[place];
}

/* ASCII's control characters, and those that UTF-8 writes as 0xC2 and a byte up to 0x9F.  */
static int is_control(const unsigned char *string, const unsigned char *at) {
  int second_of_two = at > string && at[-1] == 0xC2 && *at >= 0x80 && *at < 0xA0;
  return *at < 0x20 || *at == 0x7F || second_of_two || (at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0);
}

char *escape(const char *string) {
  const unsigned char *from = (const unsigned char *)string;
  char *escaped = allocate(4 * strlen(string) + 1, 1), *to = escaped;
  for (const unsigned char *at = from; *at != 0; at++)
    if (is_control(from, at)) {
      *to++ = '\\';
      *to++ = (char)('0' + (*at >> 6));
      *to++ = (char)('0' + (*at >> 3 & 7));
      *to++ = (char)('0' + (*at & 7));
    } else {
      *to++ = (char)*at;
    }
  *to = 0;
  return escaped;
}

/* The numbers of demangle.h, which Debian does not ship.  */
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

char *demangle(const char *symbol, int style, bool parameters) {
  int options = style | QUALIFIERS | (parameters ? PARAMETERS : 0);
  char *demangled = style != STYLE_NONE ? bfd_demangle(NULL, symbol, options) : NULL;
  char *escaped = escape(demangled != NULL ? demangled : symbol);
  free(demangled);
  return escaped;
}
