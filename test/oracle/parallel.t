#!/bin/sh
# Random programs in parallel: with forced steals, the profile of 1, 2, 3, 4 and 8 workers is the one that the oracle wants.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

export MODE=parallel
for first in 0 40; do # make check-long has thousands
  holds "C: seeds $first to $((first + 39))" "$TOP/test/oracle/run" $first $((first + 39))
done
LANGUAGE=c++ holds 'C++: seeds 0 to 39' "$TOP/test/oracle/run" 0 39
finish
