/* The index of the call graph.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/entries.h"
#include "cilkprof-report/numbers.h"

static int compare_names(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  if ((a->cycle == NULL) != (b->cycle == NULL))
    return a->cycle != NULL ? 1 : -1; /* gprof has the cycles last */
  int order = strcmp(entry_name(a), entry_name(b));
  return order != 0 || a->cycle != NULL ? order : a->function->index < b->function->index ? -1 : 1;
}

static void print_entry(struct line *line, const struct entry *entry, int width) {
  char text[64];
  bool shown = entry_is_shown(entry);
  size_t length = 0;
  text[length++] = shown ? '[' : '(';
  length += format_integer(text + length, entry->cycle != NULL ? entry->cycle->index : entry->function->index);
  text[length++] = shown ? ']' : ')';
  text[length] = 0;
  line_string(line, 6, text);
  line_character(line, ' ');
  if (entry->cycle != NULL)
    snprintf(text, sizeof text, "<cycle %zu>", entry->cycle->number);
  line_string(line, -width, entry->cycle != NULL ? text : entry->function->name);
}

void print_index(FILE *out, struct entries entries, unsigned width) {
  enum { COLUMNS = 3, NUMBER = 7 };
  struct line line = {.out = out};
  int column = ((int)width - 1) / COLUMNS - NUMBER;
  size_t rows = (entries.count + COLUMNS - 1) / COLUMNS;
  qsort(entries.entries, entries.count, sizeof *entries.entries, compare_names);
  fputs("\f\nIndex by function name\n\n", out);
  for (size_t row = 0; row < rows; row++) {
    for (size_t i = row; i < entries.count; i += rows)
      print_entry(&line, &entries.entries[i], i + rows < entries.count && column > 0 ? column : 0);
    line_character(&line, '\n');
  }
  line_print(&line);
}
