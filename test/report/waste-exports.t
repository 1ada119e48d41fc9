#!/bin/sh
# What parallel runs wasted, for other programs.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

sampled waste
build tree -g
prints 'collapsed: work' --format=collapsed waste.out <<'END'
main;serial 400000000
main;work 300000000
main;work;work;work;inner;leaf 200000000
main;cilk_for waste.c:34 100000000
<not unwound>;work 10000000
<task of unknown origin>;work 7000000
END
prints 'collapsed: idleness' --format=collapsed --metric=idleness waste.out <<'END'
main;serial 400000000
main;work;work;work;inner;leaf 10000000
main;cilk_for waste.c:34 40000000
<not unwound>;work 5000000
END
prints 'collapsed: overhead, with folded recursion' --fold-recursion --format=collapsed --metric=overhead waste.out <<'END'
main 20000000
main;work 50000000
END
prints 'collapsed: waiting, beside work and span' --format=collapsed --metric=waiting tree.out waste.out <<'END'
main;work;pthread_mutex_lock_slow 55000000
END
"$report" --format=collapsed --metric=work tree.out waste.out >got
"$report" --format=collapsed --metric=work tree.out >wanted
same 'work is that of work and span where it is known' wanted got
for metric in span calls; do
  refuses "collapsed: $metric of samples alone" 'needs work and span' --format=collapsed --metric=$metric waste.out
done
refuses 'gmon of samples alone' 'needs work and span' --format=gmon -o gmon waste.out
for metric in idleness overhead waiting; do
  refuses "collapsed: $metric without samples" 'no samples of a parallel run' --format=collapsed --metric=$metric tree.out
done
refuses 'rows of waste without samples' 'no samples of a parallel run' --csv=waste tree.out

# speedscope: a profile for each kind, and the time line.
"$report" --format=speedscope --metric=overhead waste.out >got.speedscope
cat >shape.jq <<'END'
(.shared.frames | length) as $frames |
.["$schema"] == "https://www.speedscope.app/file-format-schema.json" and
(.shared.frames | all(.name | type == "string")) and
(.profiles | length) == 5 and (.profiles | all(.type == "sampled" and .unit == "nanoseconds" and
  (.samples | length) == (.weights | length) and (.weights | add) == .endValue and
  (.samples | flatten | all(. < $frames)))) and .activeProfileIndex == 2
END
holds 'speedscope: the shape' jq -e -f shape.jq got.speedscope
jq -c '.profiles[] | [.name, .endValue]' got.speedscope >got
cat >wanted <<'END'
["work",1017000000]
["idleness",455000000]
["overhead",70000000]
["waiting",55000000]
["time line: how many were at work",1000000000]
END
same 'speedscope: the kinds' wanted got
jq -c '.shared.frames as $f | .profiles[4] | [.samples, .weights] | transpose[] | [[.[0][] | $f[.].name], .[1] / 1e6]' got.speedscope >got
cat >wanted <<'END'
[["1 at work"],250]
[["1 at work","2 at work"],100]
[["1 at work"],150]
[["1 at work","2 at work"],250]
[["1 at work","2 at work"],250]
END
same 'speedscope: the time line' wanted got

# callgrind.
if command -v callgrind_annotate >/dev/null; then
  "$report" --format=callgrind --metric=idleness waste.out >callgrind.out
  callgrind_annotate --auto=no --threshold=100 --inclusive=yes callgrind.out 2>errors |
    sed -n '/file:function/,$p' | sed 's/([^)]*)//g; s/,//g; s/  */ /g; s/^ //; s/000000//g; /^-/d; /^$/d; 1d' | sort >got
  cat >wanted <<'END'
0 7 0 0 ???:<task of unknown origin>
0 0 0 55 waste.c:pthread_mutex_lock_slow
10 200 0 0 waste.c:inner
10 200 0 0 waste.c:leaf
15 517 50 55 waste.c:work
40 100 0 0 waste.c:cilk_for waste.c:34
400 400 0 0 waste.c:serial
450 1000 70 55 waste.c:main
5 10 0 0 ???:<not unwound>
END
  sort -o wanted wanted
  same 'callgrind: all functions, with what they called' wanted got
  holds 'callgrind: nothing is said of it' test ! -s errors
  "$report" --format=callgrind waste.out | grep '^events' >got
  echo 'events: Work Idleness Overhead Waiting' >wanted
  same 'callgrind: the first event is the metric' wanted got
else
  pass 'callgrind # SKIP callgrind_annotate is not installed (valgrind)'
fi

# pprof.
"$report" --format=pprof --metric=idleness -o waste.pb.gz waste.out
if command -v protoc >/dev/null; then
  zcat waste.pb.gz | protoc --decode_raw | sed -n 's/^6: "\(.*\)"$/\1/p' >got
  for string in work idleness overhead waiting nanoseconds serial 'cilk_for waste.c:34'; do
    holds "pprof: $string" grep -qxF "$string" got
  done
else
  pass 'pprof, decoded # SKIP protoc is not installed (protobuf-compiler)'
fi
if command -v go >/dev/null; then
  HOME=$PWD PPROF_TMPDIR=$PWD go tool pprof -top waste.pb.gz 2>errors | grep -q '400ms .* serial$'
  holds 'pprof: go tool pprof shows the idleness' test $? = 0
fi

# CSV and JSON.
"$report" --csv waste.out | sed 's/\r$//; s/"[^"]*waste.c"/"waste.c"/; s/000000//g' >got
sed -n '1p; 2p; 3p' got >first
cat >wanted <<'END'
context,parent,function,file,line,samples,own_work,own_idleness,own_overhead,own_waiting,work,idleness,overhead,waiting
0,,"main","",0,20,0,0,20,0,1000,450,70,55
1,0,"serial","waste.c",41,400,400,400,0,0,400,400,0,0
END
same 'CSV: contexts' wanted first
"$report" --csv=waste tree.out waste.out | sed 's/\r$//; s/"[^"]*waste.c"/"waste.c"/; s/000000//g' >both
same 'CSV: beside work and span' got both
"$report" --format=json waste.out >json
holds 'JSON: own times add up to all' jq -e '.waste | (.contexts | map(.own.idleness) | add) == .total.idleness and
  (.functions | map(.own.work) | add) == .total.work and .total.waiting == 55000000 and .neither == 403000000' json
holds 'JSON: what it is of' jq -e '.mode == "sampled" and .waste.sampled == "cilk" and .waste.workers == 2 and
  (.waste.timeline.threads | length) == 2 and .waste.functions[0].judgement == "refine"' json
"$report" --format=json tree.out waste.out >json
holds 'JSON: with work and span, and causes' jq -e '(.sites | length) == 6 and (.waste.causes | length) > 3' json

# The page.
"$report" --html=page.html waste.out
perl -0777 -ne 'print $1 if m{<script type="application/json" id="data">(.*?)</script>}s' page.html >data
holds 'the page of samples alone' jq -e '.runs == 0 and (.sites | length) == 0 and .waste.total == [1017000000, 455000000, 70000000, 55000000]' data
holds 'its lines' jq -e '.waste.sources[0].notes[] | select(.[0] == 31) | .[1] == 400000000 and .[2] == 400000000' data
holds 'its contexts' jq -e '.waste | .contexts[1] as $c | .functions[$c[1]][0] == "serial" and $c[0] == 0 and $c[3] == 41' data
"$report" --html=page.html tree.out waste.out
perl -0777 -ne 'print $1 if m{<script type="application/json" id="data">(.*?)</script>}s' page.html >data
holds 'the page of both' jq -e '.runs == 1 and (.sites | length) == 6 and (.waste.causes | length) >= 1' data
cp waste.c waste.out.c
refuses 'a page does not take the place of its source' 'source' --html=waste.c waste.out
finish
