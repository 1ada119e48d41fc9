// The parallel algorithms of standard C++ on numbers, timed: prints the algorithm, the number of elements, and the
// least time in nanoseconds of several calls.  algorithms LARGEST [MILLISECONDS]: for 1000 elements, and tens of that.
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>

namespace {

using std::execution::par;
typedef std::vector<double> numbers;

/* How long the calls of one algorithm are repeated.  */
double milliseconds = 100;

/* The input of algorithms, two sorted inputs, and room for results.  These are other numbers for each call: the
   processor would learn by heart which way branches go.  Of the sorted ones, which are more than are used, it is another
   part.  */
struct data {
  unsigned long state = 1;
  numbers input, sorted, other_sorted, output;
  numbers::iterator from, other_from;

  explicit data(size_t n) : input(n), sorted(n + n / 4), other_sorted(n + n / 4), output(2 * n) {
    fill(sorted);
    fill(other_sorted);
    std::sort(sorted.begin(), sorted.end());
    std::sort(other_sorted.begin(), other_sorted.end());
    change();
  }

  /* Returns a random number of 20 bits.  */
  unsigned long random() {
    return (state = state * 6364136223846793005 + 1442695040888963407) >> 44;
  }

  /* Makes all numbers of V random ones.  */
  void fill(numbers &v) {
    for (double &x : v)
      x = (double)random();
  }

  /* Changes the inputs for the next call.  */
  void change() {
    fill(input);
    from = sorted.begin() + (long)(random() % (input.size() / 4));
    other_from = other_sorted.begin() + (long)(random() % (input.size() / 4));
  }
};

/* What is computed is printed at the end, so that it is not optimised away.  */
double sink;

/* Calls ALGORITHM, which NAME names, again and again, each time with new random numbers as its input, and prints the
   least time.  */
void time_algorithm(const char *name, data &d, const std::function<void()> &algorithm) {
  typedef std::chrono::steady_clock clock;
  const clock::time_point end = clock::now() + std::chrono::nanoseconds((long)(milliseconds * 1e6));
  double least = INFINITY;
  do {
    d.change();
    const clock::time_point begin = clock::now();
    algorithm();
    least = std::min(least, std::chrono::duration<double, std::nano>(clock::now() - begin).count());
    sink += d.output[0];
  } while (clock::now() < end);
  std::printf("%s\t%zu\t%.0f\n", name, d.input.size(), least);
}

/* Times algorithms that look at every element by itself.  */
void time_walks(data &d) {
  numbers &v = d.input;
  time_algorithm("for_each", d,
                 [&] { std::for_each(par, v.begin(), v.end(), [](double &x) { x = std::sqrt(x) + 1; }); });
  time_algorithm("transform", d, [&] {
    std::transform(par, v.begin(), v.end(), d.output.begin(), [](double x) { return x * x + 1; });
  });
  time_algorithm("reduce", d, [&] { sink += std::reduce(par, v.begin(), v.end()); });
  time_algorithm("transform_reduce", d, [&] {
    sink += std::transform_reduce(par, v.begin(), v.end(), 0.0, std::plus<>(), [](double x) { return x * x; });
  });
}

/* Times algorithms whose results depend on other elements.  */
void time_orders(data &d) {
  numbers &v = d.input;
  auto low = [](double x) { return x < (1 << 19); };
  auto near = [](double x, double y) { return std::fabs(x - y) < (1 << 17); };
  time_algorithm("sort", d, [&] { std::sort(par, v.begin(), v.end()); });
  time_algorithm("stable_sort", d, [&] { std::stable_sort(par, v.begin(), v.end()); });
  time_algorithm("inclusive_scan", d, [&] { std::inclusive_scan(par, v.begin(), v.end(), d.output.begin()); });
  time_algorithm("merge", d, [&] {
    const long n = (long)v.size();
    std::merge(par, d.from, d.from + n, d.other_from, d.other_from + n, d.output.begin());
  });
  time_algorithm("partition", d, [&] { sink += *std::partition(par, v.begin(), v.end(), low); });
  time_algorithm("unique", d, [&] { sink += (double)(std::unique(par, v.begin(), v.end(), near) - v.begin()); });
}

} // namespace

int main(int argc, char **argv) {
  const double largest = argc > 1 ? std::atof(argv[1]) : 1e7;
  if (argc > 2)
    milliseconds = std::atof(argv[2]);
  for (size_t n = 1000; (double)n <= largest; n *= 10) {
    data d(n);
    time_walks(d);
    time_orders(d);
  }
  std::fprintf(stderr, "%g\n", sink);
}
