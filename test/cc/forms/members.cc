/* Spawns that only C++ has.  */
#include <cilk/cilk.h>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#define OUTLINE __attribute__((noinline, noclone, noipa))
OUTLINE int id(int x) { volatile int y = x; return y; }
constexpr int doubled(int x) { return 2 * x; }
struct Base {
  OUTLINE virtual int turn(int x) { return x; }
  virtual ~Base() {}
};
struct Derived : Base {
  OUTLINE int turn(int x) override { return x + 1; }
};
struct A {
  int value;
  A() : value(1) {}
  OUTLINE A &self() { return *this; }
  OUTLINE int m(int x) { return value + x; }
  OUTLINE int twice(int x) {
    int y = cilk_spawn m(x);   //= spawn m 2
    y += cilk_spawn this->m(x); //= spawn m 2
    cilk_sync;
    return y;
  }
  OUTLINE static int s(int x) { return x; }
  OUTLINE int operator()(int x) const { return x + value; }
  OUTLINE int operator[](int x) { return x; }
};
struct V { int v; };
struct Built : virtual V {
  int a, b;
  __attribute__((noinline)) Built(int x) : b(cilk_spawn id(x)) { //= spawn id 3
    a = cilk_spawn id(x); //= spawn id 3
    cilk_scope { cilk_spawn id(x); } //= spawn id 3
    cilk_for (int i = 0; i < 2; i++) a += id(i); //= loop 3; call id 6
  }
  __attribute__((noinline)) ~Built() { cilk_spawn id(a); } //= spawn id 3
};
struct Heir : Built {
  __attribute__((noinline)) Heir() : Built(3) { cilk_spawn id(a); } //= spawn id 1; call Built 1
};
struct Boxed {
  int v;
  operator int() const { return v; }
};
struct Wrapped {
  int v;
  Wrapped(const Boxed &b) : v(b.v) {}
  Wrapped(const std::string &s) : v((int)s.size()) {}
};
OUTLINE Boxed boxed(int x) { return {x}; }
OUTLINE std::string text(int n) { return std::string(n, 'x'); }
OUTLINE std::unique_ptr<int> owned(int n) { return std::unique_ptr<int>(new int(n)); }
struct Big { int a[40]; };
OUTLINE Big big(int x) { Big b = {}; b.a[3] = x; return b; }
OUTLINE int &refer(int &x) { return x; }
OUTLINE int many(int n, ...) { return n; }
namespace inner {
template <class T> OUTLINE T pass(T t) { return t; }
}
template <class T> OUTLINE T both(T a) {
  T x = cilk_spawn inner::pass<T>(a); //= spawn pass 2
  x = cilk_spawn inner::pass(a);      //= spawn pass 2
  x += cilk_spawn inner::pass(a);     //= spawn pass 2
  auto again = [&] { return cilk_spawn inner::pass(a); }; //= spawn pass 2
  cilk_sync;
  return x + again();
}
template <class F, class... R> OUTLINE auto forward(F f, R... r) -> decltype(f(r...)) {
  auto x = cilk_spawn f(r...); //= spawn operator 1
  cilk_sync;
  return x;
}
template <class... T> OUTLINE int all(T... t) {
  int s = 0;
  ((s += cilk_spawn id(t)), ...);   //= spawn id 3
  (cilk_spawn id(t), ...);          //= spawn id 3
  int v[] = {cilk_spawn id(t)...}; //= spawn id 3
  cilk_sync;
  return s + v[0];
}
template <class T> struct Holder {
  T t;
  OUTLINE T get(T x) {
    T y = cilk_spawn inner::pass(x); //= spawn pass 1
    return y + t;
  }
};
OUTLINE void fail(int n) {
  if (n) cilk_spawn fail(n - 1); //= spawn fail 2
  throw 7;
}
struct Counted {
  int &n;
  ~Counted() { n += 10; }
};
OUTLINE int guarded(int n) {
  int x = 0;
  {
    Counted counted = {x};
    try {
      Counted inside = {x};
      cilk_spawn fail(n); //= spawn fail 1
    } catch (int e) {
      x += e;
    }
    x += cilk_spawn id(1); //= spawn id 1
  }
  return x;
}

int main() {
  A a, *p = &a, &r = a, *list[2] = {&a, &a};
  int x = 0, (A::*pm)(int) = &A::m;
  std::unique_ptr<Base> base(new Base), derived(new Derived);
  x += cilk_spawn a.m(1);               //= spawn m 1
  x += cilk_spawn p->m(id(2));          //= spawn m 1; call id 1
  x += cilk_spawn r.self().self().m(3); //= spawn m 1; call self 2
  x += cilk_spawn list[1]->m(4);        //= spawn m 1
  x += cilk_spawn (p->*pm)(5);          //= spawn m 1
  x += cilk_spawn (a.*pm)(5);           //= spawn m 1
  x += cilk_spawn A::s(6);              //= spawn s 1
  x += cilk_spawn ::id(7);              //= spawn id 1
  x += (cilk_spawn a.m(1));             //= spawn m 1
  x += (cilk_spawn r.self().m(1));      //= spawn m 1; call self 1
  for (int i = 0; i < 3; i++) x += cilk_spawn (i ? derived : base)->turn(8); //= spawn turn 3
  x += cilk_spawn a(10);                //= spawn operator 1
  cilk_spawn [&] { x += id(11); }();    //= spawn operator 1; call id 1
  cilk_spawn [&](int y) { x += y; }(id(12)); //= spawn operator 1; call id 1
  auto lambda = [=](int z) { return id(z); }; //= call id 3
  x += cilk_spawn lambda(13);           //= spawn operator 1
  std::function<int(int)> function = lambda;
  x += cilk_spawn function(14);         //= spawn operator 1
  auto generic = [](auto y) { return id((int)y); }; //= call id 1
  x += cilk_spawn generic(1L);          //= spawn operator 1
  std::string s = cilk_spawn text(3);   //= spawn text 1
  s = cilk_spawn text(4);               //= spawn text 1
  s += cilk_spawn text(5);              //= spawn text 1
  cilk_spawn text(6);                   //= spawn text 1
  const std::string &kept = cilk_spawn text(7); //= spawn text 1
  std::string sums = "a" + cilk_spawn text(3) + cilk_spawn text(4); //= spawn text 2
  std::vector<std::string> texts;
  texts.push_back(cilk_spawn text(7));  //= spawn text 1
  auto u = cilk_spawn owned(15);        //= spawn owned 1
  u = cilk_spawn owned(16);             //= spawn owned 1
  Big c = cilk_spawn big(2);            //= spawn big 1
  x += (int)text(cilk_spawn id(2)).size(); //= spawn id 1; call text 1
  int &y = cilk_spawn refer(x);         //= spawn refer 1
  y++;
  int converted = cilk_spawn boxed(3);  //= spawn boxed 1
  Wrapped w = cilk_spawn boxed(4);      //= spawn boxed 1
  Wrapped v(cilk_spawn text(6));        //= spawn text 1
  x += cilk_spawn many(1, 2, 3.0, "x"); //= spawn many 1
  std::vector<int> numbers{1, 2, 3};
  numbers[0] = cilk_spawn id(numbers[1]);     //= spawn id 1
  numbers.at(1) += cilk_spawn id(numbers[2]); //= spawn id 1
  if (int z = cilk_spawn id(17)) x += z;      //= spawn id 1
  for (int i : numbers) cilk_spawn id(i);     //= spawn id 3
  x += cilk_spawn doubled(id(2));             //= spawn doubled 1; call id 1
  constexpr int known = doubled(4);
  Built built(1), copied(2);                  //= call Built 2
  Heir heir;                                  //= call Heir 1
  Holder<int> holder = {5};
  x += holder.get(2);                         //= call get 1
  x += guarded(2);                            //= call guarded 1
  x += all(1, 2, 3);                          //= call all 1
  cilk_spawn { Counted counted = {x}; try { fail(0); } catch (int e) { x += e; } } //= spawn (block) 1; call fail 1
  cilk_sync;
  std::string two = both(std::string("ab")); //= call both 1
  x += both(20) + a.twice(21) + a.twice(22) + forward(lambda, 23) + known; //= call both 1; call twice 2
  std::printf("%d %zu %d %d %zu %d %d %d %zu\n", x, s.size(), *u, c.a[3], two.size(), converted, w.v + v.v, heir.a,
              kept.size() + sums.size() + texts[0].size() + built.b + copied.a);
}
