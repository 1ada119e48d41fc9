#!/bin/sh
# Measured speedups beside the bounds: the table, the verdict on what lies below, the exports and the page.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
build calls

# On 2 processors it is at least 1.24 times as fast, on 4 it is 1.79; at most 2 and 4.
cat >trials <<'END'
# Trials of cilkprof-run: ./qsort 10000000
1 0.80 0.80 0.01
2 0.50 0.82 0.01
4 0.60 0.84 0.01 # slow
1 0.82 0.81 0.02
2 0.48 0.81 0.01
4 0.50 0.90 0.01
1 0.90 0.88 0.01
copies 2 0.81 0.82 0.01
copies 2 0.83 0.82 0.01
END
prints 'the table' -b --trials=trials --processors=2 quicksort quicksort.out <<'END'
Measured speedup

                 ---------- seconds ---------- ---- bounds ----- ---- measured -----
processors  runs   minimum    median processor    lower    upper  speedup efficiency  bounds
         1     3    0.8000    0.8200    0.8100     0.77     1.00     1.00       100%  -
         2     2    0.4800    0.4900    0.8150     1.24     2.00     1.67        83%  within
         4     2    0.5000    0.5500    0.8700     1.79     4.00     1.60        40%  below

  Within the bounds: measured 1.67 on 2 processors, between 1.24 and 2.00: work and span explain it.
  Memory bandwidth is not the limit: 2 copies at once each take 1.01 times the processor time of one
    alone.
END
COLUMNS=80 "$report" --trials=trials quicksort quicksort.out >got
holds 'within 80 columns' awk 'length > 80 { exit 1 }' got
"$report" --trials=trials quicksort quicksort.out >got
holds 'it is explained' grep -q '; efficiency$' got
"$report" -b --trials=trials --summary --processors=2 quicksort quicksort.out >got
holds 'beside other sections' sh -c 'grep -q "^Parallelism profile" got && grep -q "^Measured speedup" got'
"$report" -b --trials=trials --verdict --processors=2 quicksort quicksort.out >got
holds 'its findings are in the verdict, once' test "$(grep -c 'Within the bounds' got)" = 1
holds 'and before the table' sh -c 'sed "/^Measured speedup/q" got | grep -q "Within the bounds"'
"$report" --html=page.html --trials=trials quicksort quicksort.out >got
holds 'the page has the table' sh -c 'grep -q "<tr><td>4</td><td>0.5000</td><td>1.79–4.00</td><td>1.60</td><td>40%</td></tr>" page.html'
holds 'and no copies among the points' test "$(grep -o 'class="trial"' page.html | wc -l)" = 7
holds 'and prints nothing' test ! -s got
"$report" --html=none.html quicksort quicksort.out
holds 'without trials the page has none' sh -c '! grep -q "id=\"trials\"" none.html && ! grep -q "@TRIALS@" none.html'
"$report" --plot=plot.gp --trials=trials quicksort quicksort.out
holds 'nor has the plot' test "$(sed -n '/measured speedup/,$p' plot.dat | wc -l)" = 8

# says NAME PATTERN LINE...: what is found of a file with these lines, on 4 processors.
says() {
  name=$1 pattern=$2
  shift 2
  printf '%s\n' "$@" >lines
  "$report" -b --trials=lines --processors=4 quicksort quicksort.out 2>&1 | tr '\n' ' ' | tr -s ' ' >got
  echo >>got
  if grep -q -e "$pattern" got; then pass "$name"; else fail "$name" got; fi
}
says_not() {
  name=$1 pattern=$2
  shift 2
  printf '%s\n' "$@" >lines
  "$report" -b --trials=lines --processors=4 quicksort quicksort.out 2>&1 | tr '\n' ' ' | tr -s ' ' >got
  echo >>got
  if grep -q -e "$pattern" got; then fail "$name" got; else pass "$name"; fi
}
says 'nothing but times: all causes' \
  'Slower than the bounds: measured 1.60 on 4 processors; .* predict at least 1.79. To test for memory bandwidth: cilkprof scale --copies. Look for locks and false sharing' \
  '1 0.8' '4 0.5'
says 'no more processor time: they are idle' '--copies. Together the processors take no more time than one worker, so they are idle' '1 .8 .8 0' '4 .5 .8 0'
says 'more of it: they share something' 'Together the processors take 2.00 times .* false sharing (cache lines' '1 .8 .8 0' '4 .5 1.6 0'
says 'more of it in the system' 'System time grows by 50% of the 1-worker run' '1 .8 .8 .1' '4 .5 1.6 .5'
says 'one processor was used' 'It used 1.0 of them: other programs ran, or it ignores both CILK_NWORKERS and' '1 .8 .8 0' '4 .8 .8 0'
says_not 'that is the cause' 'bandwidth' '1 .8 .8 0' '4 .8 .8 0'
says 'not even one worker had a processor' 'predict at least 1.79. The 1-worker run used only 50% of its processor: ' '1 .8 .4 0' '4 .5 1 0'
says 'copies that slow each other' 'Memory bandwidth is a cause. .*Memory bandwidth: 4 copies at once, .* each take 2.00 times .* limits the speedup to 2.00 ' \
  '1 .8 .8 0' '4 .5 1.6 0' 'copies 4 1.6 1.6 0' 'copies 2 .8 .8 0'
says_not 'explain as much processor time' 'the processors take' '1 .8 .8 0' '4 .5 1.6 0' 'copies 4 1.6 1.6 0'
says 'but not more' 'Together the processors take 2.50 times the time of one worker, more than the copies do' '1 .8 .8 0' '4 .5 2 0' 'copies 4 1.6 1.6 0'
says 'copies that do not' 'Memory bandwidth is not the cause. Together the processors take 2.00 .*Memory bandwidth is not the limit: 4 copies' \
  '1 .8 .8 0' '4 .5 1.6 0' 'copies 4 .8 .8 0'
says 'a little below is within' 'Within the bounds: measured 1.74 on 4 processors, close to the lower bound of 1.79' '1 0.8' '4 0.46'
says 'a little above too' 'measured 4.08 on 4 processors, close to the upper bound of 4.00' '1 0.8' '4 0.196'
says 'more is faster' 'Faster than the bounds: measured 8.00 on 4 processors; work and span allow at most 4.00' '1 0.8' '4 0.1'
says 'other processors than those it is judged for: the most' 'measured 2.00 on 2 ' '1 0.8' '2 0.4'
says 'another input' '1-worker run: it took 8 s, 10.1x the profiled work of 0.7915 s. Was the input' '1 8' '4 3'
says_not 'the same' '1-worker' '1 0.8' '4 0.3'
says_not 'only one processor: nothing to judge' 'bounds: measured' '1 0.8'
says 'against the work where nobody tried one' 'measured 1.98 on 4 ' '4 0.4'
echo 'copies 2 1 1 0' >lines
for seconds in 1e308 1e-308 1e10; do
  printf '1 1\n2 %s\n' $seconds >odd
  refuses "a program that took $seconds seconds" 'odd: line 2 is not .* seconds .* from 1e-9 to 1e9$' --trials=odd quicksort quicksort.out
done
refuses 'copies alone' 'lines: it has copies only' --trials=lines quicksort quicksort.out

"$report" --csv=trials --trials=trials quicksort quicksort.out | tr -d '\r' >got
awk 'function lower(p) { return sprintf("%.10g", 791518060 / (791518060 / p + 1.7 * 143010681)) }
  BEGIN {
    print "kind,processors,runs,seconds,median_seconds,cpu_seconds,median_cpu_seconds,median_system_seconds,lower,upper,speedup,efficiency"
    print "\"trials\",1,3,0.8,0.82,0.8,0.81,0.01," lower(1) ",1,1,1"
    print "\"trials\",2,2,0.48,0.49,0.81,0.815,0.01," lower(2) ",2,1.666666667,0.8333333333"
    print "\"trials\",4,2,0.5,0.55,0.84,0.87,0.01," lower(4) ",4,1.6,0.4"
    print "\"copies\",2,2,0.81,0.82,0.82,0.82,0.01,,,,"
  }' >wanted
same 'comma-separated values' wanted got
echo '2 0.4' >lines
"$report" --csv=trials --trials=lines quicksort quicksort.out | tail -n 1 | cut -d , -f 1-7 >got
echo '"trials",2,1,0.4,0.4,,' >wanted
same 'what is not known is empty there' wanted got
if command -v jq >/dev/null; then
  "$report" --format=json --trials=trials quicksort quicksort.out |
    jq -c '[.trials[] | [.processors, .runs, .seconds, .speedup, .efficiency]], [.copies.processors, .copies.speedup]' >got
  printf '%s\n' '[[1,3,0.8,1,1],[2,2,0.48,1.666666667,0.8333333333],[4,2,0.5,1.6,0.4]]' '[2,null]' >wanted
  same 'JSON has them' wanted got
  "$report" --format=json quicksort quicksort.out | jq -c '.trials, .copies' >got
  printf '%s\n' '[]' null >wanted
  same 'or has none' wanted got
fi
refuses 'a format without a place for them' 'callgrind does not show them' --format=callgrind --trials=trials quicksort quicksort.out
refuses 'other rows' 'csv does not show them' --csv --trials=trials quicksort quicksort.out
refuses 'a comparison' '--diff: it is a report of its own' --diff --trials=trials quicksort:quicksort.out quicksort:quicksort.out
refuses 'rows that nobody knows' '--csv takes regions, trials, emulation, usage, waste, efficiency, inflation, whatifs or workers' --csv=trial quicksort quicksort.out
refuses 'counted instructions without one processor' 'lines: it needs a line for one processor' --trials=lines calls calls.out
awk 'BEGIN { for (i = 1; i <= 200000; i++) print i % 1000000, 1, 1, 0 }' >many
holds 'many lines' "$report" -b --trials=many quicksort quicksort.out
# Runs of another command, and runs that others disturbed.
says 'the command of the profile' 'Within the bounds' '# Trials of cilkprof-run: ./other 10000000' '1 .8 .8 0' '4 .4 .8 0'
says 'a number of workers among the arguments' 'Within the bounds' '# Trials of cilkprof-run: ./qsort {}' '1 .8 .8 0' '4 .4 .8 0'
says 'another command' 'Different command: the trials ran ./qsort 5, but the profile is of a run with other arguments' \
  '# Trials of cilkprof-run: ./qsort 5' '1 .8 .8 0' '4 .4 .8 0'
says_not 'is not judged' 'Within the bounds' '# Trials of cilkprof-run: ./qsort 5' '1 .8 .8 0' '4 .4 .8 0'
says 'what others disturbed does not count' 'Within the bounds: measured 2.00 on 4' '1 .8 .8 0' '1 .3 .3 0 busy' '4 .4 .8 0' '4 9 .8 0 busy'
says 'unless there is nothing else' 'Busy machine: other programs were running during every run on 4 processors' '1 .8 .8 0' '4 .4 .8 0 busy'
says 'or on one' 'Busy machine: other programs were running during every run on 1 processor' '1 .8 .8 0 busy' '4 .4 .8 0'
says 'the table says so' ' 4 1 0.4000 0.4000 0.8000 1.79 4.00 2.00 50% busy' '1 .8 .8 0' '4 .4 .8 0 busy'
says_not 'and no cause is named' 'Slower\|Within\|bandwidth' '1 .8 .8 0' '4 .8 .8 0 busy' 'copies 4 1 1.6 0 busy'
says_not 'by copies that were disturbed' 'bandwidth is' '1 .8 .8 0' '4 .4 .8 0' 'copies 4 1 1.6 0 busy'
says 'without times of the processor' 'Within the bounds: measured 2.00 on 4' '1 .8' '4 9 busy' '4 .4'
finish
