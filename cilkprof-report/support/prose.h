/* Words in lines that fit the terminal.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_PROSE_H
#define CILKPROF_REPORT_PROSE_H

#include <stddef.h>
#include <stdio.h>

/* Prints words from COLUMN on, and the end of the line.  Lines end before TERMINAL_WIDTH, or where they are easy to
   read if it is 0 or more than that, and go on after INDENTATION blanks.  A word is never broken: it may be a path.  */
void print_words(FILE *out, const char *text, size_t column, size_t indentation, unsigned terminal_width);
/* Prints what stands after a label of COLUMN columns.  Where there is no terminal it is one line, for programs.  */
void print_field(FILE *out, const char *text, size_t column, unsigned terminal_width);

/* Prints paragraphs, each of them a line of TEXT.  They go on where their first words stand, or where a tab is, which
   takes no room: a label stands before it.  */
void print_prose(FILE *out, const char *text, unsigned terminal_width);

#endif
