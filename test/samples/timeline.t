#!/bin/sh
# The timeline of real runs, of Cilk and of OpenMP: threads, tasks that others took, locks, regions.  What is said holds
# however busy the machine is.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"
. "$TOP/test/report/trace.sh"
unset OMP_NUM_THREADS OMP_TOOL OMP_TOOL_LIBRARIES LD_PRELOAD

cat >program.c <<'EOC'
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include "burn.h"

static _Atomic int together;

/* Until both have begun: then another thread has taken the task.  */
APART meet(void) {
  together++;
  while (together % 2)
    ;
}
APART before(void) { burn(0.05); sink = 1; }
static _Atomic int parent_done;
APART child(void) {
  meet();
  while (!parent_done)
    ;
  burn(0.05);
}
APART parent(void) { meet(); burn(0.02); parent_done = 1; }
APART stolen(void) {
  SPAWN child();
  parent();
  SYNC;
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
APART holder(void) {
  pthread_mutex_lock(&lock);
  meet();
  burn(0.05);
  pthread_mutex_unlock(&lock);
}
APART waiter(void) {
  meet();
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
APART locked(void) {
  SPAWN holder();
  waiter();
  SYNC;
}
#ifdef _OPENMP
/* More tasks than are kept, also if both threads run half of them: the runtime tells of each, taken or not.  */
APART many(void) {
  for (int i = 0; i < 50000; i++) {
    SPAWN sink = i;
  }
  SYNC;
}
#endif
static int run(const char *what) {
  before();
  if (!strcmp(what, "killed"))
    raise(SIGKILL);
  if (!strcmp(what, "stolen"))
    stolen();
  else if (!strcmp(what, "locked"))
    locked();
#ifdef _OPENMP
  else
    many();
#endif
  return 0;
}
int main(int argc, char **argv) {
  int result = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  result = run(argv[argc - 1]);
  return result;
}
EOC
compile -I"$TOP/test/samples" program.c -o cilk
(PATH=/usr/bin:$PATH && gcc -O2 -g -fopenmp -I"$TOP/test/samples" program.c -o openmp) >compiler-said 2>&1 || give_up 'OpenMP compiles' compiler-said
if [ "$(CILK_NWORKERS=2 CILKPROF_SAMPLE=1 ./cilk; cilkprof-report -i cilkprof.out | sed -n 's/^[[:space:]]*workers: .* on \([0-9]*\) processors.*/\1/p')" != 2 ]; then
  echo '1..0 # SKIP there are no two processors'
  exit 0
fi
spawn=$(sed -n '/SPAWN child/=' program.c) single=$(sed -n '/omp parallel/=' program.c)

# recorded PROGRAM WORD: runs it and makes its trace.
recorded() {
  rm -f cilkprof.out
  OMP_NUM_THREADS=2 CILK_NWORKERS=2 timeout 120 cilkprof-run "./$1" "$2" >said 2>&1 || give_up "$* runs" said
  cilkprof-report --format=perfetto "./$1" cilkprof.out >trace 2>said || give_up "$* is exported" said
}
# some NAME FILTER: there is an event for which it holds.
some() {
  holds "$1" jq -e "any(.traceEvents[]; $2)" trace
}

# often COMMAND...: succeeds in one of five tries: a thread that other programs keep from the processor does not wait.
often() {
  for try in 1 2 3 4 5; do
    "$@" && return
  done
  false
}
# waits PROGRAM: whether the parent waits for its child.
waits() {
  recorded "$1" stolen
  jq -e 'any(.traceEvents[]; .ph == "X" and .cat == "waiting")' trace >said
}

for program in cilk openmp; do
  [ $program = cilk ] && task="^stolen program.c:$spawn\$" || task='^task program.c:'
  recorded $program stolen
  schema "$program: the trace is as documented" trace
  some "$program: a thread works at the task" \
    ".ph == \"X\" and .cat == \"working\" and .dur > 20000 and (.name | test(\"$task\"))"
  some "$program: an arrow leads to it" '.ph == "f"'
  some "$program: one is idle" '.ph == "X" and .cat == "idle"'
  holds "$program: nothing is missing" jq -e '.otherData.earlier_changes_not_kept == "0"' trace
  recorded $program locked
  schema "$program: with locks" trace
  some "$program: one waits for the lock while the other has it" '.ph == "X" and .cat == "lock" and .dur > 10000'
  holds "$program: one waits for the other" often waits $program
done
recorded cilk stolen
some 'Cilk: a function that is called in the serial part' '.ph == "X" and .tid == 1 and .name == "before"'
recorded openmp stolen
some 'OpenMP: the region' ".ph == \"b\" and .cat == \"region\" and .name == \"parallel program.c:$single\""
recorded openmp many
schema 'many tasks' trace
holds 'the last ones are kept, and it is said how many are not' \
  jq -e '(.otherData.earlier_changes_not_kept | tonumber) > 1000 and ([.traceEvents[] | select(.ph == "X")] | length) > 1000' trace
# What a killed program leaves: samples without a timeline.
for program in cilk openmp; do
  rm -f cilkprof.out*
  OMP_NUM_THREADS=2 CILK_NWORKERS=2 timeout 120 cilkprof-run "./$program" killed >said 2>&1
  cilkprof-report --waste "./$program" cilkprof.out.*.live >report 2>said
  holds "$program, killed: there are samples" grep -q '[1-9][0-9,]* samples' report
  cilkprof-report --format=perfetto "./$program" cilkprof.out.*.live >trace 2>said
  echo 'cilkprof-report: perfetto: a live file has no timeline: that is written when the program ends' >wanted
  same "$program, killed: it is said why there is no timeline" wanted said
done
recorded openmp many
holds 'the profile is not larger than that' test "$(wc -c <cilkprof.out)" -lt 3000000
finish
