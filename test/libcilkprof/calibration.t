#!/bin/sh
# What an instruction is worth in time is measured on a recursion whose number of instructions is written down in the engine.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

compile -O3 -fcilkprof=count "$programs/fib.c" -o fib
depth=$(sed -n 's/.*CALIBRATION_DEPTH = \([0-9]*\).*/\1/p' "$TOP/libcilkprof/clock.c")
profile fib "$depth"
equal 'the number written down is what the compiler estimates' "$(field 'main>fib' on_work_top_call_site_work)" \
  "$(sed -n 's/.*CALIBRATION_INSTRUCTIONS = \([0-9]*\).*/\1/p' "$TOP/libcilkprof/clock.c")"
finish
