#!/bin/sh
# Two builds compared.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
# The next build: partition is faster, a line was added before it, one call is new and one is gone.
sed 's/qsort.c 20 17/qsort.c 21 17/; s/qsort.c 21 5/qsort.c 22 5/; s/qsort.c 22 5 pqsort pqsort/qsort.c 23 5 pqsort pqsort/
  s/408150528/204075264/g; s/141891291/70945645/g; s/^totals.*/totals 80000000 1500000 700000/
  s/120000000/60000000/g; s/791518060 142902681/587442796 71957035/g; s/142902681 143010681/71957035 80000000/g' \
  quicksort.txt >faster.txt
build faster

"$report" -b --diff quicksort.out faster.out >got 2>errors
cat >wanted <<'END'
Difference from quicksort.out to faster.out

                                        old                new    change
  Work:                           791.52 ms          587.44 ms    -25.8%
  Span:                           142.90 ms          71.957 ms    -49.6%
  Burdened span:                  143.01 ms          80.000 ms    -44.1%
  Parallelism:                         5.54               8.16    +47.4%
  Burdened parallelism:                5.53               7.34    +32.7%
  Spawns:                         1,500,000          1,500,000         =

-------- own span -------- -------- own work --------- ---- parallel ----
     old      new   change       old      new   change       old      new  place  caller -> callee
END
head -n 12 got >part
same 'the whole program' wanted part
cat >wanted <<'END'
 141.9ms  70.95ms   -50.0%   408.2ms  204.1ms   -50.0%      1.00     1.00  qsort.c:20 (now 21)  pqsort -> partition
END
sed -n 13p got >part
same 'the largest change comes first, though its line moved' wanted part
holds 'what did not change is counted' grep -q '[0-9] call sites\{0,1\} did not change' got
"$report" --diff quicksort.out faster.out >got
holds 'it is explained' grep -q 'function and line, the rest by function' got

"$report" -b --diff quicksort.out quicksort.out >got
holds 'the same profile: no rows' test "$(sed 1,12d got | grep -c -e '->')" = 0
holds 'and all sites' grep -q '^  5 call sites did not change.$' got

# A serial profile and that of a parallel run: what grew is work inflation.
sed 's/^totals.*/&\nworkers 4 395759030 40 30/' quicksort.txt >parallel.txt
$make_profile profile parallel.txt quicksort >parallel.out
# inflation OLD NEW: the sentence about it in one line; OLD and NEW are profiles, separated by commas.
inflation() {
  "$report" -b --diff "$1" "$2" | sed -n '/Work inflation:/,/^$/p' | tr '\n' ' ' | tr -s ' ' | sed 's/^ //; s/ $//' >got
  echo >>got
}
inflation faster.out parallel.out
cat >wanted <<'END'
Work inflation: on 4 workers, the same code took 34.7% longer than in the serial run. That alone limits the speedup on 4 workers to 2.97. Most of it is in pqsort -> partition at qsort.c:20 (+204.1 ms, +100.0%). Likely, workers share memory bandwidth or caches there, or write to the same cache lines. Part of it may be that the compiler optimized it differently: the old profile is that of another build. To tell, compare with a run of the new build on one worker (CILK_NWORKERS=1).
END
same 'work inflation of a parallel run, where, and what it means' wanted got
sed 's/^totals.*/&\nworkers 1 587442796 0 0/' faster.txt >alone.txt
$make_profile profile alone.txt faster >alone.out
inflation alone.out parallel.out
sed 's/ Part of it may .*//; s/in the serial run/on one/' wanted >wanted-alone
same 'against one worker of a parallel build' wanted-alone got
inflation quicksort.out parallel.out
echo 'Work inflation: none. No call site took noticeably longer on 4 workers than on one (all work: =).' >wanted
same 'none where nothing grew' wanted got
sed 's/408150528/418150528/g; s/^totals.*/&\nworkers 4 395759030 40 30/' quicksort.txt >little.txt
$make_profile profile little.txt quicksort >little.out
inflation quicksort.out little.out
sed 's|all work: =|all work: +1.3%|' wanted >wanted-little
same 'with one run, 2% of a call site are none' wanted-little got
"$report" -b --diff quicksort:quicksort.out,quicksort.out quicksort:little.out,little.out | tr '\n' ' ' | tr -s ' ' >got
holds 'with several, they are, and have their error' grep -q 'took 1.3% longer .*(+10.00 ms, +2.5% +-0.0%)' got
"$report" -b --diff parallel.out parallel.out >got
holds 'none between two parallel ones' test "$(grep -c inflation got)" = 0
"$report" -b --diff quicksort.out faster.out >got
holds 'nor between two serial ones' test "$(grep -c inflation got)" = 0

sed '/^command/d' quicksort.txt >small.txt
sed 's/^mode.*/&\ncommand quicksort 1000/' small.txt >one.txt
sed 's/^mode.*/&\ncommand quicksort 2000/' small.txt >two.txt
for size in one two; do $make_profile profile $size.txt quicksort >$size.out; done
"$report" -b --diff one.out two.out >got 2>errors
holds 'other arguments are warned of' grep -q '^cilkprof-report: two.out: it ran with other arguments than what it is compared with' errors
"$report" -b --diff one.out one.out >got 2>errors
same 'the same are not' /dev/null errors

# Programs by name, several profiles, noise.
mkdir old new
mv quicksort old/program
mv faster new/program
cp quicksort.out old/1
sed 's/408150528/418150528/g' quicksort.txt >noisy.txt
$make_profile profile noisy.txt old/program >old/2
cp faster.out new/1
cp faster.out new/2
"$report" -b --diff old/program:old/1,old/2 new/program:new/1,new/2 >got 2>errors
holds 'programs and several profiles' grep -q '^  Work: *796.52 ms *587.44 ms' got
holds 'a change beyond the noise' grep -q ' 413.2ms  204.1ms    -50.6% +-0.6% ' got
"$report" -b --diff old/program:old/1,old/2 old/program:old/2,old/1 >got
holds 'equal means' grep -q '^  Work: *796.52 ms *796.52 ms *=$' got
"$report" -b --diff old/program:old/1,old/2 old/program:old/1,old/1 >got
holds 'noise is marked' grep -q ' 413.2ms  408.2ms    -1.2% +-1.2%~ ' got
holds 'also of the whole' grep -q '^  Work: *796.52 ms *791.52 ms *-0.6% +-0.6%~$' got

# Runs of two builds, of which only the work of main is told: the error of the change, and whether it may be chance.
# The expected values were computed by hand: the errors of both means, the quotient, and Welch's test.
printf 'mode count\ncommand ./runs\ntotals 1000 0 0\nsite outside 0 a.c 1 1 - main a.c\n' >head
runs() {
  side=$1 number=0
  shift
  for work in "$@"; do
    number=$((number + 1))
    { cat head; printf 'on_%s 1 %d 1000 1000  1 %d 1000 1000  1 %d 1000 1000\n' work $work $work $work span $work $work $work; } >runs.txt
    if [ -f runs ]; then $make_profile profile runs.txt runs >runs.out; else build runs; fi
    mv runs.out runs.$side.$number
  done
}
# changes NAME OLD NEW WORK: how the first table ends, of the runs with these values of work.
changes() {
  rm -f runs.old.* runs.new.*
  runs old $2
  runs new $3
  "$report" -b --diff "runs:$(echo runs.old.* | tr ' ' ,)" "runs:$(echo runs.new.* | tr ' ' ,)" >got 2>errors
  sed -n 's/^  Work: *[0-9,]* *[0-9,]* *//p' got >part
  echo "$4" >wanted
  same "$1" wanted part
}
changes 'one run each: no error' 100000 110000 '+10.0%'
changes 'one run and two: none either' '100000 102000' 111100 '+10.0%'
changes 'two runs each tell little: 3 on 101 may be chance, though no runs overlap' \
  '100000 102000' '103000 105000' '+3.0% +-1.4%~'
changes 'three runs each, far apart' '100000 101000 102000' '110000 111000 112000' '+9.9% +-0.8%'
changes 'three runs each, near' '100000 101000 102000' '101000 102000 103000' '+1.0% +-0.8%~'
changes 'runs that are all the same: every change is one' '100000 100000' '100001 100001' '+0.0% +-0.0%'
changes 'ten times as much' '1000 1000' '29000 31000' 'x30 +-1'
"$report" --diff runs:runs.old.1,runs.old.2 runs:runs.new.1,runs.new.2 >got
holds 'errors are explained' grep -q 'standard error' got

refuses 'the program that the profile names is gone' 'quicksort: No such file' --diff quicksort.out faster.out
refuses 'the wrong program' 'its build-id' --diff new/program:old/1 new/program:new/1

# What is new, what is gone.
cat >one.txt <<'END'
totals 10 0 0
site outside 0 a.c 1 1 - main a.c
on_work 1 10 10 10  1 10 10 10  1 4 4 4
on_span 1 10 10 10  1 10 10 10  1 4 4 4
site call 0 a.c 2 1 main left a.c
on_work 1 6 6 6  1 6 6 6  1 6 6 6
on_span 1 6 6 6  1 6 6 6  1 6 6 6
END
sed 's/left/right/; s/a.c 2/a.c 3/' one.txt >two.txt
build one
build two
"$report" -b --diff one.out two.out >got
holds 'gone' grep -q '^       6        0     gone         6        0     gone      1.00        -  a.c:2  main -> left$' got
holds 'new' grep -q '^       0        6      new         0        6      new         -     1.00  a.c:3  main -> right$' got

build calls
refuses 'not of another mode' 'another mode' --diff old/program:old/1 calls.out
refuses 'one build' 'it needs two builds' --diff one.out
refuses 'three' 'it needs two builds' --diff one.out two.out one.out
refuses 'none' 'it needs two builds' --diff
refuses 'with sections' 'a report of its own' --diff -p one.out two.out
"$report" --diff one.out two.out >/dev/full 2>errors
holds 'a full disk' test $? = 1 -a "$(cat errors)" = 'cilkprof-report: standard output: No space left on device'


# Both calls of fib by itself are on one line: those of its outermost invocation, 195 of 130, are all.
cat >fib.txt <<'END'
mode count
command ./fib
totals 40 4 4
site outside 8 fib.c 1 1 - main fib.c
on_work 1 240 40 40  1 240 40 40  1 40 40 40
on_span 1 240 40 40  1 240 40 40  1 40 40 40
site call 0 fib.c 9 3 main fib fib.c
on_work 1 200 120 120  1 200 120 120  1 5 5 5
site spawn 0 fib.c 4 3 fib fib fib.c
on_work 3 150 110 110  1 120 80 80  4 100 100 100
site call 0 fib.c 4 9 fib fib fib.c
on_work 3 130 100 100  1 75 50 50  4 95 95 95
END
sed 's/4 95 95 95/4 80 80 80/; s/^command .*/command .\/less/' fib.txt >less.txt
build fib
build less
"$report" -b --diff fib.out less.out >got
holds 'calls of one line are not counted twice' grep -q ' 195  *180  *-7.7%  *1.50  *1.50  fib.c:4  fib -> fib' got
finish
