#!/bin/sh
# Random programs in parallel: with forced steals, the profile of 1, 2, 3, 4 and 8 workers is the one that the oracle wants.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

export MODE=parallel
# Few programs, at levels that differ, and many runs of each: most of the time is the compiler's.  make check-long has thousands.
for program in 11 28 33 44; do
  first=$((16 * program))
  PROGRAM_RUNS=16 holds "C: seeds $first to $((first + 15))" "$TOP/test/oracle/run" $first $((first + 15))
done
for program in 42 55; do
  first=$((16 * program))
  LANGUAGE=c++ PROGRAM_RUNS=16 holds "C++: seeds $first to $((first + 15))" "$TOP/test/oracle/run" $first $((first + 15))
done
finish
