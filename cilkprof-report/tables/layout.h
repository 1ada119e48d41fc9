/* The columns of a table of text: those for which the terminal has room.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LAYOUT_H
#define CILKPROF_REPORT_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>
#include "cilkprof-report/support/numbers.h"

struct layout_column {
  const char *group, *heading; /* over neighbours of one group, or NULL; and over each */
  int width;                   /* below 0: to the left */
  int dispensable;             /* where there is no room: 1 goes first; 0: never */
};

/* The last column has names and is as wide as they are.  */
struct layout {
  const struct layout_column *columns;
  size_t count;
  uint64_t gone; /* a set */
  int room;      /* for the names; 0: as much as they want */
};

/* Leaves out columns until the names have LEAST columns of the terminal, or none is left that can go.  */
struct layout layout_fit(const struct layout_column *columns, size_t count, unsigned terminal_width, int least);

bool layout_has(const struct layout *layout, size_t place);
/* Columns before a cell, or before the names, and its own with the gap.  */
int layout_before(const struct layout *layout, size_t place);

void layout_print_headings(FILE *out, const struct layout *layout);

/* Cells in their order; nothing is printed of a column that is left out.  */
void layout_string(const struct layout *layout, struct line *line, size_t place, const char *string);
void layout_integer(const struct layout *layout, struct line *line, size_t place, uint64_t value);
void layout_fixed(const struct layout *layout, struct line *line, size_t place, double value); /* two decimals */
/* Only the gap, when the column is there: what follows is as wide as the column.  */
bool layout_gap(const struct layout *layout, struct line *line, size_t place);
/* The last cell, of which the end is cut off where there is no room, and the end of the line.  */
void layout_name(const struct layout *layout, struct line *line, const char *name);
/* The same in a tree, DEPTH steps to the right.  SUFFIX is not cut.  */
void layout_branch(const struct layout *layout, struct line *line, size_t depth, const char *name, const char *suffix);

/* Says how to see the rest, if columns are left out.  */
void layout_explain(FILE *out, const struct layout *layout, unsigned terminal_width);

#endif
