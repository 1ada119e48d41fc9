#!/bin/sh
# What the host of a virtual machine takes from the processor is no work of the strand from which it is taken.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"
plain=$(PATH=${PATH#*:*:} command -v gcc)

# The program has a /proc/stat of its own: from when `spun' is set, the host has taken so much of each processor.
cat >machine.c <<'EOC'
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
extern volatile int spun;
int __open(const char *path, int flags, ...);
int __open(const char *path, int flags, ...) {
  return openat(AT_FDCWD, strcmp(path, "/proc/stat") ? path : spun ? "after" : "before", flags, 0666);
}
EOC
cat >host.c <<'EOC'
#include <cilk/cilk.h>
volatile int spun;
static __attribute__((noinline)) void step(int i, long *result) {
  long sum = 0;
  if (i == 500)
    for (volatile int j = 0; j < 100000000; j++) spun = 1;
  for (int j = 0; j < 1000; j++) sum += j ^ i;
  *result = sum;
}
int main(void) {
  long sums[1000];
  for (int i = 0; i < 1000; i++)
    cilk_spawn step(i, &sums[i]);
  cilk_sync;
  return sums[999] == 0;
}
EOC
"$plain" -O2 -c machine.c -o machine.o >said 2>&1 || give_up 'machine.c compiles' said

# stat TICKS: what the machine says then; some processors are busy.
stat() {
  echo "cpu  9 9 9 9 9 9 9 $1 0 0"
  for number in $(seq 0 1023); do
    echo "cpu$number 1234567890 1 2 1234567 3 4 5 $1 0 0"
  done
  echo 'intr 1 2 3'
}
stat 7 >before
# run PROGRAM TICKS: where the host takes so many ticks of 10 ms; then span is in seconds.
run() {
  stat $((7 + $2)) >after
  profile "$1"
}
span() {
  sed -n 's/^ *Span: *//p' summary.txt | awk '{ print $1 * ($2 == "s" ? 1 : $2 == "ms" ? 1e-3 : $2 == "us" ? 1e-6 : 1e-9) }'
}
for mode in hybrid clock; do
  compile -O2 -fcilkprof=$mode host.c machine.o -o host-$mode
  run host-$mode 0
  all=$(span)
  run host-$mode 4
  true_that "$mode: the rest is left where some was taken" "$(span) > $all / 5"
  run host-$mode 1000000
  true_that "$mode: nothing is left of a strand where all was taken" "$(span) < $all / 2"
  cilkprof-report --format=json host-$mode host-$mode.prof >json
  true_that "$mode: the profile has what it took" "$(sed -n 's/.*"delayed_ns":\([0-9]*\).*/\1/p' json) >= 10000000000000"
  cilkprof-report -b host-$mode host-$mode.prof | tr -s '\n ' ' ' >verdict
  holds "$mode: the verdict says so" grep -q 'Busy machine: .* by the host of a virtual machine' verdict
done

finish
