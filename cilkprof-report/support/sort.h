/* Sorts many items by a number, and searches sorted arrays.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SORT_H
#define CILKPROF_REPORT_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An object and the number by which it is sorted first.  The number is kept here because comparing a million objects
   through pointers takes longer than printing them.  */
struct keyed {
  uint64_t key;
  const void *of;
};

/* Sorts items by key, the smallest first.  Items with equal keys are sorted by COMPARE, which gets their objects; if it
   is NULL, they keep their order.  */
void sort_keyed(struct keyed *items, size_t count,
                int (*compare)(const void *left, const void *right, const void *closure), const void *closure);

/* Returns the index of the first of the sorted items, each of SIZE bytes, that does not precede KEY.  */
size_t sorted_lower_bound(const void *items, size_t count, size_t size,
                          bool (*is_before)(const void *item, const void *key), const void *key);

#endif
