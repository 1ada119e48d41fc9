#!/bin/sh
# The parallelism profile and the speedup estimate.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
build calls

prints 'times' --summary -b quicksort quicksort.out <<'EOF'
Parallelism profile

  Command:                ./qsort 10000000
  Measured:               hybrid: short strands counted, others timed
  Work:                   791.52 ms
  Span:                   142.90 ms
  Burdened span:          143.01 ms
  Parallelism:            5.54
  Burdened parallelism:   5.53
  Spawns:                 1,500,000
  Syncs:                  700,000
  Average maximal strand: 213.00 ns

Speedup estimate

    2 processors:         1.24 -   2.00
    4 processors:         1.79 -   4.00
    8 processors:         2.31 -   5.54
   16 processors:         2.71 -   5.54
   32 processors:         2.96 -   5.54
   64 processors:         3.10 -   5.54
  128 processors:         3.17 -   5.54
EOF

prints 'instructions' --summary -b calls calls.out <<'EOF'
Parallelism profile

  Command:                ./calls --of=all "kinds"
  Measured:               count: instructions, counted by the compiler
  Work:                   1,250 instructions
  Span:                   613 instructions
  Burdened span:          700 instructions
  Parallelism:            2.04
  Burdened parallelism:   1.79
  Spawns:                 12
  Syncs:                  5
  Average maximal strand: 41 instructions

Speedup estimate

    2 processors:         0.69 -   2.00
    4 processors:         0.83 -   2.04
    8 processors:         0.93 -   2.04
   16 processors:         0.99 -   2.04
   32 processors:         1.02 -   2.04
   64 processors:         1.03 -   2.04
  128 processors:         1.04 -   2.04
EOF

sed 's/^mode count/mode count\nflags 7/' calls.txt >flagged.txt
sed -i 's/^on_span .*/on_span 0 0 0 0  0 0 0 0  0 0 0 0/' flagged.txt
build flagged
"$report" --summary -b flagged flagged.out >got
holds 'an incomplete run is marked' grep -q 'The program did not finish' got
holds 'a run without on-span data is marked' grep -qi 'the critical path is unknown' got
holds 'other threads are mentioned' grep -q 'other threads' got
"$report" --summary calls calls.out >got
holds 'without -b it is explained' grep -q '1.7 burdened span) to the smaller of P' got
holds 'the explanation has the burden' grep -q '15,000 instructions' got

# Strands that were interrupted: those of all profiles.
{ cat quicksort.txt; echo 'preempted 12 34500000'; } >busy.txt
"$make_profile" profile busy.txt quicksort >busy.out
"$report" --summary -b quicksort busy.out >got
holds 'corrected strands are told' grep -q '^  Corrected strands:      12, minus 34.50 ms of interruptions$' got
"$report" --summary -b quicksort busy.out quicksort.out busy.out >got
holds 'of several profiles, all' grep -q '^  Corrected strands:      24, minus 69.00 ms of interruptions$' got
finish
