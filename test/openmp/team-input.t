#!/bin/sh
# What a program does with the number of a thread, and wrong or large numbers of threads.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

# Constructs divide the work of a region.  It is run by a team only if the number of a thread is more than that of a place.
cat >uses.c <<'EOC'
#include <omp.h>
static int a[400], sums[32], shown;
__attribute__((noinline)) static int thrice(int x) { return x * 3; }
int main(void) {
  int total = 0;
#pragma omp parallel num_threads(4)
  {
    int me = omp_get_thread_num();
    USE;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 400; i++) a[i]++;
  }
  for (int i = 0; i < 400; i++) total += a[i] * (i % 7);
  for (int i = 0; i < 32; i++) total += sums[i] * 100000;
  printf("%d %d %d\n", total, shown, thrice(0));
  return 0;
}
EOC
cp uses.c uses.cc
# uses TEAMS USE: whether a team runs the region if it has the statement USE, in C and C++.
uses() {
  for language in c cc; do
    [ $language = c ] && compiler=cc || compiler=c++
    $compiler -O2 -fopenmp -fcilkprof=count "-DUSE=$2" -include unit.h uses.$language -o uses 2>compiler-said ||
      give_up "$language: $2" compiler-said
    profile uses
    equal "$language: a team for $2" "$1" "$(grep -c 'omp parallel thread uses' sites.csv)"
  done
}
uses 1 'for (int i = me * 100; i < me * 100 + 100; i++) a[i] = i'
uses 1 'sums[me] = thrice(me)'
uses 1 'if (me == 0) shown++; else sums[me] = 5'
uses 1 'if (me != 0) sums[me] = 1'
uses 0 'sums[me * 8] = 1'
uses 0 'int *mine = sums + me * 8; *mine = 1'
uses 0 'if (me == 0) shown++'
uses 0 'if (!omp_get_thread_num() && total == 0) shown++'
uses 0 'printf("%d ", me)'
equal 'all threads have done their parts' '1501197 1 0' "$(
  cc -O2 -fopenmp -fcilkprof=count '-DUSE=if (me == 0) shown++; else sums[me] = 5' -include unit.h uses.c -o uses
  $RUN ./uses
)"

# Wrong numbers of threads, and too large ones: a line, and a team that can be.
cat >team.c <<'EOC'
#include <omp.h>
int main(int count, char **arguments) {
  int threads = 0;
#pragma omp parallel num_threads(count > 1 ? atoi(arguments[1]) : 0)
  if (omp_get_thread_num() == 0) threads = omp_get_num_threads();
  printf("%d\n", threads);
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count -include unit.h team.c -o team
usual=$($RUN ./team 2>/dev/null)
# given VALUE THREADS LINE [ARGUMENT...]: with OMP_NUM_THREADS=VALUE a team has so many threads, and LINE is what is said.
given() {
  value=$1 threads=$2 line=$3
  shift 3
  OMP_NUM_THREADS=$value CILKPROF_OUT=team.prof $RUN ./team "$@" >team.stdout 2>team.said
  equal "OMP_NUM_THREADS=$value $*: threads" "$threads" "$(cat team.stdout)"
  equal "OMP_NUM_THREADS=$value $*: what is said" "$line" "$(cat team.said)"
}
wrong='cilkprof: OMP_NUM_THREADS: its value is no number of threads; a team has as many as there are processors'
for value in abc 0 -3 '' 4x; do
  given "$value" "$usual" "$wrong"
done
given 3 3 ''
given ' 5 ' 5 ''
given '6,2' 6 ''
given 100000 1024 'cilkprof: omp parallel: it asks for more threads than a team of the profiler can have; it has 1024'
given 3 3 'cilkprof: omp parallel: the number of threads that it asks for is negative; it has as many as it would have without' -1
given 3 1024 'cilkprof: omp parallel: it asks for more threads than a team of the profiler can have; it has 1024' 100000

# Threads that wait for each other for ever: where they do is said.
cat >stuck.c <<'EOC'
#include <omp.h>
int main(void) {
  omp_lock_t a, b;
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    omp_set_lock(me ? &b : &a);
#pragma omp barrier
    omp_set_lock(me ? &a : &b);
    omp_unset_lock(&a);
    omp_unset_lock(&b);
  }
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count "-L$BUILD_DIR/stress" -include unit.h stuck.c -o stuck
timeout 60 $RUN ./stuck 2>stuck.said
equal 'locks that two threads hold for each other' \
  'cilkprof: omp parallel stuck.c:6: all threads of the team wait for each other; they go on' "$(cat stuck.said)"

# A thread that ends the program: what others have done is missing, and nothing else is said.
cat >ends.c <<'EOC'
#include <omp.h>
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int me = omp_get_thread_num();
    work(10 * (me + 1));
#pragma omp barrier
    if (me == 2) exit(3);
    work(10);
  }
  return 0;
}
EOC
openmp ends
equal 'the status of a program that a thread ends' 3 $status
equal 'nothing is said' '' "$(cat ends.stderr)"
holds 'the report says that it is not whole' sh -c 'cilkprof-report --verdict ends ends.prof | grep -q "Incomplete run"'
finish
