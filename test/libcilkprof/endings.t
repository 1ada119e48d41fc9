#!/bin/sh
# However control leaves a function, what it did is in the profile.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# The same program returns from its depth, or exits there.
cat >ending.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>
static const char *how;
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
__attribute__((noinline)) void last(void) { leaf(100); if (!strcmp(how, "exit")) exit(0); }
__attribute__((noinline)) void descend(int n) {
  if (n == 0) { last(); return; }
  cilk_spawn leaf(10 * n);
  descend(n - 1);
}
static void at_exit(void) { leaf(50); }
int main(int argc, char *argv[]) {
  how = argv[argc - 1];
  atexit(at_exit);
  cilk_spawn leaf(5000);
  descend(20);
  return 0;
}
EOC
for level in -O0 -O2; do
  compile $level -fcilkprof=count ending.c -o ending
  profile ending return
  cut -d, -f1-7,11,15,19,23,27 sites.csv | grep -v at_exit | sort >wanted
  work=$(field main on_work_top_call_site_work)
  profile ending exit
  equal "$level: exit: status" 0 $status
  cut -d, -f1-7,11,15,19,23,27 sites.csv | grep -v 'exit' | sort >got
  same "$level: exit() at depth 20: every count as after returns" wanted got
  true_that "$level: exit() loses less than the instructions that return" \
    "$(field main on_work_top_call_site_work) > 0.95 * $work"
  equal "$level: what exit handlers do is profiled" 1 "$(field at_exit on_work_local_count)"
done

cat >jump.c <<'EOC'
#include <cilk/cilk.h>
#include <setjmp.h>
#include <stdio.h>
static jmp_buf back;
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
int descend(int n) {
  if (n == 0) longjmp(back, 1);
  int a = cilk_spawn leaf(10 * n);
  int b = descend(n - 1);
  cilk_sync;
  return a + b;
}
int main(void) {
  for (volatile int k = 0; k < 3; k++)
    if (!setjmp(back)) descend(5); else leaf(7);
  puts("done");
  return 0;
}
EOC
for mode in count hybrid clock; do
  for level in -O0 -O2; do
    in_turn 2 || continue
    compile $level -fcilkprof=$mode jump.c -o jump
    profile jump
    equal "$mode $level: longjmp: the program runs" "0 done" "$status $(cat jump.stdout)"
    equal "$mode $level: longjmp: every call is counted" '3 15 15 3' "$(field 'main>descend' on_work_local_count) \
$(field 'descend>descend' on_work_local_count) $(field 'descend>leaf' on_work_local_count) $(field 'main>leaf' on_work_local_count)"
  done
done

# The same jump by setjmp, by the compiler's own kind of it, and by a goto out of a nested function: only what the function
# that is jumped to does itself differs.
cat >kinds.c <<'EOC'
#include <cilk/cilk.h>
#ifdef OTHER
static void *back[5];
#define SET(back) __builtin_setjmp(back)
#define JUMP(back) __builtin_longjmp(back, 1)
#else
#include <setjmp.h>
static jmp_buf back;
#define SET(back) setjmp(back)
#define JUMP(back) longjmp(back, 1)
#endif
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
#ifdef NESTED
__attribute__((noinline)) int descend(int n) {
  __label__ out;
  auto void __attribute__((noinline)) down(int k);
  void down(int k) {
    leaf(3);
    if (k == 0) { leaf(5); goto out; }
    cilk_spawn leaf(10 * k);
    down(k - 1);
    leaf(100);
  }
  leaf(50);
  down(n);
out:
  return leaf(7);
}
#else
__attribute__((noinline)) void down(int k) {
  leaf(3);
  if (k == 0) { leaf(5); JUMP(back); }
  cilk_spawn leaf(10 * k);
  down(k - 1);
  leaf(100);
}
__attribute__((noinline)) int descend(int n) { leaf(50); if (!SET(back)) down(n); return leaf(7); }
#endif
int main(void) { int s = 0; for (int i = 0; i < 4; i++) s += descend(i); return s < 0; }
EOC
# by_callee: count and local work of every function but those that the kinds of jump differ in.
by_callee() {
  awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { name = $at["callee"]; sub(/[.].*/, "", name); count[name] += $at["on_work_local_count"]; work[name] += $at["on_work_local_work"] }
    END { for (name in count) print name, count[name], name == "descend" ? "" : work[name] }' sites.csv | grep -v longjmp | sort
}
for form in inline outline; do
  for level in -O0 -O2; do
    in_turn 2 || continue
    compile $level -fcilkprof=count -fcilkprof-$form kinds.c -o kinds
    profile kinds
    by_callee >wanted
    for kind in OTHER NESTED; do
      compile $level -fcilkprof=count -fcilkprof-$form -D$kind kinds.c -o kinds
      profile kinds
      by_callee >got
      same "$form $level: a jump that is $kind: what was done is as after setjmp" wanted got
    done
  done
  for mode in hybrid clock; do
    for kind in OTHER NESTED; do
      compile -O2 -fcilkprof=$mode -fcilkprof-$form -D$kind kinds.c -o kinds
      profile kinds
      equal "$form $mode: a jump that is $kind" '0 4' "$status $(field 'main>descend' on_work_local_count)"
    done
  done
done

cat >leave.c <<'EOC'
#include <cilk/cilk.h>
#include <setjmp.h>
static jmp_buf back;
__attribute__((noinline)) void leaf(int i) { volatile int x = i; if (x == 5) longjmp(back, 1); }
int main(void) {
  if (!setjmp(back)) cilk_for (int i = 0; i < 9; i++) leaf(i); else leaf(1);
  return 0;
}
EOC
for level in -O0 -O2; do
  compile $level -fcilkprof=count leave.c -o leave
  profile leave
  equal "$level: longjmp out of a cilk_for" '0 7' "$status $(($(field 'main>leaf' on_work_local_count) + 1))"
done

# A jump back into a block that has ended: it was measured the first time.
cat >again.c <<'EOC'
#include <cilk/cilk.h>
#include <setjmp.h>
#include <stdio.h>
static jmp_buf back;
static volatile int sum;
__attribute__((noinline)) int leaf(int n) { for (int i = 0; i < n; i++) sum += i; return n; }
__attribute__((noinline)) void jump(void) { longjmp(back, 1); }
__attribute__((noinline)) int scope(void) {
  volatile int tries = 0;
  cilk_scope { cilk_spawn leaf(5); setjmp(back); tries++; leaf(3); }
  if (tries < 3) jump();
  return tries;
}
__attribute__((noinline)) int loop(void) {
  volatile int tries = 0;
#pragma cilk grainsize = 1
  cilk_for (int i = 0; i < 4; i++) { if (i == 2) setjmp(back); tries++; leaf(3); }
  if (tries < 7) jump();
  return tries;
}
__attribute__((noinline)) int inner(void) {
  volatile int tries = 0, k = 0;
#pragma cilk grainsize = 1
  cilk_for (int i = 0; i < 4; i++) { cilk_scope { cilk_spawn leaf(i); if (i == 1) setjmp(back); tries++; } if (i == 1 && k++ < 2) jump(); leaf(2); }
  return tries;
}
int main(void) { printf("%d %d %d\n", scope(), loop(), inner()); leaf(7); return 0; }
EOC
for form in -fcilkprof-inline -fcilkprof-outline; do
  for level in -O0 -O2; do
    in_turn 2 || continue
    compile -w $level -fcilkprof=count $form again.c -o again
    profile again
    read -r scope loop inner <again.stdout # how often an iteration runs after the jump is not determined
    equal "$level $form: jumps back into blocks that have ended" '0 3 6' "$status $scope $inner"
    awk -F, '$6 == "leaf" { print $4, $5, $15 }' sites.csv | sort >got
    printf '%s\n' 'call inner 4' "call loop $loop" 'call main 1' 'call scope 3' 'spawn inner 4' 'spawn scope 1' >wanted
    same "$level $form: every call is counted" wanted got
    holds "$level $form: the profile says that it is incomplete" grep -q 'did not finish' summary.txt
  done
done

cat >throw.cc <<'EOC'
#include <cilk/cilk.h>
#include <cstdio>
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x = x + i; if (n == 30) throw 1; return x; }
struct Guard { ~Guard() { leaf(2); } };
int descend(int n) {
  Guard guard;
  if (n == 0) throw 'x';
  int a = cilk_spawn leaf(10 * n);
  int b = descend(n - 1);
  cilk_sync;
  return a + b;
}
int main() {
  int caught = 0;
  for (int k = 0; k < 4; k++)
    try { descend(k); } catch (char) { caught++; } catch (int) { caught += 10; leaf(3); }
  std::printf("%d\n", caught);
}
EOC
for level in -O0 -O2; do
  c++ $level -fcilkplus -fcilkprof=count throw.cc -o throw || give_up 'throw.cc'
  profile throw
  equal "$level: exceptions: the program runs" "0 13" "$status $(cat throw.stdout)"
  equal "$level: exceptions: every call is counted" '4 3 1' "$(field 'main>descend(int)' on_work_local_count) \
$(field 'descend(int)>descend(int)' on_work_local_count) $(field 'main>leaf(int)' on_work_local_count)"
  equal "$level: exceptions: every spawn is counted" 4 "$(whole Spawns)"
done

# A run without any spawn, and one with several computations.
cat >serial.c <<'EOC'
__attribute__((noinline)) int f(int n) { volatile int x = n; return x; }
int main(void) { return f(1) + f(2) - 3; }
EOC
compile -O2 -fcilkprof=count serial.c -o serial
profile serial
equal 'without any spawn the parallelism is 1' 1.00 "$(whole Parallelism)"
equal 'both calls are there' 2 "$(grep -c 'call,main,f' sites.csv)"
cat >several.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
__attribute__((noinline)) int f(int n) { volatile int x = n; return x; }
__attribute__((noinline)) int both(void) { int a = cilk_spawn f(1); int b = f(2); cilk_sync; return a + b; }
int main(int argc, char *argv[]) { int sum = 0; for (int i = 0; i < atoi(argv[argc - 1]); i++) sum += both(); return sum == 0; }
EOC
compile -O2 -fcilkprof=count several.c -o several
profile several 1
span=$(field both on_work_top_call_site_span) work=$(field both on_work_top_call_site_work)
profile several 1000
equal 'computations one after another add up' "$((1000 * span)) $((1000 * work))" \
  "$(field both on_work_top_call_site_span) $(field both on_work_top_call_site_work)"
finish
