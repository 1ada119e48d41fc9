/* Programs with small parallel pieces, on Cilk, oneTBB or libgomp's tasks.  shapes SHAPE
   SPDX-License-Identifier: MIT

   sequences  a parser that makes a million small sequences in a parallel loop, each by a parallel loop
   nested     parallel loops of 4 iterations in parallel loops of 4
   graph      a breadth-first walk of a graph with a few vertices of many edges, which are parallel, too
   phases     20 us of parallel work after 30 us of serial work, many times
   pipeline   parallel loops over 100 to 10,000 elements, one after the other

   Compiled with -fcilkplus, or with -DON_TBB or -DON_TASKS.  What it prints does not depend on that.  */

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#if defined ON_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#elif !defined ON_TASKS
#include <cilk/cilk.h>
#endif

/* Calls f(i) for i from 0 to n - 1, in parallel.  */
template <typename Function> static void parallel_for(long n, const Function &f) {
#if defined ON_TBB
  tbb::parallel_for(0L, n, f);
#elif defined ON_TASKS
#pragma omp taskloop
  for (long i = 0; i < n; i++)
    f(i);
#else
  cilk_for (long i = 0; i < n; i++)
    f(i);
#endif
}

/* An array that is made by a parallel loop over its elements, as sequence libraries do it.  */
template <typename Element> class sequence {
public:
  template <typename Function>
  sequence(long n, const Function &f)
      : length(n), elements(static_cast<Element *>(std::malloc(static_cast<size_t>(n + 1) * sizeof(Element)))) {
    parallel_for(n, [&](long i) { elements.get()[i] = f(i); });
  }
  long size() const { return length; }
  Element operator[](long i) const { return elements.get()[i]; }

private:
  struct release {
    void operator()(Element *of) const { std::free(of); }
  };
  long length;
  std::unique_ptr<Element, release> elements;
};

static unsigned mix(unsigned long x) {
  x *= 0x9e3779b97f4a7c15;
  x ^= x >> 32;
  return static_cast<unsigned>(x * 0xbf58476d1ce4e5b9 >> 33);
}

/* Returns a hash of the words of line NUMBER: a sequence of words, each a sequence of up to 16 letters.  */
static unsigned parse_line(long number) {
  unsigned hash = 0;
  for (long word = 0; word < 10; word++) {
    unsigned seed = mix(static_cast<unsigned long>(10 * number + word));
    sequence<char> letters(1 + seed % 16, [&](long i) { return static_cast<char>('a' + (seed >> i) % 26); });
    for (long i = 0; i < letters.size(); i++)
      hash = hash * 31 + static_cast<unsigned char>(letters[i]);
  }
  return hash;
}

static unsigned sequences() {
  sequence<unsigned> hashes(100000, parse_line);
  unsigned sum = 0;
  for (long i = 0; i < hashes.size(); i++)
    sum += hashes[i];
  return sum;
}

static unsigned nested() {
  unsigned table[4][4] = {};
  for (unsigned round = 0; round < 1000000; round++)
    parallel_for(4, [&](long i) { parallel_for(4, [&](long j) { table[i][j] = mix(table[i][j] + round); }); });
  unsigned sum = 0;
  for (auto &row : table)
    for (unsigned each : row)
      sum += each;
  return sum;
}

static const long vertices = 200000;

/* Returns how many edges VERTEX has: mostly a few, a thousandth of them thousands.  */
static long degree(long vertex) {
  unsigned r = mix(static_cast<unsigned long>(vertex));
  return r % 1000 ? r % 8 : 4000;
}

static unsigned graph() {
  std::vector<std::atomic<int>> seen(vertices);
  std::vector<long> frontier{0}, next(vertices);
  unsigned sum = 0;
  seen[0] = 1;
  for (unsigned level = 1; !frontier.empty(); level++) {
    std::atomic<long> count{0};
    parallel_for(static_cast<long>(frontier.size()), [&](long i) {
      long from = frontier[static_cast<size_t>(i)];
      parallel_for(degree(from) + 1, [&](long edge) {
        long to = mix(static_cast<unsigned long>(from * 5000 + edge)) % vertices;
        int unseen = 0;
        if (!seen[static_cast<size_t>(to)].load(std::memory_order_relaxed) &&
            seen[static_cast<size_t>(to)].compare_exchange_strong(unseen, 1))
          next[static_cast<size_t>(count++)] = to;
      });
    });
    frontier.assign(next.begin(), next.begin() + count);
    sum += level * static_cast<unsigned>(frontier.size());
  }
  return sum;
}

/* Returns VALUE after some STEPS, of about a nanosecond each.  */
static unsigned compute(unsigned value, unsigned steps) {
  for (unsigned i = 0; i < steps; i++)
    value = value * 1664525 + 1013904223;
  return value;
}

static unsigned phases() {
  unsigned values[200] = {}, sum = 0;
  for (unsigned phase = 0; phase < 6000; phase++) {
    parallel_for(200, [&](long i) { values[i] = compute(values[i] + phase, 75); });
    sum = compute(sum + values[phase % 200], 22000);
  }
  return sum;
}

static unsigned pipeline() {
  unsigned sum = 0;
  for (unsigned round = 0; round < 30; round++)
    for (long n = 100; n <= 10000; n += n / 8) {
      sequence<unsigned> values(n, [&](long i) { return mix(static_cast<unsigned long>(i) + round); });
      sequence<unsigned> sums(n, [&](long i) { return values[i] + values[i ? i - 1 : 0]; });
      sequence<unsigned> steps(n, [&](long i) { return compute(sums[i], sums[i] % 16); });
      for (long i = 0; i < n; i++)
        sum += steps[i];
    }
  return sum;
}

static const struct {
  const char *name;
  unsigned (*run)();
} shapes[] = {{"sequences", sequences}, {"nested", nested}, {"graph", graph}, {"phases", phases}, {"pipeline", pipeline}};

int main(int argc, char *argv[]) {
#if defined ON_TBB
  const char *workers = std::getenv("CILK_NWORKERS");
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                            workers ? static_cast<size_t>(std::atoi(workers)) : 1);
#endif
  for (const auto &shape : shapes)
    if (argc == 2 && !std::strcmp(argv[1], shape.name)) {
      unsigned result = 0;
#pragma omp parallel
#pragma omp single
      result = shape.run();
      std::printf("%u\n", result);
      return 0;
    }
  std::fprintf(stderr, "usage: shapes sequences|nested|graph|phases|pipeline\n");
  return 2;
}
