#!/bin/sh
# Jumps out of a cilk_for, a cilk_scope or a spawned block, to a place in the same function around which there may be others: by
# setjmp, by the compiler's own kind of it, by a goto out of a nested function.  What is left is closed, what is around
# stays open.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >jumps.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
static volatile int sum;
__attribute__((noinline)) int leaf(int n) { for (int i = 0; i < n; i++) sum += i; return n; }
#if defined NESTED
#define PLACE(name) __label__ name; auto void __attribute__((noinline)) jump_to_##name(int when)
#define DEFINE(name) void jump_to_##name(int when) { leaf(1); if (when) goto name; leaf(2); }
#define SET(name) name:
#else
#ifdef OTHER
typedef void *BUFFER;
#define SIZE 5
#define SETJMP __builtin_setjmp
#define LONGJMP __builtin_longjmp
#else
#include <setjmp.h>
typedef jmp_buf BUFFER;
#define SIZE 1
#define SETJMP(name) setjmp(*name)
#define LONGJMP(name, value) longjmp(*name, value)
#endif
static BUFFER out[SIZE], inner[SIZE];
#define PLACE(name)
#define DEFINE(name)
#define SET(name) SETJMP(name);
__attribute__((noinline)) void jump_to_out(int when) { leaf(1); if (when) LONGJMP(out, 1); leaf(2); }
__attribute__((noinline)) void jump_to_inner(int when) { leaf(1); if (when) LONGJMP(inner, 1); leaf(2); }
#endif

/* To a place without any block around.  */
__attribute__((noinline)) int from_loop(int n) {
  PLACE(out);
  DEFINE(out)
  volatile int tries = 0;
  leaf(3);
  SET(out)
  leaf(4);
  if (tries++ == 2) return leaf(5);
  cilk_for (int i = 0; i < n; i++) { leaf(i); jump_to_out(i == tries + 2); }
  leaf(100);
  return 0;
}
__attribute__((noinline)) int from_all(int n) {
  PLACE(out);
  DEFINE(out)
  volatile int tries = 0;
  cilk_spawn leaf(9);
  SET(out)
  if (tries++) return leaf(5);
  cilk_scope {
    cilk_spawn leaf(7);
    cilk_for (int i = 0; i < n; i++) {
      cilk_spawn { leaf(i); cilk_scope { cilk_spawn leaf(8); cilk_for (int k = 0; k < n; k++) jump_to_out(i + k == 4); } }
    }
  }
  return 0;
}
/* To a place inside two, of which the inner one is left and begun anew.  */
__attribute__((noinline)) int to_inner(int n) {
  PLACE(inner);
  DEFINE(inner)
  cilk_scope {
    cilk_spawn leaf(20);
    cilk_for (int i = 0; i < 3; i++) {
      volatile int tries = 0;
      leaf(2);
      SET(inner)
      leaf(3);
      if (tries++ < 2)
        cilk_for (int k = 0; k < n; k++) { leaf(k); jump_to_inner(k == 4); }
      leaf(4);
    }
  }
  return leaf(6);
}
int main(void) {
  int all = 0;
  cilk_for (int i = 0; i < 2; i++) {
    all += from_loop(8);
    all += from_all(4);
    all += to_inner(6);
  }
  printf("%d %d\n", all, sum);
  return 0;
}
EOC
# figures: what every function and loop did, but for the work of those that are jumped to.
figures() {
  awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { name = $at["callee"]; sub(/[.][0-9.]*$/, "", name); count[name] += $at["on_work_local_count"]; work[name] += $at["on_work_local_work"] }
    END { for (name in count) print name, count[name], name ~ /^(from|to)_|:64$/ ? "" : work[name] }' sites.csv | grep -v longjmp | sort
  echo "spawns and syncs: $(whole Spawns) $(whole Syncs)"
}
for form in inline outline; do
  for level in -O0 -O2; do
    compile -w $level -fcilkprof=count -fcilkprof-$form jumps.c -o jumps
    profile jumps
    figures >wanted
    cp jumps.stdout wanted.stdout
    equal "$form $level: the loop that is left and the one around it" '12 2' "$(field 'to_inner>cilk_for jumps.c:70' on_work_local_count) \
$(field 'to_inner>cilk_for jumps.c:64' on_work_local_count)"
    for kind in OTHER NESTED; do
      compile -w $level -fcilkprof=count -fcilkprof-$form -D$kind jumps.c -o jumps
      profile jumps
      figures >got
      same "$form $level: a jump that is $kind: the program computes what it did" wanted.stdout jumps.stdout
      same "$form $level: a jump that is $kind: what was done is as after setjmp" wanted got
    done
  done
  for mode in hybrid clock whatif; do
    for kind in OTHER NESTED; do
      compile -w -O2 -fcilkprof=$mode -fcilkprof-$form -D$kind jumps.c -o jumps
      profile jumps
      equal "$form $mode: a jump that is $kind" "0 $(cat wanted.stdout)" "$status $(cat jumps.stdout)"
    done
  done
done
finish
