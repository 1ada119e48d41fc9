/* The deque under stress: one owner that pushes and takes, several thieves.  Every item is had exactly once, and
   what was written to it before it was pushed is seen.  deque THIEVES ITEMS SEED
   SPDX-License-Identifier: MIT  */

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "libcilkprof/runtime/deque.h"

struct item {
  long number;      /* written by the owner alone, before it is pushed */
  atomic_int taken; /* by how many */
};

static struct deque deque;
static struct item *items;
static atomic_bool over;
static atomic_long stolen, wrong;

/* Notes that ITEM was taken, and whether that was the first time and, if NUMBER is known, the item with that
   number.  */
static void test_parallel_had(struct item *item, long number) {
  if ((number >= 0 && item->number != number) || &items[item->number] != item || atomic_fetch_add(&item->taken, 1))
    atomic_fetch_add(&wrong, 1);
}

/* Thread function: steals until the test is over.  */
static void *test_parallel_thief(void *unused) {
  for (unsigned long looks = 0; !atomic_load(&over); looks++) {
    struct item *item = deque_size(&deque) > 0 ? deque_steal(&deque) : NULL;
    if (item) {
      test_parallel_had(item, -1);
      atomic_fetch_add(&stolen, 1);
    } else if (looks % 64 == 0)
      sched_yield();
  }
  return unused;
}

/* Pushes and takes ITEMS items while THIEVES threads steal, and prints how many were stolen, and how many were lost,
   had twice or not as written.  Returns 1 if there are any of the latter, 2 if a thread cannot be created.  */
int main(int argc, char **argv) {
  int thieves = argc > 1 ? atoi(argv[1]) : 3;
  long count = argc > 2 ? atol(argv[2]) : 1000000, next = 0, own = 0;
  unsigned long random = argc > 3 ? strtoul(argv[3], NULL, 10) * 2 + 1 : 1;
  pthread_t threads[64];
  items = calloc((size_t)count, sizeof *items);
  for (int i = 0; i < thieves && i < 64; i++)
    if (pthread_create(&threads[i], NULL, test_parallel_thief, NULL))
      return 2;
  /* Bursts of pushes and takes: mostly few items are there, when both ends meet.  */
  while (next < count || deque_size(&deque) > 0) {
    random = random * 6364136223846793005ul + 1442695040888963407ul;
    for (unsigned long pushes = random >> 61; pushes && next < count; pushes--) {
      items[next].number = next;
      if (!deque_push(&deque, &items[next]))
        break;
      next++;
    }
    for (unsigned long takes = random >> 58 & 7; takes; takes--) {
      struct item *newest = deque_newest(&deque), *item = deque_take(&deque);
      if (item) {
        test_parallel_had(item, newest ? newest->number : -1);
        own++;
      }
    }
    if (random >> 50 & 1 && random >> 51 & 1)
      sched_yield();
  }
  while (own + atomic_load(&stolen) < count)
    sched_yield();
  atomic_store(&over, true);
  for (int i = 0; i < thieves && i < 64; i++)
    pthread_join(threads[i], NULL);
  for (long i = 0; i < count; i++)
    if (items[i].taken != 1)
      atomic_fetch_add(&wrong, 1);
  printf("%ld items, %ld stolen, %ld wrong\n", count, atomic_load(&stolen), atomic_load(&wrong));
  free(items);
  return wrong != 0;
}
