#!/bin/sh
# The examples of cilkprof.h(3) run and print what is shown.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# listing NAME: what stands between .\" begin NAME and .\" end, as a reader sees it.
listing() {
  awk -v begin=".\\\\\" begin $1" '$0 == begin { on = 1; next } /^\.\\" end/ { on = 0 } on' "$TOP/man/cilkprof.h.3" |
    sed 's/\\-/-/g; s/\\(aq/'\''/g; s/\\(ha/^/g; s/\\&//g; s/\\e/\\/g'
}
# without_costs: figures that differ between processors are left out: all but the last one of a line.
without_costs() {
  sed -E 's/^fib,.*/fib/; s/^ .* ([0-9,]+  [a-z]+)$/\1/; s/^\$ .*//' | grep .
}
# example NUMBER: the lines with a prompt are run, and print the others.
example() {
  listing "example $1" >shown
  sed -n 's/^\$ //p' shown >commands
  holds "example $1: it has commands" test -s commands
  sh -e ./commands >printed 2>errors </dev/null || echo "status $?" >>errors
  same "example $1: the commands run" /dev/null errors
  without_costs <shown >wanted
  without_costs <printed >got
  same "example $1: they print what is shown" wanted got
}

listing phases.c >phases.c
example 1
gcc -w -O2 -I"$TOP/test/bench/baseline" -I"$TOP/libcilkprof/include" phases.c -o plain
equal 'example 1: without the profiler' 1.000 "$(./plain)"
listing scale.c >scale.c
example 2
listing tool.c >tool.c
listing tree.c >tree.c
example 3
listing pool.c >pool.c
listing forks | sed -n 's/^\$ //p' >commands
holds 'forks by hand: the commands run' sh -e ./commands
found=$(cilkprof report --summary | sed -n 's/^ *Parallelism: *//p')
holds "forks by hand: the parallelism, $found, is about what is said" awk "BEGIN { exit !($found > 6 && $found < 10) }"
finish
