/* Call sites and functions in the order of their files and lines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SOURCE_ORDER_H
#define CILKPROF_REPORT_SOURCE_ORDER_H

#include "cilkprof-report/model/model.h"
#include "cilkprof-report/support/sort.h"

struct ordered {
  struct keyed *items; /* sites or functions; of the same line by name */
  size_t count, next;
};

/* Starts as {0}.  There may be millions of them: nothing is kept of one but where it is.  */
struct source_order {
  struct names files;
  struct ordered sites, functions;
  size_t site_room, function_room;
  const char *last_file; /* most are in the file of the one before */
  size_t last_number;
};

/* FILE and LINE are where it is to be shown.  */
void order_add_site(struct source_order *order, const char *file, uint32_t line, const struct site *site);
void order_add_function(struct source_order *order, const char *file, const struct function *function);

/* Sorts them: from then on a key has the place of its file among the sorted files, and the line.  */
void order_sort(struct source_order *order);

static inline uint32_t order_line(uint64_t key) {
  return (uint32_t)key;
}

static inline const char *order_file(const struct source_order *order, uint64_t key) {
  return order->files.strings[key >> 32];
}

/* The key of the next ones, of sites or functions; false: there are none.  */
bool order_next(const struct source_order *order, uint64_t *key);

void order_free(struct source_order *order);

#endif
