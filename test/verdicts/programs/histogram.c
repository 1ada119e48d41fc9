/* The histogram of a picture, which is then equalised.
   SPDX-License-Identifier: MIT

   verdict: histogram-main | openmp | serial | count | - |
   colleague: The loop in main that counts the grey values is serial.
   verdict: histogram-main-cilk | cilk -g | serial | count | - |
   colleague: The loop in main that counts the grey values is serial.
   verdict: histogram-atomic | openmp -DATOMIC | lock | atomic | bright |
   colleague: All pixels add to few counters by omp atomic, one of them most; count in private copies.
   verdict: histogram-critical | openmp -DCRITICAL -DNOINLINE | lock | critical | count_pixel,counting | 2:1.7 8:1.7
   colleague: Each pixel is counted in a critical section, which does most of the work; count in private copies.  */

#include <math.h>
#include <stdio.h>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
#ifdef CRITICAL
enum { WIDTH = 500, HEIGHT = 400, LEVELS = 64 };
#else
enum { WIDTH = 2000, HEIGHT = 4000, LEVELS = 64 };
#endif

static unsigned char picture[HEIGHT][WIDTH];
static long counts[LEVELS], bright;
static double weights[LEVELS];

static void draw(void) {
  parallel_for(int y = 0; y < HEIGHT; y++) for (int x = 0; x < WIDTH; x++) picture[y][x] =
      (unsigned char)((x * x + y * y * 3 + x * y) >> 9 & (LEVELS - 1));
}

#ifdef CRITICAL
/* guilty: critical { */
__attribute__((noinline)) static void count_pixel(int level) {
#pragma omp critical(counting)
  {
    counts[level]++;
    for (int l = 0; l < LEVELS; l++)
      weights[l] += 1.0 / (1 + (l - level) * (l - level));
  }
}
/* guilty: critical } */
#endif

static void count(void) {
#ifdef ATOMIC
  parallel_for(int y = 0; y < HEIGHT; y++) for (int x = 0; x < WIDTH; x++) {
    if (picture[y][x] > 2) {
      /* guilty: atomic { */
#pragma omp atomic
      bright++;
      /* guilty: atomic } */
    }
  }
#elif defined CRITICAL
  parallel_for(int y = 0; y < HEIGHT; y++) for (int x = 0; x < WIDTH; x++)
      count_pixel(picture[y][x]); /* guilty: critical */
#endif
}

int main(void) {
  unsigned char map[LEVELS];
  draw();
  count(); /* guilty: critical */
#if !defined ATOMIC && !defined CRITICAL
  /* guilty: count { */
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      counts[picture[y][x]]++;
      /* guilty: count } */
#endif
  long below = 0;
  for (int level = 0; level < LEVELS; level++) {
    below += counts[level];
    map[level] = (unsigned char)(below * (LEVELS - 1) / (WIDTH * HEIGHT));
  }
  parallel_for(int y = 0; y < HEIGHT; y++) for (int x = 0; x < WIDTH; x++) picture[y][x] = map[picture[y][x]];
  printf("%d %ld %.4f\n", picture[HEIGHT / 2][WIDTH / 3], bright, weights[3]);
  return 0;
}
