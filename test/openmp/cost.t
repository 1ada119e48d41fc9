#!/bin/sh
# What is measured at less cost: tasks that are one call, loops whose iterations are all alike, locks under which little is
# done.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

# events NAME OPTION...: the events that the code of NAME.c calls.
events() {
  file=$1
  shift
  compile -O2 -fcilkprof=count -include unit.h "$@" -S "$file.c" -o "$file.s"
  grep -o '__cilkprof_o_[a-z_]*' "$file.s" | sort -u >events
}
# calls NAME EVENT...: these among them.
calls() {
  what=$1
  shift
  for event; do holds "$what: it calls $event" grep -qx "__cilkprof_o_$event" events; done
}
lacks() {
  what=$1
  shift
  for event; do holds "$what: it does not call $event" sh -c "! grep -qx __cilkprof_o_$event events"; done
}

# task NAME CLAUSES BODY: of a function that has more to do.
task() {
  cat >task.c <<EOC
__attribute__((noinline)) int f(int a, int b) { work(a); return a + b; }
struct pair { int a, b; };
int make(int a, int b, int *array, struct pair pair) {
  int x = 0;
  work(1);
#pragma omp task shared(x) $2
  $3
#pragma omp taskwait
  return x;
}
int main(int argc, char *argv[]) {
  int array[8] = {0};
  (void)argv;
  return make(argc, 2, array, (struct pair){1, 2}) < 0;
}
EOC
  events task -fopenmp
}
one_call() {
  task "$@"
  calls "$1" task_call
  lacks "$1" task_begin block_end task_call_if
}
conditional_call() {
  task "$@"
  calls "$1" task_call_if
  lacks "$1" task_begin block_end task_call
}
block() {
  task "$@"
  calls "$1" task_begin block_end
  lacks "$1" task_call task_call_if
}
one_call 'a call' '' 'f(a, b);'
one_call 'its result' '' 'x = f(a, b);'
one_call 'braces' '' '{ x = f(a, b); }'
one_call 'arguments that are computed' 'untied mergeable' 'x = f(a + 3 * b, array[a] - 1);'
one_call 'one that a condition decides' '' 'x = f(a > b ? array[a] : b > 7 ? array[b] : -1, b);'
one_call 'copies of scalars' 'firstprivate(a, b)' 'x += f(a, b);'
one_call 'a result elsewhere' 'firstprivate(array)' 'array[b] = f(a, pair.b);'
block 'two calls' '' '{ x = f(a, b); f(b, a); }'
block 'a condition' '' 'if (a > b) x = f(a, b);'
conditional_call 'a condition for the task' 'if(a > b)' 'x = f(a, b);'
conditional_call 'a final task' 'final(a > b)' 'x = f(a, b);'
block 'a dependence' 'depend(out: x)' 'x = f(a, b);'
block 'a loop' '' 'for (int i = 0; i < a; i++) x += f(a, i);'
block 'code of other units' '' 'x = rand();'
task 'a nested task' '' "
#pragma omp task
f(a, b);"
calls 'a task that only makes one' task_begin task_call

# Its row is that of the function, and the report knows it for a task.
cat >rows.c <<'EOC'
__attribute__((noinline)) static void pieces(int n) {
  if (n == 0) return;
#pragma omp task
  pieces(n - 1);
#pragma omp task
  pieces(n - 1);
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel
#pragma omp single
  pieces(10);
  return 0;
}
EOC
openmp rows
equal 'tasks that are calls are spawns' 2046 "$(whole Spawns)"
lacks_row=$(grep -c 'omp task' sites.csv)
equal 'the row of one is that of what it calls' 0 "$lacks_row"
cilkprof-report --verdict rows rows.prof >verdict 2>&1
holds 'the verdict speaks of tasks' grep -q 'made a task' verdict

# Outside of a region, and in a final task, it is called: and yet a task, whose children are its own.
cat >included.c <<'EOC'
__attribute__((noinline)) static void inner(void) {
  work(1);
#pragma omp taskwait
  work(1);
}
int main(void) {
#pragma omp task
  inner();
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    work(9);
#pragma omp task
    inner();
#pragma omp task final(1)
    {
#pragma omp task
      inner();
      work(1);
    }
  }
  return 0;
}
EOC
openmp included
spans 'a taskwait in a task that is a call does not wait for those around it' 11
equal 'tasks that are not deferred are no spawns' 3 "$(whole Spawns)"

# A final one is final to its end, and so is what runs in it; what made it is not.  A condition is asked each time.
cat >clauses.c <<'EOC'
#include <omp.h>
static int finals;
__attribute__((noinline)) static void inner(int n) {
  work(1);
  finals += omp_in_final();
  if (n > 0) {
#pragma omp task
    inner(n - 1);
#pragma omp task if(n % 2)
    inner(0);
  }
#pragma omp taskwait
}
__attribute__((noinline)) static void outer(int n) {
  for (int i = 0; i < n; i++) {
#pragma omp task final(i % 2 == 0)
    inner(2);
  }
  finals += 100 * omp_in_final();
#pragma omp taskwait
}
int main(void) {
#pragma omp task final(1)
  outer(1);
  finals += 1000 * omp_in_final();
#pragma omp parallel
#pragma omp single
  outer(4);
  return finals != 5 + 100 + 2 * 5;
}
EOC
openmp clauses
equal 'tasks of conditions that hold are spawns, but for those of final ones' 10 "$(whole Spawns)"

# loop NAME BODY: of 100 iterations.
loop() {
  cat >loop.c <<EOC
static double a[100][100], b[100][100];
void sweep(int n, const int *rows) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) $2
  (void)n, (void)rows;
}
int main(int argc, char *argv[]) {
  int rows[100] = {0};
  (void)argv;
  sweep(argc, rows);
  return a[3][3] != 0;
}
EOC
  events loop -fopenmp
}
alike() {
  loop "$@"
  lacks "$1" iterate
}
unlike() {
  loop "$@"
  calls "$1" iterate
}
alike 'a row' 'for (int j = 0; j < 100; j++) a[i][j] = 2 * b[i][j];'
alike 'a row of a length that does not change' 'for (int j = 0; j < n; j++) a[i][j] = 2 * b[i][j];'
alike 'three loops' 'for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) a[i][j] += b[i][k] * b[k][j];'
alike 'two loops' '{ for (int j = 0; j < n; j++) a[i][j] = 1; for (int j = 0; j < 100; j++) a[i][j] += b[i][j]; }'
unlike 'a triangle' 'for (int j = 0; j < i; j++) a[i][j] = 2 * b[i][j];'
unlike 'rows of their own lengths' 'for (int j = 0; j < rows[i]; j++) a[i][j] = 2 * b[i][j];'
unlike 'some rows' 'if (rows[i]) for (int j = 0; j < 100; j++) a[i][j] = 2 * b[i][j];'
unlike 'a search' 'for (int j = 0; j < 100 && b[i][j] > 0; j++) a[i][j] = 2 * b[i][j];'
unlike 'what depends on data' 'for (int j = 0; j < 100; j++) if (b[i][j] > 3) a[i][j] = a[j][i] / b[i][j] / n;'

# locks NAME BODY: of 100 iterations, in which one processor at a time does something.
locks() {
  cat >locks.c <<EOC
#include <omp.h>
long total, a[100];
double real;
void sweep(int n) {
#pragma omp for
  for (int i = 0; i < 100; i++) {
    $2
  }
  (void)n;
}
int main(int argc, char *argv[]) {
  (void)argv;
  sweep(argc);
  return total < 0 || real < 0;
}
EOC
  events locks -fopenmp
}
atomic='
#pragma omp atomic'
critical='
#pragma omp critical
   '
locks 'an atomic operation' "$atomic
    total += i;"
calls 'an atomic operation' locked_series
lacks 'an atomic operation' block_end locked
locks 'one behind a call' "srand(i); $atomic
    total += i;"
calls 'one behind a call' locked
lacks 'one behind a call' block_end
locks 'one that is a loop' "$atomic
    real += i;"
calls 'one that is a loop' locked
lacks 'one that is a loop' block_end
locks 'a short critical section' "$critical if (a[i] > total) total = a[i] / n;"
calls 'a short critical section' locked
lacks 'a short critical section' block_end timing
locks 'one with a call' "$critical { total++; work(1); }"
calls 'one with a call' block_begin block_end
locks 'one with a loop' "$critical for (int j = 0; j < n; j++) total += a[j];"
calls 'one with a loop' block_begin block_end

locks 'a lock that is set and unset' 'extern omp_lock_t lock; omp_set_lock(&lock); total++; omp_unset_lock(&lock);'
calls 'a lock that is set and unset' locked_series
lacks 'a lock that is set and unset' block_end timing call counted_call foreign_returned

# Setting and unsetting a lock takes longer than the few instructions of the calls, and is part of the work: in the mode in
# which they are counted and not timed, these numbers are always the same.
cat >operations.c <<'EOC'
#include <omp.h>
static long total, under;
static omp_lock_t lock;
int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) {
#pragma omp atomic
    total += i;
    omp_set_lock(&lock);
    under++;
    omp_unset_lock(&lock);
#pragma omp critical (real)
    under++;
  }
  return total < 0 || under < 0;
}
EOC
compile -O2 -fopenmp -fcilkprof operations.c -o operations
profile operations
each() {
  true_that "$1: each takes about $2 instructions" \
    "$(field "$1" on_work_local_work) >= 1000 * $2 && $(field "$1" on_work_local_work) < 1000 * ($2 + 10)"
}
each 'omp atomic (total)' 32
each 'omp lock operations.c:10' 50 # unsetting it; it is set before it is held
each 'omp critical (real)' 100
openmp operations
true_that 'where instructions are counted, the calls are nothing but calls' \
  "$(field 'omp critical (real)' on_work_local_work) < 10000"

# As many invocations as there are, and as much work as where it is a block.
cat >locked.c <<'EOC'
static long total;
static double real;
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) {
#pragma omp atomic
    total += i;
  }
#pragma omp parallel for
  for (int i = 0; i < 500; i++) {
#pragma omp critical (real)
    if (i % 3) real += i;
  }
  return total < 0 || real < 0;
}
EOC
for form in outline inline; do
  openmp locked -fcilkprof-$form
  equal "$form: atomic operations" 1000 "$(field 'omp atomic (total)' on_work_local_count)"
  equal "$form: critical sections" 500 "$(field 'omp critical (real)' on_work_local_count)"
  grep 'omp atomic\|omp critical' sites.csv >$form.csv
done
holds 'they are what they are as blocks' cmp -s outline.csv inline.csv

# Where a short loop follows a lock in each iteration, and is timed now and then, the locks are not booked one by one.
cat >often.c <<'EOC'
#include <omp.h>
static double a[100];
static omp_lock_t lock;
static long total;
int main(int argc, char *argv[]) {
  double *row = a;
  (void)argv;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    int first = omp_get_thread_num();
#pragma omp for
    for (int i = 0; i < 10000; i++) {
      omp_set_lock(&lock);
      total++;
      omp_unset_lock(&lock);
      for (int j = first; j < 30 * argc; j++) row[j] += i;
    }
  }
  return total != 10000;
}
EOC
if [ -z "$RUN" ] && command -v valgrind >/dev/null; then
  compile -O2 -fopenmp -fcilkprof often.c -o often
  valgrind --tool=callgrind --compress-strings=no --callgrind-out-file=often.calls ./often >valgrind.log 2>&1
  begun=$(awk '/^cfn=/ { ours = /=__cilkprof_begin_series(.[0-9]+)?$/ } /^calls=/ && ours { sub(/calls=/, ""); sum += $1 }
               END { print sum + 0 }' often.calls)
  true_that 'a series of locks outlasts timed strands' "$begun > 0 && $begun < 1000"
fi

# Work and span are what they are where iterations are told apart.
cat >rows.c <<'EOC'
static volatile double a[64][50];
int main(void) {
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 50; j++) { a[i][j] = a[i][j] + j; KEPT }
  return 0;
}
EOC
openmp rows -DKEPT=
alike=$(whole Parallelism)
openmp rows '-DKEPT=if (a[i][0] < -1) work(1);'
true_that 'the parallelism is that of iterations that are told apart' "$alike > 0.8 * $(whole Parallelism) && $alike < 1.25 * $(whole Parallelism)"
finish
