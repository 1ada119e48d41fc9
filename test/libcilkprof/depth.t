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
finish
