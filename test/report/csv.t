#!/bin/sh
# The call sites as comma-separated values.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

cat >names.txt <<EOF
mode count
command ./names
totals 30 1 1
site outside 8 main.cc 1 2 - main main.cc
on_work 1 30 30 31  1 30 30 32  1 10 10 33
on_span 1 30 30 34  1 30 30 35  1 10 10 36
site spawn 0 a,"b".cc 3 4 main _Zli2_xPKcm main.cc
on_work 2 20 20 21  1 19 19 22  3 20 20 23
on_span 2 20 20 24  1 19 19 25  3 20 20 26
estimate 1 2 1 1 7
site spawn 0 a,"b".cc 3 44 main _Zli2_xPKcm main.cc
on_work 0 0 0 0  0 0 0 0  0 0 0 0
EOF
build names
"$report" --csv names names.out >table.csv
tr -d '\r' <table.csv >got
cat >wanted <<'EOF'
file,line,column,kind,caller,callee,on_work_top_call_site_count,on_work_top_call_site_work,on_work_top_call_site_span,on_work_top_call_site_burdened_span,on_work_top_caller_count,on_work_top_caller_work,on_work_top_caller_span,on_work_top_caller_burdened_span,on_work_local_count,on_work_local_work,on_work_local_span,on_work_local_burdened_span,on_span_top_call_site_count,on_span_top_call_site_work,on_span_top_call_site_span,on_span_top_call_site_burdened_span,on_span_top_caller_count,on_span_top_caller_work,on_span_top_caller_span,on_span_top_caller_burdened_span,on_span_local_count,on_span_local_work,on_span_local_span,on_span_local_burdened_span,counted,followed,timed,on_work_local_error
"main.cc",1,2,"entry","<spontaneous>","main",1,30,30,31,1,30,30,32,1,10,10,33,1,30,30,34,1,30,30,35,1,10,10,36,0,1,0,0
"a,""b"".cc",3,4,"spawn","main","operator"""" _x(char const*, unsigned long)",2,20,20,21,1,19,19,22,3,20,20,23,2,20,20,24,1,19,19,25,3,20,20,26,2,1,1,7
"a,""b"".cc",3,44,"spawn","main","operator"""" _x(char const*, unsigned long)",0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
EOF
same 'every field of every site, names quoted' wanted got
holds 'lines end as RFC 4180 says' test "$(grep -c "$(printf '\r')\$" table.csv)" = 4

build calls
"$report" --csv calls calls.out >got
holds 'a row for every site' test "$(wc -l <got)" = 14
"$report" --csv -z calls calls.out >got
holds 'with -z also for those never reached' test "$(wc -l <got)" = 16

# A terminal must not be told anything by a name.
printf 'site call 0 a\033[31m\302\233b.c 7 8 main f\177g main.cc\n' >>names.txt
printf 'on_work 1 5 5 5  1 5 5 5  1 5 5 5\non_span 1 5 5 5  1 5 5 5  1 5 5 5\n' >>names.txt
sed -i 's/totals 30/totals 35/' names.txt
build names
"$report" --csv names names.out >got
holds 'control characters are escaped' grep -qF 'a\033[31m\302\233b.c",7,8,"call","main","f\177g"' got
"$report" names names.out >got
holds 'in the text too' sh -c '! tr -d "\n\t\f" <got | grep -q "[[:cntrl:]]"'

finish
