/* Sorts many items by a number, with a radix sort from the least significant digit, and searches sorted arrays.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

enum { BITS = 11, DIGITS = 1 << BITS, PASSES = (64 + BITS - 1) / BITS };

/* Returns the digit of KEY by which a pass of the radix sort sorts: pass 0 takes the least significant one.  */
static size_t sorted_radix_digit(uint64_t key, int pass) {
  return key >> (BITS * pass) & (DIGITS - 1);
}

/* Copies all items to TO, sorted by the digit of one pass.  Returns 0, and copies nothing, if all items have the same
   digit.  */
static int sort_by_radix_digit(const struct keyed *from, struct keyed *to, size_t count, int pass) {
  size_t places[DIGITS] = {0}, place = 0;
  for (size_t i = 0; i < count; i++)
    places[sorted_radix_digit(from[i].key, pass)]++;
  if (count == 0 || places[sorted_radix_digit(from[0].key, pass)] == count)
    return 0;
  for (size_t i = 0; i < DIGITS; i++) {
    size_t here = places[i];
    places[i] = place;
    place += here;
  }
  for (size_t i = 0; i < count; i++)
    to[places[sorted_radix_digit(from[i].key, pass)]++] = from[i];
  return 1;
}

struct order {
  int (*compare)(const void *left, const void *right, const void *closure);
  const void *closure;
};

/* Compares the objects of two keyed items by the function of the caller of sort_keyed, for qsort_r.  */
static int compare_keyed_items(const void *left, const void *right, void *order) {
  const struct keyed *a = left, *b = right;
  const struct order *by = order;
  return by->compare(a->of, b->of, by->closure);
}

/* Sorts every run of items with equal keys by the comparison in ORDER.  */
static void sort_keyed_ties(struct keyed *items, size_t count, struct order *order) {
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && items[end].key == items[i].key; end++)
      ;
    if (end - i > 1)
      qsort_r(items + i, end - i, sizeof *items, compare_keyed_items, order);
  }
}

void sort_keyed(struct keyed *items, size_t count,
                int (*compare)(const void *left, const void *right, const void *closure), const void *closure) {
  struct keyed *spare = reallocate(NULL, count, sizeof *spare), *from = items, *to = spare;
  for (int pass = 0; pass < PASSES; pass++)
    if (sort_by_radix_digit(from, to, count, pass)) {
      struct keyed *other = from;
      from = to;
      to = other;
    }
  if (from != items)
    memcpy(items, from, count * sizeof *items);
  free(spare);
  if (compare != NULL)
    sort_keyed_ties(items, count, &(struct order){compare, closure});
}

size_t sorted_lower_bound(const void *items, size_t count, size_t size,
                          bool (*is_before)(const void *item, const void *key), const void *key) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (is_before((const char *)items + middle * size, key))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
