/* A k-d tree of points, which is built once and then asked for nearest neighbours.
   SPDX-License-Identifier: MIT

   verdict: kdtree-build | cilk | serial | build | build |
   colleague: The tree is built serially; the two halves could be built in parallel.
   verdict: kdtree-build-omp | openmp -g | serial | build | build |
   colleague: The tree is built serially; the two halves could be built as tasks.
   verdict: kdtree-split | cilk -DPARALLEL_BUILD | serial | split | split |
   colleague: The halves are built in parallel, but std::nth_element splits all points serially first.  */

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(dynamic, 64)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif

template <int D> class tree {
public:
  using point = std::array<float, D>;
  explicit tree(std::vector<point> &p) : points(p) {
    build(0, points.size(), 0);
  } /* guilty: build */

  float nearest(const point &to, size_t begin, size_t end, int axis, float best) const {
    if (begin >= end)
      return best;
    size_t middle = (begin + end) / 2;
    float sum = 0, gap = to[axis] - points[middle][axis];
    for (int d = 0; d < D; d++)
      sum += (to[d] - points[middle][d]) * (to[d] - points[middle][d]);
    best = std::min(best, sum);
    best =
        gap < 0 ? nearest(to, begin, middle, (axis + 1) % D, best) : nearest(to, middle + 1, end, (axis + 1) % D, best);
    if (gap * gap < best)
      best = gap < 0 ? nearest(to, middle + 1, end, (axis + 1) % D, best)
                     : nearest(to, begin, middle, (axis + 1) % D, best);
    return best;
  }

private:
  /* guilty: split { */
  void split(size_t begin, size_t middle, size_t end, int axis) {
    std::nth_element(points.begin() + begin, points.begin() + middle, points.begin() + end,
                     [axis](const point &a, const point &b) { return a[axis] < b[axis]; });
  }
  /* guilty: split } */

  /* guilty: build { */
  void build(size_t begin, size_t end, int axis) {
    if (end - begin < 2)
      return;
    size_t middle = (begin + end) / 2;
    split(begin, middle, end, axis); /* guilty: split */
#ifdef PARALLEL_BUILD
    if (end - begin > 2000) {
      cilk_spawn build(begin, middle, (axis + 1) % D);
      build(middle + 1, end, (axis + 1) % D);
      cilk_sync;
      return;
    }
#endif
    build(begin, middle, (axis + 1) % D);
    build(middle + 1, end, (axis + 1) % D);
  }
  /* guilty: build } */
  std::vector<point> &points;
};

int main() {
  const int count = 100000, queries = 20000;
  std::vector<tree<3>::point> points(count);
  for (unsigned i = 0; i < count; i++)
    points[i] = {i * 2654435761u % 65521 / 65521.0f, i * 40503u % 65519 / 65519.0f, i * 97u % 65497 / 65497.0f};
  tree<3> index(points); /* guilty: build */
  std::vector<float> distance(queries);
  parallel_for(int q = 0; q < queries; q++) distance[q] =
      index.nearest({q % 101 / 101.0f, q % 103 / 103.0f, q % 107 / 107.0f}, 0, count, 0, 10.0f);
  std::printf("%.6f\n", distance[queries / 2]);
  return 0;
}
