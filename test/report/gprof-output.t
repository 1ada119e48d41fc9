#!/bin/sh
# gprof's other outputs: sums, file information, execution counts, orders, annotated sources.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build calls
build quicksort

everything() {
  "$report" -b -p -q --sites "$@" && "$report" --csv "$@"
}

# Sums.
"$report" -s calls calls.out calls.out calls.out >got 2>&1
holds '-s prints nothing' test $? = 0 -a ! -s got
everything calls calls.out calls.out calls.out >wanted
everything calls cilkprof.sum >got
same '-s: the sum reads as the profiles do' wanted got
"$report" -s calls cilkprof.sum calls.out
everything calls calls.out calls.out calls.out calls.out >wanted
everything calls cilkprof.sum >got
same '-s: a sum of a sum' wanted got
rm cilkprof.sum
"$report" -s -o named.sum calls calls.out calls.out calls.out calls.out >said 2>&1
everything calls named.sum >got
same '-s -o: the sum has another name' wanted got
holds '-s -o: and no other file is written' test ! -e cilkprof.sum
"$report" -s -b -p -o flat.txt calls calls.out calls.out calls.out calls.out
holds '-s -o with sections: these go there' grep -q 'Flat profile' flat.txt
sed 's/^units.*/units 3000000007/' quicksort.txt >fine.txt
$make_profile profile fine.txt quicksort >fine.out
"$report" -s quicksort quicksort.out fine.out && "$report" --summary quicksort cilkprof.sum >got
holds '-s: of other units' grep -q 'Work: *1.0554 s' got
sed 's/^mode hybrid/mode hybrid\nflags 2/; s/^on_span .*/on_span 0 0 0 0  0 0 0 0  0 0 0 0/' quicksort.txt >without.txt
$make_profile profile without.txt quicksort >without.out
"$report" -s quicksort quicksort.out without.out && "$report" --summary quicksort cilkprof.sum >got
holds '-s: one run without on-span data leaves none' grep -q 'The critical path is unknown' got
sed '1a burden 1' calls.txt >burden.txt
$make_profile profile burden.txt calls >burden.out
refuses '-s: not of another burden' 'another burden' -s calls calls.out burden.out
sed '/^on_/s/ 1250 / 18446744073709550000 /g; /^on_/s/  1 100 100 100$/  1 18446744073709550000 100 100/' calls.txt |
  awk '/^site/ { n++ } n != 1 && /^on_/ { for (i = 2; i <= NF; i++) $i = 0 } { print }' >huge.txt
$make_profile profile huge.txt calls >huge.out
"$report" -s -b -p quicksort quicksort.out >got
holds '-s: sections are printed too' grep -q partition got
"$report" -s calls huge.out huge.out
"$report" -b --summary -p -q --sites calls cilkprof.sum >got 2>stderr
holds '-s: sums over 64 bits stay at the largest number' grep -q 'Work: *18,446,744,073,709,551,615 instructions' got
holds '-s: and the file says so' sh -c "grep -q 'Some totals exceed' got && test ! -s stderr"
"$report" -b --summary -p -q --sites calls huge.out huge.out >both 2>stderr
sed '/added up/d; /^  Command/d' both >both.same
sed '/^  Command/d' got >got.same
same 'sums of several profiles: the same' got.same both.same
"$report" -b --summary calls huge.out >got
holds 'a number near the largest is none of these' sh -c '! grep -q "Some totals" got'
"$report" -i nowhere cilkprof.sum >got
holds '-i: the flag' grep -q 'flags: *saturated' got
"$report" -s calls cilkprof.sum calls.out
"$report" -b --summary calls cilkprof.sum >got
holds '-s: a sum at the largest number stays there' sh -c "grep -q 'Work: *18,446,744,073,709,551,615' got && grep -q 'Some totals exceed' got"
mkdir full && cd full && ln -s /dev/full cilkprof.sum
refuses '-s: a full disk' 'cilkprof.sum: No space left' -s ../calls ../calls.out
cd ..

# File information.
"$report" -i nowhere quicksort.out >got
holds '-i needs no program' test $? = 0
holds '-i: the file' grep -q "^File \`quicksort.out' (version 1) contains:$" got
holds '-i: records' grep -q '^	5 call-site records$' got
for line in 'command: *./qsort 10000000' 'measured: *hybrid' 'flags: *none' 'burden: *15,000 instr' 'unit: *1/1,000,000,000 s' \
  'timer: *not used' 'preempted strands: *0, 0 units' 'program: */.*/quicksort (build-id [0-9a-f]*)' 'process: *4711'; do
  holds "-i: ${line%%:*}" grep -q "^	$line" got
done
sed 's/^mode count/mode count\nflags 5/' calls.txt >flagged.txt
build flagged
"$report" -i calls flagged.out >got
holds '-i: flags' grep -q '^	flags: *incomplete other-threads$' got
"$report" -i -b -p calls calls.out calls.out >got
holds '-i: several, and other sections' test "$(grep -c -e '^File' -e '^Flat' got)" = 3

# Execution counts.
"$report" -C calls calls.out >got
holds '-C: a function' grep -q '^src/main.cc:10: (main:0x[0-9a-f]*) 1 executions$' got
holds '-C: a call' grep -q '^src/main.cc:12: (main -> even) 2 executions$' got
"$report" -C -m 5 calls calls.out >got
holds '-m' test "$(awk '{ print $(NF - 1) < 5 }' got | sort -u)" = 0
"$report" -Codd calls calls.out | sed 's/:0x[0-9a-f]*//' >got
cat >wanted <<'END'
src/cycle.c:0: (odd) 5 executions
src/cycle.c:8: (odd -> even) 4 executions
src/cycle.c:9: (odd -> leaf) 5 executions
END
same '-CNAME' wanted got
"$report" -Zodd calls calls.out >got
holds '-ZNAME' sh -c '! grep -q "(odd" got && grep -q "(main" got'
"$report" -C -Z calls calls.out | head -n 1 >got
holds '-Z' grep -q Verdict got
sed 's: qsort.c 2[12] : /usr/include/qsort.h 22 :' "$TOP/test/report/quicksort.txt" >header.txt
build header
"$report" -C header header.out | grep -v '^<unknown>' | cut -d : -f 1 | uniq | tr '\n' ' ' >got
holds '-C: headers of the system come last' test "$(cat got)" = 'qsort.c /usr/include/qsort.h '

# Orders for the linker.
printf '%s\n' pqsort partition main >wanted
"$report" -r quicksort quicksort.out >got
same '-r' wanted got
cat >map <<'END'
main.o:0000000000000000 T main
lib.a(sort.o):0000000000000000 T pqsort
part.o:partition
other.o:nothing
END
printf '%s\n' 'lib.a(sort.o)' part.o main.o other.o >wanted
"$report" -R map quicksort quicksort.out >got
same '-R' wanted got
refuses '-R: a file that is no map' 'it has no lines with a file' -R /dev/null quicksort quicksort.out

# Annotated sources.
cat >qsort.c <<'END'
/* line 1 */
END
i=2
while [ $i -le 45 ]; do
  echo "line $i" >>qsort.c
  i=$((i + 1))
done
"$report" -b -A quicksort quicksort.out >got
sed -n '1,3p; 20,25p; 42p; 48,70p' got >part
cat >wanted <<'END'
*** File qsort.c:
       calls     work  on span  % span parallel
                                                   /* line 1 */
                                                   line 18
                                                   line 19
     1500000  408.2ms  141.9ms   99.29     1.00 -> line 20
     1500000  741.3ms  98.12ms    0.00     6.36 -> line 21
     1500000  761.0ms  118.4ms    0.00     6.07 -> line 22
                                                   line 23
       #####                                    -> line 40


Top 10 Lines:

     Line      Count  % span

       20    1500000   99.29
       28          1    0.70
       22    1500000    0.00
       21    1500000    0.00
       31          1    0.00

Execution Summary:

        7   Executable lines in this file
        5   Lines executed
    71.43   Percent of the file executed

  4500002   Total number of line executions
642857.43   Average executions per line
END
same '-A' wanted part
# share FILE: what the lines of an annotated source hold of the span together.
share() {
  grep -e ' -> ' "$1" | cut -c 31-38 | awk '{ sum += $1 } END { printf "%.1f", sum }'
}
holds '-A: main holds what no call does' grep -q '^           1  791.5ms  142.9ms    0.70     5.54 -> line 28$' got
holds '-A: the shares add up' test "$(share got)" = 100.0
# A function of one line that code without instrumentation calls, beside one that it does not, with a call not made.
cat >one-line.txt <<'END'
mode count
command ./one-line
totals 100 0 0
site outside 8 one.c 5 1 - main one.c
on_work 1 100 100 100  1 100 100 100  1 10 10 10
on_span 1 100 100 100  1 100 100 100  1 10 10 10
site call 8 one.c 6 3 main qsort one.c
on_work 1 90 90 90  1 90 90 90  1 0 0 0
on_span 1 90 90 90  1 90 90 90  1 0 0 0
site outside 8 one.c 4 1 - order one.c
on_work 9 90 90 90  9 90 90 90  9 90 90 90
on_span 9 90 90 90  9 90 90 90  9 90 90 90
site outside 8 one.c 4 1 - never one.c
site call 0 one.c 4 40 order die one.c
END
build one-line
seq 6 >one.c
"$report" -b -A one-line one-line.out >got
holds '-A: a call that was not made hides no function that was' \
  grep -q '^           9       90       90   90.00     1.00 -> 4$' got
holds '-A: and the shares add up' test "$(share got)" = 100.0
holds '-A: the top lines have it' grep -q '^        4          9   90.00$' got
"$report" -A quicksort quicksort.out >got
holds '-A: it is explained' grep -q '^ on span    the span of the calls on the critical path' got
"$report" -A -T -t 2 quicksort quicksort.out >got
holds '-A -T: as gprof' grep -q '^     1500000 -> line 21$' got
holds '-t' test "$(sed -n '/^Top 2/,/^Exec/p' got | grep -c '^  *[0-9]')" = 2
"$report" -A -T -x quicksort quicksort.out >got
holds '-x' grep -q '^     1500000 -> line 23$' got
"$report" -b -Amain quicksort quicksort.out >got
holds '-ANAME' test "$(grep -c -e '->' got)" = 2
"$report" -b -Jmain quicksort quicksort.out >got
holds '-JNAME' test "$(grep -c -e '->' got)" = 5
"$report" -b -A quicksort quicksort.out >wanted
mkdir sources
"$report" -A -b -y quicksort quicksort.out >got
holds '-y prints nothing' test ! -s got
same '-y: the file' wanted qsort.c-ann
mv qsort.c sources
"$report" -b -A -I nowhere:sources quicksort quicksort.out | sed 's:sources/::' >got
same '-I' wanted got
GPROF_PATH=sources "$report" -b -A quicksort quicksort.out | sed 's:sources/::' >got
same 'GPROF_PATH' wanted got
"$report" -A quicksort quicksort.out >got 2>errors
holds 'a source that is not found is named' grep -q 'qsort.c: source not found' errors

for options in -i -C -r '-R map' '-A -I sources'; do
  "$report" $options quicksort quicksort.out >/dev/full 2>errors
  holds "a full disk with $options" \
    test $? = 1 -a "$(cat errors)" = 'cilkprof-report: standard output: No space left on device'
done

finish
