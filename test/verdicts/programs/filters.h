/* Filters of pictures of one size.
   SPDX-License-Identifier: MIT  */

#ifndef FILTERS_H
#define FILTERS_H

enum { WIDTH = 800, HEIGHT = 600, RADIUS = 5 };

/* Replaces each pixel by the mean of those above and below.  */
void blur_columns_of(const float *from, float *to);

#endif
