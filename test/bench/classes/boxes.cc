// Rays through a tree of boxes: a short serial recursion below a parallel loop, whose iterations are not equal.
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cilk/cilk.h>
#include <memory>
#include <vector>

#include "construction.h"

struct Box {
  double low[3], high[3];
};

struct Ray {
  double origin[3], direction[3];
  __attribute__((noinline)) bool hits(const Box &box) const {
    double from = 0, to = 1e30;
    for (int i = 0; i < 3; i++) {
      double a = (box.low[i] - origin[i]) / direction[i], b = (box.high[i] - origin[i]) / direction[i];
      from = std::max(from, std::min(a, b));
      to = std::min(to, std::max(a, b));
    }
    return from <= to;
  }
};

struct Node {
  Box box;
  std::unique_ptr<Node> left, right;
  Node(const Box &b, int depth, unsigned &random) : box(b) {
    if (depth == 0)
      return;
    int axis = depth % 3;
    random = random * 1664525 + 1013904223;
    double middle = b.low[axis] + (b.high[axis] - b.low[axis]) * (0.3 + 0.4 * (random >> 8) / 16777216.0);
    Box below = b, above = b;
    below.high[axis] = above.low[axis] = middle;
    left = std::make_unique<Node>(below, depth - 1, random);
    right = std::make_unique<Node>(above, depth - 1, random);
  }
  int walk(const Ray &ray, long &visits) const {
    visits++;
    if (!ray.hits(box))
      return 0;
    return left ? left->walk(ray, visits) + right->walk(ray, visits) : 1;
  }
};

static double parallel_seconds, longest_part;

static long shoot(int n) {
  unsigned random = 1;
  Node root(Box{{0, 0, 0}, {1, 1, 1}}, 14, random);
  std::vector<int> hits(n);
  std::vector<long> visits(n);
  double loop = cpu_seconds();
  cilk_for (int i = 0; i < n; i++) {
    unsigned s = i * 2654435761u;
    Ray ray{{(s & 1023) / 1024.0, ((s >> 10) & 1023) / 1024.0, -1}, {0.01 + ((s >> 20) & 15) / 160.0, 0.013, 1}};
    hits[i] = root.walk(ray, visits[i]);
  }
  parallel_seconds = cpu_seconds() - loop;
  long all = 0, sum = 0, longest = 0;
  int grain = (n + 1023) / 1024;
  for (int i = 0; i < n; i += grain) {
    long grain_visits = 0;
    for (int j = i; j < std::min(n, i + grain); j++)
      grain_visits += visits[j], sum += hits[j];
    all += grain_visits;
    longest = std::max(longest, grain_visits);
  }
  longest_part = double(longest) / double(all);
  return sum;
}

int main(int argc, char **argv) {
  double begin = cpu_seconds();
  long sum = shoot(argc > 1 ? std::atoi(argv[1]) : 60000);
  construction(cpu_seconds() - begin - parallel_seconds, parallel_seconds, longest_part);
  printf("%ld\n", sum);
  return 0;
}
