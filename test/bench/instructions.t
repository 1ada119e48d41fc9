#!/bin/sh
# The hot path does not grow: instructions per call of fib, against those written down in instructions.txt.
# SPDX-License-Identifier: MIT
#
# They are exact for a version of gcc.  To accept a change, or another gcc, write down the values that are printed.
. "$TOP/test/libcilkprof/lib.sh"

machine="$(uname -m) gcc-$(gcc -dumpversion | cut -d. -f1)"
known=$TOP/test/bench/instructions.txt
if ! command -v valgrind >/dev/null; then
  echo '1..0 # SKIP valgrind is not installed'
  exit 0
fi
if ! grep -q "^$machine " "$known"; then
  echo "1..0 # SKIP nothing is written down for $machine"
  exit 0
fi

for mode in count hybrid clock whatif; do
  compile -O3 -fcilkprof=$mode "$programs/fib.c" -o fib.$mode
done
CILKPROF_WHATIF=main VARIANTS='count hybrid clock whatif' "$TOP/test/bench/instructions" ./fib >printed 2>&1

# per_call MODE: as printed; written MODE: as written down.
per_call() {
  tr ',' '\n' <printed | sed -n "s/.* $1 \([0-9.]*\).*/\1/p"
}
written() {
  sed -n "s/^$machine $1 //p" "$known"
}
for mode in count hybrid clock whatif; do
  now=$(per_call $mode) before=$(written $mode)
  echo "$machine $mode $now; written down is $before" >values
  if calculate "${now:-1e9} <= 1.05 * ${before:-0}"; then pass "$mode: no more than 5% over $before"; else fail "$mode: no more than 5% over $before" values; fi
done
true_that 'what-if costs at most three times as much as counting' "$(per_call whatif) <= 3 * $(per_call count)"
finish
