#!/bin/sh
# Programs with transactions (-fgnu-tm): they compile and do what they did, and what is called inside is in the profile.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >transactions.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
static int total;
static volatile int sum;
__attribute__((noinline)) static int twice(int n) { return 2 * n; }
__attribute__((noinline, transaction_safe)) int add(int n) { total += twice(n); return total; }
__attribute__((noinline, transaction_callable)) int more(int n) { for (int i = 0; i < n; i++) total += i; return total; }
__attribute__((noinline)) int leaf(int n) { for (int i = 0; i < n; i++) sum += i; return n; }
int main(void) {
  cilk_for (int i = 0; i < 10; i++) {
    leaf(i);
    __transaction_atomic { add(i); }
  }
  int a = cilk_spawn leaf(30);
  __transaction_relaxed { more(5); leaf(2); }
  cilk_sync;
  add(100);
  printf("%d %d\n", a, total);
  return 0;
}
EOC
mkdir -p plain/cilk
printf '#define cilk_spawn\n#define cilk_sync ((void)0)\n#define cilk_for for\n' >plain/cilk/cilk.h
if ! gcc -fgnu-tm -Iplain transactions.c -o plain/transactions >said 2>&1; then
  echo '1..0 # SKIP no library for transactions'
  exit 0
fi
$RUN plain/transactions >wanted.stdout
cat >wanted <<'EOT'
(outside)>main 1
main>add 11
main>cilk_for transactions.c:10 1
main>leaf 12
main>more 1
EOT
for mode in count hybrid clock whatif; do
  for level in -O0 -O2; do
    in_turn 2 || continue
    compile $level -fgnu-tm -fcilkprof=$mode transactions.c -o transactions
    equal "$mode $level: nothing is said" 0 "$(wc -l <compiler-said)"
    CILKPROF_WHATIF=leaf profile transactions
    same "$mode $level: it computes what it did" wanted.stdout transactions.stdout
    awk -F, 'NR > 1 && $6 != "twice" { count[($5 ~ /^</ ? "(outside)" : $5) ">" $6] += $15 }
      END { for (call in count) print call, count[call] }' sites.csv | sort >got
    same "$mode $level: what was called" wanted got
  done
done
finish
