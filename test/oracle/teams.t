#!/bin/sh
# Random OpenMP programs whose regions look at thread numbers: the engine, with teams of fibers, and the oracle agree on
# every value.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

export LANGUAGE=teams
# Few programs, at all levels, and many runs of each: most of the time is the compiler's.  make check-long has thousands.
for first in 0 32 64; do
  PROGRAM_RUNS=16 holds "seeds $first to $((first + 31))" "$TOP/test/oracle/run" $first $((first + 31))
done
# The compiler makes two copies of a critical section, one of which calls nothing: both are counted as one site, and one is
# inside of the other.
holds "seeds 512 to 519" "$TOP/test/oracle/run" 512 519
# A thread that waits for a variable has a child that goes on meanwhile.
holds "seeds 216 to 223" "$TOP/test/oracle/run" 216 223
# Threads that wait for a variable go on behind the write on a what-if lane, though not in the real run.
holds "seeds 1336 to 1343" "$TOP/test/oracle/run" 1336 1343
finish
