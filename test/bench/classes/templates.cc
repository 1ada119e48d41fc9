// A graph search over a small library of templates: function objects, lambdas, iterators, std::function and virtual calls
// in the innermost loops.
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cilk/cilk.h>
#include <cmath>
#include <functional>
#include <vector>

#include "construction.h"

template <typename Value> struct Sequence {
  std::vector<Value> values;
  size_t size() const { return values.size(); }
  const Value *begin() const { return values.data(); }
  const Value *end() const { return values.data() + values.size(); }
};

template <typename Function> void parallel_for(size_t n, const Function &function) {
  cilk_for (size_t i = 0; i < n; i++)
    function(i);
}

template <typename Graph, typename Visit> void neighbours(const Graph &g, size_t v, Visit visit) {
  for (const auto &to : g.edges[v])
    visit(to);
}

struct Weight {
  virtual ~Weight() = default;
  virtual double of(size_t from, size_t to) const = 0;
};
struct Point {
  double x, y, z;
};
struct Distance : Weight {
  Sequence<Point> places;
  double of(size_t from, size_t to) const override {
    const Point &a = places.begin()[from], &b = places.begin()[to];
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return std::sqrt(x * x + y * y + z * z);
  }
};

struct Graph {
  std::vector<Sequence<size_t>> edges;
};

template <typename Compare> bool improve(double &value, double with, const Compare &less) {
  if (!less(with, value))
    return false;
  value = with;
  return true;
}

static double relax(const Graph &graph, const Weight &weight, const std::function<bool(double, double)> &less,
                    const std::vector<double> &from, size_t v) {
  double best = from[v];
  neighbours(graph, v, [&](size_t to) { improve(best, from[to] + weight.of(v, to), less); });
  return best;
}

static double parallel_seconds;

static double search(size_t n) {
  Graph graph;
  unsigned random = 1;
  graph.edges.resize(n);
  for (size_t v = 0; v < n; v++)
    for (int k = 0; k < 8; k++)
      graph.edges[v].values.push_back((random = random * 1664525 + 1013904223) % n);
  std::vector<double> now(n, 1e9), next(n);
  now[0] = 0;
  Distance distance;
  for (size_t v = 0; v < n; v++)
    distance.places.values.push_back({double(v % 97), double(v % 89), double(v % 83)});
  std::function<bool(double, double)> less = [](double a, double b) { return a < b; };
  double loops = cpu_seconds();
  for (int round = 0; round < 10; round++) {
    parallel_for(n, [&](size_t v) { next[v] = relax(graph, distance, less, now, v); });
    std::swap(now, next);
  }
  parallel_seconds = cpu_seconds() - loops;
  return *std::max_element(now.begin(), now.end());
}

int main(int argc, char **argv) {
  long n = argc > 1 ? std::atol(argv[1]) : 50000;
  double begin = cpu_seconds();
  printf("%g\n", search(size_t(n)));
  construction(cpu_seconds() - begin - parallel_seconds, parallel_seconds, one_grain(n));
  return 0;
}
