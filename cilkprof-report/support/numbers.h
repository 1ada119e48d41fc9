/* Numbers and padded strings as printf writes them, only faster: the tables of a large program have tens of millions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_NUMBERS_H
#define CILKPROF_REPORT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { NUMBER_ROOM = 352 }; /* DBL_MAX has 309 digits before the point */

/* "%.*f" and "%llu".  TO has NUMBER_ROOM bytes; return the length, without a zero at the end.  */
size_t format_fixed(char *to, int decimals, double value);
size_t format_integer(char *to, uint64_t value);

/* A line that is put together before it is printed: "%*.*f", "%*llu" and "%*s", where a WIDTH below 0 fills up on the
   right.  Starts as {OUT}.  */
struct line {
  FILE *out;
  size_t used;
  char text[4096];
};
void line_character(struct line *line, char character);
void line_fixed(struct line *line, int width, int decimals, double value);
void line_integer(struct line *line, int width, uint64_t value);
void line_string(struct line *line, int width, const char *string);
/* Prints what there is of it.  */
void line_print(struct line *line);

#endif
