#!/bin/sh
# Regions and named strands: what lies between two points is what the call sites there say, and never anything else.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# region LABEL COLUMN: of regions.csv; columns are partial count work span burdened_span.
regions() {
  cilkprof-report --csv=regions "$1" "$1.prof" | tr -d '\r"' >regions.csv
}
region() {
  awk -F, -v label="$1" -v column="$2" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $2 == label { print $at[column]; exit }' regions.csv
}
# around NAME LABEL SITE MOST: a region is a call, and so many instructions at most of the strand around it, which are on
# the span as well.
around() {
  work=$(($(region "$2" work) - $(field "$3" on_work_top_call_site_work)))
  span=$(($(region "$2" span) - $(field "$3" on_work_top_call_site_span)))
  burdened=$(($(region "$2" burdened_span) - $(field "$3" on_work_top_call_site_burdened_span)))
  true_that "$1" "$work >= 0 && $work <= $4 && $work == $span && $work == $burdened"
}

cat >shapes.c <<'EOC'
#include <cilk/cilk.h>
#include <cilkprof.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
__attribute__((noinline)) int first(int n) { return fib(n); }
__attribute__((noinline)) int second(int n) { return fib(n); }
__attribute__((noinline)) int third(int n) { return fib(n); }
__attribute__((noinline)) int child(int n) { cilkprof_start("in child"); int x = third(n); cilkprof_stop("in child"); return x; }
__attribute__((noinline)) void begin(const char *label) { cilkprof_start(label); }
__attribute__((noinline)) void end(const char *label) { cilkprof_stop(label); }
__attribute__((noinline)) int nest(int n) {
  cilkprof_start("recursive");
  int x = n ? nest(n - 1) + 1 : fib(5);
  cilkprof_stop("recursive");
  return x;
}
__attribute__((noinline)) int grains(int n) {
  int sum = 0;
  cilk_for (int i = 0; i < n; i++) { cilkprof_start("iteration"); sum += fib(6); cilkprof_stop("iteration"); }
  return sum;
}
static int compare(const void *a, const void *b) {
  cilkprof_start("comparison");
  int x = *(const int *)a - *(const int *)b;
  cilkprof_stop("comparison");
  return x;
}
int main(void) {
  int a[20], s = 0;
  char built[20];
  cilkprof_start("first"); s += first(12); cilkprof_stop("first");
  begin("helper"); s += second(11); end("helper");
  s += cilk_spawn child(10); fib(3);
  cilk_sync;
  s += nest(7);
  cilkprof_start("loop"); s += grains(64); cilkprof_stop("loop");
  for (int i = 0; i < 20; i++) a[i] = i * 7 % 20;
  cilkprof_start("a"); fib(4); cilkprof_start("b"); fib(4); cilkprof_stop("a"); fib(4); cilkprof_stop("b");
  cilkprof_start("foreign"); qsort(a, 20, sizeof *a, compare); cilkprof_stop("foreign");
  for (int i = 0; i < 100; i++) { snprintf(built, sizeof built, "label %d", i % 10); cilkprof_start(built); fib(2); cilkprof_stop(built); }
  printf("%d %d\n", s, a[19]);
  return 0;
}
EOC
gcc -w -O2 -I"$TOP/test/bench/baseline" -I"$TOP/libcilkprof/include" shapes.c -o plain && ./plain >wanted
for how in -O0 '-O3 -flto' '-O2 -fcilkprof-outline' ${LONG:+-O2 -O3}; do
  compile $how -fcilkprof=count shapes.c -o shapes
  profile shapes
  regions shapes
  same "$how: the program computes what it did" wanted shapes.stdout
  equal "$how: nothing is said" '' "$(cat shapes.stderr)"
  around "$how: around a call" first 'main>first' 8
  around "$how: started and stopped in functions of their own" helper 'main>second' 20
  around "$how: in a spawned child" 'in child' 'child>third' 8
  around "$how: around a loop" loop 'main>grains' 8
  equal "$how: passed many times" '64 1' "$(region iteration count) $(region loop count)"
  around "$how: inside the iterations" iteration 'grains>fib' 640
  equal "$how: inside itself it is one" 1 "$(region recursive count)"
  true_that "$how: as long as the outermost" "$(field 'main>nest' on_work_top_call_site_work) - $(region recursive work) < 20"
  true_that "$how: overlapping ones" "$(region a work) == $(region b work) || $(region a work) - $(region b work) == 1 ||
    $(region b work) - $(region a work) == 1"
  equal "$how: in callbacks" "$(field '<spontaneous>>compare' on_work_local_count)" "$(region comparison count)"
  equal "$how: labels are told apart by what they say" 10 "$(region 'label 7' count)"
done
for mode in hybrid clock; do
  compile -O2 -fcilkprof=$mode shapes.c -o shapes
  profile shapes
  regions shapes
  equal "$mode: counts" '1 64 10 0' "$(region first count) $(region iteration count) $(region 'label 3' count) $(region first partial)"
done

cat >misuse.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilkprof.h>
#include <csetjmp>
#include <cstdio>
static jmp_buf back;
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x = x + i; return x; }
__attribute__((noinline)) void starts(const char *label) { cilkprof_start(label); leaf(5); }
__attribute__((noinline)) void stops(const char *label) { leaf(5); cilkprof_stop(label); }
__attribute__((noinline)) void jumps() { cilkprof_start("jumped out"); leaf(3); longjmp(back, 1); }
__attribute__((noinline)) void throws(int n) { cilkprof::region here("thrown out"); leaf(n); throw n; }
int main() {
  cilkprof_stop("never started");
  cilkprof_start("never stopped");
  cilk_spawn starts("child to parent");
  cilkprof_stop("child to parent");
  cilk_sync;
  cilkprof_start("parent to child");
  cilk_spawn stops("parent to child");
  cilk_sync;
  cilk_spawn starts("sibling");
  cilk_spawn stops("sibling");
  cilk_sync;
  cilk_for (int i = 0; i < 2; i++) { if (i == 0) cilkprof_start("grains"); leaf(3); if (i == 1) cilkprof_stop("grains"); }
  cilk_spawn leaf(100);
  cilkprof_start("joins others");
  cilk_sync;
  cilkprof_stop("joins others");
  if (!setjmp(back)) jumps();
  for (int i = 0; i < 3; i++) { cilkprof_start("jumped out"); leaf(4); cilkprof_stop("jumped out"); }
  for (int i = 0; i < 3; i++) try { throws(i); } catch (int) { }
  { cilkprof::region here("as long as a variable"); leaf(7); }
  std::puts("done");
}
EOC
for how in -O0 -O2; do
  c++ -fcilkplus $how -fcilkprof=count misuse.cc -o misuse >said 2>&1 || fail "$how: compiles" said
  profile misuse
  regions misuse
  equal "$how: misuse: the program runs" '0 done' "$status $(cat misuse.stdout)"
  cut -d: -f2 misuse.stderr | sort >got
  printf ' region %s\n' 'child to parent' grains 'joins others' 'jumped out' 'never started' 'never stopped' \
    'parent to child' sibling | sort >wanted
  same "$how: one line for each label" wanted got
  equal "$how: what is wrong is not counted" '1 0 1 0 1 0 1 0 1 0 1 0 1 0' "$(for label in 'never started' 'never stopped' \
    'child to parent' 'parent to child' sibling grains 'joins others'; do region "$label" partial; region "$label" count; done | xargs)"
  equal "$how: what is right is, after a jump too" '1 3' "$(region 'jumped out' partial) $(region 'jumped out' count)"
  equal "$how: an exception stops a region" '0 3 0 1' "$(region 'thrown out' partial) $(region 'thrown out' count) \
$(region 'as long as a variable' partial) $(region 'as long as a variable' count)"
done

cat >strands.c <<'EOC'
#include <cilk/cilk.h>
#include <cilkprof.h>
#include <stdio.h>
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
static int split(int n) {
  int s = 0;
  cilkprof_strand("head");
  for (volatile int i = 0; i < 100; i++) s += i;
  leaf(1000);
  cilkprof_strand("tail");
  for (volatile int i = 0; i < 200; i++) s += i;
  if (n > 5) return s;
  cilkprof_strand(NULL);
  for (volatile int i = 0; i < 1000; i++) s += i;
  return s;
}
static int tree(int n) {
  cilkprof_strand("node");
  if (n < 1) return 1;
  int a = cilk_spawn tree(n - 1), b = tree(n - 1);
  cilk_sync;
  return a + b;
}
int main(void) {
  int s = split(1) + split(9) + tree(4);
  cilkprof_strand("outside");
  cilk_for (int i = 0; i < 10; i++) { cilkprof_strand("body"); s += i; leaf(10); }
  printf("%d\n", s);
  return 0;
}
EOC
for how in -O0 '-O3 -flto' ${LONG:+-O2 '-O2 -fcilkprof-outline'}; do
  compile $how -fcilkprof=count strands.c -o strands
  profile strands
  regions strands
  equal "$how: strands: counts" '2 2 31 10 1' "$(region head count) $(region tail count) $(region node count) $(region body count) \
$(region outside count)"
  true_that "$how: a part of the function's own work" "$(region tail work) > 1.7 * $(region head work) &&
    $(region tail work) < 2.3 * $(region head work) && $(region head work) > 200 && $(region head work) < 4000"
  tree=$(($(field 'main>tree' on_work_local_work) + $(awk -F, '$5 == "tree" && $6 == "tree" { s += $16 } END { print s }' sites.csv)))
  true_that "$how: of every invocation its own, to its end" "$(region node work) <= $tree && $(region node work) >= $tree - 31 * 12"
done
finish
