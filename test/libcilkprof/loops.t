#!/bin/sh
# cilk_for: closed forms of its span.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# Every iteration calls a function of equal cost; GRAIN and N are given.
cat >calls.c <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline)) void f(int i) { volatile int x = i; x = x + 1; x = x + 1; x = x + 1; }
int main(void) {
#ifdef GRAIN
#pragma cilk grainsize = GRAIN
#endif
  cilk_for (int i = 0; i < N; i++) f(i);
  return 0;
}
EOC
one_call() {
  echo $(($(field f on_work_top_call_site_work) / $(field f on_work_top_call_site_count)))
}
# loop NAME GRAIN N, then: on the span are MIN (GRAIN, N) calls of f.
for sizes in '1 1' '1 2' '1 64' '4 64' '5 64' '7 100' '64 64' '100 64' '3 1000'; do
  set -- $sizes
  compile -O2 -fcilkprof=count -DGRAIN="$1" -DN="$2" calls.c -o calls
  profile calls
  grain=$1 trips=$2
  [ "$grain" -le "$trips" ] || grain=$trips
  grains=$(((trips + grain - 1) / grain)) depth=0
  while [ $((1 << depth)) -lt $grains ]; do depth=$((depth + 1)); done
  equal "grain $1 of $2: calls on work and on the span" "$trips $grain" \
    "$(field f on_work_local_count) $(field f on_span_local_count)"
  equal "grain $1 of $2: span of what is called" $((grain * $(one_call))) "$(field f on_span_top_call_site_span)"
  equal "grain $1 of $2: spawns" $((grains - 1)) "$(whole Spawns)"
  loop=$(sed -n 2p sites.csv >/dev/null; awk -F, '$4 == "loop" { print $10 - $9 }' sites.csv)
  equal "grain $1 of $2: a burden for every level of the tree" $((depth * 15000)) "$loop"
  equal "grain $1 of $2: one loop" 1 "$(awk -F, '$4 == "loop" { print $15 }' sites.csv)"
done
compile -O2 -fcilkprof=count -DN=0 calls.c -o calls
profile calls
equal 'an empty loop' '1.00 0' "$(whole Parallelism) $(whole Spawns)"

# Without a pragma: min (2048, N / (8 workers)).
compile -O2 -fcilkprof=count -DN=4096 calls.c -o calls
profile calls
equal 'the default grain for 128 workers' 4 "$(field f on_span_local_count)"
CILKPROF_LOOP_WORKERS=2
export CILKPROF_LOOP_WORKERS
profile calls
equal 'and for 2' 256 "$(field f on_span_local_count)"
unset CILKPROF_LOOP_WORKERS

# The longest grain counts, wherever it is.
cat >uneven.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
__attribute__((noinline)) void f(int n) { volatile int x = 0; for (int i = 0; i < n; i++) x = x + 1; }
int main(int argc, char *argv[]) {
  int longest = atoi(argv[argc - 1]);
#pragma cilk grainsize = 2
  cilk_for (int i = 0; i < 20; i++) {
    cilk_spawn f(10);
    if (i == longest) f(1000); else f(20);
  }
  return 0;
}
EOC
compile -O2 -fcilkprof=count uneven.c -o uneven
profile uneven 0
first=$(whole Span)
for where in 1 7 18 19; do
  profile uneven $where
  equal "the longest iteration is number $where: the same span" "$first" "$(whole Span)"
  equal "the longest iteration is number $where: spawns and syncs" '29 29' "$(whole Spawns) $(whole Syncs)"
done

# Forms of the loop: how often the body runs, and that the number is known in advance (two grains of the default size).
cat >forms.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
__attribute__((noinline)) void f(long i) { volatile long x = i; x = x + 1; }
int main(void) {
  static char chars[100];
  unsigned char small = 200;
  long n = 100;
  int done = 0;
  cilk_for (int i = 0; i <= 99; ++i) f(i);
  cilk_for (long i = n; i > 0; i--) f(i);
  cilk_for (unsigned i = 0; i != 100; i += 1) f(i);
  cilk_for (int i = 0; i < 300; i += 3) f(i);
  cilk_for (long i = 299; i >= 0; i -= 3) { if (i % 2) continue; f(i); }
  cilk_for (char *p = chars; p < chars + 100; p++) f(*p);
  cilk_for (unsigned char c = small; c > 100; --c) f(c);
  cilk_for (int i = 0; n > i; i++) { cilk_for (int j = 0; j < 2; j++) f(j); }
  _Cilk_for (int i = 5; i < 5; i++) f(i);
  cilk_for (int i = 0; i < 10; i++) done += 1;
  printf("%d\n", done);
  return 0;
}
EOC
for level in -O0 -O2 -O3; do
  compile $level -fcilkprof=count forms.c -o forms
  profile forms
  equal "$level: every form of loop" '100 100 100 100 50 100 100 200' \
    "$(awk -F, '$6 == "f" && $5 == "main" { print $15 }' sites.csv | tr '\n' ' ' | sed 's/ $//')"
  equal "$level: a loop without calls" 10 "$(cat forms.stdout)"
done

# A loop that vectorises still does.
cp "$programs/saxpy.c" .
compile -O3 -fcilkprof -fopt-info-vec-optimized saxpy.c -o saxpy
holds 'the body of a cilk_for is vectorised' grep -q "saxpy.c:$(sed -n '/cilk_for/=' saxpy.c | head -n 1).*vectorized" compiler-said
finish
