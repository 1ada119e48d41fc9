#!/bin/sh
# Spawns of what is written as a call and is none: built-in operations, which GCC computes where they stand.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >operations.c <<'EOC'
#include <cilk/cilk.h>
#include <stdarg.h>
#include <stdio.h>
__attribute__((noinline)) int argument(int x) { volatile int y = x; for (int i = 0; i < 1000; i++) y++; return y; }
__attribute__((noinline)) int listed(int x, ...) {
  va_list list;
  cilk_spawn va_start(list, x);
  int y = va_arg(list, int);
  cilk_spawn va_end(list);
  cilk_sync;
  return y;
}
int main(int argc, char **argv) {
  char text[8];
  int sum = 0, over;
  int likely = cilk_spawn __builtin_expect(argument(1), 1);
  int unlikely = cilk_spawn __builtin_expect(!!(argument(2) && argc), 0);
  int maybe = cilk_spawn __builtin_expect_with_probability(argument(3), 1, 0.5);
  cilk_spawn __builtin_add_overflow(argument(4), 5, &sum);
  over = cilk_spawn __builtin_smul_overflow(argument(6), 1 << 30, &argc);
  unsigned long size = cilk_spawn __builtin_object_size(text, 0);
  char *aligned = cilk_spawn __builtin_assume_aligned(text, 1);
  void *address = cilk_spawn __builtin_return_address(0);
  int bits = cilk_spawn __builtin_popcount(argument(7));
  cilk_spawn __builtin_prefetch(argv);
  cilk_sync;
  printf("%d %d %d %d %d %lu %d %d %d %d\n", likely, unlikely, maybe, sum, over, size, aligned == text, address != 0,
         bits, listed(1, 42));
  return 0;
}
EOC
echo '1001 1 1003 1009 1 8 1 1 9 42' >wanted
sed 's/char \*aligned = cilk_spawn \(.*\);/char *aligned = (char *)cilk_spawn \1;/' operations.c >operations.cc
for language in c cc; do
  case $language in c) compiler=cc ;; cc) compiler=c++ ;; esac
  for options in '-O0 -fcilkprof' '-O2 -fcilkprof' '-O2 -fcilkprof=parallel' -O0 -O2; do
    if $compiler -w -fcilkplus $options operations.$language -o operations >said 2>&1; then
      ./operations >got 2>&1
      same "$language $options" wanted got
    else
      fail "$language $options" said
    fi
  done
done

# As for other calls, the arguments are evaluated before the spawn.
cat >order.c <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline)) int argument(int x) { volatile int y = x; for (int i = 0; i < 1000; i++) y++; return y; }
int main(void) {
  int a = cilk_spawn __builtin_expect(argument(1), 1);
  int b = argument(2);
  cilk_sync;
  return a + b == 0;
}
EOC
compile -O2 -fcilkprof=count order.c -o order
profile order
equal 'the operation is a spawned block' 1 "$(awk -F, '$2 == 4 && $4 == "spawn" && $6 ~ /__builtin_expect/ { n++ } END { print n + 0 }' sites.csv)"
equal 'its argument is called by the parent' 1 "$(awk -F, '$2 == 4 && $6 == "argument" && $5 == "main" { print $15 }' sites.csv)"
true_that 'and serially' "$(whole Span) > 2 * 1000"

# An operation of the compiler's own, without any function.
cat >vector.c <<'EOC'
#include <cilk/cilk.h>
typedef int ints __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));
int main(void) {
  ints x = {1, 2, 3, 4};
  __asm__("" : "+m"(x));
  floats y = cilk_spawn __builtin_convertvector(x, floats);
  cilk_sync;
  return y[0] + y[3] != 5;
}
EOC
for options in -fcilkprof -fcilkprof=parallel ''; do
  if cc -fcilkplus $options vector.c -o vector >said 2>&1 && ./vector 2>>said; then
    pass "a conversion of vectors ${options:-in parallel}"
  else
    fail "a conversion of vectors ${options:-in parallel}" said
  fi
done
finish
