/* The layout of text tables: leaves out columns for which the terminal has no room.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LAYOUT_H
#define CILKPROF_REPORT_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>
#include "cilkprof-report/support/numbers.h"

struct layout_column {
  const char *group, *heading; /* heading of adjacent columns, or NULL; heading of this column */
  int width;                   /* below 0: aligned to the left; 0: not shown */
  int dispensable;             /* if there is no room, 1 is left out first; 0: never */
};

/* The last column has names and is as wide as they are.  */
struct layout {
  const struct layout_column *columns;
  size_t count;
  uint64_t gone; /* set of columns that are left out, as bits */
  int room;      /* characters for the names; 0: any number */
};

/* Leaves out columns until the names have room for LEAST characters, or no other column can be left out.  A
   TERMINAL_WIDTH of 0 is unlimited.  */
struct layout layout_fit_columns(const struct layout_column *columns, size_t count, unsigned terminal_width, int least);

/* Returns whether column number PLACE is shown.  */
bool layout_has_column(const struct layout *layout, size_t place);
/* Returns the width of all columns before column number PLACE, including gaps.  */
int layout_width_before(const struct layout *layout, size_t place);

void layout_print_headings(FILE *out, const struct layout *layout);

/* Print the cells of a row from left to right, but not those of columns that are left out.  */
void layout_string_cell(const struct layout *layout, struct line *line, size_t place, const char *string);
void layout_integer_cell(const struct layout *layout, struct line *line, size_t place, uint64_t value);
void layout_fixed_cell(const struct layout *layout, struct line *line, size_t place, double value); /* two decimals */
/* Prints only the gap before a cell.  The caller prints the cell, in the width of the column, if the function returns
   true; otherwise the column is left out.  */
bool layout_cell_gap(const struct layout *layout, struct line *line, size_t place);
/* Prints the last cell and a newline.  The end of NAME is cut off if there is no room.  */
void layout_name_cell(const struct layout *layout, struct line *line, const char *name);
/* Prints the last cell of a row in a tree, indented by DEPTH steps, and a newline.  SUFFIX is not cut off.  */
void layout_branch_cell(const struct layout *layout, struct line *line, size_t depth, const char *name,
                        const char *suffix);

/* Prints how to see all columns, if some are left out.  */
void explain_omitted_table_columns(FILE *out, const struct layout *layout, unsigned terminal_width);

#endif
