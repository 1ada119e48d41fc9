#!/bin/sh
# The gate: rules, places, references, status.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build calls
build quicksort

# keeps RULES, breaks RULES WHAT: on the program calls, whose instructions are counted.
keeps() {
  "$report" --gate "$1" $reference calls calls.out >got 2>errors
  status=$?
  cat got errors >said
  if [ $status = 0 ] && [ ! -s said ]; then pass "keeps $1"; else fail "keeps $1" said; fi
}
breaks() {
  "$report" --gate "$1" $reference calls calls.out >got 2>errors
  status=$?
  echo "cilkprof-report: gate: $2" >wanted
  if [ $status = 3 ] && [ ! -s got ] && cmp -s wanted errors; then
    pass "breaks $1"
  else
    { echo "status $status"; cat got errors; } >said
    fail "breaks $1" said
  fi
}
reference=
keeps 'parallelism >= 2'
breaks 'parallelism >= 2.1' 'parallelism >= 2.1: failed, it is 2.039'
keeps 'parallelism > 2.03'
keeps 'work == 1250'
keeps 'work = 1.25k'
breaks 'work<1250' 'work<1250: failed, it is 1,250'
keeps 'work <= 1250'
keeps 'span <= 613;burdened_span <= 700'
breaks '  span > 613  ;' 'span > 613: failed, it is 613'
keeps 'burdened-parallelism >= 1.78'
breaks 'burdened_parallelism >= 1.79' 'burdened_parallelism >= 1.79: failed, it is 1.786'
keeps 'spawns <= 12'
keeps 'parallelism(even) > 1.6'
breaks 'parallelism(odd) > 1.8' 'parallelism(odd) > 1.8: failed, it is 1.78'
keeps 'work(cycle.c:9) == 250'
keeps 'work(src/main.cc:21) == 300'
breaks 'calls(main.cc:21) < 11' 'calls(main.cc:21) < 11: failed, it is 11'
keeps 'work(Shape::add(Shape const&)) == 25'
keeps 'work(Shape::add) == 25'
keeps 'work(leaf.c:helper) == 60'
breaks 'span_share(leaf) <= 20%' 'span_share(leaf) <= 20%: failed, it is 26.10%'
keeps 'span_share(leaf) <= 27 %'
breaks 'work(main) < 2' 'work(main) < 2: failed, it is 1,250'
breaks 'work(even) < 2' 'work(even) < 2: failed, it is 600'

# Lines whose calls lie below one another.  10: cilk_for cilk_for work, then init; 20: qsort calls a lambda back;
# 30: two calls in the body of a loop of line 29; 40: both calls of fib by itself; 50: a lambda that is called there.
cat >lines.txt <<'END'
mode count
command ./lines
totals 40 9 9
site outside 8 source.c 1 1 - main source.c
on_work 1 1480 40 40  1 1480 40 40  1 40 40 40
on_span 1 1480 40 40  1 1480 40 40  1 40 40 40
site loop 0 source.c 10 3 main - source.c
on_work 1 1000 250 300  1 1000 250 300  1 10 10 10
site loop 0 source.c 10 20 main - source.c
on_work 2 990 490 490  0 0 0 0  2 20 20 20
site call 0 source.c 10 40 main work source.c
on_work 6 970 970 970  0 0 0 0  6 970 970 970
site call 0 source.c 10 50 main init source.c
on_work 1 50 50 50  1 50 50 50  1 50 50 50
site call 8 source.c 20 3 main qsort source.c
on_work 1 100 100 100  1 100 100 100  1 0 0 0
site outside 8 source.c 20 9 - order source.c
on_work 5 100 100 100  5 100 100 100  5 10 10 10
site call 0 source.c 20 20 order g source.c
on_work 5 40 40 40  5 40 40 40  5 40 40 40
site call 0 source.c 20 25 order h source.c
on_work 5 50 50 50  5 50 50 50  5 50 50 50
site loop 0 source.c 29 3 main - source.c
on_work 1 60 20 20  1 60 20 20  1 10 10 10
site call 0 source.c 30 3 main a source.c
on_work 4 30 30 30  0 0 0 0  4 30 30 30
site call 0 source.c 30 9 main b source.c
on_work 4 20 20 20  0 0 0 0  4 20 20 20
site call 0 source.c 39 3 main fib source.c
on_work 1 200 120 120  1 200 120 120  1 5 5 5
site spawn 0 source.c 40 3 fib fib source.c
on_work 3 150 110 110  1 120 80 80  4 100 100 100
site call 0 source.c 40 9 fib fib source.c
on_work 3 130 100 100  1 75 50 50  4 95 95 95
site call 0 source.c 50 9 main lambda source.c
on_work 1 30 30 30  1 30 30 30  1 10 10 10
site call 0 source.c 50 20 lambda a source.c
on_work 2 20 20 20  2 20 20 20  2 20 20 20
END
build lines
while read -r line work span; do
  "$report" --gate "work(source.c:$line) == $work; span(source.c:$line) == $span" lines lines.out >got 2>&1
  holds "line $line costs $work, and no call of it twice" test $? = 0
done <<'END'
10 1050 300
20 100 100
30 50 50
40 195 130
50 30 30
END
seq 50 >source.c
"$report" -b -A lines lines.out >got
holds 'so it is beside the source' grep -q '^ *10 *1.050k .* 3.50 -> 10$' got

for number in 1e400 1e-400 1e999; do
  refuses "the number $number" "work < $number: the number is too large or too small" \
    --gate "work < $number" calls calls.out
done
refuses 'a number that its unit makes too large' 'too large' --gate 'work < 1e300T' calls calls.out
refuses 'a reference without a gate' 'reference: no rule mentions the reference; remove it, or write a rule such as span <= reference+10%' \
  --reference calls.out calls calls.out
refuses 'a reference that no rule speaks of' 'no rule' --gate 'work > 1' --reference calls.out calls calls.out
"$report" --gate 'parallelism >= 3' --gate 'work > 1; span < 5' calls calls.out >got 2>errors
holds 'several: status 3' test $? = 3
holds 'one line for each that is broken' test "$(wc -l <errors)" = 2
"$report" -b -p --gate 'work < 1' calls calls.out >got 2>errors
holds 'sections are printed too' test $? = 3 -a "$(head -n 1 got)" = 'Flat profile:'
"$report" --gate 'work == 1250; spawns == 12; calls(leaf) == 6' calls calls.out calls.out
holds 'of several profiles the mean' test $? = 0

# A reference: the same program before, half as large.
awk '/^on_/ { for (i = 2; i <= NF; i++) $i *= 2 } { print }' calls.txt | sed 's/^totals.*/totals 1500 24 10/' >before.txt
build before
reference='--reference before:before.out'
keeps 'work <= reference'
keeps 'work < reference - 49%'
breaks 'work < reference - 50%' 'work < reference - 50%: failed, it is 1,250, and in the reference 2,500'
breaks 'work >= reference' 'work >= reference: failed, it is 1,250, and in the reference 2,500'
keeps 'work >= reference - 1250'
keeps 'work >= reference - 1.25k'
keeps 'parallelism == reference'
keeps 'burdened_parallelism >= reference + 5%'
breaks 'burdened_parallelism >= reference + 10%' \
  'burdened_parallelism >= reference + 10%: failed, it is 1.786, and in the reference 1.667'
keeps 'calls(leaf) < reference'

timed() {
  "$report" --gate "$1" quicksort quicksort.out >got 2>errors
}
timed 'work <= 792ms; work <= 0.792 s; span(partition) >= 408150us'
holds 'times have units' test $? = 0
timed 'work <= 791 ms'
holds 'broken, with its time' test $? = 3 -a "$(cat errors)" = 'cilkprof-report: gate: work <= 791 ms: failed, it is 791.52 ms'
refuses 'times without unit' 'must be s, ms, us or ns' --gate 'work < 1' quicksort quicksort.out
refuses 'times with another' 'must be s, ms, us or ns' --gate 'work < 1k' quicksort quicksort.out
refuses 'instructions with a time' 'must be none, k, M, G or T' --gate 'work < 1ms' calls calls.out
refuses 'a parallelism with a unit' 'has no such unit' --gate 'parallelism < 1k' calls calls.out

wrong() {
  refuses "$1" "$2" --gate "$1" calls calls.out
}
wrong '' 'the rule is empty'
wrong ' ; ' 'the rule is empty'
wrong 'speed > 1' 'it must begin with one of parallelism'
wrong 'work' 'a comparison is missing'
wrong 'work >' 'a number is missing'
wrong 'work > x' 'a number is missing'
wrong 'work > -1' 'a number is missing'
wrong 'work > 1 2' "unexpected '2'; write, for example, span <= reference+10%"
wrong 'work > 1kMGTsmun' 'unknown unit'
wrong 'work(main > 1' 'a closing parenthesis is missing'
wrong 'work(nobody) > 1' 'nobody: the program has no such function'
wrong 'work(helper) > 1' 'several functions have that name'
wrong 'work(main.cc:999) > 1' 'makes no calls there'
wrong 'calls > 1' 'it needs a place'
wrong 'spawns(main) > 1' 'known for the whole program only'
wrong 'work > reference' 'name one with --reference'
refuses 'a reference of another mode' 'another mode' --gate 'work > reference' --reference quicksort.out calls calls.out
refuses 'a reference that is not there' 'nowhere: No such file' --gate 'work > reference' --reference nowhere calls calls.out

# The speedup on so many processors, and the one that is expected.
on_processors() {
  processors=$1
  shift
  "$report" --processors=$processors "$@" >got 2>errors
}
on_processors 2 --gate 'speedup == 2' calls calls.out
holds 'the speedup is no more than the processors' test $? = 0
on_processors 8 --gate 'speedup > 2.1; speedup <= 2.04' calls calls.out
holds 'nor than the parallelism' test $? = 3 -a \
  "$(cat errors)" = 'cilkprof-report: gate: speedup > 2.1: failed, it is 2.039'
on_processors 8 --gate 'speedup >= reference' --reference before:before.out calls calls.out
holds 'in a reference as well' test $? = 0
wrong 'speedup(main) > 1' 'known for the whole program only'
wrong 'expected_speedup > 1' 'expected_speedup: no tree of tasks was recorded'
cat >halves.txt <<'END'
mode clock
units 1000000
node 1 0 - 0
child 500000 1 -
node 2 0 loop 0
child 0 2 0
node 1 0 - 0
child 0 1 1
END
build halves
none=--overheads=fork=0,join=0,nested=0,iteration=0,lock=0,task=0,spawn=0,steal=0,burden=0
on_processors 3 $none --gate 'expected_speedup == 2' halves halves.out
holds 'two halves: 2 is expected on 3 processors' test $? = 0
on_processors 3 $none --gate 'expected_speedup > 2' halves halves.out
holds 'and no more' test $? = 3 -a \
  "$(cat errors)" = 'cilkprof-report: gate: expected_speedup > 2: failed, it is 2'
# What is expected of a program of Cilk is kept for later questions, but not for another profile: these differ only in their
# trees.
for parts in 2 4; do
  cat >cilk$parts.txt <<END
mode clock
units 1000000
totals 250000 $parts 1
tree 16
site outside 8 cilk.c 1 1 - main cilk.c
on_work 1 1000000 250000 250000  1 1000000 250000 250000  1 1000000 250000 250000
on_span 1 1000000 250000 250000  1 1000000 250000 250000  1 1000000 250000 250000
node 1 0 - 0
child $((1000000 / parts)) 1 -
node 2 0 loop 0
child 0 $parts 0
node 1 0 - 0
child 0 1 1
END
  build cilk$parts
done
on_processors 4 $none --gate 'expected_speedup > 3.99; expected_speedup > reference+90%' --reference cilk2:cilk2.out cilk4 cilk4.out
holds 'four parts against two: what is expected of the reference is its own' test $? = 0
refuses 'the speedup of a run without work' 'speedup: the profile contains no work' --gate 'speedup > 1' halves halves.out

# Samples of a parallel run, whose numbers are in waste.t.
sampled waste
"$report" --gate 'idleness < 28.5%; overhead <= 4.39; waiting < 3.5%; waiting(pthread_mutex_lock_slow) == 100%' \
  waste waste.out >got 2>&1
holds 'idleness, overhead and waiting, of the run and of a function' test $? = 0 -a ! -s got
"$report" --gate 'idleness < 28%; overhead(work) < 7%; waiting == 0' waste waste.out >got 2>errors
holds 'rules that they break' test $? = 3 -a ! -s got
cat >wanted <<'END'
cilkprof-report: gate: idleness < 28%: failed, it is 28.49%
cilkprof-report: gate: overhead(work) < 7%: failed, it is 7.85%
cilkprof-report: gate: waiting == 0: failed, it is 3.44%
END
same 'a line for each' wanted errors
"$report" --gate 'idleness <= reference; overhead < reference + 1%' --reference waste:waste.out waste waste.out
holds 'a reference of samples' test $? = 0
wrong 'idleness < 10%' 'idleness: there are no samples of a parallel run'
refuses 'a place that was not sampled' 'nobody: there are no samples of such a function' \
  --gate 'idleness(nobody) < 10%' waste waste.out
refuses 'a line of samples' 'samples are known for functions' --gate 'idleness(waste.c:34) < 10%' waste waste.out
refuses 'work of samples' 'it has samples of a parallel run, but no work and span' --gate 'work > 1s' waste waste.out
refuses 'a reference without samples' 'idleness: there are no samples' \
  --gate 'idleness <= reference' --reference calls:calls.out waste waste.out
sed -n 's/^    {"\([a-z_]*\)", .*GATE_[A-Z]*},$/\1/p' "$TOP/cilkprof-report/analysis/metrics.c" | sort >metrics
"$report" --help=all | tr -s ' \n' ' ' | sed 's/.*begins with one of: \([a-z_, ]*[a-z_]\) --reference.*/\1/; s/, /\n/g' | sort >helped
same '--help names all metrics' metrics helped
sed -n '/^\.BI .*gate= rules/,/^\.TP/p' "$TOP/man/cilkprof-report.1" | tr -c 'a-z_\n' '\n' | sort -u | comm -12 - metrics >named
same 'so does cilkprof-report(1)' metrics named

finish
