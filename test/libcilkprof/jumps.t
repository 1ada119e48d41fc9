#!/bin/sh
# Jumps out of a cilk_for, a cilk_scope or a spawned block, to a place in the same function around which there may be others: by
# setjmp, by the compiler's own kind of it, by a goto out of a nested function or one that is computed.  What is left is
# closed, what is around stays open.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >jumps.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif
static volatile int sum;
__attribute__((noinline)) int leaf(int n) { for (int i = 0; i < n; i++) sum += i; return n; }
#if defined COMPUTED
#define PLACE(name) void *volatile name##_place = &&name
#define DEFINE(name)
#define SET(name) name:
#define JUMP(name, when) do { leaf(1); if (when) goto *name##_place; leaf(2); } while (0)
#define jump_to_out(when) JUMP(out, when)
#define jump_to_inner(when) JUMP(inner, when)
#elif defined NESTED
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
#ifdef __cplusplus
}
#endif
EOC
# figures: what every function and loop did, but for the work of those that are jumped to.
figures() {
  awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { name = $at["callee"]; sub(/[.][0-9.]*$/, "", name); count[name] += $at["on_work_local_count"]; work[name] += $at["on_work_local_work"] }
    END { for (name in count) print name, count[name], name ~ /^(from|to)_|:74$/ ? "" : work[name] }' sites.csv | grep -v longjmp | sort
  echo "spawns and syncs: $(whole Spawns) $(whole Syncs)"
}
# counts: without the work, and without the functions that only some kinds of jump need.
counts() {
  sed '/^jump_to/d; $!s/ [0-9]*$//; s/jumps[.]cc:/jumps.c:/' "$1"
}
# same_counts NAME: a computed goto, in jumps, as after setjmp.
same_counts() {
  profile jumps
  figures >figures
  counts figures >got
  counts wanted >wanted.counts
  same "$1: the program computes what it did" wanted.stdout jumps.stdout
  same "$1: what was done is as after setjmp" wanted.counts got
}
for form in inline outline; do
  for level in -O0 -O2; do
    in_turn 2 || continue
    case $LONG$form$level in inline-O2 | outline-O0) continue ;; esac
    compile -w $level -fcilkprof=count -fcilkprof-$form jumps.c -o jumps
    profile jumps
    figures >wanted
    cp jumps.stdout wanted.stdout
    equal "$form $level: the loop that is left and the one around it" '12 2' "$(field 'to_inner>cilk_for jumps.c:80' on_work_local_count) \
$(field 'to_inner>cilk_for jumps.c:74' on_work_local_count)"
    for kind in OTHER NESTED; do
      compile -w $level -fcilkprof=count -fcilkprof-$form -D$kind jumps.c -o jumps
      profile jumps
      figures >got
      same "$form $level: a jump that is $kind: the program computes what it did" wanted.stdout jumps.stdout
      same "$form $level: a jump that is $kind: what was done is as after setjmp" wanted got
    done
    compile -w $level -fcilkprof=count -fcilkprof-$form -DCOMPUTED jumps.c -o jumps
    same_counts "$form $level: a computed goto"
    cp jumps.c jumps.cc
    compile -w $level -fcilkprof=count -fcilkprof-$form -DCOMPUTED jumps.cc -lstdc++ -o jumps
    same_counts "$form $level: a computed goto in C++"
  done
  for mode in hybrid ${LONG:+clock whatif}; do
    for kind in OTHER NESTED COMPUTED; do
      compile -w -O2 -fcilkprof=$mode -fcilkprof-$form -D$kind jumps.c -o jumps
      profile jumps
      equal "$form $mode: a jump that is $kind" "0 $(cat wanted.stdout)" "$status $(cat jumps.stdout)"
    done
  done
done

# An asm goto leaves a cilk_scope as a goto does; an interpreter inside a cilk_for does not leave it.
cat >local.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#ifdef __aarch64__
#define BRANCH "b %l0"
#else
#define BRANCH "jmp %l0"
#endif
#ifdef PLAIN
#define GO(label) goto label
#else
#define GO(label) __asm__ goto (BRANCH : : : : label)
#endif
static volatile int sum;
__attribute__((noinline)) int leaf(int n) { for (int i = 0; i < n; i++) sum += i; return n; }
__attribute__((noinline)) int scopes(int n) {
  cilk_for (int i = 0; i < n; i++) {
    cilk_scope { cilk_spawn leaf(i); cilk_scope { cilk_spawn leaf(2); if (i & 1) GO(out); leaf(3); } leaf(4); }
    leaf(5);
  out:
    leaf(6);
  }
  return leaf(7);
}
__attribute__((noinline)) int interpret(int n) {
  cilk_for (int i = 0; i < n; i++) {
    static void *const places[] = {&&add, &&twice, &&stop};
    const signed char *code = (const signed char[]){0, 1, 1, 0, 2};
    goto *places[(int)*code++];
  add:
    leaf(i);
    goto *places[(int)*code++];
  twice:
    leaf(2 * i);
    goto *places[(int)*code++];
  stop:;
  }
  return leaf(9);
}
int main(void) { printf("%d %d\n", scopes(6), interpret(20)); return 0; }
EOC
for form in inline outline; do
  for level in -O0 -O2; do
    in_turn 2 || continue
    case $LONG$form$level in inline-O0 | outline-O2) continue ;; esac
    for kind in PLAIN ASM; do
      compile -w $level -fcilkprof=count -fcilkprof-$form -D$kind local.c -o local
      profile local
      figures >figures.$kind
    done
    counts figures.PLAIN >wanted
    counts figures.ASM >got
    same "$form $level: an asm goto out of a cilk_scope is as a goto" wanted got
    equal "$form $level: an interpreter in a cilk_for" '1 40 40 1' "$(awk -F, '$5 == "interpret" { printf "%s%s", sep, $15; sep = " " }' sites.csv)"
    compile -w $level -fcilkprof=count -fcilkprof-$form -S local.c
    equal "$form $level: only the label that is jumped to from a scope looks for what was left" 1 "$(grep -v '\.weak' local.s | grep -c close_blocks)"
  done
done
finish
