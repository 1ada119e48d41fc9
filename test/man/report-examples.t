#!/bin/sh
# cilkprof-report(1) has an example of every option, and all of them run.
# SPDX-License-Identifier: MIT
. "$TOP/test/man/lib.sh"

listing cilkprof-profile.7 qsort.c >qsort.c
number=1
: >all
while listing cilkprof-report.1 "example $number" | sed -n 's/^[$>] //p' >commands && [ -s commands ]; do
  cat commands >>all
  bash -e -o pipefail ./commands >output 2>errors </dev/null || echo "status $?" >>errors
  sed -i '/--synthesize: other programs used [0-9]*% of a processor/d' errors # of a busy machine
  same "example $number" /dev/null errors
  number=$((number + 1))
done
holds 'there are examples' test $number -gt 10
holds 'the region was measured' grep -q '^ *[0-9].* sort' output
holds 'the report was printed to the file' grep -q 'Call sites by share' report.txt
holds 'the annotated source was written' grep -q 'pivot' qsort.c-ann

# Letters with what --help has beside them, and the options of the examples by both names.
"$BUILD_DIR/bin/cilkprof-report" --help |
  awk '/^  *-/ { name = ""; for (i = 1; $i ~ /^-/; i++) { sub(/[[=,].*/, "", $i); name = name " " $i } print name }' >options
grep cilkprof-report all | tr ' ' '\n' | grep '^-' | sed 's/=.*//; s/^\(-[a-zA-Z]\).*/\1/' | sort -u >used
while read -r first second; do
  grep -qxF -e "$first" -e "${second:-$first}" used || echo "$first $second"
done <options >missing
same 'every option is in one' /dev/null missing
finish
