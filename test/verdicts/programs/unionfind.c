/* The connected parts of a random graph, by union and find.
   SPDX-License-Identifier: MIT

   verdict: unionfind-unite | openmp | serial | unite | unite_all,unite |
   colleague: The edges are made in parallel, but united by a serial loop, which is inlined into main.
   verdict: unionfind-unite-cilk | cilk -g | serial | unite | unite_all,unite |
   colleague: The edges are made in parallel, but united by a serial loop, which is inlined into main.
   verdict: unionfind-unite-call | cilk -DNOINLINE | serial | unite | unite_all,unite |
   colleague: The edges are made in parallel, but united by the serial loop in unite_all().  */

#include <stdio.h>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
#ifdef NOINLINE
#define PART __attribute__((noinline)) static
#else
#define PART static inline
#endif
enum { VERTICES = 200000, EDGES = 400000 };

static struct edge { int a, b; } edges[EDGES];
static int parent[VERTICES], part[VERTICES];

static unsigned scramble(unsigned x) {
  for (int round = 0; round < 8; round++) {
    x ^= x >> 16;
    x *= 0x45d9f3bu;
  }
  return x ^ x >> 16;
}

static int find(int v) {
  while (parent[v] != v)
    v = parent[v];
  return v;
}

/* guilty: unite { */
PART void unite(struct edge e) {
  int a = e.a, b = e.b;
  while (parent[a] != a)
    a = parent[a] = parent[parent[a]];
  while (parent[b] != b)
    b = parent[b] = parent[parent[b]];
  if (a != b)
    parent[a < b ? b : a] = a < b ? a : b;
}

PART void unite_all(void) {
  for (int i = 0; i < EDGES; i++)
    unite(edges[i]);
}
/* guilty: unite } */

int main(void) {
  parallel_for(int v = 0; v < VERTICES; v++) parent[v] = v;
  parallel_for(int i = 0; i < EDGES; i++) {
    edges[i].a = (int)(scramble(2 * (unsigned)i) % VERTICES);
    edges[i].b = (int)(scramble(2 * (unsigned)i + 1) % VERTICES);
  }
  unite_all(); /* guilty: unite */
  parallel_for(int v = 0; v < VERTICES; v++) part[v] = find(v);
  printf("%d %d\n", part[1], part[VERTICES - 1]);
  return 0;
}
