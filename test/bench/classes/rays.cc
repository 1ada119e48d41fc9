// A small ray tracer: classes with short member functions, some of which are inlined and some not.
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cilk/cilk.h>
#include <cmath>
#include <vector>

#include "construction.h"

struct Vector {
  double x, y, z;
  Vector operator+(const Vector &o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vector operator-(const Vector &o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vector operator*(double f) const { return {x * f, y * f, z * f}; }
  double dot(const Vector &o) const { return x * o.x + y * o.y + z * o.z; }
  Vector unit() const;
};

__attribute__((noinline)) Vector Vector::unit() const {
  return *this * (1 / std::sqrt(dot(*this)));
}

struct Shape {
  virtual ~Shape() = default;
  virtual double hit(const Vector &origin, const Vector &direction) const = 0;
  virtual Vector normal(const Vector &at) const = 0;
};

struct Sphere : Shape {
  Vector centre;
  double radius;
  Sphere(const Vector &c, double r) : centre(c), radius(r) {}
  double hit(const Vector &origin, const Vector &direction) const override {
    Vector to = origin - centre;
    double b = to.dot(direction), q = b * b - to.dot(to) + radius * radius;
    if (q < 0)
      return -1;
    double t = -b - std::sqrt(q);
    return t > 1e-6 ? t : -1;
  }
  Vector normal(const Vector &at) const override { return (at - centre).unit(); }
};

struct Scene {
  std::vector<Sphere> spheres;
  const Shape *nearest(const Vector &origin, const Vector &direction, double &best) const {
    const Shape *found = nullptr;
    for (const Sphere &sphere : spheres) {
      const Shape &shape = sphere;
      double t = shape.hit(origin, direction);
      if (t > 0 && t < best)
        best = t, found = &sphere;
    }
    return found;
  }
  Vector trace(const Vector &origin, const Vector &direction, int depth, long &traced) const {
    double best = 1e30;
    traced++;
    const Shape *shape = nearest(origin, direction, best);
    if (!shape)
      return {0.2, 0.3, 0.5};
    Vector at = origin + direction * best, normal = shape->normal(at);
    Vector colour = Vector{1, 1, 1} * std::fabs(normal.y);
    if (depth > 0)
      colour = colour + trace(at, (direction - normal * (2 * direction.dot(normal))).unit(), depth - 1, traced) * 0.4;
    return colour;
  }
};

static double parallel_seconds, longest_part;

static double picture(int n) {
  Scene scene;
  for (int i = 0; i < 30; i++)
    scene.spheres.emplace_back(Vector{i % 6 - 2.5, i / 6 - 2.0, 6.0 + i % 3}, 0.45);
  std::vector<double> pixels(size_t(n) * n);
  std::vector<long> traced(n);
  double begin = cpu_seconds(), sum = 0;
  cilk_for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      pixels[size_t(y) * n + x] =
          scene.trace({0, 0, 0}, Vector{double(x) / n - .5, double(y) / n - .5, 1}.unit(), 3, traced[y]).x;
  parallel_seconds = cpu_seconds() - begin;
  long all = 0, longest = 0;
  for (int y = 0; y < n; y++)
    all += traced[y], longest = std::max(longest, traced[y]);
  longest_part = double(longest) / double(all);
  for (double pixel : pixels) // one after the other: the tones
    sum += std::exp(-pixel);
  return sum;
}

int main(int argc, char **argv) {
  double begin = cpu_seconds(), sum = picture(argc > 1 ? std::atoi(argv[1]) : 1000);
  construction(cpu_seconds() - begin - parallel_seconds, parallel_seconds, longest_part);
  printf("%g\n", sum);
  return 0;
}
