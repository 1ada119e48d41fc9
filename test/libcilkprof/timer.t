#!/bin/sh
# Timers that step back, run on while the machine sleeps, differ between processors, stop or wrap: no number of the profile
# is negative or absurd.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

faulty=$BUILD_DIR/faulty-timer
for mode in hybrid clock; do
  for name in fib qsort stencil; do
    compile -O2 -fcilkprof=$mode -D__CILKPROF_TIMER=__cilkprof_test_timer -L"$faulty" "$programs/$name.c" "$faulty/timer.o" -o $name.$mode
  done
  for fault in none back suspend migration stopped wrap; do
    TIMER_FAULT=$fault
    export TIMER_FAULT
    for run in 'fib 20' 'qsort 100000' 'stencil 100 20'; do
      set -- $run
      sample=$1
      shift
      profile $sample.$mode "$@" # the report checks the identities, and that spans are within works
      equal "$fault, $mode: $sample runs" 0 "$status"
      sed -n 's/^ *Work: *//p' summary.txt | awk '{ print $1 * ($2 == "s" ? 1 : $2 == "ms" ? 1e-3 : $2 == "us" ? 1e-6 : 1e-9) }' >work
      true_that "$fault, $mode: the work of $sample is less than five seconds" "$(cat work) >= 0 && $(cat work) < 5"
      [ $fault = stopped ] || true_that "$fault, $mode: and more than a microsecond" "$(cat work) > 1e-6"
    done
  done
done

corrected() {
  cilkprof-report -i fib.clock fib.clock.prof | sed -n 's/.*preempted strands: *\([0-9,]*\), .*/\1/p' | tr -d ,
}

# The tests can fail: without a look at the CPU time the weeks of a suspended machine would be work.
TIMER_FAULT=suspend
profile fib.clock 25
true_that 'strands were corrected' "$(corrected) > 0"

# Few instructions that take long were interrupted, if that is rare; if most do, they waited for memory.  (Only a timer that
# tells its frequency can be made up.)
if [ "$(uname -m)" = aarch64 ]; then
  TIMER_FAULT=interrupts
  profile fib.clock 20
  true_that 'interrupts that are short are corrected' "$(corrected) >= 20"
  TIMER_FAULT=waiting
  profile fib.clock 20
  true_that 'strands that wait for memory are not' "$(corrected) + 0 <= 2000"
fi
finish
