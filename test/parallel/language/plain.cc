/* Loops that are mostly run by a plain call, in functions whose variables they capture: what a loop changes is seen after
   it, addresses stay what they are, and exceptions of one loop are not those of the next.  */
#include <cilk/cilk.h>
#include <cstdio>
#include <stdexcept>

static unsigned long hash;
static void see(unsigned long x) { hash = hash * 31 + x; }

template <typename Function> static void parallel_for(long n, const Function &f) {
  cilk_for (long i = 0; i < n; i++) f(i);
}

struct pair { long first, second; };
struct self { self *own; long value; };
struct large { long values[20]; };
struct copied {
  long value, copies;
  explicit copied(long v) : value(v), copies(0) {}
  copied(const copied &other) : value(other.value), copies(other.copies + 1) {}
};
static long *shown;
static long number;

static void changed(long n, long k) {
  long last = k;
  pair both = {k, 1};
  cilk_for (long i = 0; i < n; i++)
    if (i == n - 1) { last = i * k; both.second = i; }
  see(last + both.first + both.second);
  cilk_for (long i = 0; i < n; i++)
    if (i == n / 2) last = 3 * both.second + k;
  see(last);
}
static void unchanged(long n, long k) {
  long values[8] = {}, level = k;
  parallel_for(n, [&](long i) { __atomic_store_n(&values[i], level + i, __ATOMIC_RELAXED); });
  parallel_for(n, [=, &values](long i) { __atomic_add_fetch(&values[i], level * i, __ATOMIC_RELAXED); });
  for (long each : values) see(each);
}
static void pointed(long n, long k) {
  long x = k, y = k + 1, *p = &x;
  cilk_for (long i = 0; i < n; i++)
    if (i == k % n) p = i % 2 ? &x : &y;
  *p += 5;
  see(x); see(y); see(p == &x);
}
static void own_address(long n, long k) {
  self it = {&it, k};
  cilk_for (long i = 0; i < n; i++)
    if (i == 0) it.own->value += n;
  see(it.own == &it); see(it.value);
}
static void shown_address(long n, long k) {
  long x = k;
  shown = &number;
  cilk_for (long i = 0; i < n; i++)
    if (i == n - 1) shown = &x;
  *shown += 7;
  see(x);
}
static void other_kinds(long n, long k) {
  volatile long v = k;
  large l = {};
  long only_set;
  cilk_for (long i = 0; i < n; i++) {
    l.values[i] = v + i;
    if (i == n - 1) only_set = k;
  }
  for (long each : l.values) see(each);
  see(only_set);
}
static void constructed(long n, long k) {
  copied object(k);
  cilk_for (long i = 0; i < n; i++)
    if (i == n - 1) object.value = 2 * k + i;
  see(object.value); see(object.copies);
}
static void nested(long n, long k) {
  pair rows[8] = {};
  parallel_for(n, [&](long i) {
    long sum = 0;
    cilk_for (long j = 0; j < 1; j++) sum += i * k + j;
    parallel_for(1, [&, i](long j) { rows[i].first = sum + j; rows[i].second = sum; });
  });
  for (pair &each : rows) see(each.first + each.second);
}
static void throwing(long n, long k) {
  long reached = 0;
  for (long round = 0; round < 3; round++)
    try {
      cilk_for (long i = 0; i < n; i++)
        if (i == (k + round) % (2 * n)) throw std::runtime_error("one");
      reached += 1;
      cilk_for (long i = 0; i < n; i++)
        if (i == (k + round) % (3 * n)) throw i;
      reached += 10;
    } catch (const std::runtime_error &) { reached += 100; } catch (long i) { reached += 1000 * i; }
  see(reached);
}
static void left_by_return(long n, long k, long *to) {
  try {
    cilk_for (long i = 0; i < n; i++) if (k % 5 == i) throw k;
  } catch (long thrown) { *to = thrown; return; }
  *to = -k;
}
static void returning(long n, long k) {
  long to = 0;
  left_by_return(n, k, &to);
  see(to);
}

int main() {
  void (*parts[])(long, long) = {changed,     unchanged, pointed,  own_address, shown_address,
                                 other_kinds, nested,    throwing, returning, constructed};
  for (auto part : parts) {
    hash = 0;
    for (long k = 0; k < 600; k++) part(1 + k % 8, k);
    std::printf("%lu\n", hash);
  }
  return 0;
}
