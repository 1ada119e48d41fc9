#!/bin/sh
# What-if: the span without a candidate, by hand; names of candidates; what is said of those that cannot be used.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# Two paths side by side: `long_way' hides `short_way', and both have `step' in them.
cat >paths.c <<'END'
#include <cilk/cilk.h>
#include <stdlib.h>
volatile unsigned sink;
__attribute__((noinline)) void step(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i; }
__attribute__((noinline)) void long_way(void) { step(30000); }
__attribute__((noinline)) void short_way(void) { step(20000); }
__attribute__((noinline)) static int by_address(const void *a, const void *b) { step(10); return *(const char *)a - *(const char *)b; }
int main(void) {
  char text[] = "zyxwvutsrqponmlkjihgfedcba";
  int (*volatile through)(const void *, const void *) = by_address;
  cilk_spawn long_way();
  short_way();
  cilk_sync;
  through(text, text + 1);
  cilk_for (int i = 0; i < 100; i++)
    step(i == 50 ? 5000 : 10);
  qsort(text, sizeof text - 1, 1, by_address);
  return 0;
}
END
compile -O2 -fcilkprof=whatif paths.c -o paths
compile -O2 -fcilkprof=count paths.c -o counted
loop=$(sed -n '/cilk_for/=' paths.c)

# asked CANDIDATES: runs it; value CANDIDATE FASTER count, work or span.
asked() {
  CILKPROF_WHATIF=$1 profile paths
  "$BUILD_DIR/test/libcilkprof/whatifs" paths.prof >whatifs
}
value() {
  awk -v candidate="$1" -v faster="$2" -v column="$3" '
    BEGIN { at["count"] = 3; at["work"] = 4; at["span"] = 5 }
    $1 == candidate && $2 == faster { print $at[column] }' whatifs
}

asked "long_way,short_way/4,step,paths.c:$loop/10,by_address,main"
whole_span=$(whole Span) whole_work=$(whole Work)
long=$(field long_way on_work_top_call_site_work) short=$(field short_way on_work_top_call_site_work)
equal 'the program says what it says' '' "$(cat paths.stderr)"
own=$(($(value long_way 0 span) - (whole_span - long + short))) # of main, before it takes the short way
true_that 'without the long way the short one remains: span' "$own >= 0 && $own < 10"
equal '... work' $((whole_work - long)) "$(value long_way 0 work)"
equal 'without the short way nothing changes on the span' "$whole_span" "$(value short_way 0 span)"
equal '... and if it were four times as fast' $((whole_span * 4)) "$(value short_way 4 span)"
equal '... but its work does' $((4 * whole_work - 3 * short)) "$(value short_way 4 work)"
equal 'half of the long way is shorter than the short one' $((2 * (whole_span - long + short + own))) "$(value long_way 2 span)"
equal 'the loop at its line' $((whole_span - $(field "main>cilk_for paths.c:$loop" on_work_top_call_site_span))) "$(value "paths.c:$loop" 0 span)"
equal 'a callback and a call through a pointer are the same function' \
  "$(($(field 'main>by_address' on_work_local_count) + $(field '<spontaneous>>by_address' on_work_local_count)))" "$(value by_address 0 count)"
equal 'without main nothing is left: work' 0 "$(value main 0 work)"
equal '... span' 0 "$(value main 0 span)"
cp sites.csv asked.csv
CILKPROF_WHATIF='' profile counted
same 'all other numbers are those of count mode' sites.csv asked.csv

# Events that are called, frames in memory: the same.
mv whatifs inlined
for form in -fcilkprof-outline '-fexceptions -fno-inline'; do
  compile -O2 -fcilkprof=whatif $form paths.c -o paths
  asked "long_way,short_way/4,step,paths.c:$loop/10,by_address,main"
  same "the same with $form" inlined whatifs
done
compile -O2 -fcilkprof=whatif paths.c -o paths

# What cannot be used is said, in one line each, and the run goes on.
said() {
  CILKPROF_WHATIF=$2 CILKPROF_OUT=said.prof ./$1 2>&1
}
unreached='no such function or call site was reached, or it was inlined; its what-if is left out'
nothing='only the case that it costs nothing is computed'
no_factor="its factor is not a whole number from 2 to 100; $nothing"
equal 'a name that is not there' "cilkprof: nowhere: $unreached" "$(said paths nowhere,step)"
equal '... named twice' "cilkprof: nowhere: $unreached" "$(said paths nowhere,nowhere/3)"
for factor in /1 /101 /2.5 /-1 / /x /99999999999999999999; do
  equal "the factor $factor" "cilkprof: step$factor: $no_factor" "$(said paths "step$factor,main")"
done
equal 'a place and no factor' "cilkprof: a/2.c:3: $unreached" "$(said paths a/2.c:3)"
equal 'factors without a small common multiple' \
  "cilkprof: main/83: its factor and those before it have no common multiple up to 10000; $nothing" \
  "$(said paths step/97,long_way/89,main/83)"
"$BUILD_DIR/test/libcilkprof/whatifs" said.prof >whatifs
equal '... the last one is asked for without it' '0 0 0' "$(value main 0 work) $(value main 0 span) $(grep -c '^main [1-9]' whatifs)"
equal 'eight candidates' 'cilkprof: main/12: too many candidates; the limit is seven' \
  "$(said paths main,main/3,main/4,main/5,main/6,main/8,main/10,main/12)"
equal 'seven, and some of them again' '' "$(said paths 'main,main/3, main/4 ,main/5,,main/6,main/2,main/3,main,main/8,main/10,')"
"$BUILD_DIR/test/libcilkprof/whatifs" said.prof | cut -d' ' -f1,2 | tr '\n' ' ' >got
equal '... each is answered once' 'main 0 main 2 main 3 main 4 main 5 main 6 main 8 main 10 ' "$(cat got)"
equal 'a factor of nothing' 'cilkprof: /3: names no function or call site; it is left out' "$(said paths /3,main)"
for list in '' , ' , '; do
  equal "no candidate: '$list'" 'cilkprof: CILKPROF_WHATIF: names no candidate; no what-if is computed' "$(said paths "$list")"
done
equal 'a program that was not built for it' \
  'cilkprof: CILKPROF_WHATIF: this program was not built for what-if questions; compile it with -fcilkprof=whatif' \
  "$(said counted main)"

# Two calls of one line are told apart by their columns; without, they are one candidate.
cat >line.c <<'END'
__attribute__((noinline)) static int small(volatile int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }
__attribute__((noinline)) static int large(volatile int n) { int sum = 1; for (int i = 0; i < n; i++) sum += i; return sum; }
int main(void) {
  return small(100) > large(1000);
}
END
compile -O2 -fcilkprof=whatif line.c -o line
CILKPROF_WHATIF=main profile line
column() {
  awk -F, -v callee="$1" '{ gsub(/"/, "") } $6 == callee { print $3 }' sites.csv
}
small=$(column small) large=$(column large)
true_that 'the calls are in different columns' "$small > 0 && $large > $small"
CILKPROF_WHATIF="line.c:4,line.c:4:$small,line.c:4:$large,line.c:4:$((large + 1))" profile line
"$BUILD_DIR/test/libcilkprof/whatifs" line.prof >whatifs
whole_work=$(whole Work) of_small=$(field small on_work_top_call_site_work) of_large=$(field large on_work_top_call_site_work)
equal 'both calls of the line' $((whole_work - of_small - of_large)) "$(value line.c:4 0 work)"
equal 'the first, by its column' $((whole_work - of_small)) "$(value "line.c:4:$small" 0 work)"
equal 'the second' $((whole_work - of_large)) "$(value "line.c:4:$large" 0 work)"
equal 'a column without a call' "cilkprof: line.c:4:$((large + 1)): $unreached" "$(cat line.stderr)"

# Loops and static functions as the report prints them.
asked "cilk_for paths.c:$loop,paths.c:$loop,cilk_for paths.c:$((loop + 1))"
equal 'a loop by its name' "$(value "paths.c:$loop" 0 span)" "$(sed -n "s/^cilk_for paths.c:$loop 0 1 [0-9]* //p" whatifs)"
equal '... not the calls of a line' "cilkprof: cilk_for paths.c:$((loop + 1)): $unreached" "$(cat paths.stderr)"
cat >one.c <<'END'
__attribute__((noinline)) static int same(volatile int n) { return n; }
int two(void);
int main(void) { return same(1) - 1 + two(); }
END
cat >two.c <<'END'
__attribute__((noinline)) static int same(volatile int n) { return n; }
int two(void);
int two(void) { return same(2) + same(3) - 5; }
END
for form in '' -flto; do
  compile -O2 -fcilkprof=whatif $form one.c two.c -o same
  CILKPROF_WHATIF='same,same (one.c),same (two.c),same (e.c)' CILKPROF_OUT=same.prof $RUN ./same >said 2>&1
  "$BUILD_DIR/test/libcilkprof/whatifs" same.prof | sed -n 's/ 0 \([0-9]*\) [0-9]* [0-9]*$/: \1/p' >got
  printf '%s\n' 'same: 3' 'same (one.c): 1' 'same (two.c): 2' >wanted
  same "static functions of one name $form" wanted got
  equal '... in no such file' "cilkprof: same (e.c): $unreached" "$(cat said)"
done

# C++: every name as the report prints it, and every symbol, with the number of its calls.
cat >names.cc <<'END'
#include <cilk/cilk.h>
#define ALONE __attribute__((noinline))
static volatile int sink;
namespace { ALONE void hidden(int n) { sink = n; } }
namespace tools {
static ALONE void local(int n, int m) { sink = n + m; }
struct box {
  int n;
  ALONE box(int n) : n(n) { sink = n; }
  ALONE ~box() { sink = n; }
  ALONE int turn(int m) const { return sink = m; }
  ALONE bool operator<(int m) const { return sink = m; }
  ALONE int operator>>(int m) const { return sink = m; }
  ALONE int operator,(int m) const { return sink = m; }
  ALONE int operator/(int m) const { return sink = m; }
  ALONE int operator()(int m, int k) const { return sink = m + k; }
  ALONE const box *operator->() const { sink = n; return this; }
  ALONE operator int() const { return sink = n; }
};
template <class T, int N> struct pair { ALONE void put(T n) { sink = n; } };
template <class T, int N> ALONE T times(T n) { sink = n; return N * n; }
}
ALONE void over(int n) { sink = n; }
ALONE void over(double n) { sink = n; }
ALONE bool operator==(const tools::box &a, const tools::box &b) { return sink = a.n == b.n; }
ALONE void *operator new[](unsigned long bytes, int n) { static char memory[64]; sink = n; return bytes ? memory : 0; }
int main() {
  auto lambda = [](int n) ALONE { sink = n; };
  tools::box box(1);
  hidden(1), tools::local(2, 3), tools::pair<int, 3>().put(4), tools::times<int, 8>(5), tools::times<long, 8>(6);
  sink = box->turn(1), sink = box < 2, sink = box >> 3, sink = (box, 4), sink = box / 5, sink = box(6, 7);
  sink = (int)box, sink = box == box, sink = *new (1) char[2];
  over(1), over(2), over(3.0), lambda(4);
  cilk_for (int i = 0; i < 3; i++) sink = i;
  return 0;
}
END
c++ -O2 -fcilkplus -fcilkprof=whatif names.cc -o names || give_up 'names.cc'
cat >wanted <<END
(anonymous namespace)::hidden: 1
(anonymous namespace)::hidden(int): 1
tools::local: 1
tools::local(int, int): 1
tools::box::box: 1
tools::box::box(int): 1
tools::box::~box: 1
tools::box::~box(): 1
tools::box::turn: 1
tools::box::turn(int) const: 1
tools::box::operator<: 1
tools::box::operator<(int) const: 1
tools::box::operator>>: 1
tools::box::operator>>(int) const: 1
tools::box::operator,: 1
tools::box::operator,(int) const: 1
tools::box::operator/: 1
tools::box::operator/(int) const: 1
tools::box::operator(): 1
tools::box::operator()(int, int) const: 1
tools::box::operator->: 1
tools::box::operator->() const: 1
tools::box::operator int: 1
tools::box::operator int() const: 1
tools::pair<int, 3>::put: 1
tools::pair<int, 3>::put(int): 1
tools::times<int, 8>: 1
int tools::times<int, 8>(int): 1
long tools::times<long, 8>(long): 1
_ZN5tools5timesIlLi8EEET_S1_: 1
over: 3
over(int): 2
over(double): 1
_Z4overd: 1
operator==: 1
operator==(tools::box const&, tools::box const&): 1
operator new[]: 1
operator new[](unsigned long, int): 1
main::{lambda(int)#1}::operator(): 1
main::{lambda(int)#1}::operator()(int) const: 1
cilk_for names.cc:$(sed -n '/cilk_for/=' names.cc): 1
main: 1
END
# Seven at a time, with a factor or without.
sed 's/: [0-9]*$//' wanted | awk '
  { list = list (list != "" ? (NR % 2 ? " ," : ",") : "") $0 (NR % 3 ? "" : "/3") }
  NR % 7 == 0 { print list; list = "" }
  END { if (list != "") print list }' >lists
: >said
: >got
while IFS= read -r list; do
  CILKPROF_WHATIF=$list CILKPROF_OUT=names.prof $RUN ./names >>said 2>&1
  "$BUILD_DIR/test/libcilkprof/whatifs" names.prof | sed -n 's/ 0 \([0-9]*\) [0-9]* [0-9]*$/: \1/p' >>got
done <lists
same 'C++ functions are found by their names and symbols' wanted got
equal '... and nothing is said of them' '' "$(cat said)"
for mangled in '' --no-demangle; do
  cilkprof-report $mangled --csv names names.prof
  cilkprof-report $mangled -b --sites names names.prof
done >printed 2>&1
sed 's/: [0-9]*$//' wanted | while IFS= read -r name; do grep -qF -- "$name" printed || echo "$name"; done >got
equal '... which are those of the report' '' "$(cat got)"
equal 'parameters of none' "cilkprof: over(char): $unreached" "$(said names 'over(char),over')"

# The commands that the report prints: run as they are they answer, and touch nothing.
mkdir x y
echo '__attribute__((noinline)) int leaf(int n) { return n; }' >leaf.c
cat >x/u.c <<'END'
volatile unsigned sink;
int leaf(int n);
void ux(unsigned n) { for (unsigned i = 0; i < n; i++) sink += leaf(i); }
END
printf '%s\n' '#include <cilk/cilk.h>' 'extern "C" void ux(unsigned n);' 'static void uy(unsigned n)' '{ ux(n); }' \
  'int main() { cilk_spawn uy(20000);' 'uy(30000); cilk_sync; }' >y/u.cc
cc -O2 -g -fno-inline -fcilkplus -fcilkprof=count -c x/u.c leaf.c
mv u.o x.o
c++ -O2 -g -fno-inline -fcilkplus -fcilkprof=count y/u.cc x.o leaf.o -o 'mixed one'
PATH=$PATH:. CILKPROF_OUT=mixed.prof 'mixed one'
cksum 'mixed one' mixed.prof >before
cilkprof-report --whatif=auto 'mixed one' mixed.prof >commands
sh -e ./commands >answers 2>&1
equal 'the commands of the report run' 0 $?
holds 'and a candidate is answered' grep -q 'u.c:3 costs nothing' answers
holds 'with the options of the program' grep -q '^cilkprof c++ -g -O2 -fno-inline -fcilkprof=whatif' commands
cksum 'mixed one' mixed.prof >after
same 'the program and its profile are what they were' before after

# A library for what-if in a program that is not instrumented at all.
compile -O2 -fcilkprof=whatif -shared -fPIC -DLIBRARY "$programs/fib.c" -o libfib.so
ldd libfib.so >libraries
holds 'a shared library has the engine with lanes' grep -q libcilkprof-whatif.so libraries
finish
