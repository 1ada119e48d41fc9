/* The sorted entries of the call graph: functions and cycles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_ENTRIES_H
#define CILKPROF_REPORT_ENTRIES_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

/* A function, or a whole cycle of several functions.  The other member is NULL.  */
struct entry {
  struct function *function;
  struct cycle *cycle;
};

struct entries {
  struct entry *entries;
  size_t count;
};

/* Returns the entries, sorted as in gprof.  Sorts the arcs of every function, and assigns numbers to cycles and indices
   to all entries.  */
struct entries make_graph_entries(struct model *model, const struct options *options);

const char *graph_entry_name(const struct entry *entry);
/* Returns whether the options allow the entry to be printed.  */
bool graph_entry_is_shown(const struct entry *entry);

/* index.c: prints the names of the entries in alphabetical order, with their indices.  */
void print_graph_index(FILE *out, const struct entries *listed, const struct model *model, unsigned width);

#endif
