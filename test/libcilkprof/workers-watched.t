#!/bin/sh
# The engine of parallel runs and the runtime have no races of their own, as ThreadSanitizer sees it, with forced steals.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

if [ -n "$RUN" ]; then
  echo '1..0 # SKIP ThreadSanitizer does not run under an emulator'
  exit 0
fi
cat >storm.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static unsigned leaf(unsigned n) { unsigned sum = 0; for (unsigned i = 0; i < n % 64; i++) sum += i * n; return sum; }
static unsigned sort(unsigned n) {
  int numbers[16];
  for (int i = 0; i < 16; i++) numbers[i] = (int)(n * 7919u >> i) % 100;
  qsort(numbers, 16, sizeof *numbers, compare);
  return (unsigned)numbers[0];
}
static unsigned (*volatile through[])(unsigned) = {leaf, sort};
static unsigned walk(unsigned n) {
  if (n < 2) return leaf(n);
  if (n == 7) usleep(2000); /* the other workers come to work, also on a busy machine */
  unsigned a, b, c, sums[8] = {0};
  a = cilk_spawn walk(n - 1);
  b = cilk_spawn through[n % 2](n);
  c = walk(n - 2);
  cilk_sync;
  cilk_for (unsigned i = 0; i < 8; i++) sums[i] = leaf(i);
  return a + b + c + sums[7];
}
int main(int argc, char **argv) { printf("%u\n", walk(argc > 1 ? (unsigned)atoi(argv[1]) : 9)); return 0; }
END
ulimit -s 1024 # frames for a deeper stack need more address space than ThreadSanitizer leaves
for mode in parallel-count parallel; do
  compile -w -g -O1 -fcilkprof=$mode -fsanitize=thread -L"$BUILD_DIR/watched" storm.c -o storm-$mode
  stolen=0
  for workers in 2 3 8; do
    CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers timeout 300 ./storm-$mode 9 >said 2>&1
    equal "$mode, $workers workers: it ends" 0 $?
    equal "$mode, $workers workers: no races" '' "$(grep -m 3 'SUMMARY' said)"
    cilkprof-report --csv=workers storm-$mode >workers.csv
    stolen=$((stolen + $(tail -1 workers.csv | cut -d, -f6 | tr -d '\r')))
  done
  holds "$mode: children were stolen" test $stolen -gt 0 # on a busy machine not in each run
done
finish
