#!/bin/sh
# What the verdict says of OpenMP: loops without a region, too few chunks, blocks that one thread runs, teams, tasks that
# cost more than they do.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

# verdict NAME [OPTION...]: compiles and runs NAME.c, and writes its verdict for 4 processors to NAME.verdict, on one line.
verdict() {
  openmp "$@"
  cilkprof-report --processors=4 --verdict "$1" "$1.prof" | tr -s ' \n' ' ' >"$1.verdict"
}

# says NAME WORDS, says_not NAME WORDS: the verdict has them, or not.
says() {
  holds "$1: $2" grep -qF "$2" "$1.verdict"
}
says_not() {
  holds "$1: not $2" sh -c "[ -s $1.verdict ] && ! grep -qF -- \"$2\" $1.verdict"
}

cat >orphan.c <<'EOC'
static void fill(void) {
#pragma omp for
  for (int i = 0; i < 20; i++) work(1);
}
int main(void) {
#ifdef REGION
#pragma omp parallel
#endif
  fill();
  return 0;
}
EOC
verdict orphan
says orphan 'No parallel region: the omp for at orphan.c:2, 100.0% of the span, needs a parallel region'
says_not orphan 'Serial bottleneck'
says_not orphan 'schedule(dynamic)'

# What the compiler notes on what is not followed is in the verdict, once for each note.
cat >notes.c <<'EOC'
void other(void);
static int ready;
int main(void) {
  int order[100] = {0};
#pragma omp parallel num_threads(2)
  {
#pragma omp for ordered(1)
    for (int i = 1; i < 100; i++) {
#pragma omp ordered depend(sink : i - 1)
      order[i] = order[i - 1] + 1;
      work(1);
#pragma omp ordered depend(source)
    }
    ready = 1;
#pragma omp flush
  }
  other();
  return order[99] != 99;
}
EOC
cat >notes2.c <<'EOC'
void other(void);
void other(void) {
#pragma omp target
  work(1);
}
EOC
verdict notes notes2.c
says notes 'Not followed: '
says notes 'the span ignores dependences between the iterations of a doacross loop (notes.c:7)'
says notes 'the span ignores synchronization through flush (notes.c:15)'
says notes 'target regions are not measured (notes2.c:3)'
cilkprof-report --processors=4 --format=json notes notes.prof >notes.json
holds 'and a code for other programs' grep -q '"not-followed"' notes.json
cp notes.c linked.c
compile -O2 -fopenmp -fcilkprof=count -fPIC -shared -include unit.h notes2.c -o libnotes2.so
verdict linked "-L$PWD" -Wl,--no-as-needed -lnotes2 "-Wl,-rpath,$PWD"
says linked 'synchronization through flush (linked.c:15)'
says linked 'target regions are not measured (notes2.c:3)'
says_not orphan 'Not followed'

cp orphan.c region.c
verdict region -DREGION
says_not region 'No parallel region'

cat >chunks.c <<'EOC'
__attribute__((noinline)) static void step(void) { work(1); }
int main(void) {
#pragma omp parallel for schedule(dynamic, SIZE)
  for (int i = 0; i < 60; i++) step();
  return 0;
}
EOC
verdict chunks -DSIZE=20
says chunks 'Too few pieces: the omp parallel for at chunks.c:3 is divided into 3 chunks of several iterations'
says_not chunks "Parallelise 'step'"
verdict chunks -DSIZE=2
says_not chunks 'Too few pieces'

cat >blocks.c <<'EOC'
__attribute__((noinline)) static void step(void) { work(1); }
int main(void) {
#pragma omp parallel
  {
#pragma omp master
    for (int i = 0; i < 15; i++) step();
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < 10; i++) step();
#pragma omp for
    for (int i = 0; i < 20; i++) step();
  }
  return 0;
}
EOC
verdict blocks
says blocks 'the omp master at blocks.c:5 takes 57'
says blocks 'the omp single at blocks.c:8 takes 38'
says_not blocks "'step' takes"

# A team: it has no more parallelism than threads, its threads are no pieces, its loops are divided.
cat >team.c <<'EOC'
#include <omp.h>
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int id = omp_get_thread_num(), n = omp_get_num_threads();
    work(id < n ? 10 : 0);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 40; i++) work(1);
  }
  return 0;
}
EOC
verdict team
says team 'nearly all that a team of 4 threads can have'
says_not team 'Load imbalance'
says_not team 'Loop on the critical path'
says_not team 'aim for'

# One thread has nearly all: the threads are not equal, and a root would have no team.
cat >uneven.c <<'EOC'
#include <omp.h>
int main(void) {
#pragma omp parallel num_threads(4)
  work(omp_get_thread_num() == 2 ? 40 : omp_get_num_threads());
  return 0;
}
EOC
verdict uneven
says uneven 'Load imbalance: the longest of the 4 threads at uneven.c:3'
says_not uneven '--root'

# Blocks that one thread runs, in a team whose threads divide the rest: what all of them call is not to be parallelised.
cat >divided.c <<'EOC'
#include <omp.h>
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int me = omp_get_thread_num();
#pragma omp master
    for (int i = 0; i < 80; i++) work(1);
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < 40; i++) work(1);
    for (int i = 60 * me; i < 60 * me + 60; i++) work(1);
  }
  return 0;
}
EOC
verdict divided
says divided 'for a team of 4 threads'
says divided 'the omp master at divided.c:6 takes 44.4% of the span'
says_not divided "'work' takes"

# A region inside of a team has one thread by default.  One that is combined with its loop is counted, too.
cat >nested.c <<'EOC'
#include <omp.h>
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 4; i++) {
#pragma omp parallel for num_threads(2)
    for (int j = 0; j < 20; j++) work(1 + omp_get_thread_num() * omp_get_num_threads());
  }
  return 0;
}
EOC
verdict nested
says nested 'the parallel region at nested.c:3, 100.0% of the span, divides its work by thread numbers. All numbers are for a team of 4 threads'
says nested 'nested.c:5, 100.0% of the span, divides its work by thread numbers. It is nested in another region, and OpenMP gives a nested region one thread by default: it counts as serial, as it is without the profiler. To give it a team of its own, set OMP_MAX_ACTIVE_LEVELS=2.'
says_not nested 'idle at least 0%'
says nested 'Parallelism: 4.00, nearly all that a team of 4 threads can have'

# Sections that wait for each other need a team, whether or not they look at numbers.
cat >waiting.c <<'EOC'
static volatile int ready;
int main(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      work(20);
      ready = 1;
    }
#pragma omp section
    {
      while (!ready);
      work(20);
    }
  }
  return 0;
}
EOC
verdict waiting
says waiting 'needs a team, as its threads wait for each other or use their numbers. All numbers are for a team of 2 threads'

# A task costs more to make than it does: the lower bound has that.
cat >tasks.c <<'EOC'
static int done;
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 1000; i++)
#pragma omp task
    done++;
  printf("%d\n", done);
  return 0;
}
EOC
verdict tasks
true_that 'the lower bound of tiny tasks' "$(sed 's/.*Speedup: between \([0-9.]*\) .*/\1/' tasks.verdict) < 0.2"

# A lock that the compiler knows by a pointer only: the run shows if it is one, or one of several.
cat >counter.c <<'EOC'
#include <omp.h>
int main(void) {
  omp_lock_t *lock = malloc(LOCKS * sizeof *lock);
  for (int i = 0; i < LOCKS; i++) omp_init_lock(&lock[i]);
#pragma omp parallel num_threads(4)
  for (int i = 0, me = omp_get_thread_num(); i < 10; i++) {
    omp_lock_t *mine = &lock[me % LOCKS];
    omp_set_lock(mine);
    work(2);
    omp_unset_lock(mine);
    work(1);
  }
  return 0;
}
EOC
cp counter.c counters.c
verdict counter -DLOCKS=1
says counter "Contention: 'omp lock counter.c:8' covers 66.6% of the work, one processor at a time: no speedup can exceed 1.50"
says counter 'on 4 processors; 1.50 expected'
verdict counters -DLOCKS=4
says_not counters 'Contention'
holds 'the locks have a row' sh -c 'cilkprof-report --flat counters counters.prof | grep -q "omp locks counters.c:8"'

# A part that the program itself times: the command that leaves out the rest.
cat >timed.c <<'EOC'
#include <omp.h>
int main(void) {
  work(SETUP);
  double start = omp_get_wtime();
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 40; i++) work(1);
  double end = omp_get_wtime();
  return end < start;
}
EOC
cp timed.c alone.c
verdict timed -DSETUP=40
says timed 'Timed part: with omp_get_wtime the program times 50.1% of its work, from timed.c:4 to line 7'
says timed "alone, which has 100.0% of that part: cilkprof --root=timed.c:5 ./timed"
CILKPROF_ROOT=timed.c:5 CILKPROF_OUT=root.prof $RUN ./timed
cilkprof-report --root=timed.c:5 --processors=4 --verdict timed root.prof | tr -s ' \n' ' ' >root.verdict
says root 'Parallelism: 40.00'
says_not root 'Timed part'
verdict alone -DSETUP=1
says_not alone 'Timed part'

# By other clocks: the compiler sees what is between two reads, also in inlined functions and behind a condition.  What
# reads one once times nothing.
cat >clocks.c <<'EOC'
#include <sys/time.h>
#include <time.h>
static struct timeval began, ended;
static void start(struct timeval *at) { gettimeofday(at, NULL); }
static void run(void) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 40; i++) work(1);
}
__attribute__((noinline)) static void set_up(void) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  work(20);
  if (TO) clock_gettime(CLOCK_MONOTONIC, &to);
}
int main(int argc, char *argv[]) {
  (void)argv;
  set_up();
  for (int i = 0; i < 2; i++) {
    if (i == argc - 1) start(&began);
    run();
  }
  if (BOTH) start(&ended);
  return began.tv_sec < 0;
}
EOC
cp clocks.c neither.c
cp clocks.c warm.c
verdict clocks -DTO=1 -DBOTH=1
says clocks "Timed part: with gettimeofday the program times 80.0% of its work in 'main', but this verdict is about all of it"
says clocks "To judge 'run' alone, which has 100.0% of that part: cilkprof --root=run ./clocks"
says clocks "Timed part: with clock_gettime the program times 20.0% of its work in 'set_up'"
CILKPROF_ROOT=run CILKPROF_OUT=root.prof $RUN ./clocks
cilkprof-report --root=run --processors=4 --verdict clocks root.prof | tr -s ' \n' ' ' >root.verdict
holds 'root: what is timed is parallel' grep -q 'Parallelism: \(39\|40\)\.' root.verdict
verdict warm -DTO=0 -DBOTH=1
says warm "Timed part: with gettimeofday the program times 80.0% of its work in 'main'"
says_not warm 'clock_gettime'
verdict neither -DTO=0 -DBOTH=0
says_not neither 'Timed part'
finish
