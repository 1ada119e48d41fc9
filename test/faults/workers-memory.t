#!/bin/sh
# Parallel profiles where there is no memory for what another worker does: the program runs as it does without the
# profiler, on one worker from there on; it waits for nothing and takes no memory again and again.
# SPDX-License-Identifier: MIT
. "$TOP/test/faults/lib.sh"

cat >refuse.c <<'EOC'
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
/* In threads other than the first, there is no more than MAX_MMAP bytes of memory in one piece.  */
void *__real_mmap(void *, size_t, int, int, int, off_t);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  const char *most = getenv("MAX_MMAP");
  if (most && file < 0 && size > strtoul(most, NULL, 10) && syscall(SYS_gettid) != getpid()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return __real_mmap(address, size, protection, flags, file, offset);
}
EOC
cat >prog.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return x + y;
}
static int late(int n) {
  usleep(2000); /* the other workers take something meanwhile */
  return fib(n);
}
static long sums[4000];
static long round_of_work(void) {
  cilk::reducer_opadd<long> total;
  cilk_for (int i = 0; i < 4000; i++) {
    if (i % 1000 == 7) usleep(500);
    sums[i] = fib(i % 5);
    total += sums[i];
  }
  int x = cilk_spawn late(12), y = cilk_spawn late(13), z = late(11);
  cilk_sync;
  return total.get_value() + x + y + z;
}
static long pages(void) {
  long all = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld", &all) != 1) exit(9);
  fclose(file);
  return all;
}
int main(void) {
  long sum = 0, early = 0;
  for (int i = 0; i < 30; i++) {
    sum += round_of_work();
    if (i == 9) early = pages();
  }
  printf("%ld\n", sum);
  if (pages() - early > 1000) printf("%ld pages more\n", pages() - early);
  return 0;
}
EOC
gcc -O2 -c refuse.c || give_up 'refuse.c'
CILKPROF_OUT=prof
export CILKPROF_OUT

# lacking BUILD MOST WORKERS: a run of that build, where the workers get at most so much memory.
lacking() {
  rm -f prof
  MAX_MMAP=$2 CILK_NWORKERS=$3 CILKPROF_FORCE_STEALS=$3 timeout 300 ./prog >got 2>stderr
  echo "status $?" >>got
  fault "$1, $3 workers that get at most $2 bytes in one piece" 'it runs as without the profiler' same_text wanted got
  fault "$1, $3 workers that get at most $2 bytes in one piece" 'one line says so' \
    sh -c 'cat stderr; test "$(grep -vc "^$" stderr)" = 1 && grep -q "^cilkprof: out of memory: the rest runs on one worker, and part of the profile is missing$" stderr'
  cilkprof-report --brief --summary prog prof >summary 2>&1
  fault "$1, $3 workers that get at most $2 bytes in one piece" 'the report says that a part is missing' \
    grep -q 'part of its work is missing' summary
}
same_text() {
  cat "$2"
  cmp -s "$1" "$2"
}
# builds OPTION...: the program, with these options.
builds() {
  c++ -fcilkplus -w -g "$@" prog.cc refuse.o -Wl,--wrap=mmap -o prog >said 2>&1 || give_up "prog.cc, $*" said
}
builds -O2
CILK_NWORKERS=1 ./prog >wanted
echo 'status 0' >>wanted
for mode in parallel-count parallel; do
  builds -O2 -fcilkprof=$mode
  for most in 3000000 70000 1000 $([ $mode = parallel ] && echo 50000000); do # the last one is enough for all but samples
    for workers in 2 4; do ! in_turn 2 || lacking $mode $most $workers; done
  done
done

# What a thief takes for the results of children, it gets back from the worker that joins them.
cat >phases.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int sink;
__attribute__((noinline)) static void leaf(int n) { for (int i = 0; i < n; i++) sink = i; }
static long resident(void) {
  long all, here = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &all, &here) != 2) exit(9);
  fclose(file);
  return here;
}
int main(void) {
  long early = 0;
  for (int i = 0; i < 16000; i++) {
    cilk_spawn leaf(20000);
    leaf(20000);
    cilk_sync;
    if (i == 2000) early = resident();
  }
  long more = resident() - early;
  printf("%ld pages more\n", more);
  return more > 100;
}
EOC
compile -w -O2 -fcilkprof=parallel-count phases.c -o phases
CILK_NWORKERS=2 CILKPROF_FORCE_STEALS=1 timeout 300 ./phases >got 2>&1
fault '14,000 children, most of which another worker runs' 'they take no more memory than 2,000' test $? = 0

# No two workers use the same memory meanwhile.  Code that is not recorded looks at the records of the first worker, which
# changes them, and does nothing with the answer: as in a thread of a serial profile that is not recorded.
if [ -z "$RUN" ]; then
  printf 'race_top:%s\n' open_top_call_of_site __cilkprof_list_site book_top_call_of_site __cilkprof_p_book_plain >known
  export TSAN_OPTIONS=suppressions=known:print_suppressions=0
  ulimit -s 1024 # frames for a deeper stack need more address space than ThreadSanitizer leaves
  builds -O1 -fcilkprof=parallel-count -fsanitize=thread -L"$BUILD_DIR/watched"
  for most in 70000 1000; do
    for workers in 2 4 8; do ! in_turn 3 || lacking 'watched by ThreadSanitizer' $most $workers; done
  done
fi
finish
