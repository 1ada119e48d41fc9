/* The Mandelbrot set, from far above it into its middle.
   SPDX-License-Identifier: MIT

   verdict: mandelbrot-static | openmp | imbalance | rows | render | 2:1.35 8:3.0
   colleague: The last rows are in the set and take far longer; with a static schedule one thread gets them: dynamic.
   verdict: mandelbrot-row | cilk -DBANDS | imbalance | rows | render | 2:1.6 8:1.6
   colleague: The last of the four bands has nearly all of the work: divide the picture into more of them.
   verdict: mandelbrot-none | openmp -DSCHEDULE=dynamic | none | - | - |
   colleague: It is well parallelised.
   verdict: mandelbrot-none-cilk | cilk | none | - | - |
   colleague: It is well parallelised.  */

#include <cstdio>
#include <vector>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
#ifndef SCHEDULE
#define SCHEDULE static
#endif

template <typename T> class image {
public:
  image(int w, int h) : width(w), height(h), pixels(w * h) {}
  T &at(int x, int y) {
    return pixels[y * width + x];
  }
  const int width, height;

private:
  std::vector<T> pixels;
};

static int escape_time(double cx, double cy, int most) {
  double x = 0, y = 0;
  int step = 0;
  for (; step < most && x * x + y * y < 4; step++) {
    double t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
  }
  return step;
}

template <typename T> static void render_row(image<T> &out, int y) {
  for (int x = 0; x < out.width; x++)
    out.at(x, y) = escape_time(-2.0 + 2.6 * x / out.width, 2.4 - 2.4 * y / out.height, 1000);
}

template <typename T> static void render(image<T> &out) {
  /* guilty: rows { */
#ifdef _OPENMP
#pragma omp parallel for schedule(SCHEDULE)
  for (int y = 0; y < out.height; y++)
    render_row(out, y);
#elif defined BANDS
  cilk_for (int band = 0; band < 4; band++)
    for (int y = band * out.height / 4; y < (band + 1) * out.height / 4; y++)
      render_row(out, y);
#else
  cilk_for (int y = 0; y < out.height; y++)
    render_row(out, y);
#endif
  /* guilty: rows } */
}

int main() {
  image<int> picture(260, 320);
  render(picture); /* guilty: rows */
  long sum = 0;
  for (int y = 0; y < picture.height; y += 8)
    sum += picture.at(y, y);
  std::printf("%ld\n", sum);
  return 0;
}
