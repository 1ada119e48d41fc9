/* Wraps text to the width of the terminal.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_PROSE_H
#define CILKPROF_REPORT_PROSE_H

#include <stddef.h>
#include <stdio.h>

/* Prints TEXT from COLUMN on, and a newline.  Lines are as long as TERMINAL_WIDTH, or as long as is easy to read if
   that is less or TERMINAL_WIDTH is 0.  Continued lines begin with INDENTATION blanks.  Words, which may be paths, are
   never broken.  */
void print_prose_words(FILE *out, const char *text, size_t column, size_t indentation, unsigned terminal_width);
/* Prints the text after a label of COLUMN columns.  Without a terminal it is a single line, for programs that read
   it.  */
void print_prose_field(FILE *out, const char *text, size_t column, unsigned terminal_width);

/* Prints each line of TEXT as a paragraph.  Its continued lines are indented as the first line, or up to its tab.  A
   tab follows a label and is not printed itself.  */
void print_prose(FILE *out, const char *text, unsigned terminal_width);

#endif
