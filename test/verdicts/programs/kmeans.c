/* K-means clustering of random points in the plane.
   SPDX-License-Identifier: MIT

   verdict: kmeans-generate | cilk | serial | generate | generate |
   colleague: generate() makes the points in one serial loop, and it is inlined into main.
   verdict: kmeans-generate-omp | openmp | serial | generate | generate |
   colleague: generate() makes the points in one serial loop, and it is inlined into main.
   verdict: kmeans-generate-call | cilk -g -DNOINLINE | serial | generate | generate |
   colleague: generate() makes the points serially.
   verdict: kmeans-centres | openmp -DSERIAL_CENTRES | serial | centres | move_centres |
   colleague: move_centres() adds up the points of each cluster serially after every parallel assignment.
   verdict: kmeans-centres-cilk | cilk -g -DSERIAL_CENTRES | serial | centres | move_centres |
   colleague: move_centres() adds up the points of each cluster serially after every parallel assignment.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(dynamic, 256)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
#ifdef NOINLINE
#define PART __attribute__((noinline)) static
#else
#define PART static
#endif
#ifdef SERIAL_CENTRES
enum { POINTS = 200000, CLUSTERS = 8, ROUNDS = 12, SHUFFLES = 1 };
#else
enum { POINTS = 100000, CLUSTERS = 8, ROUNDS = 6, SHUFFLES = 24 };
#endif

struct point {
  double x, y;
};
static struct point points[POINTS], centres[CLUSTERS];
static int cluster[POINTS];

/* guilty: generate { */
PART void generate(struct point *all, int count) {
  unsigned state = 12345;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < SHUFFLES; k++)
      state = state * 1664525u + 1013904223u;
    all[i].x = (state >> 8) / 16777216.0;
    state = state * 1664525u + 1013904223u;
    all[i].y = (state >> 8) / 16777216.0;
  }
}
/* guilty: generate } */

static int nearest(struct point p) {
  int best = 0;
  double least = INFINITY;
  for (int c = 0; c < CLUSTERS; c++) {
    double dx = p.x - centres[c].x, dy = p.y - centres[c].y, distance = dx * dx + dy * dy;
    if (distance < least)
      least = distance, best = c;
  }
  return best;
}

/* guilty: centres { */
static void move_centres(void) {
  double x[CLUSTERS] = {0}, y[CLUSTERS] = {0}, members[CLUSTERS] = {0};
  for (int i = 0; i < POINTS; i++) {
    x[cluster[i]] += points[i].x;
    y[cluster[i]] += points[i].y;
    members[cluster[i]]++;
  }
  for (int c = 0; c < CLUSTERS; c++)
    if (members[c] > 0)
      centres[c] = (struct point){x[c] / members[c], y[c] / members[c]};
}
/* guilty: centres } */

int main(void) {
  generate(points, POINTS); /* guilty: generate */
  for (int c = 0; c < CLUSTERS; c++)
    centres[c] = points[c * (POINTS / CLUSTERS)];
  for (int round = 0; round < ROUNDS; round++) {
    parallel_for(int i = 0; i < POINTS; i++) cluster[i] = nearest(points[i]);
#ifdef SERIAL_CENTRES
    move_centres(); /* guilty: centres */
#endif
  }
  printf("%.6f %.6f %d\n", centres[0].x, centres[CLUSTERS - 1].y, cluster[POINTS / 2]);
  return 0;
}
