#!/bin/sh
# Regions and named strands: the table, sums, values, rules.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

cat >phases.txt <<EOF
mode count
burden 100
command ./phases
totals 900 12 4
site outside 8 main.c 1 2 - main main.c
on_work 1 10000 700 900  1 10000 700 900  1 10000 700 900
on_span 1 10000 700 900  1 10000 700 900  1 10000 700 900
region sort 1 2 8000 400 500
region "a,b" 17 0 0 0 0
region copy 2 5 2500 2500 2500
EOF
build phases
prints 'the tables' -b --regions phases phases.out <<'EOF'
Regions

                                        ------------------------- speedup on --------------------------
     work      span  burdened  parallel               2               8              32             128     passes  region
   8.000k       400       500     20.00   1.65 -   2.00   4.32 -   8.00   7.27 -  20.00   8.77 -  20.00          2  sort
        0         0         0         -               -               -               -               -          0  "a,b" (not measured every time)

Named strands

     work   of all     passes  strand
   2.500k   25.00%          5  copy
EOF
"$report" -b phases phases.out >got
holds 'they are part of the report' grep -q '^Regions' got
"$report" -b --summary phases phases.out >got
holds 'unless others are named' sh -c '! grep -q ^Regions got'
"$report" --csv=regions phases phases.out | tr -d '\r' >got
cat >wanted <<'EOF'
kind,label,partial,count,work,span,burdened_span
"region","sort",0,2,8000,400,500
"region","""a,b""",1,0,0,0,0
"strand","copy",0,5,2500,2500,2500
EOF
same 'as comma-separated values' wanted got
"$report" --csv=regions phases phases.out phases.out | grep -c '"sort",0,4,16000,800,1000' >got
echo 1 >wanted
same 'of several profiles the sum' wanted got
"$report" -s phases phases.out phases.out
"$report" --csv=regions phases cilkprof.sum | grep -c '"sort",0,4,16000,800,1000' >got
same 'the sum of profiles has them' wanted got
holds 'a rule that holds' "$report" --gate 'parallelism(region sort) == 20; calls(region copy) == 5' phases phases.out
"$report" --gate 'burdened_parallelism(region sort) > 16' phases phases.out 2>got
holds 'and one that does not: status 3' test $? = 3
echo 'cilkprof-report: gate: burdened_parallelism(region sort) > 16: failed, it is 16' >wanted
same 'says the value' wanted got
refuses 'a region that is not there' 'merge: the program has no such region' --gate 'work(region merge) > 1' phases phases.out
refuses 'other values' 'unknown rows; --csv takes regions, trials, emulation, usage, waste, efficiency, inflation, whatifs or workers' --csv=sites phases phases.out
grep -v ^region phases.txt >none.txt
build none
"$report" -b --regions none none.out >got
holds 'a program without' grep -q 'marked no regions' got
finish
