#!/bin/sh
# Programs that switch between stacks of their own: coroutines.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >coroutines.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
static ucontext_t main_context, contexts[50];
static int done[50];
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
static int compare(const void *a, const void *b) { return leaf(2) + *(const int *)a - *(const int *)b; }
__attribute__((noinline)) void yield(int k) { leaf(3); swapcontext(&contexts[k], &main_context); leaf(4); }
__attribute__((noinline)) int deep(int k, int n) {
  int a[3] = {3, 1, 2};
  if (n == 0) { yield(k); qsort(a, 3, sizeof *a, compare); return 1; }
  int x = cilk_spawn leaf(n), y = 0;
  cilk_for (int i = 0; i < 3; i++) { y += leaf(i); if (i == 1) y += deep(k, n - 1); }
  yield(k);
  cilk_sync;
  return x + y;
}
static void body(int k) { cilk_spawn leaf(k); for (int i = 0; i < 3; i++) done[k] += deep(k, i); cilk_sync; done[k] |= 1 << 30; }
int main(int argc, char **argv) {
  int sum = 0, n = argc > 1 ? atoi(argv[1]) : 3;
  cilk_spawn leaf(1000);
  cilk_for (int round = 0; round < 2; round++) {
  for (int k = 0; k < n; k++) {
    done[k] = 0;
    getcontext(&contexts[k]);
    contexts[k].uc_stack.ss_sp = malloc(1 << 16);
    contexts[k].uc_stack.ss_size = 1 << 16;
    contexts[k].uc_link = &main_context;
    makecontext(&contexts[k], (void (*)(void))body, 1, k);
  }
  for (int more = 1; more;) {
    more = 0;
    for (int k = 0; k < n; k++)
      if (!(done[k] >> 30)) { more = 1; swapcontext(&main_context, &contexts[k]); leaf(5); }
  }
  for (int k = 0; k < n; k++) sum += done[k] & 0xffff;
  }
  cilk_sync;
  printf("%d\n", sum);
  return 0;
}
EOC
sed 's/malloc(1 << 16)/stacks + (k << 16)/; s/int sum = 0,/static char stacks[50 << 16]; &/' coroutines.c >static.c
sed 's/malloc(1 << 16)/stacks + (k << 16)/; s/int sum = 0,/char stacks[50 << 16]; &/' coroutines.c >local.c
compile -fcilkplus=serial -w -O2 coroutines.c -o plain
for mode in count hybrid clock; do
  for level in -O0 -O2; do
    in_turn 2 || continue
    compile -w $level -fcilkprof=$mode coroutines.c -o coroutines
    profile coroutines 50
    equal "$mode $level: coroutines: the program computes what it did" "0 $(./plain 50)" "$status $(cat coroutines.stdout)"
    equal "$mode $level: one line says that they are not profiled" 1 "$(grep -c 'switches stacks' coroutines.stderr)"
    equal "$mode $level: what was done before is" 1 "$(field 'main>leaf' on_work_local_count)"
  done
  for where in static local; do
    compile -w -O2 -fcilkprof=$mode $where.c -o $where
    profile $where 50
    equal "$mode: stacks in $where memory" "0 $(./plain 50) 1" "$status $(cat $where.stdout) $(wc -l <$where.stderr)"
  done
done
# In an engine that traps where frames are not aligned.
export CILKPROF_WHATIF=leaf
for where in coroutines static local; do
  compile -w -O2 -fcilkprof=whatif -L"$BUILD_DIR/stress" $where.c -o $where
  profile $where 50
  equal "whatif: stacks in memory of the program's own, $where" "0 $(./plain 50)" "$status $(cat $where.stdout)"
done
unset CILKPROF_WHATIF
cilkprof-report -b --summary coroutines coroutines.prof >summary
holds 'the profile is marked as incomplete' grep -q -i 'did not finish\|incomplete' summary
holds 'no other file is left' sh -c '! ls | grep -q "[.]live\|[.]tmp"'

# In a thread, near whose stack the others are; and in one that is not profiled.
sed 's/malloc(1 << 16)/mmap(NULL, 1 << 16, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)/; s/^int main/int coroutines/' coroutines.c >body.c
cat >thread.c <<'EOC'
#include <pthread.h>
extern int coroutines(int argc, char **argv), first(void);
static char **arguments;
static void *run(void *unused) { return coroutines(2, arguments) ? unused : NULL; }
int main(int argc, char **argv) {
  pthread_t thread;
  arguments = argv;
  if (argc != 2 || first()) return 9;
  return pthread_create(&thread, NULL, run, NULL) || pthread_join(thread, NULL);
}
EOC
echo 'int first(void) { return 0; }' >first.c
gcc -O2 -c thread.c && gcc -O2 -c first.c -o unprofiled.o
for mode in count hybrid clock; do
  compile -O2 -fcilkprof=$mode -c first.c -o profiled.o
  for first in profiled unprofiled; do
    for level in -O0 -O2; do
    in_turn 2 || continue
      compile -w $level -fcilkprof=$mode -include sys/mman.h body.c thread.o $first.o -o thread -pthread
      profile thread 50
      equal "$mode $level: stacks near a thread's, the first function is $first" "0 $(./plain 50)" "$status $(cat thread.stdout)"
    done
  done
done

# A large frame is no other stack.
cat >large.c <<'EOC'
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) int sort(int n) { int a[40 << 20]; a[0] = 2; a[1] = n; qsort(a, 2, sizeof *a, compare); return a[0]; }
int main(void) { printf("%d\n", sort(1)); return 0; }
EOC
compile -O2 -fcilkprof=count large.c -o large
if (ulimit -s unlimited) 2>/dev/null; then
  ulimit -s unlimited
  profile large
  equal 'a frame of 160 MB' '0 1 1' "$status $(cat large.stdout) $(field '<spontaneous>>compare' on_work_local_count)"
fi

# A thread of which other stacks lie just below its own.
cat >near.c <<'EOC'
#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <ucontext.h>
#include <stdio.h>
#include <stdlib.h>
extern void *stacks[2];
static ucontext_t back, contexts[2];
static volatile long sum;
long fib(int n) { if (n < 2) return n; long a = cilk_spawn fib(n - 1); long b = fib(n - 2); cilk_sync; return a + b; }
static void body(void) {
  for (int i = 0; i < 3; i++) {
    int k = (int)(sum & 1);
    sum += fib(5) * 2 + 1;
    swapcontext(&contexts[k], &back);
  }
}
static int ascending(const void *a, const void *b) { fib(3); return *(const int *)a < *(const int *)b ? -1 : 1; }
void *work(void *unused) {
  int values[] = {3, 1, 2};
  (void)unused;
  qsort(values, 3, sizeof *values, ascending);
  for (int k = 0; k < 2; k++) {
    getcontext(&contexts[k]);
    contexts[k].uc_stack.ss_size = 65536;
    contexts[k].uc_stack.ss_sp = stacks[k];
    contexts[k].uc_link = &back;
    makecontext(&contexts[k], body, 0);
  }
  for (int i = 0; i < 6; i++) swapcontext(&back, &contexts[i & 1]);
  long distance = (char *)values - (char *)stacks[0];
  printf("%ld %s\n", sum, distance > 0 && distance < 1 << 26 ? "near" : "far");
  return NULL;
}
EOC
cat >near-main.c <<'EOC'
#include <pthread.h>
#include <sys/mman.h>
enum { SMALL = 1 << 16, LARGE = 1 << 20 };
extern void *work(void *nothing);
void *stacks[2];
int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  char *memory = mmap(NULL, 3 * SMALL + LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stacks[0] = memory;
  stacks[1] = memory + SMALL;
  pthread_attr_init(&attributes);
  if (mprotect(memory + 2 * SMALL, SMALL, PROT_NONE) || pthread_attr_setstack(&attributes, memory + 3 * SMALL, LARGE)) return 9;
  pthread_create(&thread, &attributes, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
EOC
gcc -O2 -c near-main.c || give_up 'near-main.c'
for mode in count hybrid clock; do
  compile -O2 -fcilkprof=$mode near.c near-main.o -o near
  rm -f near.prof*
  CILKPROF_OUT=near.prof ./near >got 2>stderr
  equal "$mode: stacks just below: it runs" '66 near' "$(cat got)"
  holds "$mode: stacks just below: they are told apart" grep -q 'the program switches stacks' stderr
  cilkprof-report --csv near near.prof 2>stderr | tr -d '\r"' >sites.csv
  holds "$mode: what was called before is there" test "$(field 'ascending>fib' on_work_local_count)" -gt 1
done
finish
