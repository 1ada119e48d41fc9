/* The columns of work, idleness, overhead and waiting.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_WASTE_COLUMNS_H
#define CILKPROF_REPORT_WASTE_COLUMNS_H

#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/support/numbers.h"
#include "cilkprof-report/tables/layout.h"

/* Columns: for each kind its time, its share of the program's time of that kind, and its share of the effort; then a
   name.  */
enum { WASTE_TIME, WASTE_SHARE, WASTE_OF_EFFORT, WASTE_PARTS, WASTE_COLUMNS = WASTE_PARTS * WASTE_KINDS + 1 };

struct layout waste_table_layout(const char *name_heading, unsigned terminal_width);
/* Prints all cells of a row but the name.  */
void waste_table_cells(const struct layout *layout, struct line *line, const struct samples *samples,
                       const struct waste *waste);
/* Prints LINES, a text that explains the rows, and then an explanation of the columns.  */
void explain_waste_columns(FILE *out, const struct layout *layout, const char *lines, unsigned terminal_width);

#endif
