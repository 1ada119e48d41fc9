#!/bin/sh
# The flame graph as SVG, and the plot as text.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build tree
# frames METRIC FILE: the functions of the flame graph with their values, and those of the collapsed stacks summed over all
# stacks that have the function on the same path.
frames() {
  sed -n 's/^<g><title>\(.*\): \([0-9]*\) [a-z]*, .*/\1 \2/p' "$1" | sort
}
for metric in work span calls; do
  "$report" --format=flamegraph --metric=$metric tree tree.out >$metric.svg 2>errors
  same "$metric: nothing is said" /dev/null errors
  "$report" --format=collapsed --metric=$metric tree tree.out >stacks
  awk '{
    value = $NF; sub(/ [0-9]*$/, ""); n = split($0, path, ";"); key = ""
    total += value
    for (i = 1; i <= n; i++) { key = key ";" path[i]; sum[key] += value; name[key] = path[i] }
  } END { print "all", total; for (key in sum) print name[key], sum[key] }' stacks | sort >wanted
  frames $metric.svg >got
  holds "$metric: there are frames" test "$(grep -c . got)" -gt 2
  # Frames of less than a third of a pixel are left out.
  awk 'NR == FNR { there[$0]++; next } $0 in there && there[$0]-- > 0 { next } { print }' wanted got >more
  same "$metric: every frame is the sum of the stacks above it" /dev/null more
  total=$(awk '$1 == "all" { print $2 }' wanted)
  awk -v least="$total" '$NF * 1180 / least >= 0.4' wanted | awk 'NR == FNR { there[$0]++; next } $0 in there && there[$0]-- > 0 { next } { print }' got - >less
  same "$metric: no wide frame is missing" /dev/null less
done
if command -v perl >/dev/null; then
  # Frames lie on their callers: inside of one of the row below.
  perl -ne 'push @frames, [$1, $2, $3] if /<rect x="([\d.]+)" y="(\d+)" width="([\d.]+)" height="17"/;
    END { for my $f (@frames) { next if $f->[1] == 40 + 18 * ((sort { $b <=> $a } map { ($_->[1] - 40) / 18 } @frames)[0]);
      print "@$f\n" unless grep { $_->[1] == $f->[1] + 18 && $_->[0] <= $f->[0] + 0.2 && $_->[0] + $_->[2] >= $f->[0] + $f->[2] - 0.2 } @frames } }' work.svg >said
  same 'every frame lies on its caller' /dev/null said
fi
sampled waste
"$report" --format=flamegraph --metric=idleness waste waste.out >idle.svg
holds 'idleness of samples' grep -q '<title>serial: [0-9]* nanoseconds' idle.svg

# The plot.
build quicksort
"$report" --plot=text quicksort quicksort.out >got 2>errors
same 'text plot: nothing is said' /dev/null errors
holds 'text plot: 80 columns' sh -c '! grep -q ".\{81\}" got'
holds 'text plot: the upper bound is its top' grep -q '^    5.54 |  *-*$' got
holds 'text plot: one processor is at the bottom' grep -q '^    1.00 |-' got
holds 'text plot: nothing was measured' sh -c '! grep -q "measured" got'
printf '1 0.8\n2 0.5\n4 0.3\n' >trials
"$report" --plot=text --trials=trials quicksort quicksort.out >got
equal=$(sed -n 's/^ *[0-9.]* |//p' got | tr -cd '*' | wc -c)
holds 'text plot: a star for each number of processors' test "$equal" = 3
refuses 'an unknown kind of plot' 'a plot is text, or a file whose name ends in' --plot=words quicksort quicksort.out
finish
