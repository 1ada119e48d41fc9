#!/bin/sh
# gprof's options that choose, filter and arrange: symspecs, columns, lines, time.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build calls
build quicksort

# flat, graph: the functions with a row in the flat profile, or with an entry in the call graph, by their first word.
flat() {
  "$report" -b -p "$@" calls calls.out | sed '1,/^ time/d' | cut -c 80- | sed 's/ .*//' | tr '\n' ' '
}
graph() {
  "$report" -b "$@" calls calls.out | grep '^\[' | cut -c 73- | sed 's/ .*//' | sort | tr '\n' ' '
}
holds '-pNAME' test "$(flat -pleaf)" = 'leaf '
holds 'several' test "$(flat -pleaf --flat-profile=odd)" = 'leaf odd '
holds 'by symbol' test "$(flat -p_ZN5Shape3addERKS_)" = 'Shape::add '
holds 'without parameters' test "$(flat -pShape::add)" = 'Shape::add '
holds 'by file' test "$(flat -pleaf.c)" = 'leaf helper '
holds 'by file and name' test "$(flat -pleaf.c:leaf)" = 'leaf '
holds 'by the place of a loop' test "$(flat -pmain.cc:20)" = 'cilk_for '
holds 'by line' test "$(flat -p20)" = 'cilk_for '
holds '-PNAME' test "$(flat -Pleaf --no-flat-profile=main.cc | tr ' ' '\n' | grep -c -e leaf -e '^main$')" = 0
holds '-qNAME: with what it calls' test "$(graph -qleaf)" = 'helper leaf '
holds '-fNAME' test "$(graph -q -fleaf)" = 'helper leaf '
holds '-QNAME' test "$(graph -Qleaf.c | tr ' ' '\n' | grep -c -e leaf -e helper)" = 1
holds '-eNAME' test "$(graph -q -eleaf | tr ' ' '\n' | grep -c leaf)" = 0
"$report" -b -q -eleaf calls calls.out >got
holds 'an entry that is not printed has its index in parentheses' grep -q '  ([0-9]*) leaf' got
holds 'also where it is called' grep -q 'leaf ([0-9]*)$' got

"$report" -b -keven/odd -q calls calls.out >got
holds '-k breaks a cycle' sh -c '! grep -q "<cycle" got'
holds 'no cost is counted twice then' grep -q '^\[[0-9]*\] *48.0 .* even \[' got
holds 'the arc is gone' sh -c 'grep -B 1 "^\[.* odd \[" got | grep -q spontaneous'
"$report" -b -Qeven/odd calls calls.out >other
same '-Q FROM/TO is the same' got other
"$report" -b -qmain/even calls calls.out >got
holds '-q FROM/TO: only these' test "$(grep -c '/' got)" = 2
refuses '-k without a slash' 'leaf: not of the form FROM/TO' -kleaf calls calls.out

"$report" -b -q -F leaf calls calls.out >got
holds '-F: percentages are of what counts' grep -q '^\[1\] *100.0  240.00   60.00 .* leaf ' got
"$report" -b -q -F odd calls calls.out >got
holds '-F: what others call does not count' grep -q '   0.00    0.00     0.00        0        -       1/6           main (' got
"$report" -b -q -n leaf calls calls.out | grep '^\[1\]' >got
holds '-n' grep -q '100.0 .* leaf' got
"$report" -b -q -N leaf calls calls.out >got
holds '-N: the function counts nothing' grep -q '^\[[0-9]*\] *0.0    0.00    0.00 .* leaf \[' got
holds 'its callers lack it' grep -q '^\[[0-9]*\] *14.9  150.00    0.00   150.00 .* odd <cycle 1> ' got
"$report" -b -q -E leaf calls calls.out >got
holds '-E' sh -c '! grep -q "^\[.* leaf \[" got'

prints '--traditional-columns: the flat profile of gprof' -b -p --traditional-columns quicksort quicksort.out <<'END'
Flat profile:

Each unit of the timer counts as 1e-06 ms.
  %   cumulative   self              self     total           
 time        ms       ms     calls  ms/call  ms/call  name    
 51.57    408.15   408.15  1500000     0.00     0.00  partition
 48.31    790.52   382.37        1   382.37   790.52  pqsort
  0.13    791.52     1.00                             main
END
prints '--traditional-columns: its call graph' -b -q --traditional-columns quicksort quicksort.out <<END
			Call graph


granularity: each call site is measured; values in ms; the work is 791.52, the span 142.9ms

index % time    self  children    called     name
                                                 <spontaneous>
[1]    100.0    1.00  790.52                 main [1]
                0.00  790.52       1/1           pqsort [2]
-----------------------------------------------
                             3000000             pqsort [2]
                0.00  790.52       1/1           main [1]
[2]     99.9  382.37  408.15       1+3000000 pqsort [2]
              408.15    0.00 1500000/1500000     partition [3]
                             3000000             pqsort [2]
-----------------------------------------------
              408.15    0.00 1500000/1500000     pqsort [2]
[3]     51.6  408.15    0.00 1500000         partition [3]
-----------------------------------------------
$(printf '\f')
Index by function name

   [1] main                  [3] partition             [2] pqsort
END
"$report" -b -T quicksort quicksort.out | grep -n -e 'called+self' -e 'cumulative' | sed 's/:.*//' >lines
holds '-T: the call graph comes first' test "$(head -n 1 lines)" -lt "$(tail -n 1 lines)"
"$report" -b -T -p -q quicksort quicksort.out >got
holds '-T: BSD has wider columns' grep -q '^\[2\]     99.9  382.37      408.15       1+3000000 pqsort \[2\]$' got
holds '-T: and the index in the flat profile' grep -q '^ 48.3     790.52   382.37        1   382.37   790.52  pqsort \[2\]$' got

prints '-l: calls from different lines' -b -p -l quicksort quicksort.out <<'END'
Flat profile:

Each unit of the timer counts as 1e-06 ms.
  %   cumulative   self              self     total  on span     %                     
 time        ms       ms     calls  ms/call  ms/call            span parallel  name    
 51.57    408.15   408.15  1500000     0.00     0.00  141.9ms  99.29     1.00  partition (at qsort.c:20)
 24.30    600.52   192.37  1500000     0.00           6.682us   0.00    16.92  pqsort (at qsort.c:22)
 24.00    790.52   190.00  1500000     0.00           3.823us   0.00     5.00  pqsort (at qsort.c:21)
  0.13    791.52     1.00        1     1.00   791.52  1.000ms   0.70     5.54  main (at qsort.c:28)
  0.00    791.52     0.00        1     0.00   790.52  885.0ns   0.00     5.57  pqsort (at qsort.c:31)
END
"$report" -b -q -l quicksort quicksort.out >got
holds '-l: in the call graph' grep -q ' 1500000  *pqsort (at qsort.c:21) \[2\]$' got
"$report" -p -l calls calls.out >got
holds '-l is explained' grep -q 'a row for each line that calls it' got
"$report" -b -p -l -L calls calls.out >got
holds '-L: whole names' grep -q 'leaf (at src/cycle.c:9)$' got
"$report" -b -p --inline-file-names calls calls.out >got
holds '--inline-file-names' grep -q ' main (main.cc:10)$' got

"$report" -b -p --no-demangle calls calls.out >got
holds '--no-demangle' grep -q ' _ZNK5Shape4areaEi$' got
"$report" -b -p calls calls.out >wanted
for style in '' =auto =gnu-v3; do
  "$report" -b -p "--demangle$style" calls calls.out >got
  same "--demangle$style" wanted got
done
refuses 'an unknown style' 'unknown style' --demangle=lucid calls calls.out

"$report" -b -q -w 40 calls calls.out | sed -n '/^Index/,$p' >got
holds '-w: a narrow index' grep -q '\[7\] even     \[5\] leaf$' got
"$report" -b -q -w 200 calls calls.out | sed -n '/^Index/,$p' >got
holds '-w: a wide one' test "$(awk '{ if (length > most) most = length } END { print (most > 130) }' got)" = 1

sections() {
  "$report" -b "$@" calls calls.out | tr -d '\f\t' |
    sed -n 's/^ *\(Verdict\|Parallelism profile\|Flat profile\|Call graph\|Call sites\).*/\1/p' | tr '\n' ','
}
holds '-P: all but the flat profile' test "$(sections -P)" = 'Verdict,Parallelism profile,Call graph,Call sites,'
holds '-p -P' test "$(sections -p -P)" = 'Verdict,Parallelism profile,Call graph,Call sites,'
holds '-P -p' test "$(sections -P -p)" = 'Flat profile,'
holds '-Q' test "$(sections -Q)" = 'Verdict,Parallelism profile,Flat profile,Call sites,'
holds '-p -Q' test "$(sections -p -Q)" = 'Flat profile,'
holds '-B' test "$(sections -B)" = 'Call graph,'

"$report" -b -q -a calls calls.out >got
holds '-a: no static functions' sh -c '! grep -q hidden got'
"$report" -b -q -c calls calls.out >got
holds '-c: calls that were never made' test "$(grep -c ' 0/' got)" -ge 0
holds '-c: no functions that were never called' sh -c '! grep -q "^\[.* never \[" got'

strip -o stripped calls
"$report" -b -p calls calls.out >wanted
nm calls >symbols
"$report" -b -p -S symbols stripped calls.out >got
same '-S: the symbols of a stripped program' wanted got
refuses '-S: a file without symbols' 'it has no lines with an address' -S calls.txt stripped calls.out
"$report" -b -p --force stripped calls.out >got
holds 'without symbols there are addresses' grep -q 'stripped+0x\|calls+0x' got
"$report" -b -p --force -D stripped calls.out >got
holds '-D: not with -D' sh -c '! grep -q "+0x" got'

for format in bsd 4.4bsd prof; do
  refuses "-O $format" 'have no call sites' -O $format calls calls.out
done
refuses '-O with another word' 'unknown file format' -O elf calls calls.out
"$report" -b -p --file-format=magic calls calls.out >got
same '-O magic' wanted got
refuses '-r with -R' 'only one of' -r -R map calls calls.out
for option in -w -t -m; do
  refuses "$option without a number" 'not a number' $option x calls calls.out
done

printf '%s\n' '-b' "'-p'" '-p"le"af' >arguments
"$report" @arguments calls calls.out >got
"$report" -b -pleaf calls calls.out >wanted
same '@FILE' wanted got
printf '@arguments calls\n' >more
"$report" @more calls.out >got
same '@FILE in a file' wanted got
echo '@self' >self
refuses '@FILE that names itself' 'name one another' @self
refuses '@FILE that is not there' '@nowhere: No such file' @nowhere calls calls.out
cp calls @calls
"$report" -b -pleaf @calls calls.out >got
same 'a file that is called @FILE' wanted got
"$report" -b -pleaf calls - <calls.out >got
same 'a profile from standard input' wanted got

"$report" -b -pleaf -d calls calls.out >got 2>errors
same '-d prints the same' wanted got
holds '-d tells on standard error what is read' grep -q '^cilkprof-report: calls.out: [0-9]* bytes, 1 objects, 14 sites$' errors

finish
