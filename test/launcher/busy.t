#!/bin/sh
# Times that are measured while other programs have the processors: trials are marked, and --calibrate keeps nothing.
# SPDX-License-Identifier: MIT
. "$TOP/test/launcher/lib.sh"

cat >burn.c <<'EOC'
#include <time.h>
int main(int argc, char **argv) {
  struct timespec used;
  (void)argv;
  do
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  while (argc > 1 || used.tv_sec < 1);
  return 0;
}
EOC
${CC:-cc} -O1 burn.c -o burn || give_up 'burn.c'
others=
trap 'kill $others 2>/dev/null' EXIT
for processor in $(seq "$(nproc)"); do
  for each in 1 2; do
    ./burn forever &
    others="$others $!"
  done
done

cilkprof-run --trials=1 --runs=2 ./burn >out 2>errors
holds 'runs that others disturb are marked in the file' test "$(grep -c '^1 .* busy$' cilkprof.trials)" = 2
holds 'and in the table' grep -q '^ *1 .* busy$' out
holds 'and that is said' grep -q '^Busy machine: other programs were running during all 2 runs' out
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
if ${CC:-cc} -fopenmp burn.c -o openmp 2>errors; then
  cilkprof-report --calibrate >out 2>errors
  holds 'costs that others disturb are said to be so' grep -q '^cilkprof-report: --calibrate: busy machine: other programs used [0-9]*% of the processors; nothing was saved' errors
  holds 'they are printed' grep -q '^fork *[0-9.]* ns' out
  holds 'and not kept' test ! -e cache/cilkprof/overheads
  cilkprof-report --calibrate --force >out 2>errors
  holds 'but with --force' test -s cache/cilkprof/overheads
fi
kill $others
finish
