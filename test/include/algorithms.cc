// Parallel algorithms of standard C++ against the serial ones, for lengths around the borders of their parts.
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cstdio>
#include <deque>
#include <execution>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using std::execution::par;
using std::execution::par_unseq;
typedef std::vector<int> ints;
static int failures;

/* Says which algorithm gives something else than the serial one for N elements, if SAME is false.  */
static void check(const char *algorithm, size_t n, bool same) {
  if (!same) {
    failures++;
    std::printf("%s of %zu elements differs\n", algorithm, n);
  }
}

/* An element whose comparison ignores a part of it, which tells whether equal ones keep their order.  It owns memory,
   so that an object that is lost or destroyed twice is seen by a sanitizer.  */
struct keyed {
  std::unique_ptr<int> key;
  int place;
  keyed(int k = 0, int p = 0) : key(new int(k)), place(p) {}
  keyed(keyed &&) = default;
  keyed &operator=(keyed &&) = default;
  bool operator<(const keyed &other) const {
    return *key < *other.key;
  }
};

/* Returns N random numbers below RANGE, which are always the same for the same SEED.  */
static ints numbers(size_t n, int range, unsigned seed) {
  std::mt19937 random(seed);
  ints v(n);
  for (int &x : v)
    x = (int)(random() % range);
  return v;
}

/* Algorithms that look at each element by itself, or find one.  */
template <class Policy> static void walk(const Policy &policy, size_t n) {
  const ints a = numbers(n, 1000, 1);
  ints b = a, c = a;
  std::for_each(policy, b.begin(), b.end(), [](int &x) { x = 3 * x + 1; });
  std::for_each(c.begin(), c.end(), [](int &x) { x = 3 * x + 1; });
  check("for_each", n, b == c);
  std::transform(policy, a.begin(), a.end(), b.begin(), [](int x) { return x / 2; });
  std::transform(a.begin(), a.end(), c.begin(), [](int x) { return x / 2; });
  check("transform", n, b == c);
  std::fill(policy, b.begin(), b.end(), 7);
  check("fill", n, (size_t)std::count(b.begin(), b.end(), 7) == n);
  check("count", n, std::count(policy, a.begin(), a.end(), 5) == std::count(a.begin(), a.end(), 5));
  check("find", n, std::find(policy, a.begin(), a.end(), 17) == std::find(a.begin(), a.end(), 17));
  check("any_of", n, std::any_of(policy, a.begin(), a.end(), [](int x) {
                       return x == 999;
                     }) == std::any_of(a.begin(), a.end(), [](int x) { return x == 999; }));
  check("min_element", n, std::min_element(policy, a.begin(), a.end()) == std::min_element(a.begin(), a.end()));
  check("adjacent_find", n, std::adjacent_find(policy, a.begin(), a.end()) == std::adjacent_find(a.begin(), a.end()));
  check("is_sorted_until", n,
        std::is_sorted_until(policy, a.begin(), a.end()) == std::is_sorted_until(a.begin(), a.end()));
  b = a, c = a;
  std::reverse(policy, b.begin(), b.end());
  std::reverse(c.begin(), c.end());
  check("reverse", n, b == c);
  std::rotate(policy, b.begin(), b.begin() + n / 3, b.end());
  std::rotate(c.begin(), c.begin() + n / 3, c.end());
  check("rotate", n, b == c);
}

/* Reductions and scans.  */
template <class Policy> static void sums(const Policy &policy, size_t n) {
  const ints a = numbers(n, 1000, 2);
  const std::vector<double> d(a.begin(), a.end());
  ints b(n), c(n);
  std::vector<double> e(n), f(n);
  check("reduce", n, std::reduce(policy, a.begin(), a.end()) == std::reduce(a.begin(), a.end()));
  check("reduce to a wider type", n,
        std::reduce(policy, a.begin(), a.end(), 0.5) == std::accumulate(a.begin(), a.end(), 0.5));
  check("transform_reduce", n,
        std::transform_reduce(policy, a.begin(), a.end(), 1L, std::plus<>(), [](int x) { return (long)x * x; }) ==
            std::transform_reduce(a.begin(), a.end(), 1L, std::plus<>(), [](int x) { return (long)x * x; }));
  check("inner product", n,
        std::transform_reduce(policy, d.begin(), d.end(), d.begin(), 0.0) ==
            std::inner_product(d.begin(), d.end(), d.begin(), 0.0));
  std::inclusive_scan(policy, a.begin(), a.end(), b.begin());
  std::partial_sum(a.begin(), a.end(), c.begin());
  check("inclusive_scan", n, b == c);
  std::exclusive_scan(policy, a.begin(), a.end(), b.begin(), 10);
  std::exclusive_scan(a.begin(), a.end(), c.begin(), 10);
  check("exclusive_scan", n, b == c);
  std::inclusive_scan(policy, d.begin(), d.end(), e.begin());
  std::partial_sum(d.begin(), d.end(), f.begin());
  check("inclusive_scan of doubles", n, e == f);
  std::transform_inclusive_scan(policy, a.begin(), a.end(), b.begin(), std::plus<>(), [](int x) { return x & 3; });
  std::transform_inclusive_scan(a.begin(), a.end(), c.begin(), std::plus<>(), [](int x) { return x & 3; });
  check("transform_inclusive_scan", n, b == c);
  std::adjacent_difference(policy, a.begin(), a.end(), b.begin());
  std::adjacent_difference(a.begin(), a.end(), c.begin());
  check("adjacent_difference", n, b == c);
}

/* Reductions whose operation does not commute, on objects that own memory.  */
static void strings(size_t n) {
  std::vector<std::string> a(n), b(n), c(n);
  for (size_t i = 0; i < n; i++)
    a[i] = std::string(1, (char)('a' + i % 26));
  const std::string all = std::accumulate(a.begin(), a.end(), std::string());
  check("transform_reduce of strings", n,
        std::transform_reduce(par, a.begin(), a.end(), std::string(), std::plus<>(),
                              [](const std::string &s) { return s; }) == all);
  if (n <= 3000) {
    std::inclusive_scan(par, a.begin(), a.end(), b.begin());
    std::inclusive_scan(a.begin(), a.end(), c.begin());
    check("inclusive_scan of strings", n, b == c);
  }
}

/* Algorithms that leave some elements, or put some first.  */
template <class Policy> static void subsets(const Policy &policy, size_t n) {
  const ints a = numbers(n, 50, 3);
  ints b(n), c(n);
  auto odd = [](int x) { return x % 2 != 0; };
  b.resize(std::copy_if(policy, a.begin(), a.end(), b.begin(), odd) - b.begin());
  c.resize(std::copy_if(a.begin(), a.end(), c.begin(), odd) - c.begin());
  check("copy_if", n, b == c);
  b = a, c = a;
  b.erase(std::unique(policy, b.begin(), b.end()), b.end());
  c.erase(std::unique(c.begin(), c.end()), c.end());
  check("unique", n, b == c);
  b = a, c = a;
  b.erase(std::remove_if(policy, b.begin(), b.end(), odd), b.end());
  c.erase(std::remove_if(c.begin(), c.end(), odd), c.end());
  check("remove_if", n, b == c);
  b = a, c = a;
  std::stable_partition(policy, b.begin(), b.end(), odd);
  std::stable_partition(c.begin(), c.end(), odd);
  check("stable_partition", n, b == c);
  b = a;
  auto middle = std::partition(policy, b.begin(), b.end(), odd);
  check("partition", n,
        middle - b.begin() == std::count_if(a.begin(), a.end(), odd) && std::is_partitioned(b.begin(), b.end(), odd));
  std::sort(b.begin(), b.end());
  std::sort(c.begin(), c.end());
  check("partition's elements", n, b == c);
}

/* Returns N elements with keys below RANGE, many of them equal, and their places.  */
static std::vector<keyed> keys(size_t n, int range) {
  std::vector<keyed> v;
  const ints k = numbers(n, range, 4);
  for (size_t i = 0; i < n; i++)
    v.emplace_back(k[i], (int)i);
  return v;
}

/* Returns whether A and B have the same keys in the same places.  */
static bool same_keys(const std::vector<keyed> &a, const std::vector<keyed> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const keyed &x, const keyed &y) { return *x.key == *y.key && x.place == y.place; });
}

/* Sorts, of all and of the smallest.  */
template <class Policy> static void sorts(const Policy &policy, size_t n) {
  const ints a = numbers(n, 1 << 30, 5);
  ints b = a, c = a;
  std::sort(policy, b.begin(), b.end());
  std::sort(c.begin(), c.end());
  check("sort", n, b == c);
  std::sort(policy, b.begin(), b.end());
  check("sort of what is sorted", n, b == c);
  std::sort(policy, b.begin(), b.end(), std::greater<>());
  std::reverse(c.begin(), c.end());
  check("sort downwards", n, b == c);
  std::deque<int> d(a.begin(), a.end());
  std::sort(policy, d.begin(), d.end(), std::greater<>());
  check("sort of a deque", n, std::equal(d.begin(), d.end(), c.begin(), c.end()));
  std::vector<keyed> k = keys(n, 100), l = keys(n, 100);
  std::stable_sort(policy, k.begin(), k.end());
  std::stable_sort(l.begin(), l.end());
  check("stable_sort", n, same_keys(k, l));
  for (size_t part : {n / 1000 + 1, n / 20, n / 10, n / 2, n}) {
    part = std::min(part, n);
    b = a, c = a;
    std::partial_sort(policy, b.begin(), b.begin() + part, b.end());
    std::sort(c.begin(), c.end());
    check("partial_sort", n, std::equal(b.begin(), b.begin() + part, c.begin()));
    std::sort(b.begin(), b.end());
    check("partial_sort's rest", n, b == c);
    ints few(part);
    std::partial_sort_copy(policy, a.begin(), a.end(), few.begin(), few.end());
    check("partial_sort_copy", n, std::equal(few.begin(), few.end(), c.begin()));
  }
  if (n) {
    b = a;
    std::nth_element(policy, b.begin(), b.begin() + n / 2, b.end());
    check("nth_element", n, b[n / 2] == c[n / 2]);
  }
}

/* Merges, and sets as sorted ranges.  */
template <class Policy> static void merges(const Policy &policy, size_t n) {
  ints a = numbers(n, 1000, 6), b = numbers(n / 3, 1000, 7);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  ints c(a.size() + b.size()), d(c.size());
  std::merge(policy, a.begin(), a.end(), b.begin(), b.end(), c.begin());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), d.begin());
  check("merge", n, c == d);
  std::merge(policy, b.begin(), b.end(), a.begin(), a.end(), c.begin());
  check("merge of the smaller", n, c == d);
  c = a;
  c.insert(c.end(), b.begin(), b.end());
  std::inplace_merge(policy, c.begin(), c.begin() + a.size(), c.end());
  check("inplace_merge", n, c == d);
  std::vector<keyed> k = keys(n, 20), l = keys(n, 20);
  std::stable_sort(k.begin(), k.begin() + n / 2);
  std::stable_sort(k.begin() + n / 2, k.end());
  std::inplace_merge(policy, k.begin(), k.begin() + n / 2, k.end());
  std::stable_sort(l.begin(), l.end());
  check("inplace_merge, stable", n, same_keys(k, l));
  c.resize(std::set_union(policy, a.begin(), a.end(), b.begin(), b.end(), c.begin()) - c.begin());
  d.resize(std::set_union(a.begin(), a.end(), b.begin(), b.end(), d.begin()) - d.begin());
  check("set_union", n, c == d);
  c.resize(std::set_intersection(policy, a.begin(), a.end(), b.begin(), b.end(), c.begin()) - c.begin());
  d.resize(std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), d.begin()) - d.begin());
  check("set_intersection", n, c == d);
  check("includes", n, std::includes(policy, a.begin(), a.end(), c.begin(), c.end()));
}

/* All of these with POLICY and N elements.  */
template <class Policy> static void all(const Policy &policy, size_t n) {
  walk(policy, n);
  sums(policy, n);
  subsets(policy, n);
  sorts(policy, n);
  merges(policy, n);
}

/* Without NO_VECTORS and VECTORS, both halves of it.  */
int main() {
  for (size_t n : {0, 1, 2, 3, 4, 5, 7, 63, 255, 256, 257, 513, 1025, 5000, 30011}) {
#ifndef VECTORS
    all(par, n);
#endif
    strings(n);
#ifndef NO_VECTORS
    walk(par_unseq, n);
    sums(par_unseq, n);
#endif
  }
  std::printf("%d differ\n", failures);
  return failures != 0;
}
