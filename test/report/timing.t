#!/bin/sh
# How sure the times of a profile are: in the summary, in the verdict, and for other programs.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

# timed NAME UNITS MAIN USAGE...: a program of 8,000,000 units of work, with a loop; MAIN is what calls it.
timed() {
  name=$1 units=$2 main=$3
  shift 3
  cat >"$name.txt" <<END
mode hybrid
units $units
burden 15000 15000
command $name
totals 1100000 100 100
usage $*
site outside 0 loop.c 5 5 - $main loop.c
on_work 1 8000000 1000000 1100000  1 8000000 1000000 1100000  1 0 0 0
on_span 1 8000000 1000000 1100000  1 8000000 1000000 1100000  1 0 0 0
site loop 0 loop.c 7 3 $main - loop.c
on_work 1 8000000 1000000 1100000  1 8000000 1000000 1100000  1 8000000 1000000 1100000
on_span 1 8000000 1000000 1100000  1 8000000 1000000 1100000  1 8000000 1000000 1100000
END
  build "$name"
}
none='0 0 0 0 0'

# summary NAME: how sure the time is; nothing where nothing is said.
summary() {
  "$report" --summary -b "$@" | sed -n 's/^  \(Time\|System time\): */\1: /p' >got
}
# line NAME WANTED PROGRAM
line() {
  summary "$3" "$3.out"
  printf '%s' "$2" >wanted
  [ -z "$2" ] || echo >>wanted
  same "$1" wanted got
}
# verdict NAME PATTERN PROGRAM [PROCESSORS], verdict_not
find() {
  "$report" --verdict --processors="${2:-8}" "$1" "$1.out" | tr '\n' ' ' | tr -s ' ' >got
  echo >>got
}
verdict() {
  find "$3" "$4"
  if grep -q -e "$2" got; then pass "$1"; else fail "$1" got; fi
}
verdict_not() {
  find "$3" "$4"
  if grep -q -e "$2" got; then fail "$1" got; else pass "$1"; fi
}

# A unit is a microsecond: eight seconds of work.
# took NAME PROGRAM NS LINE [MAIN]: a run without a reference that took so long, and its line in the summary.
took() {
  timed "$2" 1000000 "${5:-main}" "$3" 0 1 0 $none 1000000
  line "$1" "$4" "$2"
}
took 'few probes' few 8333333333 'Time: instrumentation took 4% of the run'
verdict_not 'few probes are nothing to the verdict' 'nchecked' few
took 'some probes' some 12000000000 'Time: unchecked; instrumentation took 33% of the run: cilkprof run checks it'
verdict_not 'some probes are nothing to the verdict' 'nchecked' some
took 'mostly probes' most 20000000000 'Time: unchecked; instrumentation took 60% of the run: cilkprof run checks it'
verdict 'mostly probes are what it says first' \
  '^Verdict for 8 processors Unchecked times: instrumentation took 60% of the run, .* Use cilkprof run' most
took 'a little more than the run took' less 7900000000 'Time: instrumentation took 0% of the run'
took 'much more than the run took' more 4000000000 \
  'Time: unchecked; the measured time exceeds the run: cilkprof run checks it'
verdict 'is said in the verdict' 'Unchecked times: the measured time exceeds the run' more
took 'a main without instrumentation has a time of its own' library 20000000000 '' entry
verdict_not 'the verdict does not take that for probes' 'nchecked' library
timed counted 0 main 20000000000 0 1 0 $none 1000000
line 'instructions are no time' '' counted

timed checked 1600000 main 12000000000 0 1 0 1 5000000000 0 1 0 1000000
line 'a reference' 'Time: checked by a reference run (measured 8.00 s, scaled by 0.62)' checked
verdict 'one that changes much is in the verdict' \
  '^Verdict for 8 processors Scaled times: 8.00 s was measured, but the program takes 5.00 s .* scaled by 0.62' checked
timed near 1100000 main 12000000000 0 1 0 3 7272727272 0 1 0 1000000
line 'several, near what was measured' 'Time: checked by 3 reference runs (measured 8.00 s, scaled by 0.91)' near
verdict_not 'near is near enough' 'Scaled' near
timed contrary 1000000 main 12000000000 0 1 0 1 90000000000 0 1 0 1000000
line 'a reference that cannot be' 'Time: unchecked; a reference run took 90.0 s, which cannot be the same work' contrary
verdict 'is in the verdict' 'Unchecked times: the reference run took 90.0 s and the profiled run 12.0 s' contrary
verdict 'with what to do' 'they did not do the same work. Give both the same input' contrary
for ms in 8160 9210 11200; do
  timed noise 1000000 main 8000000000 0 1 0 1 ${ms}000000 0 1 0 1000000
  seconds=$(awk "BEGIN { printf \"%.3g\", $ms / 1000 }")
  line "$seconds s for 8 is noise" "Time: unchecked; a reference run took $seconds s, longer than the profiled run: times vary" noise
  verdict "$seconds s: that is all that is said" 'Unchecked times: the reference run .* times vary from run to run, .* Measure again when the machine is idle' noise
  verdict_not "$seconds s: nothing is said of the work" 'same work' noise
done

# Of the system: of the run, or of the reference where there is one.
timed system 1000000 main 8333333333 2000000000 48000 213 $none 1000000
cat >wanted <<'END'
Time: instrumentation took 4% of the run
System time: 2.00 s, 25% of the work, with 48,213 page faults
END
summary system system.out
same 'much of the work is the system' wanted got
verdict 'the verdict names page faults' 'System time: 2.00 s of the work (25%) .* 48,213 page faults' system
verdict_not 'and advises no other grain' 'grainsize' system
verdict 'which it does without them' 'lower its grainsize' few
timed little 1000000 main 8333333333 700000000 48000 213 $none 1000000
line 'little of the work is the system' 'Time: instrumentation took 4% of the run' little
timed some 1000000 main 8333333333 700000000 480 20 $none 1000000
verdict 'some of it is said beside the bounds' 'Not in the bounds: [0-9]% of the work is in the kernel, with 500 page faults' some
# More of it than there is work: instrumentation had page faults, too.  In a short run, it is a tick or two.
timed kernel 1000000 main 20000000000 12640000000 480 20 $none 1000000
cat >wanted <<'END'
Time: unchecked; instrumentation took 60% of the run: cilkprof run checks it
System time: 8.00 s, 100% of the work, with 500 page faults
END
summary kernel kernel.out
same 'no share is more than all' wanted got
verdict 'in the verdict neither' 'System time: 8.00 s of the work (100%) is system time' kernel
timed ticks 1000000000 main 12000000 12640000 480 20 $none 1000000000
line 'the system measures its time in ticks' 'Time: unchecked; instrumentation took 33% of the run: cilkprof run checks it' ticks
verdict_not 'a short run says nothing of it' 'in the kernel\|System time' ticks
timed reference 1000000 main 8333333333 2000000000 1 0 1 8000000000 1 1 0 1000000
line 'the reference counts' 'Time: checked by a reference run (measured 8.00 s, scaled by 1.00)' reference
timed another 1000000 main 12000000000 0 1 0 1 90000000000 20000000000 1 0 1000000
line 'but not one that cannot be' 'Time: unchecked; a reference run took 90.0 s, which cannot be the same work' another

prints 'as values' --csv=usage checked checked.out <<END
what,runs,cpu_ns,system_ns,minor_faults,major_faults,units_per_second$(printf '\r')
"run",1,12000000000,0,1,0,1000000$(printf '\r')
"reference",1,5000000000,0,1,0,1600000$(printf '\r')
END
"$report" --format=json checked checked.out | grep '^"usage"' >got
cat >wanted <<'END'
"usage":{"time":"checked","measured_units_per_second":1000000,"run":{"cpu_ns":12000000000,"system_ns":0,"minor_faults":1,"major_faults":0},"delayed_ns":0,"blocked_ns":0,"reference_runs":1,"reference":{"cpu_ns":5000000000,"system_ns":0,"minor_faults":1,"major_faults":0}},
END
same 'as JSON' wanted got
build quicksort
"$report" --format=json quicksort quicksort.out | grep '^"usage"' >got
echo '"usage":null,' >wanted
same 'null where it is not known' wanted got
"$report" --csv=usage quicksort quicksort.out | wc -l >got
echo 1 >wanted
same 'no rows where it is not known' wanted got
"$report" --html=page.html checked checked.out
holds 'on the page' grep -q '"time":"checked by a reference run (measured 8.00 s, scaled by 0.62)"' page.html
"$report" -i checked checked.out | sed -n '/processor time/,/as measured/p' | sed 's/^\t//' >got
cat >wanted <<'END'
processor time:         12.000000 s, 0.000000 s of it in the system, 1 minor and 0 major page faults
reference runs:         1
reference:              5.000000 s, 0.000000 s of it in the system, 1 minor and 0 major page faults
as measured:            1/1,000,000 s
END
same 'among what the file contains' wanted got

# Sums: the same program with other units and references.
sed 's/^units .*/units 2000000/; s/^usage .*/usage 12000000000 0 1 0 2 4000000000 0 1 0 1000000/' checked.txt >again.txt
$make_profile profile again.txt checked >again.out
summary checked checked.out again.out
echo 'Time: checked by 3 reference runs (measured 16.0 s, scaled by 0.56)' >wanted
same 'two runs, each with its reference' wanted got
"$report" -s -o sum.out checked checked.out again.out
summary checked sum.out
same 'and their sum in a file' wanted got
sed 's/^units .*/units 1000000/; s/^usage .*/usage 12000000000 0 1 0 0 0 0 0 0 1000000/' checked.txt >bare.txt
$make_profile profile bare.txt checked >bare.out
summary checked checked.out bare.out
echo 'Time: unchecked; instrumentation took 46% of the run: cilkprof run checks it' >wanted
same 'a sum with a run that has none is unchecked' wanted got
"$report" -b --diff checked:checked.out checked:bare.out >got
holds 'a difference from a checked time to an unchecked one' \
  grep -q '^  Some of the times were checked by cilkprof run and some were not' got
for others in 'checked:checked.out checked:again.out' 'checked:bare.out checked:bare.out'; do
  "$report" -b --diff $others >got
  holds "but not from ${others% *} to ${others#* }" sh -c '! grep -q "checked by" got'
done
grep -v '^usage' checked.txt >without.txt
$make_profile profile without.txt checked >without.out
summary checked checked.out without.out
same 'a sum with a run of which nothing is known says nothing' /dev/null got

# Time without a processor: waits are named first, and what other programs took is told from them.
# waited PROGRAM DELAYED BLOCKED: a run that computed for one second.
waited() {
  timed "$1" 8000000 main 1000000000 0 1 0 $none 8000000
  sed -i "/^usage/a waits $2 $3" "$1.txt"
  build "$1"
}
waited asleep 0 9000000000
verdict 'a program that waits: said first' '^Verdict for 8 processors Waiting: for 9.00 s of 10.0 s (90%) the program slept' asleep
cp asleep.txt sleeper.txt
cat >>sleeper.txt <<'END'
site call 0 sleeper.c 9 3 main usleep sleeper.c
on_work 1 0 0 0  1 0 0 0  1 0 0 0
on_span 1 0 0 0  1 0 0 0  1 0 0 0
END
build sleeper
verdict 'what may have waited is named' 'or other threads. It calls usleep at sleeper.c:9. Work and span' sleeper
verdict_not 'where that is known' 'It calls' asleep
verdict 'no speedup is foretold for a program that mostly waits' 'Work and span exclude that time, so no speedup is foretold.' asleep
verdict_not 'nor given' 'Speedup:\|speedup of up to' asleep
"$report" --screen asleep asleep.out >got
holds 'nor printed on the screen' sh -c '! grep -q "speedup from" got'
"$report" --summary -b asleep asleep.out >got
holds 'the summary says why' grep -q '^  none: the run mostly waited, which work and span exclude$' got
"$report" --format=json asleep asleep.out | jq -c .bounds >got
echo '[]' >wanted
same 'JSON has no bounds either' wanted got
"$report" --html=page.html asleep asleep.out
holds 'the page says why' grep -q '<p>None: the run mostly waited, which work and span exclude.</p>' page.html
waited threaded 0 9000000000
sed -i '/^usage/a flags 4' threaded.txt
build threaded
verdict 'no advice on waits of a program with threads of its own' \
  'so no speedup is foretold. The threads that it created itself may have run meanwhile. ' threaded
verdict_not 'none at all' 'Overlap these waits' threaded
waited dozing 0 500000000
verdict 'a program that waits for a third of the run' 'Work, span and all speedups below exclude that time. Overlap .* Speedup: between' dozing
waited busy 1000000000 100000000
verdict 'a busy machine' 'Busy machine: for 1.00 s of 2.10 s (48%) the program was preempted' busy
verdict_not 'is no wait' 'Waiting' busy
# The program and its loop have a parallelism of 8.
verdict 'where other programs may have made the longest iterations longer, these are not blamed' \
  "the loop's parallelism is 8.00. Other programs may have made it longer, so it may not be a limit: measure again" busy 2
verdict_not 'nor called harmless' 'On its own that would be enough\|not a limit yet' busy 2
verdict 'but a clear limit is one on a busy machine too' "the loop's parallelism is 8.00. Split its longest iterations" busy 8
waited idle 0 0
verdict 'on an idle machine the same parallelism is a limit' "the loop's parallelism is 8.00. Split its longest iterations" idle 2
waited neither 80000000 80000000
verdict_not 'a little of both' 'Waiting\|Busy' neither
waited briefly 0 40000000
sed -i 's/^usage 1000000000/usage 10000000/' briefly.txt
build briefly
verdict_not 'what is short is not worth a word' 'Waiting' briefly
"$report" --format=json asleep asleep.out >got
holds 'JSON has both' grep -q '"delayed_ns":0,"blocked_ns":9000000000' got
finish
