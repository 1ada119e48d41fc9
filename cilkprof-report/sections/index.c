/* The index of the call graph.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/sections/entries.h"
#include "cilkprof-report/support/numbers.h"
#include "cilkprof-report/support/support.h"

/* Compares two functions with equal names by their index in the call graph, for qsort.  */
static int compare_graph_indices(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  return a->function->index < b->function->index ? -1 : a->function->index > b->function->index;
}

/* Returns the entries of the call graph sorted by name, for its index; the model has the functions in that order.  As
   in gprof, cycles are last.  The caller frees the array in it.  */
static struct entries sort_graph_index(const struct entries *entries, const struct model *model) {
  struct entries sorted = {.entries = allocate(entries->count, sizeof *sorted.entries)};
  for (size_t i = 0, first = 0; i < model->functions.count; i++) {
    struct function *function = model->functions.by_name[i];
    if (function->index == 0)
      continue;
    sorted.entries[sorted.count++].function = function;
    if (strcmp(sorted.entries[first].function->brief_name, function->brief_name) != 0)
      first = sorted.count - 1;
    else if (sorted.count - first > 1)
      qsort(sorted.entries + first, sorted.count - first, sizeof *sorted.entries, compare_graph_indices);
  }
  for (size_t i = 0; i < entries->count; i++)
    if (entries->entries[i].cycle != NULL)
      sorted.entries[sorted.count++] = entries->entries[i];
  return sorted;
}

/* Adds an entry of the index of the call graph to the line: its number, and its name in WIDTH columns.  */
static void print_graph_index_entry(struct line *line, const struct entry *entry, int width) {
  char text[64];
  bool shown = graph_entry_is_shown(entry);
  size_t length = 0;
  text[length++] = shown ? '[' : '(';
  length += format_integer(text + length, entry->cycle != NULL ? entry->cycle->index : entry->function->index);
  text[length++] = shown ? ']' : ')';
  text[length] = 0;
  line_add_string(line, 6, text);
  line_add_character(line, ' ');
  if (entry->cycle != NULL)
    snprintf(text, sizeof text, "<cycle %u>", entry->cycle->number);
  line_add_string(line, -width, entry->cycle != NULL ? text : entry->function->brief_name);
}

/* Prints the index of the call graph: the names of the LISTED entries in alphabetical order, with their numbers, in
   three columns that are together WIDTH wide.  */
void print_graph_index(FILE *out, const struct entries *listed, const struct model *model, unsigned width) {
  enum { COLUMNS = 3, NUMBER = 7 };
  struct line line = {.out = out};
  int column = ((int)width - 1) / COLUMNS - NUMBER;
  struct entries entries = sort_graph_index(listed, model);
  size_t rows = (entries.count + COLUMNS - 1) / COLUMNS;
  fputs("\f\nIndex by function name\n\n", out);
  for (size_t row = 0; row < rows; row++) {
    for (size_t i = row; i < entries.count; i += rows)
      print_graph_index_entry(&line, &entries.entries[i], i + rows < entries.count && column > 0 ? column : 0);
    line_add_character(&line, '\n');
  }
  line_flush(&line);
  free(entries.entries);
}
