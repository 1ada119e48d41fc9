#!/bin/sh
# OpenMP programs are recorded: where they worked, what was idle meanwhile, overhead and locks, by logical call paths.
# What is said holds however busy the machine is.
# SPDX-License-Identifier: MIT
. "$TOP/test/launcher/lib.sh"
unset OMP_NUM_THREADS OMP_TOOL OMP_TOOL_LIBRARIES CILKPROF_SAMPLE CILKPROF_SAMPLE_HZ CILKPROF_OUT LD_PRELOAD

cat >phases.c <<'EOC'
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#define FUNCTION __attribute__((noinline)) static void
static volatile double sink;
/* So many milliseconds of this thread's own time.  */
FUNCTION spin(int ms) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  double end = now.tv_sec * 1e3 + now.tv_nsec / 1e6 + ms, x = 1;
  do {
    for (int i = 0; i < 10000; i++)
      x = x * 1.0000001 + 1e-9;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while (now.tv_sec * 1e3 + now.tv_nsec / 1e6 < end);
  sink = x;
}
FUNCTION serial(void) { spin(200); sink++; }
FUNCTION longer(void) { spin(300); sink++; }
FUNCTION shorter(void) { spin(10); sink++; }
FUNCTION imbalance(void) {
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 2; i++)
    i == 0 ? longer() : shorter();
  sink++;
}
FUNCTION held(void) { spin(5); sink++; }
FUNCTION lock(void) {
#pragma omp parallel
  {
#pragma omp barrier
    for (int i = 0; i < 20; i++)
#pragma omp critical
      held();
  }
  sink++;
}
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
FUNCTION mutexes(void) {
#pragma omp parallel
  {
#pragma omp barrier
    for (int i = 0; i < 20; i++) {
      pthread_mutex_lock(&mutex);
      held();
      pthread_mutex_unlock(&mutex);
    }
  }
  sink++;
}
FUNCTION nothing(int i) { sink = i; }
FUNCTION tiny(void) {
  for (int i = 0; i < 300000; i++)
#pragma omp task
    nothing(i);
  sink++;
}
FUNCTION leaf(void) { spin(10); sink++; }
FUNCTION second(void) {
#pragma omp task
  { leaf(); sink++; }
  sink++;
}
FUNCTION first(void) {
#pragma omp task
  { second(); sink++; }
  sink++;
}
FUNCTION maker(void) {
  for (int i = 0; i < 20; i++)
    first();
#pragma omp taskwait
  sink++;
}
FUNCTION piece(void) { spin(9); sink++; }
FUNCTION taskloop(void) {
#pragma omp taskloop num_tasks(20)
  for (int i = 0; i < 20; i++)
    piece();
  sink++;
}
FUNCTION blocks(void) {
  for (int k = 0; k < 4; k++)
#pragma omp task
    {
      double x = 1;
      for (int i = 0; i < 30000000; i++)
        x = x * 1.0000001 + 1e-9;
      sink = x;
    }
#pragma omp taskwait
  sink++;
}
FUNCTION inner(void) { spin(100); sink++; }
FUNCTION region(void) {
#pragma omp parallel num_threads(2)
  { inner(); sink++; }
  sink++;
}
FUNCTION nested(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  { region(); sink++; }
  sink++;
}
static int by_tasks(const char *name) {
  void (*of)(void) = !strcmp(name, "tiny") ? tiny : !strcmp(name, "maker") ? maker : !strcmp(name, "blocks") ? blocks : taskloop;
#pragma omp parallel
#pragma omp single
  { of(); sink++; }
  return 0;
}
int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  printf("%d\n", omp_get_max_threads());
  !strcmp(name, "serial")      ? serial()
  : !strcmp(name, "imbalance") ? imbalance()
  : !strcmp(name, "lock")      ? lock()
  : !strcmp(name, "mutexes")   ? mutexes()
  : !strcmp(name, "nested")    ? nested()
                               : (void)by_tasks(name);
  if (argc > 2 && strcmp(argv[2], "children") == 0)
    return system("env | grep -c -e LD_PRELOAD=. -e CILKPROF -e OMP_TOOL -e KMP_LOCK >children; ./other");
  if (argc > 2 && strcmp(argv[2], "exit") == 0)
    _exit(3);
  if (argc > 2 && strcmp(argv[2], "exec") == 0)
    execlp("sh", "sh", "-c", "exit 5", (char *)NULL);
  if (argc > 2 && strcmp(argv[2], "fork") == 0 && fork() == 0)
    _exit(by_tasks(name));
  return argc > 2 ? atoi(argv[2]) : 0;
}
EOC
printf '#include <omp.h>\nint main(void) { int n = 0;\n#pragma omp parallel\n#pragma omp atomic\n n++;\n return n == 0; }\n' >other.c
gcc -O2 -fopenmp other.c -o other

# record COMPILER NAME: top-down.txt has its logical call paths.
record() {
  launch -j 2 ./phases-"$1" "$2"
  equal "$1, $2: the status" 0 $status
  same "$1, $2: nothing is said" /dev/null errors
  echo 2 >wanted
  same "$1, $2: it has two threads" wanted out
  cilkprof-report --top-down=0 phases-"$1" cilkprof.out >top-down.txt 2>&1
}
# value COLUMN FUNCTION: of all its outermost lines; columns are percents of the effort: 3 work, 6 idle, 9 overhead,
# 12 waiting.
value() {
  awk -v column="$1" -v name="$2" '
    / function \(place/ { start = index($0, "function (") }
    start && $2 ~ /^[0-9.]+$/ {
      depth = match(substr($0, start), /[^ ]/)
      if (within && depth > within) next
      within = 0
      if ($13 == name) { within = depth; sum += $column }
    }
    END { print sum + 0 }' top-down.txt
}
# below NAME...: each is there, and called by the one before it, however many lines are between.
below() {
  awk -v names="$*" '
    BEGIN { count = split(names, name, " "); place = 1 }
    / function \(place/ { start = index($0, "function (") }
    start && $2 ~ /^[0-9.]+$/ {
      depth = match(substr($0, start), /[^ ]/)
      while (place > 1 && depth <= at[place - 1]) place--
      if ($13 == name[place]) at[place++] = depth
      if (place > count) { found = 1; exit }
    }
    END { exit !found }' top-down.txt
}

for compiler in gcc clang; do
  if ! $compiler -O2 -g -fopenmp phases.c -o phases-$compiler 2>compiler; then
    [ $compiler = clang ] || give_up "$compiler -fopenmp" compiler
    continue
  fi
  record $compiler serial
  true_that "$compiler: while it is serial, one of two processors is idle" \
    "$(value 3 serial) > 40 && ($(value 3 serial) - $(value 6 serial)) ^ 2 < 0.01"
  record $compiler imbalance
  holds "$compiler: a path through a region" below main imbalance parallel longer spin
  true_that "$compiler: what is longer is to blame" \
    "$(value 6 longer) > 10 && $(value 6 longer) > 4 * $(value 6 shorter)"
  record $compiler lock
  true_that "$compiler: waiting is where the lock is taken" "$(value 12 lock) > 5 && $(value 12 lock) == $(value 12 main)"
  record $compiler mutexes
  true_that "$compiler: so it is for those of threads" \
    "$(value 12 mutexes) > 5 && $(value 12 mutexes) == $(value 12 main)"
  record $compiler tiny
  true_that "$compiler: tasks that do nothing are overhead" "$(value 9 tiny) > 5 * $(value 3 tiny)"
  record $compiler maker
  holds "$compiler: what tasks of tasks do is below what made them" below main maker first task second task leaf spin
  equal "$compiler: and nowhere else" 1 "$(grep -c '  maker' top-down.txt)"
  record $compiler blocks
  true_that "$compiler: what a task does itself is work" "$(value 3 blocks) > 10 * $(value 9 blocks)"
  record $compiler taskloop
  holds "$compiler: a loop of tasks" below main taskloop task piece spin
  record $compiler nested
  holds "$compiler: a region in a region" below main nested region inner spin
  cilkprof-report --waste phases-$compiler cilkprof.out >waste.txt
  holds "$compiler: all is unwound" sh -c '! grep -q -e "Not unwound:" -e "Of unknown tasks:" waste.txt'
done

launch -j 2 ./phases-gcc serial 7
equal 'the status is that of the program' 7 $status
for end in 'exit 3' 'exec 5' 'fork 0'; do
  launch -j 2 ./phases-gcc serial ${end% *}
  equal "$end: the status" ${end#* } $status
  cilkprof-report --top-down=0 phases-gcc cilkprof.out >top-down.txt
  holds "$end: it was recorded" below main serial spin
done
launch -j 2 -F 100 -o named.out ./phases-gcc serial
holds 'another file' test -f named.out -a ! -e cilkprof.out
holds 'another frequency' sh -c 'cilkprof-report --format=json phases-gcc named.out | grep -q "\"hz\":100,"'
OMP_TOOL=disabled cilkprof-run ./phases-gcc imbalance >out 2>errors
holds 'a tool that is disabled' sh -c 'cilkprof-report --top-down phases-gcc | grep -q longer'
launch -j 2 ./phases-gcc maker children
equal 'programs that it starts find the environment as it was' 0 "$(cat children)"
cilkprof-report --top-down=0 phases-gcc cilkprof.out >top-down.txt
holds 'and are not recorded in its place' below main maker leaf
launch -j 2 -o named.out ./phases-gcc maker children
equal 'also if the samples have a name' 0 "$(cat children)"
holds 'which they get' test -s named.out
LD_PRELOAD=libgcc_s.so.1 cilkprof-run -j 2 ./phases-gcc serial children >out 2>errors
equal 'LD_PRELOAD is what it was' 1 "$(cat children)"

# The runtime is named.  In the place of gcc's, LLVM's has locks that do not pass to threads without a processor.
launch -j 2 ./phases-gcc imbalance
cilkprof-report -b --waste phases-gcc cilkprof.out >got
holds 'the runtime is named, and the one whose place it has' grep -q '^  Runtime: .*/lib.*omp.*\.so.* instead of libgomp\.so\.1: its overhead and waiting, [0-9]* % of the effort, may differ from that$' got
cilkprof-report --format=json phases-gcc cilkprof.out >got
holds 'in JSON as well' grep -q '"runtime":"/.*omp[^"]*","in_place_of":"/.*/libgomp\.so[^"]*"' got
# lock_kind PROGRAM: how the runtime was set.
lock_kind() {
  KMP_SETTINGS=1 cilkprof-run -j 2 "./$1" imbalance 2>&1 | sed -n '/Effective/,$s/^ *KMP_LOCK_KIND=//p'
}
equal 'a lock does not pass to a thread without a processor' futex "$(lock_kind phases-gcc)"
equal 'unless the user chose another' tas "$(KMP_LOCK_KIND=tas lock_kind phases-gcc)"
if [ -x phases-clang ]; then
  launch -j 2 ./phases-clang imbalance
  cilkprof-report -b --waste phases-clang cilkprof.out >got
  holds 'a runtime that has its own place' grep -q '^  Runtime: *[^ ]*omp[^ ]*$' got
  equal 'is as it is' "$(OMP_NUM_THREADS=2 KMP_SETTINGS=1 ./phases-clang imbalance 2>&1 | sed -n '/Effective/,$s/^ *KMP_LOCK_KIND=//p')" \
    "$(lock_kind phases-clang)"
fi

strip -o stripped phases-gcc
launch -j 2 ./stripped imbalance
cilkprof-report --top-down=0 stripped cilkprof.out >top-down.txt
true_that 'code without symbols is work' "$(value 3 '<stripped>') > 10 * $(value 9 '<stripped>')"

# Functions that LLVM's runtime lacks would be libgomp's, beside it.
printf 'void GOMP_scope_start(void **);\nint main(int c, char **v) { (void)v; if (c > 9) GOMP_scope_start(0); return 0; }\n' >lacks.c
gcc -O2 lacks.c -fopenmp -o lacks 2>compiler || give_up 'GOMP_scope_start' compiler
launch ./lacks
equal 'a function that libomp lacks: status' 125 $status
says 'a function that libomp lacks: a line' './lacks: it calls GOMP_scope_start, which this libomp does not provide'
# A library without a name of its own is needed by its path.
printf 'void GOMP_scope_start(void **);\nvoid begin(void) { GOMP_scope_start(0); }\n' >begin.c
printf 'void begin(void);\nint main(int c, char **v) { (void)v; if (c > 9) begin(); return 0; }\n' >by-path.c
gcc -O2 -shared -fPIC begin.c -fopenmp -o libbegin.so && gcc -O2 by-path.c "$PWD/libbegin.so" -fopenmp -o by-path ||
  give_up 'a library by its path'
launch ./by-path
equal 'a library that is needed by its path calls it: status' 125 $status
says 'a library that is needed by its path calls it: a line' './by-path: it calls GOMP_scope_start, which this libomp'
finish
