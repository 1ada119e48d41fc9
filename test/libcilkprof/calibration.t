#!/bin/sh
# What an instruction is worth in time is measured on a recursion whose number of instructions is written down in the engine.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

compile -O3 -fcilkprof=count "$programs/fib.c" -o fib
depth=$(sed -n 's/.*CALIBRATION_DEPTH = \([0-9]*\).*/\1/p' "$TOP/libcilkprof/engine/time/clock.c")
profile fib "$depth"
equal 'the number written down is what the compiler estimates' "$(field 'main>fib' on_work_top_call_site_work)" \
  "$(sed -n 's/.*CALIBRATION_INSTRUCTIONS = \([0-9]*\).*/\1/p' "$TOP/libcilkprof/engine/time/clock.c")"

# The timer's frequency and cost are stored with the profile, and shown.
for mode in hybrid clock; do
  compile -O3 -fcilkprof=$mode "$programs/fib.c" -o fib
  profile fib "$depth"
  cilkprof-report --file-info fib fib.prof >information
  holds "$mode: the calibration of the timer" grep -q '^	timer: *[1-9][0-9,]* Hz, [0-9]*[1-9.][0-9.]* ticks to read it$' information
  holds "$mode: reading it costs something" sh -c '! grep -q " 0.00 ticks" information'
done
finish
