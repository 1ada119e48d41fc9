#!/bin/sh
# Every worker that has nothing to do gets a child, however long the one is that the spawning thread calls itself.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
unset CILK_NWORKERS CILKPROF_FORCE_STEALS

cat >together.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic int there;

/* Waits for all the others; a minute at most.  */
static void meet(int all) {
  there++;
  for (int i = 0; i < 60000 && there % all; i++)
    usleep(1000);
}

static void tree(int n, int all) {
  if (n > 1) {
    cilk_spawn tree(n / 2, all);
    tree(n - n / 2, all);
  } else if (n)
    meet(all);
}

int main(int argc, char *argv[]) {
  int all = argc > 1 ? atoi(argv[1]) : 1, missing = 0;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < all; i++)
      cilk_spawn meet(all);
    cilk_sync;
    missing += there % all;
    cilk_for (int i = 0; i < all; i++)
      meet(all);
    tree(all, all);
  }
  printf("%d met, %d missed\n", there, missing);
  return 0;
}
EOC
compile -fcilkplus together.c -o together
for workers in 1 2 3 8 20; do
  CILK_NWORKERS=$workers timeout 50 ./together $workers >got 2>&1
  echo "$((9 * workers)) met, 0 missed" >wanted
  same "$workers children at once on $workers workers" wanted got
done
finish
