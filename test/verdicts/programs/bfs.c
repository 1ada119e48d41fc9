/* Breadth-first search on a random graph, level by level.
   SPDX-License-Identifier: MIT

   verdict: bfs-gather | cilk | serial | gather | gather |
   colleague: gather() looks for the next frontier among all vertices serially after each level, and is inlined.
   verdict: bfs-gather-omp | openmp | serial | gather | gather |
   colleague: gather() looks for the next frontier among all vertices serially after each level, and is inlined.
   verdict: bfs-gather-call | openmp -g -DNOINLINE | serial | gather | gather |
   colleague: gather() looks for the next frontier among all vertices serially after each level.  */

#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(dynamic, 1024)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
#ifdef NOINLINE
#define PART __attribute__((noinline)) static
#else
#define PART static
#endif
enum { VERTICES = 400000, DEGREE = 4, ROOTS = 3 };

static int distance[VERTICES], frontier[VERTICES], found[VERTICES];

/* Neighbour K of vertex V: the graph is not stored.  */
static int neighbour(int v, int k) {
  return (int)(((unsigned)v * 2654435761u + (unsigned)k * 40503u + 977u) % VERTICES);
}

static void expand(int count, int level) {
  parallel_for(int i = 0; i < count; i++) for (int k = 0; k < DEGREE; k++) {
    int to = neighbour(frontier[i], k);
    if (distance[to] < 0)
      found[to] = level;
  }
}

/* guilty: gather { */
PART int gather(int level) {
  int count = 0;
  for (int v = 0; v < VERTICES; v++)
    if (found[v] == level && distance[v] < 0) {
      distance[v] = level;
      frontier[count++] = v;
    }
  return count;
}
/* guilty: gather } */

static int search(int root) {
  int levels = 0;
  parallel_for(int v = 0; v < VERTICES; v++) distance[v] = -1, found[v] = 0;
  distance[root] = 0;
  frontier[0] = root;
  for (int count = 1; count > 0;) {
    levels++;
    expand(count, levels);
    count = gather(levels); /* guilty: gather */
  }
  return levels;
}

int main(void) {
  int sum = 0;
  for (int root = 0; root < ROOTS; root++)
    sum += search(root * 1001);
  printf("%d\n", sum);
  return 0;
}
