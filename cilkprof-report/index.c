/* The index of the call graph.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/entries.h"

static int compare_names(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  if ((a->cycle == NULL) != (b->cycle == NULL))
    return a->cycle != NULL ? 1 : -1; /* gprof has the cycles last */
  int order = strcmp(entry_name(a), entry_name(b));
  return order != 0 || a->cycle != NULL ? order : a->function->index < b->function->index ? -1 : 1;
}

void print_index(FILE *out, struct entries entries, unsigned width) {
  enum { COLUMNS = 3, NUMBER = 7 };
  int column = ((int)width - 1) / COLUMNS - NUMBER;
  size_t rows = (entries.count + COLUMNS - 1) / COLUMNS;
  qsort(entries.entries, entries.count, sizeof *entries.entries, compare_names);
  fputs("\f\nIndex by function name\n\n", out);
  for (size_t row = 0; row < rows; row++) {
    for (size_t i = row; i < entries.count; i += rows) {
      const struct entry *entry = &entries.entries[i];
      char index[24], cycle[40];
      snprintf(index, sizeof index, entry_is_shown(entry) ? "[%zu]" : "(%zu)",
               entry->cycle != NULL ? entry->cycle->index : entry->function->index);
      snprintf(cycle, sizeof cycle, "<cycle %zu>", entry->cycle != NULL ? entry->cycle->number : 0);
      fprintf(out, "%6s %-*s", index, i + rows < entries.count && column > 0 ? column : 0,
              entry->cycle != NULL ? cycle : entry->function->name);
    }
    putc('\n', out);
  }
}
