/* Call sites and functions, sorted by file and line.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SOURCE_ORDER_H
#define CILKPROF_REPORT_SOURCE_ORDER_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/sort.h"

/* A list of call sites or functions.  */
struct ordered {
  struct keyed *items; /* sorted by file and line, then by name */
  size_t count, next;  /* NEXT is the first item that has not been processed */
};

/* All call sites and functions, initially {0}.  There may be millions, so only a key and a pointer are kept for
   each.  */
struct source_order {
  struct names files;
  struct ordered sites, functions;
  size_t site_room, function_room;
  const char *last_file; /* cache: most items are in the same file as the one before */
  size_t last_number;
};

/* Add a site or a function, which is to be shown in FILE at LINE, or at the line of the function.  */
void model_source_order_add_site(struct source_order *order, const char *file, uint32_t line, const struct site *site);
void model_source_order_add_function(struct source_order *order, const char *file, const struct function *function);

/* Sorts all items.  From then on the upper half of a key is the index of the file in the sorted files, and the lower
   half is the line.  */
void model_source_order_sort(struct source_order *order);

/* Returns the line in KEY.  */
static inline uint32_t model_source_order_line(uint64_t key) {
  return (uint32_t)key;
}

/* Returns the name of the source file in KEY.  ORDER must be sorted.  */
static inline const char *model_source_order_file(const struct source_order *order, uint64_t key) {
  return order->files.strings[key >> 32];
}

/* Sets *KEY to the smallest key among the next site and the next function.  Returns false if there are none.  */
bool model_source_order_next(const struct source_order *order, uint64_t *key);

void model_source_order_free(struct source_order *order);

#endif
