# What the tests of OpenMP's constructs share.
# SPDX-License-Identifier: MIT

. "$TOP/test/libcilkprof/lib.sh"

# Every program has a function whose work is 1000 iterations of a loop for a unit.
cat >unit.h <<'EOC'
#include <stdio.h>
#include <stdlib.h>
static volatile unsigned sink;
__attribute__((noinline)) static void work(int units) {
  for (int i = 0; i < 1000 * units; i++) sink = sink + 1;
}
EOC

# openmp NAME [OPTION...]: compiles NAME.c, runs it and looks at its profile.
openmp() {
  name=$1
  shift
  compile -O2 -fopenmp -fcilkprof=count -include unit.h "$@" "$name.c" -o "$name"
  profile "$name"
}

# spans NAME UNITS: the span is so many units of work, and a little more.
unit_cost=6000
spans() {
  true_that "$1: $2 units" "$(whole Span) >= $2 * $unit_cost && $(whole Span) < ($2 + 0.5) * $unit_cost"
}

# says_and_goes_on NAME: runs NAME until it has said something, for a minute at most, and a little longer, and ends it.
# What is long to the engine is CPU time, which takes a while where other programs have the processors.
says_and_goes_on() {
  $RUN "./$1" 2>"$1.said" &
  process=$! goes_on=no
  for tenth in $(seq 600); do
    [ -s "$1.said" ] && break
    sleep 0.1
  done
  sleep 1
  kill -0 $process 2>kill.said && goes_on=yes
  kill -9 $process 2>>kill.said
  wait $process 2>>kill.said
}
