#!/bin/sh
# Functions that code without instrumentation enters, however the compiler copied or named them: what initialises static
# and thread-local objects, functions that are not to be instrumented, thunks, aliases, the assembler's part of a unit.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

# followed NAME: ./program says how often its function sum ran, and so does the profile, in which nothing is missing.
followed() {
  rm -f program.prof
  CILKPROF_OUT=program.prof ./program >program.stdout 2>program.stderr
  status=$?
  grep -v WHATIF program.stderr >said
  cilkprof-report -b --summary program program.prof >summary.txt 2>>said
  grep 'did not finish' summary.txt >>said
  calls=$(cilkprof-report --csv --no-demangle program program.prof 2>>said | tr -d '\r"' | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["callee"] == "sum" { sum += $at["on_work_local_count"] } END { print sum + 0 }')
  equal "$1" "0 $(cat program.stdout) " "$status $calls $(cat said)"
}

# The optimisers copy sum for its constant arguments and drop the one that is not used, split parted in two, and inline
# the rest as far as they may: the code that calls the copies is made up by the compiler, or marked.
cat >entries.cc <<'EOC'
#include <cstdio>
#include <cstdlib>
#define UNSEEN __attribute__((no_instrument_function, noinline))
static int made, calls;
extern "C" {
__attribute__((noinline)) static int sum(int n, int step, int *) {
  volatile int s = 0;
  calls++;
  for (int i = 0; i < n; i += step) s = s + i;
  return s;
}
}
static int parted(int n) {
  if (n < 3) return 1;
  volatile int s = 0;
  for (int i = 0; i < n; i++) s = s + sum(i, 1, nullptr);
  for (int i = 0; i < n; i++) s = s ^ sum(i, 2, nullptr);
  return s;
}
struct Last { ~Last() { printf("%d\n", calls); } };
static Last last;
struct A {
  int x;
  A(int n) : x(sum(n, 1, nullptr)) { made++; }
  ~A() { made -= sum(x & 7, 1, nullptr); }
};
A a(10), b(11);
static A c(12);
struct B { int y; B(); };
B::B() : y(parted(made + 2)) {}
B d, e;
int initial = sum(made, 2, nullptr) + parted(made);
UNSEEN int unseen(int n) { return sum(n, 3, nullptr) + parted(n); }
UNSEEN static void at_end() { sum(4, 1, nullptr); }
struct Left { virtual int left() { return 1; } virtual ~Left() {} };
struct Right { virtual int right(int) { return 2; } virtual ~Right() {} };
namespace {
struct Both : Left, Right { int right(int n) override { return sum(n, 5, nullptr); } };
}
UNSEEN int through_thunk(Right *r) { return r->right(9); }
int main() {
  atexit(at_end);
  Both both;
  made += sum(5, 1, nullptr) + parted(9) + unseen(20) + through_thunk(&both);
}
EOC
for options in count 'count -O2 -fno-inline' 'count -O3 -flto' 'hybrid -O2' \
  ${LONG:+'count -O2 -flto' 'count -O3' 'count -O1' 'count -O2' 'count -O2 -fcilkprof-inline' 'clock -O2'}; do
  holds "$options: compiles" c++ -w -fcilkprof=$options entries.cc -o program
  followed "$options: static objects, thunks, functions that are not instrumented"
done

# As it was found: a constructor that is copied, and no call of it that is instrumented.
cat >strings.cc <<'EOC'
#include <cstdio>
#include <string>
std::string s = "a", t = "b";
int main() { puts("0"); return s.size() == 3; }
EOC
for standard in 98 17 ${LONG:+14}; do
  c++ -O2 -std=c++$standard -fcilkprof=count strings.cc -o program
  followed "C++$standard: static strings"
  true_that 'of which the work is known' "$(whole Work) > 30"
done

# A local function by another name: of the compiler, the program, the assembler.
cat >thread.cc <<'EOC'
#include <cstdio>
#include <string>
extern thread_local int mine;
struct Member { static thread_local std::string name; };
template <class T> struct Each { static thread_local T value; };
template <class T> thread_local T Each<T>::value = T("xy");
inline thread_local std::string everywhere = std::string("every");
static int inside() { static thread_local std::string inner = "inner" + everywhere; return inner.size(); }
int main() {
  int all = mine + Member::name.size() + Each<std::string>::value.size() + everywhere.size() + inside();
  printf("1\n");
  return all != 24;
}
EOC
cat >variables.cc <<'EOC'
#include <string>
extern "C" __attribute__((noinline)) int sum(int n) { return n + 2; }
thread_local int mine = sum(2);
struct Member { static thread_local std::string name; };
thread_local std::string Member::name = "abc";
EOC
for options in count 'count -O2 -flto' 'clock -O2 -fPIC' \
  ${LONG:+'count -O2 -fno-inline' hybrid clock whatif 'count -O2' 'count -O0 -flto'}; do
  holds "$options: compiles" c++ -std=c++17 -fcilkprof=$options thread.cc variables.cc -o program
  followed "$options: thread-local variables of another file"
done
c++ -O2 -std=c++17 -fPIC -shared -fcilkprof=count variables.cc -o libvariables.so
c++ -O2 -std=c++17 -fcilkprof=count thread.cc -L. -lvariables -Wl,-rpath,. -o program
followed 'thread-local variables of a library'
c++ -O0 -std=c++17 -c thread.cc -o thread.o
c++ -O0 -std=c++17 -fcilkprof=count variables.cc thread.o -o program
followed 'thread-local variables, used by code without instrumentation'

cat >names.c <<'EOC'
static __attribute__((noinline, used)) int sum(int n) { volatile int x = n; return x + 1; }
int by_alias(int) __attribute__((alias("sum")));
static __attribute__((noinline, used)) int twice(int n) { return 2 * sum(n); }
__asm__(".globl by_assembler\n.set by_assembler, twice");
int own(int n) { return twice(n) + sum(n); }
EOC
cat >callers.c <<'EOC'
#include <stdio.h>
int by_alias(int), by_assembler(int), own(int);
int main(void) { printf("4\n"); return by_alias(1) + by_assembler(2) + own(3) != 20; }
EOC
cc -c callers.c -o callers.o
for options in count 'hybrid -O2' 'clock -O2' 'count -O2 -fcilkprof-inline'; do
  holds "$options: compiles" cc -fcilkprof=$options names.c callers.o -o program
  followed "$options: other names of a local function"
done

# What initialises a thread-local variable has one name, to those who call it and to those it calls.
cat >using.cc <<'EOC'
#include <cstdio>
struct Made { int value; Made(); };
extern thread_local Made mine;
int inside(int n);
int main() { int s = 0; for (int i = 0; i < 3; i++) s += mine.value + inside(i); std::printf("%d\n", s); }
EOC
cat >making.cc <<'EOC'
struct Made { int value; Made(); };
static volatile int sum;
__attribute__((noinline)) static int start() { for (int i = 0; i < 1000; i++) sum = sum + i; return 3; }
Made::Made() : value(start()) {}
thread_local Made mine;
static thread_local Made hidden;
int inside(int n) { return mine.value + hidden.value + n; }
EOC
for options in -O0 '-O2 -fcilkprof-outline' ${LONG:+-O1 -O2}; do
  compile $options -fcilkprof=count using.cc making.cc -lstdc++ -o using
  profile using
  equal "$options: thread-local variables are initialised" 30 "$(cat using.stdout)"
  equal "$options: by a function with one name" 'TLS init function for mine' \
    "$(awk -F, '/TLS init|__tls_init/ { for (i = 5; i <= 6; i++) if ($i ~ /TLS init|__tls_init/) print $i }' sites.csv | sort -u)"
  equal "$options: which calls the constructor, or what is left of it" 2 "$(awk -F, '$5 ~ /TLS init/ && $6 ~ /^(Made::Made|start)/ { sum += $15 } END { print sum + 0 }' sites.csv)"
done

# A naked function is what its author wrote, in assembler.
if [ "$(uname -m)" = x86_64 ]; then
  cat >naked.c <<'EOC'
#include <stdio.h>
__attribute__((naked)) int same(int x);
__attribute__((naked)) int same(int x) { __asm__("mov %edi, %eax; ret"); }
int main(void) {
  printf("%d\n", same(9));
  return 0;
}
EOC
  for mode in hybrid clock count whatif parallel; do
    for level in -O0 -O2; do
      in_turn 2 || continue
      compile $level -fcilkprof=$mode naked.c -o naked
      equal "a naked function, $mode, $level" 9 "$(CILKPROF_OUT=naked.prof ./naked 2>said)"
    done
  done
fi
finish
