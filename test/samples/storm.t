#!/bin/sh
# Many samples, many starts, many threads: the program prints what it prints, and nothing of its time is lost.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"

cat >program.c <<'EOC'
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static void *in_thread(void *n) { return (void *)fib((int)(long)n); }

/* Threads that come and go beside those that work.  */
static void churn(int times) {
  for (int i = 0; i < times; i++) {
    pthread_t threads[3];
    for (int k = 0; k < 3; k++)
      pthread_create(&threads[k], NULL, in_thread, (void *)18L);
    for (int k = 0; k < 3; k++)
      pthread_join(threads[k], NULL);
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20, times = argc > 2 ? atoi(argv[2]) : 0;
  cilk_spawn churn(times);
  printf("%ld\n", fib(n));
  return 0;
}
EOC
compile program.c -o program


echo 46368 >wanted
for seed in '' 1 ${LONG:+2 3 4 5}; do
  env CILKPROF_SAMPLE_HZ=20000 ${seed:+CILKPROF_FORCE_STEALS=$seed} CILKPROF_SAMPLE=1 CILK_NWORKERS=4 timeout 300 ./program 24 60 >got 2>&1
  same "20 kHz, steals forced: ${seed:-none}" wanted got
  holds "there are samples: ${seed:-none}" sh -c "cilkprof-report --waste ./program cilkprof.out | grep -q '[1-9][0-9,]* samples'"
  holds "all were unwound: ${seed:-none}" sh -c "! cilkprof-report --top-down=0 ./program cilkprof.out | grep 'not unwound'"
done

echo 6765 >wanted
times=0 wrong=0 most=${LONG:+300}
while [ $times -lt ${most:-100} ]; do
  sampled ./program 20 >got 2>&1
  cmp -s wanted got || wrong=$((wrong + 1))
  times=$((times + 1))
done
holds 'a hundred starts and stops' test $wrong -eq 0
ls cilkprof.out* >got
echo cilkprof.out >wanted
same 'one profile is left' wanted got
finish
