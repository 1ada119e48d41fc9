#!/bin/sh
# The hot path does not grow: instructions per call of fib, against those written down in instructions.txt.
# SPDX-License-Identifier: MIT
#
# They are exact for a version of gcc, but for clock mode, where it depends on the times which way a join goes.  To accept a
# change, or another gcc, write down what `make instructions' prints.
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
  if calculate "${now:-1e9} <= 1.05 * ${before:-0}"; then pass "$mode: no more than 5% over $before"; else fail "$mode: no more than 5% over $before" values; fi
done
# Newer compilers made a spawn cheaper by a tenth, and the rest by less.
case $(gcc -dumpversion | cut -d. -f1) in
1[1-4]) lanes=3.1 tasks=2.1 ;;
*) lanes=3.1 tasks=2.1 ;;
esac
true_that "what-if costs at most $lanes times as much as counting" "$(per_call whatif printed) <= $lanes * $(per_call count printed)"
if grep -q "^$machine tasks " "$known"; then
  true_that "two tasks in a call cost at most $tasks times as much as a spawn" "$(per_call tasks printed) <= $tasks * $(per_call count printed)"
fi
finish
