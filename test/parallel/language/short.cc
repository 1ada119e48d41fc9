/* Short loops and children, again and again: the runtime learns that they are short and no longer divides or defers
   them.  What they compute stays the same, with exceptions, reducers, objects and iterators.  */
#include <cilk/cilk.h>
#include <cilk/reducer_string.h>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

static unsigned long hash;
static void see(unsigned long x) { hash = hash * 31 + x; }
static void see(const std::string &text) { for (char c : text) see((unsigned char)c); }

static long alive;
struct Counted {
  long value;
  explicit Counted(long v) : value(v) { __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED); }
  Counted(const Counted &other) : Counted(other.value) {}
  ~Counted() { __atomic_sub_fetch(&alive, 1, __ATOMIC_RELAXED); }
};

static void simple(int n, int k) {
  std::vector<int> a(n + 1);
  int i;
  cilk_for (i = 0; i < n; i++) a[i] = i * k;
  see(i);
  for (int each : a) see(each);
}
static void backwards(int n, int k) {
  std::vector<int> a(n);
  cilk_for (auto it = a.end() - 1; it >= a.begin(); --it) *it = k + (int)(it - a.begin());
  for (int each : a) see(each);
}
static void nested(int n, int k) {
  int a[8][8] = {};
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = 0; j < n; j++) a[i][j] += i * j + k;
  for (auto &row : a) for (int each : row) see(each);
}
static void throwing(int n, int k) {
  Counted local(k);
  try {
    cilk_for (int i = 0; i < n; i++) {
      Counted inside(i);
      if (i >= k % (2 * n)) throw std::runtime_error(std::to_string(i));
    }
    see("nothing");
  } catch (const std::runtime_error &e) { see(e.what()); }
}
static void written(int n, int k) {
  cilk::reducer<cilk::op_string> text;
  cilk_for (int i = 0; i < n; i++) *text += (char)('a' + (i + k) % 26);
  see(text.get_value());
}
static long add(Counted a, long b) { if (b == 13) throw 13; return a.value + b; }
static void children(int n, int k) {
  std::vector<long> a(n);
  try {
    for (int i = 0; i < n; i++) a[i] = cilk_spawn add(Counted(i), (k + i) % 40);
    cilk_sync;
    for (long each : a) see(each);
  } catch (int number) { see(number); }
}
static void blocks(int n, int k) {
  int x = k, y = 0;
  cilk_spawn { x += n; };
  cilk_spawn { y = n * k; };
  cilk_sync;
  see(x + y);
}

int main() {
  void (*parts[])(int, int) = {simple, backwards, nested, throwing, written, children, blocks};
  for (auto part : parts) {
    hash = 0;
    for (int k = 0; k < 3000; k++) part(1 + k % 8, k);
    std::printf("%lu, %ld alive\n", hash, alive);
  }
  return 0;
}
