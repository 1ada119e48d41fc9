#!/bin/sh
# ThreadSanitizer sees the order of spawns and syncs: it reports nothing that is right, and finds races.  AddressSanitizer
# finds nothing, leaks neither.  The deque alone is instrumented as well.
# SPDX-License-Identifier: MIT
. "$TOP/test/parallel/lib.sh"

export TSAN_OPTIONS=atexit_sleep_ms=0
RUNTIME= by_hand deque deque.c
RUNTIME= by_hand deque-watched deque.c -fsanitize=thread -Wno-tsan
for seed in 1 2 3 4 ${LONG:+5 6 7 8}; do
  holds "every item of the deque is had once, $seed" timeout 300 ./deque $((seed % 4 + 1)) 300000 $seed
done
for seed in 1 ${LONG:+2 3}; do
  holds "every item of the deque is had once, watched, $seed" timeout 300 ./deque-watched 3 100000 $seed
done

for sanitizer in thread address,undefined; do
  kind=${sanitizer%,*}
  by_hand "spawns-$kind" spawns.c -fsanitize=$sanitizer
  by_hand "exceptions-$kind" exceptions.cc -fsanitize=$sanitizer
  for part in 'fib 16' large 'many 3000' 'deep 300' loops blocks 'threads 3'; do
    for workers in 1 3; do
      ! in_turn 2 || holds "$kind: $part, $workers workers" env CILK_NWORKERS=$workers timeout 300 "./spawns-$kind" $part
    done
  done
  for part in first continuation far loops reducers; do
    for workers in 1 3; do
      ! in_turn 2 || holds "$kind: $part, $workers workers" env CILK_NWORKERS=$workers timeout 300 "./exceptions-$kind" $part 2
    done
  done
done

cat >race.c <<'EOC'
#include "test/parallel/by-hand.h"
static long counter;
struct add_closure {
  long by;
};
static __attribute__((noinline)) void add(void *closure) {
  counter += ((struct add_closure *)closure)->by;
}
int main(void) {
  FRAME;
  for (int i = 0; i < 100; i++)
    SPAWN(add, 1);
  counter++;
  SYNC;
  return 0;
}
EOC
$CC -std=gnu11 -g -O1 -fsanitize=thread -I"$TOP" race.c "$LIB/libcilkprof-parallel.a" -o race >said 2>&1 || give_up 'race.c' said
for workers in 1 2 4; do
  CILK_NWORKERS=$workers ./race >got 2>&1
  holds "a race is found, $workers workers" grep -q 'data race' got
done

# Of a profiled program without races none is reported: not in the engine's memory either, which workers pass to each other.
cat >profiled.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>
static int fib(int n) {
  if (n < 2) return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int numbers[100], copy[100];
  cilk_for (int i = 0; i < 100; i++) numbers[i] = fib(i % 10) * 7 % 13;
  memcpy(copy, numbers, sizeof copy);
  qsort(copy, 100, sizeof *copy, compare);
  return fib(15) == 610 && copy[99] == 9 ? 0 : 1;
}
EOC
for mode in parallel parallel-count; do
  PATH=$LIB/bin:$PATH gcc -g -O1 -fcilkplus -fcilkprof=$mode -fsanitize=thread profiled.c -o profiled >said 2>&1 || give_up "profiled.c, $mode" said
  for workers in 2 4; do
    CILK_NWORKERS=$workers timeout 300 ./profiled >said 2>&1
    echo "status $?" >>said
    echo 'status 0' >wanted
    same "-fcilkprof=$mode, $workers workers: no race" wanted said
  done
done

finish
