#!/bin/sh
# What waits for what: the span of programs whose strands are known.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

# in_team NAME UNITS OPTION...: the span of statements in a single construct of a parallel region, on standard input.
# Functions before it, as `functions' has them.
functions=
in_team() {
  what=$1 units=$2
  shift 2
  {
    printf '%s\n' "$functions"
    echo 'int a, b, c; int main(void) {'
    echo '#pragma omp parallel'
    echo '#pragma omp single'
    echo '{'
    cat
    echo '}'
    echo 'return 0; }'
  } >program.c
  openmp program "$@"
  spans "$what" "$units"
}

# Of what it costs: one unit, called, is one unit.
in_team 'a call' 1 <<'EOC'
work(1);
EOC
in_team 'two tasks' 3 <<'EOC'
#pragma omp task
work(3);
#pragma omp task
work(2);
EOC
in_team 'taskwait joins' 5 <<'EOC'
#pragma omp task
work(3);
#pragma omp taskwait
work(2);
EOC
in_team 'a task that is not deferred' 5 <<'EOC'
#pragma omp task if(0)
work(3);
#pragma omp task
work(2);
EOC
in_team 'a final task, and those that it makes' 6 <<'EOC'
#pragma omp task final(1)
{
#pragma omp task
  work(3);
#pragma omp task
  work(2);
  work(1);
}
EOC

# A task moves, which is one burden on the way to it, and not what makes it, which pays a sixteenth.
burdens() {
  equal "$1" "$2" $(($(whole 'Burdened span') - $(whole Span)))
}
in_team 'one task' 2 <<'EOC'
#pragma omp task
work(2);
EOC
burdens 'moves once' 15000
in_team 'tasks that a loop makes' 1 <<'EOC'
for (int i = 0; i < 33; i++)
#pragma omp task
  work(1);
EOC
burdens 'are made one after the other, and then move' $((15000 + 32 * (15000 / 16)))
in_team 'a maker that has more to do' 9 <<'EOC'
#pragma omp task
work(1);
#pragma omp task
{ work(1); work(1); }
work(9);
EOC
burdens 'goes on where it is' $((2 * (15000 / 16)))
in_team 'tasks inside of each other' 3 <<'EOC'
#pragma omp task
{
  work(1);
#pragma omp task
  { work(1); work(1); }
}
EOC
burdens 'move in turn' $((2 * 15000))
in_team 'tasks that depend on each other' 12 <<'EOC'
for (int i = 0; i < 6; i++)
#pragma omp task depend(inout : a)
  work(2);
EOC
burdens 'go on where the one before was' 15000

# A function returns, and its tasks go on.
functions='__attribute__((noinline)) static void later(int n) {
#pragma omp task
  work(n);
}
__attribute__((noinline)) static void deeper(int n) { later(n); later(n - 1); work(1); }
__attribute__((noinline)) static void waiting(void) {
#pragma omp taskwait
  work(1);
}'
in_team 'tasks of functions' 5 <<'EOC'
later(5);
later(4);
deeper(3);
EOC
in_team 'they are joined by their caller' 7 <<'EOC'
deeper(5);
#pragma omp taskwait
work(2);
EOC
equal 'and none of their work is lost' 12 "$(awk "BEGIN { print int($(whole Work) / $unit_cost) }")"
in_team 'a taskwait joins the tasks of callers' 6 <<'EOC'
#pragma omp task
work(5);
work(2);
waiting();
EOC
in_team 'with what they were made by' 7 <<'EOC'
#pragma omp task
work(3);
deeper(5);
waiting();
work(1);
EOC
in_team 'a taskwait does not join what its children made' 6 <<'EOC'
#pragma omp task
{
#pragma omp task
  work(6);
  work(1);
}
#pragma omp taskwait
work(3);
EOC
in_team 'but the end of the region does, and a barrier' 6 <<'EOC'
#pragma omp task
{
#pragma omp task
  {
    later(6);
  }
}
EOC
in_team 'a taskgroup joins all' 9 <<'EOC'
#pragma omp taskgroup
{
#pragma omp task
  {
    later(6);
    work(1);
  }
}
work(3);
EOC
in_team 'a taskgroup joins nothing else' 8 <<'EOC'
#pragma omp task
work(8);
#pragma omp taskgroup
{
#pragma omp task
  work(2);
}
work(3);
EOC

# Dependences, also between tasks that different functions make.
functions='__attribute__((noinline)) static void step(int *p, int n) {
#pragma omp task depend(inout: *p)
  work(n);
}
__attribute__((noinline)) static void look(int *p, int n) {
#pragma omp task depend(in: *p)
  work(n);
}'
in_team 'a chain' 6 <<'EOC'
for (int i = 0; i < 3; i++) step(&a, 2);
EOC
in_team 'two chains' 5 <<'EOC'
step(&a, 2); step(&b, 2); step(&a, 2); step(&b, 3);
EOC
in_team 'those that read do not wait for each other' 7 <<'EOC'
step(&a, 2); look(&a, 3); look(&a, 2); look(&a, 1); step(&a, 2);
EOC
in_team 'nor those that only exclude each other' 7 <<'EOC'
step(&a, 2);
#pragma omp task depend(mutexinoutset: a)
work(3);
#pragma omp task depend(mutexinoutset: a)
work(2);
look(&a, 2);
EOC
in_team 'a taskwait for one of them' 5 <<'EOC'
step(&a, 3); step(&b, 5);
#pragma omp taskwait depend(in: a)
work(2);
EOC
in_team 'a task that is not deferred waits' 6 <<'EOC'
step(&a, 3);
#pragma omp task if(0) depend(in: a)
work(2);
work(1);
EOC
in_team 'tasks of other tasks do not depend' 4 <<'EOC'
#pragma omp task
{ step(&a, 3); }
#pragma omp task
{ step(&a, 4); }
EOC
in_team 'an object of type omp_depend_t' 5 -fopenmp -include omp.h <<'EOC'
omp_depend_t d;
#pragma omp depobj(d) depend(inout: a)
step(&a, 3);
#pragma omp task depend(depobj: d)
work(2);
EOC
in_team 'of taskgroups, too' 9 <<'EOC'
step(&a, 3);
#pragma omp taskgroup
{ step(&a, 4); work(1); }
work(2);
EOC

# region NAME UNITS: the same in the parallel region.
region() {
  what=$1 units=$2
  shift 2
  {
    echo 'int main(void) {'
    cat
    echo 'return 0; }'
  } >program.c
  openmp program "$@"
  spans "$what" "$units"
}
region 'sections' 4 <<'EOC'
#pragma omp parallel sections
{
#pragma omp section
  work(4);
#pragma omp section
  work(3);
}
EOC
region 'a loop waits at its end' 2 <<'EOC'
#pragma omp parallel
{
#pragma omp for
  for (int i = 0; i < 10; i++) work(1);
#pragma omp for
  for (int i = 0; i < 10; i++) work(1);
}
EOC
region 'with nowait it does not' 1 <<'EOC'
#pragma omp parallel
{
#pragma omp for nowait
  for (int i = 0; i < 10; i++) work(1);
#pragma omp for
  for (int i = 0; i < 10; i++) work(1);
}
EOC
region 'nor does a single construct' 5 <<'EOC'
#pragma omp parallel
{
#pragma omp single nowait
  work(5);
#pragma omp for
  for (int i = 0; i < 10; i++) work(1);
}
EOC
region 'tasks of a loop are joined at its end' 5 <<'EOC'
#pragma omp parallel
{
#pragma omp for
  for (int i = 0; i < 4; i++) {
#pragma omp task
    work(i);
  }
  work(2);
}
EOC
region 'a taskloop without a group' 3 <<'EOC'
#pragma omp parallel
#pragma omp single
{
#pragma omp taskloop nogroup grainsize(1)
  for (int i = 0; i < 10; i++) work(2);
  work(3);
}
EOC
region 'tasks that a region reduces' 6 <<'EOC'
int x = 0, y = 0;
#pragma omp parallel reduction(task, + : x)
{
#pragma omp for reduction(task, + : y)
  for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : y)
    { work(1); y++; }
  }
#pragma omp single
#pragma omp taskloop in_reduction(+ : x) grainsize(1)
  for (int i = 0; i < 4; i++) { work(1); x++; }
#pragma omp sections reduction(task, + : y)
  {
#pragma omp section
    work(1);
#pragma omp section
    {
#pragma omp task in_reduction(+ : y)
      { work(2); y++; }
    }
  }
#pragma omp task in_reduction(+ : x)
  work(2);
}
EOC
region 'regions inside regions' 3 <<'EOC'
#pragma omp parallel for
for (int i = 0; i < 4; i++) {
#pragma omp parallel for
  for (int j = 0; j < 4; j++) work(3);
}
EOC

# A team of one is serial.
region 'num_threads(1)' 4 <<'EOC'
#pragma omp parallel for num_threads(1)
for (int i = 0; i < 4; i++) work(1);
EOC
region 'if(0)' 6 <<'EOC'
#pragma omp parallel if(0)
#pragma omp single
{
#pragma omp task
  work(3);
#pragma omp task
  work(3);
}
EOC
region 'outside of all regions' 7 <<'EOC'
#pragma omp for
for (int i = 0; i < 4; i++) work(1);
#pragma omp task
work(3);
EOC
equal 'and nothing is spawned there' 0 "$(whole Spawns)"

# Contention: it is no part of the span, but said.
region 'a critical section' 1 <<'EOC'
#pragma omp parallel for schedule(dynamic)
for (int i = 0; i < 10; i++) {
#pragma omp critical (table)
  work(1);
}
EOC
holds 'it bounds the speedup' grep -q 'Contention:  *omp critical (table): .* no speedup can exceed 1\.0' summary.txt
holds 'the verdict says so' sh -c "cilkprof-report --verdict program program.prof | tr '\n' ' ' | tr -s ' ' |
  grep -q \"Contention: 'omp critical (table)' at program.c:[0-9]* covers 9[0-9.]*% of the work\""

# Locks of omp.h, where one function sets and unsets them.
region 'a lock' 2 -include omp.h <<'EOC'
omp_lock_t a, b;
omp_init_lock(&a); omp_init_lock(&b);
#pragma omp parallel for schedule(dynamic)
for (int i = 0; i < 10; i++) {
  omp_set_lock(&a);
  for (int j = 0; j < 1; j++) work(1);
  omp_set_lock(&b);
  if (i) work(1);
  omp_unset_lock(&b);
  omp_unset_lock(&a);
  if (i > 5) {
    omp_set_lock(&b);
    if (i == 7) { omp_unset_lock(&b); continue; }
    omp_unset_lock(&b);
  }
}
EOC
holds 'it bounds the speedup, with what is inside of it' grep -q \
  'Contention:  *omp lock program.c:[0-9]*: 11[0-9],[0-9]* instructions; no speedup can exceed 1\.0' summary.txt
equal 'another lock inside it' 10 "$(field 'omp lock program.c:8' on_work_local_count)"

# Several locks that one place sets are no one lock.
region 'an array of locks' 1 -include omp.h <<'EOC'
omp_lock_t locks[10];
for (int i = 0; i < 10; i++) omp_init_lock(&locks[i]);
#pragma omp parallel for schedule(dynamic)
for (int i = 0; i < 10; i++) {
  omp_set_lock(&locks[i]);
  work(1);
  omp_unset_lock(&locks[i]);
}
EOC
equal 'it has a row' 10 "$(field 'omp locks program.c:6' on_work_local_count)"
holds 'and is no bound' sh -c '! grep -q "Contention" summary.txt'

# held LABEL FIELD: of the region of that label, in units of work; LABEL passes: how often.
held() {
  cilkprof-report --csv=regions program program.prof | tr -d '\r' |
    awk -F, -v label="$1" -v field="$2" -v unit=$unit_cost '
      { gsub(/"/, "") } $2 == label { print field == "passes" ? $4 : $3 "/" int($5 / unit) "/" int($6 / unit); exit }'
}

# Locks that one function sets and another unsets, or one on several ways: known by their addresses.
cat >locks.h <<'EOC'
#include <omp.h>
static omp_lock_t one, two, many[4];
static omp_nest_lock_t nest;
__attribute__((noinline)) static void take(omp_lock_t *lock) { omp_set_lock(lock); }
__attribute__((noinline)) static void drop(omp_lock_t *lock) { omp_unset_lock(lock); }
__attribute__((noinline)) static void leave(void) { omp_unset_nest_lock(&nest); }
__attribute__((noinline)) static void recurse(int n) {
  omp_set_nest_lock(&nest);
  work(1);
  if (n) { recurse(n - 1); work(1); }
  leave();
}
EOC
region 'locks of functions' 16 -include locks.h <<'EOC'
omp_init_lock(&one); omp_init_lock(&two); omp_init_nest_lock(&nest);
for (int i = 0; i < 4; i++) omp_init_lock(&many[i]);
#pragma omp parallel for schedule(dynamic)
for (int i = 0; i < 8; i++) { take(&many[i % 4]); work(i % 4 + 1); drop(&many[i % 4]); }
#pragma omp parallel for schedule(dynamic)
for (int i = 0; i < 2; i++) recurse(1);
#pragma omp parallel for schedule(dynamic)
for (int i = 0; i < 5; i++)
  if (omp_test_lock(&two)) {
    work(1);
    if (i == 3) { omp_unset_lock(&two); continue; }
    omp_unset_lock(&two);
  }
omp_set_lock(&one);
work(1);
omp_set_lock(&two);
work(1);
omp_unset_lock(&one);
work(2);
omp_unset_lock(&two);
take(&one);
#pragma omp parallel for schedule(dynamic)
for (int i = 0; i < 4; i++) work(1);
omp_unset_lock(&one);
#pragma omp parallel
#pragma omp single
{
#pragma omp task
  { omp_set_lock(&two); work(1); }
  work(2);
#pragma omp task
  { omp_unset_lock(&two); work(1); }
}
EOC
equal 'what all of a place did' 0/24/21 "$(held 'omp locks locks.h:4' units)"
equal 'and the busiest of them' 0/8/8 "$(held 'omp lock locks.h:4 (the busiest of 5)' units)"
equal 'a lock that nests' 0/6/6 "$(held 'omp lock locks.h:8' units)"
equal 'is held until the last is unset' 2 "$(held 'omp lock locks.h:8' passes)"
equal 'a lock that is tested' 0/5/5 "$(held 'omp lock program.c:10' units)"
equal 'and unset at two places' 5 "$(held 'omp lock program.c:10' passes)"
equal 'two that overlap: one' 0/2/2 "$(held 'omp lock program.c:15' units)"
equal 'and the other' 0/3/3 "$(held 'omp lock program.c:17' units)"
equal 'set by one task, and unset by another' 1/3/3 "$(held 'omp lock program.c:30' units)"
holds 'the busiest bounds the speedup' grep -q 'Contention:  *omp lock locks.h:4 (the busiest of 5): 48,' summary.txt
for form in -fcilkprof-inline -fcilkprof-outline; do
  openmp program -include locks.h $form
  equal "$form: the same" '0/24/21 0/6/6' "$(held 'omp locks locks.h:4' units) $(held 'omp lock locks.h:8' units)"
done

# In C++: a class that sets and unsets it, left by an exception.
cat >guard.cc <<'EOC'
#include <omp.h>
struct guard {
  omp_lock_t &lock;
  guard(omp_lock_t &l) : lock(l) { omp_set_lock(&lock); }
  ~guard() { omp_unset_lock(&lock); }
};
static omp_lock_t lock;
int main() {
  omp_init_lock(&lock);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 4; i++)
    try {
      guard held(lock);
      work(1);
      if (i == 2) throw i;
      work(1);
    } catch (int) {
      work(3);
    }
}
EOC
for level in -O1 -O2; do
  c++ $level -fopenmp -fcilkprof=count -include unit.h guard.cc -o program || give_up 'C++'
  profile program
  equal "$level: it is held for so long" 0/7/7 "$(held 'omp lock guard.cc:4' units)"
  equal "$level: so often" 4 "$(held 'omp lock guard.cc:4' passes)"
done

# Atomic operations: by the variable, or by the place; what is operated with is computed before.
cat >units.h <<'EOC'
static int sum, counts[3];
static struct { int first, second; } pair;
static inline int units(int n) { work(n); return n; }
EOC
region 'atomic operations' 1 -include units.h <<'EOC'
#pragma omp parallel for schedule(dynamic)
for (int i = 0; i < 10; i++) {
  int before;
#pragma omp atomic
  sum += units(1);
#pragma omp atomic capture
  before = sum++;
#pragma omp atomic write
  pair.second = before;
#pragma omp atomic
  counts[i % 3]++;
}
EOC
equal 'of a variable, at two places' 2 "$(grep -c 'omp atomic (sum)' sites.csv)"
equal 'of a part of one' 10 "$(field 'omp atomic (pair.second)' on_work_local_count)"
equal 'of one of several' 10 "$(field 'omp atomic program.c:11' on_work_local_count)"
true_that 'without what is computed before' "$(field 'omp atomic (sum)' on_work_top_call_site_work) < 500"
holds 'it bounds the speedup' grep -q 'Contention:  *omp atomic (sum): .* no speedup can exceed [0-9]' summary.txt
holds 'but not where it is of several' sh -c '! grep -q "Contention.*program.c" summary.txt'

# A way without an event that parts from the others behind where these meet: its return leaves the frame as theirs do, and
# what is called next, in another unit, is nobody else's.
cat >ways.c <<'EOC'
extern void elsewhere(void);
__attribute__((noinline)) static int ways(int n) {
  int units = 1;
  if (n < 0) goto out;
  if (n == 0) return 7;
#pragma omp task
  work(1);
#pragma omp taskwait
out:
  sink += units;
  return units;
}
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = -1; i < 2; i++) {
    ways(i);
    elsewhere();
  }
  return 0;
}
EOC
cat >elsewhere.c <<'EOC'
void elsewhere(void) {
#pragma omp task
  work(1);
#pragma omp taskwait
}
EOC
for form in -fcilkprof-inline -fcilkprof-outline; do
  compile -O2 -fopenmp -fcilkprof=count $form -include unit.h ways.c elsewhere.c -o ways
  profile ways
  spans "a return without an event before, $form" 4
done

# What if: a task goes on behind the candidate that made it, and a candidate waits for a task from outside.
whatif() {
  CILKPROF_WHATIF=$1 CILKPROF_OUT=left.prof $RUN ./left 2>left.stderr
  "$BUILD_DIR/test/libcilkprof/whatifs" left.prof | awk -v faster="$2" '$2 == faster { print $5 }'
}
cat >left.c <<'EOC'
__attribute__((noinline)) static void makes(void) {
#pragma omp task
  work(8);
  work(1);
}
__attribute__((noinline)) static void waits(void) {
  work(4);
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    work(6);
    makes();
    waits();
    work(2);
  }
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=whatif -include unit.h left.c -o left
about() {
  true_that "$1: $2 units" "$3 >= $2 * $unit_cost && $3 < ($2 + 0.5) * $unit_cost"
}
compile -O2 -fopenmp -fcilkprof=count -include unit.h left.c -o count
profile count
equal 'the command that asks' 'cilkprof cc -O2 -fopenmp -fcilkprof=whatif left.c -o ./count-whatif' "$(cilkprof-report --whatif=auto count count.prof | grep '^cilkprof cc')"
about 'what if the maker of a task cost nothing' 8 "$(whatif makes 0)"
about 'what if it were twice as fast' 16 "$(whatif makes 2)" # in halves: 6 of the other task, and 2
about 'what if what waits for both cost nothing' 10 "$(whatif waits 0)"
about 'what if the waiting were four times as fast' 40 "$(whatif waits/4 4)"

# Roots: a root invocation that waits for its tasks is measured; one that does not, or waits for others, is left out.
cat >roots.c <<'EOC'
__attribute__((noinline)) static void whole(void) {
#pragma omp task
  work(3);
  work(1);
#pragma omp taskwait
}
__attribute__((noinline)) static void leaves(void) {
#pragma omp task
  work(3);
}
__attribute__((noinline)) static void waits(void) {
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel
#pragma omp single
  {
    whole();
    leaves();
    waits();
  }
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count -include unit.h roots.c -o roots
CILKPROF_ROOT=whole,leaves,waits profile roots
equal 'which roots are left out' 'leaves waits' "$(sed -n 's/^cilkprof: \(.*\): some invocations cannot be measured.*/\1/p' roots.stderr | sort | paste -sd ' ')"
cilkprof-report --root=whole --summary -b roots roots.prof >summary.txt
spans 'a root that waits for its task' 3
finish
