/* Sorting many things by a number, and finding some that are sorted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SORT_H
#define CILKPROF_REPORT_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Something with the number that decides first about its place: to compare a million things by looking into each of
   them takes longer than all that is printed of them.  */
struct keyed {
  uint64_t key;
  const void *of;
};

/* The smallest key first.  Those with the same key in the order of COMPARE, which gets what they are of; with NULL as
   they were.  */
void sort_keyed(struct keyed *items, size_t count,
                int (*compare)(const void *left, const void *right, const void *closure), const void *closure);

/* The place of the first of the sorted items, each of SIZE bytes, that does not come before KEY.  */
size_t first_from(const void *items, size_t count, size_t size, bool (*is_before)(const void *item, const void *key),
                  const void *key);

#endif
