#!/bin/sh
# Little memory or none, and calls that nest deeper than it reaches: the program runs as it does without the profiler.
# SPDX-License-Identifier: MIT
. "$TOP/test/faults/lib.sh"

cat >guard.c <<'EOC'
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
/* Memory of the engine ends at a page that must not be touched, and there is no more than MAX_MMAP bytes in one piece.  */
void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  const char *most = getenv("MAX_MMAP");
  size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
  if (address || file >= 0)
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
  if (most && size > strtoul(most, NULL, 10)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  char *memory = (char *)syscall(SYS_mmap, NULL, whole + page, protection, flags, -1, 0L);
  if (memory != MAP_FAILED)
    syscall(SYS_mprotect, memory + whole, page, PROT_NONE);
  return memory;
}
EOC
cat >deep.c <<'EOC'
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long depth;
static volatile long zero;
__attribute__((noinline)) static long leaf(long n) { return n + zero; }
/* Every level leaves a place in the log free; every level has a frame that is linked; and open blocks.  */
long spawning(long n) {
  if (n == 0) return 0;
  long a = cilk_spawn leaf(1);
  long b = spawning(n - 1);
  cilk_sync;
  return a + b;
}
static int ascending(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : 1; }
long linked(long n) {
  int values[] = {2, 1};
  if (n == 0) return 0;
  qsort(values, 2, sizeof *values, ascending);
  long a = cilk_spawn leaf(values[0]);
  long b = linked(n - 1);
  cilk_sync;
  return a + b;
}
long looping(long n) {
  long sum = 0;
  if (n == 0) return 0;
  cilk_for (int i = 0; i < 2; i++) {
    if (i == 1) sum += looping(n - 1);
    else cilk_for (int j = 0; j < 3; j++) sum += leaf(zero);
  }
  long a = cilk_spawn leaf(1);
  cilk_sync;
  return sum + a;
}
static void *run(void *kind) {
  long (*function)(long) = strcmp(kind, "linked") == 0 ? linked : strcmp(kind, "looping") == 0 ? looping : spawning;
  if (function(depth) != depth) abort();
  return NULL;
}
int main(int argc, char *argv[]) {
  (void)argc;
  pthread_attr_t attributes;
  pthread_t threads[4];
  depth = atol(argv[2]);
  long count = atol(argv[3]);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)1 << 29);
  if (count == 0) run(argv[1]);
  for (long i = 0; i < count; i++)
    if (pthread_create(&threads[i], &attributes, run, argv[1])) return 9;
  for (long i = 0; i < count; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
EOC
cc -O2 -c guard.c || give_up 'guard.c'
CILKPROF_OUT=prof CILKPROF_LIVE=0
export CILKPROF_OUT CILKPROF_LIVE

# deep KIND MOST DEPTH THREADS: in threads of their own, or in the one that is profiled; a profile that is written can be read.
deep() {
  rm -f prof
  MAX_MMAP=$2 ./deep "$1" "$3" "$4" >got 2>stderr
  echo "status $?, $(cat got stderr)" >seen
  fault "$mode, $1, $3 deep in $([ "$4" = 0 ] && echo the main thread || echo "$4 threads"), at most $2 bytes in one piece" \
    'it runs to its end' sh -c 'cat seen; grep -q "^status 0, done" seen && { test ! -e prof || cilkprof-report --summary deep prof >/dev/null; }'
}
ulimit -s 16384
for mode in count hybrid clock whatif; do
  [ $mode != whatif ] || export CILKPROF_WHATIF=leaf
  compile -O2 -g -fcilkprof=$mode deep.c guard.o -o deep
  for kind in spawning linked looping; do
    for most in 6000000 65536 1000; do
      deep $kind $most 17000 0
      deep $kind $most 30000 0
      deep $kind $most 200000 3
    done
  done
done
mode='count, inlined' CILKPROF_WHATIF=
compile -O2 -g -fcilkprof=count -fcilkprof-inline deep.c guard.o -o deep
for kind in spawning linked looping; do
  deep $kind 6000000 60000 0 # a frame in registers is none of the thread's: here it is the log that is full
  deep $kind 65536 200000 3
done
mode=count
compile -O2 -g -fcilkprof=count deep.c guard.o -o deep
for kind in spawning linked looping; do deep $kind 1000000000000 1000000 2; done
MAX_MMAP=6000000 ./deep looping 30000 0 >got 2>stderr
cilkprof-report --summary deep prof >got
fault 'calls that nest deeper than memory reaches' 'the profile says that it lacks some' grep -q 'part of its work is missing' got
(ulimit -v 1000000 && ./deep looping 200000 1) >got 2>stderr
fault 'ulimit -v' 'it runs to its end' grep -q done got

# What a thread used is given back.
cat >many.c <<'EOC'
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
long fib(int n) { if (n < 2) return n; long a = cilk_spawn fib(n - 1); long b = fib(n - 2); cilk_sync; return a + b; }
static void *run(void *argument) { return fib(10) == 55 ? argument : NULL; }
int main(int argc, char *argv[]) {
  for (int i = 0; i < 1000; i++) {
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, NULL, run, argv[argc - 1]) || pthread_join(thread, &result) || !result) return 9;
    FILE *file = fopen("/proc/self/statm", "r");
    long pages, resident;
    if (fscanf(file, "%ld %ld", &pages, &resident) != 2) return 8;
    fclose(file);
    if (i == 99 || i == 999) printf("%ld %ld\n", pages, resident);
  }
  return 0;
}
EOC
compile -O2 -fcilkprof many.c -o many
./many >got 2>stderr
fault '1000 threads, one after another' 'they take no more memory than 100' \
  perl -e 'local $/; my ($p, $r, $q, $s) = split " ", <>; exit !($q && $q - $p < 1000 && $s - $r < 100)' got
finish
