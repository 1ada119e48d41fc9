#!/bin/sh
# A parallel build on one worker: contexts, roots, regions, profiles of the running program and the live file, as in a
# serial build; and with more workers one line says what there is not.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >walk.c <<'END'
#include <cilk/cilk.h>
#include <cilkprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile unsigned sink;
static int leaf(int n) { sink += (unsigned)n; return n; }
static int walk(int n) {
  if (n < 2) return leaf(n);
  int a = cilk_spawn walk(n - 1), b = walk(n - 2);
  cilk_sync;
  cilk_for (int i = 0; i < n; i++) sink += (unsigned)leaf(i);
  return a + b;
}
int main(int argc, char **argv) {
  cilkprof_start("part");
  int sum = walk(9);
  cilkprof_stop("part");
  sum += walk(7);
  if (argc > 1 && !strcmp(argv[1], "waits"))
    for (puts("waits"), fflush(stdout);; walk(5)) usleep(1000);
  printf("%d\n", sum);
  return 0;
}
END
# shown PROGRAM OPTION: a section of the report, without instructions, which closures add to.
shown() {
  cilkprof-report --brief --csv="$2" "$1" "$1.prof" | tr -d '\r'
}
compile -w -O1 -fcilkprof=count walk.c -o serial
compile -w -O1 -fcilkprof=parallel-count walk.c -o alone
unset CILK_NWORKERS CILKPROF_FORCE_STEALS
for program in serial alone; do
  CILK_NWORKERS=1 profile $program
  shown $program regions | cut -d, -f1-3 >regions-$program
  equal "$program: nothing is said" '' "$(cat $program.stderr)"
  CILK_NWORKERS=1 CILKPROF_CONTEXTS=1 profile $program
  cilkprof-report --brief --contexts $program $program.prof | awk '{ $1 = $2 = $3 = $4 = $5 = $6 = ""; print }' | sort >contexts-$program
  CILK_NWORKERS=1 CILKPROF_ROOT=walk profile $program
  sed 's/, /;/g' sites.csv | awk -F, '{ print $1, $5, $6, $15 }' | sort >roots-$program
  cilkprof-report --root=walk --csv $program $program.prof 2>&1 | sed 's/, /;/g' | tr -d '\r' | awk -F, '{ print $1, $5, $6, $15 }' | sort >>roots-$program
done
holds 'there are contexts' test "$(wc -l <contexts-serial)" -gt 10
same 'contexts' contexts-serial contexts-alone
holds 'there are regions' grep -q part regions-serial
same 'regions' regions-serial regions-alone
holds 'there are roots' test "$(grep -c walk roots-serial)" -gt 8
same 'roots' roots-serial roots-alone

# While it runs.
rm -f running.prof* wait
CILKPROF_OUT=running.prof CILK_NWORKERS=1 CILKPROF_INTERVAL=1 $RUN ./alone waits >wait 2>said </dev/null &
program=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  if [ -s running.prof ]; then break; fi
  sleep 0.5
done
holds 'a profile at an interval' test -s running.prof
holds 'its live file' sh -c 'ls running.prof*.live >files'
kill -9 $program
wait $program 2>/dev/null
cilkprof-report --brief --csv alone "$(ls running.prof*.live | head -1)" >sites-live 2>said
holds 'what kill -9 leaves has the calls' grep -q walk sites-live

for asked in CILKPROF_CONTEXTS=1 CILKPROF_ROOT=walk CILKPROF_INTERVAL=1; do
  env $asked CILK_NWORKERS=2 CILKPROF_OUT=none $RUN ./alone >refusal 2>&1
  holds "refused with two workers: $asked" grep -q "${asked%=*}: not for parallel runs; ignored; CILK_NWORKERS=1 has it" refusal
done
finish
