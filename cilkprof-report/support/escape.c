/* Escaping of text that is not printable.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* Stores the UTF-8 character at AT in *CHARACTER and returns its length in bytes, or 0 if it is not valid UTF-8.  AT
   must have four bytes.  */
static size_t take_escaped_utf8_character(const unsigned char *at, uint32_t *character) {
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

/* Returns whether CHARACTER, a code point, is a control character and has to be escaped.  Characters that change the
   direction of text are control characters, too.  */
static bool is_escaped_control_character(uint32_t character) {
  return character < 0x20 || (character >= 0x7F && character < 0xA0) || (character >= 0x200E && character <= 0x200F) ||
         (character >= 0x2028 && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
}

/* Returns SIZE bytes as text in which bytes that are not UTF-8 and control characters, except for those in ADMITTED,
   are replaced by \ooo.  Allocated.  */
char *escape_bytes(const char *bytes, size_t size, const char *admitted) {
  const unsigned char *at = (const unsigned char *)bytes, *end = at + size;
  char *escaped = allocate(4 * size + 1, 1), *to = escaped;
  for (size_t length; at < end; at += length) {
    uint32_t character;
    unsigned char next[4] = {0};
    memcpy(next, at, (size_t)(end - at) < sizeof next ? (size_t)(end - at) : sizeof next);
    length = take_escaped_utf8_character(next, &character);
    bool plain = length > 0 && (!is_escaped_control_character(character) ||
                                (*at != 0 && *at < 0x20 && strchr(admitted, *at) != NULL));
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

char *escape_source_line(const char *bytes, size_t size, const char *admitted) {
  enum { TAB_STOP = 8 };
  char *blank = allocate(TAB_STOP * size + 1, 1);
  size_t length = 0, column = 0;
  for (size_t i = 0; i < size; i++)
    if (bytes[i] == '\t') {
      size_t blanks = TAB_STOP - column % TAB_STOP;
      memset(blank + length, ' ', blanks);
      length += blanks;
      column += blanks;
    } else {
      blank[length++] = bytes[i];
      column += ((unsigned char)bytes[i] & 0xC0) != 0x80; /* the further bytes of a character take no column */
    }
  char *escaped = escape_bytes(blank, length, admitted);
  free(blank);
  return escaped;
}

bool is_printable_ascii(const char *string) {
  for (; *string >= 0x20 && *string < 0x7F; string++)
    ;
  return *string == 0;
}

/* Returns STRING with control characters and bytes that are not UTF-8 replaced by \ooo, so that no name can move the
   cursor, break a line or reverse its direction.  Allocated.  */
char *escape(const char *string) {
  size_t size = strlen(string);
  return is_printable_ascii(string) ? memcpy(reallocate(NULL, size + 1, 1), string, size + 1)
                                    : escape_bytes(string, size, "");
}

/* Prints TEXT into an SVG file, with markup characters escaped.  */
void print_escaped_markup_text(FILE *out, const char *text) {
  for (; *text != 0; text++)
    if (*text == '<' || *text == '>' || *text == '&')
      fprintf(out, "&#%d;", *text);
    else
      putc(*text, out);
}
