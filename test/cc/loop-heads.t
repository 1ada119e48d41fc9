#!/bin/sh
# The head of a cilk_for: what Cilk allows is accepted without a word, and all else is an error that says what it allows.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >good.c <<'EOC'
#include <cilk/cilk.h>
#ifdef __cplusplus
extern "C"
#endif
int f(int);
enum e { A, B };
extern int n, m, k;
void good(int *p, int *q);
void good(int *p, int *q) {
  int i, j; short s; unsigned u; enum e x; double d = 10.5; struct { int x; } w;
  cilk_for (i = 0; i < n; i++) f(i);
  cilk_for (i = 0; i < n; i = i + 2) f(i);
  cilk_for (i = 0; i < n; i = 2 + i) f(i);
  cilk_for (i = n; i > 0; i = i - 2) f(i);
  cilk_for (i = 0; n > i; (i++)) f(i);
  cilk_for (i = 0; i != n; i += f(2)) f(i);
  cilk_for (i = 0; i < n; i -= -1) f(i);
  cilk_for (s = 0; s < n; s = (short)(s + 2)) f(s);
  cilk_for (s = 0; (long)s < (long)n; s++) f(s);
  cilk_for (u = 0; u < 1; u++) f(2);
  cilk_for (u = 5; u > 0; u--) f(2);
  cilk_for (int *t = p; t < q; t++) f(*t);
  cilk_for (int *t = p; t != q; t += 2) f(*t);
  cilk_for (int *t = q; t > p; --t) f(*t);
  cilk_for (int a = 0, b = n; a < b; a++) f(a);
  cilk_for (i = 0, j = n; i < j; i++) f(i);
  cilk_for (i = 0; i < n; i++, f(2)) f(i);
  cilk_for (i = 0; i < n; f(1), i++) f(i);
  cilk_for (i = 0; i < n; i++, k++) f(i);
  cilk_for (i = 0; i < d; i++) f(i);
  cilk_for (i = 0; i < f(3); i++) f(i);
  cilk_for (i = 0; i < n * 2 + m; i++) f(i);
  cilk_for (i = 0; !(i >= n); i++) f(i);
  cilk_for (long long l = 0; l < n; l += (short)m) f(2);
  cilk_for (x = A; x < B; x = (enum e)(x + 1)) f(x);
  cilk_for (w.x = 0; w.x < n; w.x++) f(w.x);
  cilk_for (i = 0; i < (m = n); i++) f(i);
}
EOC
cp good.c good.cc
cat >objects.cc <<'EOC'
#include <cilk/cilk.h>
#include <deque>
#include <iterator>
#include <list>
#include <map>
#include <string>
#include <vector>
int f(long);
struct Number { int v; operator int() const { return v; } Number &operator++() { ++v; return *this; } };
struct Virtual { virtual ~Virtual(); virtual Virtual &operator++(); virtual bool operator!=(const Virtual &) const; int p = 0; };
struct After { int p; After operator++(int) { After o = *this; ++p; return o; } bool operator==(const After &o) const { return p == o.p; } };
inline bool operator!=(const After &a, const After &b) { return a.p != b.p; }
template <class I> void over(I b, I e) { cilk_for (I i = b; i != e; ++i) f(*i); cilk_for (auto i = b; e != i; i++) f(*i); }
template <class C> void range(C &c) { cilk_for (auto &x : c) f(x); cilk_for (auto i = std::begin(c); i != std::end(c); ++i) f(*i); }
template <class T> void counted(T n) { cilk_for (T i = 0; i < n; i += 2) f(i); cilk_for (T i(0); i < static_cast<T>(n); ++i) f(i); }
struct C { std::vector<int> v; int m; void g() { cilk_for (m = 0; m < (int)v.size(); m++) f(m); } };
void h(C &c, std::list<int> &l, std::deque<int> &d, std::string &s, std::map<int, int> &pairs, int n) {
  int a[3] = {1, 2, 3}, i, &r = i;
  std::vector<int> &v = c.v;
  c.g();
  over(v.begin(), v.end()), over(l.begin(), l.end()), over(a, a + 3), over(d.rbegin(), d.rend()), over(s.begin(), s.end());
  range(v), range(l), range(a), range(d);
  counted<int>(n), counted<unsigned char>(4), counted<long>(n), counted<unsigned long>(3);
  cilk_for (auto &x : pairs) f(x.second);
  cilk_for (int x : {1, 2, 3}) f(x);
  cilk_for (r = 0; r < n; r++) f(r);
  [&] { cilk_for (i = 0; i < n; i++) f(i); cilk_for (r = 0; r < n; r += 2) f(r); }();
  [=]() mutable { cilk_for (i = 0; i < n; i++) f(i); }();
  [](auto &each) { cilk_for (auto at = each.begin(); at != each.end(); ++at) f(*at); }(v);
  cilk_for (Number k{0}; k < n; ++k) f(k);
  cilk_for (Number k{0}; n > k; ++k) f(k);
  cilk_for (After k{0}; k != After{3}; k++) f(k.p);
  Virtual end;
  cilk_for (Virtual k; k != end; ++k) f(k.p);
  cilk_for (unsigned long k = 0, last = v.size(); k < last; ++k) f(k);
  cilk_for (auto b = v.begin(), e = v.end(); b != e; ++b) f(*b);
  cilk_for (auto b = v.begin(); b < v.end(); b += 2, f(2)) f(*b);
  cilk_for (unsigned u = 0; u < 1; u++) f(u);
}
EOC
for options in -fcilkplus '-fcilkplus -fcilkprof -O2'; do
  holds "$options: what is allowed in C" cc $options -Wall -Wextra -Werror -c good.c -o good.o
  for standard in 98 20 ${LONG:+11 17}; do
    holds "$options: the same in C++$standard" c++ $options -std=c++$standard -Wall -Wextra -Werror -c good.cc -o good.o
  done
  for standard in 20 ${LONG:+14 17}; do
    holds "$options: objects in C++$standard" c++ $options -std=c++$standard -Wall -Wextra -Werror -c objects.cc -o objects.o
  done
done

# Every line with a comment is an error, of which the comment is a part.
cat >bad.c <<'EOC'
#include <cilk/cilk.h>
int f(int);
extern int n, m;
void bad(int *p) {
  int i, j;
  cilk_for (int i = 1; i < n; i *= 2) f(i); //! the step of a
  cilk_for (int i = 1; i < n; i <<= 1) f(i); //! must be '++', '--', '+=' or '-=' of its variable
  cilk_for (int i = 1; i < n; i = f(i)) f(i); //! the step of a
  cilk_for (int i = 1; i < n; f(i)) f(i); //! the step of a
  cilk_for (int i = 0; i < n; i ^= 1) f(i); //! the step of a
  cilk_for (int i = 1; i < n; i += i) f(i); //! the step of a
  cilk_for (int i = n; i > 0; i = i - i / 2) f(i); //! the step of a
  cilk_for (int i = 0, j = 0; i < n; i++, j++) f(i + j); //! a 'cilk_for' has one loop variable: 'j' must not change with it
  cilk_for (i = 0, j = 0; i < n; i++, j *= 2) f(i + j); //! has one loop variable: 'j'
  cilk_for (int i = 0; i < n && m; i++) f(i); //! the condition of a
  cilk_for (int i = 0; m; i++) f(i); //! must be '<', '<=', '>', '>=' or '!=' between its variable and a limit
  cilk_for (int i = 5; i == 5; i--) f(i); //! the condition of a
  cilk_for (int i = 0; i + i < n; i++) f(i); //! the condition of a
  cilk_for (int i = 0; i < n; m++) f(i); //! the condition of a
  cilk_for (int i = 0; i & 32; i++) f(i); //! the condition of a
  cilk_for (int i = 0; f(i); i++) f(i); //! the condition of a
  cilk_for (int *t = p; *t; t++) f(*t); //! the condition of a
  cilk_for (double d = 0; d < n; d += 0.5) f(n); //! must be an integer, a pointer or an iterator, not a floating-point number
  cilk_for (float d = n; d > 0; d--) f(n); //! the variable of a 'cilk_for' must be an integer
  cilk_for (int i = 0; i < n--; i++) f(i); //! the limit of a 'cilk_for' must be the same for every iteration
  cilk_for (int i = 0; i < n - i; i++) f(i); //! the limit of a
  cilk_for (int i = 0; i < (n += 2); i++) f(i); //! the limit of a
}
EOC
cp bad.c bad.cc
cat >iterators.cc <<'EOC'
#include <cilk/cilk.h>
#include <vector>
int f(int);
template <class T> void doubled(T n) {
  cilk_for (T i = 1; i < n; i *= 2) f(i); //! the step of a
}
template <class T> void halves(T &d) {
  cilk_for (d = 0; d < 3; d += 0.5) f(1); //! not a floating-point number
}
void bad(std::vector<int> &v) {
  double d;
  doubled(3), halves(d);
  cilk_for (auto i = v.begin(); i != v.end(); std::advance(i, 2)) f(*i); //! the step of a
  cilk_for (auto i = v.begin(); i == v.end(); ++i) f(*i); //! the condition of a
  cilk_for (auto i = v.begin(), j = i; i != v.end(); ++i, ++j) f(*i + *j); //! has one loop variable: 'j'
  cilk_for (auto i = v.begin(); i != v.end() && f(1); ++i) f(*i); //! the condition of a
}
EOC
for file in bad.c bad.cc iterators.cc; do
  grep -n '//!' $file | sed 's/:.*//' >wanted
  for options in -fcilkplus '-fcilkplus -fcilkprof'; do
    case $file in *.c) compiler=cc ;; *) compiler=c++ ;; esac
    $compiler $options -w -c $file -o bad.o 2>said
    sed -n "s/^$file:\([0-9]*\):[0-9]*: error: .*/\1/p" said | sort -n >got
    same "$file $options: an error in each of these lines" wanted got
    grep -n '//!' $file | while IFS=: read -r line text; do
      grep -qF "${text#*//! }" <<EOS || echo "$line: ${text#*//! }"
$(grep "^$file:$line:" said)
EOS
    done >missing
    holds "$file $options: which says what is allowed" test ! -s missing
  done
done
finish
