#!/bin/sh
# cilkprof ./prog of an OpenMP program as it is: what runs is unchanged, and its work and span are those of its structure.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"
export OMP_NUM_THREADS=4

cat >zoo.c <<'END'
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
static double work(int n) {
  double s = 0;
  for (int i = 1; i < n * 20000; i++)
    s += 1.0 / i;
  return s;
}
static double triangle(void) {
  double s = 0;
#pragma omp parallel for schedule(static) reduction(+ : s)
  for (int i = 0; i < 80; i++)
    s += work(i);
  return s;
}
static double dynamic(void) {
  double s = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 4) reduction(+ : s)
    for (int i = 0; i < 80; i++)
      s += work(i);
  }
  return s;
}
static double chain(void) {
  double x[2] = {0, 0};
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 40; i++) {
#pragma omp task depend(inout : x[i % 2]) shared(x)
    x[i % 2] += work(40);
  }
  return x[0] + x[1];
}
static double sections(void) {
  double a = 0, b = 0, c = 0;
#pragma omp parallel sections
  {
#pragma omp section
    a = work(500);
#pragma omp section
    b = work(500);
#pragma omp section
    c = work(1000);
  }
  return a + b + c;
}
static double taskloop(void) {
  double s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(10) reduction(+ : s)
  for (int i = 0; i < 160; i++)
    s += work(10);
  return s;
}
static double byhand(void) {
  double s = 0;
#pragma omp parallel reduction(+ : s)
  {
    int threads = omp_get_num_threads(), thread = omp_get_thread_num();
    for (int i = thread; i < 80; i += threads)
      s += work(10);
#pragma omp barrier
    if (thread == 0)
      s += work(400);
#pragma omp barrier
    for (int i = thread; i < 80; i += threads)
      s += work(10);
  }
  return s;
}
static int fib(int n) {
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
static double tasks(void) {
  int f = 0;
#pragma omp parallel
#pragma omp single
  f = fib(15);
  return f;
}
static double locked(void) {
  double s = 0;
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 80; i++) {
    double w = work(10);
#pragma omp critical
    s += w + work(10);
  }
  return s;
}
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static omp_lock_t lock;
static double shut(int by) {
  double s = 0;
  omp_init_lock(&lock);
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 80; i++) {
    double w = work(10);
    if (by)
      pthread_mutex_lock(&mutex); /* by the C library */
    else
      omp_set_lock(&lock); /* by the runtime */
    s += w + work(10);
    if (by)
      pthread_mutex_unlock(&mutex);
    else
      omp_unset_lock(&lock);
  }
  return s;
}
static double split(void) {
  double a, b;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(a)
    a = work(600); /* the first task */
#pragma omp task shared(b)
    b = work(200); /* the second task */
  }
  return a + b;
}
static double setup(void) {
  return work(2000);
}
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  double result = 0;
  if (!strcmp(what, "triangle"))
    result = triangle();
  if (!strcmp(what, "dynamic"))
    result = dynamic();
  if (!strcmp(what, "chain"))
    result = chain();
  if (!strcmp(what, "sections"))
    result = sections();
  if (!strcmp(what, "taskloop"))
    result = taskloop();
  if (!strcmp(what, "byhand"))
    result = byhand();
  if (!strcmp(what, "locked"))
    result = locked();
  if (!strcmp(what, "tasks"))
    result = tasks();
  if (!strcmp(what, "mutex") || !strcmp(what, "lock"))
    result = shut(*what == 'm');
  if (!strcmp(what, "split"))
    result = split();
  if (!strcmp(what, "serial"))
    result = setup() + byhand();
  if (!strcmp(what, "fork")) {
    result = byhand();
    pid_t child = fork();
    if (!child)
      _exit(work(10) > 0 ? 3 : 1);
    int status;
    waitpid(child, &status, 0);
    result += WEXITSTATUS(status);
  }
  if (!strcmp(what, "exec")) {
    printf("%g\n", byhand());
    fflush(stdout);
    execl("/bin/echo", "echo", "after", (char *)0);
  }
  if (!strcmp(what, "exit")) {
#pragma omp parallel
    {
      if (omp_get_thread_num() == 1)
        exit(4);
      work(1000);
    }
  }
  if (!strcmp(what, "nothing"))
    result = work(10);
  printf("%g\n", result);
  return 0;
}
END
(PATH=/usr/bin:$PATH && gcc -O2 -g -fopenmp zoo.c -o zoo-gcc) >said 2>&1 || give_up 'the program compiles' said
programs=zoo-gcc
(PATH=/usr/bin:$PATH && clang -O2 -g -fopenmp zoo.c -o zoo-clang) >said 2>&1 && programs='zoo-gcc zoo-clang'

# equal NAME WANTED GOT: two words are equal.
equal() {
  echo "$2" >wanted-word
  echo "$3" >got-word
  same "$1" wanted-word got-word
}
# watch PROGRAM WHAT: runs it as a user does; what it prints goes to out, the report to report.
watch() {
  timeout 120 "./$1" "$2" >wanted 2>&1
  wanted_status=$?
  rm -f cilkprof.out
  timeout 120 cilkprof run -o cilkprof.out "./$1" "$2" >out 2>said
  status=$?
  equal "$1 $2: its status" "$wanted_status" "$status"
  same "$1 $2: what it prints" wanted out
}
# parallelism PROGRAM: of its profile.
parallelism() {
  cilkprof-report -b --summary "$1" cilkprof.out 2>&1 | sed -n 's/^ *Parallelism: *//p'
}

for program in $programs; do
  # What the parallelism is by the structure (2.3, 4, 2, 2, 2.2, 16, 1.3), within what a loaded machine does to short runs.
  for expected in 'triangle 1.5 3.5' 'dynamic 2.3 4.01' 'chain 1.1 2.05' 'sections 1.4 2.5' 'byhand 1.4 3.2' 'taskloop 4 17' \
    'serial 1.02 2'; do
    set -- $expected
    watch "$program" "$1"
    found=$(parallelism "$program")
    holds "$program $1: its parallelism, $found, is between $2 and $3" awk "BEGIN { exit !($found >= $2 && $found <= $3) }"
  done
  watch "$program" tasks
  cilkprof-report --format=csv "$program" cilkprof.out >sites.csv
  tasks=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["kind"] ~ /spawn/ { sum += $at["on_work_local_count"] } END { print sum }' sites.csv)
  equal "$program: every task" 986 "$tasks"
  for ending in fork exec; do
    watch "$program" $ending
    holds "$program $ending: there is work" test -n "$(parallelism "$program")"
  done
  "./$program" exit >wanted 2>&1
  timeout 120 cilkprof run -o cilkprof.out "./$program" exit >out 2>said
  equal "$program: exit in a region" 4 $?
  cilkprof report --verdict cilkprof.out >report 2>&1
  holds "$program: and the report says that the run is incomplete" grep -q 'Incomplete run' report
  watch "$program" nothing
done
# The place and the cause, in the words of the verdict.
watch zoo-gcc triangle
cilkprof report --verdict cilkprof.out 2>&1 | tr -s ' \n' ' ' >report
holds 'a static loop is uneven' grep -q 'Load imbalance: the longest of the 4 shares of the omp parallel at zoo.c:[0-9]' report
watch zoo-gcc locked
cilkprof report --verdict cilkprof.out 2>&1 | tr -s ' \n' ' ' >report
holds 'a critical section bounds the speedup' grep -q "Contention: 'omp critical at zoo.c:[0-9]*' covers [3-6][0-9]" report
# line WORDS: of the program, the one with this comment.
line() {
  grep -n "/\* $* \*/" zoo.c | cut -d: -f1
}
watch zoo-gcc mutex
cilkprof report --verdict cilkprof.out 2>&1 | tr -s ' \n' ' ' >report
holds 'so does a mutex of the C library' grep -q "Contention: 'omp lock at zoo.c:$(line by the C library)' covers [3-6][0-9]" report
watch zoo-gcc lock
cilkprof report --verdict cilkprof.out 2>&1 | tr -s ' \n' ' ' >report
holds 'and a lock of OpenMP' grep -q "Contention: 'omp lock at zoo.c:$(line by the runtime)' covers [3-6][0-9]" report
watch zoo-gcc split
cilkprof-report --format=csv zoo-gcc cilkprof.out | cut -d, -f2,4 | grep '"spawn"' | sort >spawned
printf '%s\n' "$(line the first task),\"spawn\"" "$(line the second task),\"spawn\"" | sort >wanted
same 'tasks are where their bodies are' wanted spawned
watch zoo-gcc serial
cilkprof report --verdict cilkprof.out 2>&1 | tr -s ' \n' ' ' >report
holds 'the serial part is named' grep -q "Serial bottleneck: 'setup'" report
holds 'for as many processors as there were threads' grep -q 'for 4 processors' report
# Numbers of threads: as many as are asked for, or eight where nobody asks.
unset OMP_NUM_THREADS
cilkprof ./zoo-gcc byhand >report 2>&1
holds 'eight threads unless said otherwise' grep -Eq 'Verdict for ([89]|[1-9][0-9]) processors' report
cilkprof -j3 ./zoo-gcc byhand >report 2>&1
holds 'three if asked' grep -q 'Verdict for 3 processors' report
# Without debugging information, and without symbols.
strip -o stripped zoo-gcc
cilkprof -j4 ./stripped triangle >report 2>&1
equal 'a stripped program' 0 $?
holds 'has work and span' grep -q '^Work .* parallelism' report
finish
