#!/bin/sh
# A profile of a parallel run: its workers, its elapsed time, and its speedup beside the bounds.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
# makes NAME ELAPSED_NS: the profile NAME.out, of the same run on 4 workers.
makes() {
  sed "s/^totals.*/&\\nworkers 4 $2 4000 30/" quicksort.txt >"$1.txt"
  $make_profile profile "$1.txt" quicksort >"$1.out"
}
makes fast 263839353
makes slow 791518060

"$report" -b --summary quicksort fast.out >got
holds 'the workers, and what they stole' grep -q '^  Workers:                4; 30 of 4,000 stealable calls were stolen$' got
holds 'the elapsed time' grep -q '^  Elapsed time:           263.84 ms$' got
holds 'the speedup' grep -q '^  Speedup of this run:    3.00, work / elapsed time$' got
"$report" -b --summary quicksort quicksort.out >got
holds 'a serial run has none of these' test "$(grep -c 'Workers:\|Elapsed\|this run' got)" = 0

"$report" -b --verdict quicksort fast.out | tr '\n' ' ' | tr -s ' ' >got
holds 'the verdict has it, beside the bounds for as many processors' grep -q 'This run: 3.00 on 4 workers, its work divided by its elapsed time; work and span allow [12].[0-9]* to 4.00' got
holds 'and nothing more if it is between them' test "$(grep -c 'The rest of the time' got)" = 0
"$report" -b --verdict quicksort slow.out | tr '\n' ' ' | tr -s ' ' >got
holds 'a slower run' grep -q 'This run: 1.00 on 4 workers, .*The rest of the time went to' got

"$report" --csv=workers quicksort fast.out | tr -d '\r' >got
printf 'runs,workers,elapsed_ns,speedup,deferred,stolen\n1,4,263839353,3.000000004,4000,30\n' >wanted
same 'CSV' wanted got
"$report" --csv=workers quicksort quicksort.out | tr -d '\r' >got
head -n 1 wanted >none
same 'CSV of a serial run' none got
"$report" --format=json quicksort slow.out >got
holds 'JSON' grep -q '^"workers":{"workers":4,"elapsed_ns":791518060,"speedup":1,"deferred":4000,"stolen":30},$' got
"$report" --format=json quicksort quicksort.out >got
holds 'JSON of a serial run' grep -q '^"workers":null,$' got
"$report" --file-info fast.out >got 2>&1
holds 'the data of the file' grep -q 'workers: *4, 0.263839 s elapsed, 4,000 children deferred, 30 stolen' got

"$report" --sum quicksort fast.out slow.out >/dev/null 2>&1
"$report" --csv=workers quicksort cilkprof.sum 2>/dev/null | tr -d '\r' >got
holds 'a sum has the sums' grep -q ',4,1055357413,' got
finish
