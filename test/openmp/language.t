#!/bin/sh
# OpenMP's language: every clause means what it means without -fcilkprof, in every form of compilation.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

cat >all.c <<'EOC'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point { int x, y; };
#pragma omp declare reduction(sum : struct point : omp_out.x += omp_in.x, omp_out.y += omp_in.y) initializer(omp_priv = {0, 0})
static int tp = 3;
#pragma omp threadprivate(tp)
static void loops(int n) {
  int a[64], sum = 0, last = -1, most = 0, hist[4] = {0}, lin = 0;
  struct point p = {1, 2};
#pragma omp parallel for firstprivate(lin) lastprivate(last) reduction(+ : sum) reduction(max : most) schedule(dynamic, 3)
  for (int i = 0; i < n; i++) { a[i] = i * i + lin; sum += a[i]; last = i; most = most < a[i] ? a[i] : most; }
  printf("%d %d %d\n", sum, last, most);
#pragma omp parallel for collapse(2) reduction(+ : hist[:4])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n / 2; j += 1 + (0 * n)) hist[(i + j) % 4]++;
  printf("%d %d %d %d\n", hist[0], hist[1], hist[2], hist[3]);
#pragma omp parallel for reduction(sum : p) schedule(guided)
  for (int i = n; i > 0; i -= 2) { p.x += i; p.y -= i; }
  printf("%d %d\n", p.x, p.y);
#pragma omp parallel for ordered schedule(static, 2)
  for (int i = 0; i < 5; i++) {
    int twice = 2 * i;
#pragma omp ordered
    printf("%d ", twice);
  }
  puts("");
#pragma omp parallel for simd reduction(+ : sum) linear(lin : 2)
  for (int i = 0; i < n; i++) { sum += a[i] + lin; lin += 2; }
  printf("%d %d\n", sum, lin);
#pragma omp parallel loop bind(parallel) collapse(1) order(concurrent)
  for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp teams distribute parallel for schedule(dynamic) reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += a[i];
  printf("%d\n", sum);
  int scanned = 0, out[64];
#pragma omp parallel for simd reduction(inscan, + : scanned)
  for (int i = 0; i < n; i++) {
    scanned += a[i];
#pragma omp scan inclusive(scanned)
    out[i] = scanned;
  }
  printf("%d %d\n", out[0], out[n - 1]);
}
static void regions(void) {
  int shared = 0, got = 0, first = 4, second = 0;
  tp = 7;
#pragma omp parallel copyin(tp) private(got) firstprivate(first) num_threads(4)
  {
#pragma omp single copyprivate(got)
    got = first + tp;
#pragma omp masked
    shared += got;
#pragma omp barrier
#pragma omp master
    shared++;
#pragma omp critical
    shared += 2;
#pragma omp atomic
    shared += 3;
#pragma omp atomic capture
    got = shared++;
#pragma omp sections lastprivate(second)
    {
      second = 1;
#pragma omp section
      second = 2;
    }
#pragma omp flush
#pragma omp scope
    shared += got + second;
  }
  printf("%d %d %d %d\n", shared, first, second, tp);
#pragma omp parallel sections reduction(+ : shared)
  {
    shared += 1;
#pragma omp section
    shared += 2;
  }
  printf("%d\n", shared);
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 10; i++) {
#pragma omp cancel for if(i > 3)
      shared++;
    }
#pragma omp sections
    {
#pragma omp section
      {
        shared++;
#pragma omp cancel sections if(shared > 100000)
      }
    }
#pragma omp cancellation point parallel
  }
  printf("%d\n", shared);
  printf("%d %d %d %d\n", omp_in_parallel(), omp_get_num_threads(), omp_get_max_threads(), omp_get_wtime() > 0);
}
/* Loops that need a work share, inside of others; reductions over tasks. */
static void shares(int n) {
  int x = 5, each[3] = {1, 2, 3}, last = -1, a[32] = {1}, inner = 0;
  struct point p = {1, 2};
#pragma omp parallel reduction(task, + : x, each[:3]) reduction(task, sum : p)
  {
    x++;
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : x, each[:3]) in_reduction(sum : p)
      {
        each[i % 3] += i, p.x++, p.y += 2;
#pragma omp task in_reduction(+ : x)
        x += 100;
      }
    }
#pragma omp taskloop in_reduction(+ : x)
    for (int i = 0; i < n; i++) x += i;
  }
  printf("%d %d %d %d %d %d\n", x, each[0], each[1], each[2], p.x, p.y);
#pragma omp parallel for reduction(task, + : x) schedule(dynamic) lastprivate(conditional : last)
  for (int i = 0; i < 5; i++) {
    int z = 0, w = -1;
    if (i % 2) last = i;
#pragma omp task in_reduction(+ : x)
    x += i;
#pragma omp parallel for reduction(task, + : z) lastprivate(conditional : w)
    for (int j = 0; j < 3; j++) {
      if (j == 1) w = j + i;
#pragma omp task in_reduction(+ : z)
      z += j;
    }
#pragma omp parallel for ordered(1)
    for (unsigned long long j = 1; j < 9; j++) {
#pragma omp ordered depend(sink : j - 1)
      a[j] += a[j - 1];
#pragma omp ordered depend(source)
    }
    x += z, inner += w;
  }
  printf("%d %d %d %d\n", x, last, inner, a[8]);
#pragma omp parallel
  {
#pragma omp sections reduction(task, + : x) lastprivate(conditional : last)
    {
#pragma omp section
#pragma omp task in_reduction(+ : x)
      x += 7;
#pragma omp section
      last = 77;
    }
#pragma omp for ordered(2) collapse(2) reduction(task, + : x)
    for (int i = 1; i < 4; i++)
      for (int j = 1; j < 4; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        a[8 * i + j] = a[8 * i + j - 8] + a[8 * i + j - 1];
        x += a[8 * i + j];
#pragma omp ordered depend(source)
      }
    int sum = 0;
#pragma omp for reduction(inscan, + : x)
    for (int i = 0; i < n; i++) {
      a[i] = x;
#pragma omp scan exclusive(x)
      x += i;
    }
#pragma omp for simd lastprivate(conditional : last) nowait
    for (int i = 0; i < n; i++)
      if (a[i] & 1) last = i;
  }
  printf("%d %d %d %d\n", x, last, a[1], a[n - 1]);
}
/* What is asked of the region that this is in, and what is set there. */
static int nested_to(int depth) {
  int inner = 0;
  if (omp_get_level() == depth) return omp_get_team_size(depth) + omp_get_ancestor_thread_num(depth + 1);
#pragma omp parallel reduction(+ : inner)
  {
    omp_set_num_threads(7);
    inner += 1 + nested_to(depth);
  }
  return inner;
}
static void settings(void) {
  omp_sched_t kind;
  int chunk;
  omp_set_num_threads(3);
  omp_set_dynamic(0);
#pragma omp parallel
  {
    omp_set_dynamic(1);
    omp_set_schedule(omp_sched_guided, 5);
    omp_get_schedule(&kind, &chunk);
  }
  printf("%d %d\n", kind, chunk);
  omp_get_schedule(&kind, &chunk);
  printf("%d %d %d\n", omp_get_level(), nested_to(4), omp_get_dynamic());
  printf("%d %d %d\n", kind, chunk, omp_get_max_threads());
  omp_set_num_threads(1);
}
static int tree(int depth, int label) {
  int left = 0, right = 0, list[2] = {label, depth};
  if (depth == 0) return label;
#pragma omp task shared(left) firstprivate(list) untied mergeable priority(3) if(depth > 2)
  left = tree(depth - 1, 2 * list[0]);
#pragma omp task shared(right) final(depth < 3)
  right = tree(depth - 1, 2 * label + 1) + omp_in_final();
#pragma omp taskyield
#pragma omp taskwait
  return left + right;
}
static void tasks(int n) {
  int sum = 0, result = 0, x = 0;
  int vla[n];
  memset(vla, 0, sizeof vla);
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
    result = tree(6, 1);
#pragma omp taskloop grainsize(4) reduction(+ : sum) firstprivate(n)
    for (int i = 0; i < n; i++) sum += i;
#pragma omp taskloop num_tasks(3) lastprivate(x) collapse(2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 3; j++) { vla[i] += j; x = i + j; }
#pragma omp taskloop
    for (unsigned long long i = 10; i < 5; i++) abort();
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task in_reduction(+ : sum)
      sum += 100;
#pragma omp task in_reduction(+ : sum)
      sum += 1000;
    }
#pragma omp task depend(out : x)
    { omp_set_lock(&lock); x = 5; omp_unset_lock(&lock); }
#pragma omp task depend(in : x) shared(sum)
    sum += x;
#pragma omp taskwait
  }
  printf("%d %d %d %d\n", sum, result, x, vla[n - 1]);
}
int main(void) {
  loops(40);
  regions();
  shares(20);
  settings();
  tasks(20);
  int local = 5;
  int nested(int k) { /* GNU C */
    int all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < k; i++) all += i + local;
    return all;
  }
  printf("%d\n", nested(12));
  return 0;
}
EOC
gcc -w -O1 -fopenmp all.c -o plain || give_up 'gcc -fopenmp'
OMP_NUM_THREADS=1 OMP_THREAD_LIMIT=1 ./plain >wanted

# means NAME COMMAND: it compiles `all', which prints what it prints with one thread.
means() {
  what=$1
  shift
  rm -f all all.prof
  "$@" -o all >said 2>&1 || give_up "$what: compiles" said
  # There are no threads, whatever is asked for.
  CILKPROF_OUT=all.prof OMP_NUM_THREADS=4 ./all >got 2>errors
  same "$what" wanted got
  same "$what: and is silent" /dev/null errors
  cilkprof-report --summary -b all all.prof >summary.txt 2>report-said
  same "$what: the profile is whole" /dev/null report-said
}
for level in -O0 -O2 ${LONG:+-O1 -O3 -Os}; do
  for mode in count hybrid; do
    ! in_turn 2 || means "$level, $mode" cc -w $level -fopenmp -fcilkprof=$mode all.c
  done
done
means 'clock' cc -w -O2 -fopenmp -fcilkprof=clock all.c
means '-g -flto' cc -w -O2 -g -flto -fopenmp -fcilkprof all.c
export ASAN_OPTIONS=detect_leaks=0 # libgomp keeps what it has for reductions in a place where gcc 11's does not look
means '-fsanitize=address' cc -w -O1 -fsanitize=address -fopenmp -fcilkprof all.c
means 'with Cilk, in two steps, and no threads are made' \
  sh -c 'cc -w -O1 -fcilkplus -fopenmp -fcilkprof=count -c all.c && cc -fcilkplus -fopenmp -fcilkprof=count all.o "$@"' sh
if nm -u all | grep -q ' GOMP_parallel\| GOMP_task$\| GOMP_barrier\| GOMP_loop\| GOMP_sections'; then
  nm -u all >left
  fail 'libgomp runs no region' left
else
  pass 'libgomp runs no region'
fi

# The forms of events give the same numbers.
for form in '' -fcilkprof-inline -fcilkprof-outline -fcilkprof-callbacks; do
  cc -w -O1 -fopenmp -fcilkprof=count $form all.c -o all 2>/dev/null || give_up "$form"
  CILKPROF_OUT=all.prof ./all >/dev/null
  cilkprof-report --csv all all.prof | sort >"form$form"
done
same 'inlined events' form form-fcilkprof-inline
same 'called events' form form-fcilkprof-outline
same 'events for tools' form form-fcilkprof-callbacks

# Two units, of which the second is linked as a library.
cat >one.c <<'EOC'
extern void many(int n);
int main(void) {
#pragma omp parallel
#pragma omp single
  {
    many(4);
#pragma omp taskwait
    work(1);
  }
  return 0;
}
EOC
cat >two.c <<'EOC'
void many(int n);
void many(int n) {
  for (int i = 0; i < n; i++) {
#pragma omp task
    work(i + 1);
  }
}
EOC
compile -O2 -fopenmp -fcilkprof=count -include unit.h one.c two.c -o units
profile units
spans 'tasks of another unit' 5
compile -O2 -fPIC -shared -fopenmp -fcilkprof=count -include unit.h two.c -o libtwo.so
compile -O2 -fopenmp -fcilkprof=count -include unit.h one.c ./libtwo.so -o units
profile units
spans 'tasks of a library' 5

# Cilk beside OpenMP.
cat >mixed.c <<'EOC'
#include <cilk/cilk.h>
static void both(int n) {
  cilk_spawn work(n);
#pragma omp task
  work(n - 1);
  cilk_for (int i = 0; i < 4; i++) work(1);
  cilk_sync;
}
int main(void) {
#pragma omp parallel
#pragma omp single
  both(4);
  cilk_spawn work(3);
  work(2);
  cilk_sync;
  return 0;
}
EOC
openmp mixed
spans 'cilk_spawn beside a task' 7

# C++: classes that are copied into tasks, iterators, exceptions inside of a region.
cat >all.cc <<'EOC'
#include <cstdio>
#include <string>
#include <vector>
static int copies;
struct text {
  std::string s;
  text(const char *t) : s(t) {}
  text(const text &o) : s(o.s) { copies++; }
  ~text() { copies--; }
};
#pragma omp declare reduction(join : std::string : omp_out += omp_in)
template <typename T> static T total(const std::vector<T> &v) {
  T sum = T();
#pragma omp parallel for reduction(+ : sum)
  for (typename std::vector<T>::const_iterator i = v.begin(); i < v.end(); ++i) sum += *i;
  return sum;
}
int main() {
  std::vector<int> v(100, 2);
  text t("hello");
  std::string all, joined;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(t) shared(all)
      {
        t.s += char('0' + i);
#pragma omp critical
        all += t.s;
      }
    }
#pragma omp taskwait
    auto f = [&](int n) {
#pragma omp task shared(all) depend(inout : all)
      try {
        if (n) throw n;
      } catch (int caught) {
        all += std::to_string(caught);
      }
    };
    f(4); f(0); f(5);
  }
#pragma omp parallel for reduction(join : joined)
  for (int i = 0; i < 5; i++) joined += char('a' + i);
  for (int x : v) copies += x - 2;
  std::printf("%d %d %s %s\n", total(v), copies, all.c_str(), joined.c_str());
}
EOC
for level in -O2 ${LONG:+-O0}; do
  c++ -w $level -fopenmp -fcilkprof=count all.cc -o classes || give_up 'C++'
  profile classes
  equal "C++ $level" '200 0 hello0hello1hello245 abcde' "$(cat classes.stdout)"
done

# Tasks that are detached.  Who fulfils an event may be the task, another, the one that made it, code without
# instrumentation, or a thread that is none of OpenMP's, for which all that waits for the task waits.
cat >detached.c <<'EOC'
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
extern void give(omp_event_handle_t event);
static int x, y, z, got;
static void *later(void *event) {
  struct timespec pause = {0, 30000000};
  nanosleep(&pause, NULL);
  __atomic_store_n(&got, 7, __ATOMIC_SEQ_CST);
  omp_fulfill_event((omp_event_handle_t)(unsigned long)event);
  return NULL;
}
static void start(omp_event_handle_t event) {
  pthread_t thread;
  got = 0;
  pthread_create(&thread, NULL, later, (void *)event);
  pthread_detach(thread);
}
int main(void) {
  omp_event_handle_t a, b, c;
  void (*by_address)(omp_event_handle_t) = omp_fulfill_event;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task detach(a)
    x++;
#pragma omp task detach(b)
    { y++; by_address(a); }
#pragma omp task shared(b)
    { z++; give(b); }
#pragma omp task detach(c) depend(out : x)
    { x++; omp_fulfill_event(c); }
#pragma omp task depend(in : x)
    y += x;
  }
  printf("%d %d %d\n", x, y, z);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task detach(a) depend(out : x)
    start(a);
#pragma omp task detach(b) depend(out : y)
    ;
#pragma omp task depend(in : x)
    z = got;
    printf("%d\n", z);
    omp_fulfill_event(b);
#pragma omp task detach(c)
    start(c);
#pragma omp taskwait
    printf("%d\n", got);
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task detach(a)
        start(a);
      }
    }
    printf("%d\n", got);
#pragma omp task detach(b)
    start(b);
#pragma omp taskwait depend(in : x)
  }
  printf("%d\n", got);
  return 0;
}
EOC
printf '#include <omp.h>\nvoid give(omp_event_handle_t event);\nvoid give(omp_event_handle_t event) { omp_fulfill_event(event); }\n' >give.c
gcc -O1 -fopenmp -c give.c || give_up 'gcc -fopenmp'
printf '2 3 1\n7\n7\n7\n7\n' >wanted
for options in '-O0 -fcilkprof' '-O2 -fcilkprof=count' '-O1 -fcilkprof=count -fcilkprof-inline'; do
  cc -w -fopenmp $options detached.c give.o -o detached -lpthread 2>said || give_up "$options" said
  CILKPROF_OUT=detached.prof timeout 60 ./detached >got 2>errors
  same "detached tasks, $options" wanted got
  same "$options: and is silent" /dev/null errors
done

# An event that nobody can fulfil any more is not waited for.
cat >never.c <<'EOC'
#include <omp.h>
#include <stdio.h>
int main(void) {
  omp_event_handle_t a;
  int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task detach(a) shared(x)
    x = 3;
#pragma omp taskwait
  }
  printf("%d\n", x);
  return 0;
}
EOC
cc -w -O2 -fopenmp -fcilkprof never.c -o never 2>said || give_up 'never.c' said
CILKPROF_OUT=never.prof timeout 60 ./never >got 2>errors
equal 'an event that is never fulfilled' 3 "$(cat got)"
equal 'is said' 'cilkprof: OpenMP: nothing is left that could fulfil the event of a task; the program goes on' \
  "$(cat errors)"

# Who asks for it is told that nothing is cancelled.
cat >cancels.c <<'EOC'
#include <stdio.h>
int main(int argc, char *argv[]) {
  int done = 0;
#pragma omp parallel for reduction(+ : done)
  for (int i = 0; i < 10; i++) {
#pragma omp cancel for if(i > 3 && argc > 1)
    done++;
  }
  printf("%d\n", done);
  return 0;
}
EOC
cc -w -O2 -fopenmp -fcilkprof cancels.c -o cancels 2>said || give_up 'cancels.c' said
./cancels it >got 2>&1
equal 'nothing is cancelled' 10 "$(cat got)"
OMP_CANCELLATION=true ./cancels >got 2>&1
equal 'nor asked for' 10 "$(cat got)"
OMP_CANCELLATION=true ./cancels it >got 2>errors
equal 'nothing is cancelled with OMP_CANCELLATION=true' 10 "$(cat got)"
equal 'which is said' \
  'cilkprof: OMP_CANCELLATION: cancellation is ignored while profiling; all iterations and tasks run' "$(cat errors)"

# What is not followed is said, once, with the place; what cannot be is refused.
# says NAME PATTERN STATUS OPTION...: the program on standard input.
says() {
  what=$1 pattern=$2 wanted=$3
  shift 3
  cat >said.c
  cc -O1 -fopenmp "$@" -c said.c -o said.o >messages 2>&1
  equal "$what: the status" "$wanted" $?
  holds "$what: the message" grep -q "$pattern" messages
  equal "$what: once" 1 "$(grep -c "fcilkprof" messages)"
}
# Nothing is left out of a region that looks at thread numbers: a team runs it.
cat >said.c <<'EOC'
#include <omp.h>
int a[8];
void f(void) {
#pragma omp parallel
  a[omp_get_thread_num()] = 1 + omp_get_thread_num();
}
EOC
cc -O1 -fopenmp -fcilkprof -c said.c -o said.o >messages 2>&1
equal 'thread numbers: no message' 0 "$(grep -c "fcilkprof" messages)"
says 'team numbers' "said.c:5:[0-9]*: note: '-fcilkprof': there is one team" 0 -fcilkprof <<'EOC'
#include <omp.h>
int a[8];
void f(void) {
#pragma omp teams
  a[omp_get_team_num()] = 1;
}
EOC
says 'a number of threads' "said.c:3:[0-9]*: note: '-fcilkprof': the number of threads is ignored" 0 -fcilkprof <<'EOC'
int a[8];
void f(void) {
#pragma omp parallel num_threads(4)
  a[0] = 1;
#pragma omp parallel num_threads(2)
  a[1] = 1;
}
EOC
says 'a number that is set' "said.c:3:[0-9]*: note: '-fcilkprof': the number of threads is ignored" 0 -fcilkprof <<'EOC'
#include <omp.h>
int main(void) {
  omp_set_num_threads(4);
  return 0;
}
EOC
cat >said.c <<'EOC'
#include <omp.h>
int main(void) {
  omp_set_num_threads(4);
#pragma omp parallel
  if (omp_get_num_threads() > 5) __builtin_abort();
  return 0;
}
EOC
cc -O1 -fopenmp -fcilkprof -c said.c -o said.o >messages 2>&1
equal 'a number of threads that a team has' '' "$(cat messages)"
says 'target' "said.c:3:[0-9]*: note: '-fcilkprof': target regions are not measured" 0 -fcilkprof <<'EOC'
int a[8];
void f(void) {
#pragma omp target
  a[0] = 1;
}
EOC
says 'flush' "said.c:5:[0-9]*: note: '-fcilkprof': the span ignores synchronization through flush" 0 -fcilkprof <<'EOC'
int a, ready;
void f(void) {
  a = 1;
#pragma omp barrier
#pragma omp flush
  ready = 1;
}
EOC
says 'doacross' "said.c:3:[0-9]*: note: '-fcilkprof': the span ignores dependences between the iterations" 0 -fcilkprof <<'EOC'
int a[8];
void f(void) {
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 8; i++) {
#pragma omp ordered depend(sink : i - 1)
    a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
  }
}
EOC
says 'detach' "said.c:4:[0-9]*: note: '-fcilkprof': the span ignores that a task waits for its event" 0 -fcilkprof <<'EOC'
#include <omp.h>
void f(void) {
  omp_event_handle_t e;
#pragma omp task detach(e)
  omp_fulfill_event(e);
}
EOC
finish
