#!/bin/sh
# The call graph: gprof's layout, with work, span and parallelism of every arc.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
build calls

prints 'recursion' -q -b quicksort quicksort.out <<'EOF'
			Call graph


granularity: each call site is measured; values in ms; the work is 791.52, the span 142.9ms

index % time    self  children   work     span parallel      called     name
                1.00  790.52   791.52  142.9ms     5.54       1/1           <spontaneous>
[1]    100.0    1.00  790.52   791.52  142.9ms     5.54       1         main [1]
                0.00  790.52   790.52  141.9ms     5.57       1/1           pqsort [2]
-----------------------------------------------
                               670.52  81.90ms     8.19 3000000             pqsort [2]
                0.00  790.52   790.52  141.9ms     5.57       1/1           main [1]
[2]     99.9  382.37  408.15   790.52  141.9ms     5.57       1+3000000 pqsort [2]
              408.15    0.00   408.15  408.2ms     1.00 1500000/1500000     partition [3]
                               670.52  81.90ms     8.19 3000000             pqsort [2]
-----------------------------------------------
              408.15    0.00   408.15  408.2ms     1.00 1500000/1500000     pqsort [2]
[3]     51.6  408.15    0.00   408.15  408.2ms     1.00 1500000         partition [3]
-----------------------------------------------

Index by function name

   [1] main                  [3] partition             [2] pqsort
EOF

prints 'cycles, loops, indirect calls' -q -b calls calls.out <<'EOF'
			Call graph


granularity: each call site is measured; values in instr; the work is 1250.00, the span 613

index % time    self  children   work     span parallel      called     name
              100.00 1150.00  1250.00      613     2.04       1/1           <spontaneous>
[1]    100.0  100.00 1150.00  1250.00      613     2.04       1         main [1]
               66.00  534.00   600.00      366     1.64       2/2           even <cycle 1> [7]
              100.00  300.00   400.00       67     5.97       1/1           cilk_for main.cc:20 [3]
              270.00    0.00   270.00      270     1.00      10/10          Shape::area [6]
               70.00    0.00    70.00       70     1.00       2/2           helper (main.cc) [8]
               40.00   10.00    50.00       50     1.00       1/6           leaf [5]
               30.00    0.00    30.00       30     1.00       1/1           Circle::area [10]
                5.00   25.00    30.00       30     1.00       1/1           hidden [11]
-----------------------------------------------
[2]     48.0  350.00  250.00   600.00      366     1.64       2+9       <cycle 1 as a whole> [2]
              150.00  250.00   400.00              1.78       5             odd <cycle 1> [4]
              200.00    0.00   200.00              1.64       6             even <cycle 1> [7]
-----------------------------------------------
              100.00  300.00   400.00       67     5.97       1/1           main [1]
[3]     32.0  100.00  300.00   400.00       67     5.97       1         cilk_for main.cc:20 [3]
-----------------------------------------------
                               534.00      300     1.78       5             even <cycle 1> [7]
[4]     32.0  150.00  250.00   400.00              1.78       5         odd <cycle 1> [4]
              200.00   50.00   250.00      250     1.00       5/6           leaf [5]
                               400.00      250     1.60       4             even <cycle 1> [7]
-----------------------------------------------
               40.00   10.00    50.00       50     1.00       1/6           main [1]
              200.00   50.00   250.00      250     1.00       5/6           odd <cycle 1> [4]
[5]     24.0  240.00   60.00   300.00      300     1.00       6         leaf [5]
               60.00    0.00    60.00       60     1.00       6/6           helper (leaf.c) [9]
-----------------------------------------------
              270.00    0.00   270.00      270     1.00      10/10          main [1]
[6]     21.6  270.00    0.00   270.00      270     1.00      10         Shape::area [6]
-----------------------------------------------
                               400.00      250     1.60       4             odd <cycle 1> [4]
               66.00  534.00   600.00      366     1.64       2/2           main [1]
[7]     16.0  200.00    0.00   200.00              1.64       6         even <cycle 1> [7]
                               534.00      300     1.78       5             odd <cycle 1> [4]
-----------------------------------------------
               70.00    0.00    70.00       70     1.00       2/2           main [1]
[8]      5.6   70.00    0.00    70.00       70     1.00       2         helper (main.cc) [8]
-----------------------------------------------
               60.00    0.00    60.00       60     1.00       6/6           leaf [5]
[9]      4.8   60.00    0.00    60.00       60     1.00       6         helper (leaf.c) [9]
-----------------------------------------------
               30.00    0.00    30.00       30     1.00       1/1           main [1]
[10]     2.4   30.00    0.00    30.00       30     1.00       1         Circle::area [10]
-----------------------------------------------
                5.00   25.00    30.00       30     1.00       1/1           main [1]
[11]     2.4    5.00   25.00    30.00       30     1.00       1         hidden [11]
               25.00    0.00    25.00       25     1.00       1/1           Shape::add [12]
-----------------------------------------------
               25.00    0.00    25.00       25     1.00       1/1           hidden [11]
[12]     2.0   25.00    0.00    25.00       25     1.00       1         Shape::add [12]
-----------------------------------------------

Index by function name

  [10] Circle::area          [7] even                  [5] leaf
  [12] Shape::add            [9] helper (leaf.c)       [1] main
   [6] Shape::area           [8] helper (main.cc)      [4] odd
   [3] cilk_for main.cc:20  [11] hidden                [2] <cycle 1>
EOF

prints '-z also shows what was never called' -q -b -z calls calls.out <<'EOF'
			Call graph


granularity: each call site is measured; values in instr; the work is 1250.00, the span 613

index % time    self  children   work     span parallel      called     name
              100.00 1150.00  1250.00      613     2.04       1/1           <spontaneous>
[1]    100.0  100.00 1150.00  1250.00      613     2.04       1         main [1]
               66.00  534.00   600.00      366     1.64       2/2           even <cycle 1> [7]
              100.00  300.00   400.00       67     5.97       1/1           cilk_for main.cc:20 [3]
              270.00    0.00   270.00      270     1.00      10/10          Shape::area [6]
               70.00    0.00    70.00       70     1.00       2/2           helper (main.cc) [8]
               40.00   10.00    50.00       50     1.00       1/6           leaf [5]
               30.00    0.00    30.00       30     1.00       1/1           Circle::area [10]
                5.00   25.00    30.00       30     1.00       1/1           hidden [11]
-----------------------------------------------
[2]     48.0  350.00  250.00   600.00      366     1.64       2+9       <cycle 1 as a whole> [2]
              150.00  250.00   400.00              1.78       5             odd <cycle 1> [4]
              200.00    0.00   200.00              1.64       6             even <cycle 1> [7]
-----------------------------------------------
              100.00  300.00   400.00       67     5.97       1/1           main [1]
[3]     32.0  100.00  300.00   400.00       67     5.97       1         cilk_for main.cc:20 [3]
-----------------------------------------------
                               534.00      300     1.78       5             even <cycle 1> [7]
[4]     32.0  150.00  250.00   400.00              1.78       5         odd <cycle 1> [4]
              200.00   50.00   250.00      250     1.00       5/6           leaf [5]
                               400.00      250     1.60       4             even <cycle 1> [7]
-----------------------------------------------
               40.00   10.00    50.00       50     1.00       1/6           main [1]
              200.00   50.00   250.00      250     1.00       5/6           odd <cycle 1> [4]
[5]     24.0  240.00   60.00   300.00      300     1.00       6         leaf [5]
               60.00    0.00    60.00       60     1.00       6/6           helper (leaf.c) [9]
-----------------------------------------------
              270.00    0.00   270.00      270     1.00      10/10          main [1]
[6]     21.6  270.00    0.00   270.00      270     1.00      10         Shape::area [6]
-----------------------------------------------
                               400.00      250     1.60       4             odd <cycle 1> [4]
               66.00  534.00   600.00      366     1.64       2/2           main [1]
[7]     16.0  200.00    0.00   200.00              1.64       6         even <cycle 1> [7]
                               534.00      300     1.78       5             odd <cycle 1> [4]
-----------------------------------------------
               70.00    0.00    70.00       70     1.00       2/2           main [1]
[8]      5.6   70.00    0.00    70.00       70     1.00       2         helper (main.cc) [8]
-----------------------------------------------
               60.00    0.00    60.00       60     1.00       6/6           leaf [5]
[9]      4.8   60.00    0.00    60.00       60     1.00       6         helper (leaf.c) [9]
-----------------------------------------------
               30.00    0.00    30.00       30     1.00       1/1           main [1]
[10]     2.4   30.00    0.00    30.00       30     1.00       1         Circle::area [10]
-----------------------------------------------
                5.00   25.00    30.00       30     1.00       1/1           main [1]
[11]     2.4    5.00   25.00    30.00       30     1.00       1         hidden [11]
               25.00    0.00    25.00       25     1.00       1/1           Shape::add [12]
-----------------------------------------------
               25.00    0.00    25.00       25     1.00       1/1           hidden [11]
[12]     2.0   25.00    0.00    25.00       25     1.00       1         Shape::add [12]
-----------------------------------------------
                0.00    0.00                                  0/0           never [14]
[13]     0.0    0.00    0.00                                            again [13]
-----------------------------------------------
                                                                            <spontaneous>
[14]     0.0    0.00    0.00                                            never [14]
                0.00    0.00                                  0/0           <indirect>
                0.00    0.00                                  0/0           again [13]
-----------------------------------------------

Index by function name

  [10] Circle::area          [7] even                  [1] main
  [12] Shape::add            [9] helper (leaf.c)      [14] never
   [6] Shape::area           [8] helper (main.cc)      [4] odd
  [13] again                [11] hidden                [2] <cycle 1>
   [3] cilk_for main.cc:20   [5] leaf
EOF

# Three functions in a ring, entered at two places; one of them also calls itself.
cat >ring.txt <<'END'
command ./ring
totals 100 0 0
site outside 8 ring.c 1 1 - main ring.c
on_work 1 100 100 100  1 100 100 100  1 10 10 10
on_span 1 100 100 100  1 100 100 100  1 10 10 10
site call 0 ring.c 2 1 main a ring.c
on_work 1 60 60 60  1 60 60 60  1 10 10 10
on_span 1 60 60 60  1 60 60 60  1 10 10 10
site call 0 ring.c 3 1 main c ring.c
on_work 1 30 30 30  1 30 30 30  1 20 20 20
on_span 1 30 30 30  1 30 30 30  1 20 20 20
site call 0 ring.c 4 1 a b ring.c
on_work 2 55 55 55  2 55 55 55  2 25 25 25
on_span 2 55 55 55  2 55 55 55  2 25 25 25
site call 0 ring.c 5 1 b c ring.c
on_work 1 30 30 30  1 30 30 30  1 5 5 5
on_span 1 30 30 30  1 30 30 30  1 5 5 5
site call 0 ring.c 6 1 c a ring.c
on_work 2 35 35 35  2 35 35 35  2 15 15 15
on_span 2 35 35 35  2 35 35 35  2 15 15 15
site call 0 ring.c 7 1 b b ring.c
on_work 1 5 5 5  1 5 5 5  1 5 5 5
on_span 1 5 5 5  1 5 5 5  1 5 5 5
site call 0 ring.c 8 1 b leaf ring.c
on_work 1 10 10 10  1 10 10 10  1 10 10 10
on_span 1 10 10 10  1 10 10 10  1 10 10 10
END
build ring
"$report" -q -b ring ring.out | sed -n '/as a whole/,/^---/p' >got
cat >wanted <<'END'
[2]     90.0   80.00   10.00    90.00       90     1.00       2+5       <cycle 1 as a whole> [2]
               30.00   10.00    40.00              1.00       2+1           b <cycle 1> [3]
               25.00    0.00    25.00              1.00       2             c <cycle 1> [4]
               25.00    0.00    25.00              1.00       3             a <cycle 1> [5]
-----------------------------------------------
END
same 'a cycle of three is one' wanted got

"$report" -q calls calls.out >got
holds 'without -b it is explained' grep -q '^     % time   its work' got

finish
