#!/bin/sh
# cilkprof_write(): the profile so far, as if the program ended there, and the program and its profile go on as before.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >deep.c <<'EOC'
#include <cilk/cilk.h>
#include <cilkprof.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
static int writes, failures, how;
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
__attribute__((noinline)) void here(void) {
  for (int i = 0; i < writes; i++) failures += cilkprof_write() != 0;
  if (how == 'k') _exit(0);
  if (how == 'e') exit(0);
}
__attribute__((noinline)) int descend(int n) {
  if (n == 0) { here(); return 1; }
  int a = cilk_spawn leaf(10 * n), b = 0;
  cilk_for (int i = 0; i < 3; i++) { leaf(i); if (i == 1) b += descend(n - 1); }
  cilk_sync;
  return a + b;
}
static int compare(const void *a, const void *b) {
  static int once;
  if (!once++) descend(4);
  return *(const int *)a - *(const int *)b;
}
int main(int argc, char *argv[]) {
  int a[3] = {3, 1, 2};
  writes = atoi(argv[1]);
  how = argc > 2 ? *argv[2] : 0;
  cilk_spawn leaf(5000);
  qsort(a, 3, sizeof *a, compare);
  cilk_sync;
  if (wait(NULL) >= 0 || errno != ECHILD) puts("the program sees a child");
  printf("%d failed\n", failures);
  return 0;
}
EOC
for level in -O0 -O2; do
  compile $level -fcilkprof=count deep.c -o deep
  profile deep 1 exit
  grep -v -e exit -e ',here,' sites.csv >wanted
  spans=$(whole 'Burdened span') work=$(whole Work)
  profile deep 1 kill
  grep -v -e exit -e ',here,' sites.csv >got
  sed 's/,[0-9].*//' wanted >a
  sed 's/,[0-9].*//' got >b
  same "$level: a program that is killed after a snapshot: every site is in it" a b
  cut -d, -f1-7,11,15,19,23,27 wanted >a
  cut -d, -f1-7,11,15,19,23,27 got >b
  same "$level: every count is that of a program that exits there" a b
  true_that "$level: so is the work, up to the call of exit" "$work - $(whole Work) >= 0 && $work - $(whole Work) < 20"
  profile deep 0
  grep -v -e here -e '"deep.c",0' sites.csv | grep ',leaf,' >wanted
  profile deep 5
  grep -v -e here -e '"deep.c",0' sites.csv | grep ',leaf,' >got
  same "$level: snapshots leave no trace in the profile" wanted got
  equal "$level: nor in the program" '0 failed' "$(cat deep.stdout)"
  equal "$level: nothing is said" '' "$(cat deep.stderr)"
done
for mode in hybrid clock; do
  compile -O2 -fcilkprof=$mode deep.c -o deep
  profile deep 1 kill
  equal "$mode: a snapshot is a profile" 1 "$(field 'descend>here' on_work_local_count)"
  profile deep 3
  equal "$mode: and the run's one at its end" '0 failed 1' "$(cat deep.stdout) $(field 'descend>here' on_work_local_count)"
done

# The copy must not wait for a lock that a thread held which it does not have.
cat >loading.c <<'EOC'
#include <cilkprof.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static volatile int ready, stop;
static void *load(void *nothing) {
  while (!stop) { void *m = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL); ready = 1; if (m) dlclose(m); }
  return nothing;
}
int main(void) {
  pthread_t thread;
  int failures = 0;
  pthread_create(&thread, NULL, load, NULL);
  while (!ready) ;
  for (int i = 0; i < 100; i++) failures += cilkprof_write() != 0;
  stop = 1;
  pthread_join(thread, NULL);
  printf("%d failed\n", failures);
  return 0;
}
EOC
compile -O2 -fcilkprof=count -pthread loading.c -o loading
equal 'while another thread loads libraries' '0 failed' "$(timeout 120 ./loading)"
compile -O2 -fcilkprof=count -static deep.c -o deep
equal 'of a static program' '0 failed' "$(./deep 2)"
holds 'no temporary file is left' sh -c '! ls | grep -q tmp'
gcc -w -I"$TOP/test/bench/baseline" -I"$TOP/libcilkprof/include" deep.c -o plain
equal 'without -fcilkprof it does nothing' '0 failed' "$(./plain 3)"
finish
