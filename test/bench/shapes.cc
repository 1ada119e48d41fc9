/* Programs with small parallel pieces, on Cilk, oneTBB or libgomp's tasks.  shapes SHAPE
   SPDX-License-Identifier: MIT

   sequences  a parser that makes a million small sequences in a parallel loop, each by a parallel loop
   nested     parallel loops of 4 iterations in parallel loops of 4
   graph      a breadth-first walk of a graph with a few vertices of many edges, which are parallel, too
   phases     20 us of parallel work after 30 us of serial work, many times
   pipeline   parallel loops over 100 to 10,000 elements, one after the other
   tree       parallel loops over the branches of a tree, level by level

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
  long size() const {
    return length;
  }
  Element operator[](long i) const {
    return elements.get()[i];
  }

private:
  struct release {
    void operator()(Element *of) const {
      std::free(of);
    }
  };
  long length;
  std::unique_ptr<Element, release> elements;
};

/* Returns a random number that belongs to X.  */
static unsigned mix(unsigned long x) {
  x *= 0x9e3779b97f4a7c15;
  x ^= x >> 32;
  return static_cast<unsigned>(x * 0xbf58476d1ce4e5b9 >> 33);
}

/* Returns VALUE after some STEPS, of about a nanosecond each, which no compiler vectorises.  */
static unsigned long compute(unsigned long value, unsigned steps) {
  for (unsigned i = 0; i < steps; i++)
    value = (value ^ value >> 7) * 0x9e3779b97f4a7c15;
  return value;
}

/* Returns a hash of the words of line NUMBER, which are sequences of up to 16 letters.  */
static unsigned parse_line(long number) {
  unsigned hash = 0;
  for (long word = 0; word < 10; word++) {
    unsigned seed = mix(static_cast<unsigned long>(10 * number + word));
    sequence<unsigned short> letters(1 + seed % 16,
                                     [&](long i) { return static_cast<unsigned short>('a' + (seed >> i) % 26); });
    for (long i = 0; i < letters.size(); i++)
      hash = hash * 31 + letters[i];
  }
  return hash;
}

static unsigned sequences() {
  unsigned sum = 0;
  for (long part = 0; part < 5; part++) {
    sequence<unsigned> hashes(100000, [&](long line) { return parse_line(100000 * part + line); });
    for (long i = 0; i < hashes.size(); i++)
      sum += hashes[i];
  }
  return sum;
}

static unsigned nested() {
  unsigned long table[4][4] = {};
  for (unsigned round = 0; round < 500000; round++)
    parallel_for(4, [&](long i) { parallel_for(4, [&](long j) { table[i][j] = compute(table[i][j] + round, 16); }); });
  unsigned long sum = 0;
  for (auto &row : table)
    for (unsigned long each : row)
      sum += each;
  return static_cast<unsigned>(sum);
}

/* The graph: edge number EDGE of vertex FROM leads to a random vertex.  A thousandth of the vertices have thousands of
   edges, the others a few.  */
static const long vertices = 400000;

static long degree(long vertex) {
  unsigned r = mix(static_cast<unsigned long>(vertex));
  return r % 1000 ? 1 + r % 8 : 4000;
}

static long neighbour(long from, long edge) {
  return static_cast<long>(compute(static_cast<unsigned long>(from * 5000 + edge + 1), 8) >> 8) % vertices;
}

static unsigned graph() {
  std::vector<std::atomic<unsigned>> level_of(vertices);
  std::vector<long> frontier{0};
  unsigned sum = 0, level = 1;
  level_of[0] = level;
  for (; !frontier.empty(); level++) {
    parallel_for(static_cast<long>(frontier.size()), [&](long i) {
      long from = frontier[static_cast<size_t>(i)];
      parallel_for(degree(from), [&, from, level](long edge) {
        std::atomic<unsigned> &to = level_of[static_cast<size_t>(neighbour(from, edge))];
        if (!to.load(std::memory_order_relaxed))
          to.store(level + 1, std::memory_order_relaxed);
      });
    });
    frontier.clear();
    for (long i = 0; i < vertices; i++)
      if (level_of[static_cast<size_t>(i)].load(std::memory_order_relaxed) == level + 1)
        frontier.push_back(i);
    sum += level * static_cast<unsigned>(frontier.size());
  }
  return sum;
}

static unsigned phases() {
  unsigned long values[200] = {}, sum = 0;
  for (unsigned phase = 0; phase < 6000; phase++) {
    parallel_for(200, [&](long i) { values[i] = compute(values[i] + phase, 60); });
    sum = compute(sum + values[phase % 200], 15000);
  }
  return static_cast<unsigned>(sum);
}

static unsigned pipeline() {
  unsigned long sum = 0;
  for (unsigned round = 0; round < 30; round++)
    for (long n = 100; n <= 10000; n += n / 8) {
      sequence<unsigned> values(n, [&](long i) { return mix(static_cast<unsigned long>(i) + round); });
      sequence<unsigned> sums(n, [&](long i) { return values[i] + values[i ? i - 1 : 0]; });
      sequence<unsigned long> steps(n, [&](long i) { return compute(sums[i], 4 + sums[i] % 16); });
      for (long i = 0; i < n; i++)
        sum += steps[i];
    }
  return static_cast<unsigned>(sum);
}

/* Returns the number of ways to place the remaining of N queens from ROW on, where BUSY has the columns and diagonals
   that are taken.  */
static unsigned place_queens(long n, long row, unsigned long busy) {
  unsigned count[16] = {};
  if (row == n)
    return 1;
  parallel_for(n, [&, n, row, busy](long column) {
    unsigned long taken = 1ul << column | 1ul << (16 + row + column) | 1ul << (47 + row - column);
    count[column] = busy & taken ? 0 : place_queens(n, row + 1, busy | taken);
  });
  unsigned sum = 0;
  for (unsigned each : count)
    sum += each;
  return sum;
}

static unsigned tree() {
  return place_queens(12, 0, 0);
}

static const struct {
  const char *name;
  unsigned (*run)();
} shapes[] = {{"sequences", sequences}, {"nested", nested},     {"graph", graph},
              {"phases", phases},       {"pipeline", pipeline}, {"tree", tree}};

int main(int argc, char *argv[]) {
#if defined ON_TBB
  const char *workers = std::getenv("CILK_NWORKERS");
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                            workers ? static_cast<size_t>(std::atoi(workers)) : 1);
#endif
  for (const auto &shape : shapes)
    if (argc == 2 && !std::strcmp(argv[1], shape.name)) {
      unsigned result = 0;
#if defined ON_TASKS
#pragma omp parallel
#pragma omp single
#endif
      result = shape.run();
      std::printf("%u\n", result);
      return 0;
    }
  std::fprintf(stderr, "usage: shapes sequences|nested|graph|phases|pipeline|tree\n");
  return 2;
}
