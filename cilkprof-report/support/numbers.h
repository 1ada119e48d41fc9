/* Formats numbers and padded strings like printf, but faster: the tables of a large program have tens of millions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_NUMBERS_H
#define CILKPROF_REPORT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { NUMBER_ROOM = 352 }; /* DBL_MAX has 309 digits before the point */

/* Format VALUE as "%.*f" and "%llu" do, without a zero byte at the end, and return the length.  TO must have
   NUMBER_ROOM bytes.  */
size_t format_fixed(char *to, int decimals, double value);
size_t format_integer(char *to, uint64_t value);

/* A line that is assembled before it is printed.  The functions format as "%c", "%*.*f", "%*llu" and "%*s" do: a
   negative WIDTH pads on the right.  Initially {OUT}.  */
struct line {
  FILE *out;
  size_t used;
  char text[4096];
};
void line_add_character(struct line *line, char character);
void line_add_fixed(struct line *line, int width, int decimals, double value);
void line_add_integer(struct line *line, int width, uint64_t value);
void line_add_string(struct line *line, int width, const char *string);
/* Prints the text of the line so far and empties it.  */
void line_flush(struct line *line);

#endif
