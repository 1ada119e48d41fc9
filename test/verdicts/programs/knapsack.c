/* The knapsack problem by trying everything, with a bound.
   SPDX-License-Identifier: MIT

   verdict: knapsack-grain | cilk | grain | spawn | fill |
   colleague: Every node of the search is spawned, down to the last item; call plainly below some depth.
   verdict: knapsack-grain-omp | openmp -g | grain | spawn | fill |
   colleague: Every node of the search is a task, down to the last item; use final or if below some depth.
   verdict: knapsack-none | cilk -DDEPTH=9 | none | - | - |
   colleague: It is well parallelised.  */

#include <stdio.h>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
#ifdef DEPTH
enum { ITEMS = 22, ROOM = 100 };
#else
enum { ITEMS = 21, ROOM = 80, DEPTH = ITEMS };
#endif

static int weight[ITEMS], value[ITEMS];

static int fill_serially(int item, int room, int worth) {
  if (item == ITEMS)
    return worth;
  int without = fill_serially(item + 1, room, worth);
  if (weight[item] > room)
    return without;
  int with = fill_serially(item + 1, room - weight[item], worth + value[item]);
  return with > without ? with : without;
}

/* Returns the most that the items from ITEM on add to WORTH.  */
static int fill(int item, int room, int worth) {
  int with = 0, without;
  if (item == ITEMS)
    return worth;
  if (item >= DEPTH)
    return fill_serially(item, room, worth);
    /* guilty: spawn { */
#ifdef _OPENMP
#pragma omp task shared(without)
  without = fill(item + 1, room, worth);
  if (weight[item] <= room)
    with = fill(item + 1, room - weight[item], worth + value[item]);
#pragma omp taskwait
#else
  without = cilk_spawn fill(item + 1, room, worth);
  if (weight[item] <= room)
    with = fill(item + 1, room - weight[item], worth + value[item]);
  cilk_sync;
#endif
  /* guilty: spawn } */
  return with > without ? with : without;
}

int main(void) {
  int best = 0;
  for (int i = 0; i < ITEMS; i++) {
    weight[i] = 3 + i * 7 % 11;
    value[i] = 5 + i * 5 % 13;
  }
#pragma omp parallel
#pragma omp single
  best = fill(0, ROOM, 0); /* guilty: spawn */
  printf("%d\n", best);
  return 0;
}
