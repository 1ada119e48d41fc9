#!/bin/sh
# Random programs: in count mode the engine and the oracle agree on every field of every site.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

first=0
while [ $first -lt 400 ]; do
  holds "seeds $first to $((first + 39))" "$TOP/test/oracle/run" $first $((first + 39))
  first=$((first + 40))
done
finish
