#!/bin/sh
# Calling contexts are recorded on request, are right where control takes unusual ways, and never too many.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
unset CILKPROF_CONTEXTS

# contexts PROFILE: how many it has.
contexts() {
  "$BUILD_DIR/test/libcilkprof/records" "$1" | grep -c '^8:'
}

# Every path over six sites on which none occurs twice is a context: 6 + 6*5 + ... + 6! of them, main, and its call.
cat >orders.c <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline)) int any(int depth, unsigned used) {
  volatile int local = depth;
  if (depth == 0) return local;
  if (!(used & 1)) local += any(depth - 1, used | 1);
  if (!(used & 2)) { int x = cilk_spawn any(depth - 1, used | 2); cilk_sync; local += x; }
  if (!(used & 4)) local += any(depth - 1, used | 4);
  if (!(used & 8)) local += any(depth - 1, used | 8);
  if (!(used & 16)) local += any(depth - 1, used | 16);
  if (!(used & 32)) local += any(depth - 1, used | 32);
  return local;
}
int main(void) { return any(6, 0) == 0; }
EOC
all=$((6 + 30 + 120 + 360 + 720 + 720 + 2))
compile -O2 -fcilkprof=count orders.c -o orders
profile orders
equal 'none unless they are asked for' '0 0' "$status $(contexts orders.prof)"
cp sites.csv without.csv
CILKPROF_CONTEXTS=0 profile orders
equal 'none with CILKPROF_CONTEXTS=0' '0 0' "$status $(contexts orders.prof)"
export CILKPROF_CONTEXTS=1
profile orders
equal 'all with CILKPROF_CONTEXTS=1' "0 $all" "$status $(contexts orders.prof)"
same 'the sites have the same values' without.csv sites.csv
holds 'nothing is said' test ! -s orders.stderr
CILKPROF_CONTEXTS=yes profile orders
equal 'a value that is no number: none' '0 0' "$status $(contexts orders.prof)"
equal 'and one line that says so' 1 "$(grep -c '^cilkprof: CILKPROF_CONTEXTS: not a number' orders.stderr)"

# With room for 100 (and the program's start) the others are part of those above them.  The profile is still right.
gcc -std=gnu11 -O2 -fPIC -D_GNU_SOURCE -DCILKPROF_MAX_CONTEXTS=101 -I"$TOP" -c "$TOP/libcilkprof/engine/span/context.c" -o few.o
compile -O2 -fcilkprof=count -Wl,-z,muldefs orders.c few.o -o few
profile few
equal 'no more than there is room for' '0 100' "$status $(contexts few.prof)"
same 'the sites have the same values still' without.csv sites.csv
holds 'the summary says so' grep -q 'There were too many calling contexts' summary.txt

# Without memory the program runs, and so does the rest of the measurement.
cat >none.c <<'EOC'
#include <errno.h>
#include <sys/mman.h>
#include "libcilkprof/engine/span/span.h"
/* In the place of the engine's own: there is none for contexts, however few.  */
void *__cilkprof_reserve(size_t bytes) {
  for (size_t room = 1 << 20; room >= 1 << 10; room /= 4)
    if (bytes == room * (sizeof(context_t) + 2 * sizeof(uint32_t))) return NULL;
  return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
EOC
gcc -std=gnu11 -O2 -fPIC -D_GNU_SOURCE -I"$TOP" -c none.c -o none.o
compile -O2 -fcilkprof=count -Wl,-z,muldefs orders.c none.o -o none
profile none
equal 'no memory for contexts: the program runs, and is profiled' '0 0' "$status $(contexts none.prof)"
equal 'and one line says so' 1 "$(grep -c '^cilkprof: out of memory: no calling contexts are recorded' none.stderr)"
same 'the sites have the same values again' without.csv sites.csv

# What calls back from code without instrumentation, leaves by longjmp, by exit at depth, by an exception; what runs in
# other threads and in signal handlers.  Reading a profile checks that contexts add up to their sites and to the program.
cat >ways.cc <<'EOC'
#include <cilk/cilk.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static jmp_buf out;
static volatile int handled;
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x = x + i; return x; }
__attribute__((noinline)) int jumps(int n) { if (n == 0) longjmp(out, 1); return jumps(n - 1) + leaf(n); }
__attribute__((noinline)) int throws(int n) { if (n == 0) throw 1; return throws(n - 1) + leaf(n); }
static int compare(const void *a, const void *b) { leaf(3); return *(const int *)a - *(const int *)b; }
static void *thread(void *) { for (int i = 0; i < 1000; i++) leaf(5); return NULL; }
static void handler(int) { leaf(4); handled++; }
__attribute__((noinline)) int leaves(int n) { if (n == 0) exit(7); cilk_spawn leaf(n); int x = leaves(n - 1); cilk_sync; return x; }
struct late { ~late() { leaf(9); } } at_the_end;
int main() {
  int array[] = {5, 3, 4, 1};
  struct sigaction action = {};
  struct itimerval often = {{0, 200}, {0, 200}}, never = {};
  pthread_t other;
  action.sa_handler = handler;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  pthread_create(&other, NULL, thread, NULL);
  while (handled < 20) leaf(1000);
  setitimer(ITIMER_REAL, &never, NULL);
  pthread_join(other, NULL);
  if (!setjmp(out)) jumps(5);
  try { throws(5); } catch (int) { leaf(2); }
  cilk_for (int i = 0; i < 10; i++) qsort(array, 4, sizeof *array, compare);
  return leaves(4);
}
EOC
for mode in count hybrid clock; do
  c++ -O2 -fcilkplus -fcilkprof=$mode ways.cc -o ways -pthread || give_up 'ways.cc'
  profile ways
  equal "$mode: ways out and in" 7 "$status"
  holds "$mode: contexts are there" test "$(contexts ways.prof)" -gt 10
done

finish
