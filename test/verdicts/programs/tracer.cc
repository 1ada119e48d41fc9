/* A ray tracer for spheres, with tone mapping afterwards.
   SPDX-License-Identifier: MIT

   verdict: tracer-tone | cilk | serial | tone | tone_map |
   colleague: tone_map() goes over the picture serially, with pow and exp for every pixel, and is inlined into main.
   verdict: tracer-tone-omp | openmp -g | serial | tone | tone_map |
   colleague: tone_map() goes over the picture serially, with pow and exp for every pixel, and is inlined into main.
   verdict: tracer-tone-call | openmp -DNOINLINE | serial | tone | tone_map |
   colleague: tone_map() goes over the picture serially.
   verdict: tracer-none | cilk -DPARALLEL_TONE -DSPHERES=500 | none | - | - |
   colleague: It is well parallelised.  */

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(dynamic)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
#ifndef SPHERES
#define SPHERES 24
#endif
#ifdef NOINLINE
#define PART __attribute__((noinline)) static
#else
#define PART static
#endif

template <typename T> struct vec {
  T x, y, z;
  vec operator-(const vec &o) const {
    return {x - o.x, y - o.y, z - o.z};
  }
  T dot(const vec &o) const {
    return x * o.x + y * o.y + z * o.z;
  }
};
using vector3 = vec<double>;
struct sphere {
  vector3 centre;
  double radius;
};
static const int width = 320, height = 300;

/* Returns the light that comes from DIRECTION.  */
static double trace(const std::vector<sphere> &scene, const vector3 &direction) {
  double nearest = 1e9, light = 0.1;
  for (const sphere &s : scene) {
    double b = direction.dot(s.centre), c = s.centre.dot(s.centre) - s.radius * s.radius, d = b * b - c;
    if (d > 0 && b - std::sqrt(d) < nearest) {
      nearest = b - std::sqrt(d);
      light = std::max(0.0, (s.centre.z - nearest * direction.z) / s.radius);
    }
  }
  return light;
}

#ifdef PARALLEL_TONE
static void tone_map(std::vector<double> &pixels) {
  parallel_for(int y = 0; y < height; y++) for (int i = y * width; i < (y + 1) * width; i++) pixels[i] =
      std::pow(1 - std::exp(-pixels[i]), 1 / 2.2);
}
#else
/* guilty: tone { */
PART void tone_map(std::vector<double> &pixels) {
  for (double &pixel : pixels)
    for (int pass = 0; pass < 4; pass++)
      pixel = std::pow(1 - std::exp(-pixel), 1 / 2.2);
}
/* guilty: tone } */
#endif

int main() {
  std::vector<sphere> scene;
  for (int i = 0; i < SPHERES; i++)
    scene.push_back({{(i % 6 - 2.5) * 2, (i / 6 - 1.5) * 2, 9.0 + i % 3}, 0.9});
  std::vector<double> pixels(width * height);
  parallel_for(int y = 0; y < height; y++) for (int x = 0; x < width; x++) {
    vector3 d = {(x - width / 2) / 200.0, (y - height / 2) / 200.0, 1};
    double length = std::sqrt(d.dot(d));
    pixels[y * width + x] = trace(scene, {d.x / length, d.y / length, d.z / length});
  }
  tone_map(pixels); /* guilty: tone */
  std::printf("%.6f\n", pixels[width * height / 2 + width / 2]);
  return 0;
}
