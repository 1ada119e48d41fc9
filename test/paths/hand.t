#!/bin/sh
# Forks by hand (<cilkprof.h>): what the program says has the work and span of its structure, in one thread and in several,
# and what it says wrongly is said once, and never a crash.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"
equal() {
  echo "$2" >wanted
  echo "$3" >got
  same "$1" wanted got
}

# A pool of threads with a queue, and shapes of work on it.  With - in place of the number of threads, each task runs at
# once in the thread that spawns it.
cat >pool.c <<'END'
#include <cilkprof.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct job {
  void (*function)(int);
  int argument;
  uint64_t task;
  struct job *next;
};
static struct job *first, **last = &first;
static int pending, closed, workers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static void run(struct job *job) {
  cilkprof_task_begin(job->task);
  job->function(job->argument);
  cilkprof_task_end(job->task);
}

static void submit(const char *name, void (*function)(int), int argument) {
  struct job *job = (struct job *)malloc(sizeof *job), now = {function, argument, cilkprof_spawn(name), NULL};
  *job = now;
  if (!workers) {
    run(job);
    free(job);
    return;
  }
  pthread_mutex_lock(&lock);
  *last = job;
  last = &job->next;
  pending++;
  pthread_cond_broadcast(&change);
  pthread_mutex_unlock(&lock);
}

/* Runs the next job, with the lock held.  */
static void run_next(void) {
  struct job *job = first;
  if (!(first = job->next))
    last = &first;
  pthread_mutex_unlock(&lock);
  run(job);
  free(job);
  pthread_mutex_lock(&lock);
  pending--;
  pthread_cond_broadcast(&change);
}

static void *serve(void *unused) {
  pthread_mutex_lock(&lock);
  while (first || !closed)
    if (first)
      run_next();
    else
      pthread_cond_wait(&change, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

/* Waits for all jobs, and runs some meanwhile.  */
static void drain(void) {
  cilkprof_wait();
  pthread_mutex_lock(&lock);
  while (pending)
    if (first)
      run_next();
    else
      pthread_cond_wait(&change, &lock);
  pthread_mutex_unlock(&lock);
  cilkprof_sync();
}

static volatile int sink;
static void burn(int ms) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  double end = now.tv_sec + 1e-9 * now.tv_nsec + 1e-3 * ms;
  do {
    for (int i = 0; i < 2000; i++)
      sink = i;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while (now.tv_sec + 1e-9 * now.tv_nsec < end);
}

static void tree(int depth) { /* of 16 leaves of 10: parallelism 16; its inner tasks are waited for by nobody but the last */
  if (!depth)
    burn(10);
  for (int i = 0; depth && i < 2; i++)
    submit("tree", tree, depth - 1);
}
static void chain(int length) { /* 1 */
  burn(10);
  if (length > 1)
    submit(NULL, chain, length - 1);
}
static void equal(int count) { /* 20 of 10 in 4 rounds: 5 */
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < count; i++)
      submit("equal", burn, 10);
    drain();
  }
}
static void unequal(int most) { /* 1 + 2 + ... + 15 by 15: 8 */
  for (int i = 1; i <= most; i++)
    submit("unequal", burn, 2 * i);
  drain();
}
static void serial(int ms) { /* 60 and 3 of 20: 1.5 */
  burn(ms);
  for (int i = 0; i < 3; i++)
    submit(i ? "two" : "one", burn, ms / 3);
  drain();
}

int main(int argc, char **argv) {
  pthread_t threads[16];
  const char *shape = argc > 2 ? argv[2] : "tree";
  workers = argc > 1 ? atoi(argv[1]) : 4;
  for (int i = 0; i < workers; i++)
    pthread_create(&threads[i], NULL, serve, NULL);
  if (!strcmp(shape, "tree"))
    tree(4);
  else if (!strcmp(shape, "chain"))
    chain(8);
  else if (!strcmp(shape, "equal"))
    equal(5);
  else if (!strcmp(shape, "unequal"))
    unequal(15);
  else
    serial(60);
  drain();
  pthread_mutex_lock(&lock);
  closed = 1;
  pthread_cond_broadcast(&change);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < workers; i++)
    pthread_join(threads[i], NULL);
  puts(shape);
  return 7;
}
END
plain() {
  "$@" -Wall -Wextra -Werror -I"$TOP/libcilkprof/include" -lpthread >compiler-said 2>&1 || give_up "$* compiles" compiler-said
}
plain gcc -g -O2 pool.c -o pool
plain g++ -g -O1 -no-pie -x c++ pool.c -o pool-c++
strip -o pool-stripped pool
programs='pool pool-c++ pool-stripped'
! command -v clang >/dev/null || { plain clang -g -O0 pool.c -o pool-clang && programs="$programs pool-clang"; }
parallelism() {
  cilkprof-report -b --summary "$1" cilkprof.out 2>&1 | sed -n 's/^ *Parallelism: *//p'
}
# shaped PROGRAM WORKERS SHAPE PARALLELISM: within 10%, in one of some runs: processor time is not the same in each.
shaped() {
  for try in 1 2 3 4 5 6; do
    timeout 120 cilkprof run "$1" "$2" "$3" >out 2>errors
    status=$?
    found=$(parallelism "$1")
    ! awk "BEGIN { exit !($found >= 0.9 * $4 && $found <= 1.1 * $4) }" || break
  done
  equal "$1 $2 $3: its status" 7 $status
  equal "$1 $2 $3: what it prints" "$3" "$(cat out)"
  equal "$1 $2 $3: nothing else is said" 0 "$(grep -vc '^cilkprof: next: ' errors)"
  holds "$1 $2 $3: its parallelism, $found, is about $4" awk "BEGIN { exit !($found >= 0.9 * $4 && $found <= 1.1 * $4) }"
}
for program in $programs; do
  ./$program 3 tree >out 2>errors
  equal "$program: as it is, without the profiler" '7 tree' "$? $(cat out errors)"
  shaped ./$program 3 serial 1.5
done
for workers in 0 4; do
  for expected in 'tree 16' 'chain 1' 'equal 5' 'unequal 8'; do
    in_turn 2 || continue
    set -- $expected
    shaped ./pool $workers "$1" "$2"
  done
done

# The screen, and the rows: a task is known by its name and its place, and what it calls is below it.
cilkprof ./pool 2 serial >report 2>errors
holds 'the screen has work and span' grep -q '^Work .* parallelism .* 3 spawns' report
tr -s ' \n' ' ' <report >words
holds 'and which code holds the span' grep -Eq "Serial bottleneck: '(burn|serial)'(, with its callees,)? takes [0-9.]*% of the span" words
holds 'nothing on a number of threads' sh -c '! grep -q "OpenMP\|threads" report'
cilkprof-report -b --format=csv pool cilkprof.out >sites.csv
tasks=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["kind"] ~ /spawn/ { print $at["callee"], $at["on_work_local_count"] }' sites.csv | sort)
equal 'tasks by their names' "task one pool.c:$(grep -n 'cilkprof_spawn(name)' pool.c | cut -d: -f1) 1
task two pool.c:$(grep -n 'cilkprof_spawn(name)' pool.c | cut -d: -f1) 2" "$(echo "$tasks" | tr -d '"')"
cilkprof-report -b --regions pool cilkprof.out >report
holds 'a name is a region, too' grep -q ' 2  two$' report
cilkprof ./pool 2 chain >report 2>errors
cilkprof-report -b --format=csv pool cilkprof.out >sites.csv
holds 'without a name, by the place' grep -q "task pool.c:$(grep -n 'cilkprof_spawn(name)' pool.c | cut -d: -f1)" sites.csv

# By their names, as other languages call them.
cat >ffi.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
int main(void) {
  uint64_t (*spawn)(const char *) = (uint64_t (*)(const char *))dlsym(RTLD_DEFAULT, "cilkprof_spawn");
  void (*begin)(uint64_t) = (void (*)(uint64_t))dlsym(RTLD_DEFAULT, "cilkprof_task_begin");
  void (*end)(uint64_t) = (void (*)(uint64_t))dlsym(RTLD_DEFAULT, "cilkprof_task_end");
  void (*sync)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "cilkprof_sync");
  volatile double sum = 0;
  if (!spawn || !begin || !end || !sync)
    return puts("not profiled") < 0;
  for (int i = 0; i < 4; i++) {
    char name[8];
    sprintf(name, "%d", i % 2);
    uint64_t task = spawn(name);
    name[0] = 'x';
    begin(task);
    for (int k = 1; k < 3000000; k++)
      sum += 1. / k;
    end(task);
  }
  sync();
  return puts("profiled") < 0;
}
END
gcc -g -O1 ffi.c -o ffi || give_up 'ffi.c compiles'
equal 'without the profiler there is no such function' 'not profiled' "$(./ffi)"
cilkprof run ./ffi >out 2>errors
holds 'who has no section must be named' grep -q -- '--forks' errors
cilkprof run --forks ./ffi >out 2>errors
equal 'with --forks there is' 'profiled' "$(cat out)"
found=$(parallelism ./ffi)
holds "and its parallelism, $found, is about 4" awk "BEGIN { exit !($found > 2.5 && $found < 4.5) }"
cilkprof-report -b --regions ffi cilkprof.out >report
holds 'names are copied' grep -q ' 2  1$' report

# In a library.
sed 's/int main(/int library_main(/' pool.c >library.c
plain gcc -g -shared -fPIC library.c -o liblibrary.so
echo 'int library_main(int, char **); int main(int c, char **v) { return library_main(c, v); }' >user.c
gcc user.c -o user -L. -llibrary -Wl,-rpath,"$PWD" || give_up 'user.c compiles'
shaped ./user 2 serial 1.5
# Who includes the header for other things does not fork by hand; and a static program cannot be watched.
printf '#include <cilkprof.h>\nint main(void) { cilkprof_start("x"); cilkprof_stop("x"); return 0; }\n' >regions.c
plain gcc regions.c -o regions
cilkprof run ./regions >out 2>errors
holds 'regions are not forks' grep -q 'regions: not compiled for profiling' errors
plain gcc -static pool.c -o static
cilkprof run ./static >out 2>errors
holds 'a static program is refused' grep -q 'static: static programs' errors
equal 'and runs by itself' 7 "$(./static >/dev/null; echo $?)"
cilkprof waste ./pool >out 2>errors
holds 'what is wasted is not measured' grep -q 'pool: of forks by hand only work and span are measured' errors
finish
