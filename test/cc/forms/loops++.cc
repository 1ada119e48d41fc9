/* Parallel loops that only C++ has.  */
#include <array>
#include <cilk/cilk.h>
#include <cstdio>
#include <deque>
#include <vector>

#define OUTLINE __attribute__((noinline, noclone, noipa))
static int total;
OUTLINE void add(long x) { total += (int)x; }
/* A random-access iterator that does no more than it must.  */
struct Index {
  long at;
  friend bool operator<(Index a, Index b) { return a.at < b.at; }
  friend bool operator!=(Index a, Index b) { return a.at != b.at; }
  friend long operator-(Index a, Index b) { return a.at - b.at; }
  Index &operator++() { at++; return *this; }
  Index &operator+=(long n) { at += n; return *this; }
  long operator*() const { return at; }
};
struct Range {
  long size;
  Index begin() const { return {0}; }
  Index end() const { return {size}; }
};
struct Member {
  int n, limit;
  OUTLINE void run() {
#pragma cilk grainsize = n
    cilk_for (int i = 0; i < limit; i++) add(i); //= loop 1; call add 4
    auto inside = [this](int grain) {
#pragma cilk grainsize = grain + n
      cilk_for (int i = 0; i < limit; i++) add(i); //= loop 1; call add 4
    };
    inside(2);
  }
};
template <int N, class T> OUTLINE void grained(T n) {
#pragma cilk grainsize = N
  cilk_for (T i = 0; i < n; ++i) add((long)i); //= loop 3; call add 9
  _Pragma("cilk grainsize = n") cilk_for (T i = 0; i < n; ++i) add((long)i); //= loop 3; call add 9
}
template <class C> OUTLINE void each(const C &c) {
  cilk_for (auto i = c.begin(); i != c.end(); ++i) add(*i); //= loop 2; call add 7
  cilk_for (const auto &x : c) add(x); //= loop 2; call add 7
}
OUTLINE int throwing(int n) {
  try {
    cilk_for (int i = 0; i < n; i++) { //= loop 1
      add(i); //= call add 3
      if (i == 2) throw i;
    }
  } catch (int e) {
    return e;
  }
  return 0;
}

int main() {
  std::vector<int> v{1, 2, 3, 4};
  std::deque<int> d{1, 2, 3};
  int a[] = {1, 2, 3};
  Range range = {3};
  cilk_for (auto i = v.begin(); i != v.end(); ++i) add(*i);   //= loop 1; call add 4
  cilk_for (auto i = v.begin(); i < v.end(); i += 2) add(*i); //= loop 1; call add 2
  cilk_for (auto i = v.rbegin(); i != v.rend(); i++) add(*i); //= loop 1; call add 4
  cilk_for (auto i = d.cbegin(); i != d.cend(); ++i) add(*i); //= loop 1; call add 3
  cilk_for (Index i = range.begin(); i < range.end(); ++i) add(*i); //= loop 1; call add 3
  cilk_for (Index i = {0}; i != Index{4}; i += 2) add(*i);    //= loop 1; call add 2
  cilk_for (int x : v) add(x);        //= loop 1; call add 4
  cilk_for (auto &x : a) add(x);      //= loop 1; call add 3
  cilk_for (long x : range) { if (x == 1) continue; add(x); } //= loop 1; call add 2
  cilk_for (int x : {1, 2, 3}) add(x); //= loop 1; call add 3
  cilk_for (wchar_t c = L'a'; c < L'd'; c++) add(c); //= loop 1; call add 3
  cilk_for (int x : v) //= loop 1
    cilk_for (int y : a) //= loop 4
      add(x * y); //= call add 12
  cilk_for (int i = 0, j = 2; i < 3; i++) add(i + j); //= loop 1; call add 3
  cilk_for (size_t i = 0; i < v.size(); ++i) add((long)i); //= loop 1; call add 4
  cilk_for (int i = 0; i < 3; i++) [&] { cilk_spawn add(i); }(); //= loop 1; spawn add 3
  Member member = {3, 4};
  member.run(); //= call run 1
  grained<3>(3); //= call grained 1
  grained<4>(3L); //= call grained 1
  grained<3>(3L); //= call grained 1
  each(v); //= call each 1
  each(std::array<long, 3>{{1, 2, 3}}); //= call each 1
  total += throwing(4); //= call throwing 1
  std::printf("%d\n", total);
}
