/* The terminal: colours, width, pager.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TERMINAL_H
#define CILKPROF_REPORT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Fails when it is none of auto, always and never; NULL is always.  */
enum color color_parse(const char *when);
/* Whether standard output gets colours: with auto when it is a terminal that is not dumb, unless NO_COLOR is set.  */
bool color_wanted(enum color color);

/* The columns that COLUMNS asks for, or those of the terminal that standard output is; 0 when it is none.  */
unsigned terminal_width(void);

/* When standard output is a terminal, starts $PAGER, or less where it is installed, and lets it show what is printed
   from then on.  */
void pager_start(void);
/* After the last output has been flushed: lets the pager end.  */
void pager_wait(void);

enum style { STYLE_TITLE, STYLE_GOOD, STYLE_NOTICE, STYLE_BAD };

/* Prints in a style, or plainly when COLOR is false.  */
__attribute__((format(printf, 4, 5))) void print_styled(FILE *out, bool color, enum style style, const char *format,
                                                        ...);

#endif
