/* The terminal: colours, width, pager.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TERMINAL_H
#define CILKPROF_REPORT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Returns the meaning of WHEN: auto, always or never; NULL is always.  Fails for any other string.  */
enum color color_parse(const char *when);
/* Returns whether to use colours on standard output.  With COLOR_AUTO they are not if NO_COLOR is set;
   otherwise they are if CLICOLOR_FORCE or FORCE_COLOR is, or if it is a terminal that is not dumb.  */
bool color_wanted(enum color color);

/* Returns the value of COLUMNS, or the width of the terminal on standard output; 0 if that is not a terminal.  */
unsigned terminal_width(void);

/* If standard output is a terminal, starts $PAGER, or less if it is installed, which then shows the output.  */
void pager_start(void);
/* Waits for the pager.  Call it after the last output has been flushed.  */
void pager_wait(void);

enum style { STYLE_TITLE, STYLE_GOOD, STYLE_NOTICE, STYLE_BAD };

/* Prints in a style if COLOR is true.  */
__attribute__((format(printf, 4, 5))) void print_styled(FILE *out, bool color, enum style style, const char *format,
                                                        ...);

#endif
