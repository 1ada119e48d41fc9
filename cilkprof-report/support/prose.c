/* Wraps text to the width of the terminal.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/support/prose.h"

/* Longer lines are hard to read, and shorter lines cannot be read at all.  */
enum { MAX_COLUMNS = 100, LEAST_COLUMNS = 40 };

/* Returns how many columns a line of prose has at most, on a terminal of TERMINAL_WIDTH columns; 0 means no
   terminal.  */
static size_t prose_line_width(unsigned terminal_width) {
  if (terminal_width == 0 || terminal_width > MAX_COLUMNS)
    return MAX_COLUMNS;
  return terminal_width > LEAST_COLUMNS ? terminal_width : LEAST_COLUMNS;
}

/* Prints the words from TEXT to END and a newline.  Lines are at most WIDTH columns long; the first begins at COLUMN,
   the others after INDENTATION blanks.  */
static void wrap_prose(FILE *out, const char *text, const char *end, size_t column, size_t indentation, size_t width) {
  while (text < end) {
    const char *word = text + strspn(text, " "), *next = word + strcspn(word, " \n");
    size_t blanks = (size_t)(word - text), length = (size_t)(next - word);
    if (column + blanks + length > width && column > indentation) {
      fprintf(out, "\n%*s", (int)indentation, "");
      column = indentation;
      blanks = 0;
    }
    fprintf(out, "%*s%.*s", (int)blanks, "", (int)length, word);
    column += blanks + length;
    text = next;
  }
  putc('\n', out);
}

void print_prose_words(FILE *out, const char *text, size_t column, size_t indentation, unsigned terminal_width) {
  wrap_prose(out, text, text + strlen(text), column, indentation, prose_line_width(terminal_width));
}

void print_prose_field(FILE *out, const char *text, size_t column, unsigned terminal_width) {
  if (terminal_width == 0)
    fprintf(out, "%s\n", text);
  else
    print_prose_words(out, text, column, column, terminal_width);
}

void print_prose(FILE *out, const char *text, unsigned terminal_width) {
  while (*text != 0) {
    size_t length = strcspn(text, "\n"), label = strcspn(text, "\t\n");
    size_t indentation = label < length ? label : strspn(text, " ");
    fprintf(out, "%.*s", (int)indentation, text);
    wrap_prose(out, text + indentation + (label < length), text + length, indentation, indentation,
               prose_line_width(terminal_width));
    text += length + (text[length] == '\n');
  }
}
