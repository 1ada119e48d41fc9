/* Orders of functions and of object files for the linker, in which frequent callers and callees are close together.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/support.h"

struct order {
  const struct function **functions;
  size_t count;
  bool *placed; /* by function number */
};

/* Appends FUNCTION to the order for the linker, unless it is NULL, already there, or has no symbol of its own.  */
static void append_to_printed_function_order(struct order *order, const struct function *function) {
  if (function == NULL || order->placed[function->number] || function->file != NULL || function->symbol[0] == 0 ||
      function->merged)
    return;
  order->placed[function->number] = true;
  order->functions[order->count++] = function;
}

/* Compares two arcs by their number of calls, the largest first, for qsort.  */
static int compare_printed_function_order_arcs(const void *left, const void *right) {
  const struct arc *a = *(const struct arc *const *)left, *b = *(const struct arc *const *)right;
  if (model_arc_calls(a) != model_arc_calls(b))
    return model_arc_calls(a) > model_arc_calls(b) ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Returns the functions in an order for the linker: that of their arcs, the most frequent arcs first; functions that
   were never called are last.  The caller frees the arrays.  */
static struct order find_printed_function_order(const struct model *model) {
  struct order order = {
      .functions = allocate(model->functions.count, sizeof *order.functions),
      .placed = allocate(model->functions.count, sizeof *order.placed),
  };
  const struct arc **arcs = allocate(model->arc_count, sizeof *arcs);
  for (size_t i = 0; i < model->arc_count; i++)
    arcs[i] = &model->arcs[i];
  qsort(arcs, model->arc_count, sizeof *arcs, compare_printed_function_order_arcs);
  for (size_t i = 0; i < model->arc_count; i++)
    if (model_arc_calls(arcs[i]) > 0) {
      append_to_printed_function_order(&order, arcs[i]->caller);
      append_to_printed_function_order(&order, arcs[i]->callee);
    }
  for (size_t i = 0; i < model->functions.count; i++)
    append_to_printed_function_order(&order, model->functions.list[i]);
  free(arcs);
  return order;
}

/* Prints a line of an order for the linker: a symbol, which is not demangled because the linker reads it, or an object
   file.  */
static void print_function_order_symbol(FILE *out, const char *symbol) {
  char *escaped = escape(symbol);
  fprintf(out, "%s\n", escaped);
  free(escaped);
}

/* Prints the section of --function-ordering: the symbols of all functions in an order for the linker, frequent callers
   and callees close together.  */
void print_function_order(FILE *out, struct model *model, const struct options *options) {
  struct order order = find_printed_function_order(model);
  (void)options;
  for (size_t i = 0; i < order.count; i++)
    print_function_order_symbol(out, order.functions[i]->symbol);
  free(order.functions);
  free(order.placed);
}

/* A line of the map: an object file and one of its functions.  */
struct mapping {
  const char *file, *symbol;
  bool printed; /* the file has been printed; set only in the first mapping of the file */
};

struct mappings {
  struct mapping *mappings;
  size_t count, room;
};

/* Parses a line of the map of --file-ordering: "FILE:ADDRESS T SYMBOL", as nm -o prints it, or "FILE:SYMBOL".  Returns
   false if LINE has another form.  */
static bool read_printed_file_order_line(char *line, struct mapping *mapping) {
  char *colon = strrchr(line, ':'), *end = line + strlen(line);
  while (end > line && strchr(" \t\r", end[-1]) != NULL)
    *--end = 0;
  if (colon == NULL || colon == line || colon[1] == 0)
    return false;
  *colon = 0;
  const char *blank = strrchr(colon + 1, ' ');
  *mapping = (struct mapping){.file = line, .symbol = blank != NULL ? blank + 1 : colon + 1};
  return true;
}

/* Reads the map of --file-ordering, which says in which object files functions are.  Fails if the file at PATH has no
   line of that form.  */
static struct mappings read_printed_file_order_map(const char *path) {
  struct mappings map = {NULL, 0, 0};
  struct mapping mapping;
  struct file file = read_whole_file(path, NULL);
  char *rest, *text = reallocate(file.bytes, file.size + 1, 1);
  text[file.size] = 0;
  for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
    if (read_printed_file_order_line(line, &mapping)) {
      map.mappings = grow_array(map.mappings, map.count, &map.room, sizeof mapping);
      map.mappings[map.count++] = mapping;
    }
  if (map.count == 0)
    fail(path, "it has no lines with a file, a colon and a function, as nm -o prints them");
  return map;
}

/* Prints the name of the object file FILE unless it has been printed before.  */
static void print_file_order_file(FILE *out, struct mappings *map, const char *file) {
  for (size_t i = 0; i < map->count; i++)
    if (strcmp(map->mappings[i].file, file) == 0) {
      if (!map->mappings[i].printed)
        print_function_order_symbol(out, file);
      map->mappings[i].printed = true;
      return;
    }
}

/* Prints the section of --file-ordering: the object files of the map in an order for the linker, frequent callers and
   callees close together.  */
void print_file_order(FILE *out, struct model *model, const struct options *options) {
  struct mappings map = read_printed_file_order_map(options->file_mapping);
  struct order order = find_printed_function_order(model);
  for (size_t i = 0; i < order.count; i++)
    for (size_t m = 0; m < map.count; m++)
      if (strcmp(map.mappings[m].symbol, order.functions[i]->symbol) == 0)
        print_file_order_file(out, &map, map.mappings[m].file);
  for (size_t m = 0; m < map.count; m++) /* files without functions that are in the order */
    print_file_order_file(out, &map, map.mappings[m].file);
  free(order.functions);
  free(order.placed);
}
