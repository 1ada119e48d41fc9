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
equal 'a name that is not there' 'cilkprof: nowhere: no such function or call site was reached; its what-if is left out' \
  "$(said paths nowhere,step)"
equal 'a factor of 1' 'cilkprof: step/1: not a factor that can be used; it is left out; factors are 2 to 100' "$(said paths step/1,main)"
equal 'factors without a small common multiple' 'cilkprof: main/83: not a factor that can be used; it is left out; factors are 2 to 100' \
  "$(said paths step/97,long_way/89,main/83)"
equal 'eight candidates' 'cilkprof: main/8: one candidate too many; CILKPROF_WHATIF takes seven' \
  "$(said paths main,main/3,main/4,main/5,main/6,main/2,main/10,main/8)"
equal 'no candidate' 'cilkprof: CILKPROF_WHATIF: names no candidate; no what-if is computed' "$(said paths '')"
equal 'a program that was not built for it' \
  'cilkprof: CILKPROF_WHATIF: this program was not built for what-if questions; compile it with -fcilkprof=whatif' \
  "$(said counted main)"

# C++: names with and without parameters, symbols of templates.
cat >names.cc <<'END'
namespace tools {
volatile int sink;
struct box { __attribute__((noinline)) int turn(int n) const { sink = n; return n; } };
template <class T> __attribute__((noinline)) T twice(T n) { sink = n; return 2 * n; }
}
static __attribute__((noinline)) int local(int n, int m) { tools::sink = m; return n; }
int main() { return tools::box().turn(1) + tools::twice(2) + local(3, 4) - 8; }
END
c++ -O2 -fcilkplus -fcilkprof=whatif names.cc -o names
CILKPROF_WHATIF='tools::box::turn,tools::box::turn(int) const/3,local,local(int, int)/3,_ZN5tools5twiceIiEET_S1_' \
  CILKPROF_OUT=names.prof ./names >said 2>&1
equal 'C++ functions are found by their names and symbols' '' "$(cat said)"

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
holds 'with the options of the program' grep -q '^c++ -g -O2 -fno-inline -fcilkplus' commands
cksum 'mixed one' mixed.prof >after
same 'the program and its profile are what they were' before after

# A library for what-if in a program that is not instrumented at all.
compile -O2 -fcilkprof=whatif -shared -fPIC -DLIBRARY "$programs/fib.c" -o libfib.so
ldd libfib.so >libraries
holds 'a shared library has the engine with lanes' grep -q libcilkprof-whatif.so libraries
finish
