#!/bin/sh
# What is recorded of other workers needs little memory: only stolen children have recorders, and of the records of a large
# program only those that they reach.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

if [ -n "$RUN" ]; then
  echo '1..0 # SKIP an emulator has memory of its own'
  exit 0
fi

# The records of functions and sites are from address 3 << 44 on (engine/places.h), and those of recorders follow.
cat >records.h <<'END'
#include <stdio.h>
#include <string.h>
/* Prints how many recorders have records, the size of the last one's in KB, and how much of that is memory of its own.  */
static void print_records(void) {
  FILE *file = fopen("/proc/self/smaps", "r");
  char line[1024];
  int count = 0, records = 0;
  unsigned long from, to, private_memory = 0, size = 0, value;
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "%lx-%lx ", &from, &to) == 2) {
      records = from >> 46 == 0 && from >= 0x300400000000;
      count += records;
      if (records)
        size = (to - from) / 1024;
    } else if (records && sscanf(line, "Anonymous: %lu", &value) == 1)
      private_memory = value;
  }
  if (file)
    fclose(file);
  printf("%d %lu %lu\n", count, size, private_memory);
}
END

cat >nested.c <<'END'
#include <cilk/cilk.h>
#include "records.h"
static __attribute__((noinline)) int other(int n); /* a function that is no recursion by itself calls its events */
static int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1), y = cilk_spawn other(n - 2);
  cilk_sync;
  return x + y;
}
static int other(int n) {
  int x = cilk_spawn fib(n);
  cilk_sync;
  return x;
}
int main(void) {
  int sum = fib(15);
  print_records();
  return sum != 610;
}
END
for mode in parallel-count parallel; do
  for inline in -fcilkprof-inline -fcilkprof-outline ''; do
    compile -w -O2 -fcilkprof=$mode $inline nested.c -o nested
    for forced in '' 1; do
      CILK_NWORKERS=1 ${forced:+env CILKPROF_FORCE_STEALS=$forced} ./nested >said 2>&1
      equal "$mode $inline, one worker${forced:+, all children deferred}: no recorder" 0 "$(cut -d' ' -f1 said)"
    done
  done
done

# One child is stolen, and reaches one of many functions, which could spawn.
{
  echo '#include <cilk/cilk.h>'
  echo '#include <unistd.h>'
  echo '#include "records.h"'
  echo 'static volatile int begun;'
  awk 'BEGIN {
    for (i = 0; i < 250; i++)
      print "__attribute__((noinline)) int leaf_" i "(int n) { return n > 0 ? n * " i " + leaf_" i "(n - 1) : 0; }\n" \
        "__attribute__((noinline)) int part_" i "(int n) {\n  int x = 0;\n  begun = 1;\n  if (n > 1000) {\n" \
        "    x = cilk_spawn leaf_" i "(n);\n    cilk_sync;\n  }\n  return leaf_" i "(n) ^ leaf_" i "(n + 1) ^ x;\n}"
    print "int main(int argc, char **argv) {\n  int x = cilk_spawn part_125(argc);\n  while (!begun) usleep(1000);\n  cilk_sync;"
    print "  print_records();\n  return x == 1;\n}"
  }'
} >many.c
for mode in parallel-count parallel; do
  compile -w -O1 -fcilkprof=$mode many.c -o many
  CILK_NWORKERS=2 CILKPROF_FORCE_STEALS=1 timeout 60 ./many >said 2>&1
  read -r recorders size own <said
  equal "$mode, a stolen child: one recorder" 1 "$recorders"
  holds "$mode: its records are many" test "${size:-0}" -gt 256
  holds "$mode: it has memory for those that it reaches" test "${own:-1000}" -le 32
done
finish
