#!/bin/sh
# The flat profile: gprof's layout, with the span.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
build calls

prints 'times, with recursion' -p -b quicksort quicksort.out <<'EOF'
Flat profile:

Each unit of the timer counts as 1e-06 ms.
  %   cumulative   self              self     total  on span     %                     
 time        ms       ms     calls  ms/call  ms/call            span parallel  name    
 51.57    408.15   408.15  1500000     0.00     0.00  141.9ms  99.29     1.00  partition
 48.31    790.52   382.37        1   382.37   790.52  11.39us   0.01     5.57  pqsort
  0.13    791.52     1.00        1     1.00   791.52  1.000ms   0.70     5.54  main
EOF

prints 'instructions: cycles, loops, indirect calls, C++ names, static functions of one name' -p -b calls calls.out <<'EOF'
Flat profile:

Each instruction counts as 1 instr.
  %   cumulative   self              self     total  on span     %                     
 time     instr    instr     calls   i/call   i/call            span parallel  name    
 21.60    270.00   270.00       10    27.00    27.00       27   4.40     1.00  Shape::area
 19.20    510.00   240.00        6    40.00    50.00      160  26.10     1.00  leaf
 16.00    710.00   200.00        6    33.33    33.33       66  10.77     1.64  even
 12.00    860.00   150.00        5    30.00    80.00      150  24.47     1.78  odd
  8.00    960.00   100.00        1   100.00   400.00       40   6.53     5.97  cilk_for main.cc:20
  8.00   1060.00   100.00        1   100.00  1250.00      100  16.31     2.04  main
  5.60   1130.00    70.00        2    35.00    35.00        0   0.00     1.00  helper (main.cc)
  4.80   1190.00    60.00        6    10.00    10.00       40   6.53     1.00  helper (leaf.c)
  2.40   1220.00    30.00        1    30.00    30.00        0   0.00     1.00  Circle::area
  2.00   1245.00    25.00        1    25.00    25.00       25   4.08     1.00  Shape::add
  0.40   1250.00     5.00        1     5.00    30.00        5   0.82     1.00  hidden
EOF

prints '-z also shows what was never called' -p -b -z calls calls.out <<'EOF'
Flat profile:

Each instruction counts as 1 instr.
  %   cumulative   self              self     total  on span     %                     
 time     instr    instr     calls   i/call   i/call            span parallel  name    
 21.60    270.00   270.00       10    27.00    27.00       27   4.40     1.00  Shape::area
 19.20    510.00   240.00        6    40.00    50.00      160  26.10     1.00  leaf
 16.00    710.00   200.00        6    33.33    33.33       66  10.77     1.64  even
 12.00    860.00   150.00        5    30.00    80.00      150  24.47     1.78  odd
  8.00    960.00   100.00        1   100.00   400.00       40   6.53     5.97  cilk_for main.cc:20
  8.00   1060.00   100.00        1   100.00  1250.00      100  16.31     2.04  main
  5.60   1130.00    70.00        2    35.00    35.00        0   0.00     1.00  helper (main.cc)
  4.80   1190.00    60.00        6    10.00    10.00       40   6.53     1.00  helper (leaf.c)
  2.40   1220.00    30.00        1    30.00    30.00        0   0.00     1.00  Circle::area
  2.00   1245.00    25.00        1    25.00    25.00       25   4.08     1.00  Shape::add
  0.40   1250.00     5.00        1     5.00    30.00        5   0.82     1.00  hidden
  0.00   1250.00     0.00                                   0   0.00        -  again
  0.00   1250.00     0.00                                   0   0.00        -  never
EOF

# qsort calls order, which calls qsort: nothing tells that this is below the first, but it is no more than the program.
cat >below.txt <<'END'
mode count
command ./below
totals 80 0 0
site outside 8 below.c 1 1 - main below.c
on_work 1 100 80 80  1 100 80 80  1 10 10 10
on_span 1 100 80 80  1 100 80 80  1 10 10 10
site call 8 below.c 2 3 main qsort below.c
on_work 1 90 90 90  1 90 90 90  1 0 0 0
on_span 1 70 70 70  1 70 70 70  1 0 0 0
site outside 8 below.c 5 1 - order below.c
on_work 9 90 90 90  9 90 90 90  9 90 90 90
on_span 9 70 70 70  9 70 70 70  9 70 70 70
site call 8 below.c 6 3 order qsort below.c
on_work 3 60 60 60  3 60 60 60  3 0 0 0
on_span 3 40 40 40  3 40 40 40  3 0 0 0
END
build below
"$report" -p -b below below.out >got
holds 'the parallelism of what is below itself is not under 1' grep -q ' 1.00  qsort$' got

"$report" -p calls calls.out >got
holds 'without -b it is explained' grep -q 'the percentage of the program.s work' got
holds 'the unit is explained' grep -q 'counted in instructions' got

finish
