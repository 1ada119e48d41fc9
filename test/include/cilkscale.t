#!/bin/sh
# What programs for Cilkscale and Cilkview ask: work and span at points of the program.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"

cat >region.c <<'EOC'
#include <cilk/cilk.h>
#include <cilk/cilkscale.h>
#include <stdio.h>
__attribute__((noinline)) int fib(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn fib(n - 1), b = fib(n - 2);
  cilk_sync;
  return a + b;
}
int main(void) {
  wsp_t sum = wsp_zero();
  for (int i = 0; i < 3; i++) {
    wsp_t start = wsp_getworkspan();
    fib(10);
    wsp_t end = wsp_getworkspan();
    sum = wsp_add(sum, wsp_sub(end, start));
  }
  puts("before");
  wsp_dump(sum, "fib");
  wsp_dump(wsp_getworkspan(), "so far");
  puts("after");
  return 0;
}
EOC
cat >operators.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/cilkscale.h>
int leaf(int n) { volatile int x = n; return x; }
int main() {
  wsp_t a = wsp_getworkspan();
  leaf(1);
  wsp_t b = wsp_getworkspan(), c = b - a, d = wsp_zero();
  d += c;
  d += c;
  d -= c;
  c = c + d;
  wsp_t twice = {2 * (b - a).work, 2 * (b - a).span, 2 * (b - a).bspan};
  std::cout << (c.work == twice.work && c.span == twice.span && c.bspan == twice.bspan) << std::endl;
  wsp_t six = {6, 3, 12};
  std::cout << six << std::endl;
}
EOC
compile -O2 -fcilkprof=count region.c -o region
profile region
cilkprof-report --csv=regions region region.prof | tr -d '\r"' >regions.csv
head -n 2 region.stdout >got
printf 'before\ntag,work (instructions),span (instructions),parallelism,burdened_span (instructions),burdened_parallelism\n' >wanted
same 'wsp_dump: a heading, in the order of the program' wanted got
sed -n '3,$s/,.*//p' region.stdout >got
printf 'fib\nso far\n' >wanted
same 'its lines' wanted got
work=$(sed -n 's/^fib,\([0-9]*\),.*/\1/p' region.stdout)
span=$(sed -n 's/^fib,[0-9]*,\([0-9]*\),.*/\1/p' region.stdout)
own=$((work - $(field 'main>fib' on_work_top_call_site_work)))
true_that 'the work and span of three calls, and of the strands around them' \
  "$own >= 0 && $own < 60 && $own == $span - $(field 'main>fib' on_work_top_call_site_span)"
equal 'it is a region, too' "region,fib,0,1,$work,$span" "$(sed -n '2s/,[0-9]*$//p' regions.csv)"
CILKSCALE_OUT=values.csv ./region >got
printf 'before\nafter\n' >wanted
same 'CILKSCALE_OUT: nothing on standard output' wanted got
equal 'CILKSCALE_OUT: the lines are there' 3 "$(wc -l <values.csv)"
for mode in hybrid clock; do
  compile -O2 -fcilkprof=$mode region.c -o region
  ./region >got
  true_that "$mode: seconds" "0$(sed -n 's/^fib,\([^,]*\),.*/\1/p' got) < 100 && $(grep -c '(seconds)' got) == 1"
done
compile -O2 region.c -o region
./region >got
same 'without the profiler nothing is printed' wanted got
wants 1 '6, 3, 2, 12, 0.5'
prints operators.cc c++98 c++17

cat >view.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilktools/cilkscreen.h>
#include <cilktools/cilkview.h>
#include <cstdio>
int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x = x + i; return x; }
int main() {
  cilkview_data_t start, end;
  __cilkscreen_disable_checking();
  __cilkview_query(start);
  cilk_for (int i = 0; i < 10; i++) leaf(100);
  __cilkview_query(end);
  __cilkview_report(&start, &end, "loop", CV_REPORT_WRITE_TO_RESULTS);
  __cilkview_report(&start, NULL, "to here", CV_REPORT_WRITE_TO_RESULTS);
  std::printf("%d\n", end.time - start.time < 10000 && end.work >= start.work);
}
EOC
wants 1
prints view.cc c++98 c++17
c++ -fcilkplus -O2 -fcilkprof=count view.cc -o view
profile view
cilkprof-report --csv=regions view view.prof | tr -d '\r"' >regions.csv
equal 'Cilkview: reports are regions' '2 1' "$(grep -c '^region,' regions.csv) $(awk -F, '/,loop,/ { print ($5 > 8 * $6) }' regions.csv)"
finish
