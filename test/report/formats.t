#!/bin/sh
# Exports: the options, and what is written where; CSV and JSON.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build tree
grep -v '^context' tree.txt >without.txt
$make_profile profile without.txt tree >without.out

refuses 'an unknown format' 'xml: unknown format; known are csv, json, callgrind, gmon' --format=xml tree tree.out
refuses 'an unknown metric' 'time: unknown metric; known are work, span, calls, idleness, overhead and waiting' --format=csv --metric=time tree tree.out
refuses 'a metric without a format' 'metric: it needs --format' --metric=span tree tree.out
refuses 'a metric of csv' 'csv has all measurements' --format=csv --metric=span tree tree.out
refuses 'a metric of json' 'json has all measurements' --format=json --metric=work tree tree.out
refuses 'calls in gmon' 'gmon cannot show calls' --format=gmon --metric=calls tree tree.out
refuses 'calls in callgrind' 'callgrind cannot show calls' --format=callgrind --metric=calls tree tree.out
refuses 'a format and a section' 'it replaces the sections' --format=csv -p tree tree.out
refuses 'a format and --diff' 'a report of its own' --diff --format=csv tree.out tree.out
for format in collapsed flamegraph speedscope pprof; do
  echo precious >kept
  refuses "$format without contexts" 'without.out: it has no calling contexts; use cilkprof run --contexts' \
    --format=$format -o kept tree without.out
  holds "$format: the output is not touched" grep -q precious kept
done
for format in csv json callgrind gmon collapsed flamegraph speedscope pprof; do
  "$report" --format=$format tree tree.out >"wanted.$format" 2>errors
  holds "$format: nothing on standard error" test $? = 0 -a ! -s errors -a -s "wanted.$format"
  "$report" --output="got.$format" --format=$format tree tree.out >printed
  same "$format: the same in a file" "wanted.$format" "got.$format"
  holds "$format: and nothing on standard output" test ! -s printed
  "$report" --format=$format -o again tree tree.out tree.out 2>errors
  holds "$format: of two profiles" test $? = 0 -a ! -s errors
done
"$report" -b -p -i tree tree.out >wanted
"$report" -b -p -i -o got tree tree.out >printed
same '-o with sections' wanted got
"$report" -b --color=always -p -o got tree tree.out
holds 'colours in a file only when they are always wanted' grep -q "$(printf '\033')" got
"$report" --diff tree.out tree.out >wanted
"$report" --diff -o got tree.out tree.out
same '-o with --diff' wanted got
mkdir folder
refuses '-o a folder' 'folder: Is a directory' -o folder --format=csv tree tree.out
refuses '-o on a full disk' '/dev/full: No space left on device' -o /dev/full --format=csv tree tree.out
"$report" --gate 'parallelism > 100' --format=csv -o got tree tree.out >printed 2>&1
holds 'a format and a gate' test $? = 3 -a -s got
"$report" -s --format=csv -o got tree tree.out
holds 'a format and a sum' test -s cilkprof.sum -a -s got
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
  for format in gmon pprof; do
    script -qec "'$report' --format=$format tree tree.out" /dev/null </dev/null >got
    holds "$format is not shown on a terminal" grep -q "$format: it is not text; name a file with --output" got
  done
fi

for processors in 2 64; do
  "$report" --format=json --processors=$processors tree tree.out >judged.json
  jq -r '.verdict | "Verdict for \(.processors) processors", (.findings[] | "\(.subject): \(.text)")' judged.json | tr -s ' \n' '\n\n' >got
  "$report" --verdict --processors=$processors tree tree.out | tr -s ' \n' '\n\n' | grep . >wanted
  same "JSON has the verdict for $processors processors, as the section has it" wanted got
  holds 'with the tone of each finding' jq -e \
    '[.verdict.findings[].tone] | length >= 2 and all(. == "good" or . == "notice" or . == "bad")' judged.json
done
"$report" --color=always --verdict --processors=64 tree tree.out | sed -n 's/^  .\[\([0-9;]*\)m.*/\1/p' >colours
jq -r '.verdict.findings[].tone' judged.json | paste -d ' ' - colours | sort -u >pairs
holds 'a tone is a colour' test -s pairs -a "$(cut -d ' ' -f 1 pairs | sort -u | wc -l)" = "$(wc -l <pairs)"

"$report" --csv tree tree.out >got
same '--csv is --format=csv' wanted.csv got
holds 'JSON is JSON' jq -e . wanted.json
jq -r '.sites | map(del(.seconds)) | (.[0] | keys_unsorted), (.[] | [.[]]) | @csv' wanted.json >got
sed 's/\r$//; 1s/[a-z_]*/"&"/g' wanted.csv | sed '1s/""//g' >wanted
same 'its sites have the fields and values of the CSV' wanted got
jq -c '.totals, .mode, .command, [.contexts[] | [.parent, .site, .on_work.work, .on_span.span]]' wanted.json >got
cat >wanted <<'END'
{"work":1000,"span":395,"burdened_span":450,"spawns":14,"syncs":6,"seconds":null}
"count"
["./tree"]
[[null,0,1000,395],[0,1,600,200],[1,2,100,100],[1,4,400,50],[3,2,200,0],[0,3,250,50],[0,5,5,0]]
END
same 'and the totals, the command and the contexts are there' wanted got
holds 'without contexts the list is empty' sh -c '"$1" --format=json tree without.out | jq -e ".contexts == []"' - "$report"
build calls
"$report" --format=json calls calls.out | jq '.sites | length' >got
holds 'a row for every site' grep -qx 13 got
"$report" --format=json -z calls calls.out | jq '.sites | length' >got
holds 'with -z also for those never reached' grep -qx 15 got

# Names that mean something to a spreadsheet, to JSON or to a terminal.
printf '%s\n' 'mode count' 'command ./names a"b c\d' 'totals 60 0 0' 'site outside 0 main.c 1 1 - main main.c' \
  'on_work 1 60 60 60  1 60 60 60  1 10 10 10' 'on_span 1 60 60 60  1 60 60 60  1 10 10 10' >names.txt
line=2
for name in '=1+2' '+[A' '-[B' '@c' 'q"u\o;te'; do
  printf 'site call 0 main.c %d 1 main %s main.c\non_work 1 10 10 10  1 10 10 10  1 10 10 10\n' $line "$name"
  printf 'on_span 1 10 10 10  1 10 10 10  1 10 10 10\n'
  line=$((line + 1))
done >>names.txt
printf 'context - 0 1 60 60 60  1 60 60 60\n' >>names.txt
for site in 1 2 3 4 5; do printf 'context 0 %d 1 10 10 10  1 10 10 10\n' $site; done >>names.txt
build names
"$report" --format=csv names names.out | cut -d, -f6 | sed 1d >got
cat >wanted <<'END'
"main"
"'=1+2"
"'+[A"
"'-[B"
"'@c"
"q""u\o;te"
END
same 'CSV: no name is a formula' wanted got
"$report" --format=json names names.out | jq -r '.sites[].callee, .command[]' >got
cat >wanted <<'END'
main
=1+2
+[A
-[B
@c
q"u\o;te
./names
a"b
c\d
END
same 'JSON: every name as it is' wanted got
"$report" --format=collapsed names names.out >got
holds 'collapsed: no semicolon in a name' grep -qx 'main;q"u\\o:te 10' got
holds 'speedscope: JSON as well' sh -c '"$1" --format=speedscope names names.out | jq -e ".shared.frames[5].name == \"q\\\"u\\\\o;te\""' - "$report"
printf 'site call 0 m\033[31m.c 9 1 main f\377\001g main.c\non_work 1 1 1 1  1 1 1 1  1 1 1 1\non_span 1 1 1 1  1 1 1 1  1 1 1 1\n' >>names.txt
sed -i 's/ 60 60 60/ 61 61 61/g; s/^totals 60/totals 61/' names.txt
echo 'context 0 6 1 1 1 1  1 1 1 1' >>names.txt
build names
for format in csv json callgrind collapsed flamegraph speedscope; do
  "$report" --format=$format names names.out >got 2>errors
  holds "$format: what is not text is escaped" test "$(tr -d '\n\r' <got | tr -dc '\000-\037\177-\377' | wc -c)" = 0 -a -s got
done
"$report" --format=json names names.out | jq -r '.sites[6].callee, .sites[6].file' >got
printf '%s\n' 'f\377\001g' 'm\033[31m.c' >wanted
same 'JSON: as in the text' wanted got

finish
