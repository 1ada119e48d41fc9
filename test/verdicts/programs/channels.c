/* The three channels of a picture are filtered in parallel, the pixels of each one after the other; or a region of
   OpenMP in which one thread alone adds up.
   SPDX-License-Identifier: MIT

   verdict: channels-three | cilk | imbalance,serial | channels | filter | 8:3.1
   colleague: There are three channels, so no more than three processors have work; divide the rows, not the channels.
   verdict: channels-three-omp | openmp | imbalance,serial | channels | filter | 8:3.1
   colleague: There are three channels, so no more than three processors have work; divide the rows, not the channels.
   verdict: channels-single | openmp -DSINGLE | serial | single | - |
   colleague: In the region, the loop in `single' adds up all pixels alone while the other threads wait.
   verdict: channels-single-debug | openmp -g -DSINGLE | serial | single | - |
   colleague: In the region, the loop in `single' adds up all pixels alone while the other threads wait.  */

#include <math.h>
#include <stdio.h>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
enum { PIXELS = 1 << 19, CHANNELS = 3, ROUNDS = 3 };

static float picture[CHANNELS][PIXELS], sums[64];

/* Filters one channel.  */
static void filter(float *channel) {
  for (int i = 1; i < PIXELS - 1; i++) /* guilty: channels */
    channel[i] = sqrtf(1 + channel[i - 1] + (float)(i % 255)) + 0.5f * channel[i + 1];
}

#ifdef SINGLE
/* Makes the picture, by all threads, and adds up what is in it, by one.  */
static void fill_and_add(int round) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < PIXELS; i++)
      picture[0][i] = (float)((i + round) % 255);
#pragma omp single /* guilty: single { */
    {
      for (int i = 0; i < PIXELS; i++)
        sums[i % 61] += picture[0][i] * picture[0][(i * 7) % PIXELS];
      for (int i = 1; i < PIXELS; i++)
        sums[i % 61] += sqrtf(picture[0][i]) * picture[0][i - 1];
    } /* guilty: single } */
  }
}
#endif

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
#ifdef SINGLE
    fill_and_add(round);
    if (round == ROUNDS)
      filter(picture[1]);
#elif defined _OPENMP
#pragma omp parallel for /* guilty: channels { */
    for (int c = 0; c < CHANNELS; c++)
      filter(picture[c]);
#else
    cilk_for (int c = 0; c < CHANNELS; c++)
      filter(picture[c]);
      /* guilty: channels } */
#endif
  }
  double sum = sums[3];
  for (int i = 0; i < PIXELS; i += 1000)
    sum += picture[0][i] + picture[2][i];
  return printf("%.3f\n", sum) < 0;
}
