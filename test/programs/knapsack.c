/* The most valuable choice of items that a knapsack can carry, by branch and bound: after Cilk-5.  knapsack [ITEMS]
   SPDX-License-Identifier: MIT

   Nearly no work per spawn.  The bound is the best choice that was found so far, in the order of a serial run; a
   parallel run would visit more or fewer branches.  */

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include "random.h"

enum { MAX_ITEMS = 60 };

struct item {
  int value, weight;
};

#ifndef CILK_FUNCTION /* noinline in the benchmark's baseline, so that the serial elision keeps its calls */
#define CILK_FUNCTION
#endif

static int best_so_far;

/* The largest value that can be reached with some of the items when `value` has been packed and `capacity` is left;
   less than the best so far when a branch without hope was not followed.  The items are sorted by value per weight.  */
CILK_FUNCTION int knapsack(const struct item *items, int count, int capacity, int value) {
  if (capacity < 0)
    return -1;
  if (count == 0 || capacity == 0)
    return value;
  /* If all that is left were as good as the next item.  */
  double bound = value + (double)capacity * items->value / items->weight;
  if (bound < best_so_far)
    return -1;
  int without, with;
  without = cilk_spawn knapsack(items + 1, count - 1, capacity, value);
  with = cilk_spawn knapsack(items + 1, count - 1, capacity - items->weight, value + items->value);
  cilk_sync;
  int best = with > without ? with : without;
  if (best > best_so_far)
    best_so_far = best;
  return best;
}

/* The same by a table of the best value for every capacity.  */
static int best_by_table(const struct item *items, int count, int capacity) {
  int *best = calloc((size_t)capacity + 1, sizeof *best);
  if (!best)
    abort();
  for (int i = 0; i < count; ++i)
    for (int c = capacity; c >= items[i].weight; --c) {
      int with = best[c - items[i].weight] + items[i].value;
      if (with > best[c])
        best[c] = with;
    }
  int result = best[capacity];
  free(best);
  return result;
}

static int by_value_per_weight(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  return y->value * x->weight - x->value * y->weight;
}

int main(int argc, char *argv[]) {
  int count = argc > 1 ? atoi(argv[1]) : 44;
  if (count < 1 || count > MAX_ITEMS) {
    fprintf(stderr, "usage: knapsack [ITEMS], ITEMS from 1 to %d\n", MAX_ITEMS);
    return 2;
  }
  struct item items[MAX_ITEMS];
  uint64_t state = RANDOM_SEED;
  int capacity = 0;
  for (int i = 0; i < count; ++i) {
    items[i].weight = 100 + (int)(next_random(&state) % 900);
    items[i].value = items[i].weight + 100;
    capacity += items[i].weight;
  }
  capacity /= 2;
  qsort(items, (size_t)count, sizeof *items, by_value_per_weight);

  int best = knapsack(items, count, capacity, 0);

  int right = best == best_by_table(items, count, capacity);
  printf("%d items, capacity %d: best value %d, %s\n", count, capacity, best, right ? "right" : "wrong");
  return right ? 0 : 1;
}
