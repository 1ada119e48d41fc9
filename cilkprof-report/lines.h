/* Files and lines of addresses, from the debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LINES_H
#define CILKPROF_REPORT_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include "cilkprof-report/objects.h"

/* NULL when the system does not let it.  */
struct line_table *lines_open(const struct object *object);
/* False when nothing is known of ADDRESS.  *FILE is allocated.  */
bool lines_find(struct line_table *lines, uint64_t address, const char **file, uint32_t *line);

#endif
