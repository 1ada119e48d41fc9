/* Correlations of the columns of a table.
   SPDX-License-Identifier: MIT  */

#ifndef CORRELATE_H
#define CORRELATE_H

enum { COLUMNS = 600, ROWS = 300 };

/* Sets the upper triangle of CORRELATION to the correlations of the normalised columns of TABLE.  */
void correlate_columns(const double table[COLUMNS][ROWS], double correlation[COLUMNS][COLUMNS]);

#endif
