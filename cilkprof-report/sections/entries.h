/* The entries of the call graph: functions and cycles, in their order.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_ENTRIES_H
#define CILKPROF_REPORT_ENTRIES_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

/* A function, or a cycle of several as a whole: the other is NULL.  */
struct entry {
  struct function *function;
  struct cycle *cycle;
};

struct entries {
  struct entry *entries;
  size_t count;
};

/* Sorts the entries and every function's arcs as gprof does, numbers the cycles and gives everything its index.  */
struct entries entries_make(struct model *model, const struct options *options);

const char *entry_name(const struct entry *entry);
/* Whether the options let it be printed.  */
bool entry_is_shown(const struct entry *entry);

/* index.c: sorts the entries by name and prints where they are.  */
void print_index(FILE *out, const struct entries *listed, const struct model *model, unsigned width);

#endif
