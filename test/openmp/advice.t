#!/bin/sh
# What the verdict says of OpenMP's constructs.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

# verdict NAME [OPTION...]: compiles the program on standard input, and joins the lines of its verdict.
verdict() {
  said=$1
  shift
  cat >program.c
  openmp program "$@"
  cilkprof-report --verdict --processors=8 program program.prof | tr '\n' ' ' | tr -s ' ' >"$said"
}
says() {
  holds "$1" grep -q "$3" "$2"
}
says_not() {
  holds "$1" sh -c "[ -s $2 ] && ! grep -q \"$3\" $2"
}

verdict chunk <<'EOC'
int main(void) {
#pragma omp parallel
  {
    sink = 1;
#pragma omp for schedule(static, 100)
    for (int i = 0; i < 100; i++)
      for (int j = 0; j < 10000; j++) sink = sink + 1;
  }
  return 0;
}
EOC
says 'a loop of one chunk is to blame' chunk 'Loop on the critical path: the longest iterations of the omp for at program.c:5 .* schedule(dynamic)'
says_not 'and not the region that it is in' chunk "'omp parallel program.c:2' takes"

verdict tasks <<'EOC'
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 4000; i++) {
#pragma omp task
    for (int j = 0; j < 400; j++) sink = sink + 1;
  }
  return 0;
}
EOC
says 'a loop of small tasks' tasks 'Grain too fine: .* longer tasks at program.c:5, for example by a taskloop with a grainsize'

verdict region <<'EOC'
int main(void) {
#pragma omp parallel
  {
    work(90);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; i++) work(1);
  }
  return 0;
}
EOC
says 'a region that has a serial part is' region "code of 'omp parallel program.c:2' itself\\|'omp parallel program.c:2' takes\\|'work' takes"

verdict short <<'EOC'
static double a[64];
#define LOOP() _Pragma("omp for nowait schedule(static)") for (int i = 1; i < 63; i++) a[i] = 0.5 * (a[i - 1] + a[i + 1]);
__attribute__((noinline)) static void smooth(void) {
  LOOP()
  LOOP()
  LOOP()
  LOOP()
  LOOP()
  LOOP()
  LOOP()
  LOOP()
}
int main(void) {
#pragma omp parallel
  for (int k = 0; k < 1000; k++) smooth();
  return a[3] != 0;
}
EOC
says 'many short loops' short "Grain too fine: .*'smooth', most often in its omp for at program.c:[0-9]*: move the parallel region outward"
says_not 'in the words of OpenMP' short 'spawned'
says_not 'that are divided among few threads' short 'Short strands'

verdict fine <<'EOC'
int main(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 10000; i++) sink = sink + 1;
  return 0;
}
EOC
says 'chunks that are taken one by one are short' fine 'Short strands: [0-9] instructions'

# A library function that the iterations call, of one chunk, and one that is called beside the loop.
sorting() {
  cat <<'EOC'
#include <string.h>
static char words[100][64][8];
static int compare(const void *a, const void *b) {
  sink = sink + 1;
  return strcmp(a, b);
}
__attribute__((noinline)) static void sort_all(void) {
#pragma omp parallel for schedule(static, 50)
  for (int i = 0; i < 100; i++) {
    for (int j = 0; j < 500; j++) sink = sink + 1;
EOC
  [ "$1" = inside ] || echo '  } for (int i = 0; i < 100; i++) {'
  cat <<'EOC'
    qsort(words[i], 64, sizeof words[i][0], compare);
  }
}
int main(void) {
  for (int i = 0; i < 100 * 64; i++) sprintf(words[i / 64][i % 64], "%d", i * 7919 % 6400);
  sort_all();
  return 0;
}
EOC
}
sorting inside | verdict inside
says 'a library that a loop calls is part of the loop' inside "iterations of the omp parallel for at program.c:8 take 7[0-9]\..*Of that, 'qsort', called"
says_not 'and not of the function' inside "code of 'sort_all'"
sorting outside | verdict outside
says 'one that is called beside it is not' outside "code of 'sort_all' itself, .*Of that, 'qsort', called"

# Tasks of which the longest is the span, and the others most of the work: what is to be mended is not next as well.
verdict unequal <<'EOC'
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++)
#pragma omp task
    for (int j = 0; j < 10000 * i; j++) sink = sink + 1;
  return 0;
}
EOC
says 'the longest of several tasks' unequal "Load imbalance: the longest of the 20 tasks at program.c:5 takes 10% of their work"
says_not 'is not next to itself' unequal "Next bottleneck: 'omp task program.c:5'"
# What is divided by thread numbers is measured as a team: that is said, and no loop of a thread is to be parallelised.
export OMP_NUM_THREADS=4
verdict numbers <<'EOC'
#include <omp.h>
static void fill(int n) {
#pragma omp parallel
  {
    int t = omp_get_thread_num(), p = omp_get_num_threads();
    for (int i = n / p * t; i < n / p * (t + 1); i++) sink = sink + i;
  }
}
int main(void) {
  fill(1000000);
  return 0;
}
EOC
says 'thread numbers' numbers 'Thread numbers: the parallel region at program.c:[0-9]*, [19][0-9.]*% of the span, divides its work by thread numbers. All numbers are for a team of 4 threads'
says_not 'their parallelism is seen' numbers 'No parallelism'
says_not 'no loop of a thread is to be parallelised' numbers 'bottleneck\|Serial\|Parallelise\|no number of processors'
verdict counters <<'EOC'
#include <omp.h>
int main(void) {
  static long sums[64];
#pragma omp parallel
  {
    int t = omp_get_thread_num();
#pragma omp for schedule(static, 500)
    for (int i = 0; i < 1000; i++)
      for (int j = 0; j < 1000; j++) { sink = sink + 1; sums[t] += j; }
  }
  return sums[0] == 0;
}
EOC
says_not 'a number for a place of its own divides nothing' counters 'Thread numbers'
says 'and the loop is judged as ever' counters 'Loop on the critical path'
finish
