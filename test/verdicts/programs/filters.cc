/* Filters of pictures: a library of blur.cc.
   SPDX-License-Identifier: MIT  */

#include "filters.h"

/* guilty: filter { */
static float column_mean(const float *at) {
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++)
    sum += at[k * WIDTH];
  return sum / (2 * RADIUS + 1);
}

void blur_columns_of(const float *from, float *to) {
  for (int x = 0; x < WIDTH; x++)
    for (int y = RADIUS; y < HEIGHT - RADIUS; y++)
      to[y * WIDTH + x] = column_mean(from + y * WIDTH + x);
}
/* guilty: filter } */
