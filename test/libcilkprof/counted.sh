# What tests of counted code share.  A test includes it after lib.sh.
# SPDX-License-Identifier: MIT

# counts: how often each call was made.  Functions that one place calls by a pointer are taken together.
counts() {
  sed 's/, /;/g' sites.csv | awk -F, 'NR > 1 && $4 != "entry" && $4 != "serial" {
    calls[$1 " " $2 " " $3 " " $4 " " $5] += $15 } END { for (site in calls) print site, calls[site] }' | sort
}

# fewer NAME PROGRAM ARGUMENT...: it runs less than half of the instructions that it runs where all is followed.
fewer() {
  name=$1
  shift
  command -v valgrind >/dev/null && [ -z "$RUN" ] || return 0
  for follow in 0 1; do
    CILKPROF_FOLLOW=$follow CILKPROF_OUT=none valgrind --tool=callgrind --callgrind-out-file=/dev/null "./$@" 2>&1 |
      sed -n 's/,//g; s/.*Collected : //p' >instructions.$follow
  done
  true_that "$name: less than half of the instructions" "2 * $(cat instructions.0) < $(cat instructions.1)"
}
