#!/bin/sh
# Breaks and continues that name a loop (C2y, gcc 15): they may stay inside of a cilk_for, or go on with its next iteration,
# but not leave it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >plain.c <<'EOC'
int main(void) { outer: for (int i = 0; i < 3; i++) for (;;) continue outer; return 0; }
EOC
if ! gcc -std=gnu2y plain.c -o plain 2>/dev/null; then
  echo '1..0 # SKIP this gcc knows no names of loops'
  exit 0
fi

# program STATEMENT: in a serial loop in a cilk_for.
program() {
  cat <<EOC
#include <cilk/cilk.h>
#include <stdio.h>
int a[100];
int main(void) {
  int n = 0;
around:
  for (int k = 0; k < 3; k++) {
loop:
    cilk_for (int i = 0; i < 100; i++) {
inside:
      for (int j = 0; j < 4; j++)
        for (;;) {
          if (i == 5)
            $1;
          a[i] += j;
          break;
        }
    }
    n++;
  }
  printf("%d %d %d\n", n, a[5], a[6]);
  return 0;
}
EOC
}
for form in -fcilkplus=serial -fcilkplus '-fcilkplus -fcilkprof=count'; do
  for statement in 'continue loop' 'break inside' 'continue inside'; do
    program "$statement" >inner.c
    compile -std=gnu2y $form inner.c -o inner
    equal "$statement, $form" '3 0 18' "$(./inner)"
  done
  for statement in 'break loop' 'continue around' 'break around'; do
    program "$statement" >leaves.c
    cc -std=gnu2y $form leaves.c -o leaves >errors 2>&1
    holds "$statement, $form: an error" grep "'${statement% *}' out of a 'cilk_for'" errors
  done
done
finish
