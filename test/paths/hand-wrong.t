#!/bin/sh
# Forks by hand that are wrong, and ends of threads and of the program: one line says so, the profile is incomplete where
# numbers are, and the program runs as it does by itself.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"
equal() {
  echo "$2" >wanted
  echo "$3" >got
  same "$1" wanted got
}

cat >wrong.c <<'END'
#include <cilkprof.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile double sink;
static uint64_t task, other;
static void work(void) {
  for (int i = 1; i < 1000000; i++)
    sink += 1.0 / i;
}
static void whole(const char *name) {
  uint64_t made = cilkprof_spawn(name);
  cilkprof_task_begin(made);
  work();
  cilkprof_task_end(made);
}
static void in_thread(void *(*function)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, NULL);
  pthread_join(thread, NULL);
}
static void *begins(void *unused) {
  cilkprof_task_begin(task);
  work();
  return unused;
}
static void *ends(void *unused) {
  work();
  cilkprof_task_end(task);
  return unused;
}
static void *dies(void *unused) {
  cilkprof_task_begin(task);
  other = cilkprof_spawn("below");
  cilkprof_task_begin(other);
  pthread_exit(unused);
}
static void *spawns(void *unused) {
  whole("outside");
  return unused;
}
static void *leaves(void *unused) {
  cilkprof_task_begin(task);
  exit(7);
  return unused;
}
static void handler(int signal) {
  (void)signal;
  uint64_t made = cilkprof_spawn("handler");
  cilkprof_task_begin(made), cilkprof_task_end(made);
}
static void forks(void) {
  fflush(NULL);
  if (!fork()) {
    cilkprof_task_end(task);
    whole("child");
    cilkprof_sync();
    exit(3);
  }
  int status;
  wait(&status);
  printf("child %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  char *name = strdup(what);
#define CASE(word) else if (!strcmp(what, word))
  if (!*what)
    return 1;
  CASE("right") whole("right");
  CASE("nothing") cilkprof_sync(), cilkprof_sync();
  CASE("unsynced") whole("a"), whole("b");
  CASE("unbegun") cilkprof_task_end(cilkprof_spawn("a"));
  CASE("twice") {
    task = cilkprof_spawn("a");
    cilkprof_task_begin(task), cilkprof_task_begin(task), cilkprof_task_end(task);
  }
  CASE("again") {
    task = cilkprof_spawn("a");
    cilkprof_task_begin(task), cilkprof_task_end(task), cilkprof_task_end(task), cilkprof_sync();
  }
  CASE("stale") {
    task = cilkprof_spawn("a");
    cilkprof_task_begin(task), cilkprof_task_end(task);
    other = cilkprof_spawn("a"); /* has its room */
    cilkprof_task_begin(task);
    cilkprof_task_begin(other), cilkprof_task_end(other), cilkprof_sync();
  }
  CASE("garbage") for (uint64_t i = 1; i; i <<= 1) cilkprof_task_begin(i), cilkprof_task_end(~i);
  CASE("crossed") {
    task = cilkprof_spawn("a"), other = cilkprof_spawn("b");
    cilkprof_task_begin(task), cilkprof_task_begin(other);
    cilkprof_task_end(task), cilkprof_task_end(other), cilkprof_task_end(task);
  }
  CASE("moved") task = cilkprof_spawn("a"), in_thread(begins), in_thread(ends), cilkprof_sync();
  CASE("never") task = cilkprof_spawn("a"), cilkprof_task_begin(task), work();
  CASE("queued") for (int i = 0; i < 300000; i++) cilkprof_spawn(i % 2 ? "a" : NULL);
  CASE("dies") task = cilkprof_spawn("a"), in_thread(dies), work();
  CASE("outside") in_thread(spawns);
  CASE("early") cilkprof_spawn("a"), cilkprof_sync();
  CASE("waits") cilkprof_wait(), work();
  CASE("waits inside") {
    task = cilkprof_spawn("a");
    cilkprof_task_begin(task), cilkprof_wait(), cilkprof_task_end(task), cilkprof_sync();
  }
  CASE("exits") task = cilkprof_spawn("a"), cilkprof_task_begin(task), work(), exit(7);
  CASE("exits there") task = cilkprof_spawn("a"), in_thread(leaves);
  CASE("leaves") whole("a"), fflush(NULL), _exit(7);
  CASE("execs") {
    whole("a"), cilkprof_sync();
    execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
  }
  CASE("forks") whole("a"), forks(), whole("b"), cilkprof_sync();
  CASE("forks inside") {
    task = cilkprof_spawn("a");
    cilkprof_task_begin(task), forks(), cilkprof_task_end(task), cilkprof_sync();
  }
  CASE("signals") {
    signal(SIGALRM, handler);
    ualarm(1000, 1000);
    for (int i = 0; i < 100000; i++) {
      task = cilkprof_spawn("a");
      cilkprof_task_begin(task), cilkprof_task_end(task), cilkprof_sync();
    }
    ualarm(0, 0);
  }
  CASE("names") {
    whole(NULL), whole(""), whole(name);
    strcpy(name, "xxxxx");
    whole(name);
    free(name);
    name = calloc(1, 100000);
    memset(name, '"', 99999);
    whole(name);
    whole("\n\033<&>'\xff");
  }
  CASE("many names") for (int i = 0; i < 20000; i++) {
    char text[16];
    sprintf(text, "%d", i);
    task = cilkprof_spawn(text);
    cilkprof_task_begin(task), cilkprof_task_end(task), cilkprof_sync();
  }
  CASE("errno") {
    errno = 77;
    task = cilkprof_spawn("a");
    cilkprof_task_begin(task), cilkprof_task_end(task), cilkprof_wait(), cilkprof_sync();
    printf("errno %d\n", errno);
  }
  puts(what);
  return 5;
}
END
gcc -g -O1 -I"$TOP/libcilkprof/include" wrong.c -o wrong -lpthread >compiler-said 2>&1 || give_up 'wrong.c compiles' compiler-said

# tried WHAT MESSAGE: the program does what it does by itself, and one line, if any, begins with MESSAGE.
tried() {
  ./wrong "$1" >alone 2>&1
  alone=$?
  rm -f cilkprof.out
  timeout 60 cilkprof run ./wrong "$1" >out 2>errors
  equal "$1: its status" $alone $?
  same "$1: what it prints" alone out
  grep -v '^cilkprof: next: ' errors | sed 's/^cilkprof: //; s/:.*//' >lines
  echo "$2" | tr ' ' '\n' | sed '/^$/d' >wanted
  same "$1: what is said" wanted lines
  timeout 60 cilkprof-report -b wrong cilkprof.out >report 2>errors
  holds "$1: the profile can be read" test $? = 0
  grep -c 'Incomplete run' report >found
  test -z "$2" && expected=0 || expected=1
  equal "$1: that it is incomplete" $expected "$(cat found)"
}
for what in right nothing unsynced forks 'forks inside' leaves execs signals names errno; do
  tried "$what" ''
done
tried unbegun 'cilkprof_task_end cilkprof_task_end'
tried twice cilkprof_task_begin
tried again cilkprof_task_end
tried stale cilkprof_task_begin
tried garbage 'cilkprof_task_begin cilkprof_task_end'
tried crossed cilkprof_task_end
for what in never queued dies 'exits there' exits; do
  tried "$what" cilkprof_task_end
done
tried moved 'cilkprof_task_end cilkprof_sync cilkprof_task_end'
tried outside cilkprof_spawn
tried early 'cilkprof_sync cilkprof_task_end'
tried waits cilkprof_wait
tried 'waits inside' cilkprof_wait
tried 'many names' ''

# OpenMP beside tasks is measured, and inside of them it is not.
cat >mixed.c <<'END'
#include <cilkprof.h>
#include <stdio.h>
#include <string.h>
static double team(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int k = 1; k <= 8; k++)
    for (int i = 1; i < 1000000; i++)
      sum += 1.0 / i / k;
  return sum;
}
int main(int argc, char **argv) {
  double sum = argc > 2 ? team() : 0;
  uint64_t task = cilkprof_spawn("a");
  cilkprof_task_begin(task);
  sum += strcmp(argv[1], "in") ? 0 : team();
  cilkprof_task_end(task);
  cilkprof_sync();
  printf("%.3f\n", sum + team());
  return 0;
}
END
gcc -g -O1 -fopenmp -I"$TOP/libcilkprof/include" mixed.c -o mixed >compiler-said 2>&1 || give_up 'mixed.c compiles' compiler-said
for how in 'in' 'in again' 'out' 'out again'; do
  ./mixed $how >alone
  timeout 60 cilkprof run -j2 ./mixed $how >out 2>errors
  equal "mixed $how: its status" 0 $?
  same "mixed $how: what it prints" alone out
  case $how in in*) expected=1 ;; *) expected=0 ;; esac
  equal "mixed $how: whether it is said" $expected "$(grep -c '^cilkprof: OpenMP: ' errors)"
done
finish
