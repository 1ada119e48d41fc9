#!/bin/sh
# Predicted speedups: the table, what is said of it, exports, sums, what is refused.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"
HOME=$PWD XDG_CACHE_HOME=
export HOME XDG_CACHE_HOME
none=--overheads=fork=0,join=0,nested=0,iteration=0,lock=0,task=0,spawn=0,steal=0,burden=0

# The paper's Figure 5: three iterations and a lock.
cat >figure.txt <<'END'
mode clock
units 1000000
command ./figure
node 3 0 total 1
child 450 1 -
node 3 0 total 1
child 300 1 -
node 3 0 total 1
child 50 1 -
node 1 0 - 0
child 150 1 0
child 50 1 -
node 1 0 - 0
child 100 1 1
child 200 1 -
node 1 0 - 0
child 150 1 2
child 50 1 -
node 2 0 loop 0
child 0 1 3
child 0 1 4
child 0 1 5
node 1 0 - 0
child 0 1 6
END
build figure

"$report" $none --emulate=static,static,1,dynamic -b --processors=1,2 figure figure.out >got
cat >wanted <<'END'
Predicted speedup

  Work:                   1.5000 ms
  Span of the sections:   650.00 us
  Recorded:               1 section, 3 tasks

  processors         1        2 
  static          1.00*    1.20 
  static,1        1.00     1.30 
  dynamic         1.00     1.58*

  Prediction: 1.58x on 2 processors with dynamic.
  Limit: the lock total, 18% of processor time.  Then imbalance 3%.  Hold it for less time, or keep
    a private copy per thread and combine them.
  Memory: not modelled: the run had no hardware counters, and --cachegrind=FILE is not given.
END
same 'the figure of the paper' wanted got
"$report" $none -b figure figure.out >got
holds 'of a program that is only annotated it is the report' sh -c 'head -n 1 got | grep -qx "Predicted speedup" && ! grep -q "Flat profile" got'
holds 'with all schedules' test "$(grep -c '^  \(static\|static,1\|dynamic,1\|dynamic,4\|guided\|tasks\|cilk\|greedy\) ' got)" = 8
"$report" --emulate figure figure.out >got
holds 'it is explained' grep -q 'Predicted speedups over the program as it is now' got
"$report" -b --emulate=dynamic,1 --processors=2 --overheads=lock=1000 figure figure.out >got
holds 'a lock costs what is said, in nanoseconds' grep -q '^  dynamic,1 *1.57' got
mkdir -p .cache/cilkprof
printf '# measured\nlock 100000\nfork 0\njoin 0\nnonsense\n' >.cache/cilkprof/overheads
"$report" -b --emulate=dynamic,1 --processors=2 figure figure.out >got
holds 'or what was measured on this machine' grep -q '^  dynamic,1 *1.20' got
"$report" --file-info figure figure.out >got
holds 'which --file-info shows' grep -q 'overheads:.*lock 100000,.*measured by --calibrate' got
holds 'with the tree' grep -q 'tree: *8 nodes, 13 children, tolerance 5.0%$' got
rm -r .cache

"$report" $none --csv=emulation --processors=2 figure figure.out | tr -d '\r' | grep '^schedule\|^"dynamic,1"' >got
cat >wanted <<'END'
schedule,processors,time,deviation,speedup,overhead,serial,imbalance,locked,lock,units_per_second,memory_time,memory_speedup,memory
"dynamic,1",2,950,0,1.578947368,0,0,50,350,"total",1000000,,,
END
same 'comma-separated values' wanted got
"$report" $none --csv=emulation --emulate=dynamic,1 --processors=2 figure figure.out | tr -d '\r' >got
same 'of the schedules that are named' wanted got
if command -v jq >/dev/null; then
  "$report" $none --format=json --processors=2 figure figure.out |
    jq -c '.emulation[] | select(.schedule == "static") | [.processors, .time, .speedup, .locked]' >got
  echo '[2,1250,1.2,450]' >wanted
  same 'JSON' wanted got
fi

"$report" $none --plot=figure.svg --html=figure.html --processors=2,4 figure figure.out >got 2>told
cat got told | tr -d "\f\n" >said2
same 'the plot and the page print nothing' /dev/null said2
holds 'the plot has a line for each schedule' test "$(grep -c 'class="emulated' figure.svg)" = 8
holds 'and names the best' grep -q 'emulated-label.*>[a-z]*[,1]*: [0-9.]*</text>' figure.svg
holds 'the page has them too' test "$(grep -c 'class="emulated' figure.html)" = 8
holds 'and the table' grep -q '<tr><td class="left">static</td><td>1.20</td>' figure.html
holds 'nothing is left of the template' sh -c '! grep -q "@EMULATION@" figure.html'
"$report" $none --plot=figure.gp --emulate=static,dynamic,greedy --processors=2,4 -o said figure figure.out
cat >wanted <<'END'
# processors, emulated speedup: static dynamic greedy
2 1.2 1.57895 1.2
4 1.57895 1.57895 1.57895
END
sed -n '/emulated/,/^$/p' figure.dat | sed '/^$/d' >got
same 'the data of gnuplot has a column for each schedule' wanted got
holds 'which its script draws' test "$(grep -c 'data index 1 using 1:[234] with linespoints.* title .[sdg]' figure.gp)" = 3
holds 'and nothing else follows' sh -c 'tail -n 1 figure.gp | grep -q "greedy.$"'
if command -v gnuplot >/dev/null; then
  holds 'gnuplot takes it' gnuplot -e 'set terminal dumb' figure.gp
fi

# A loop in each iteration of another: its threads are made anew, twice by each of two.
cat >nested.txt <<'END'
mode clock
units 1000000000
command ./nested
node 1 0 - 0
child 10000 1 -
node 2 0 inner 0
child 0 2 0
node 1 0 - 0
child 0 1 1
node 2 0 outer 0
child 0 4 2
node 1 0 - 0
child 0 1 3
END
build nested
"$report" $none,nested=1000 --csv=emulation --emulate=static --processors=1,2,4 nested nested.out |
  tr -d '\r' | cut -d , -f -6 >got
cat >wanted <<'END'
schedule,processors,time,deviation,speedup,overhead
"static",1,80000,0,1,0
"static",2,42000,0,1.904761905,4000
"static",4,23000,0,3.47826087,12000
END
same 'teams inside of a team' wanted got
"$report" $none,nested=1000 --nested=serial --csv=emulation --emulate=static --processors=2 nested nested.out | grep -c ',40000,0,2,0,' >got
echo 1 >wanted
same 'that have one thread each cost nothing' wanted got

# Two runs are one after the other.
"$report" -s -o two.sum figure figure.out figure.out
"$report" $none -b --emulate=dynamic --processors=2 figure two.sum >got
holds 'a sum has the sections of both' grep -q 'Recorded: *2 sections, 6 tasks' got
holds 'and the work' grep -q 'Work: *3.0000 ms' got
"$report" $none -b --emulate=dynamic --processors=2 figure figure.out figure.out >again
same 'as several profiles have' got again

# Locks in two orders.
cat >dead.txt <<'END'
mode clock
units 1000000
command ./dead
node 3 0 b 2
child 5 1 -
node 3 0 a 1
child 3 1 0
node 3 0 a 1
child 5 1 -
node 3 0 b 2
child 3 1 2
node 1 0 - 0
child 0 1 1
node 1 0 - 0
child 0 1 3
node 2 0 loop 0
child 0 1 4
child 0 1 5
node 1 0 - 0
child 0 1 6
END
build dead
"$report" $none -b --emulate=static,greedy --processors=1,2 dead dead.out >got
holds 'a program that never ends' grep -q '^  static *1.00. *never' got
holds 'is told' grep -q 'Deadlock: with static on 2 processors, threads wait for locks that others hold' got

# Programs that are compiled and run; how fast they are is not asked here.
if echo 'int main(void) { return 0; }' >empty.c && ${CC:-cc} -fopenmp empty.c -o empty 2>/dev/null; then
  "$report" --calibrate --force >got 2>told
  holds 'the costs of this machine are measured' test "$(grep -c '^\(fork\|join\|nested\|iteration\|lock\|task\) *[0-9.]* ns  [^(]*$' got)" = 6
  holds 'where they are kept is told' grep -q "^cilkprof-report: \($PWD/.cache/cilkprof/overheads: emulations now use these\|--calibrate: busy machine: .* kept because of --force\)" told
  holds 'memory as well, where there are several processors' sh -c 'test "$(nproc)" -lt 2 || grep -q "^psi2  *\(linear\|log\):" got'
  holds 'and they are there' test "$(grep -c '^[a-z]* [0-9.]*$' .cache/cilkprof/overheads)" -ge 6
  "$report" -i figure figure.out >got
  holds 'and are used' grep -q 'measured by --calibrate' got
  "$report" -b --synthesize --emulate=static,dynamic,2,tasks,greedy --processors=1,1000 figure figure.out >got
  sed -n '/^Synthesized/,/^$/d; /^  processors *1 $/,/^$/p' got | sed 's/[0-9]*\.[0-9]*/N/g; /^$/d' >rows
  printf '%s\n' '  processors                1 ' '  static          N (N)' '  dynamic,2       N (N)' '  tasks           N (N)' >wanted
  same 'synthesized programs are run, on the processors that there are' wanted rows
  sed 's/^node 2 0/node 2 1/; s/^child 0 1 3/child 5 3 3/' nested.txt >nowait.txt
  build nowait
  "$report" --synthesize --csv=emulation --emulate=static,tasks,greedy --processors=1,1000 nowait nowait.out | tr -d '\r' |
    sed 's/^\("*[a-z]*"*,[a-z0-9]*\),.*,/\1 /; s/ [0-9.]*[1-9][0-9.]*$/ N/' >got
  cat >wanted <<'END'
schedule,processors synthesized
"static",1 N
"static",1000 
"tasks",1 N
"tasks",1000 
"greedy",1 
"greedy",1000 
END
  same 'and are rows, also of loops for which nobody waits' wanted got
  if command -v jq >/dev/null; then
    "$report" --synthesize --format=json --emulate=static,greedy --processors=1 nowait nowait.out |
      jq -c '.emulation[] | [.schedule, (.synthesized | type)]' >got
    printf '%s\n' '["static","number"]' '["greedy","null"]' >wanted
    same 'and in JSON' wanted got
  fi
  holds 'nothing of them is left' test "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'cilkprof-??????' -newer empty 2>/dev/null | wc -l)" = 0
  rm -r .cache
fi
CC=/nowhere/cc refuses 'no compiler to calibrate with' 'No such file.*needs a C compiler with OpenMP' --calibrate
CC=/nowhere/cc refuses 'nor to synthesize' 'needs a C compiler with OpenMP' --synthesize -o got.txt figure figure.out

refuses 'an unknown schedule' 'unknown schedule; known are static' --emulate=fast figure figure.out
refuses 'a chunk of none' 'have 1 to' --emulate=dynamic,0 figure figure.out
refuses 'a comma at the end' 'unknown schedule' --emulate=static, figure figure.out
refuses 'too many processors' 'no more than 1024' --emulate --processors=2,2000 figure figure.out
refuses 'no number of them' 'not a number' --emulate --processors=2,x figure figure.out
refuses 'an unknown nesting' '--nested takes shared, serial or pinned' --emulate --nested=deep figure figure.out
refuses 'an unknown cost' 'costs are named as in' --emulate --overheads=forks=3 figure figure.out
refuses 'a cost that is none' 'not a number of nanoseconds' --emulate --overheads=fork=-3 figure figure.out
build quicksort
refuses 'a profile without a tree' 'no tree of tasks was recorded' --emulate quicksort quicksort.out
refuses 'nor rows of one' 'no tree of tasks was recorded' --csv=emulation quicksort quicksort.out
# Numbers that no run has: each is read, but together they are refused before anything is computed from them.
cat >huge.txt <<'END'
mode clock
units 1000000
command ./huge
node 1 0 - 0
child 1000000000000000000 100 -
node 2 0 loop 0
child 0 1 0
node 1 0 - 0
child 0 1 1
END
build huge
refuses 'more work than 64 bits hold' 'huge.out: the work of its tree is too large' --emulate huge huge.out
finish
