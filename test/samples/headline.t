#!/bin/sh
# Programs whose largest loss is known by construction, in Cilk and in OpenMP: the headline of --waste names it and its
# place.  What other programs take of the machine is told apart.  Nothing is asserted of times.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"

cat >common.h <<'EOC'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
static volatile double sink;
static int workers;

static APART void burn(double seconds) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  double end = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + seconds, at = 0;
  while (at < end) {
    double x = 1;
    for (int i = 0; i < 20000; i++)
      x = x * 1.0000001 + 0.5;
    sink = x;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    at = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  }
}
static APART void generate(void) { burn(0.4); sink = 1; }
static APART void piece(double seconds) { burn(seconds); sink = 1; }
static APART void grows(void) { burn(0.002 * workers); sink = 1; }
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static APART void add(void) { pthread_mutex_lock(&lock); burn(0.005); pthread_mutex_unlock(&lock); }
static APART void nap(void) { usleep(600000); sink = 1; }
EOC
cat >main.h <<'EOC'
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  workers = atoi(getenv(WORKERS));
  if (!strcmp(what, "serial")) { generate(); good(); }
  else if (!strcmp(what, "loop")) loop();
  else if (!strcmp(what, "unequal")) unequal();
  else if (!strcmp(what, "lock")) locks();
  else if (!strcmp(what, "tiny")) printf("%ld\n", start());
  else if (!strcmp(what, "inflated")) inflated();
  else if (!strcmp(what, "blocked")) { good(); nap(); }
  else good();
  return 0;
}
EOC
cat >cilk.c <<'EOC'
#include <cilk/cilk.h>
#include "common.h"
#define WORKERS "CILK_NWORKERS"
static APART void good(void) {
#pragma cilk grainsize 1
  cilk_for (int i = 0; i < 150; i++)
    piece(0.002);
}
static APART void loop(void) {
#pragma cilk grainsize 1
  cilk_for (int i = 0; i < 8; i++)
    piece(i == 7 ? 0.4 : 0.02);
}
static APART void unequal(void) {
  cilk_spawn piece(0.4);
  piece(0.1);
  cilk_sync;
}
static APART void locks(void) {
#pragma cilk grainsize 1
  cilk_for (int i = 0; i < 60; i++)
    add();
}
static APART void inflated(void) {
#pragma cilk grainsize 1
  cilk_for (int i = 0; i < 150; i++)
    grows();
}
static APART long tiny(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn tiny(n - 1);
  long y = tiny(n - 2);
  cilk_sync;
  return x + y;
}
static APART long start(void) { return tiny(39); }
#include "main.h"
EOC
cat >openmp.c <<'EOC'
#include "common.h"
#define WORKERS "OMP_NUM_THREADS"
static APART void good(void) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 150; i++)
    piece(0.002);
}
static APART void loop(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < 8; i++)
    piece(i == 7 ? 0.4 : 0.02);
}
static APART void unequal(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    piece(0.4);
#pragma omp task
    piece(0.1);
  }
}
static APART void locks(void) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 60; i++) {
#pragma omp critical
    piece(0.005);
  }
}
static APART void inflated(void) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 150; i++)
    grows();
}
static APART long tiny(int n) {
  long x, y;
  if (n < 2)
    return n;
#pragma omp task shared(x)
  x = tiny(n - 1);
  y = tiny(n - 2);
#pragma omp taskwait
  return x + y;
}
static APART long start(void) {
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = tiny(29);
  return result;
}
#include "main.h"
EOC
compile cilk.c -o cilk
gcc -O2 -g -fopenmp openmp.c -o openmp -pthread >compiler-said 2>&1 || give_up 'openmp.c compiles' compiler-said
if [ "$(cilkprof-run -j 2 ./cilk && cilkprof-report --waste cilk cilkprof.out | sed -n 's/^ *Processors: *\([0-9]*\),.*/\1/p')" != 2 ]; then
  echo '1..0 # SKIP there are no two processors'
  exit 0
fi

# headline PROGRAM WHAT [WORKERS...]: the second paragraph of the section.
headline() {
  program=$1 what=$2
  shift 2
  profiles=
  for workers in "${@:-2}"; do
    timeout 120 cilkprof-run -j "$workers" -o "$program.$workers" "./$program" "$what" >said 2>errors || return 1
    profiles="$profiles $program.$workers"
  done
  cilkprof-report -b --waste "$program" $profiles | awk -v RS= 'NR == 2' >got
}
# says PROGRAM WHAT PATTERN [WORKERS...]: in one of three tries, as others may take too much of the machine.  If they have
# it for most of the time in all of them, nothing is advised, and that is what has to be said.
says() {
  program=$1 what=$2 pattern=$3
  shift 3
  for try in 1 2 3; do
    headline "$program" "$what" "$@" && grep -q "^  $pattern" got && break
  done
  holds "$program: $what" grep -q "^  \($pattern\|Busy machine: for \([5-9][0-9]\|100\) %\)" got
}

line() { grep -n "$2" "$1.c" | head -n 1 | cut -d: -f1; }
says cilk serial 'Serial bottleneck: generate (common.h:[0-9]*) runs alone'
says openmp serial 'Serial bottleneck: generate (common.h:[0-9]*) runs alone'
says cilk loop "Load imbalance: the pieces of cilk_for cilk.c:$(line cilk 'i < 8') are"
says openmp loop "Load imbalance: the pieces of parallel openmp.c:$(($(line openmp 'i < 8') - 1)) are"
says cilk unequal 'Load imbalance: the spawns in unequal (cilk.c:[0-9]*) are'
says openmp unequal 'Load imbalance: the tasks in \(unequal\|parallel openmp.c:[0-9]*\)'
says cilk lock 'Contention: threads wait for a lock in add (common.h:'
says openmp lock 'Contention: threads wait for a lock in parallel openmp.c:'
says cilk tiny 'Overhead: the pieces of tiny (cilk.c:[0-9]*) are too small'
says openmp tiny 'Overhead: the pieces of tiny (openmp.c:[0-9]*) are too small'
says cilk inflated 'Work inflation: the work of burn (common.h:[0-9]*) grows with the number of workers; 2 of them need [12]\.[0-9]* times' 1 2
says openmp inflated 'Work inflation: the work of burn (common.h:[0-9]*) grows with the number of workers; 2 of them need [12]\.[0-9]* times' 1 2
says cilk blocked 'Blocked: the program slept'
says openmp blocked 'Blocked: the program slept'
says cilk good '\(Command\|Busy machine\): '
says openmp good '\(Command\|Busy machine\): '
finish
