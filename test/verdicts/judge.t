#!/bin/sh
# The judge of the planted faults: what it calls right, generic and wrong.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

cat >fault.c <<'EOC'
#include <stdio.h>

/* guilty: fill { */
static void fill(int *to) {
  for (int i = 0; i < 100; i++)
    to[i] = i;
}
/* guilty: fill } */

static void use(const int *from) {
  for (int i = 0; i < 100; i++)
    printf("%d\n", from[i]);
}

static void prepare(int *to) {
  for (int round = 0; round < 3; round++) {
    puts("again");
    fill(to); /* guilty: fill */
  }
}

int main(void) {
  int all[100];
  prepare(all);
  use(all);
  return 0;
}
EOC

# graded NAME GRADE CAUSES BOUNDS FINDING...: the grade of a verdict for 2 processors with these findings, each "TONE|CODE|TEXT".
graded() {
  name=$1 wanted=$2 causes=$3 bounds=$4
  shift 4
  printf '%s\n' "$@" | awk -F '|' '
    BEGIN { printf "{\"verdict\":{\"processors\":2,\"findings\":[" }
    { printf "%s{\"tone\":\"%s\",\"code\":\"%s\",\"subject\":\"%s\",\"text\":\"%s\"}", (NR > 1 ? "," : ""), $1, $2, $2, $3 }
    END { print "]}}" }' >verdict.json
  label=fill
  [ "$causes" != none ] || label=-
  perl "$TOP/test/verdicts/judge" "$causes" $label fill "$bounds" verdict.json fault.c >said 2>&1
  printf '%s\n' "$wanted" >expected
  cut -f 1 said >grade
  same "$name" expected grade
}
little='bad|too-little-parallelism|1.50 for 2 processors.'
graded 'a guilty line' right serial '' "$little" "bad|serial-part|the loop at fault.c:5 takes 61% of the span."
graded 'the call of guilty code' right serial '' "bad|serial-bottleneck|what is called at fault.c:18 holds it."
graded 'the name of the function' right serial '' "bad|serial-bottleneck|'fill' takes 96.0% of the span when 'main' calls it."
graded 'one of two causes' right grain,serial '' "bad|serial-bottleneck|'fill' takes 96.0% of the span."
graded 'main' generic serial '' "bad|serial-part|the code of 'main' itself takes 99.0% of the span (fault.c:22)."
graded 'a caller' generic serial '' "bad|serial-part|the code of 'prepare' itself takes 99.0% of the span."
graded 'a loop around' generic serial '' "bad|serial-part|the loop at fault.c:16 takes 61% of the span."
graded 'a loop around, by its name' generic serial '' "bad|serial-bottleneck|'loop fault.c:16' takes 96.0% of the span."
graded 'another loop, by its name' wrong serial '' "bad|serial-bottleneck|'loop fault.c:11' takes 96.0% of the span."
graded 'no place' generic lock '' "bad|lock|'omp critical' has 97.4% of the work."
graded 'another loop' wrong serial '' "bad|serial-part|the loop at fault.c:11 takes 61% of the span."
graded 'another function' wrong serial '' "bad|serial-part|the code of 'use' itself takes 99.0% of the span."
graded 'another cause' wrong imbalance '' "bad|serial-bottleneck|'fill' takes 96.0% of the span."
graded 'nothing' wrong serial '' 'good|ample-parallelism|80.0 is 10 times the 8 processors.'
graded 'the first limit counts' wrong serial '' "bad|serial-part|the code of 'use' itself takes 50.0%." "bad|serial-part|the loop at fault.c:5 holds 49%."
graded 'what is good, or not a limit yet, is not one' right serial '' "good|loop|that at fault.c:11." \
  "notice|longest-serial-part|'use' takes 30.0% of the span.  That is not a limit yet." "bad|serial-part|the loop at fault.c:5 holds 61%."
graded 'what may not be a limit, on a busy machine, is not one either' right serial '' \
  "notice|loop|that at fault.c:11.  Other programs may have made it longer, so it may not be a limit: measure again." \
  "bad|serial-part|the loop at fault.c:5 holds 61%."
graded 'a promise within the bound' right serial '2:1.4' 'notice|speedup|between 1.10 and 1.40 on 2 processors.' \
  "bad|serial-part|the loop at fault.c:5 holds 61%."
graded 'a promise above the bound' wrong serial '2:1.4' 'notice|speedup|between 1.10 and 1.41 on 2 processors.' \
  "bad|serial-part|the loop at fault.c:5 holds 61%."
graded 'nothing is parallel, and where' right no-parallelism '' 'bad|no-parallelism|it is 1.00.' "bad|serial-bottleneck|'fill' takes 99.0%."
graded 'nothing is parallel, somewhere' generic no-parallelism '' 'bad|no-parallelism|it is 1.00.' "bad|serial-bottleneck|'main' takes 99.0%."
graded 'no fault' right none '' 'good|ample-parallelism|80.0 is 10 times the 8 processors.'
graded 'an invented fault' wrong none '' "bad|serial-part|the code of 'main' itself takes 99.0% of the span."
finish
