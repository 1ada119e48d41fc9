/* Files and lines of addresses, from the debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LINES_H
#define CILKPROF_REPORT_LINES_H

#include <stdbool.h>
#include <stdint.h>

/* NULL when the file cannot be read.  */
struct line_table *lines_open(const char *path);
/* False when nothing is known of ADDRESS.  *FILE lives as long as the table.  */
bool lines_find(struct line_table *lines, uint64_t address, const char **file, uint32_t *line);

#endif
