/* Strings as the report keeps and prints them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define PACKAGE "cilkprof" /* bfd.h wants it */
#include <bfd.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* Eight bytes at a time: a large program has many long names.  */
static uint64_t hash_string(const char *string) {
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

static bool is_string(const void *array, size_t place, const void *key) {
  const char *const *strings = array;
  return strcmp(strings[place], key) == 0;
}

/* Strings are small and many: they share blocks of memory.  */
static const char *keep(struct names *names, const char *string) {
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

size_t name_number(struct names *names, const char *string) {
  size_t place = table_find(&names->table, hash_string(string), is_string, names->strings, string, names->count);
  if (place == names->count) {
    names->strings = grow(names->strings, names->count, &names->room, sizeof *names->strings);
    names->strings[names->count++] = keep(names, string);
  }
  return place;
}

const char *name_of(struct names *names, const char *string) {
  size_t place = name_number(names, string);
  return names->strings[place];
}

const char *name_find(struct names *names, const char *string) {
  size_t place = table_find(&names->table, hash_string(string), is_string, names->strings, string, TABLE_NONE);
  return place != TABLE_NONE ? names->strings[place] : NULL;
}

/* The length of the UTF-8 character at AT, and which one it is; 0: there is none.  */
static size_t take_character(const unsigned char *at, uint32_t *character) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t length = *at < 0x80 ? 1 : *at < 0xC2 ? 0 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : *at < 0xF5 ? 4 : 0;
  *character = length == 1 ? *at : *at & (0x7FU >> length);
  for (size_t i = 1; i < length; i++) {
    if ((at[i] & 0xC0) != 0x80)
      return 0;
    *character = *character << 6 | (at[i] & 0x3F);
  }
  bool surrogate = *character >= 0xD800 && *character < 0xE000;
  return length > 0 && (*character < least[length] || *character > 0x10FFFF || surrogate) ? 0 : length;
}

/* Control characters, and those that turn the direction of the text around.  */
static bool is_control(uint32_t character) {
  return character < 0x20 || (character >= 0x7F && character < 0xA0) || (character >= 0x200E && character <= 0x200F) ||
         (character >= 0x2028 && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
}

char *escape_bytes(const char *bytes, size_t size, const char *admitted) {
  const unsigned char *at = (const unsigned char *)bytes, *end = at + size;
  char *escaped = allocate(4 * size + 1, 1), *to = escaped;
  for (size_t length; at < end; at += length) {
    uint32_t character;
    unsigned char next[4] = {0};
    memcpy(next, at, (size_t)(end - at) < sizeof next ? (size_t)(end - at) : sizeof next);
    length = take_character(next, &character);
    bool plain = length > 0 && (!is_control(character) || (*at != 0 && *at < 0x20 && strchr(admitted, *at) != NULL));
    if (length == 0)
      length = 1;
    for (size_t i = 0; i < length; i++)
      if (plain)
        *to++ = (char)at[i];
      else
        to += sprintf(to, "\\%03o", at[i]);
  }
  *to = 0;
  return escaped;
}

bool is_plain(const char *string) {
  for (; *string >= 0x20 && *string < 0x7F; string++)
    ;
  return *string == 0;
}

char *escape(const char *string) {
  size_t size = strlen(string);
  return is_plain(string) ? memcpy(reallocate(NULL, size + 1, 1), string, size + 1) : escape_bytes(string, size, "");
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
  errno = 0;
  char *demangled = style != STYLE_NONE ? bfd_demangle(NULL, symbol, options) : NULL;
  check_memory(demangled);
  char *escaped = escape(demangled != NULL ? demangled : symbol);
  free(demangled);
  return escaped;
}
