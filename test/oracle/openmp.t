#!/bin/sh
# Random OpenMP programs: the engine and the oracle agree on every value.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

export LANGUAGE=openmp
# Few programs, at all levels, and many runs of each: most of the time is the compiler's.  make check-long has thousands.
for first in 0 32 64 96; do
  PROGRAM_RUNS=16 holds "seeds $first to $((first + 31))" "$TOP/test/oracle/run" $first $((first + 31))
done
finish
