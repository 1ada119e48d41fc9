#!/bin/sh
# The call sites.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
build calls

prints 'times: Figure 2 of the paper' --sites -b quicksort quicksort.out <<'EOF'
Call sites by share of the span:

       ------------------- on span -------------------- -------- on work ---------
% span local span local work     work     span parallel     work     span parallel      count  kind    place       caller -> callee
 99.29    141.9ms    141.9ms  141.9ms  141.9ms     1.00  408.2ms  408.2ms     1.00    1500000  call    qsort.c:20  pqsort -> partition
  0.70    1.000ms    1.000ms  791.5ms  142.9ms     5.54  791.5ms  142.9ms     5.54          1  entry   qsort.c:28  <spontaneous> -> main
  0.00    6.682us    7.068us  691.8ms  118.4ms     5.84  761.0ms  125.4ms     6.07    1500000  call    qsort.c:22  pqsort -> pqsort
  0.00    3.823us    4.340us  597.3ms  98.12ms     6.09  741.3ms  116.6ms     6.36    1500000  spawn   qsort.c:21  pqsort -> pqsort
  0.00    885.0ns    885.0ns  790.5ms  141.9ms     5.57  790.5ms  141.9ms     5.57          1  call    qsort.c:31  main -> pqsort
EOF

prints 'instructions; duplicates are added' --sites -b calls calls.out <<'EOF'
Call sites by share of the span:

       ------------------- on span -------------------- -------- on work ---------
% span local span local work     work     span parallel     work     span parallel      count  kind    place       caller -> callee
 24.47        150        150      534      300     1.78      534      300     1.78          5  call    cycle.c:3   even -> odd
 19.58        120        120      150      150     1.00      250      250     1.00          5  call    cycle.c:9   odd -> leaf
 16.31        100        100   1.250k      613     2.04   1.250k      613     2.04          1  entry   main.cc:10  <spontaneous> -> main
 10.77         66         66      600      366     1.64      600      366     1.64          2  call    main.cc:12  main -> even
  6.53         40        100      400       67     5.97      400       67     5.97          1  loop    main.cc:20  main -> cilk_for main.cc:20
  6.53         40         40       40       40     1.00       60       60     1.00          6  call    leaf.c:4    leaf -> helper (leaf.c)
  6.53         40         40       50       50     1.00       50       50     1.00          1  call    main.cc:30  main -> leaf
  4.40         27         27       27       27     1.00      270      270     1.00         10  call    main.cc:21  main -> Shape::area
  4.08         25         25       25       25     1.00       25       25     1.00          1  call    calls.c:5   hidden -> Shape::add
  0.82          5          5       30       30     1.00       30       30     1.00          1  call    main.cc:31  main -> hidden
  0.00          0          0        0        0        -      400      250     1.60          4  spawn   cycle.c:8   odd -> even
  0.00          0          0        0        0        -       70       70     1.00          2  spawn   main.cc:25  main -> helper (main.cc)
  0.00          0          0        0        0        -       30       30     1.00          1  call    main.cc:21  main -> Circle::area
EOF

prints '-z also shows what was never reached' --sites -b -z calls calls.out <<'EOF'
Call sites by share of the span:

       ------------------- on span -------------------- -------- on work ---------
% span local span local work     work     span parallel     work     span parallel      count  kind    place       caller -> callee
 24.47        150        150      534      300     1.78      534      300     1.78          5  call    cycle.c:3   even -> odd
 19.58        120        120      150      150     1.00      250      250     1.00          5  call    cycle.c:9   odd -> leaf
 16.31        100        100   1.250k      613     2.04   1.250k      613     2.04          1  entry   main.cc:10  <spontaneous> -> main
 10.77         66         66      600      366     1.64      600      366     1.64          2  call    main.cc:12  main -> even
  6.53         40        100      400       67     5.97      400       67     5.97          1  loop    main.cc:20  main -> cilk_for main.cc:20
  6.53         40         40       40       40     1.00       60       60     1.00          6  call    leaf.c:4    leaf -> helper (leaf.c)
  6.53         40         40       50       50     1.00       50       50     1.00          1  call    main.cc:30  main -> leaf
  4.40         27         27       27       27     1.00      270      270     1.00         10  call    main.cc:21  main -> Shape::area
  4.08         25         25       25       25     1.00       25       25     1.00          1  call    calls.c:5   hidden -> Shape::add
  0.82          5          5       30       30     1.00       30       30     1.00          1  call    main.cc:31  main -> hidden
  0.00          0          0        0        0        -      400      250     1.60          4  spawn   cycle.c:8   odd -> even
  0.00          0          0        0        0        -       70       70     1.00          2  spawn   main.cc:25  main -> helper (main.cc)
  0.00          0          0        0        0        -       30       30     1.00          1  call    main.cc:21  main -> Circle::area
  0.00          0          0        0        0        -        0        0        -          0  call    main.cc:50  never -> <indirect>
  0.00          0          0        0        0        -        0        0        -          0  spawn   main.cc:51  never -> again
EOF

sed 's/ qsort.c 20 17 / - 0 0 /' quicksort.txt >placeless.txt
build placeless
"$report" --sites -b placeless placeless.out >got
holds 'a site without a place' grep -q ' call    ???         pqsort -> partition$' got
"$report" --csv placeless placeless.out >got
holds 'a site without a place, in CSV' grep -q '^"???",0,0,"call","pqsort","partition",' got
"$report" --diff -b placeless.out placeless.out >got
holds 'a site without a place, in a comparison' sh -c '! grep -q ":0 " got'

"$report" --sites calls calls.out >got
holds 'without -b it is explained' grep -q 'These add up to 100' got
holds 'the unit is explained' grep -q 'counted in instructions' got

finish
