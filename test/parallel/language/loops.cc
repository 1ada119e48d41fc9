/* Loops in parallel that only C++ has.  */
#include <array>
#include <atomic>
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <list>
#include <map>
#include <numeric>
#include <string>
#include <vector>

static std::atomic<long> alive;

/* An iterator with everything of its own: it counts itself, and knows where it is.  */
struct Counter {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using pointer = int *;
  using reference = int &;
  int *at;
  Counter *me;
  explicit Counter(int *p) : at(p), me(this) { alive++; }
  Counter(const Counter &other) : at(other.me == &other ? other.at : nullptr), me(this) { alive++; }
  Counter &operator=(const Counter &other) { at = other.at; return *this; }
  ~Counter() { me = nullptr; alive--; }
  int &operator*() const { return *at; }
  Counter &operator++() { ++at; return *this; }
  Counter operator++(int) { Counter old(*this); ++at; return old; }
  Counter &operator+=(std::ptrdiff_t n) { at += n; return *this; }
  Counter &operator-=(std::ptrdiff_t n) { at -= n; return *this; }
  friend std::ptrdiff_t operator-(const Counter &a, const Counter &b) { return a.at - b.at; }
  friend bool operator!=(const Counter &a, const Counter &b) { return a.at != b.at; }
  friend bool operator<(const Counter &a, const Counter &b) { return a.at < b.at; }
};

template <typename T> static long sum(const T &all) { long total = 0; for (const auto &each : all) total = (total * 3 + (long)each) % 1000003; return total; }

template <typename Container> static void square(Container &all) {
  cilk_for (typename Container::iterator it = all.begin(); it != all.end(); ++it) *it = *it * *it + int(it - all.begin());
}

struct Matrix {
  int n;
  std::vector<double> cells;
  explicit Matrix(int size) : n(size), cells(size_t(size * size), 1.5) {
    cilk_for (int i = 0; i < n; i++) cells[size_t(i * n + i)] = i; /* members, in a constructor */
  }
  double trace() const {
    std::vector<double> each(static_cast<size_t>(n));
    cilk_for (int i = 0; i < n; ++i) each[size_t(i)] = cells[size_t(i * n + i)];
    return std::accumulate(each.begin(), each.end(), 0.0);
  }
};

static void containers(int n) {
  std::vector<int> v(static_cast<size_t>(n));
  std::iota(v.begin(), v.end(), 0);
  std::deque<int> d(v.begin(), v.end());
  std::array<int, 100> a = {};
  std::list<int> l(v.begin(), v.end());
  square(v);
  square(d);
  cilk_for (auto it = v.begin(); it < v.end(); it += 3) *it += 1;
  cilk_for (auto it = v.rbegin(); it != v.rend(); it++) *it -= 2;
  cilk_for (auto it = d.end() - 1; it >= d.begin() + 1; --it) *it += 5;
  cilk_for (auto it = a.begin(); it != a.end(); ++it) *it = int(it - a.begin());
  cilk_for (auto it = l.begin(); it != l.end(); ++it) *it += 1; /* serial: it cannot go far */
  cilk_for (int &each : v) each *= 2;
  cilk_for (auto &&each : d) each -= 1;
  cilk_for (int each : a) (void)each;
  cilk_for (auto &each : l) each += 1;
  printf("%ld %ld %ld %ld\n", sum(v), sum(d), sum(a), sum(l));
  int many[200];
  cilk_for (int &each : many) each = int(&each - many);
  cilk_for (Counter it(many); it != Counter(many + 200); ++it) *it += 1;
  cilk_for (Counter it(many); it < Counter(many + 200); it += 2) *it += 10;
  printf("%ld %ld\n", sum(many), alive.load());
}

template <typename F> static void each_of(int n, F f) { cilk_for (int i = 0; i < n; i++) f(i); }

static void captures(int n) {
  std::vector<std::string> words(static_cast<size_t>(n));
  const std::string prefix = "word ";
  int &size = n;
  each_of(n, [&](int i) { words[size_t(i)] = prefix + std::to_string(i); });
  auto lambda = [words, &size](int from) {
    std::vector<size_t> lengths(words.size());
    cilk_for (int i = from; i < size; i++) lengths[size_t(i)] = words[size_t(i)].size();
    return sum(lengths);
  };
  cilk_for (int i = 0; i < n; i++) {
    std::string own = words[size_t(i)]; /* destroyed in every iteration */
    own += "!";
    struct Local { std::string text; } local = {own};
    words[size_t(i)] = local.text;
  }
  std::map<int, std::string> by_number;
  for (int i = 0; i < n; i++) by_number[i];
  cilk_for (int i = 0; i < n; i++) by_number.find(i)->second = words[size_t(i)];
  printf("%ld %s %g\n", lambda(1), by_number[n - 1].c_str(), Matrix(n).trace());
}

static int *kept;
static void (*keep)(int *);
static void keep_address(int *of) { kept = of; }

/* A body may keep the address of what it captures; after the loop the variable is changed through it.  */
static void escapes(int n) {
  int seen = 0, other = n;
  cilk_for (int i = 0; i < n; i++) if (i == 0) { kept = &seen; }
  *kept = 7;
  int first = seen;
  cilk_for (int i = 0; i < 2; i++) if (i == 0) { keep(&other); }
  *kept += 5;
  printf("%d %d\n", first, other);
}

int main(int argc, char **argv) {
  keep = keep_address;
  int rounds = argc > 1 ? atoi(argv[1]) : 3;
  for (int k = 0; k < rounds; k++) {
    containers(1000 + k);
    captures(300 + k);
    for (int n = 1; n < 300; n += 99) escapes(n + k);
  }
  return 0;
}
