#!/bin/sh
# Shared libraries that are loaded and unloaded while the program runs: what they did is in the profile, under its names.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >library.c <<'EOC'
#include <cilk/cilk.h>
static int calls;
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
int work(int n) { int a = cilk_spawn leaf(n); int b = leaf(2 * n); cilk_sync; return a + b + ++calls; }
__attribute__((noinline)) int twice(int (*f)(int), int n) { return f(n) + f(n + 1); }
static int own(int n) { return leaf(n); }
int indirect(int n) { int sum = 0; cilk_for (int i = 0; i < 3; i++) sum += twice(own, n); return sum; }
__attribute__((destructor)) static void end(void) { leaf(3); }
EOC
cat >program.c <<'EOC'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifndef PLAIN
#include <cilk/cilk.h>
#else
#define cilk_spawn
#define cilk_sync
#endif
__attribute__((noinline)) int here(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
__attribute__((noinline)) int use(const char *name, int n) {
  void *library = dlopen(name, RTLD_NOW);
  if (!library) { puts(dlerror()); exit(1); }
  int (*work)(int) = (int (*)(int))dlsym(library, "work"), (*indirect)(int) = (int (*)(int))dlsym(library, "indirect");
  int a = cilk_spawn here(n);
  int b = work(n) + indirect(n);
  cilk_sync;
  if (dlclose(library)) puts(dlerror());
  mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* it is loaded elsewhere the next time */
  return a + b;
}
int main(int argc, char *argv[]) {
  int sum = 0;
  for (int i = 0; i < atoi(argv[1]); i++) sum += use("./library.so", 100);
  here(5);
  printf("%d %d\n", sum, argc);
  return 0;
}
EOC
for mode in count hybrid clock; do
  for level in -O0 -O2; do
    in_turn 2 || continue
    compile $level -fcilkprof=$mode -fPIC -shared library.c -o library.so
    compile $level -fcilkprof=$mode program.c -o program
    profile program 1
    equal "$mode $level: the program ends as ever" 0 $status
    grep library.c sites.csv | cut -d, -f1-7,11,15 >once
    equal "$mode $level: calls in a library that is gone" '1 1 3 3 3 6 1' "$(for who in 'use>work' 'use>indirect' \
      'indirect>twice' 'twice>own' 'twice>own' 'own>leaf' 'end>leaf'; do field "$who" on_work_local_count; done | xargs)"
    profile program 300
    grep library.c sites.csv | cut -d, -f1-7,11,15 >often
    awk -F, -v OFS=, '{ for (i = 7; i <= NF; i++) $i *= 300 } 1' once >wanted
    same "$mode $level: loaded and unloaded 300 times: 300 times the counts, the same rows" wanted often
  done
done
compile -O2 -fcilkprof=count -fPIC -shared library.c -o library.so
compile -O2 -fcilkprof=count program.c -o program
CILKPROF_CONTEXTS=1
export CILKPROF_CONTEXTS
profile program 3
equal 'with calling contexts: they add up' 9 "$(field 'twice>own' on_work_local_count)"
unset CILKPROF_CONTEXTS
$CC -DPLAIN -O2 program.c -o plain
$RUN ./program 2 >wanted
CILKPROF_OUT=plain.prof $RUN ./plain 2 >got
equal 'a program that is not instrumented itself: status' 0 $?
same 'its output' wanted got
holds 'its profile' test -s plain.prof
profile plain 300 >got 2>&1
equal 'loaded and unloaded 300 times: the calls of all are in one profile' '900 1800' "$(for who in 'indirect>twice' 'own>leaf'; do
  field "$who" on_work_local_count; done | xargs)"
equal 'and nothing is said' '' "$(cat plain.stderr)"
holds 'no temporary file is left' sh -c '! ls | grep -q tmp'

# One library calls functions of another, which comes and goes more often, where the other one was: a third has its place
# in between.
cat >outer.c <<'EOC'
#include <cilk/cilk.h>
static __attribute__((noinline)) int direct(int n) { return n + 1; }
int outer(int (*inner)(int), int n) {
  int a = cilk_spawn inner(n);
  int b = inner(n) + direct(n);
  cilk_sync;
  return a + b;
}
EOC
for name in inner other; do
  cat >$name.c <<EOC
#include <cilk/cilk.h>
static __attribute__((noinline)) int ${name}_leaf(int n) { return n * 2; }
int function(int n) {
  int a = cilk_spawn ${name}_leaf(n);
  cilk_sync;
  return a;
}
EOC
done
cat >rounds.c <<'EOC'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 0; i < atoi(argv[argc - 1]); i++) {
    void *outer = dlopen("./outer.so", RTLD_NOW);
    int (*call)(int (*)(int), int) = (int (*)(int (*)(int), int))dlsym(outer, "outer");
    for (int j = 0; j < 5; j++) {
      void *inner = dlopen(j % 2 ? "./other.so" : "./inner.so", RTLD_NOW);
      sum += call((int (*)(int))dlsym(inner, "function"), j);
      dlclose(inner);
    }
    dlclose(outer);
  }
  printf("%d\n", sum);
  return 0;
}
EOC
for mode in count ''; do
  for name in outer inner other; do
    compile -O1 -fcilkprof${mode:+=$mode} -fPIC -shared $name.c -o $name.so
  done
  compile -O1 -fcilkprof${mode:+=$mode} rounds.c -o rounds
  profile rounds 1
  equal "${mode:-forks}: two libraries, one round" '6 4' "$(for who in 'function>inner_leaf' 'function>other_leaf'; do
    field "$who" on_work_local_count; done | xargs)"
  grep '\(outer\|inner\|other\).c' sites.csv | cut -d, -f1-6,15 >once
  profile rounds 40
  grep '\(outer\|inner\|other\).c' sites.csv | cut -d, -f1-6,15 >often
  awk -F, -v OFS=, '{ $7 *= 40 } 1' once >wanted
  same "${mode:-forks}: forty rounds: forty times the counts, the same rows" wanted often
done
finish
