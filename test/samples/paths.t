#!/bin/sh
# Logical call paths: whichever thread a task runs in, its path leads to main through what made it, and through nothing else.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"

cat >program.cc <<'EOC'
#include <cilk/cilk.h>
#include <cstdio>
#include <stdexcept>

#define APART __attribute__((noinline, noclone))
static volatile double sink;

static APART void leaf(int n) {
  double x = 1;
  for (int i = 0; i < n * 2000; i++)
    x = x * 1.0000001 + 0.5;
  sink = x;
}

template <typename T> struct worker {
  APART void call(T n) { leaf(n); sink = 0; }
  APART void spawn(T n) {
    cilk_spawn call(n);
    call(n);
    cilk_sync;
  }
};

static APART void thrower(int n) {
  leaf(n);
  throw std::runtime_error("late");
}
static APART void throws(int n) {
  try {
    cilk_spawn thrower(n);
    leaf(n);
    cilk_sync;
  } catch (const std::exception &) {
    sink = 1;
  }
}

static APART void inner(int n) {
  cilk_for (int i = 0; i < 8; i++)
    leaf(n);
}
static APART void outer(int n) {
  cilk_for (int i = 0; i < 8; i++)
    inner(n);
}

static APART void tree(int depth) {
  if (depth == 0) {
    leaf(1);
    return;
  }
  cilk_spawn tree(depth - 1);
  tree(depth - 1);
  cilk_sync;
}

int main() {
  worker<int> w;
  for (int i = 0; i < 40; i++) {
    w.spawn(3);
    throws(3);
    outer(1);
    tree(6);
  }
  std::puts("done");
}
EOC
g++ -O2 -g -fcilkplus program.cc -o program >compiler-said 2>&1 || give_up 'program.cc compiles' compiler-said

# What may be: a path without what the library does to throw, and with recursion folded.
cat >allowed <<'END'
main;outer;cilk_for;inner;cilk_for;leaf
main;throws;leaf
main;throws;thrower;leaf
main;tree;leaf
main;worker<int>::spawn;worker<int>::call;leaf
END
echo 'done' >wanted
for workers in 1 2 4 8; do
  for seed in '' 1 2 3; do
    env CILKPROF_SAMPLE=1 CILKPROF_SAMPLE_HZ=10000 CILK_NWORKERS=$workers ${seed:+CILKPROF_FORCE_STEALS=$seed} timeout 120 ./program >got 2>&1
    same "$workers workers, steals forced: ${seed:-no}: the program's output" wanted got
    paths work ./program | sed 's/(int)//g; s/ program.cc:[0-9]*//g; s/ [0-9]*$//' | awk -F';' '{
        path = $1
        for (i = 2; i <= NF; i++)
          if ($i != $(i - 1))
            path = path ";" $i
        print path
      }' | grep ';leaf$' | sort -u >found
    grep -vxFf allowed found >wrong
    same "$workers workers, steals forced: ${seed:-no}: no other paths" /dev/null wrong
    cat found >>all
  done
done
sort -u all >found
same 'each of them was found' allowed found

# What is inlined where a spawned child is called is the program's, though the function around it is the compiler's.
cat >inlined.c <<'EOC'
#include <cilk/cilk.h>
static volatile double sink;
static inline __attribute__((always_inline)) void once(void) {
  double x = 1;
  for (int i = 0; i < 50000000; i++)
    x = x * 1.0000001 + 0.5;
  sink = x;
}
int main(void) {
  cilk_spawn once();
  cilk_sync;
  return 0;
}
EOC
compile inlined.c -o inlined
CILKPROF_FORCE_STEALS=1 sampled ./inlined
paths work ./inlined >found
holds 'a spawned function that was inlined' grep -q '^main;once ' found
finish
