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

# Where the linker puts that recursion must not matter: programs of different sizes have it at the same place in a line of
# the cache.
for program in fib nqueens cilksort strassen; do
  compile -O3 -fcilkprof=hybrid "$programs/$program.c" -o "$program" -lm
  address=$(nm "$program" | sed -n 's/^\([0-9a-f]*\) t timer_calibration_recursion$/\1/p')
  holds "$program: there is the recursion" test -n "$address"
  equal "$program: it begins a line of the cache" 0 $((0x$address % 64))
done
finish
