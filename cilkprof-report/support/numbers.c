/* Formats numbers and padded strings like printf, but faster.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <string.h>
#include "cilkprof-report/support/numbers.h"

/* Writes VALUE to TO in decimal as "%llu" does, without a zero byte at the end, and returns the length.  TO must have
   NUMBER_ROOM bytes.  */
size_t format_integer(char *to, uint64_t value) {
  char digits[20];
  size_t count = 0;
  do
    digits[count++] = (char)('0' + value % 10);
  while ((value /= 10) > 0);
  for (size_t i = 0; i < count; i++)
    to[i] = digits[count - 1 - i];
  return count;
}

/* Writes VALUE to TO as "%.*f" does, without a zero byte at the end, and returns the length.  Below LARGEST, the error
   of SCALED is at most a millionth.  So the result is rounded as printf does it, unless SCALED is so close to the
   middle between two integers that only the exact value decides.  Then printf is called.  */
size_t format_fixed(char *to, int decimals, double value) {
  static const uint64_t powers[] = {1, 10, 100, 1000, 10000};
  static const double LARGEST = 4e9, NEAR = 2e-6;
  double scaled = decimals <= 4 ? value * (double)powers[decimals] : LARGEST;
  double whole = floor(scaled), rest = scaled - whole;
  if (!(scaled >= 0 && scaled < LARGEST) || fabs(rest - 0.5) < NEAR)
    return (size_t)snprintf(to, NUMBER_ROOM, "%.*f", decimals, value);
  uint64_t rounded = (uint64_t)whole + (rest > 0.5);
  size_t length = format_integer(to, rounded / powers[decimals]);
  if (decimals == 0)
    return length;
  to[length++] = '.';
  uint64_t fraction = rounded % powers[decimals];
  for (int i = decimals; i-- > 0; fraction /= 10)
    to[length + (size_t)i] = (char)('0' + fraction % 10);
  return length + (size_t)decimals;
}

/* Prints the text that has been added to the line so far, and empties the line.  */
void line_flush(struct line *line) {
  fwrite_unlocked(line->text, 1, line->used, line->out);
  line->used = 0;
}

/* Adds a character to the line.  */
void line_add_character(struct line *line, char character) {
  if (line->used == sizeof line->text)
    line_flush(line);
  line->text[line->used++] = character;
}

/* Adds the LENGTH bytes of TEXT to the line, padded with blanks to WIDTH columns: on the left, or on the right if WIDTH
   is negative.  */
static void line_add_padded(struct line *line, int width, const char *text, size_t length) {
  size_t wanted = (size_t)(width < 0 ? -width : width), blanks = wanted > length ? wanted - length : 0;
  if (blanks + length > sizeof line->text - line->used)
    line_flush(line);
  if (blanks + length > sizeof line->text) {
    fprintf(line->out, "%*.*s", width, (int)length, text);
    return;
  }
  char *at = line->text + line->used;
  line->used += blanks + length;
  if (width > 0)
    at = (char *)memset(at, ' ', blanks) + blanks;
  at = mempcpy(at, text, length);
  if (width < 0)
    memset(at, ' ', blanks);
}

/* Adds VALUE with DECIMALS digits after the point to the line, padded to WIDTH columns as "%*.*f" does.  */
void line_add_fixed(struct line *line, int width, int decimals, double value) {
  char text[NUMBER_ROOM];
  line_add_padded(line, width, text, format_fixed(text, decimals, value));
}

/* Adds VALUE in decimal to the line, padded to WIDTH columns as "%*llu" does.  */
void line_add_integer(struct line *line, int width, uint64_t value) {
  char text[NUMBER_ROOM];
  line_add_padded(line, width, text, format_integer(text, value));
}

/* Adds STRING to the line, padded to WIDTH columns as "%*s" does: on the left, or on the right if WIDTH is
   negative.  */
void line_add_string(struct line *line, int width, const char *string) {
  line_add_padded(line, width, string, strlen(string));
}
