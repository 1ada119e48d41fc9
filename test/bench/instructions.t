#!/bin/sh
# The hot path does not grow: instructions per call of fib, against those written down in instructions.txt.
# SPDX-License-Identifier: MIT
#
# They are exact for a version of gcc, but for clock mode, where it depends on the times which way a join goes: there they
# differ by 6% from one machine to another, and from run to run.  To accept a change, or another gcc, write down what
# `make instructions' prints.
. "$TOP/test/libcilkprof/lib.sh"

machine="${PROCESSOR:-$(uname -m)} gcc-$(gcc -dumpversion | cut -d. -f1)"
known=$TOP/test/bench/instructions.txt
if [ -z "$RUN" ] && ! command -v valgrind >/dev/null; then
  echo '1..0 # SKIP valgrind is not installed'
  exit 0
fi
if ! grep -q "^$machine " "$known"; then
  echo "1..0 # SKIP nothing is written down for $machine"
  exit 0
fi
"$TOP/test/bench/instruction-lines" >printed 2>&1

# per_call MODE FILE
per_call() {
  sed -n "s/^$machine $1 //p" "$2"
}
for mode in $(sed -n "s/^$machine \([a-z]*\) .*/\1/p" "$known"); do
  before=$(per_call "$mode" "$known") now=$(per_call "$mode" printed)
  { echo "written down is $before"; cat printed; } >values
  [ "$mode" = clock ] && more=10 || more=5
  said="$mode: no more than $more% over $before"
  if calculate "${now:-1e9} <= (1 + $more / 100) * ${before:-0}"; then pass "$said"; else fail "$said" values; fi
done
true_that 'what-if costs at most 3.1 times as much as counting' "$(per_call whatif printed) <= 3.1 * $(per_call count printed)"
if grep -q "^$machine tasks " "$known"; then
  true_that 'two tasks in a call cost at most 2.1 times as much as a spawn' \
    "$(per_call tasks printed) <= 2.1 * $(per_call count printed)"
fi
finish
