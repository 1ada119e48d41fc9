#!/bin/sh
# Spawns in C++: members, virtual functions, pointers to members, functors, lambdas, templates, results of class type.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

# Each spawn is marked with the name of its callee, without namespaces and arguments, and its number of calls.
cat >forms.cc <<'EOC'
#include <cilk/cilk.h>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>
__attribute__((noinline)) int g(int x) { volatile int y = x; return y; }
struct Base { virtual int turn(int x) { return g(x); } virtual ~Base() {} };
struct Derived : Base { int turn(int x) override { return g(x + 1); } };
struct A {
  int value;
  A() : value(1) {}
  A &self() { return *this; }
  int m(int x) { return value + g(x); }
  int twice(int x) { int y = cilk_spawn m(x); y += cilk_spawn this->m(x); cilk_sync; return y; } /* m 2 m 2 */
  static int s(int x) { return g(x); }
  int operator()(int x) const { return g(x) + value; }
};
std::string text(int n) { return std::string(g(n), 'x'); }
std::unique_ptr<int> owned(int n) { return std::unique_ptr<int>(new int(g(n))); }
struct Big { int a[40]; };
Big big(int x) { Big b; for (int &i : b.a) i = g(x); return b; }
int &refer(int &x) { g(x); return x; }
int many(int n, ...) { return g(n); }
namespace inner { template <class T> T pass(T t) { g(1); return t; } }
template <class T> T both(T a) {
  T x = cilk_spawn inner::pass<T>(a); /* pass 2 */
  x = cilk_spawn inner::pass(a); /* pass 2 */
  x += cilk_spawn inner::pass(a); /* pass 2 */
  cilk_sync;
  return x;
}
template <class F, class... R> auto forward(F f, R... r) -> decltype(f(r...)) {
  auto x = cilk_spawn f(r...); /* operator 1 */
  cilk_sync;
  return x;
}
void fail() { throw 7; }
int main() {
  A a, *p = &a, &r = a, *all[2] = {&a, &a};
  int x = 0, (A::*pm)(int) = &A::m;
  Base *b = new Derived;
  std::unique_ptr<Base> q(b);
  x += cilk_spawn a.m(1); /* m 1 */
  x += cilk_spawn p->m(g(2)); /* m 1 */
  x += cilk_spawn r.self().self().m(3); /* m 1 */
  x += cilk_spawn all[1]->m(4); /* m 1 */
  x += cilk_spawn (p->*pm)(5); /* m 1 */
  x += cilk_spawn A::s(6); /* s 1 */
  x += cilk_spawn ::g(7); /* g 1 */
  x += cilk_spawn b->turn(8); /* turn 1 */
  x += cilk_spawn q->turn(9); /* turn 1 */
  x += cilk_spawn a(10); /* operator 1 */
  cilk_spawn [&] { x += g(11); }(); /* operator 1 */
  cilk_spawn [&](int y) { x += y; }(g(12)); /* operator 1 */
  auto lambda = [=](int z) { return g(z); };
  x += cilk_spawn lambda(13); /* operator 1 */
  std::function<int(int)> function = lambda;
  x += cilk_spawn function(14); /* operator 1 */
  std::string s = cilk_spawn text(3); /* text 1 */
  s = cilk_spawn text(4); /* text 1 */
  s += cilk_spawn text(5); /* text 1 */
  cilk_spawn text(6); /* text 1 */
  auto u = cilk_spawn owned(15); /* owned 1 */
  u = cilk_spawn owned(16); /* owned 1 */
  Big c = cilk_spawn big(2); /* big 1 */
  int &y = cilk_spawn refer(x); /* refer 1 */
  y++;
  x += cilk_spawn many(1, 2, 3.0, "x"); /* many 1 */
  std::vector<int> v{1, 2, 3};
  v[0] = cilk_spawn g(v[1]); /* g 1 */
  v.at(1) += cilk_spawn g(v[2]); /* g 1 */
  if (int z = cilk_spawn g(17)) x += z; /* g 1 */
  for (int i = 0; i < 3; i++) cilk_spawn g(i); /* g 3 */
  try { cilk_spawn fail(); } catch (int e) { x += e; } /* fail 1 */
  cilk_sync;
  std::string two = both(std::string("ab"));
  std::printf("%d %zu %d %d %d %zu %d %d\n", x, s.size(), *u, c.a[3], both(20), two.size(), a.twice(21) + a.twice(22),
              forward(lambda, 23));
}
EOC
awk 'match($0, /\/\* [a-z]+ [0-9]+( [a-z]+ [0-9]+)* \*\//) {
       split(substr($0, RSTART + 3, RLENGTH - 6), word, " ")
       for (i = 1; i in word; i += 2) calls[NR " " word[i]] += word[i + 1] }
     END { for (key in calls) print key, calls[key] }' forms.cc | sort >wanted
mkdir -p plain/cilk
printf '#define cilk_spawn\n#define cilk_sync ((void)0)\n' >plain/cilk/cilk.h
g++ -w -O1 -Iplain forms.cc -o elision && $RUN ./elision >output
for options in '-std=c++11 -O0' '-std=c++20 -O3' '-O2 -flto' ${LONG:+'-std=c++14 -O1' '-std=c++17 -O2'}; do
  if ! c++ $options -w -fcilkplus -fcilkprof=count forms.cc -o forms >said 2>&1; then
    fail "$options: it compiles" said
    continue
  fi
  CILKPROF_OUT=forms.prof $RUN ./forms >got 2>&1
  same "$options: the program computes what it did" output got
  # Calls of one name on one line are added up, as of a template's instances; names with commas are quoted.
  cilkprof-report --csv forms forms.prof | tr -d '\r' | awk '
    { n = 0; rest = $0
      while (rest != "") {
        if (substr(rest, 1, 1) == "\"") { match(rest, /^"([^"]|"")*"/); value = substr(rest, 2, RLENGTH - 2) }
        else { match(rest, /^[^,]*/); value = substr(rest, 1, RLENGTH) }
        field[++n] = value; rest = substr(rest, RLENGTH + 2) } }
    NR > 1 && field[4] == "spawn" {
      name = field[6]; gsub(/\[[^]]*\]/, "", name); gsub(/<[^<>]*>/, "", name); gsub(/<[^<>]*>/, "", name); gsub(/<[^<>]*>/, "", name)
      if (name ~ /operator/) name = "operator"
      sub(/\(.*/, "", name); sub(/.*[ :]/, "", name)
      calls[field[2] " " name] += field[15] }
    END { for (key in calls) print key, calls[key] }' | sort >got
  same "$options: every spawn, its callee and its calls" wanted got
done
finish
