#!/bin/sh
# What programs read of the verdict: the codes of findings, their places and shares, both speedups, and seconds.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"
command -v jq >/dev/null || give_up 'jq is here'

sed -n 's/^FINDING([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$TOP/cilkprof-report/analysis/findings.def" | sort >codes
holds 'there are codes' test "$(wc -l <codes)" -ge 40
uniq -d codes >twice
same 'no code has two meanings' /dev/null twice
sed -n '/^A finding of the verdict/,/^\.B callgrind/s/^\.BR* \([a-z\\].*\)/\1/p' "$TOP/man/cilkprof-report.1" |
  grep -e '\\-\|loop\|grain\|lock\|waiting\|speedup\|saturated\|elsewhere\|annotations\|deadlock\|foretold' |
  sed 's/\\-/-/g; s/", "/\n/g' | tr -d ' ' | grep -v '^--' | sort -u >named
comm -23 codes named >missing
same 'cilkprof-report(1) explains them all' /dev/null missing

# finds NAME PROFILE PROCESSORS: its findings are those of standard input, without their words.
finds() {
  cat >wanted
  "$report" --format=json --processors="$3" "$2" "$2.out" |
    jq -r '.verdict.findings[] | [.code, .tone, .function // "-", .file // "-", .line // 0, (.share // 0 | . * 1000 | round), .of // "-"] | join(" ")' >got
  same "$1" wanted got
}

build quicksort
finds 'quicksort: the function, the call and its share of the span' quicksort 8 <<'END'
too-little-parallelism bad - - 0 0 -
speedup notice - - 0 0 -
serial-bottleneck bad partition qsort.c 20 993 span
parallel-on-span good pqsort qsort.c 22 829 span
END
finds 'on one processor' quicksort 1 <<'END'
one-processor notice - - 0 0 -
longest-serial-part notice partition qsort.c 20 993 span
parallel-on-span good pqsort qsort.c 22 829 span
END
"$report" --format=json --processors=8 quicksort quicksort.out >quicksort.json
jq -c '.verdict | .processors, (.speedup.bounds | map(. * 100 | round)), .speedup.expected' quicksort.json >got
printf '%s\n' 8 '[231,554]' null >wanted
same 'the bounds of the speedup are those of the text; nothing is expected without a tree' wanted got
jq -c '.totals.seconds, (.sites[2] | .seconds.on_span_local_span, (.seconds | length))' quicksort.json >got
printf '%s\n' '{"work":0.79151806,"span":0.142902681,"burdened_span":0.143010681}' 0.141891291 19 >wanted
same 'times are in seconds as well, those of call sites too' wanted got
holds 'they are the units, divided' jq -e \
  '. as $all | [.sites[] | . as $site | .seconds | to_entries[] | .value * $all.units_per_second - $site[.key] | fabs < 1] | all' \
  quicksort.json

# One of a thousand equal pieces is on the span, after a serial one as long.
cat >ample.txt <<'END'
burden 10
totals 2000 1000 1
site outside 0 ample.c 5 5 - main ample.c
on_work 1 1001000 2000 2000  1 1001000 2000 2000  1 0 0 0
on_span 1 1001000 2000 2000  1 1001000 2000 2000  1 0 0 0
site call 0 ample.c 7 3 main setup ample.c
on_work 1 1000 1000 1000  1 1000 1000 1000  1 1000 1000 1000
on_span 1 1000 1000 1000  1 1000 1000 1000  1 1000 1000 1000
site loop 0 ample.c 9 3 main - ample.c
on_work 1 1000000 1000 1000  1 1000000 1000 1000  1 1000000 1000 1000
on_span 1 1000000 1000 1000  1 1000000 1000 1000  1 1000000 1000 1000
END
build ample
"$report" --format=json --processors=2 ample ample.out >ample.json
jq -r '.verdict.findings[] | .code, .subject' ample.json | paste -d : - - >got
cat >wanted <<'END'
ample-parallelism:Ample parallelism
speedup:Speedup
longest-serial-part:Longest serial part
elsewhere:If it is slower than that
END
same 'a code for each subject' wanted got

# A recursion whose burden is in what it spawns, a lock, and what is next.
cat >several.txt <<'END'
mode count
burden 15000
totals 900000 20 20
site outside 0 several.c 5 5 - main several.c
on_work 1 400000 100000 900000  1 400000 100000 900000  1 40000 40000 40000
on_span 1 400000 100000 900000  1 400000 100000 900000  1 40000 40000 40000
site call 0 several.c 7 3 main walk several.c
on_work 1 360000 60000 860000  1 360000 60000 860000  1 1000 1000 801000
on_span 1 360000 60000 860000  1 360000 60000 860000  1 1000 1000 801000
site spawn 0 several.c 12 3 walk leaf several.c
on_work 10 359000 59000 59000  10 359000 59000 59000  10 359000 59000 59000
on_span 1 59000 59000 59000  1 59000 59000 59000  1 59000 59000 59000
region omp~critical 4 5 90000 90000 90000
END
build several
"$report" --format=json --processors=8 several several.out >several.json
jq -r '.verdict.findings[] | select(.code == "grain") | [.function, .file, .line, .share, .of] | join(" ")' several.json >got
echo 'walk several.c 12 1 burden' >wanted
same 'what to coarsen: the function and its spawn' wanted got
holds 'counted instructions are no seconds' jq -e \
  '.totals.seconds == null and all(.sites[]; .seconds == null) and all(.regions[]; .seconds == null)' several.json
jq -r '.verdict.findings[] | select(.code == "lock") | [.function, .share, .of] | join(" ")' several.json >got
echo 'omp critical 0.225 work' >wanted
same 'a lock has its name and its share of the work' wanted got

# A function that is beside the span has its call with most work; time without a processor is a share of what elapsed.
cat >beside.txt <<'END'
mode clock
units 1000000
totals 1000000 2 2
usage 2000000000 0 1 0 0 0 0 0 0 1000000
waits 5000000000 3000000000
site outside 0 beside.c 5 5 - main beside.c
on_work 1 1900000 1000000 1000000  1 1900000 1000000 1000000  1 10000 10000 10000
on_span 1 1900000 1000000 1000000  1 1900000 1000000 1000000  1 10000 10000 10000
site spawn 0 beside.c 7 3 main long_one beside.c
on_work 1 990000 990000 990000  1 990000 990000 990000  1 990000 990000 990000
on_span 1 990000 990000 990000  1 990000 990000 990000  1 990000 990000 990000
site call 0 beside.c 9 3 main other beside.c
on_work 1 900000 900000 900000  1 900000 900000 900000  1 900000 900000 900000
on_span 0 0 0 0  0 0 0 0  0 0 0 0
whatif long_one 0 1 910000 910000
END
build beside
finds 'a run that waits and has a next bottleneck' beside 4 <<'END'
waiting bad - - 0 300 elapsed
busy-machine notice - - 0 500 elapsed
too-little-parallelism bad - - 0 0 -
speedup bad - - 0 0 -
serial-bottleneck bad long_one beside.c 7 990 span
next-bottleneck notice other beside.c 9 474 work
END
"$report" --format=json beside beside.out | jq -c '.whatifs[0] | .code, .seconds' >got
printf '%s\n' '"whatif-other-path"' '{"work":0.91,"span":0.91}' >wanted
same 'a what-if has a code and seconds' wanted got

# Two iterations of equal length: under any schedule, two processors take half of the time.
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
for processors in 2 3; do
  "$report" $none --format=json --processors=$processors halves halves.out |
    jq -c '.verdict.speedup.expected, ([.emulation[].seconds.time] | min)' >got
  printf '%s\n' 2 0.5 >wanted
  same "the speedup that is expected on $processors processors, and the seconds of forecasts" wanted got
done
finish
