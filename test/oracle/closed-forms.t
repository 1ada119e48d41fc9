#!/bin/sh
# Computations whose work and span are known in closed form: the engine and the oracle both find them.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

made=$BUILD_DIR/test/oracle
export CILKPROF_BURDEN=1000

# build NAME LEVEL: from NAME.c, for the engine and for the oracle.
build() {
  compile "$2" -fcilkprof=count "$1.c" -o "$1"
  compile "$2" -fcilkprof=count -fcilkprof-callbacks "$1.c" "$made/tracer.o" -o traced
}

# measured FUNCTION NAME SIZE...: for every size, what the call of FUNCTION in main was: size, work, span, burdened span,
# and invocations on the span: called, spawned.
measured() {
  function=$1 name=$2
  shift 2
  for size; do
    profile "$name" "$size"
    CILKPROF_TRACE=trace $RUN ./traced "$size" >/dev/null
    "$made/oracle" traced trace "$name.prof" >>disagree || echo "size $size" >>disagree
    awk -F, -v f="$function" -v size="$size" '
      NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
      $at["caller"] == "main" && $at["callee"] == f {
        work = $at["on_work_top_call_site_work"]; span = $at["on_work_top_call_site_span"]
        burdened = $at["on_work_top_call_site_burdened_span"] }
      $at["caller"] == f && $at["callee"] == f { on_span[$at["kind"]] += $at["on_span_local_count"] }
      END { print size, work, span, burdened, on_span["call"] + 0, on_span["spawn"] + 0 }' sites.csv
  done
}

# agree NAME
agree() {
  if [ -s disagree ]; then fail "$1" disagree; else pass "$1"; fi
  : >disagree
}

# follows NAME PROGRAM: an awk program over the lines of `measured' that prints what is wrong.
follows() {
  awk "$2" lines >wrong
  if [ -s wrong ]; then fail "$1" wrong; else pass "$1"; fi
}

cat >fib.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
static int fib(int n) {
  if (n < 2) return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}
int main(int argc, char *argv[]) { return fib(atoi(argv[argc - 1])) < 0; }
EOC
cat >tree.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
static void tree(int n) {
  if (n < 1) return;
  cilk_spawn tree(n - 1);
  tree(n - 1);
  cilk_sync;
}
int main(int argc, char *argv[]) { tree(atoi(argv[argc - 1])); return 0; }
EOC
cat >many.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
__attribute__((noinline)) static void leaf(int n) { volatile int x = n; x = x + 1; }
__attribute__((noinline)) static void many(int n) { for (int i = 0; i < n; i++) cilk_spawn leaf(i); }
int main(int argc, char *argv[]) { many(atoi(argv[argc - 1])); return 0; }
EOC
for level in -O0 -O1; do
  # Beyond the first steps the spawned branch is the longer one, and a step of the spans is the same every time.
  build fib $level
  measured fib fib $(seq 0 16) >lines
  agree "fib $level: the engine and the oracle agree"
  follows "fib $level: work is that of both branches and a constant" '
    { work[$1] = $2 } END { for (n = 4; n <= 16; n++)
      if (work[n] - work[n - 1] - work[n - 2] != work[3] - work[2] - work[1]) print n, work[n] }'
  follows "fib $level: span grows by a constant" '
    { span[$1] = $3 } END { for (n = 5; n <= 16; n++) if (span[n] - span[n - 1] != span[4] - span[3]) print n, span[n] }'
  follows "fib $level: the span is spawned but for the last step" '
    $1 > 3 && ($5 != 1 || $6 != $1 - 2) { print }'

  # Equal branches: the called one comes later, so all of the span is called; in the burdened dag with a burden each.
  build tree $level
  measured tree tree $(seq 0 12) >lines
  agree "tree $level: the engine and the oracle agree"
  follows "tree $level: work doubles, but for a constant" '
    { work[$1] = $2 } END { for (n = 2; n <= 12; n++)
      if (work[n] - 2 * work[n - 1] != work[1] - 2 * work[0]) print n, work[n] }'
  follows "tree $level: span grows by that constant" '
    { work[$1] = $2; span[$1] = $3 } END { for (n = 1; n <= 12; n++)
      if (span[n] - span[n - 1] != work[1] - 2 * work[0]) print n, span[n] }'
  follows "tree $level: a burden for every level" '$4 != $3 + 1000 * $1 { print }'
  follows "tree $level: the span is called, never spawned" '$5 != $1 || $6 != 0 { print }'

  # Many children before one sync: the last begins last.  In the burdened dag what comes after the last is the longest.
  build many $level
  measured many many 1 2 3 10 100 1000 >lines
  agree "many $level: the engine and the oracle agree"
  follows "many $level: work and span grow by constants" '
    { n[NR] = $1; work[NR] = $2; span[NR] = $3 } END { for (i = 3; i <= NR; i++)
      if (work[i] - work[1] != (n[i] - 1) * (work[2] - work[1]) || span[i] - span[1] != (n[i] - 1) * (span[2] - span[1]))
        print n[i], work[i], span[i] }'
  follows "many $level: a burden for every child" '
    { n[NR] = $1; span[NR] = $3; burdened[NR] = $4 } END { for (i = 1; i <= NR; i++)
      if (burdened[i] - burdened[1] != (n[i] - 1) * (1000 + span[2] - span[1]) || burdened[1] < 1000)
        print n[i], burdened[i] }'
done

# Loops whose iterations nothing tells apart: span = ceil (work * grain / n) + depth * (node [+ burden]).
cat >even.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
static float a[1 << 16];
int main(int argc, char *argv[]) {
  int n = atoi(argv[argc - 1]);
#ifdef GRAIN
#pragma cilk grainsize = GRAIN
#endif
  cilk_for (int i = 0; i < n; i++) a[i] = a[i] * 2 + 1;
  return 0;
}
EOC
for grain in 0 1 7 100; do
  compile -O1 -fcilkprof=count $([ $grain = 0 ] || echo -DGRAIN=$grain) even.c -o even
  for n in 1 5 64 1000 30000; do
    profile even $n
    used=$grain
    [ $used -gt 0 ] || used=$(((n + 1023) / 1024))
    [ $used -le $n ] || used=$n
    grains=$(((n + used - 1) / used)) depth=0
    while [ $((1 << depth)) -lt $grains ]; do depth=$((depth + 1)); done
    set -- $(awk -F, '$4 == "loop" { print $16, $17, $18 }' sites.csv)
    work=$(($1 - 10 * (grains - 1)))
    longest=$(((work * used + n - 1) / n))
    equal "even loop of $n in grains of $grain" "$((longest + 10 * depth)) $((longest + 1010 * depth)) $((grains - 1))" \
      "$2 $3 $(whole Spawns)"
  done
done
finish
