#!/bin/sh
# The tables of the benchmark say "aim met", "pass", "falls short" and "not measured" where that is so.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >limits <<'END'
fib   35  6/3.5  6/3.5      13/11.5  2     yes
mm    9   -      1.10/1.05  -        1.05  yes
heat  9   -      1.10/1.05  -        -     no
gone  9   -      1.10/1.05  -        1.05  no
END
# program, variant, median, minimum and peak
results() {
  for variant in "$@"; do
    echo "$variant" | sed "s/^\([^=]*\)=\([^,]*\),*\(.*\)/$program \1 \2 \2 \3/" | tr ' ' '\t'
  done
}
{
  program=fib && results baseline=1,1000 plain=0.5 count=3.4 hybrid=5.9,1500 clock=13.1 whatif=10.3
  program=mm && results baseline=2,1000 plain=2 count=2.4 hybrid=2.22,9300 clock=2
  program=heat && results baseline=2,1000 plain=2 count=2 hybrid=2.08,3000 clock=2
  printf 'gone\thybrid\tfailed\n'
} >results
awk -f "$TOP/test/bench/table.awk" limits results >table
says() {
  holds "$1" grep -q "$2" table
}
says 'each mode is judged by its limits' '^fib .* count 6/3.5: aim met, hybrid 6/3.5: pass, clock 13/11.5: falls short, memory: aim met$'
says 'a ratio and a memory that are too large' '^mm .* 1.11 .* hybrid 1.10/1.05: falls short, memory: falls short$'
says 'memory between aim and limit' '^heat .* 1.04 .* hybrid 1.10/1.05: aim met, memory: pass$'
says 'what failed' '^gone .* hybrid 1.10/1.05: not measured, memory: not measured$'
says 'the geometric mean, of those that count' '^geometric mean of 2 .* 2.56 .* hybrid 1.5/1.3: falls short$'
says 'what-if against the count mode' '3.03 times the count mode; 3: falls short$'
says 'nanoseconds per call: fib 35 makes 29,860,703' 'ns per call: .* hybrid 197.58,'

printf 'fib hybrid 1.9 s\nfib clock 2100 ms\nmm hybrid 2.05 s\nmm hybrid 9 s\nmm hybrid 1 s\nmm clock 1.90 s\n' >works
awk -f "$TOP/test/bench/work.awk" limits results works >table
says 'the work against the time, and its median' '^mm  *1.025  *0.950  1.05, hybrid: pass, clock: falls short$'
says 'within a factor' '^fib  *1.900  *2.100  2, hybrid: pass, clock: falls short$'
says 'no limit' '^heat  *-  *-$'

printf '15 10 baseline 1\n15 10 hybrid 6\n15 9999 baseline 1\n15 9999 hybrid 6.4\n35 1 baseline 1\n35 1 hybrid 6.6\n' |
  awk -f "$TOP/test/bench/growth.awk" >table
says 'the cost per event stays' '^9999 times fib 15 .* 1.08 of the first, 0.90 to 1.10: pass$'
says 'the cost per event grows' '^1 times fib 35 .* 1.12 of the first, 0.90 to 1.10: falls short$'

printf 'rows 9 2.5/1.5 short strands\nboxes 9 2/1.5 a recursion\n' >limits
{
  program=rows && results native=1,1000 one=1.3 hybrid=2.6
  program=boxes && results native=2,1000 hybrid=2.8
} >results
cat >>results <<'END'
rows plain 700 ms unchecked
rows checked 1.05 s
rows parallelism 1,200
rows construction 1000.5
boxes plain 2.6 s instrumentation took 4% of the run
boxes checked 2.3 s
boxes parallelism 5.1
boxes construction 5
END
printf '1.1\n1.2\n' >ratios
awk -f "$TOP/test/bench/truth.awk" limits results ratios >table
says 'a profile that says that it is unchecked' '^rows .* 2.60  2.5/1.5: falls short  *0.70  said: unchecked  *1.05  pass  *1200 1000 falls short  *2.00 *0.54$'
says 'one that does not say so' '^boxes .* 1.40  2/1.5: aim met  *1.30  falls short  *1.15  falls short  *5.1 5 pass *$'
says 'the mean, with that of the other programs' '^geometric mean of 4 programs 1.48 (1.5/1.25: pass)$'

printf 'fib 3 38\nmm 1.05 512\nheat 1.05 9\nlu 1.05 9\ngone 1.05 9\n' >limits
# program, variant, median and minimum of CPU time, peak, wall time
walls() {
  for variant in "$@"; do
    printf '%s\t%s\t9\t%s\t1000\t%s\n' "$program" "${variant%=*}" "${variant#*=}" "${variant#*=}"
  done
}
{
  program=fib && walls serial=1 1=2.9 2=1.6 copies2=1
  program=mm && walls serial=2 1=2.2 2=1.1 copies2=2.05
  program=heat && walls serial=2 1=2 2=1.39 copies2=2.5
  program=lu && walls serial=2 1=2 2=1.38 copies2=2.5
  printf 'gone\t2\tfailed\n'
  printf 'instructions\tdirect\t9.5\n'
  program=nothing && walls serial=0.01 spawns1=0.02 spawns2=0.05 loops=0.02 loops1=0.06 loops2=0.08
} >results
awk -v processors=2 -f "$TOP/test/bench/parallel.awk" limits results >table
says 'fib is judged by one worker alone' '^fib  *1.00  *2.90  *0.62  *2.00  T1 3: pass$'
says 'one worker is slow, two are fast enough' '^mm  *2.00  *1.10  *1.82  *1.95  T1 1.05: falls short, T2 1.80: pass$'
says 'where the machine has less to give' '^heat  *2.00  *1.00  *1.44  *1.60  T1 1.05: pass, T2 1.44: falls short$'
says 'and that is used' '^lu .* T2 1.44: pass$'
says 'what failed in parallel' '^gone .* T1 1.05: not measured, T2 .*: not measured$'
says 'spawns' '^10 million empty .* serial 1.0, 1 worker 2.0, 2 workers 5.0;'
says 'short loops' '^10 million cilk_for .* serial 2.0, 1 worker 6.0, 2 workers 8.0; .* falls short$'
says 'instructions, as far as counted' 'direct 9.5, deferred -$'
finish
