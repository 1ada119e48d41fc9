/* A small ray tracer as people write them today: templates, std::function, std::sort.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cilk/cilk.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

template <typename Real> struct Vector {
  Real x, y, z;

  /* Returns the difference of two vectors.  */
  Vector operator-(const Vector &other) const {
    return {x - other.x, y - other.y, z - other.z};
  }

  /* Returns the dot product of two vectors.  */
  Real dot(const Vector &other) const {
    return x * other.x + y * other.y + z * other.z;
  }
};

template <typename Real> struct Ray { Vector<Real> from, to; };

template <typename Real> struct Sphere {
  Vector<Real> centre;
  Real radius;

  /* Returns the distance at which RAY meets the sphere, or -1 if it misses.  */
  __attribute__((noinline)) Real meet(const Ray<Real> &ray) const {
    Vector<Real> between = ray.from - centre;
    Real b = between.dot(ray.to), c = between.dot(between) - radius * radius, under = b * b - c;
    return under < 0 ? Real(-1) : -b - std::sqrt(under);
  }
};

/* A tree of boxes around shapes.  */
template <typename Shape, typename Real> class Tree {
public:
  using Distance = std::function<Real(const Shape &)>;

  /* Divides SHAPES by AXIS into two halves, recursively.  */
  __attribute__((noinline)) void build(std::vector<Shape> shapes, int axis) {
    order(shapes, axis);
    size_t half = shapes.size() / 2;
    if (shapes.size() <= 4) {
      leaf_ = shapes;
      return;
    }
    left_ = std::make_unique<Tree>();
    right_ = std::make_unique<Tree>();
    left_->build(std::vector<Shape>(shapes.begin(), shapes.begin() + half), (axis + 1) % 3);
    right_->build(std::vector<Shape>(shapes.begin() + half, shapes.end()), (axis + 1) % 3);
  }

  /* Returns the largest DISTANCE of all shapes in the tree.  */
  __attribute__((noinline)) Real walk(const Distance &distance) const {
    Real nearest = -1;
    for (const Shape &shape : leaf_)
      nearest = std::max(nearest, distance(shape));
    if (left_ != nullptr)
      nearest = std::max(left_->walk(distance), right_->walk(distance));
    return nearest;
  }

private:
  /* Sorts SHAPES along AXIS.  */
  __attribute__((noinline)) static void order(std::vector<Shape> &shapes, int axis) {
    std::sort(shapes.begin(), shapes.end(), [axis](const Shape &a, const Shape &b) {
      const Real left[] = {a.centre.x, a.centre.y, a.centre.z}, right[] = {b.centre.x, b.centre.y, b.centre.z};
      return left[axis] < right[axis];
    });
  }

  std::vector<Shape> leaf_;
  std::unique_ptr<Tree> left_, right_;
};

/* Renders the image row by row, in parallel.  */
template <typename Real> static void render(const Tree<Sphere<Real>, Real> &tree, std::vector<Real> &image, int width) {
  cilk_for (int row = 0; row < width; row++)
    for (int column = 0; column < width; column++) {
      Ray<Real> ray = {{Real(row) / width, Real(column) / width, -3}, {0, 0, 1}};
      image[row * width + column] = tree.walk([&ray](const Sphere<Real> &sphere) { return sphere.meet(ray); });
    }
}

/* Returns the sum of the image of so many random SHAPES, WIDTH pixels wide.  */
template <typename Real> static Real trace(int shapes, int width) {
  std::vector<Sphere<Real>> scene;
  for (int i = 0; i < shapes; i++)
    scene.push_back({{Real(rand() % 1000) / 1000, Real(rand() % 1000) / 1000, Real(i)}, Real(0.01)});
  Tree<Sphere<Real>, Real> tree;
  tree.build(scene, 0);
  std::vector<Real> image(width * width);
  render(tree, image, width);
  Real sum = 0;
  for (Real value : image)
    sum += value;
  return sum;
}

/* Renders two images, of float and double, and prints their sums.  */
int main(int argc, char **argv) {
  int shapes = argc > 1 ? atoi(argv[1]) : 20000, width = argc > 2 ? atoi(argv[2]) : 8;
  printf("%.1f %.1f\n", trace<double>(shapes, width), double(trace<float>(shapes / 10, width)));
  return 0;
}
