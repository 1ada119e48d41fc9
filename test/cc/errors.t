#!/bin/sh
# Misuse of the keywords is an error with its place, with and without instrumentation.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >spawn.c <<'EOC'
#include <cilk/cilk.h>
int f(int);
int g(int x) {
  int y = cilk_spawn x + f(1);
  cilk_spawn x;
  y = cilk_spawn 3;
  return y + cilk_spawn f(x);
}
EOC
cat >twice.c <<'EOC'
#include <cilk/cilk.h>
int f(int);
int g(int x) {
  int y = cilk_spawn cilk_spawn f(x);
  _Cilk_spawn _Cilk_spawn f(y);
  return y;
}
EOC
cat >loop.c <<'EOC'
#include <cilk/cilk.h>
void f(int);
int g(int n) {
  cilk_for (int i = 0; i < n; i++) {
    if (i == 3)
      break;
    while (i) break;
    switch (i) { case 1: break; }
  }
  cilk_for (int i = 0; i < n; i++)
    for (;;) { if (i) return 1; }
  cilk_for (int i = 0; i < n; i++) f(i);
  return 0;
}
EOC
cat >grain.c <<'EOC'
#include <cilk/cilk.h>
void f(int);
void g(int n) {
#pragma cilk grainsize
  f(1);
#pragma cilk grainsize =
  f(2);
#pragma cilk grainsize = n
  f(3);
  cilk_for (int i = 0; i < n; i++) f(i);
}
void h(int n) {
#pragma cilk grainsize = "x"
  cilk_for (int i = 0; i < n; i++) f(i);
#pragma cilk grainsize = -1
  cilk_for (int i = 0; i < n; i++) f(i);
}
EOC
cat >unknown.c <<'EOC'
#include <cilk/cilk.h>
void f(int);
void g(int n) {
#pragma cilk grainsize = m
  cilk_for (int i = 0; i < n; i++) f(i);
}
EOC
printf 'int x;\n#pragma cilk grainsize = 3\n' >end.c
cat >block.c <<'EOC'
#include <cilk/cilk.h>
int f(int);
int g(int n) {
  while (n--) {
    cilk_spawn { f(1); break; }
    cilk_spawn { f(1); continue; }
    cilk_spawn { for (;;) break; }
  }
  cilk_spawn { if (f(2)) return 3; }
  cilk_spawn { goto out; }
out:
  return 0;
}
EOC
cat >goto.c <<'EOC'
#include <cilk/cilk.h>
void f(int);
void g(int n) {
  cilk_for (int i = 0; i < n; i++) {
    if (i == 1)
      goto inside;
    f(i);
  inside:
    f(2);
  }
  cilk_for (int i = 0; i < n; i++)
    for (;;) {
      f(i);
      if (i) { goto outside; }
    }
outside:
  f(3);
}
EOC
cat >assembler.c <<'EOC'
#include <cilk/cilk.h>
void f(int);
void g(int n) {
  cilk_for (int i = 0; i < n; i++) {
    __asm__ goto("" : : : : inside);
    f(i);
  inside:
    f(2);
  }
  cilk_scope { __asm__ goto("" : : : : outside); f(1); }
  cilk_for (int i = 0; i < n; i++)
    __asm__ goto("" : : : : outside);
  cilk_spawn { __asm__ goto("" : : : : outside); }
outside:
  f(3);
}
EOC
cat >scope.c <<'EOC'
#include <cilk/cilk.h>
int f(int);
int g(int n) {
  for (int i = 0; i < n; i++) cilk_scope { if (f(i)) break; if (f(2)) continue; f(3); }
  switch (n) { case 1: cilk_scope { break; } }
  cilk_scope { f(1); break; }
  cilk_scope { cilk_scope { continue; } }
  cilk_scope { if (n) return 3; goto out; }
out:
  return 0;
}
EOC
cat >condition.c <<'EOC'
#include <cilk/cilk.h>
int f(int);
int g(int n) {
  if (cilk_spawn f(1)) n++;
  while (n + cilk_spawn f(2)) n++;
  do n++; while (cilk_spawn f(3));
  for (; cilk_spawn f(4); n++) n++;
  switch (cilk_spawn f(5)) { default: n++; }
  n = cilk_spawn f(6) ? 1 : 2;
  n = n ? cilk_spawn f(6) : 2;
  for (cilk_spawn f(7); n < 20; cilk_spawn f(8)) n++;
  if (({ cilk_spawn f(9); cilk_sync; n; })) n++;
  cilk_for (int i = 0; ; i++) f(i);
  cilk_for (int i = 0; i < n; ) f(i);
  return n;
}
EOC
for name in condition twice scope spawn loop grain unknown end goto assembler block; do cp $name.c $name.cc; done
for options in '-fcilkplus' '-fcilkplus -fcilkprof'; do
  for end in c cc; do
    rejects "$end $options: cilk_spawn before a sum" 4:11 'cilk_spawn.* must be followed by a function call' spawn.$end $options
    rejects "$end $options: cilk_spawn before a name" 5:3 'cilk_spawn.* must be followed by a function call' spawn.$end $options
    rejects "$end $options: cilk_spawn before a number" 6:7 'cilk_spawn.* must be followed by a function call' spawn.$end $options
    equal "$end $options: and no other error" 3 "$(grep -c error: said)"
    for place in 4:7 5:14 6:18 7:10 8:11 9:7; do
      rejects "$end $options: a spawn in a condition" $place 'cilk_spawn.* cannot be used in a condition' condition.$end $options
    done
    rejects "$end $options: a cilk_for without a condition" '13:[0-9]*' 'needs a condition and a step' condition.$end $options
    rejects "$end $options: a cilk_for without a step" '14:[0-9]*' 'needs a condition and a step' condition.$end $options
    equal "$end $options: and no other error" 8 "$(grep -c error: said)"
    rejects "$end $options: two keywords" 4:22 'cilk_spawn. directly after' twice.$end $options
    rejects "$end $options: two keywords without the header" 5:15 'cilk_spawn. directly after' twice.$end $options
    equal "$end $options: and no other error" 2 "$(grep -c error: said)"
    rejects "$end $options: break out of a cilk_for" 6:7 'break.* out of a .cilk_for' loop.$end $options
    rejects "$end $options: return out of a cilk_for" 11:30 'return.* out of a .cilk_for' loop.$end $options
    equal "$end $options: and no other error" 2 "$(grep -c error: said)"
    rejects "$end $options: a grain size that is missing" '4:[0-9]*' 'needs an expression' grain.$end $options
    rejects "$end $options: a grain size that is missing behind its =" 6:24 'needs an expression' grain.$end $options
    rejects "$end $options: a grain size that is a text" '1[34]:[0-9]*' 'needs a positive integer' grain.$end $options
    rejects "$end $options: a grain size that is negative" '1[56]:[0-9]*' 'needs a positive integer' grain.$end $options
    equal "$end $options: and no other error" 4 "$(grep -c error: said)"
    equal "$end $options: a grain size without a loop" 1 "$(grep -c ':8:26: warning: .*is not followed by a .cilk_for' said)"
    rejects "$end $options: a grain size that is not declared" 4:26 'm. .*declared' unknown.$end $options
    equal "$end $options: and no other error" 1 "$(grep -c error: said)"
    holds "$end $options: a grain size at the end" sh -c "$([ $end = c ] && echo cc || echo c++) $options -c end.$end 2>&1 |
      grep -q '2:26: warning: .*is not followed by a .cilk_for'"
    rejects "$end $options: a break in a scope, outside of loops" 6:22 'break.* not within a loop' scope.$end $options
    rejects "$end $options: a continue in a scope, outside of loops" 7:29 'continue.* not within a loop' scope.$end $options
    equal "$end $options: and no other error" 2 "$(grep -c error: said)"
    rejects "$end $options: break out of a spawned block" 5:24 'break.* out of a .cilk_spawn' block.$end $options
    rejects "$end $options: continue out of a spawned block" 6:24 'continue.* out of a .cilk_spawn' block.$end $options
    rejects "$end $options: return out of a spawned block" '9:[0-9]*' 'return.* out of a .cilk_spawn' block.$end $options
    rejects "$end $options: goto out of a spawned block" '10:[0-9]*' 'goto.* out of a .cilk_spawn' block.$end $options
    equal "$end $options: and no other error" 4 "$(grep -c error: said)"
    rejects "$end $options: goto out of a cilk_for" '14:[0-9]*' 'goto.* out of a .cilk_for' goto.$end $options
    equal "$end $options: and no other error" 1 "$(grep -c error: said)"
    rejects "$end $options: asm goto out of a cilk_for" '12:[0-9]*' 'asm goto.* out of a .cilk_for' assembler.$end $options
    rejects "$end $options: asm goto out of a spawned block" '13:[0-9]*' 'asm goto.* out of a .cilk_spawn' assembler.$end $options
    equal "$end $options: and no other error" 2 "$(grep -c error: said)"
  done
done

# Where nothing stands that could be called, wherever that is.
cat >nothing.c <<'EOC'
#include <cilk/cilk.h>
int f(int);
void g1(void) { cilk_spawn; }
void g2(void) { int x = cilk_spawn 3; (void)x; }
void g3(void) { f(3); cilk_spawn; }
void g4(void) { int x = cilk_spawn -f(1); (void)x; }
void g5(void) { int a[3] = { cilk_spawn 3 }; (void)a; }
void g6(void) { static int y; y = cilk_spawn y; }
int x = cilk_spawn 3;
#define SPAWN(what) cilk_spawn what
void g7(void) { SPAWN(); SPAWN(f(2)); }
EOC
cp nothing.c nothing.cc
printf 'template <class T> void never(T t) { cilk_spawn; f(t); }\n' >>nothing.cc
for options in -fcilkplus '-fcilkplus -fcilkprof'; do
  for file in nothing.c nothing.cc; do
    for where in 3:17 4:25 5:23 6:25 7:30 8:35 9:9 10:21; do
      rejects "$file $options: cilk_spawn before nothing" $where 'cilk_spawn.* must be followed by a function call' $file $options
    done
  done
  rejects "$file $options: in a template that is not used" 12:38 'cilk_spawn.* must be followed by a function call' $file $options
  equal "$options: and no other error" 9 "$(grep -c error: said)"
done

# Outside of functions nothing runs beside anything.
printf '%s\n' '#include <cilk/cilk.h>' 'int f(int);' 'int x = cilk_spawn f(3);' >variable.cc
printf '%s\n' '#include <cilk/cilk.h>' 'constexpr int f(int x) { return x; }' 'int x = cilk_spawn f(3);' >constant.cc
printf '%s\n' '#include <cilk/cilk.h>' 'int f(int);' 'thread_local int x = 2 + cilk_spawn f(3);' 'int y = x;' >thread.cc
for options in -fcilkplus '-fcilkplus -fcilkprof'; do
  rejects "$options: cilk_spawn before the initializer of a variable" 3:9 'cilk_spawn.* outside of a function' variable.cc $options
  rejects "$options: which is a constant" 3:9 'cilk_spawn.* outside of a function' constant.cc $options
  rejects "$options: or one of each thread" 3:26 'cilk_spawn.* outside of a function' thread.cc $options
done

# What is never evaluated, or when it is compiled, spawns nothing: that is said.  Of a template, an instance may not have
# all parts.
cat >gone.cc <<'EOC'
#include <cilk/cilk.h>
int f(int);
constexpr int square(int x) { return x * x; }
void h1() { int x = 1 ? 2 : cilk_spawn f(1); (void)x; } //!
int h2() { return 1 ? 2 : cilk_spawn f(1); } //!
int h3() { return 0 && cilk_spawn f(1); } //!
int h4() { return sizeof(cilk_spawn f(1)); } //!
void h5() { static_assert(!noexcept(cilk_spawn f(1)), ""); } //!
void h6() { decltype(cilk_spawn f(1)) x = 3; (void)x; } //!
void h7() { constexpr int x = cilk_spawn square(3); (void)x; } //!
template <class T> int t1() { return 1 ? 2 : cilk_spawn f(T(1)); } //!
template <int N> int t2() { return N ? 2 : cilk_spawn f(1); }
template <int N> int t3() { if constexpr (N > 3) return cilk_spawn f(N); else return 3; }
template <class T> int t4() { return cilk_spawn f(T(1)); }
template <class F> int apply(F g) { return sizeof g; }
template <class F> int call(F g) { return g(3); }
int h8() { return t1<int>() + t2<1>() + t2<0>() + t3<1>(); }
int h9() { auto l = [](auto x) { return cilk_spawn f(x); }; return apply([](auto x) { return cilk_spawn f(x); }) + sizeof l; }
int h10() { int k = 3; auto l = [&](auto x) { return cilk_spawn f(x + k); }; return call(l); }
template <class T> int t5() { auto l = [](int x) { int y = cilk_spawn f(x); cilk_sync; return y; }; return call(l); }
int h11() { return t5<int>(); }
int h12() { if constexpr (false) return cilk_spawn f(2); return 2; }
struct S { int m() { struct L { int n() { return cilk_spawn f(2); } }; return L().n(); } };
int everywhere = [] { int y = cilk_spawn f(2); cilk_sync; return y; }();
#define DEFINE(name) int name(int x) { int y = cilk_spawn f(x); cilk_sync; return y; }
#define BOTH(a, b) template <class T> DEFINE(a) DEFINE(b)
BOTH(d1, d2)
EOC
grep -n '//!' gone.cc | sed 's/:.*//' >wanted
for options in -fcilkplus '-fcilkplus -fcilkprof'; do
  c++ -std=c++17 $options -c gone.cc 2>said
  sed -n 's/^gone.cc:\([0-9]*\):[0-9]*: warning: .cilk_spawn. spawns nothing: no call is left to spawn; what is left of it runs serially/\1/p' said | sort -n >got
  same "$options: what spawns nothing in C++" wanted got
  equal "$options: and nothing else is said" "$(wc -l <wanted)" "$(grep -c 'error:\|warning:' said)"
done

# Never in silence: a function that C has built in may leave no call.
printf '%s\n' '#include <cilk/cilk.h>' '#include <stdlib.h>' 'int g(void) {' '  int x = cilk_spawn abs(-3);' '  return x; }' >gone.c
cc -fcilkplus -c gone.c 2>said
equal 'a call that is evaluated by the compiler' 1 "$(grep -c '^gone.c:4:11: warning: .*spawns nothing' said)"

printf '%s\n' '#include <cilk/cilk.h>' 'struct S { S(int); };' 'S *g() { S *s = cilk_spawn new S(3); return s; }' \
  'void h() { S s = cilk_spawn S(3); }' >made.cc
c++ -fcilkplus -c made.cc 2>said
equal 'a variable that is constructed: it still is' 1 "$(grep -c '^made.cc:4:18: warning: .*spawns nothing: .* runs serially' said)"
equal 'an object that is made by new' 1 "$(grep -c '^made.cc:3:17: warning: .*spawns nothing' said)"

# A coroutine is cut into pieces before its keywords can be found.  A sync in one needs nothing.
cat >coroutine.cc <<'EOC'
#include <cilk/cilk.h>
#include <coroutine>
struct task {
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
int f(int x) { return x; }
task syncs() { cilk_sync; co_return; }
#ifdef MISUSE
task misused() {
  int a = cilk_spawn f(3);
  cilk_for (int i = 0; i < 3; i++) a += f(i);
  cilk_scope { a += f(2); }
  cilk_spawn { a += f(2); }
  co_return;
}
#endif
int main() { syncs(); }
EOC
for options in '-fcilkplus' '-fcilkplus -fcilkprof'; do
  holds "$options: cilk_sync in a coroutine" sh -c "c++ -std=c++20 $options coroutine.cc -o coroutine && $RUN ./coroutine"
  place=16
  for what in 11:cilk_spawn 3:cilk_for 3:cilk_scope 3:cilk_spawn; do
    rejects "$options: ${what#*:} in a coroutine" "$place:${what%:*}" "${what#*:}. is not supported in a coroutine" \
      coroutine.cc -std=c++20 -DMISUSE $options
    place=$((place + 1))
  done
done
# Values that are copied to where they are needed.  What a lambda in them spawns is its own.
cat >copied.cc <<'EOC'
#include <cilk/cilk.h>
int f(int);
struct S { int a = cilk_spawn f(3); };
struct T { int a = cilk_spawn f(4); T() {} T(int) : a(1) {} };
template <class X> struct U { X a = 1 + cilk_spawn f(5); };
int g(int x = cilk_spawn f(6));
struct V { int m(int x = cilk_spawn f(7)) { return x; } };
int h() {
  struct L { int a = cilk_spawn f(8); } l;
  return l.a + S().a + T().a + U<int>().a + g() + V().m();
}
struct M { int a = [] { int x = cilk_spawn f(9); cilk_sync; return x; }(); };
EOC
for options in -fcilkplus '-fcilkplus -fcilkprof'; do
  for where in 3:20 4:20 5:41 9:22; do
    rejects "$options: cilk_spawn in a default member initializer" $where 'cilk_spawn. in a default member' copied.cc $options
  done
  for where in 6:15 7:26; do
    rejects "$options: cilk_spawn in a default argument" $where 'cilk_spawn. in a default argument' copied.cc $options
  done
  grep -c error: said >got
  echo 6 >wanted
  same "$options: no other errors" wanted got
done

# Pointers of another size, where this compiler has them: one line says so.
echo 'int f(int n) { return n + 1; }' >small.c
cp small.c small.cc
for option in -m32 -mx32 -mabi=ilp32; do
  gcc $option -c small.c -o small.o 2>/dev/null || continue
  for compile in 'cc small.c' 'c++ small.cc'; do
    holds "$option, $compile: there is no engine" sh -c "! ${compile% *} -fcilkplus -fcilkprof $option -c ${compile#* } -o small.o >small.said 2>&1"
    equal "$option, $compile: one line says so" '1 1' "$(grep -c 'error' small.said) $(grep -c 'with 32-bit pointers cannot be profiled' small.said)"
    holds "$option, $compile: without a profile it compiles" ${compile% *} -fcilkplus $option -c "${compile#* }" -o small.o
  done
done

# A call that is not complete, with more keywords behind it: ordinary errors, where it is.
for missing in '1;' '1,;'; do
  printf '%s\n' '#include <cilk/cilk.h>' 'int f(int);' 'int g(void) {' "  int x = cilk_spawn f($missing" '  int y = cilk_spawn f(2);' \
    '  cilk_sync;' '  return x + y;' '}' >missing.c
  cp missing.c missing.cc
  for file in missing.c missing.cc; do
    for options in -fcilkplus '-fcilkplus -fcilkprof' '-fcilkplus -fcilkprof=parallel'; do
      rejects "$file $options: f($missing" '4:2[0-9]' 'expected' $file $options
      holds "$file $options: f($missing and nothing is confused" sh -c '! grep -i "internal compiler error\|confused" said'
    done
  done
done

# What GCC itself says of a keyword has its name.
cat >constant-function.cc <<'EOC'
#include <cilk/cilk.h>
constexpr int f(int x) { cilk_sync; return x; }
constexpr int g(int x) { cilk_for (int i = 0; i < 3; i++) x += i; return x; }
constexpr int h(int x) { cilk_scope { x++; } return x; }
constexpr int i(int x) { cilk_spawn { x++; } return x; }
int j(int x) { return (cilk_sync, x) + cilk_sync; }
EOC
for options in -fcilkplus '-fcilkplus -fcilkprof' '-fcilkplus -fcilkprof=parallel'; do
  line=2
  for keyword in sync for scope spawn; do
    rejects "$options: cilk_$keyword in a constexpr function" $line:26 "cilk_$keyword(" constant-function.cc -std=c++17 $options
    line=$((line + 1))
  done
  rejects "$options: cilk_sync as a value" '6:[0-9]*' 'void' constant-function.cc -std=c++17 $options
  holds "$options: no names of our own" sh -c '! grep __cilkprof said'
done

# A file that ends behind a keyword, and a reducer whose size is not known yet.
printf '#include <cilk/cilk.h>\nint f(void) {\n  return cilk_spawn' >ends.c
cat >incomplete.c <<'EOC'
#include <cilk/cilk.h>
void empty(void *);
void join(void *, void *);
void use(struct later *);
extern struct later cilk_reducer(empty, join) all;
void g(void) { use(&all); }
EOC
cp ends.c ends.cc
for options in -fcilkplus '-fcilkplus -fcilkprof' '-fcilkplus -fcilkprof=parallel'; do
  for file in ends.c ends.cc; do
    rejects "$file $options: a file ends behind cilk_spawn" '3:[0-9]*' 'end of input' $file $options
    holds "$file $options: and nothing else is said" sh -c '! grep "__cilkprof\|internal compiler" said'
  done
  case $options in
  *fcilkprof) ;;
  *) rejects "$options: a reducer of an incomplete type" '6:[0-9]*' 'type of a reducer is incomplete' incomplete.c -w $options ;;
  esac
done
finish
