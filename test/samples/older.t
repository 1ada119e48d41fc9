#!/bin/sh
# A C library that has no _dl_find_object, as before glibc 2.35: samples have their functions, also those of a library
# that is loaded later; and static programs, which look for it in vain.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"

cat >older.c <<'EOC'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
void *dlsym(void *handle, const char *name) {
  static void *(*next)(void *, const char *);
  if (strcmp(name, "_dl_find_object") == 0)
    return fputs("no such function\n", stderr), NULL;
  if (!next)
    next = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
  return next(handle, name);
}
EOC
gcc -O2 -shared -fPIC older.c -o older.so || give_up 'a C library without it'

cat >late.c <<'EOC'
int late(int n);
int late(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
EOC
gcc -O1 -g -shared -fPIC late.c -o late.so
cat >prog.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <time.h>
#ifdef DLOPEN
#include <dlfcn.h>
#endif
static __attribute__((noinline)) int early(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
int main(void) {
  int a = cilk_spawn early(300000000), b = early(300000000);
  cilk_sync;
#ifdef DLOPEN
  int (*late)(int) = (int (*)(int))dlsym(dlopen("./late.so", RTLD_NOW), "late");
  nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
  a = cilk_spawn late(300000000);
  b = late(300000000);
  cilk_sync;
#endif
  printf("%d\n", a == b);
  return 0;
}
EOC
# functions NAME PROGRAM FUNCTION...: those, and no other, have most samples.
functions() {
  name=$1 program=$2
  shift 2
  printf '%s\n' "$@" | sort >wanted
  paths work "$program" | awk '{ n = split($1, names, ";"); of[names[n]] += $2; all += $2 } END { for (f in of) if (of[f] > all / 10) print f }' | sort >got
  same "$name" wanted got
}
compile -DDLOPEN prog.c -o prog
sampled env LD_PRELOAD="$PWD/older.so" ./prog >out 2>errors
echo 1 >wanted
same 'without it the program runs' wanted out
holds 'it is looked for' grep -q 'no such function' errors
functions 'and its functions have their samples' prog early late
sampled ./prog >out 2>errors
functions 'as they have with it' prog early late
compile -static prog.c -o static
sampled ./static >out 2>errors
echo 1 >wanted
same 'a static program runs' wanted out
functions 'its function has its samples' static early
finish
