#!/bin/sh
# GCC says the same of a program as of its serial elision, at the same lines, whether it is instrumented or not.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >program.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>
int f(int);
static void never(void) {}
static void zero(void *view) { *(int *)view = 0; }
static void plus(void *left, void *right) { *(int *)left += *(int *)right; }
int cilk_reducer(zero, plus) total;
int g(int n, char *p) {
  int cilk_reducer(zero, plus) sum = 0;
  if (n) cilk_scope { cilk_spawn f(1); }
  if (n) cilk_spawn { f(2); }
  if (n) cilk_for (int i = 0; i < n; i++) f(i);
  if (n) cilk_spawn f(1); else ;
  if (n) if (n > 1) cilk_spawn f(2); else f(3);
  cilk_for (int i = 0; i < n; i++)
    f(i);
    f(3);
  for (int i = 0; i < n; i++)
    cilk_spawn f(i);
    cilk_sync;
  if (n)
    cilk_sync;
    f(3);
  switch (n) {
  case 1:
    cilk_spawn f(1);
  case 2:
    cilk_for (int i = 0; i < n; i++) f(i);
  case 3:
    cilk_scope { f(1); }
  case 4:
    cilk_spawn { f(1); }
  case 5:
    f(2);
  case 6:
    cilk_sync;
  case 7:
    cilk_sync;
    cilk_sync;
  default:
    f(3); cilk_sync;
  case 8:

    if (n) f(4); cilk_sync;
  case 9: case 10: {
    cilk_sync;
  }
  case 11:
    f(3);
  }
  cilk_spawn memcpy(p, NULL, 3);
  cilk_spawn strlen(NULL);
  cilk_spawn strcpy(p, NULL);
  cilk_spawn malloc(3);
  int unused;
  int set = cilk_spawn f(2);
  if (n = 3) cilk_spawn f(n);
  cilk_for (int i = 0; i < n; i++);
  cilk_for (unsigned i = 0; i < n; i++) f(i);
  cilk_for (int n = 0; n < 3; n++) f(n);
  cilk_for (int i = 0; i < 3; i++) { int never_used; }
  return sum + total;
}
int h(int n) { cilk_for (int i = 0; i < n; i++) f(i); }
int k(int n) { if (n) { return cilk_spawn f(n); } cilk_sync; }
int l(int n) { cilk_scope { if (n) return 3; } }
int m(int n) { int x; cilk_spawn f(n); cilk_sync; return x; }
int o(char c) { char d = cilk_spawn f(c); return d; }
EOC
cp program.c program.cc
mkdir elision
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wunused'

# said FILE: the warnings, without columns: what stands for the keywords has other ones.  C++ drops a call of strlen whose
# value nobody takes, and then it is said that nothing is spawned.  A sync may throw, so that what follows it may be reached.
said() {
  grep -h 'warning:\|error:' "$1" | grep -v ':53:.*spawns nothing' | sed 's/^\([^:]*:[0-9]*\):[0-9]*:/\1:/
    s/is used uninitialized \[-Wuninit/may be used uninitialized [-Wmaybe-uninit/' | sort
}

for file in program.c program.cc; do
  sed 's/#include <cilk.*//; s/cilk_for/for/g; s/cilk_spawn//g; s/cilk_sync/((void)0)/g; s/cilk_scope//g
       s/cilk_reducer([^)]*)//; s/^static void \(zero\|plus\)/void \1/' $file >elision/$file
  case $file in *.c) compiler=cc ;; *) compiler=c++ ;; esac
  for level in -O0 -O2; do
    (cd elision && $compiler $warnings $level -c $file -o $file.o) >wanted.txt 2>&1
    said wanted.txt >wanted
    for options in -fcilkplus -fcilkplus=serial '-fcilkplus -fcilkprof'; do
      $compiler $warnings $level $options -c $file -o got.o >got.txt 2>&1
      said got.txt >got
      same "$file $level $options" wanted got
    done
  done
done
holds 'there are any' test "$(wc -l <wanted)" -gt 15
finish
