#!/bin/sh
# Deep recursion on an ordinary stack: profiling takes little more of it.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >deep.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) long down(long n) {
  if (n == 0) return 1;
  long a = cilk_spawn down(n - 1);
  cilk_sync;
  return a + 1;
}
int main(int argc, char *argv[]) { (void)argc; printf("%ld\n", down(atol(argv[1]))); return 0; }
EOC
ulimit -s 8192
for mode in count hybrid; do
  compile -O0 -fcilkprof=$mode deep.c -o deep
  profile deep 100000
  equal "$mode -O0: 100,000 deep on 8 MB" '0 100001 100000' "$status $(cat deep.stdout) $(field 'down>down' on_work_local_count)"
done
for mode in count hybrid clock; do
  compile -O2 -fcilkprof=$mode deep.c -o deep
  profile deep 60000
  equal "$mode -O2: 60,000 deep on 8 MB" '0 60001' "$status $(cat deep.stdout)"
done

# Deeper than there are frames for, because the stack grew after the start: what is too deep is lost, and nothing else.
cat >deeper.c <<'EOC'
#include <cilk/cilk.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
static jmp_buf out;
static volatile int sum;
static int how;
__attribute__((noinline)) void leaf(int n) { for (int i = 0; i < n; i++) sum += i; }
static int ascending(const void *a, const void *b) { leaf(2); return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) void bottom(void) {
  int values[] = {3, 1, 2};
  qsort(values, 3, sizeof *values, ascending);
  if (how == 'j') longjmp(out, 1);
  if (how == 'e') exit(0);
}
__attribute__((noinline)) void down(int n) {
  if (n == 0) { bottom(); return; }
  cilk_spawn down(n - 1);
  leaf(1);
  cilk_for (int i = 0; i < 2; i++) leaf(i);
  cilk_sync;
}
int main(int argc, char *argv[]) {
  struct rlimit limit;
  how = argv[argc - 1][0];
  getrlimit(RLIMIT_STACK, &limit);
  limit.rlim_cur = 8192 * 1024;
  setrlimit(RLIMIT_STACK, &limit);
  if (how != 'n' && !setjmp(out)) down(20000);
  how = 0;
  down(10);
  printf("%d\n", sum);
  return 0;
}
EOC
# second: how often main calls down for the second time, and what that costs.
second() {
  awk -F, '$5 == "main" && $6 == "down" { line = $7 " " $8 } END { print line }' sites.csv
}
ulimit -S -s 512
for form in -fcilkprof-inline -fcilkprof-outline; do
  compile -O2 -fcilkprof=count $form deeper.c -o deeper
  profile deeper none
  second >wanted
  for how in return jump exit; do
    profile deeper $how
    cilkprof-report --format=json deeper deeper.prof >json
    equal "$form $how: 20,000 deep on frames for 16,384: what is there adds up" \
      "0 $(sed -n 's/.*"totals":{"work":\([0-9]*\),"span":\([0-9]*\).*/\1 \2/p' json)" \
      "$status $(total on_work_local_work) $(total on_span_local_span)"
    [ $how = exit ] || equal "$form $how: what comes then is as if there were nothing before" "$(cat wanted)" "$(second)"
    holds "$form $how: the profile says that it is incomplete" grep -q '"incomplete":true' json
  done
done

# The same for blocks: the loop around one that is lost keeps its grains, and so does one after a jump out of those.
cat >blocks.c <<'EOC'
#include <cilk/cilk.h>
#include <setjmp.h>
#include <sys/resource.h>
static jmp_buf out;
static volatile int sum;
static int how;
__attribute__((noinline)) void leaf(int n) { for (int i = 0; i < n; i++) sum += i; }
__attribute__((noinline)) void down(int n) {
#pragma cilk grainsize = 1
  cilk_for (int i = 0; i < (n > 1 ? 1 : 8); i++) {
    if (n > 1) down(n - 1);
    else cilk_for (int j = 0; j < 3; j++) { leaf(j); if (how == 'j' && i == 4 && j == 1) longjmp(out, 1); }
  }
}
int main(int argc, char *argv[]) {
  struct rlimit limit;
  how = argv[argc - 1][0];
  getrlimit(RLIMIT_STACK, &limit);
  limit.rlim_cur = 8192 * 1024;
  setrlimit(RLIMIT_STACK, &limit);
  if (!setjmp(out)) down(1024);
#pragma cilk grainsize = 1
  cilk_for (int i = 0; i < 11; i++) leaf(i);
  return 0;
}
EOC
ulimit -S -s 128
for form in -fcilkprof-inline -fcilkprof-outline; do
  compile -O2 -fcilkprof=count $form blocks.c -o blocks
  profile blocks return
  equal "$form: loops in 1,024 others, which are all: the spawns of the others" '0 17' "$status $(whole Spawns)"
  profile blocks jump
  equal "$form: and a jump out of them" '0 14' "$status $(whole Spawns)"
done
finish
