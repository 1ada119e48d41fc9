/* Where the serial loops of the program are, as the compiler says.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/source-loops.h"
#include "cilkprof-report/names/functions.h"
#include "cilkprof-report/objects/objects.h"
#include "cilkprof-report/support/support.h"

void add_source_loop(struct source_loops *loops, struct functions *functions, const struct description *description) {
  loops->list = grow_array(loops->list, loops->count, &loops->room, sizeof *loops->list);
  loops->list[loops->count++] = (struct source_loop){intern_function_symbol(functions, description->caller),
                                                     interned_name_text(&functions->names, description->unit),
                                                     interned_name_text(&functions->names, description->file),
                                                     description->line,
                                                     description->column,
                                                     description->flags & CILKPROF_SITE_FORKS};
}

/* Callback of qsort: compares two loops by the symbols of their functions, then by their lines.  */
static int compare_source_loops(const void *left, const void *right) {
  const struct source_loop *a = left, *b = right;
  if (a->symbol != b->symbol)
    return (uintptr_t)a->symbol < (uintptr_t)b->symbol ? -1 : 1;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  return a->last != b->last ? (a->last > b->last ? -1 : 1) : 0;
}

void sort_source_loops(struct source_loops *loops) {
  if (loops->count > 0)
    qsort(loops->list, loops->count, sizeof *loops->list, compare_source_loops);
}

/* Returns the index of the first loop of the function with SYMBOL.  */
static size_t first_source_loop(const struct source_loops *loops, const char *symbol) {
  size_t low = 0, high = loops->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if ((uintptr_t)loops->list[middle].symbol < (uintptr_t)symbol)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const struct source_loop *next_source_loop_around(const struct source_loops *loops, const struct source_place *place,
                                                  const struct source_loop *before) {
  size_t i = before != NULL ? (size_t)(before - loops->list) + 1 : first_source_loop(loops, place->symbol);
  for (; place->file != NULL && i < loops->count && loops->list[i].symbol == place->symbol; i++) {
    const struct source_loop *loop = &loops->list[i];
    if (loop->line > place->line)
      break;
    if (place->line <= loop->last && strcmp(base_name(loop->file), base_name(place->file)) == 0)
      return loop;
  }
  return NULL;
}
