/* Exceptions in parallel: of a child, of what follows a spawn, of blocks and of loops.  The serially first one is seen, the
   others are dropped, and every object is destroyed.  */
#include <atomic>
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

static std::atomic<long> alive;
struct Counted {
  int value;
  explicit Counted(int v) : value(v) { alive++; }
  Counted(const Counted &other) : value(other.value) { alive++; }
  ~Counted() { alive--; }
};
struct Throws : Counted { /* while it is made */
  explicit Throws(int v) : Counted(v) { if (v >= 0) throw v; }
};
static std::atomic<int> spins;
static void wait_a_little(int n) { for (int i = 0; i < n * 100; i++) spins++; }
static void fail(int n, Counted) { wait_a_little(n % 5); if (n >= 0) throw std::runtime_error(std::to_string(n)); }
static int value_or_fail(int n) { wait_a_little(n % 3); if (n % 2) throw n; return n; }
static Counted object_or_fail(int n) { wait_a_little(1); if (n % 2) throw n; return Counted(n); }
static void fine(Counted) { wait_a_little(3); }

template <typename F> static std::string caught(F f) {
  std::string seen;
  try { f(); seen = "nothing"; }
  catch (const std::runtime_error &e) { seen = std::string("error ") + e.what(); }
  catch (int n) { seen = "number " + std::to_string(n); }
  if (std::uncaught_exceptions()) seen += " and an exception is still on its way";
  return seen;
}

static void first_of_children(int k) {
  Counted local(1);
  for (int i = 0; i < 20; i++) {
    Counted inner(i);
    cilk_spawn fail(i >= k ? i : -1, inner);
  }
  cilk_sync;
}
static void implicit_sync(int k) { Counted local(1); cilk_spawn fail(k, local); cilk_spawn fine(local); }
static void continuation(int k) { /* what follows throws, and the child did so before */
  Counted local(1);
  cilk_spawn fail(k, local);
  Counted other(2);
  throw 1000 + k;
}
static void continuation_alone(int k) { Counted local(1); cilk_spawn fine(local); throw 2000 + k; }
static void argument(int k) { Counted local(1); cilk_spawn fine(local); cilk_spawn fine(Throws(k)); cilk_sync; }
static int result(int k) { int x = cilk_spawn value_or_fail(k); cilk_sync; return x; }
static int object(int k) {
  Counted first = cilk_spawn object_or_fail(k);
  Counted second = cilk_spawn object_or_fail(k + 1);
  cilk_sync;
  return first.value + second.value;
}
static void block(int k) { Counted local(1); cilk_spawn { Counted inside(2); fail(k, inside); } cilk_spawn { fine(local); } cilk_sync; }
static void loop(int k) {
  Counted local(1);
  cilk_for (int i = 0; i < 200; i++) {
    Counted inside(i);
    if (i >= k) { wait_a_little(200 - i); throw i; }
  }
}
static void nested_loop(int k) { cilk_for (int i = 0; i < 10; i++) cilk_for (int j = 0; j < 10; j++) { Counted inside(j); if (i * 10 + j >= k) throw i * 10 + j; } }
static void spawns_in_loop(int k) { cilk_for (int i = 0; i < 50; i++) { Counted inside(i); cilk_spawn fail(i == k ? i : -1, inside); fine(inside); } }
static int inside_try(int k) { /* the handler sees what children of its block throw, and they are done */
  Counted local(1);
  int seen = 0;
  cilk_spawn fine(local);
  try {
    Counted inside(2);
    cilk_spawn fail(k, inside);
    fine(inside);
  } catch (const std::runtime_error &e) {
    seen = atoi(e.what());
    cilk_spawn fine(Counted(seen));
  }
  cilk_spawn fine(local);
  return seen;
}
static void rethrown(int k) {
  try { cilk_spawn fail(k, Counted(1)); cilk_sync; }
  catch (const std::runtime_error &) { throw; }
}
static int deep(int n, int k) {
  Counted local(n);
  if (n == k) throw n;
  if (!n) return 0;
  int x = cilk_spawn deep(n - 1, k);
  int y = deep(n / 2, k);
  cilk_sync;
  return x + y;
}
static void never(int k) noexcept { Counted local(k); cilk_spawn fine(local); cilk_sync; }
static void two_at_once(int k) { /* one is caught while the other flies */
  struct Handler { int k; ~Handler() { caught([this] { implicit_sync(k); }); } } handler = {k};
  cilk_spawn fine(Counted(1));
  throw k;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 6;
  for (int k = 0; k < rounds; k++) {
    printf("%s, ", caught([&] { first_of_children(k); }).c_str());
    printf("%s, ", caught([&] { first_of_children(30); }).c_str());
    printf("%s, ", caught([&] { implicit_sync(k); }).c_str());
    printf("%s, ", caught([&] { continuation(k); }).c_str());
    printf("%s, ", caught([&] { continuation_alone(k); }).c_str());
    printf("%s, ", caught([&] { argument(k); }).c_str());
    printf("%s, ", caught([&] { printf("%d ", result(k)); }).c_str());
    printf("%s, ", caught([&] { printf("%d ", object(k)); }).c_str());
    printf("%s, ", caught([&] { block(k); }).c_str());
    printf("%s, ", caught([&] { loop(k * 30); }).c_str());
    printf("%s, ", caught([&] { nested_loop(k * 15); }).c_str());
    printf("%s, ", caught([&] { spawns_in_loop(k); }).c_str());
    printf("%d, ", inside_try(k));
    printf("%s, ", caught([&] { rethrown(k); }).c_str());
    printf("%s, ", caught([&] { deep(12, k); }).c_str());
    printf("%s, ", caught([&] { two_at_once(k); }).c_str());
    never(k);
    printf("%ld\n", alive.load());
  }
  return 0;
}
