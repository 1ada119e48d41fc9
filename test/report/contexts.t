#!/bin/sh
# The tree of calling contexts, as text and in sums of profiles.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build tree

prints 'the tree, sorted by span and then by work' -b --contexts tree tree.out <<'END'
Calling contexts: the call sites, each below those that led to it

% work  % span     own     work     span parallel      calls  callee (place of the call)
100.00  100.00   36.71   1.000k      395     2.53          1  main (tree.c:40)
 60.00   50.63   12.66      600      200     3.00          1    build (tree.c:42)
 10.00   25.32   25.32      100      100     1.00         10      leaf (tree.c:21)
 40.00   12.66   12.66      400       80     5.00          2      spawn build (tree.c:22)
 20.00    0.00    0.00      200      200     1.00         20        leaf (tree.c:21)
 25.00   12.66   12.66      250      250     1.00          5    spawn leaf (tree.c:43)
  0.50    0.00                                                  (1 below 1 % each not shown)
END
prints 'a subtree that is left out counts with all that is below it' -b --contexts=51% tree tree.out <<'END'
Calling contexts: the call sites, each below those that led to it

% work  % span     own     work     span parallel      calls  callee (place of the call)
100.00  100.00   36.71   1.000k      395     2.53          1  main (tree.c:40)
 60.00   50.63   12.66      600      200     3.00          1    build (tree.c:42)
 50.00   37.97                                                    (3 below 51 % each not shown)
 25.50   12.66                                                  (2 below 51 % each not shown)
END
"$report" -b --contexts=0 tree tree.out >got
holds 'nothing is left out with 0' grep -q '^  0.50 .*  tiny (tree.c:44)$' got
holds 'and nothing is said of it' sh -c '! grep -q "not shown" got'
"$report" --contexts=0 tree tree.out >got
holds 'it is explained' grep -q '^ % work     the calls. share of' got
awk 'NR > 3 && NF { sum += $3 } /^$/ && NR > 3 { exit } END { exit !(sum > 99.95 && sum < 100.05) }' got
holds 'what is own adds up to the span' test $? = 0
for wrong in x -1 101 nan 1x ''; do
  refuses "--contexts=$wrong" 'not a percentage from 0 to 100' --contexts="$wrong" tree tree.out
done
"$report" -b --contexts --color=always tree tree.out >got
holds 'a serial part of the span stands out' grep -q "$(printf '25.32\033')" got

grep -v '^context' tree.txt >without.txt
$make_profile profile without.txt tree >without.out
prints 'a profile without contexts: what to do' --contexts tree without.out <<'END'
Calling contexts: the call sites, each below those that led to it

  without.out has none: use cilkprof run --contexts.
END
"$report" --contexts tree tree.out without.out >got
holds 'the same when one of several has none' grep -q '^  without.out has none' got

sed 's/^mode count/mode count\nflags 8/' tree.txt >cut.txt
$make_profile profile cut.txt tree >cut.out
"$report" --contexts tree cut.out >got
holds 'it says when there were too many' grep -q 'There were too many contexts' got
sed 's/^mode count/mode clock\nunits 1000\nflags 2/; s/^on_span .*/on_span 0 0 0 0  0 0 0 0  0 0 0 0/' tree.txt |
  awk '/^context/ { for (i = 8; i <= 11; i++) $i = 0 } { print }' >flagged.txt
$make_profile profile flagged.txt tree >flagged.out
"$report" -b --contexts tree flagged.out >got
holds 'without on-span data the work is still there' grep -q '^ 60.00    0.00    0.00  600.0ms ' got

# Sums, of profiles on the command line and in a file, are by path.
"$report" -b --contexts tree tree.out tree.out >twice
holds 'several profiles are added up' grep -q '^ 40.00   12.66   12.66      800      160     5.00          4      spawn build' twice
mkdir sum && cd sum && "$report" -s ../tree ../tree.out ../tree.out
cd ..
"$report" -b --contexts tree sum/cilkprof.sum >got
same '-s writes the same sum' twice got
sed 's/^context 0 5.*/context 1 5  1 5 5 5  0 0 0 0/' tree.txt >other.txt
$make_profile profile other.txt tree >other.out
"$report" -b --contexts=0 tree tree.out other.out >got
holds 'different paths stay apart' test "$(grep -c ' tiny (' got)" = 2
(cd sum && "$report" -s ../tree ../tree.out ../without.out 2>errors)
holds 'a sum with one that has none has none, and says so' grep -q 'without.out: it has no calling contexts, so the sum has none' sum/errors
"$report" -b --contexts tree sum/cilkprof.sum >got
holds 'as its report does' grep -q 'cilkprof.sum has none' got
sed 's/^mode count/mode clock\nunits 1000/' tree.txt >slow.txt
sed 's/^mode count/mode clock\nunits 3000/' tree.txt >fast.txt
$make_profile profile slow.txt tree >slow.out
$make_profile profile fast.txt tree >fast.out
(cd sum && "$report" -s ../tree ../slow.out ../fast.out) && "$report" -b --contexts=0 tree sum/cilkprof.sum >got
holds 'times are converted' grep -q '^ 60.11 .* 800.0ms  266.0ms ' got

# A chain of 3,000 contexts needs no deep stack.
awk 'BEGIN {
  n = 3000
  print "totals 3000 0 0"
  for (i = 0; i < n; i++) {
    printf i ? "site call 0 chain.c %d 1 f%d f%d chain.c\n" : "site outside 0 chain.c %d 1 - f%d chain.c\n", i + 1, i ? i - 1 : 0, i
    printf "on_work 1 %d %d %d  1 %d %d %d  1 1 1 1\n", n - i, n - i, n - i, n - i, n - i, n - i
    printf "on_span 1 %d %d %d  1 %d %d %d  1 1 1 1\n", n - i, n - i, n - i, n - i, n - i, n - i
  }
  for (i = 0; i < n; i++)
    printf "context %s %d  1 %d %d %d  1 %d %d %d\n", i ? i - 1 : "-", i, n - i, n - i, n - i, n - i, n - i, n - i
}' >chain.txt
build chain
holds 'a long chain' sh -c 'ulimit -s 256; "$1" -b --contexts=0 chain chain.out | grep -q " f2999 (chain.c:3000)"' - "$report"

if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
  sed 's/leaf/a_leaf_with_a_name_that_is_too_long_for_a_terminal/' tree.txt >long.txt
  build long
  script -qec "stty cols 100; '$report' -b --no-pager --color=never --contexts long long.out" /dev/null </dev/null |
    tr -d '\r' >got
  holds 'on a terminal names are cut' grep -q '  spawn a_leaf_with_a_name_that_is_[a-z_]*[.][.][.]$' got
  holds 'at its width' test "$(awk '{ if (length > most) most = length } END { print most }' got)" = 100
fi

finish
