#!/bin/sh
# Roots (CILKPROF_ROOT): invocations through a function, a call site, a loop or a region, each as a program of its own.  The
# oracle has the functions and call sites of random programs (test/oracle); here is what it does not know.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# totals PROGRAM ROOT: its work, span, burdened span, spawns, syncs and invocations, on one line.
totals() {
  cilkprof-report --format=json --root="$2" "$1" "$1.prof" >root.json 2>report-said || { cat report-said; return; }
  echo "$(sed -n 's/^"totals":{\(.*\)},*$/\1/p' root.json | tr -dc '0-9,' | tr ',' ' ') invocations" \
    "$(sed -n 's/.*"invocations":\([0-9]*\),.*/\1/p' root.json)"
}
# run PROGRAM ROOTS
run() {
  CILKPROF_ROOT=$2 CILKPROF_OUT=$1.prof $RUN "./$1" >"$1.stdout" 2>"$1.stderr" </dev/null
}

# The same work twice: once in a function, once between two marks, which cost nothing themselves.
cat >marks.c <<'EOC'
#include <cilk/cilk.h>
#include <cilkprof.h>
#include <setjmp.h>
#include <stdlib.h>
volatile unsigned x;
__attribute__((noinline)) unsigned leaf(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += i * x; return s; }
__attribute__((noinline)) unsigned fib(unsigned n) { if (n < 2) return leaf(n + 1); unsigned a = cilk_spawn fib(n - 1); unsigned b = fib(n - 2); cilk_sync; return a + b; }
__attribute__((noinline)) void f_joined(void) { cilkprof_start("joined"); cilk_spawn fib(9); leaf(50); cilk_sync; cilkprof_stop("joined"); }
__attribute__((noinline)) void f_open(void) { cilkprof_start("open"); cilk_spawn fib(9); leaf(50); cilkprof_stop("open"); cilk_sync; }
__attribute__((noinline)) void f_nest(unsigned n) { cilkprof_start("nest"); if (n) { f_nest(n - 1); fib(3); } cilkprof_stop("nest"); }
__attribute__((noinline)) void grains(void) { cilk_for (int i = 0; i < 10; i++) { cilkprof_start("iteration"); x += fib((unsigned)i); cilkprof_stop("iteration"); } }
__attribute__((noinline)) void f_beside(void) { cilk_spawn fib(12); cilkprof_start("beside"); fib(6); cilkprof_stop("beside"); cilk_sync; }
__attribute__((noinline)) void joins_others(void) { cilk_spawn fib(12); cilkprof_start("others"); fib(6); cilk_sync; cilkprof_stop("others"); }
__attribute__((noinline)) void begin(void) { cilkprof_start("helper"); leaf(3); }
__attribute__((noinline)) void helped(void) { begin(); fib(4); cilkprof_stop("helper"); }
jmp_buf back;
__attribute__((noinline)) void jumps(void) { cilkprof_start("jumped"); x += fib(4); longjmp(back, 1); }
__attribute__((noinline)) void six(void) { fib(6); }
__attribute__((noinline)) void f_ends(void) { cilkprof_start("ends"); fib(5); exit(0); }
int main(void) {
  f_joined(); f_open(); f_nest(5); grains(); f_beside(); joins_others(); helped(); six();
  if (!setjmp(back)) jumps();
  f_ends();
}
EOC
for form in -fcilkprof-inline -fcilkprof-outline; do
  compile -O2 -g -fcilkprof=count $form marks.c -o marks
  CILKPROF_ROOT='' CILKPROF_OUT=before.prof ./marks 2>/dev/null
  cilkprof-report --csv marks before.prof >before.csv
  run marks 'joined,open,nest,iteration,beside,jumped,ends,six'
  cilkprof-report --root= --csv marks marks.prof >after.csv
  same "$form: the whole program is measured as without roots" before.csv after.csv
  set -- $(totals marks joined) $(totals marks open)
  true_that "$form: a region without a sync at its end is joined there" "$1 - $8 == $2 - $9 && $1 - $8 < 10 && $8 > 1000 && $5 == ${12} && $4 == ${11}"
  holds "$form: it is a region, with a row of its own" grep -q '"callee":"region open"' root.json
  equal "$form: the outermost of nested regions" 'invocations 1' "$(totals marks nest | sed 's/.*inv/inv/')"
  equal "$form: every iteration is an invocation" 'invocations 10' "$(totals marks iteration | sed 's/.*inv/inv/')"
  # f_beside() makes the same call of fib(6) between its marks as six() makes.
  set -- $(totals marks six)
  six="$1 $2"
  set -- $(totals marks beside)
  true_that "$form: children that run beside a region are not its own" "$1 - ${six% *} == $2 - ${six#* } && $1 >= ${six% *} - 20 && $1 <= ${six% *} + 20"
  equal "$form: a jump ends a region" 'invocations 1' "$(totals marks jumped | sed 's/.*inv/inv/')"
  equal "$form: so does the end of the program" 'invocations 1' "$(totals marks ends | sed 's/.*inv/inv/')"
  run marks 'others,helper'
  grep -c 'could not be measured as a root every time' marks.stderr >count
  equal "$form: what is no program of its own is said, once each" 2 "$(cat count)"
  cilkprof-report --root= --summary marks marks.prof >summary.txt 2>&1
  holds "$form: and the profile can be read" grep -q '^  Work: ' summary.txt
done

# A function, its call sites, and all that is called there; files by parts of their names; blanks around names.
cat >calls.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
volatile unsigned x;
__attribute__((noinline)) void work(unsigned n) { for (unsigned i = 0; i < n; i++) x += i; }
__attribute__((noinline)) void solve(unsigned n) {
  cilk_spawn work(n);
  work(n / 2);
  cilk_sync;
}
static int compare(const void *a, const void *b) { work(4); return *(const int *)a - *(const int *)b; }
int main(void) {
  int numbers[8] = {7, 3, 5, 1, 8, 2, 6, 4};
  solve(10);
  solve(100);
  for (int i = 0; i < 3; i++)
    solve(1000);
  qsort(numbers, 8, sizeof *numbers, compare);
  void (*volatile by_address)(unsigned) = solve;
  by_address(10);
  return 0;
}
EOC
compile -O2 -g -fcilkprof=count calls.c -o calls
run calls ' solve , calls.c:13,calls.c:16,calls.c:19,qsort,compare,main,nothing'
equal 'all invocations of a function, also by its address' 'invocations 6' "$(totals calls solve | sed 's/.*inv/inv/')"
equal 'those of one call site' 'invocations 1' "$(totals calls calls.c:13 | sed 's/.*inv/inv/')"
equal 'in a loop' 'invocations 3' "$(totals calls calls.c:16 | sed 's/.*inv/inv/')"
equal 'an indirect call' "$(totals calls calls.c:13)" "$(totals calls calls.c:19)"
equal 'code without instrumentation' 'invocations 1' "$(totals calls qsort | sed 's/.*inv/inv/')"
holds 'what it calls is in it' grep -q '"callee":"compare"' root.json
cilkprof-report --summary -b --root= calls calls.prof | grep 'Work:\|Span:\|span:\|Spawns:\|Syncs:' >wanted
cilkprof-report --summary -b --root=main calls calls.prof | grep 'Work:\|Span:\|span:\|Spawns:\|Syncs:' >got
same 'main is the whole program' wanted got
echo 'cilkprof: nothing: no such function, call site or region was reached, or it was inlined; the profile has no such root' >wanted
same 'what is unknown is said in one line' wanted calls.stderr
run calls ' , '
echo 'cilkprof: CILKPROF_ROOT: names no function, call site or region; the profile is of the whole program' >wanted
same 'no name' wanted calls.stderr
run calls 'a,b,c,d,e,f,g,h,solve'
holds 'more than eight' grep -q '^cilkprof: solve: too many roots; the limit is eight$' calls.stderr

# Several at once are measured as each by itself; with contexts, and in every mode.
for root in solve calls.c:16 compare work; do
  run calls 'work,solve,calls.c:16,compare'
  totals calls $root >several
  run calls $root
  totals calls $root >alone
  same "$root: with others as alone" alone several
done
for mode in hybrid clock; do
  compile -O2 -g -fcilkprof=$mode calls.c -o timed
  CILKPROF_CONTEXTS=1 run timed 'solve,work'
  equal "$mode: invocations" 'invocations 6' "$(totals timed solve | sed 's/.*inv/inv/')"
  set -- $(totals timed solve)
  set -- "$1" "$2" $(cilkprof-report --format=json --root= timed timed.prof | sed -n 's/^"totals":{"work":\([0-9]*\),.*/\1/p')
  true_that "$mode: a part is no more than the whole" "$2 <= $1 && $1 <= $3"
done

# Exceptions end invocations; names of C++.
cat >thrown.cc <<'EOC'
#include <cilk/cilk.h>
namespace n { volatile unsigned x;
__attribute__((noinline)) void work(unsigned k) { for (unsigned i = 0; i < k; i++) x = x + i; }
__attribute__((noinline)) void solve(unsigned k) { cilk_spawn work(k); work(k); if (k > 10) throw 1; cilk_sync; }
__attribute__((noinline)) void solve(unsigned k, int) { work(k); } }
int main() { for (unsigned k = 9; k < 13; k++) try { n::solve(k); } catch (int) { n::work(2); } n::solve(3, 4); }
EOC
c++ -O2 -g -fcilkplus -fcilkprof=count thrown.cc -o thrown >compiler-said 2>&1 || give_up 'C++' compiler-said
run thrown 'n::solve,n::solve(unsigned int)'
equal 'invocations that end by exceptions' 'invocations 4' "$(totals thrown 'n::solve(unsigned int)' | sed 's/.*inv/inv/')"
equal 'a name without parameters is that of all' 'invocations 5' "$(totals thrown n::solve | sed 's/.*inv/inv/')"

# Brief names, as the report prints them, are those of all functions that may be meant.
cat >names.cc <<'EOC'
#include <vector>
volatile unsigned x;
__attribute__((noinline)) static void work(unsigned k) { for (unsigned i = 0; i < k; i++) x = x + i; }
namespace n {
template <class T> __attribute__((noinline)) unsigned sum(const T &v) { work(v.size()); return x; }
template <class T> __attribute__((noinline)) void only(T v) { work((unsigned)v); }
struct box { unsigned k; __attribute__((noinline)) void fill(int) const { work(k); } __attribute__((noinline)) void operator()(int) const { work(3); } };
__attribute__((noinline)) void solve(unsigned k) { work(k); }
__attribute__((noinline)) void solve(unsigned k, int) { work(k); } }
namespace { __attribute__((noinline)) void hidden(int k) { work((unsigned)k); } }
int main() {
  std::vector<int> a(5, 3); std::vector<double> b(4, 2.0);
  n::sum(a); n::sum(b); n::only(7); n::only(8); n::solve(3); n::solve(3, 4); n::box{2}.fill(1); n::box{1}(2); hidden(4);
  auto f = [](int i) __attribute__((noinline)) { work((unsigned)i); }; f(2);
}
EOC
c++ -std=c++17 -O1 -g -fcilkplus -fcilkprof=count names.cc -o names >compiler-said 2>&1 || give_up 'C++' compiler-said
CILKPROF_ROOT='' CILKPROF_OUT=names.prof ./names
cilkprof-report --sites -b names names.prof | sed -n 's/.* -> //p' | grep -v 'std::_\|^main$\|^callee$' | sort -u >printed
while read -r name; do
  run names "$name"
  case $name in
    n::solve\ *) holds "$name: its parameters are asked for" grep -q 'to choose one of several functions of that name, add its parameters; cilkprof-report --full-names' names.stderr ;;
    *) holds "$name: as it is printed" test ! -s names.stderr ;;
  esac
done <printed
equal 'so many names were tried' 10 "$(wc -l <printed)"
for pair in n::sum=2 'n::sum<std::vector> [double]=1' n::only=2 n::solve=2 'n::solve(unsigned int)=1' 'void n::only<int>(int)=2'; do
  run names "${pair%=*}"
  equal "${pair%=*}: invocations" "invocations ${pair##*=}" "$(totals names "${pair%=*}" | sed 's/.*inv/inv/')"
done
for name in sum n n::so 'n::sum [float]' n::solve::inner; do
  run names "$name"
  holds "$name: nothing is called so" grep -q 'no such function' names.stderr
done
run names 'n::solve(unsigned int),n::box::fill(int) const'
equal 'the report knows a root by its brief name' "$(totals names 'n::solve(unsigned int)')" "$(totals names n::solve)"

# A library that goes away inside of an invocation, by whatever thread.
cat >part.c <<'EOC'
volatile unsigned y;
__attribute__((noinline)) static void step(unsigned n) { for (unsigned i = 0; i < n; i++) y += i; }
void part(unsigned n);
void part(unsigned n) { step(n); step(2 * n); }
EOC
cat >unloads.c <<'EOC'
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <cilkprof.h>
volatile unsigned x;
static void *library;
__attribute__((noinline)) static void work(unsigned n) { for (unsigned i = 0; i < n; i++) x += i; }
static void *unload(void *how) { dlclose(library); return how; }
__attribute__((noinline)) static void solve(int by_thread) {
  pthread_t thread;
  library = dlopen("./part.so", RTLD_NOW);
  ((void (*)(unsigned))dlsym(library, "part"))(10);
  work(100);
  if (by_thread) {
    pthread_create(&thread, NULL, unload, NULL);
    pthread_join(thread, NULL);
  } else
    unload(NULL);
  work(200);
}
int main(void) {
  for (int i = 0; i < 6; i++) {
    cilkprof_start("round");
    solve(i % 2);
    cilkprof_stop("round");
  }
  work(300);
  return 0;
}
EOC
compile -O1 -g -fPIC -shared -fcilkprof=count part.c -o part.so
compile -O1 -g -fcilkprof=count unloads.c -ldl -lpthread -o unloads
for contexts in 0 1; do
  export CILKPROF_CONTEXTS=$contexts
  run unloads 'solve,round,part,step'
  equal "unloaded, contexts $contexts: the program runs" 0 $?
  equal "unloaded, contexts $contexts: invocations" 'invocations 6' "$(totals unloads solve | sed 's/.*inv/inv/')"
  equal "unloaded, contexts $contexts: also those of the library" 'invocations 12' "$(totals unloads step | sed 's/.*inv/inv/')"
  set -- $(totals unloads solve) $(totals unloads round)
  true_that "unloaded, contexts $contexts: nothing is lost" "$1 > 3000 && $8 > $1 && $8 - $1 < 100"
done
unset CILKPROF_CONTEXTS

# Without the variable the file is what it was: it has no record of roots.
run calls ''
cilkprof-report -i calls calls.prof >info.txt
holds 'without the variable there is no root' sh -c '! grep -q root.record info.txt'
finish
