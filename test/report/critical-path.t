#!/bin/sh
# The chain of call sites along the span.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
build calls

prints 'folded at recursion' -b --critical-path quicksort quicksort.out <<'END'
Critical path

% span      own     span     calls parallel  callee (place of the call)
  0.70  1.000ms  142.9ms         1     5.54  main (qsort.c:28)
  0.00  885.0ns  141.9ms         1     5.57    pqsort (qsort.c:31)
 99.29  141.9ms  141.9ms        40     1.00      partition (qsort.c:20)
  0.00  6.682us  118.4ms        35     5.84      pqsort (qsort.c:22) recursion
  0.00  3.823us  98.12ms        30     6.09      spawn pqsort (qsort.c:21) recursion
END

prints 'cycles, a loop, a function that is called twice' -b --critical-path calls calls.out <<'END'
Critical path

% span      own     span     calls parallel  callee (place of the call)
 16.31      100      613         1     2.04  main (main.cc:10)
 10.77       66      366         2     1.64    even (main.cc:12)
 24.47      150      300         5     1.78      odd (cycle.c:3)
 19.58      120      150         3     1.00        leaf (cycle.c:9)
  6.53       40       40         4     1.00          helper (leaf.c) (leaf.c:4)
  6.53       40       67         1     5.97    cilk_for main.cc:20
  6.53       40       50         1     1.00    leaf (main.cc:30) as above
  0.82        5       30         1     1.00    hidden (main.cc:31)
  4.08       25       25         1     1.00      Shape::add (calls.c:5)
  4.40       27       27         1     1.00    Shape::area (main.cc:21)
END
"$report" -b --critical-path calls calls.out | awk 'NR > 3 { sum += $1 } END { print (sum > 99.9 && sum < 100.1) }' >got
holds 'the parts add up' test "$(cat got)" = 1
"$report" -b -L --critical-path calls calls.out >got
holds '-L' grep -q '    even (src/main.cc:12)$' got
"$report" --critical-path calls calls.out >got
holds 'it is explained' grep -q 'A recursive call is marked' got
sed 's/^mode count/mode count\nflags 2/; s/^on_span .*/on_span 0 0 0 0  0 0 0 0  0 0 0 0/' calls.txt |
  sed 's/^totals.*/totals 0 12 5/' >flagged.txt
build flagged
"$report" -b --critical-path flagged flagged.out >got
holds 'without on-span data it says so' grep -q 'The critical path is unknown' got

# A run that was cut short: main never returned, so that its call is missing.
awk '/^site outside/ { skip = 3 } skip-- <= 0 { print }' calls.txt | sed 's/^mode count/mode count\nflags 1/' >open.txt
build open
"$report" -b --critical-path open open.out >got
holds 'a missing root loses nothing' test "$(sed 1,3d got | wc -l)" = 9

# A chain of 3,000 functions needs no deep stack.
awk 'BEGIN {
  print "totals 3000 0 0"
  print "site outside 0 chain.c 1 1 - f0 chain.c"
  n = 3000
  for (i = 0; i < n; i++) {
    if (i > 0) printf "site call 0 chain.c %d 1 f%d f%d chain.c\n", i + 1, i - 1, i
    printf "on_work 1 %d %d %d  1 %d %d %d  1 1 1 1\n", n - i, n - i, n - i, n - i, n - i, n - i
    printf "on_span 1 %d %d %d  1 %d %d %d  1 1 1 1\n", n - i, n - i, n - i, n - i, n - i, n - i
  }
}' >chain.txt
build chain
holds 'a long chain' sh -c 'ulimit -s 256; "$1" -b --critical-path chain chain.out | grep -q " f2999 (chain.c:3000)"' - "$report"

finish
