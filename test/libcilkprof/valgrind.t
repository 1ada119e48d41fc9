#!/bin/sh
# Misses that valgrind simulates in sections, with the commands that the report prints: as many as there must be.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
PKG_CONFIG_PATH=$BUILD_DIR/lib/pkgconfig
HOME=$PWD XDG_CACHE_HOME=
export PKG_CONFIG_PATH HOME XDG_CACHE_HOME
if ! command -v valgrind >/dev/null; then
  echo '1..0 # SKIP there is no valgrind'
  exit 0
fi

# 2^18 numbers of eight bytes in three arrays, which a cache of 512 KB does not hold: 3 * 2^18 / 8 lines each time.
cat >triad.c <<'END'
#include <stdio.h>
#include <cilkprof-annotate.h>
enum { N = 1 << 18, PARTS = 8 };
static double a[N], b[N], c[N];
int main(void) {
  double sum = 0;
  for (int i = 0; i < N; i++) {
    b[i] = i;
    c[i] = 1;
  }
  for (int k = 0; k < 2; k++) {
    PAR_SEC_BEGIN("triad");
    for (int part = 0; part < PARTS; part++) {
      PAR_TASK_BEGIN("part");
      for (int i = part * (N / PARTS); i < (part + 1) * (N / PARTS); i++)
        a[i] = b[i] + 3 * c[i];
      PAR_TASK_END();
    }
    PAR_SEC_END(0);
    PAR_SEC_BEGIN("sums");
    for (int part = 0; part < PARTS; part++) {
      PAR_TASK_BEGIN("part");
      for (int i = 1; i <= 20000; i++)
        sum += 1.0 / i;
      PAR_TASK_END();
    }
    PAR_SEC_END(0);
  }
  printf("%.1f %.1f\n", a[5], sum);
  return 0;
}
END
# shellcheck disable=SC2046
${CC:-gcc} -O2 triad.c $(pkg-config --cflags --libs cilkprof-annotate) -o triad >said 2>&1 || give_up 'the program is compiled' said
CILKPROF_OUT=triad.out ./triad >plain
cilkprof-report --emulate=static --processors=2 triad triad.out >report

# The command of the report, with a smaller cache.
sed -n '/valgrind --tool/s/--LL=[0-9,]*/--LL=524288,8,64/p' report >command
holds 'the report has the command' grep -q '^CILKPROF_OUT=/dev/null valgrind' command
sh command >printed 2>said || give_up 'the command works' said
same 'the program does what it does' plain printed
# misses FILE SECTION
misses() {
  cilkprof-report --format=json --cachegrind="$1" triad triad.out | tr '{' '\n' |
    sed -n "s/^\"section\":\"$2\",\"instructions\":[0-9.e+]*,\"misses\":\([0-9.e+]*\),.*/\1/p"
}
misses callgrind.out triad >triad.misses
misses callgrind.out sums >sums.misses
holds "callgrind: the section misses what it reads and writes, $(cat triad.misses) of 196608" \
  awk '{ exit !($1 > 195000 && $1 < 199000) }' triad.misses
holds "and the other one nothing, $(cat sums.misses)" awk '{ exit !($1 < 500) }' sums.misses
cilkprof-report -b --emulate=static --processors=4 --overheads=phi=40000:-1:0,psi4=linear:0:1 --cachegrind=callgrind.out triad triad.out >report
holds 'the report shows that one of them takes longer' sh -c 'grep -q "^  Memory: shared by 4 processors, it slows .*triad.* down" report'
holds 'and the other one does not' grep -q '^ .* 1\.00  sums$' report

# The whole program: also what it does before, two arrays once.
CILKPROF_OUT=/dev/null valgrind --tool=cachegrind --cache-sim=yes --LL=524288,8,64 --cachegrind-out-file=cachegrind.out ./triad >printed 2>said ||
  give_up 'cachegrind works' said
cilkprof-report -b --emulate=static --processors=2 --overheads=phi=40000:-1:0,psi2=linear:0:1 --cachegrind=cachegrind.out triad triad.out >report
holds 'the program is shared out by time' grep -q 'simulated by cachegrind for the program, distributed by time' report
awk '$1 == "events:" { for (i = 2; i <= NF; i++) at[i] = $i }
  $1 == "summary:" { for (i in at) if (at[i] ~ /^(ILmr|DLmr|DLmw)$/) sum += $i; print sum }' cachegrind.out >all.misses
holds "cachegrind: the program misses what it reads and writes, $(cat all.misses) of 262144" \
  awk '{ exit !($1 > 258000 && $1 < 272000) }' all.misses
finish
