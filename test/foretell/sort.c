/* Quicksort, recursive: parts of unequal length.
   SPDX-License-Identifier: MIT  */

#include "foretell.h"

enum { SERIAL = 2000, SHORT = 16 }; /* shorter ones are not divided among tasks; nor divided at all */
const long default_size = 1000000;
static uint64_t *numbers, sum_before;

/* Allocates SIZE numbers.  */
static void make_room(long size) {
  numbers = room(size, sizeof *numbers);
}

/* Draws SIZE random numbers and notes their sum.  */
static void make_input(long size) {
  sum_before = 0;
  for (long i = 0; i < size; i++)
    sum_before += numbers[i] = random_number((uint64_t)i);
}

/* Exchanges the numbers at A and B.  */
static void exchange(uint64_t *a, uint64_t *b) {
  uint64_t kept = *a;
  *a = *b;
  *b = kept;
}

/* Sorts the numbers from FIRST to before END by insertion, which is fastest for a few.  */
static void insert_all(uint64_t *first, uint64_t *end) {
  for (uint64_t *next = first + 1; next < end; next++)
    for (uint64_t *at = next; at > first && at[-1] > *at; at--)
      exchange(at - 1, at);
}

/* Divides the numbers from FIRST to before END by a pivot.  Returns where the second part begins; neither is empty.  */
static uint64_t *divide(uint64_t *first, uint64_t *end) {
  uint64_t *middle = first + (end - first) / 2, *low = first - 1, *high = end;
  if (*middle < *first)
    exchange(middle, first);
  if (end[-1] < *first)
    exchange(end - 1, first);
  if (end[-1] < *middle)
    exchange(end - 1, middle);
  uint64_t pivot = *middle;
  for (;;) {
    while (*++low < pivot)
      ;
    while (*--high > pivot)
      ;
    if (low >= high)
      return high + 1;
    exchange(low, high);
  }
}

/* Sorts the numbers from FIRST to before END; the two parts of a long range are tasks.  */
static void sort(uint64_t *first, uint64_t *end) {
  if (end - first <= SHORT) {
    insert_all(first, end);
    return;
  }
  uint64_t *middle = divide(first, end);
  if (end - first <= SERIAL) {
    sort(first, middle);
    sort(middle, end);
    return;
  }
  PAR_SEC_BEGIN("parts");
  PAR_TASK_BEGIN("lower");
  SPAWN sort(first, middle);
  PAR_TASK_END();
  PAR_TASK_BEGIN("upper");
  sort(middle, end);
  PAR_TASK_END();
  SYNC;
  PAR_SEC_END(0);
}

/* Sorts all SIZE numbers.  */
static void compute(long size) {
  sort(numbers, numbers + size);
}

/* Returns whether the numbers are in order and have the same sum as before.  */
static int is_right(long size) {
  uint64_t sum = 0;
  for (long i = 0; i < size; i++) {
    sum += numbers[i];
    if (i > 0 && numbers[i - 1] > numbers[i])
      return 0;
  }
  return sum == sum_before;
}
