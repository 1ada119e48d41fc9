// A small ray tracer: classes with short member functions, some of which are inlined and some not.
// SPDX-License-Identifier: MIT

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
  Vector trace(const Vector &origin, const Vector &direction, int depth) const {
    double best = 1e30;
    const Shape *shape = nearest(origin, direction, best);
    if (!shape)
      return {0.2, 0.3, 0.5};
    Vector at = origin + direction * best, normal = shape->normal(at);
    Vector colour = Vector{1, 1, 1} * std::fabs(normal.y);
    if (depth > 0)
      colour = colour + trace(at, (direction - normal * (2 * direction.dot(normal))).unit(), depth - 1) * 0.4;
    return colour;
  }
};

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 300;
  Scene scene;
  for (int i = 0; i < 30; i++)
    scene.spheres.emplace_back(Vector{i % 6 - 2.5, i / 6 - 2.0, 6.0 + i % 3}, 0.45);
  std::vector<double> rows(n);
  double begin = cpu_seconds(), sum = 0;
  cilk_for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      rows[y] += scene.trace({0, 0, 0}, Vector{double(x) / n - .5, double(y) / n - .5, 1}.unit(), 3).x;
  construction(0, cpu_seconds() - begin, 0);
  for (double row : rows)
    sum += row;
  printf("%g\n", sum);
  return 0;
}
