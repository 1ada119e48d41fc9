#!/bin/sh
# fib: closed forms, the identities, and what the three modes have in common.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# fib(20) makes 2 * F(21) - 1 = 21891 calls; every second one is spawned.
for mode in count hybrid clock; do
  compile -O2 -fcilkprof=$mode "$programs/fib.c" -o fib
  profile fib 20
  equal "$mode: spawns" 10945 "$(whole Spawns)"
  equal "$mode: syncs" 10945 "$(whole Syncs)"
  true_that "$mode: local work adds up to the work" \
    "$(total on_work_local_work) == $(field main on_work_top_call_site_work)"
  true_that "$mode: local span on the span adds up to the span" \
    "$(total on_span_local_span) == $(field main on_work_top_call_site_span)"
  cut -d, -f1-7,11,15 sites.csv >$mode.counts
done
same 'count and hybrid agree on every count' count.counts hybrid.counts
same 'count and clock agree on every count' count.counts clock.counts

compile -O2 -fcilkprof=count "$programs/fib.c" -o fib
profile fib 20
# Top-caller invocations: fib(19) and fib(18) from fib(20).  Top-call-site ones of the second call: see the paper's Figure 6.
spawned=$(sed -n '/cilk_spawn fib/=' "$programs/fib.c")
row() {
  awk -F, -v line="$1" -v column="$2" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["line"] == line { print $at[column] }' sites.csv
}
equal 'one top-caller invocation of the spawn' 1 "$(row "$spawned" on_work_top_caller_count)"
equal 'ten top-call-site invocations of the spawn' 10 "$(row "$spawned" on_work_top_call_site_count)"
# Work of fib(n) is a + b * calls: the ratio of fib(19) to fib(18) is near the golden ratio.
true_that 'the top-caller works are in the golden ratio' \
  "$(row "$spawned" on_work_top_caller_work) / $(row $((spawned + 1)) on_work_top_caller_work) - 1.618 < 0.01 &&
   $(row "$spawned" on_work_top_caller_work) / $(row $((spawned + 1)) on_work_top_caller_work) - 1.618 > -0.01"

# The same input gives the same file, byte for byte, but for the record of the run.
"$BUILD_DIR/test/libcilkprof/records" fib.prof >first
sleep 0.1
profile fib 20
"$BUILD_DIR/test/libcilkprof/records" fib.prof >second
same 'two runs in count mode write the same bytes' first second
holds 'they are not empty' test -s first
profile fib 19
"$BUILD_DIR/test/libcilkprof/records" fib.prof >third
holds 'another input writes others' sh -c '! cmp -s first third'
finish
