/* What C++ can spawn: arguments and results of class type, temporaries, lambdas, members; and that every object that is
   made is destroyed once, where it was made.  */
#include <atomic>
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

static std::atomic<long> alive, misplaced;

struct Counted { /* points to itself: it must not be moved by its bytes */
  Counted *me;
  int value;
  explicit Counted(int v) : me(this), value(v) { alive++; }
  Counted(const Counted &other) : me(this), value(other.value) { misplaced += other.me != &other; alive++; }
  Counted &operator=(const Counted &other) { value = other.value; return *this; }
  ~Counted() { misplaced += me != this; me = nullptr; alive--; }
};

static int take(Counted a, const Counted &b) { misplaced += a.me != &a || b.me != &b; return a.value + b.value; }
static int take_list(std::initializer_list<Counted> list) { int sum = 0; for (const Counted &each : list) sum += each.value; return sum; }
static Counted give(int n) { return Counted(n); }
static void repeat(std::string *to, std::string a, const std::string &b, int n) { for (int i = 0; i < n; i++) *to += a + b; }
static std::vector<int> numbers(int n) { std::vector<int> v; for (int i = 0; i < n; i++) v.push_back(i); return v; }
static std::vector<int> sorted(std::vector<int> v) {
  if (v.size() < 2) return v;
  std::vector<int> low, high, result = {};
  for (size_t i = 1; i < v.size(); i++) (v[i] < v[0] ? low : high).push_back(v[i]);
  std::vector<int> first = cilk_spawn sorted(low), second = sorted(std::move(high));
  cilk_sync;
  first.push_back(v[0]);
  first.insert(first.end(), second.begin(), second.end());
  return first;
}
static std::string named(int n) { /* the result is the variable itself */
  std::string result = cilk_spawn std::to_string(n);
  std::string other = std::to_string(n + 1);
  cilk_sync;
  result += other;
  return result;
}

struct alignas(128) Wide { int value; }; /* the runtime has no room for these, and so the calls are not deferred */
typedef int wide_int __attribute__((aligned(128)));
static int take_wide(Wide w, const std::string &text) { return w.value + (int)text.size(); }
static int take_wide_int(wide_int w, const std::string &text) { return w + (int)text.size(); }

struct Base { virtual ~Base() {} virtual void turn(int n, long *to) const { *to = n; } };
struct Derived : Base {
  int k;
  explicit Derived(int by) : k(by) {}
  void turn(int n, long *to) const override { *to = n * k; }
};
struct Adder {
  int base;
  long sum = 0;
  void add(int n) { sum = base + n; }
  int times(int n) const { return base * n; }
  Adder &self() { return *this; }
  int operator()(int n) const { return base - n; }
  void all(long *to, int n) { for (int i = 0; i < n; i++) cilk_spawn put(to, i); cilk_sync; }
  void put(long *to, int i) { to[i] = base + i; }
};
struct Built { /* spawns in constructors and in destructors */
  std::string a, b;
  int x, *out;
  Built(int n, int *to) : a(std::to_string(n)), b("b"), x(0), out(to) {
    cilk_spawn repeat(&a, std::string("-"), "+", n);
    repeat(&b, "*", "/", n);
    x = cilk_spawn take(Counted(n), Counted(1));
  }
  ~Built() { *out = cilk_spawn take(Counted(x), Counted(1)); }
};
struct Heir : virtual Built { explicit Heir(int *to) : Built(3, to) {} };

template <typename T, typename... R> static T total(T first, R... rest) { return (first + ... + rest); }
template <typename I> static long tree(I n) {
  if (n < 2) return n;
  long x = cilk_spawn tree(n - 1);
  long y = tree(n - 2);
  cilk_sync;
  return x + y;
}
template <typename F> static void twice(F f) { cilk_spawn f(0); f(1); }

static void arguments(int k) {
  int r[32], list = 0;
  for (int i = 0; i < 32; i++) {
    Counted here(i);
    r[i] = cilk_spawn take(here, Counted(1000 * k)); /* a copy of what is gone at once, and a temporary */
  }
  cilk_sync;
  for (int each : r) printf("%d ", each);
  int conditional = cilk_spawn take(k % 2 ? Counted(1) : Counted(2), Counted(k));
  Counted known(50);
  int either = cilk_spawn take(Counted(3), k % 3 ? known : Counted(4));
  int both = cilk_spawn take(k ? known : Counted(5), k % 2 ? static_cast<const Counted &>(Counted(6)) : known);
  list = cilk_spawn take_list({Counted(1), Counted(k), known});
  cilk_sync;
  printf("%d %d %d %d\n", conditional, either, both, list);
  Wide wide = {k};
  wide_int number = k + 1;
  int with_wide = cilk_spawn take_wide(wide, std::string("a temporary"));
  int with_number = cilk_spawn take_wide_int(number, std::string("another"));
  cilk_sync;
  printf("%d %d ", with_wide, with_number);
  std::string out[8];
  for (int i = 0; i < 8; i++)
    cilk_spawn repeat(&out[i], "a text that is long enough for the heap " + std::to_string(i), std::string("x"), 3);
  cilk_sync;
  for (const std::string &each : out) printf("%zu ", each.size());
  std::unique_ptr<int> sink[4];
  for (int i = 0; i < 4; i++)
    cilk_spawn [](std::unique_ptr<int> p, std::unique_ptr<int> *to) { *to = std::move(p); }(std::make_unique<int>(i), &sink[i]);
  cilk_sync;
  for (const auto &each : sink) printf("%d ", *each);
  long t = cilk_spawn total(1, 2, 3, k);
  double e = 0;
  e = cilk_spawn total(1.5, 2.5);
  cilk_sync;
  printf("%ld %g %ld\n", t, e, tree(15));
}

static void results(int k) {
  std::vector<int> v = cilk_spawn numbers(100);
  std::string s = cilk_spawn std::to_string(k), u("old");
  Counted c = cilk_spawn give(k);
  const Counted fixed = cilk_spawn give(k + 1);
  cilk_sync;
  u = cilk_spawn std::to_string(k + 7);  /* called at once */
  u += cilk_spawn std::to_string(k + 8);
  cilk_spawn give(3);
  const std::string &kept = cilk_spawn std::to_string(k + 9);
  int &x = cilk_spawn v.at(3);
  x++;
  int from[3] = {3, 1, 2};
  std::vector<int> in(from, from + 3);
  printf("%zu %d %s %d %d %s %s %d %s\n", v.size(), v[3], s.c_str(), c.value, fixed.value, u.c_str(), kept.c_str(), sorted(in)[2], named(k).c_str());
}

static void callees(int k) {
  long l[16];
  Derived d(3);
  const Base &b = d;
  for (int i = 0; i < 16; i++) cilk_spawn b.turn(i, &l[i]);
  cilk_sync;
  for (long each : l) printf("%ld ", each);
  for (int i = 0; i < 16; i++) cilk_spawn Derived(i).turn(i, &l[i]);
  cilk_sync;
  for (long each : l) printf("%ld ", each);
  for (int i = 0; i < 16; i++) cilk_spawn std::make_shared<Derived>(i)->turn(2, &l[i]);
  cilk_sync;
  for (long each : l) printf("%ld ", each);
  void (Base::*member)(int, long *) const = &Base::turn;
  for (int i = 0; i < 16; i++) cilk_spawn (b.*member)(i, &l[i]);
  cilk_sync;
  printf("%ld\n", l[15]);
  Adder adder = {6}, others[4];
  int got = cilk_spawn Adder{6}.times(7), called = cilk_spawn adder(2);
  for (int i = 0; i < 4; i++) { others[i].base = i; cilk_spawn others[i].self().add(100); }
  adder.all(l, 16);
  cilk_sync;
  printf("%d %d %ld %ld\n", got, called, others[3].sum, l[7]);
  for (int i = 0; i < 16; i++) cilk_spawn [&l](int j) { l[j] = j * j; }(i);
  cilk_sync;
  for (long each : l) printf("%ld ", each);
  for (int i = 0; i < 16; i++) {
    int copy = i + 7;
    cilk_spawn [=, &l] { l[copy - 7] = copy; }();
  }
  cilk_sync;
  std::function<void(int)> f = [&l](int j) { l[j] -= j; };
  for (int i = 0; i < 16; i++) cilk_spawn f(i);
  cilk_sync;
  twice([&](int i) { l[i] = k; });
  auto inside = [&] { /* a lambda that spawns */
    for (int i = 2; i < 16; i++) cilk_spawn [&l, k](int j) { l[j] = k + j; }(i);
    long mine = cilk_spawn tree(10);
    cilk_sync;
    return mine + k;
  };
  long last = inside();
  for (long each : l) printf("%ld ", each);
  int out = 0, other = 0;
  { Built built(k, &out); Heir heir(&other); printf("%s %s %d ", built.a.c_str(), heir.b.c_str(), built.x); }
  printf("%ld %d %d\n", last, out, other);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 4;
  for (int k = 0; k < rounds; k++) {
    arguments(k);
    results(k);
    callees(k);
  }
  printf("alive %ld misplaced %ld\n", alive.load(), misplaced.load());
  return 0;
}
