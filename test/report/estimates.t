#!/bin/sh
# Times that are estimates: how many calls were followed, and a mark where the standard error is above 5%.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

cat >sampled.txt <<'EOF'
mode hybrid
units 1000000000
command ./sampled
totals 1000 1 1
site outside 8 main.c 1 2 - main main.c
on_work 1 1000 1000 1000  1 1000 1000 1000  1 200 200 200
on_span 1 1000 1000 1000  1 1000 1000 1000  1 200 200 200
site call 0 main.c 3 4 main sure main.c
on_work 50 500 500 500  50 500 500 500  50 500 500 500
on_span 50 500 500 500  50 500 500 500  50 500 500 500
site call 0 main.c 5 4 main unsure main.c
on_work 70 300 300 300  70 300 300 300  70 300 300 300
on_span 70 300 300 300  70 300 300 300  70 300 300 300
estimate 1 40 10 4 25
estimate 2 63 7 3 16
EOF
build sampled
"$report" --sites -b sampled sampled.out >got
holds 'an error above 5% is marked' grep -q ' ~300.0ns *~300.0ns .* main -> unsure$' got
holds 'an error of 5% is not' grep -q ' 500.0ns *500.0ns .* main -> sure$' got
holds 'nor is a time that was measured' grep -q ' 200.0ns *200.0ns .* -> main$' got
holds 'the mark is explained' sh -c '"$0" --sites sampled sampled.out | grep -q "^ ~ .*standard error"' "$report"
holds 'the summary has the size of the sample' sh -c '"$0" --summary sampled sampled.out | tr -s " \n" " " |
  grep -q "Sampled: how .*: 17 of 120 calls were followed, the others counted"' "$report"
"$report" --format=json sampled sampled.out >got.json
echo '63 7 3 16' >wanted
jq -r '.sites[] | select(.callee == "unsure") | "\(.counted) \(.followed) \(.timed) \(.on_work_local_error)"' got.json >got
same 'JSON has it per site' wanted got

# Counts of several runs add up, and so do the squares of their errors.
cp sampled.out again.out
"$report" -s sampled sampled.out again.out >/dev/null 2>&1; mv cilkprof.sum sum.out
echo 126,14,6,22 >wanted
for files in 'sampled.out again.out' sum.out; do
  "$report" --csv sampled $files | tr -d '\r"' | grep ',unsure,' | cut -d, -f31- >got
  same "$files: added up" wanted got
done

sed '/^estimate/d' sampled.txt >followed.txt
build followed
"$report" --sites --summary followed followed.out >got
holds 'without estimates nothing is marked or said of them' sh -c '! grep -q "~\|Sampled" got'
finish
