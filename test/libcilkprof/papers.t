#!/bin/sh
# What the papers show of their programs.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# Cilkprof, Figure 2: the call of partition holds the span of quicksort.
compile -O2 -fcilkprof=count "$programs/qsort.c" -o qsort
profile qsort
true_that 'quicksort: the call of partition has over 90% of the span of the call of pqsort' \
  "$(field partition on_span_local_span) > 0.9 * $(field 'main>pqsort' on_work_top_call_site_span)"
equal 'quicksort: partition is serial' "$(field partition on_span_top_call_site_work)" \
  "$(field partition on_span_top_call_site_span)"
true_that 'quicksort: the parallelism of the call of pqsort is between 4 and 16' \
  "$(field 'main>pqsort' on_work_top_call_site_work) / $(field 'main>pqsort' on_work_top_call_site_span) > 4 &&
   $(field 'main>pqsort' on_work_top_call_site_work) / $(field 'main>pqsort' on_work_top_call_site_span) < 16"
sites_of_main() {
  awk -F, -v column="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["callee"] == "main" || $at["kind"] == "serial" && $at["caller"] == "main" { sum += $at[column] }
    END { print sum }' sites.csv
}
true_that 'quicksort: making the array is serial and the own work of main' \
  "$(sites_of_main on_span_local_span) > 0 && $(sites_of_main on_span_local_span) == $(sites_of_main on_work_local_work)"
equal 'quicksort: the sites in pqsort and its call add up to the span of that call' \
  "$(field 'main>pqsort' on_work_top_call_site_span)" \
  "$(($(total on_span_local_span) - $(sites_of_main on_span_local_span)))"

# Cilkview, Figure 4: two snippets of equal parallelism; the second pays a burden for every iteration.
for snippet in a b; do
  compile -O2 -fcilkprof=count "$programs/snippet_$snippet.c" -o snippet_$snippet
  profile snippet_$snippet 100000
  eval "span_$snippet=$(whole Span) parallelism_$snippet=$(whole Parallelism) burdened_$snippet=$(whole 'Burdened parallelism')"
done
true_that 'both snippets have nearly the same span' "$span_a / $span_b > 0.9 && $span_a / $span_b < 1.1"
true_that 'both have a parallelism of about 2' \
  "$parallelism_a > 1.8 && $parallelism_a < 2.2 && $parallelism_b > 1.8 && $parallelism_b < 2.2"
true_that 'the first keeps it when burdened' "$burdened_a > 1.8"
true_that 'the second falls far below 1' "$burdened_b < 0.1"

# Cilkprof, Figure 10: matrix multiplication.
compile -O2 -fcilkprof=count "$programs/mm.c" -o mm
profile mm 256
equal 'mm: base is never reached from the topmost mm' '0 0 0' \
  "$(field base on_work_top_caller_count) $(field base on_work_top_caller_work) $(field base on_work_top_caller_span)"
true_that 'mm: nearly all local work is in base' \
  "$(field base on_work_local_work) > 0.9 * $(field 'main>mm' on_work_top_call_site_work)"
equal 'mm: base is serial' "$(field base on_work_top_call_site_work)" "$(field base on_work_top_call_site_span)"
equal 'mm: its eight recursive calls, six of them spawned' '6 2' \
  "$(grep -c 'spawn,mm,mm,' sites.csv) $(grep -c 'call,mm,mm,' sites.csv)"
finish
