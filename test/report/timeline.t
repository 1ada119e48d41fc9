#!/bin/sh
# The timeline of a parallel run: what each thread did, and when.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"
. "$TOP/test/report/trace.sh"

# slices FILE: "thread begin length state name", one a line; arrows and regions likewise.
slices() {
  jq -r '.traceEvents[] | if .ph == "X" then [.tid, .ts + 0, .dur + 0, .cat, .name] elif .ph == "M" then empty
    else [.tid, .ts + 0, .ph, .id, .name] end | join(" ")' "$1"
}
cp "$TOP/test/report/waste.c" timeline.c
sampled timeline
"$report" --format=perfetto timeline.out >trace
schema 'the trace is as documented' trace
slices trace >got
cat >wanted <<'END'
1 0 31000 working serial
1 31000 49000 working work
1 80000 20000 waiting waiting
2 10000 30000 idle idle
2 40000 10000 working work timeline.c:27
1 40000 s 1 task
2 40000 f 1 task
2 50000 10000 lock lock
2 60000 30000 working work timeline.c:27
2 90000 5000 idle idle
END
same 'what each thread did' wanted got
holds 'what is not kept is said' jq -e '.otherData.earlier_changes_not_kept == "3"' trace
for wrong in 'del(.traceEvents[1].ph)' '.traceEvents[-1].dur = -1' '.traceEvents[-1].ts = 40001' 'del(.traceEvents[] | select(.ph == "f"))' \
  '(.traceEvents[] | select(.ph == "s") | .ts) = 99999' 'del(.traceEvents[-1].tid)' '.traceEvents[-1].ph = "Q"' '.displayTimeUnit = "ms"' '.traceEvents[-1].dur = 0'; do
  jq "$wrong" trace >wrong.trace
  holds "the check of the schema refuses $wrong" sh -c "jq -e -f '$TOP/test/report/trace-events.jq' wrong.trace 2>&1 | grep -q error"
done

# OpenMP: a region, whose end divides the waiting of others from their idleness.
cat >openmp.txt <<'END'
sampling openmp 2 2 1000 100 150
path 30 30 0 at_main_serial at_serial
path 100 0 0 at_main_work at_work
thread 0
at 0 state works
at 1 path works 1
at 20 region works at_main_loop
at 20 state works at_main_loop
at 30 task works at_work 0
at 40 done works
at 50 state waits
at 70 state works
at 70 joined works
thread 0
at 5 state idle
at 21 state works at_main_loop
at 35 task works at_work 0
at 45 done works
at 55 state waits
at 95 state ended
END
cp timeline.c openmp.c
sampled openmp
"$report" --format=perfetto openmp.out >trace
schema 'the trace of OpenMP is as documented' trace
slices trace >got
cat >wanted <<'END'
1 0 20000 working serial
1 20000 10000 working parallel openmp.c:43
1 30000 10000 working task openmp.c:26
1 40000 10000 working parallel openmp.c:43
1 50000 20000 waiting waiting
1 70000 30000 working serial
1 20000 b 1 parallel openmp.c:43
1 70000 e 1 parallel openmp.c:43
2 5000 16000 idle idle
2 21000 14000 working parallel openmp.c:43
2 35000 10000 working task openmp.c:26
1 35000 s 1 task
2 35000 f 1 task
2 45000 10000 working parallel openmp.c:43
2 55000 15000 waiting waiting
2 70000 25000 idle idle
END
same 'regions and tasks' wanted got

grep -v '^at\|^thread' timeline.txt >without.txt
cp timeline.c without.c
sampled without
refuses 'without a timeline' 'this needs the timeline of one' --format=perfetto without.out
refuses 'two runs have none' 'this needs the timeline of one' --format=perfetto timeline.out timeline.out
"$report" -s -o one.sum timeline.out
"$report" --format=perfetto timeline.out >trace
"$report" --format=perfetto one.sum >summed
same 'the sum of one run has its timeline' trace summed
"$report" -s -o two.sum timeline.out timeline.out
refuses 'that of two has none' 'this needs the timeline of one' --format=perfetto two.sum
build tree
refuses 'a profile of work and span has none' 'this needs the timeline of one' --format=perfetto tree.out

# The page has the same.
"$report" --html=page.html timeline.out
sed -n '/^"slices":/,/^\],/p' page.html >got
cat >wanted <<'END'
"slices":{"threads":[
[0,31000000,0,0,-1,31000000,49000000,0,1,-1,80000000,20000000,2,-1,-1],
END
holds 'the page: what the first thread did' sh -c 'head -n 2 got | cmp -s - wanted'
holds 'the page: names, and what was not kept' grep -q '"leftOut":0,"dropped":3,"names":."serial","work","work timeline.c:27"' page.html
finish
